package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// checkStorage compares CRI-O's storage with that of the storage library.
func checkStorage(_ context.Context, n *Node) (o Outcome) {
	file, named := n.storageConf()
	f, err := n.storageFile(file)
	if f == nil {
		switch {
		case err == nil && !named:
			return skipped("there is no %s", n.display(file))
		case err == nil:
			err = fs.ErrNotExist
		}
		o.missed("read "+n.display(file), err)
		return o
	}
	n.sameStorage(&o, f, schema.StorageDriver, keypath.Path{"storage", "driver"}, diag.Warning,
		"Other programs, and CRI-O itself after a reboot, look for images and containers under the other name.")
	n.sameStorage(&o, f, schema.Root, keypath.Path{"storage", "graphroot"}, diag.Info,
		"CRI-O's images are not those that other programs of this node see.")
	if len(o.Findings) == 0 {
		o.saw("%s and CRI-O agree", n.display(file))
	}
	return o
}

// storageConf returns the file of the storage library, a name of FS, and whether
// the unit names it, so that it must exist.
func (n *Node) storageConf() (name string, named bool) {
	for _, v := range n.Unit.Env {
		if v.Name == "CONTAINERS_STORAGE_CONF" && v.Value != "" {
			return toName(v.Value), true
		}
	}
	const own, vendors = "etc/containers/storage.conf", "usr/share/containers/storage.conf"
	if _, err := fs.Stat(n.FS, own); errors.Is(err, fs.ErrNotExist) {
		if _, err := fs.Stat(n.FS, vendors); err == nil {
			return vendors, false
		}
	}
	return own, false
}

// storageFile reads the file, nil when there is none or it cannot be read.
func (n *Node) storageFile(name string) (*tomlfile.File, error) {
	src, err := fs.ReadFile(n.FS, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// The storage library is part of CRI-O and shares its decoder.
	f, _ := tomlfile.Parse(n.display(name), src, n.Config.Schema().Dialect())
	if refused := f.Refused(); refused != nil {
		return nil, fmt.Errorf("%s: %s", refused.Range, refused.Summary)
	}
	return f, nil
}

// sameStorage compares a key that somebody set for CRI-O with the one of
// storage.conf.
func (n *Node) sameStorage(o *Outcome, f *tomlfile.File, s schema.Setting[string], p keypath.Path, severity diag.Severity, why string) {
	value, at := get(n, s)
	theirs := f.Root().At(p)
	if theirs == nil || theirs.Type != tomlfile.String || theirs.Str == "" || value == theirs.Str || !set(at) {
		return
	}
	d := diag.Diagnostic{
		Code: diag.StorageMismatch, Severity: severity, Key: s.Path, Range: at.Range,
		Summary: fmt.Sprintf("%s is %s, and storage.conf says %s", s.Path.Leaf(), crioconf.FormatValue(value), crioconf.FormatValue(theirs.Str)),
		Detail:  why,
		Hint:    fmt.Sprintf("Use %s, or delete the key so that storage.conf decides; on a drained node.", crioconf.FormatValue(theirs.Str)),
		Related: []diag.Related{{Range: theirs.Range, Message: p.Leaf() + " of storage.conf"}},
	}
	var remedies []Remedy
	if value == "overlay2" && theirs.Str == "overlay" {
		d.Detail = "overlay2 is an old name of overlay. " + why
		remedies = []Remedy{Own("set", s.String(), theirs.Str)}
	}
	o.add(d, remedies...)
}
