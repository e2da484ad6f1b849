package crioconf

import (
	"maps"
	"slices"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// A state is the structure that CRI-O decodes its files into, one after the
// other, with the places that its values come from.
type state struct {
	schema *schema.Schema
	shape  *shape
	keys   []slot // by field.slot
	maps   []map[string]*entry
	layer  int     // that is being applied
	kept   []keyed // empty strings that left the earlier value
	lost   *lost   // the built-in handler, when an old release has dropped it
}

// A lost is the place for which an old release drops the built-in handler.
type lost struct {
	entry *entry
	at    diag.Range
}

// A slot is the value of a key. Its sets are the places that gave it a value,
// lowest first, without the built-in default.
type slot struct {
	value    any
	sets     []setting
	adjusted bool
}

type setting struct {
	Origin
	layer int
	entry diag.Range // of the entry it was written in
}

// An entry is one named table of a table of entries.
type entry struct {
	name    string
	builtin bool
	layer   int
	at      diag.Range // where a file opens it; zero for the built-in one
	slots   []slot
	tables  []*field // below the entry, that exist
	below   *entry   // the one that it replaced
}

// newState returns the built-in defaults.
func newState(s *schema.Schema, sh *shape) *state {
	st := &state{schema: s, shape: sh, keys: make([]slot, len(sh.keys)), maps: make([]map[string]*entry, len(sh.maps)), layer: -1}
	for i, f := range sh.keys {
		st.keys[i].value = s.Default(f.key)
	}
	for i, f := range sh.maps {
		st.maps[i] = map[string]*entry{}
		names, _ := s.Default(f.key).([]string)
		for _, name := range names {
			st.maps[i][name] = st.builtin(f, name)
		}
	}
	return st
}

// builtin returns the entry that exists before the first file is read.
func (st *state) builtin(f *field, name string) *entry {
	e := &entry{name: name, builtin: true, layer: -1, slots: make([]slot, len(st.shape.entries[f]))}
	for i, f := range st.shape.entries[f] {
		e.slots[i].value = st.schema.Default(f.key)
	}
	return e
}

// open begins an entry with the zero value in every key. An entry of that name
// is dropped as a whole.
func (st *state) open(o *opening) *entry {
	e := &entry{name: o.name, layer: st.layer, at: o.at, slots: make([]slot, len(st.shape.entries[o.in]))}
	for i, f := range st.shape.entries[o.in] {
		e.slots[i].value = f.kind.Zero()
	}
	names := st.maps[o.in.slot]
	e.below = names[o.name]
	names[o.name] = e
	return e
}

// apply does what CRI-O does with one file (cri-o pkg/config/config.go,
// UpdateFromFile, since 1.21 UpdateFromDropInFile).
func (st *state) apply(layer int, root *tomlfile.Node, steps []step) {
	st.layer = layer
	before := st.merging()
	var open *entry
	var opened *opening
	for _, s := range steps {
		switch {
		case s.entry != nil && s.field == nil:
			opened, open = s.entry, st.open(s.entry)
		case s.entry != nil && s.value == nil:
			open.tables = append(open.tables, s.field)
		case s.entry != nil:
			set(&open.slots[s.field.slot], s, layer, opened.at)
		default:
			set(&st.keys[s.field.slot], s, layer, diag.Range{})
		}
	}
	st.combine(before)
	st.drop(root)
}

func set(to *slot, s step, layer int, entry diag.Range) {
	to.sets = append(to.sets, setting{Origin{Kind: File, Range: s.at, Value: s.value}, layer, entry})
	// The decoder adds to a map that is there, which in a new entry is one that
	// another spelling of the key has made.
	if m, ok := s.value.(map[string]string); ok {
		old, _ := to.value.(map[string]string)
		sum := make(map[string]string, len(old)+len(m))
		maps.Copy(sum, old)
		maps.Copy(sum, m)
		to.value = sum
		return
	}
	to.value = s.value
}

// A merged is a key that is combined with its earlier value after a file.
type merged struct {
	field *field
	slot  *slot
	rule  schema.Merge
	value any // before the file
	sets  int
}

// merging returns the keys whose values are not simply replaced.
func (st *state) merging() []merged {
	list := make([]merged, len(st.shape.merging))
	for i, f := range st.shape.merging {
		to := &st.keys[f.slot]
		list[i] = merged{f, to, f.key.MergeIn(st.schema.Release()), to.value, len(to.sets)}
	}
	return list
}

// combine applies the merge rules of a file that has been read. Lists keep
// their duplicates until all files are in; taking them out after each file
// comes to the same.
func (st *state) combine(before []merged) {
	for _, m := range before {
		switch {
		case len(m.slot.sets) == m.sets:
		case m.rule == schema.KeepIfEmpty && m.slot.value == "":
			empty := slot{value: m.value, sets: m.slot.sets[m.sets:]}
			st.kept = append(st.kept, keyed{field: m.field, slot: &empty})
			m.slot.value = m.value
			m.slot.sets = m.slot.sets[:m.sets:m.sets]
		case m.rule == schema.AppendUnique:
			old, _ := m.value.([]string)
			list, _ := m.slot.value.([]string)
			m.slot.value = append(old, list...)
		}
	}
}

// lastOfEach drops every element that comes again later.
func lastOfEach(list []string) []string {
	seen := make(map[string]bool, len(list))
	var kept []string
	for _, s := range slices.Backward(list) {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	slices.Reverse(kept)
	return kept
}

// drop removes the built-in handler as old releases do after each file. 1.18
// takes a table of handlers without it for the wish to have it removed; 1.19.0
// to 1.25.0 so take a default_runtime that is another one, even when the same
// file defines it (cri-o pkg/config/config.go, UpdateFromFile).
func (st *state) drop(root *tomlfile.Node) {
	v, name := st.schema.Release(), st.schema.BuiltinRuntime()
	cause := schema.DefaultRuntime.Path
	switch {
	case v.Less(schema.Version{Major: 1, Minor: 18}) || !v.Less(schema.Version{Major: 1, Minor: 25, Patch: 1}):
		return
	case v.Less(schema.Version{Major: 1, Minor: 19}):
		cause = schema.Runtimes.Path
		if !defines(root, cause) || defines(root, cause.Child(name)) {
			return
		}
	default:
		if !defines(root, cause) || st.text(schema.DefaultRuntime.Key) == name {
			return
		}
	}
	if e := st.handlers()[name]; e != nil {
		st.lost = &lost{e, root.At(cause).Range}
		delete(st.handlers(), name)
	}
}

// handlers returns the entries of crio.runtime.runtimes by name.
func (st *state) handlers() map[string]*entry { return st.named(schema.Runtimes) }

// named returns the entries of a table, nil where the release has none.
func (st *state) named(k *schema.Key) map[string]*entry {
	if f := st.shape.byKey[k]; f != nil {
		return st.maps[f.slot]
	}
	return nil
}

// of returns the slot of a key outside entries, or nil where the release does
// not read it.
func (st *state) of(k *schema.Key) *slot {
	if f := st.shape.byKey[k]; f != nil {
		return &st.keys[f.slot]
	}
	return nil
}

// text returns the value of a string key, "" where the release does not read it.
func (st *state) text(k *schema.Key) string {
	if s := st.of(k); s != nil {
		v, _ := s.value.(string)
		return v
	}
	return ""
}

// override sets what a flag or a variable of the unit says.
func (st *state) override(o Override) bool {
	at, name := st.shape.locate(o.Key)
	switch {
	case at == nil:
		return false
	case at.kind == schema.Entries && name != "":
		return st.overrideEntry(at, name, o)
	case at.kind == schema.Entries || at.isTable():
		return false
	}
	set := setting{o.Origin, st.layer, diag.Range{}}
	set.Value = o.Value
	to := (*slot)(nil)
	if name == "" {
		to = &st.keys[at.slot]
	} else {
		in, _ := st.shape.locate(o.Key[:indexFree(at.path)])
		e := st.maps[in.slot][name]
		if e == nil {
			e = st.open(&opening{in, name, o.Origin.Range})
		}
		to = &e.slots[at.slot]
	}
	to.value, to.sets = o.Value, append(to.sets, set)
	return true
}

// overrideEntry replaces a whole entry, as --runtimes does. The value holds the
// keys of the entry by name.
func (st *state) overrideEntry(in *field, name string, o Override) bool {
	values, ok := o.Value.(map[string]any)
	if !ok {
		return false
	}
	e := st.open(&opening{in, name, o.Origin.Range})
	for _, f := range st.shape.entries[in] {
		v, ok := values[f.name]
		if !ok {
			continue
		}
		origin := o.Origin
		origin.Value = v
		e.slots[f.slot] = slot{value: v, sets: []setting{{origin, st.layer, o.Origin.Range}}}
	}
	return true
}
