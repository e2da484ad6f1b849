package tomlfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A splice replaces a stretch of the source.
type splice struct {
	span
	text string
}

// splicesOver returns text with the splices made. They must not overlap.
func splicesOver(text string, splices []splice) (string, error) {
	slices.SortStableFunc(splices, func(a, b splice) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, s := range splices {
		if s.start < at {
			return "", errors.New("two changes of one place")
		}
		b.WriteString(text[at:s.start])
		b.WriteString(s.text)
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// newline returns the line break that the file uses.
func (f *File) newline() string {
	if i := strings.IndexByte(f.text, '\n'); i > 0 && f.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indent returns the blanks at the start of the line that holds offset.
func (f *File) indent(offset int) string {
	start := max(f.lines.lineStart(offset), f.lines.begin*btoi(f.lines.line(offset) == 0))
	line := f.text[start:f.lines.lineEnd(offset)]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lineAt returns the start of the line that holds offset, behind a byte order
// mark.
func (f *File) lineAt(offset int) int {
	if start := f.lines.lineStart(offset); start > 0 {
		return start
	}
	return f.lines.begin
}

// insert makes the splice that puts lines, without their last line break, at
// offset, which is the start of a line or the end of the text. A missing final
// line break stays missing.
func (f *File) insert(offset int, lines string) splice {
	nl := f.newline()
	if offset == len(f.text) && offset > f.lines.begin && !strings.HasSuffix(f.text, "\n") {
		return splice{span{offset, offset}, nl + lines}
	}
	return splice{span{offset, offset}, lines + nl}
}

// lookupExact returns the entry with exactly this path and how many there are.
func (f *File) lookupExact(p keypath.Path) (int, int) {
	found, n := -1, 0
	for i := range f.entries {
		e := &f.entries[i]
		if e.parts[len(e.parts)-1].name == p.Leaf() && !f.heads[e.head].inArray && slices.Equal(f.path(i), p) {
			if found < 0 {
				found = i
			}
			n++
		}
	}
	return found, n
}

// place decides where a new key goes, by how its table came to be.
func (f *File) place(path keypath.Path, value string) (splice, error) {
	parent := path.Parent()
	line := quotePart(path.Leaf()) + " = " + value
	if len(parent) == 0 {
		return f.placeAtRoot(line), nil
	}
	if i := f.headOf(parent); i > 0 {
		return f.placeInSection(i, line), nil
	}
	if i, _ := f.lookupExact(parent); i >= 0 {
		return f.placeInline(i, line)
	}
	if s, ok := f.placeDotted(path, value); ok {
		return s, nil
	}
	if i := f.headBelow(parent); i > 0 {
		h := &f.heads[i]
		at := f.lineAt(h.start)
		if !h.lead.empty() {
			at = max(h.lead.start, f.lines.begin)
		}
		nl := f.newline()
		in := f.indent(h.start)
		return splice{span{at, at}, in + "[" + keyText(parent) + "]" + nl + in + line + nl + nl}, nil
	}
	return f.placeInNewTable(path, line, value)
}

func keyText(p keypath.Path) string {
	parts := make([]string, len(p))
	for i, part := range p {
		parts[i] = quotePart(part)
	}
	return strings.Join(parts, ".")
}

// headOf returns the header of exactly this table.
func (f *File) headOf(p keypath.Path) int {
	for i := 1; i < len(f.heads); i++ {
		h := &f.heads[i]
		if len(h.parts) == len(p) && !h.inArray && h.parts[len(p)-1].name == p.Leaf() && slices.Equal(h.path(), p) {
			return i
		}
	}
	return -1
}

// headBelow returns the first header of a table below p.
func (f *File) headBelow(p keypath.Path) int {
	for i := 1; i < len(f.heads); i++ {
		if h := &f.heads[i]; len(h.parts) > len(p) && h.path().HasPrefix(p) {
			return i
		}
	}
	return -1
}

// lastLine returns the last entry of a section that stands on its own line, or
// -1.
func (f *File) lastLine(head int) int {
	for i := f.heads[head].last - 1; i >= f.heads[head].first; i-- {
		if f.entries[i].outer < 0 {
			return i
		}
	}
	return -1
}

func (f *File) placeAtRoot(line string) splice {
	if i := f.lastLine(0); i >= 0 {
		return f.after(i, line)
	}
	if len(f.heads) > 1 {
		h := &f.heads[1]
		at := f.lineAt(h.start)
		if !h.lead.empty() {
			at = max(h.lead.start, f.lines.begin)
		}
		return splice{span{at, at}, line + f.newline() + f.newline()}
	}
	return f.insert(len(f.text), line)
}

// after puts a line below that of an entry, with its indentation.
func (f *File) after(i int, line string) splice {
	e := &f.entries[i]
	return f.insert(f.lines.lineEnd(max(e.value.end-1, e.value.start)), f.indent(e.parts[0].start)+line)
}

func (f *File) placeInSection(head int, line string) splice {
	if i := f.lastLine(head); i >= 0 {
		return f.after(i, line)
	}
	h := &f.heads[head]
	return f.insert(f.lines.lineEnd(h.end-1), f.indent(h.start)+line)
}

// placeInline adds a member to an inline table.
func (f *File) placeInline(i int, member string) (splice, error) {
	at := f.entries[i].value
	last := -1
	for j := i + 1; j < len(f.entries); j++ {
		if f.entries[j].outer == i {
			last = j
		}
	}
	if last >= 0 {
		end := f.entries[last].value.end
		return splice{span{end, end}, ", " + member}, nil
	}
	if strings.Trim(f.text[at.start+1:at.end-1], " \t") != "" {
		return splice{}, fmt.Errorf("the inline table at %s holds comments", f.rangeOf(at))
	}
	return splice{at, "{ " + member + " }"}, nil
}

// placeDotted adds a key to a table that dotted keys have made, below the last
// of them.
func (f *File) placeDotted(path keypath.Path, value string) (splice, bool) {
	parent := path.Parent()
	found := -1
	for i := range f.entries {
		e := &f.entries[i]
		above := len(f.path(i)) - len(e.parts) // length of the path of its table
		if len(e.parts) > 1 && !f.heads[e.head].inArray && above < len(parent) && above+len(e.parts) > len(parent) && f.path(i).HasPrefix(parent) {
			found = i
		}
	}
	if found < 0 {
		return splice{}, false
	}
	e := &f.entries[found]
	n := len(parent) - (len(f.path(found)) - len(e.parts))
	prefix := f.text[e.parts[0].start:e.parts[n-1].end]
	line := prefix + "." + quotePart(path.Leaf()) + " = " + value
	if e.outer >= 0 {
		return splice{span{e.value.end, e.value.end}, ", " + line}, true
	}
	return f.after(found, line), true
}

// placeInNewTable adds a table for a key: at the end of the file, or as an
// inline table where an ancestor is one.
func (f *File) placeInNewTable(path keypath.Path, line, value string) (splice, error) {
	for n := len(path) - 2; n > 0; n-- {
		i, _ := f.lookupExact(path[:n])
		if i < 0 {
			continue
		}
		member := value
		for _, part := range slices.Backward(path[n+1:]) {
			member = "{ " + quotePart(part) + " = " + member + " }"
		}
		return f.placeInline(i, quotePart(path[n])+" = "+member)
	}
	nl := f.newline()
	table := "[" + keyText(path.Parent()) + "]" + nl + line
	body := f.text[f.lines.begin:]
	if strings.TrimSpace(body) != "" && !strings.HasSuffix(body, "\n\n") && !strings.HasSuffix(body, "\n\r\n") {
		table = nl + table
	}
	return f.insert(len(f.text), table), nil
}

// mentions returns every place that spells the last part of p: as the leaf of a
// key, or on the way in a header or dotted key.
func (f *File) mentions(p keypath.Path) []span {
	var at []span
	for i := range f.heads {
		if h := &f.heads[i]; len(h.parts) >= len(p) && h.path().HasPrefix(p) {
			at = append(at, h.parts[len(p)-1].span)
		}
	}
	for i := range f.entries {
		e := &f.entries[i]
		path := f.path(i)
		above := len(path) - len(e.parts)
		if len(path) >= len(p) && above < len(p) && path.HasPrefix(p) {
			at = append(at, e.parts[len(p)-above-1].span)
		}
	}
	return at
}

// lineOf returns the start of the line of a key or of the first header of a
// table.
func (f *File) lineOf(p keypath.Path) (int, error) {
	if i, _ := f.lookupExact(p); i >= 0 {
		if f.entries[i].outer >= 0 {
			return 0, errors.New("it stands in an inline table")
		}
		return f.lineAt(f.entries[i].parts[0].start), nil
	}
	if i := f.headOf(p); i > 0 {
		return f.lineAt(f.heads[i].start), nil
	}
	if f.root.At(p) != nil {
		return 0, errors.New("it has no line of its own")
	}
	return 0, ErrNoKey
}
