package tomlfile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// prove returns an error unless after differs from before in exactly the
// changes. A bug in placing a key ends here, and not in somebody's node.
func prove(before, after *File, changes []change) error {
	if r := after.refusal; r != nil {
		return fmt.Errorf("the result would not be TOML: %s: %s", r.Range, r.Summary)
	}
	if after.lost > before.lost {
		return fmt.Errorf("the result would lose a value")
	}
	if at := differ(before.root, after.root, nil, changes); at != nil {
		return fmt.Errorf("the result would differ in %s", place(*at))
	}
	return nil
}

// differ compares two trees and returns the path of a difference that is not
// among the changes, which are relative to path.
func differ(a, b *Node, path keypath.Path, changes []change) *keypath.Path {
	if len(changes) == 0 {
		if sameNode(a, b) {
			return nil
		}
		return &path
	}
	if len(changes[0].path) == 0 {
		if want := changes[0].want; len(changes) > 1 || (want == nil) != (b == nil) || want != nil && !sameNode(want, b) {
			return &path
		}
		return nil
	}
	if a != nil && b == nil && a.made == byHeader {
		return &path
	}
	// Other tables on the way to a change may come and go with it.
	a, b = orEmpty(a), orEmpty(b)
	if a.Type != Table || b.Type != Table {
		return &path
	}
	for _, name := range names(a, b, changes) {
		var below []change
		for _, c := range changes {
			if c.path[0] == name {
				below = append(below, change{c.path[1:], c.want})
			}
		}
		if at := differ(a.Get(name), b.Get(name), path.Child(name), below); at != nil {
			return at
		}
	}
	return nil
}

func place(p keypath.Path) string {
	if len(p) == 0 {
		return "the document"
	}
	return p.String()
}

func orEmpty(n *Node) *Node {
	if n == nil {
		return &Node{Type: Table}
	}
	return n
}

// names returns every member name of two tables and the first parts of changes.
func names(a, b *Node, changes []change) []string {
	seen := map[string]bool{}
	for _, n := range []*Node{a, b} {
		for _, m := range n.Members {
			seen[m.Name] = true
		}
	}
	for _, c := range changes {
		seen[c.path[0]] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// sameNode tells whether two values are equal to a program that reads them.
func sameNode(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Type != b.Type || len(a.Elems) != len(b.Elems) || len(a.Members) != len(b.Members) {
		return false
	}
	switch a.Type {
	case String:
		return a.Str == b.Str
	case Integer:
		return a.Int == b.Int
	case Float:
		return a.Float == b.Float || math.IsNaN(a.Float) && math.IsNaN(b.Float)
	case Bool:
		return a.Bool == b.Bool
	case Datetime, Invalid:
		return a.Raw == b.Raw
	}
	for i := range a.Elems {
		if !sameNode(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	for _, m := range a.Members {
		if !sameNode(m.Node, b.Get(m.Name)) {
			return false
		}
	}
	return true
}

// secondOpinion asks go-toml, which shares no code with us, whether a batch did
// what it says. It follows TOML more strictly than CRI-O's decoder; where it
// does not read the source it has no opinion.
func secondOpinion(before, after *File, changes []change) error {
	var a, b map[string]any
	if toml.Unmarshal(before.src[before.lines.begin:], &a) != nil {
		return nil
	}
	if err := toml.Unmarshal(after.src[after.lines.begin:], &b); err != nil {
		return fmt.Errorf("edit %s: another TOML parser does not read the result: %w", before.name, err)
	}
	result := fromMap(b)
	var plain []change
	for _, c := range changes {
		plain = append(plain, change{c.path, likeMap(c.want, result.At(c.path))})
	}
	if at := differ(fromMap(a), result, nil, plain); at != nil {
		return fmt.Errorf("edit %s: to another TOML parser the result differs in %s too", before.name, place(*at))
	}
	return nil
}

// likeMap returns a value as fromMap would give it. Dates have no text there, so
// they are taken from the result.
func likeMap(n, result *Node) *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Elems, c.Members, c.index = nil, nil, nil
	switch n.Type {
	case ArrayOfTables, Array:
		c.Type = Array
		for i, e := range n.Elems {
			var r *Node
			if result != nil && i < len(result.Elems) {
				r = result.Elems[i]
			}
			c.Elems = append(c.Elems, likeMap(e, r))
		}
	case Table:
		for _, m := range n.Members {
			var r *Node
			if result != nil {
				r = result.Get(m.Name)
			}
			c.put(m.Name, likeMap(m.Node, r))
		}
	case Datetime:
		if result != nil && result.Type == Datetime {
			c.Raw = result.Raw
		}
	}
	return &c
}

// fromMap turns what go-toml decodes into nodes.
func fromMap(v any) *Node {
	switch v := v.(type) {
	case map[string]any:
		n := &Node{Type: Table}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			n.put(k, fromMap(v[k]))
		}
		return n
	case []any:
		n := &Node{Type: Array}
		for _, e := range v {
			n.Elems = append(n.Elems, fromMap(e))
		}
		return n
	case string:
		return &Node{Type: String, Str: v}
	case int64:
		return &Node{Type: Integer, Int: v}
	case float64:
		return &Node{Type: Float, Float: v}
	case bool:
		return &Node{Type: Bool, Bool: v}
	case time.Time:
		return &Node{Type: Datetime, Raw: v.Format(time.RFC3339Nano)}
	}
	return &Node{Type: Datetime, Raw: fmt.Sprint(v)}
}
