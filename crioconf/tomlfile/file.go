package tomlfile

import (
	"iter"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A File is one parsed source. It does not change, and may be used by several
// goroutines at once; an Edit makes a new one.
type File struct {
	name    string
	src     []byte
	text    string
	dialect Dialect
	lines   *lineIndex
	root    *Node
	heads   []head  // heads[0] stands for the part above the first header
	entries []entry // source order; members of inline tables after their table
	refusal *diag.Diagnostic
	lost    int // how many values the decoder drops
}

// A span is a half-open stretch of bytes.
type span struct{ start, end int }

func (s span) empty() bool { return s.start == s.end }

// A part is one part of a key as written.
type part struct {
	name string
	span
}

// A head is a [header] or [[header]].
type head struct {
	parts   []part
	span    // from bracket to bracket
	lead    span
	array   bool // [[header]]
	inArray bool // it is, or stands below, an array of tables
	broken  bool // it has a fault, and its table is not known
	first   int  // entries[first:last] are its own
	last    int
}

// An entry is a key and its value at the top level or in an inline table that
// does not stand in an array.
type entry struct {
	head  int // index into heads
	outer int // index into entries of the inline table it stands in, or -1
	parts []part
	value span
	lead  span
	node  *Node
}

func (e *entry) key() span { return span{e.parts[0].start, e.parts[len(e.parts)-1].end} }

// An Entry is a key with a value that is not a table made by a header: what
// stands on the left of an equals sign.
type Entry struct {
	Path  keypath.Path
	Key   diag.Range // the key as written, all its dotted parts
	Value diag.Range
	Raw   string     // the value as written
	Lead  diag.Range // comment lines attached directly above; zero when none
	Node  *Node
}

// A Header is a [table] or [[array of tables]] line.
type Header struct {
	Path  keypath.Path
	Range diag.Range // with the brackets
	Array bool       // [[header]]
	Lead  diag.Range // comment lines attached directly above; zero when none
}

// Match says how a lookup found its key.
type Match uint8

// The outcomes of a lookup.
const (
	NoMatch Match = iota
	Folded        // equal but for letter case
	Exact
)

// Name returns the name given to Parse.
func (f *File) Name() string { return f.name }

// Source returns the bytes given to Parse. The caller must not change them.
func (f *File) Source() []byte { return f.src }

// Dialect returns the dialect given to Parse.
func (f *File) Dialect() Dialect { return f.dialect }

// Root returns the decoded document, a Table. After errors it holds what could
// be read.
func (f *File) Root() *Node { return f.root }

// Refused returns the first problem for which the decoder refuses the file, or
// nil.
func (f *File) Refused() *diag.Diagnostic { return f.refusal }

// Line returns the text of line n, which counts from 1, without its line break;
// "" when there is no such line.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines.starts) {
		return ""
	}
	start := f.lines.starts[n-1]
	if n == 1 {
		start = f.lines.begin
	}
	line := f.text[start:f.lines.lineEnd(start)]
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}

// Pos returns the line and column of a byte offset.
func (f *File) Pos(offset int) diag.Pos {
	return f.lines.pos(min(max(offset, 0), len(f.text)))
}

func (f *File) rangeOf(s span) diag.Range {
	return diag.Range{File: f.name, Start: f.lines.pos(s.start), End: f.lines.pos(s.end)}
}

func (f *File) leadRange(s span) diag.Range {
	if s.empty() {
		return diag.Range{}
	}
	return f.rangeOf(s)
}

// Entries returns the entries in source order, those of inline tables after the
// entry of their table. Inline tables inside arrays have no entries: such an
// array is one value.
func (f *File) Entries() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range f.entries {
			if f.heads[f.entries[i].head].broken {
				continue
			}
			if !yield(f.export(i)) {
				return
			}
		}
	}
}

func (f *File) export(i int) *Entry {
	e := &f.entries[i]
	return &Entry{
		Path:  f.path(i),
		Key:   f.rangeOf(e.key()),
		Value: f.rangeOf(e.value),
		Raw:   f.text[e.value.start:e.value.end],
		Lead:  f.leadRange(e.lead),
		Node:  e.node,
	}
}

// path returns the full path of an entry.
func (f *File) path(i int) keypath.Path {
	e := &f.entries[i]
	p := f.tablePath(e)
	for _, part := range e.parts {
		p = append(p, part.name)
	}
	return p
}

// tablePath returns the path of the table that e is written in: its header's,
// or that of the inline table around it.
func (f *File) tablePath(e *entry) keypath.Path {
	if e.outer >= 0 {
		return f.path(e.outer)
	}
	return f.heads[e.head].path()
}

func (h *head) path() keypath.Path {
	p := make(keypath.Path, len(h.parts), len(h.parts)+3)
	for i, part := range h.parts {
		p[i] = part.name
	}
	return p
}

// Tables returns every header in source order.
func (f *File) Tables() []Header {
	tables := make([]Header, 0, len(f.heads)-1)
	for i := range f.heads[1:] {
		h := &f.heads[i+1]
		if h.broken {
			continue
		}
		tables = append(tables, Header{h.path(), f.rangeOf(h.span), h.array, f.leadRange(h.lead)})
	}
	return tables
}

// Lookup returns the entry that p names: the one spelled exactly so, else the
// first that is equal but for letter case, as CRI-O's decoder compares.
func (f *File) Lookup(p keypath.Path) (*Entry, Match) {
	i, m := f.lookup(p)
	if m == NoMatch {
		return nil, NoMatch
	}
	return f.export(i), m
}

func (f *File) lookup(p keypath.Path) (int, Match) {
	if len(p) == 0 {
		return -1, NoMatch
	}
	found, match := -1, NoMatch
	for i := range f.entries {
		e := &f.entries[i]
		leaf := e.parts[len(e.parts)-1].name
		if !strings.EqualFold(leaf, p.Leaf()) || f.heads[e.head].inArray || f.heads[e.head].broken {
			continue
		}
		q := f.path(i)
		switch {
		case slices.Equal(q, p):
			return i, Exact
		case match == NoMatch && q.EqualFold(p):
			found, match = i, Folded
		}
	}
	return found, match
}
