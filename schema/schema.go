package schema

import (
	"slices"
	"strings"
	"sync"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// Match says how a lookup found its key. A greater Match is a better one.
type Match uint8

// The outcomes of a lookup.
const (
	NoMatch Match = iota
	Folded        // the same but for letter case
	Exact
)

// A Schema is the view of one CRI-O release: the keys that it reads.
type Schema struct {
	version Version
	release Version
	keys    []*Key
	root    *table
}

// A table is a table that CRI-O decodes, or a key without tables below it.
type table struct {
	name    string
	key     *Key     // nil for a plain table
	members []*table // in schema order; nil for a plain key
	free    *table   // what stands below a free name; nil unless the table holds entries
}

// schemas keeps the view of every release once made. A view never changes, and
// there are no more of them than known releases.
var schemas sync.Map // Version to *Schema

// For returns the view of release v.
func For(v Version) *Schema {
	release := v.Known()
	s, ok := schemas.Load(release)
	if !ok {
		s, _ = schemas.LoadOrStore(release, build(release))
	}
	view := *s.(*Schema)
	view.version = v
	return &view
}

func build(release Version) *Schema {
	s := &Schema{release: release, root: &table{}}
	for _, k := range All() {
		if k.In(release) {
			s.keys = append(s.keys, k)
			s.root.add(k)
		}
	}
	return s
}

func (t *table) add(k *Key) {
	for _, part := range k.Path {
		t = t.child(part)
	}
	t.key = k
	if k.Kind == Entries && t.free == nil {
		t.free = &table{name: "*"}
	}
}

func (t *table) child(part string) *table {
	if part == "*" {
		if t.free == nil {
			t.free = &table{name: "*"}
		}
		return t.free
	}
	i := slices.IndexFunc(t.members, func(m *table) bool { return m.name == part })
	if i < 0 {
		t.members = append(t.members, &table{name: part})
		i = len(t.members) - 1
	}
	return t.members[i]
}

// isTable reports whether CRI-O expects a table with members of its own there.
func (t *table) isTable() bool { return t.members != nil || t.free != nil }

// find returns the member that the decoder picks for a name: the one spelled so,
// else the first that is the same but for letter case. Names of entries are
// free and always exact.
func (t *table) find(name string) (*table, Match) {
	if t.free != nil {
		return t.free, Exact
	}
	folded := (*table)(nil)
	for _, m := range t.members {
		if m.name == name {
			return m, Exact
		}
		if folded == nil && strings.EqualFold(m.name, name) {
			folded = m
		}
	}
	if folded != nil {
		return folded, Folded
	}
	return nil, NoMatch
}

func (s *Schema) walk(p keypath.Path) (*table, keypath.Path, Match) {
	at, match := s.root, Exact
	canonical := make(keypath.Path, 0, len(p))
	for _, part := range p {
		next, m := at.find(part)
		if m == NoMatch {
			return nil, nil, NoMatch
		}
		name := next.name
		if name == "*" {
			name = part
		}
		canonical = append(canonical, name)
		at, match = next, min(match, m)
	}
	return at, canonical, match
}

// Version returns the version that the view was asked for.
func (s *Schema) Version() Version { return s.version }

// Release returns the known release that the view describes; see Version.Known.
func (s *Schema) Release() Version { return s.release }

// Keys returns the keys that the release reads, table by table. The caller must
// not change the list.
func (s *Schema) Keys() []*Key { return s.keys }

// Lookup returns the key that the decoder fills from path p, free names filled
// in or "*", and whether it is spelled as CRI-O spells it.
func (s *Schema) Lookup(p keypath.Path) (*Key, Match) {
	t, _, match := s.walk(p)
	if t == nil || t.key == nil {
		return nil, NoMatch
	}
	return t.key, match
}

// Canonical returns p, the path of a key or table, in the spelling of the
// schema, and false when the release knows neither key nor table there.
func (s *Schema) Canonical(p keypath.Path) (keypath.Path, bool) {
	t, canonical, _ := s.walk(p)
	return canonical, t != nil
}

// Table reports whether CRI-O decodes a table of known members or of entries at
// p. A key that is a table of strings is none.
func (s *Schema) Table(p keypath.Path) bool {
	t, _, _ := s.walk(p)
	return t != nil && t.isTable()
}

// Children returns the names of the keys and tables in table p, in schema
// order; "*" for a table of entries, nil for what is no table.
func (s *Schema) Children(p keypath.Path) []string {
	t, _, _ := s.walk(p)
	if t == nil {
		return nil
	}
	if t.free != nil {
		return []string{"*"}
	}
	var names []string
	for _, m := range t.members {
		names = append(names, m.name)
	}
	return names
}

// Default returns the built-in value of k, or nil when the release does not
// read it; see Key.Default.
func (s *Schema) Default(k *Key) any {
	d, _ := k.Default(s.release)
	return d
}

// BuiltinRuntime returns the name of the runtime handler that exists before any
// file is read: runc to 1.30, crun since 1.31. Before 1.12 there are no handlers
// and the name is empty.
func (s *Schema) BuiltinRuntime() string {
	names, ok := Runtimes.Default(s.release)
	if !ok {
		return ""
	}
	return names.([]string)[0]
}

// Dialect returns the TOML that the release accepts.
func (s *Schema) Dialect() tomlfile.Dialect { return dialectOf(s.release) }

// History returns when releases began and ceased to read the key at p, which
// has free names filled in or "*". Removed is zero when the newest release
// still reads it; ok is false when no release ever did.
func History(p keypath.Path) (since, removed Version, ok bool) {
	k := Find(p)
	if k == nil {
		return Version{}, Version{}, false
	}
	return k.Since[0], k.Removed, true
}

// Find returns the key that some release reads at p, free names filled in or
// "*", ignoring letter case. It returns nil when no release ever did.
func Find(p keypath.Path) *Key {
	for _, k := range All() {
		if k.fits(p) {
			return k
		}
	}
	return nil
}

func (k *Key) fits(p keypath.Path) bool {
	return slices.EqualFunc(p, k.Path, func(a, b string) bool { return b == "*" || strings.EqualFold(a, b) })
}
