package tomlfile

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A trail is a key path while it is being read. Paths are needed for messages
// only, so they are put together when there is one.
type trail struct {
	up   *trail
	name string
	n    int
}

func (t *trail) to(name string) *trail {
	if t == nil {
		return &trail{nil, name, 1}
	}
	return &trail{t, name, t.n + 1}
}

func (t *trail) path() keypath.Path {
	if t == nil {
		return nil
	}
	p := make(keypath.Path, t.n)
	for ; t != nil; t = t.up {
		p[t.n-1] = t.name
	}
	return p
}

// A target is the key that a value is read for.
type target struct {
	at      scope
	leaf    part
	path    *trail
	entry   int  // index of its entry, -1 inside arrays
	element bool // the value stands directly in an array
}

// keyValue reads key = value at the top level.
func (p *parser) keyValue() {
	start, lead := p.pos, p.lead
	parts, ok := p.key(false)
	if !ok || !p.separator(start, parts) {
		p.skipLine()
		return
	}
	p.structure++
	i := len(p.file.entries)
	p.file.entries = append(p.file.entries, entry{
		head:  len(p.file.heads) - 1,
		outer: -1,
		parts: parts,
		lead:  p.leadSpan(lead, start),
	})
	if _, ok := p.assign(p.at, parts, p.base, i); ok {
		p.endOfStatement("the value")
	} else {
		p.skipLine()
	}
}

// assign reads the value of a key and puts it into the tree. i is the index of
// its entry, or -1 inside arrays; base is the path of the table around it.
func (p *parser) assign(at scope, parts []part, base *trail, i int) (*Node, bool) {
	path := base
	for n, part := range parts[:len(parts)-1] {
		path = path.to(part.name)
		at = p.dotted(at, parts, n, path)
	}
	leaf := parts[len(parts)-1]
	t := target{at: at, leaf: leaf, path: path.to(leaf.name), entry: i}
	p.blanks()
	start := p.pos
	v, ok := p.value(t)
	v.Key = p.file.rangeOf(leaf.span)
	p.store(t, v, span{start, p.pos})
	return v, ok
}

// dotted goes down one part of a dotted key.
func (p *parser) dotted(at scope, parts []part, n int, path *trail) scope {
	part := parts[n]
	if n == 0 {
		p.dottedForm(parts)
	}
	if !p.d.checksInline() && at.note == nil {
		return at
	}
	v := p.tableNode(part.span, part.span, byDots)
	s, o, old := p.tree.enterDotted(at, part.name, v)
	switch o {
	case merged:
		p.checkDotted(path, part.span, old)
	case replaced:
		p.lost(path, part.span, old, "the dotted key replaces the array")
	case duplicate, blocked:
		p.notTable(path, part.span, old)
		s.node = &Node{Type: Table}
	}
	return s
}

// store puts a value that was read into the tree and completes its entry.
func (p *parser) store(t target, v *Node, value span) {
	if t.entry >= 0 {
		e := &p.file.entries[t.entry]
		e.value, e.node = value, v
	}
	if t.at.note == nil {
		p.storeLast(t, v)
		return
	}
	o, old := p.tree.set(t.at, t.leaf.name, v)
	p.tree.setArray(t.at, t.leaf.name, v.Type == Array)
	switch o {
	case merged:
		if v.Type == Table && v.made == byInline && p.d.checksInline() {
			p.adopt(t, old, v)
			return
		}
		p.lost(t.path, t.leaf.span, old, "the decoder keeps the earlier table and drops this value")
	case replaced:
		if old.made != byInline || old.Type != ArrayOfTables || v.Type != Array || len(old.Elems) > countTables(v) {
			p.lost(t.path, t.leaf.span, old, "this value replaces the earlier one")
		}
	case duplicate:
		p.duplicateKey(t.path, t.leaf.span, old)
	case blocked:
		p.notTable(t.path.up, t.leaf.span, old)
	}
}

// storeLast is how 0.3.1 fills inline tables: the last value counts.
func (p *parser) storeLast(t target, v *Node) {
	if old := t.at.node.Get(t.leaf.name); old != nil {
		p.lost(t.path, t.leaf.span, old, "this value replaces the earlier one")
	}
	t.at.node.put(t.leaf.name, v)
}

// adopt makes the table that the keys of an inline table went to look like it.
func (p *parser) adopt(t target, table, v *Node) {
	table.Key, table.Range, table.Raw = v.Key, v.Range, v.Raw
	if t.entry >= 0 {
		p.file.entries[t.entry].node = table
	}
}

// countTables counts the inline tables in an array, at any depth.
func countTables(v *Node) int {
	n := 0
	for _, e := range v.Elems {
		switch e.Type {
		case Table:
			n++
		case Array:
			n += countTables(e)
		}
	}
	return n
}

// value reads one value. It always returns a node, of type Invalid when there
// is no reading it; false means that reading cannot go on behind it.
func (p *parser) value(t target) (*Node, bool) {
	start := p.pos
	if p.pos >= len(p.text) {
		return p.noValue(t)
	}
	var v *Node
	ok := true
	switch c := p.text[p.pos]; {
	case c == '[':
		v, ok = p.array(t)
	case c == '{':
		v, ok = p.inline(t)
	case c == '"' || c == '\'':
		v, ok = p.str(t)
	case c == '\n' || c == '\r' || c == '#':
		return p.noValue(t)
	default:
		v, ok = p.literal(t)
	}
	v.Range = p.file.rangeOf(span{start, p.pos})
	v.Raw = p.text[start:p.pos]
	return v, ok
}

func (p *parser) str(t target) (*Node, bool) {
	q := lexQuoted(p.text, p.pos, p.d, false)
	p.pos = q.end
	if q.fault != nil {
		return p.badString(q, t.path), q.closed
	}
	return &Node{Type: String, Str: q.value}, true
}

func (p *parser) literal(t target) (*Node, bool) {
	start := p.pos
	r, _ := utf8.DecodeRuneInString(p.text[start:])
	if r != '+' && (r > unicode.MaxASCII || !isBare(byte(r)) || r == '_') {
		return p.badValue(t)
	}
	end := literalEnd(p.text, start, p.d)
	l := readLiteral(p.text[start:end], p.d)
	if l.typ == Invalid {
		return p.badLiteral(t, l)
	}
	p.pos = end
	return l.node(), true
}

func (l literal) node() *Node { return &Node{Type: l.typ, Int: l.i, Float: l.f, Bool: l.b} }

// tooDeep refuses values that are nested deeper than we read.
func (p *parser) tooDeep() bool {
	if p.depth < maxDepth {
		return false
	}
	p.refuse(p.pos, p.pos+1, fmt.Sprintf("values are nested in more than %d levels", maxDepth), "")
	p.giveUp = true
	return true
}
