package schema

import (
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// suggestions is how many paths Suggest returns at most.
const suggestions = 3

// Suggest returns the keys of this release that p was likely meant to be, the
// likeliest first: what to write for a name of another program, a key of the
// same name in another table, the key of a flag of that name, a near name. Free
// names of p are kept where they fit; else the path has "*".
//
// A path that the release reads as it stands gets no suggestion.
func (s *Schema) Suggest(p keypath.Path) []keypath.Path {
	if _, known := s.Canonical(p); known || len(p) == 0 {
		return nil
	}
	var found []keypath.Path
	add := func(paths ...keypath.Path) {
		for _, q := range paths {
			q = fill(q, p)
			_, known := s.Canonical(q)
			if known && len(found) < suggestions && !slices.ContainsFunc(found, q.Equal) {
				found = append(found, q)
			}
		}
	}
	if f, ok := LookupForeign(p.Leaf()); ok {
		add(f.Keys...)
	}
	add(s.sameLeaf(p.Leaf())...)
	add(s.sameFlag(p.Leaf())...)
	add(s.root.named(p.Leaf(), nil)...)
	if q, ok := s.nearPath(p); ok {
		add(q)
	}
	if len(found) == 0 {
		add(s.nearLeaf(p.Leaf())...)
	}
	return found
}

// named finds the tables of that name below t.
func (t *table) named(name string, at keypath.Path) []keypath.Path {
	var same []keypath.Path
	for _, m := range t.members {
		if m.isTable() && spelling(m.name) == spelling(name) {
			same = append(same, at.Child(m.name))
		}
		same = append(same, m.named(name, at.Child(m.name))...)
	}
	return same
}

func spelling(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

func (s *Schema) sameLeaf(leaf string) []keypath.Path {
	var same []keypath.Path
	for _, k := range s.keys {
		if spelling(k.Path.Leaf()) == spelling(leaf) {
			same = append(same, k.Path)
		}
	}
	return same
}

// sameFlag finds the keys whose flag is spelled otherwise than they are:
// --cni-config-dir sets network_dir.
func (s *Schema) sameFlag(leaf string) []keypath.Path {
	var same []keypath.Path
	for _, k := range s.keys {
		if flag := k.Flag(s.release); flag != "" && spelling(strings.TrimLeft(flag, "-")) == spelling(leaf) {
			same = append(same, k.Path)
		}
	}
	return same
}

// nearPath goes down from the root and takes at every part the member of that
// name, or else the one with the nearest name.
func (s *Schema) nearPath(p keypath.Path) (keypath.Path, bool) {
	at := s.root
	var path keypath.Path
	for _, part := range p {
		next, match := at.find(part)
		if match == NoMatch {
			near, ok := keypath.Near(part, at.names())
			if !ok {
				return nil, false
			}
			next, _ = at.find(near)
		}
		if next.name == "*" {
			path = append(path, part)
		} else {
			path = append(path, next.name)
		}
		at = next
	}
	return path, true
}

func (t *table) names() []string {
	names := make([]string, len(t.members))
	for i, m := range t.members {
		names[i] = m.name
	}
	return names
}

// nearLeaf finds the nearest name of all keys, whatever their table.
func (s *Schema) nearLeaf(leaf string) []keypath.Path {
	var leaves []string
	for _, k := range s.keys {
		leaves = append(leaves, k.Path.Leaf())
	}
	near, ok := keypath.Near(leaf, leaves)
	if !ok {
		return nil
	}
	return s.sameLeaf(near)
}

// fill puts the parts of p in place of the free names of q, where the tables
// above are the same.
func fill(q, p keypath.Path) keypath.Path {
	filled := slices.Clone(q)
	for i, part := range q {
		if part == "*" && i < len(p) && p[:i].EqualFold(filled[:i]) {
			filled[i] = p[i]
		}
	}
	return filled
}
