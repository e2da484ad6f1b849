package crioconf

import (
	"slices"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// A step is one thing that CRI-O's decoder does with its structure while it
// reads a file: it opens an entry of a table of entries, makes a table below
// one, or stores a value.
type step struct {
	entry *opening // opened, or the one the field belongs to; nil outside entries
	field *field   // nil: the entry is opened
	value any      // nil: field is a table, and exists now
	key   diag.Range
	at    diag.Range // the value as written
}

// An opening is the place where a file begins an entry. The decoder makes a new
// entry for it and drops one of the same name (BurntSushi/toml decode.go,
// unifyMap).
type opening struct {
	in   *field
	name string
	at   diag.Range
}

// A clash is a table that names one field in several spellings. The decoder
// goes through a Go map, so that the order in which it stores them is random
// (BurntSushi/toml decode.go, unifyStruct).
type clash struct {
	table *tomlfile.Node
	field *field
}

// A decoder fills the structure of one release from the tree of one file.
type decoder struct {
	schema *schema.Schema
	shape  *shape
	last   map[clash]int // which spelling comes last, where it is not the last one written

	path    keypath.Path // of what is being decoded, as written
	steps   []step
	clashes []clashing
	report  func(finding) // nil: say nothing
}

type clashing struct {
	clash
	path      keypath.Path
	spellings []tomlfile.Member
}

// A finding is a thing that the decoder came across, for which the words are
// found elsewhere.
type finding struct {
	kind  findingKind
	path  keypath.Path // as written
	field *field       // nil for what the release does not know
	want  schema.Kind
	node  *tomlfile.Node
	at    *tomlfile.Node // the part that is wrong, node or one of its elements
}

type findingKind uint8

const (
	foundUnknown   findingKind = iota + 1 // neither key nor table
	foundSpelling                         // a letter-case variant
	foundWrongType                        // CRI-O refuses the file
	foundBadTime                          // a duration that cannot be read: refused
	foundBareTime                         // a duration without a unit
	foundLost                             // a value where a table of names is wanted: dropped in silence
)

// decode returns the steps of the decoder for the tree of a file.
func (d *decoder) decode(root *tomlfile.Node) []step {
	d.steps, d.clashes, d.path = nil, nil, nil
	if root != nil {
		d.table(d.shape.root, root, nil)
	}
	return d.steps
}

func (d *decoder) found(f finding) {
	if d.report != nil {
		f.path = slices.Clone(d.path)
		d.report(f)
	}
}

// below runs do with name as the last part of the path.
func (d *decoder) below(name string, do func()) {
	d.path = append(d.path, name)
	do()
	d.path = d.path[:len(d.path)-1]
}

// table decodes the members of a table of fields.
func (d *decoder) table(f *field, n *tomlfile.Node, entry *opening) {
	for _, m := range d.order(f, n) {
		d.below(m.name, func() { d.member(m.field, m.node, entry) })
	}
}

type match struct {
	name  string
	field *field
	node  *tomlfile.Node
}

// order returns the members of a table that the release knows, in the order in
// which they are stored.
func (d *decoder) order(f *field, n *tomlfile.Node) []match {
	matches := make([]match, 0, len(n.Members))
	times := make([]int, len(f.members))
	twice := false
	for _, m := range n.Members {
		found, exact := f.find(m.Name)
		if found == nil {
			d.below(m.Name, func() { d.found(finding{kind: foundUnknown, node: m.Node}) })
			continue
		}
		if !exact && (found.key == nil || found.key.PrintedName() != m.Name) {
			d.below(m.Name, func() { d.found(finding{kind: foundSpelling, field: found, node: m.Node}) })
		}
		matches = append(matches, match{m.Name, found, m.Node})
		times[found.index]++
		twice = twice || times[found.index] > 1
	}
	if twice {
		d.disorder(f, n, matches, times)
	}
	return matches
}

// disorder notes the fields that are named more than once and puts the spelling
// that is chosen as the last one behind the others.
func (d *decoder) disorder(f *field, n *tomlfile.Node, matches []match, times []int) {
	for _, member := range f.members {
		if times[member.index] < 2 {
			continue
		}
		c := clash{n, member}
		var places []int
		var spellings []tomlfile.Member
		for i, m := range matches {
			if m.field == member {
				places = append(places, i)
				spellings = append(spellings, tomlfile.Member{Name: m.name, Node: m.node})
			}
		}
		d.clashes = append(d.clashes, clashing{c, d.path.Child(member.name), spellings})
		if chosen, ok := d.last[c]; ok {
			winner := matches[places[chosen]]
			for i := chosen; i < len(places)-1; i++ {
				matches[places[i]] = matches[places[i+1]]
			}
			matches[places[len(places)-1]] = winner
		}
	}
}

func (d *decoder) member(f *field, n *tomlfile.Node, entry *opening) {
	switch {
	case n.Type == tomlfile.Invalid:
		// The text says what is wrong with it.
	case f.isTable():
		if n.Type != tomlfile.Table {
			d.found(finding{kind: foundWrongType, field: f, node: n, at: n})
			return
		}
		if entry != nil {
			d.steps = append(d.steps, step{entry: entry, field: f, key: n.Key, at: n.Range})
		}
		d.table(f, n, entry)
	case f.kind == schema.Entries:
		d.entries(f, n)
	default:
		if v, ok := d.value(f, n); ok {
			d.steps = append(d.steps, step{entry: entry, field: f, value: v, key: n.Key, at: n.Range})
		}
	}
}

// entries decodes a table of entries. Anything else than a table in its place
// is dropped in silence: unifyMap returns no error for it, in all releases.
func (d *decoder) entries(f *field, n *tomlfile.Node) {
	if n.Type != tomlfile.Table {
		d.found(finding{kind: foundLost, field: f, node: n, at: n})
		return
	}
	for _, m := range n.Members {
		d.below(m.Name, func() { d.entry(f, m.Name, m.Node) })
	}
}

func (d *decoder) entry(f *field, name string, n *tomlfile.Node) {
	switch n.Type {
	case tomlfile.Invalid:
	case tomlfile.Table:
		open := &opening{in: f, name: name, at: n.Range}
		d.steps = append(d.steps, step{entry: open, key: n.Key, at: n.Range})
		d.table(f, n, open)
	default:
		d.found(finding{kind: foundWrongType, field: f, node: n, at: n})
	}
}

// value reads a value as the decoder does for the kind of the field. It returns
// false when nothing is stored.
func (d *decoder) value(f *field, n *tomlfile.Node) (any, bool) {
	wrong := func(kind findingKind, at *tomlfile.Node) (any, bool) {
		d.found(finding{kind: kind, field: f, want: f.kind, node: n, at: at})
		return nil, false
	}
	switch f.kind {
	case schema.Bool:
		if n.Type == tomlfile.Bool {
			return n.Bool, true
		}
	case schema.Int:
		if n.Type == tomlfile.Integer {
			return n.Int, true
		}
	case schema.Uint:
		// The decoder converts without a look at the sign.
		if n.Type == tomlfile.Integer {
			return uint64(n.Int), true
		}
	case schema.String:
		if n.Type == tomlfile.String {
			return n.Str, true
		}
	case schema.Duration:
		if n.Type == tomlfile.Integer {
			if n.Int != 0 {
				d.found(finding{kind: foundBareTime, field: f, want: f.kind, node: n, at: n})
			}
			return time.Duration(n.Int), true
		}
		if n.Type == tomlfile.String && d.schema.Dialect() >= tomlfile.V1_2_1 {
			t, err := time.ParseDuration(n.Str)
			if err != nil {
				return wrong(foundBadTime, n)
			}
			return t, true
		}
	case schema.Strings:
		return d.strings(n, wrong)
	case schema.StringMap:
		return d.stringMap(n, wrong)
	}
	return wrong(foundWrongType, n)
}

func (d *decoder) strings(n *tomlfile.Node, wrong func(findingKind, *tomlfile.Node) (any, bool)) (any, bool) {
	if n.Type != tomlfile.Array {
		return wrong(foundWrongType, n)
	}
	list := make([]string, 0, len(n.Elems))
	for _, e := range n.Elems {
		if e.Type == tomlfile.Invalid {
			return nil, false
		}
		if e.Type != tomlfile.String {
			return wrong(foundWrongType, e)
		}
		list = append(list, e.Str)
	}
	return list, true
}

func (d *decoder) stringMap(n *tomlfile.Node, wrong func(findingKind, *tomlfile.Node) (any, bool)) (any, bool) {
	if n.Type != tomlfile.Table {
		return wrong(foundLost, n)
	}
	m := make(map[string]string, len(n.Members))
	for _, e := range n.Members {
		if e.Node.Type == tomlfile.Invalid {
			return nil, false
		}
		if e.Node.Type != tomlfile.String {
			return wrong(foundWrongType, e.Node)
		}
		m[e.Name] = e.Node.Str
	}
	return m, true
}

// defines reports whether the file has something at the path, spelled exactly
// so (BurntSushi/toml decode_meta.go, IsDefined).
func defines(root *tomlfile.Node, path keypath.Path) bool {
	return root != nil && root.At(path) != nil
}
