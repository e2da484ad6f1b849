package crioconf

import (
	"slices"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// Under returns the configuration that the same files make under another
// release, with what its unit adds to them. The receiver stays as it is.
//
// Releases before 1.17 have no drop-in directory: under one of them the drop-ins
// are left out. A Config that was loaded for such a release does not have them,
// so load for the newer of two releases before going from one to the other.
func (c *Config) Under(s *schema.Schema, overrides []Override) *Config {
	next := &Config{options: c.options, layout: c.layout, listed: c.listed, schema: s, shape: shapeOf(s)}
	next.options.Schema, next.options.Version, next.options.Overrides = s, s.Version(), overrides
	for _, l := range c.layers {
		if l.role == DropIn && !next.hasDropIns() {
			continue
		}
		next.layers = append(next.layers, next.parse(l.name, l.role, l.file.Source()))
	}
	// What the walk found holds for every release that walks, but for the
	// remark that one does not.
	for _, d := range c.walked {
		if d.Code != diag.DropInsUnread {
			next.walked = append(next.walked, d)
		}
	}
	next.judge()
	return next
}

// Layout returns the files that the configuration was loaded from.
func (c *Config) Layout() Layout { return c.layout }

// Overrides returns what flags and variables of the unit say, lowest first.
func (c *Config) Overrides() []Override { return slices.Clone(c.options.Overrides) }

// FileChanges lists the files that differ in d, in the order in which CRI-O
// reads them, those that d no longer has last.
func (c *Config) FileChanges(d *Config) []FileChange { return c.changedFiles(d) }

// Name returns the name in the file system of the layer that people know by
// another name, and the name itself where no layer has it.
func (c *Config) Name(known string) string { return c.canonical(known) }

// RoleOf returns the role of the layer of that name, zero when there is none.
func (c *Config) RoleOf(name string) Role {
	name = c.canonical(name)
	for _, l := range c.layers {
		if l.name == name {
			return l.role
		}
	}
	return 0
}
