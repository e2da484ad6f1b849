package crioconf

import (
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// A Role says which kind of file a layer is.
type Role uint8

// The roles.
const (
	Main   Role = iota + 1 // the main file
	DropIn                 // a file of the drop-in directory
)

// A Source is a file that need not exist anywhere.
type Source struct {
	Name string
	Data []byte
	Role Role
}

// A Layout names the files that CRI-O reads. The names are slash-separated and
// have no leading slash, as those of an fs.FS. An empty name is skipped, as
// "crio --config ”" does.
type Layout struct {
	Main         string
	DropInDir    string // with a slash at the end, a symbolic link is followed
	MainExplicit bool   // named by a flag or variable: CRI-O refuses to go without it
}

// DefaultLayout returns the files that CRI-O reads on Linux unless told otherwise.
func DefaultLayout() Layout {
	return Layout{Main: "etc/crio/crio.conf", DropInDir: "etc/crio/crio.conf.d"}
}

// Options are what the answer depends on besides the files.
type Options struct {
	Version   schema.Version
	Schema    *schema.Schema // in place of that of Version; nil for what the release reads
	Overrides []Override     // lowest first; applied after all files

	// Display turns a name of the file system into the one that people know.
	// Ranges carry the latter. Nil leaves names alone.
	Display func(name string) string
}

func (o Options) display(name string) string {
	if o.Display == nil {
		return name
	}
	return o.Display(name)
}

// A Config is the configuration that CRI-O would run with.
type Config struct {
	options Options
	layout  Layout
	listed  bool // the layers were given one by one and follow no layout
	schema  *schema.Schema
	shape   *shape
	walked  diag.List // about the directory and the files that were not read
	layers  []*layer
	state   *state
	diags   diag.List
}

// A layer is one file.
type layer struct {
	name    string // in the file system
	role    Role
	file    *tomlfile.File
	steps   []step
	clashes []clashing
	diags   diag.List // about the file alone
}

// Load reads the files of a layout as CRI-O does and merges them. It goes on
// after every problem. The error tells of files that could not be read, joined;
// the Config then holds the others.
func Load(fsys fs.FS, l Layout, o Options) (*Config, diag.List, error) {
	c := newConfig(o)
	c.layout = l
	err := c.read(fsys)
	c.judge()
	return c, c.Diagnostics(), err
}

// LoadFiles judges files as layers, in the given order.
func LoadFiles(files []Source, o Options) (*Config, diag.List) {
	c := newConfig(o)
	c.listed = true
	for _, f := range files {
		c.layers = append(c.layers, c.parse(f.Name, f.Role, f.Data))
	}
	c.judge()
	return c, c.Diagnostics()
}

func newConfig(o Options) *Config {
	s := o.Schema
	if s == nil {
		s = schema.For(o.Version)
	}
	return &Config{options: o, schema: s, shape: shapeOf(s)}
}

// parse reads one file and decodes it.
func (c *Config) parse(name string, role Role, src []byte) *layer {
	l := &layer{name: name, role: role}
	file, problems := tomlfile.Parse(c.options.display(name), src, c.schema.Dialect())
	l.file = file
	for _, p := range problems {
		l.diags = append(l.diags, c.fromText(p))
	}
	r := reporter{config: c, file: file}
	d := decoder{schema: c.schema, shape: c.shape, report: r.found}
	l.steps = d.decode(file.Root())
	l.clashes = d.clashes
	l.diags = append(l.diags, r.list...)
	return l
}

// judge merges the layers and collects what is to be said about them.
func (c *Config) judge() {
	own := append(c.release(), c.walked...)
	for _, l := range c.layers {
		own = append(own, l.diags...)
	}
	state, settled := c.settled(nil)
	if clashes := c.clashing(state, settled, refusedAtLoad(own)); clashes != nil {
		own = append(own, clashes.list...)
		if clashes.accepted != nil {
			// Refused in this order and accepted in another: to say that CRI-O
			// refuses it would be as wrong as the contrary.
			state, settled = c.settled(clashes.accepted)
		}
	}
	c.state = state
	c.diags = slices.Concat(own, settled, c.layering())
	c.diags.Sort(c.files())
}

// release tells when the rules of the release are not known exactly.
func (c *Config) release() diag.List {
	v := c.Version()
	switch {
	case schema.Newest().Less(v):
		return diag.List{{
			Code: diag.VersionNewer, Severity: diag.Info, Effect: diag.None,
			Summary: fmt.Sprintf("CRI-O %s is newer than the newest known release, %s", v, schema.Newest().Release()),
			Detail:  "It is judged by the rules of that one.",
		}}
	case v.Minor < schema.OldestExact().Minor:
		return diag.List{{
			Code: diag.VersionOlder, Severity: diag.Info, Effect: diag.None,
			Summary: fmt.Sprintf("CRI-O %s is older than %s, the oldest release that is known exactly", v, schema.OldestExact().Release()),
			Detail:  "Its rules were read in its sources and not compared with its loader.",
		}}
	}
	return nil
}

// settled merges all layers and does what CRI-O does with the whole. A layer of
// instead is decoded in another order.
func (c *Config) settled(instead map[*layer][]step) (*state, diag.List) {
	j := judgement{layers: c.layers, state: c.merge(instead)}
	return j.state, j.settle()
}

// merge applies all layers.
func (c *Config) merge(instead map[*layer][]step) *state {
	st := newState(c.schema, c.shape)
	for i, l := range c.layers {
		steps := l.steps
		if other, ok := instead[l]; ok {
			steps = other
		}
		st.apply(i, l.file.Root(), steps)
	}
	st.layer = len(c.layers)
	for _, o := range c.options.Overrides {
		st.override(o)
	}
	return st
}

// files returns the names of the layers as people know them, in their order.
func (c *Config) files() []string {
	names := make([]string, len(c.layers))
	for i, l := range c.layers {
		names[i] = l.file.Name()
	}
	return names
}

// Version returns the CRI-O version that the configuration is for.
func (c *Config) Version() schema.Version { return c.schema.Version() }

// Schema returns the keys of that version.
func (c *Config) Schema() *schema.Schema { return c.schema }

// Diagnostics returns what Load found, in the order of the layers. The caller
// may keep the list.
func (c *Config) Diagnostics() diag.List { return slices.Clone(c.diags) }

// Layers returns the files that were read, in the order in which CRI-O reads
// them.
func (c *Config) Layers() []*tomlfile.File {
	files := make([]*tomlfile.File, len(c.layers))
	for i, l := range c.layers {
		files[i] = l.file
	}
	return files
}

// Lookup returns the value of the key at a concrete path, and false when this
// release has no such key or no such entry. Letter case counts as little as it
// does to CRI-O. A table of entries has the sorted list of their names as value.
func (c *Config) Lookup(p keypath.Path) (Value, bool) {
	f, name := c.shape.locate(p)
	switch {
	case f == nil || f.isTable():
		return Value{}, false
	case f.kind == schema.Entries && name == "":
		return c.names(f), true
	case f.kind == schema.Entries:
		return Value{}, false
	case name == "" && indexFree(f.path) == len(f.path):
		return c.value(f, &c.state.keys[f.slot], nil), true
	}
	in, _ := c.shape.locate(f.path[:indexFree(f.path)])
	e := c.state.maps[in.slot][name]
	if e == nil {
		return Value{}, false
	}
	return c.value(f, &e.slots[f.slot], e), true
}

// names returns the value of a table of entries.
func (c *Config) names(f *field) Value {
	return Value{
		V:      slices.Sorted(maps.Keys(c.state.maps[f.slot])),
		Key:    f.key,
		Origin: Origin{Kind: Default, Value: c.schema.Default(f.key)},
	}
}

func (c *Config) value(f *field, s *slot, e *entry) Value {
	places := places(f, s, e, c.schema)
	return Value{V: s.value, Key: f.key, Origin: places[0], Shadowed: places[1:], Adjusted: s.adjusted}
}

// places returns where a value was set, highest first, the built-in default
// last.
func places(f *field, s *slot, e *entry, sc *schema.Schema) []Origin {
	var list []Origin
	for _, set := range slices.Backward(s.sets) {
		list = append(list, set.Origin)
	}
	if e == nil {
		return append(list, Origin{Kind: Default, Value: sc.Default(f.key)})
	}
	if e.builtin {
		return append(list, Origin{Kind: Default, Value: sc.Default(f.key)})
	}
	if len(list) == 0 {
		list = append(list, Origin{Kind: Default, Range: e.at, Value: f.kind.Zero()})
	}
	for below := e.below; below != nil; below = below.below {
		for _, set := range slices.Backward(below.slots[f.slot].sets) {
			list = append(list, set.Origin)
		}
		if below.builtin {
			list = append(list, Origin{Kind: Default, Value: sc.Default(f.key)})
		}
	}
	return list
}

// All returns every key with its value, in the order of the schema, the keys of
// entries by the entry's name. Of an entry it leaves out what "crio config"
// does, a zero value that no file sets.
func (c *Config) All() iter.Seq2[keypath.Path, Value] {
	return func(yield func(keypath.Path, Value) bool) {
		for _, k := range c.schema.Keys() {
			f := c.shape.byKey[k]
			switch {
			case f.kind == schema.Entries:
				if !c.eachEntry(f, yield) {
					return
				}
			case k.HasNames():
			default:
				if !yield(f.path, c.value(f, &c.state.keys[f.slot], nil)) {
					return
				}
			}
		}
	}
}

func (c *Config) eachEntry(in *field, yield func(keypath.Path, Value) bool) bool {
	entries := c.state.maps[in.slot]
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		e := entries[name]
		for _, f := range c.shape.entries[in] {
			if !c.printed(f, e) {
				continue
			}
			if !yield(f.key.At(name), c.value(f, &e.slots[f.slot], e)) {
				return false
			}
		}
	}
	return true
}

// printed reports whether CRI-O prints a key of an entry, or a file sets it. A
// table below the entry is printed only where it exists.
func (c *Config) printed(f *field, e *entry) bool {
	s := &e.slots[f.slot]
	switch {
	case f.key.ReloadIn(c.schema.Release()) == schema.NoEffect:
		return false // a list that CRI-O works out for itself
	case len(s.sets) > 0:
		return true
	}
	if f.key.OmitsEmpty(c.schema.Release()) && IsZero(s.value) {
		return false
	}
	if f.kind == schema.StringMap && IsZero(s.value) {
		return false
	}
	for _, t := range e.tables {
		if slices.Contains(t.members, f) {
			return true
		}
	}
	return len(f.path) == indexFree(f.path)+2
}

// Get returns the typed value of a setting and where it comes from. Names stand
// for the free names of its path. A key that the release or the entry does not
// have gives the zero value and a zero Origin.
func Get[T schema.ValueType](c *Config, s schema.Setting[T], names ...string) (T, Origin) {
	v, ok := c.Lookup(s.At(names...))
	if !ok {
		var zero T
		return zero, Origin{}
	}
	t, _ := s.Of(v.V)
	return t, v.Origin
}
