package tomlfile

import (
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

const (
	maxDepth    = 1_000
	maxProblems = 1_000
)

// Parse reads src as dialect d does. The name is used for ranges. It never
// returns a nil File: after an error it goes on with the next line, so that the
// list holds every problem that can be found. The caller must not change src
// afterwards.
func Parse(name string, src []byte, d Dialect) (*File, diag.List) {
	text := string(src)
	p := &parser{
		d:      d,
		text:   text,
		tree:   newTree(d),
		counts: map[diag.Code]int{},
		file:   &File{name: name, src: src, text: text, dialect: d, heads: make([]head, 1)},
	}
	p.at = p.tree.top()
	p.file.root = p.tree.root
	p.file.lines = newLineIndex(text, markLen(text))
	p.prologue()
	p.document()
	p.checkBytes()
	p.condense()
	p.finish()
	return p.file, p.problems
}

type parser struct {
	d        Dialect
	text     string
	pos      int
	depth    int
	arrays   int // how many arrays the value being read stands in
	tree     *tree
	at       scope  // table of the current header
	base     *trail // and its path
	file     *File
	problems diag.List
	counts   map[diag.Code]int // of problems, listed or not

	limit     int   // where reading stops
	atLine    bool  // a fault has been read over up to the start of a line
	giveUp    bool  // nothing more of this statement is read
	refusals  int   // how many problems refuse the file
	lead      int   // start of the comment lines right above, -1 when none
	structure int   // statements that look like TOML
	prose     []int // offsets of lines that do not
	templates int   // how many lines hold template markers
}

func markLen(text string) int {
	if strings.HasPrefix(text, "\xef\xbb\xbf") {
		return 3
	}
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return 2
	}
	return 0
}

// prologue deals with what the decoder looks at before it reads.
func (p *parser) prologue() {
	p.pos = p.file.lines.begin
	switch p.pos {
	case 3:
		p.use(formMark, 0, 3)
	case 2:
		p.use(formWideMark, 0, 2)
	}
	if rest := p.text[p.pos:]; p.d.looksForNUL() {
		if i := strings.IndexByte(rest[:min(6, len(rest))], 0); i >= 0 {
			p.refuse(p.pos+i, p.pos+i+1, "NUL byte at the start of the file", "The file may be UTF-16: save it as UTF-8.")
		}
	}
}

// document reads statements until the end.
func (p *parser) document() {
	p.lead = -1
	p.limit = len(p.text)
	for p.pos < p.limit {
		p.blankLines()
		if p.pos >= p.limit {
			break
		}
		if p.refusals >= maxProblems {
			p.note(diag.TOMLSyntax, diag.Info, diag.None, nil, span{p.pos, p.pos},
				"there are too many errors to list; the rest of the file was not read", "")
			break
		}
		if p.text[p.pos] == 0 && p.d.stopsAtNUL() {
			p.refuse(p.pos, p.pos+1, "NUL byte", "The file may be binary or UTF-16: save it as UTF-8.")
			break
		}
		p.atLine, p.giveUp = false, false
		if p.text[p.pos] == '[' {
			p.header()
		} else {
			p.keyValue()
		}
		p.lead = -1
	}
	p.file.heads[len(p.file.heads)-1].last = len(p.file.entries)
}

// blankLines moves to the next statement and keeps track of the comment lines
// right above it.
func (p *parser) blankLines() {
	fresh := p.pos == p.file.lines.begin // at the start of a line that has held nothing yet
	line := p.pos
	blank := true
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == ' ' || c == '\t':
			p.pos++
		case c == '\n' || c == '\r':
			if fresh && blank {
				p.lead = -1
			}
			p.lineBreak()
			line, fresh, blank = p.pos, true, true
		case c == '#':
			if fresh && p.lead < 0 {
				p.lead = line
			}
			blank = false
			p.comment()
		default:
			return
		}
	}
}

// lineBreak reads \n, \r\n, or a lone \r as the early releases do.
func (p *parser) lineBreak() {
	if p.text[p.pos] == '\r' {
		if strings.HasPrefix(p.text[p.pos:], "\r\n") {
			p.pos += 2
			return
		}
		if !p.d.checksBytes() {
			p.use(formLoneReturn, p.pos, p.pos+1)
		}
	}
	p.pos++
}

// comment reads up to the line break.
func (p *parser) comment() {
	end := len(p.text)
	stop := "\n"
	if !p.d.checksBytes() {
		stop = "\n\r\x00"
	}
	if i := strings.IndexAny(p.text[p.pos:], stop); i >= 0 {
		end = p.pos + i
	}
	if p.d == V0_4_1 {
		for i := p.pos; i < end; i++ {
			if isControl(p.text[i]) {
				p.use(formControl, i, i+1)
			}
		}
	}
	if strings.HasSuffix(p.text[p.pos:end], "\r") {
		end--
	}
	p.pos = end
}

func (p *parser) blanks() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
}

// peek returns the byte at pos, or 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// endOfStatement expects nothing but a comment on the rest of the line.
func (p *parser) endOfStatement(what string) {
	p.blanks()
	if p.pos >= len(p.text) {
		return
	}
	switch c := p.text[p.pos]; {
	case c == '#' || c == '\n' || c == '\r':
	case c == 0 && p.d.stopsAtNUL():
		p.note(diag.LostValue, diag.Error, diag.Ignored, nil, span{p.pos, len(p.text)},
			"the decoder stops reading at this NUL byte", "Delete it.").Detail =
			"CRI-O ignores everything after it."
		p.limit = p.pos
	default:
		p.trailing(what)
	}
}

// header reads [name] or [[name]].
func (p *parser) header() {
	start, lead := p.pos, p.lead
	p.pos++
	array := p.peek() == '['
	if array {
		p.pos++
	}
	parts, known := p.key(true)
	closed := false
	if known {
		closed, known = p.closeHeader(start, array, parts)
	}
	h := head{parts: parts, span: span{start, p.pos}, array: array, lead: p.leadSpan(lead, start)}
	if !known {
		p.lose(h)
		p.skipLine()
		return
	}
	p.structure++
	p.open(h)
	if closed {
		p.endOfStatement("the header")
	} else {
		p.skipLine()
	}
}

// lose begins a section whose table is not known. Its keys are read and not
// shown.
func (p *parser) lose(h head) {
	f := p.file
	f.heads[len(f.heads)-1].last = len(f.entries)
	h.first, h.broken = len(f.entries), true
	f.heads = append(f.heads, h)
	p.at = scope{&Node{Type: Table}, &note{}}
	p.base = nil
}

func (p *parser) leadSpan(lead, start int) span {
	if lead < 0 {
		return span{}
	}
	return span{lead, p.file.lines.lineStart(start)}
}

// closeHeader reads the brackets that end a header. known tells whether the
// table is clear even if they are not there.
func (p *parser) closeHeader(start int, array bool, parts []part) (closed, known bool) {
	if p.peek() == ']' {
		p.pos++
		if !array {
			return true, true
		}
		if p.peek() == ']' {
			p.pos++
			return true, true
		}
	}
	return false, p.badHeader(start, array, parts)
}

// open makes the table of a header the current one.
func (p *parser) open(h head) {
	f := p.file
	f.heads[len(f.heads)-1].last = len(f.entries)
	h.first = len(f.entries)
	at := p.tree.top()
	var path *trail
	for _, part := range h.parts[:len(h.parts)-1] {
		path = path.to(part.name)
		next, ok := p.tree.super(at, part.name, p.tableNode(part.span, h.span, bySuper))
		if !ok {
			p.notTable(path, part.span, next.node)
			next.node = &Node{Type: Table} // what follows is judged apart from the document
		} else {
			p.checkSuper(path, part.span, next.node)
		}
		h.inArray = h.inArray || next.node.Type == ArrayOfTables
		at = next
	}
	leaf := h.parts[len(h.parts)-1]
	p.base = path.to(leaf.name)
	p.at = p.define(at, h, leaf)
	h.inArray = h.inArray || p.at.node.Type == ArrayOfTables
	p.tree.setArray(p.at, "", false)
	f.heads = append(f.heads, h)
}

// define makes the last part of a header.
func (p *parser) define(at scope, h head, leaf part) scope {
	path := p.base
	v := p.tableNode(leaf.span, h.span, byHeader)
	var before *Node
	if t := at.node.table(); t != nil {
		before = t.Get(leaf.name)
	}
	s, o, old := p.tree.enter(at, leaf.name, v, h.array)
	switch o {
	case stored:
		if h.array && before != nil && before.made == byInline {
			p.nonstandard(path, leaf.span, "elements are added to an array that is written as a value", before)
		}
	case merged:
		p.reopen(path, h, leaf, old)
	case replaced:
		p.lost(path, h.span, old, "the header replaces the array")
	case duplicate:
		p.duplicateTable(path, h, old)
		if old.table() == nil {
			s.node = &Node{Type: Table}
		}
	case blocked:
		p.notTable(path.up, leaf.span, old)
		s.node = &Node{Type: Table}
	}
	return s
}

// reopen deals with a header for a table that was made by the way.
func (p *parser) reopen(path *trail, h head, leaf part, old *Node) {
	t := old.table()
	switch {
	case t == nil:
		p.lost(path, h.span, nil, "the decoder keeps the earlier value and drops this table")
		return
	case old.Type == ArrayOfTables:
		p.nonstandard(path, leaf.span, "the header continues the last element of an array of tables", old)
	case t.made == byDots:
		p.nonstandard(path, leaf.span, "a header for a table that dotted keys have made", old)
	case t.made == byInline:
		p.nonstandard(path, leaf.span, "a header for an inline table", old)
	}
	if t.made == bySuper {
		t.made = byHeader
		t.Key, t.Range = p.file.rangeOf(leaf.span), p.file.rangeOf(h.span)
	}
}

func (p *parser) tableNode(key, at span, made origin) *Node {
	return &Node{Type: Table, Key: p.file.rangeOf(key), Range: p.file.rangeOf(at), made: made}
}
