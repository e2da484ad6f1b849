package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// madeAtStart lists the directories that CRI-O makes when it starts, and does
// not start without (cri-o pkg/config/config.go, NetworkConfig.Validate,
// RootConfig.Validate).
func (n *Node) madeAtStart() []wantedDir {
	var all []wantedDir
	one := func(s schema.Setting[string], entry string) {
		if dir, at := get(n, s); dir != "" && s.In(n.version()) {
			all = append(all, wantedDir{s.Key, entry, dir, at})
		}
	}
	one(schema.NetworkDir, "network_dir")
	dirs, at := get(n, schema.PluginDirs)
	for _, dir := range dirs {
		all = append(all, wantedDir{schema.PluginDirs.Key, "plugin_dirs entry", dir, at})
	}
	one(schema.PluginDir, "plugin_dir")
	one(schema.LogDir, "log_dir")
	one(schema.NamespacesDir, "namespaces_dir")
	return all
}

type wantedDir struct {
	key  *schema.Key
	what string
	dir  string
	at   crioconf.Origin
}

// makesDirs is the first release that makes its network directories.
const makesDirs = 15

func checkDirs(_ context.Context, n *Node) (o Outcome) {
	if !n.since(makesDirs, 0) {
		return skipped("%s makes no directories", n.crio())
	}
	unknown := false
	for _, w := range n.madeAtStart() {
		unknown = n.directory(&o, w) || unknown
	}
	switch {
	case len(o.Findings) > 0:
	case unknown:
		return skipped("%s", n.partly("directories that are not there"))
	default:
		o.saw("every directory is there or can be made")
	}
	return o
}

// directory looks at one of them. It returns true for one that is not there in a
// root that holds too little to say more.
func (n *Node) directory(o *Outcome, w wantedDir) (unknown bool) {
	info, err := fs.Stat(n.FS, toName(w.dir))
	switch {
	case err == nil && info.IsDir():
		return false
	case err == nil || errors.Is(err, syscall.ENOTDIR):
		o.add(w.refused("is no directory", "Name a directory, or move the file away."))
		return false
	case !errors.Is(err, fs.ErrNotExist):
		o.missed("look at "+w.dir, err)
		return false
	}
	if readOnly, why := n.readOnly(n.nearest(w.dir)); readOnly {
		o.add(w.refused("is missing and cannot be created: "+why, "Take it out, or name a directory that can be written."), w.without(n)...)
		return false
	}
	if !n.whole() {
		return true
	}
	if set(w.at) {
		o.add(diag.Diagnostic{
			Code: diag.MissingDirectory, Severity: diag.Info, Key: w.key.Path, Range: w.at.Range,
			Summary: fmt.Sprintf("%s %s is missing", w.what, w.dir),
			Detail:  "CRI-O makes it, empty, when it starts. A slip in the name shows in no other way.",
			Hint:    "Look whether that is the name that is meant.",
		})
	}
	return false
}

func (w wantedDir) refused(what, hint string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.MissingDirectory, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Start.String(), Key: w.key.Path, Range: w.at.Range,
		Summary: fmt.Sprintf("%s %s %s; CRI-O will not start", w.what, w.dir, what),
		Detail:  "CRI-O makes the directory when it starts, and exits when it cannot.",
		Hint:    hint,
	}
}

// without returns the command that takes the directory out of its list.
func (w wantedDir) without(n *Node) []Remedy {
	if w.key != schema.PluginDirs.Key {
		return nil
	}
	dirs, _ := get(n, schema.PluginDirs)
	rest := slices.DeleteFunc(slices.Clone(dirs), func(d string) bool { return d == w.dir })
	if len(rest) == 0 {
		return nil
	}
	return []Remedy{n.inDropIn(w.at, w.key.String(), crioconf.FormatValue(rest))}
}

// nearest returns the nearest directory above p that exists, a name of FS.
func (n *Node) nearest(p string) string {
	for name := toName(p); name != "."; name = path.Dir(name) {
		if info, err := fs.Stat(n.FS, name); err == nil && info.IsDir() {
			return name
		}
	}
	return "."
}

// readOnly reports whether nothing can be made in the directory, and why: what
// the kernel says, the table of file systems, or a system whose /usr is an image.
func (n *Node) readOnly(dir string) (bool, string) {
	if n.ReadOnly != nil {
		if ro, known := n.ReadOnly(dir); known && ro {
			return true, "/" + dir + " is on a read-only file system"
		}
	}
	if n.Live {
		return false, ""
	}
	if mount, ro := n.fstab(dir); ro {
		return true, mount + " is read-only by etc/fstab"
	}
	if dir == "usr" || strings.HasPrefix(dir, "usr/") && !strings.HasPrefix(dir, "usr/local") {
		if system := n.imageSystem(); system != "" {
			return true, "/usr is read-only on " + system
		}
	}
	return false, ""
}

// fstab returns the mount point that the directory belongs to by etc/fstab, and
// whether it is mounted read-only.
func (n *Node) fstab(dir string) (mount string, readOnly bool) {
	data, err := fs.ReadFile(n.FS, "etc/fstab")
	if err != nil {
		return "", false
	}
	for line := range bytes.Lines(data) {
		f := strings.Fields(string(line))
		if len(f) < 4 || strings.HasPrefix(f[0], "#") || len(f[1]) < len(mount) {
			continue
		}
		if m := strings.TrimSuffix(f[1], "/"); "/"+dir == m || strings.HasPrefix("/"+dir+"/", m+"/") {
			mount, readOnly = f[1], slices.Contains(strings.Split(f[3], ","), "ro")
		}
	}
	return mount, readOnly
}

// imageSystem names a system whose /usr belongs to an image, "" for others.
func (n *Node) imageSystem() string {
	for _, file := range []string{"etc/os-release", "usr/lib/os-release"} {
		data, err := fs.ReadFile(n.FS, file)
		if err != nil {
			continue
		}
		release := map[string]string{}
		for line := range bytes.Lines(data) {
			if key, value, ok := strings.Cut(strings.TrimSpace(string(line)), "="); ok {
				release[key] = strings.Trim(value, `"'`)
			}
		}
		switch {
		case slices.Contains([]string{"flatcar", "talos", "bottlerocket", "rhcos"}, release["ID"]),
			release["VARIANT_ID"] == "coreos", release["OSTREE_VERSION"] != "":
			if name := release["NAME"]; name != "" {
				return name
			}
			return release["ID"]
		}
		return ""
	}
	return ""
}
