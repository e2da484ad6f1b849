package node

import (
	"errors"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// Under makes the node one of another release, as it is before or after an
// upgrade: from here on its files and its unit are read by the rules of v. Where
// that is not the release that is installed, its binary is not asked any more.
func (n *Node) Under(v schema.Version, source string) {
	if n.VersionKnown && v.Release() == n.Version.Release() && (v.Patch < 0 || v == n.Version) {
		return // it knows its patch number and what it was patched to read
	}
	n.use(v, source)
	n.Binary = nil
	if n.Unit.Name != "" {
		n.overrides, n.unitDiags = n.Unit.Overrides(n.Schema)
	}
}

// Overrides returns what the unit adds to the files.
func (n *Node) Overrides() []crioconf.Override { return n.overrides }

// LoadUnder reads the files by the rules of one release, with what the unit says
// to another. The error tells of files that could not be read.
func (n *Node) LoadUnder(files, unit *schema.Schema) (*crioconf.Config, error) {
	var overrides []crioconf.Override
	if n.Unit.Name != "" {
		overrides, _ = n.Unit.Overrides(unit)
	}
	c, _, err := crioconf.Load(n.FS, n.Layout, crioconf.Options{Schema: files, Overrides: overrides, Display: n.FS.Path})
	return c, errors.Join(err, n.unitErr)
}
