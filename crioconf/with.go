package crioconf

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// With returns the configuration as it would be if a file had the content src,
// or did not exist when src is nil. The name is one of the file system or one
// that people know. A new file takes the place at which CRI-O would read it; a
// name that CRI-O does not read changes nothing. The receiver stays as it is.
func (c *Config) With(name string, src []byte) (*Config, diag.List) {
	next := *c
	name = c.canonical(name)
	i := slices.IndexFunc(c.layers, func(l *layer) bool { return l.name == name })
	next.layers = slices.Clone(c.layers)
	switch {
	case i >= 0 && src == nil:
		next.layers = slices.Delete(next.layers, i, i+1)
	case i >= 0:
		next.layers[i] = c.parse(name, c.layers[i].role, src)
	case src == nil || !c.reads(name):
		return c, c.Diagnostics()
	default:
		added := c.parse(name, c.roleOf(name), src)
		next.layers = slices.Insert(next.layers, c.place(name), added)
	}
	next.walked = slices.DeleteFunc(slices.Clone(c.walked), func(d diag.Diagnostic) bool {
		return d.Range.File == c.options.display(name)
	})
	next.judge()
	return &next, next.Diagnostics()
}

// canonical returns the name in the file system of a name that may be the one
// that people know.
func (c *Config) canonical(name string) string {
	for _, l := range c.layers {
		if l.name == name || l.file.Name() == name {
			return l.name
		}
	}
	if c.options.Display == nil {
		return name
	}
	for _, root := range []string{c.layout.Main, c.dropInDir()} {
		shown := c.options.Display(root)
		if root == "" || shown == root {
			continue
		}
		if rest, ok := strings.CutPrefix(name, shown); ok && (rest == "" || rest[0] == '/') {
			return root + rest
		}
	}
	return name
}

func (c *Config) dropInDir() string { return strings.TrimSuffix(c.layout.DropInDir, "/") }

// reads reports whether CRI-O would read a file of that name.
func (c *Config) reads(name string) bool {
	if c.listed {
		return true
	}
	if name == c.layout.Main {
		return name != ""
	}
	rest, ok := strings.CutPrefix(name, c.dropInDir()+"/")
	return ok && c.layout.DropInDir != "" && c.hasDropIns() && rest != "" && fs.ValidPath(name)
}

func (c *Config) roleOf(name string) Role {
	if name == c.layout.Main {
		return Main
	}
	return DropIn
}

// place returns the index at which CRI-O's walk comes to a drop-in.
func (c *Config) place(name string) int {
	if c.listed {
		return len(c.layers)
	}
	i := slices.IndexFunc(c.layers, func(l *layer) bool {
		return l.role == DropIn && (name == c.layout.Main || walkOrder(name, l.name) < 0)
	})
	if i < 0 {
		return len(c.layers)
	}
	return i
}

// walkOrder compares two files of a tree by the order of filepath.Walk: byte by
// byte on each level, depth first.
func walkOrder(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}

// Diff returns the keys whose values differ in d, in the order of the schema.
// Keys of entries that only d has come after those that c has.
func (c *Config) Diff(d *Config) []Change {
	var changes []Change
	seen := map[string]bool{}
	for p, before := range c.All() {
		seen[p.String()] = true
		after, ok := d.Lookup(p)
		if !ok || !Equal(before.V, after.V) {
			changes = append(changes, Change{p, before, after, true, ok})
		}
	}
	for p, after := range d.All() {
		if seen[p.String()] {
			continue
		}
		before, ok := c.Lookup(p)
		if !ok || !Equal(before.V, after.V) {
			changes = append(changes, Change{p, before, after, ok, true})
		}
	}
	return changes
}
