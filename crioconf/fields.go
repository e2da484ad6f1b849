package crioconf

import (
	"strings"
	"sync"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// A field is a place in the structure that CRI-O decodes its files into: a key,
// or a table of further fields.
type field struct {
	name    string
	path    keypath.Path // "*" stands for a free name
	key     *schema.Key  // nil for a table of fields
	kind    schema.Kind  // of the key in this release; zero for a table
	slot    int          // where its value is kept, in the state or in an entry
	index   int          // among the members of its table
	members []*field     // of a table, or of every entry
}

// A shape is the whole structure of one release.
type shape struct {
	root    *field
	keys    []*field            // keys outside entries, in schema order, at their slot
	maps    []*field            // tables of entries, in schema order, at their slot
	entries map[*field][]*field // the keys of an entry, in schema order, at their slot
	merging []*field            // keys that are combined with their earlier value after a file
	byKey   map[*schema.Key]*field
}

// shapes keeps the structure of every release once made. It never changes, and
// there are no more of them than known releases.
var shapes sync.Map // schema.Version to *shape

// shapeOf returns the structure of a release.
func shapeOf(s *schema.Schema) *shape {
	sh, ok := shapes.Load(s.Release())
	if !ok {
		sh, _ = shapes.LoadOrStore(s.Release(), newShape(s))
	}
	return sh.(*shape)
}

// newShape arranges the keys of a release as its decoder sees them.
func newShape(s *schema.Schema) *shape {
	sh := &shape{root: &field{}, entries: map[*field][]*field{}, byKey: make(map[*schema.Key]*field, len(s.Keys()))}
	var open *field // the table of entries that the keys below belong to
	for _, k := range s.Keys() {
		f := sh.root.at(k.Path)
		f.key, f.kind = k, k.KindIn(s.Release())
		sh.byKey[k] = f
		switch {
		case f.kind == schema.Entries:
			f.slot = len(sh.maps)
			sh.maps = append(sh.maps, f)
		case k.HasNames():
			open = sh.root.at(k.Path[:indexFree(k.Path)])
			f.slot = len(sh.entries[open])
			sh.entries[open] = append(sh.entries[open], f)
		default:
			f.slot = len(sh.keys)
			sh.keys = append(sh.keys, f)
			if m := k.MergeIn(s.Release()); m == schema.KeepIfEmpty || m == schema.AppendUnique {
				sh.merging = append(sh.merging, f)
			}
		}
	}
	return sh
}

// locate returns the field at a path without free names, letter case ignored as
// the decoder does, and the name of the entry that the path leads through.
func (sh *shape) locate(p keypath.Path) (f *field, name string) {
	f = sh.root
	inEntry := false
	for i := 0; i < len(p); i++ {
		if f.kind == schema.Entries && !inEntry {
			name, inEntry = p[i], true
			continue
		}
		if f.key != nil && f.kind != schema.Entries {
			return nil, ""
		}
		if f, _ = f.find(p[i]); f == nil {
			return nil, ""
		}
	}
	return f, name
}

func indexFree(p keypath.Path) int {
	for i, part := range p {
		if part == "*" {
			return i
		}
	}
	return len(p)
}

// at returns the field at a path of the schema, making those on the way. A free
// name adds no level: the members of a table of entries are those of each entry.
func (f *field) at(p keypath.Path) *field {
	for i, part := range p {
		if part == "*" {
			continue
		}
		next := f.exact(part)
		if next == nil {
			next = &field{name: part, path: p[:i+1], index: len(f.members)}
			f.members = append(f.members, next)
		}
		f = next
	}
	return f
}

func (f *field) exact(name string) *field {
	for _, m := range f.members {
		if m.name == name {
			return m
		}
	}
	return nil
}

// find returns the member that the decoder picks for a name, and whether it is
// spelled so: an exact match, else the first that is the same but for letter
// case (BurntSushi/toml decode.go, unifyStruct).
func (f *field) find(name string) (m *field, exact bool) {
	var folded *field
	for _, m := range f.members {
		if m.name == name {
			return m, true
		}
		if folded == nil && strings.EqualFold(m.name, name) {
			folded = m
		}
	}
	return folded, false
}

// isTable reports whether the decoder wants a table of known members here.
func (f *field) isTable() bool { return f.key == nil }
