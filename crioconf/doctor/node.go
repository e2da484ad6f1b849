package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net/netip"
	"path"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
	"github.com/crioctl/crioctl-net/schema"
)

// A Node is all that the checks look at. FS and Config must be set. The readers
// are called at most a few times each and must bound their own time.
type Node struct {
	FS      fs.FS                    // the node's files; links are followed as on the node
	Display func(name string) string // a name of FS as people know it; nil puts a slash in front
	Live    bool                     // FS is this host's, so that its daemon and kernel can be asked

	Config   *crioconf.Config // with what the unit adds to the files
	Findings diag.List        // of loading it, without those of the unit
	LoadErr  error            // files that could not be read

	Unit         crio.Unit // zero when there is no unit file
	UnitFindings diag.List
	UnitErr      error

	VersionSource string // where the CRI-O version comes from
	VersionKnown  bool   // false: the newest known was assumed

	// Binary is the crio that is there, "" for none. Reads asks it whether it
	// reads a key; nil when it cannot be asked.
	Binary string
	Reads  func(context.Context, *schema.Key) (bool, error)

	Running func(context.Context) (crio.Running, error)       // the daemon's configuration
	Systemd func(context.Context) (systemd.Properties, error) // the unit as systemd has it

	Addresses func() ([]netip.Addr, error)                       // of all interfaces
	ReadOnly  func(dir string) (readOnly bool, known bool)       // the file system that an existing directory is on
	Trial     func(context.Context) (text string, err error)     // a change that waits to be confirmed, "" for none
	Pending   func(context.Context) (titles []string, err error) // changes that were interrupted
}

// lacks says why what a check needs is not there, "" when all is.
func (n *Node) lacks(need Need) string {
	switch {
	case need&Daemon != 0 && !n.Live:
		return "asks the running daemon, which a root directory does not have"
	case need&Kernel != 0 && !n.Live:
		return "asks the kernel of the node, which a root directory does not have"
	case need&Unit != 0 && n.Unit.Name == "" && n.UnitErr == nil:
		return "there is no unit file of CRI-O"
	}
	return ""
}

func (n *Node) version() schema.Version { return n.Config.Version() }

// crio names the release in messages.
func (n *Node) crio() string { return "CRI-O " + n.version().String() }

// since reports whether the release is 1.minor.patch or later.
func (n *Node) since(minor, patch int) bool {
	return !n.version().Known().Less(schema.Version{Major: 1, Minor: minor, Patch: patch})
}

// display returns a name of FS as people know it.
func (n *Node) display(name string) string {
	if n.Display == nil {
		return "/" + name
	}
	return n.Display(name)
}

// place returns a file as a place.
func (n *Node) place(name string) diag.Range { return diag.Range{File: n.display(name)} }

// toName turns an absolute path of the node into a name of FS.
func toName(p string) string {
	name := strings.TrimPrefix(path.Clean("/"+p), "/")
	if name == "" {
		return "."
	}
	return name
}

// exists reports whether there is something of that name. An error says that it
// could not be found out.
func (n *Node) exists(p string) (bool, error) {
	_, err := fs.Stat(n.FS, toName(p))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// filesOnly is the configuration as the files alone give it.
func (n *Node) filesOnly() *crioconf.Config { return n.Config.Under(n.Config.Schema(), nil) }

// inDropIn returns the command that sets a key in our drop-in, or where a drop-in
// sets it already, there.
func (n *Node) inDropIn(at crioconf.Origin, key, value string) Remedy {
	if at.Kind == crioconf.File && n.Config.RoleOf(at.Range.File) == crioconf.DropIn {
		return Own("set", key, value)
	}
	return Own("set", key, value, "--in", crioconf.DropInName)
}

// get returns a setting and the place that it comes from.
func get[T schema.ValueType](n *Node, s schema.Setting[T], names ...string) (T, crioconf.Origin) {
	return crioconf.Get(n.Config, s, names...)
}

// set reports whether somebody gave the key its value.
func set(o crioconf.Origin) bool { return o.Kind > crioconf.Default }
