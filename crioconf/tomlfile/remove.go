package tomlfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// cut makes the splices that remove an entry.
func (f *File) cut(i int, how DeleteMode) []splice {
	e := &f.entries[i]
	if e.outer >= 0 {
		return []splice{f.cutMember(i)}
	}
	return f.cutLines([]span{f.ownLines(e.parts[0].start, e.value.end, e.lead, how)})
}

// ownLines returns the lines of a statement, with the comment above it where it
// goes along.
func (f *File) ownLines(start, end int, lead span, how DeleteMode) span {
	s := span{f.lineAt(start), f.lines.lineEnd(max(end-1, start))}
	if how == WithComment && !lead.empty() {
		s.start = f.ownComment(span{max(lead.start, f.lines.begin), s.start})
	}
	return s
}

// cutLines removes stretches of whole lines, which are in order. Where that ends
// a file whose last line had no break, the line before must not have one either.
func (f *File) cutLines(gone []span) []splice {
	var splices []splice
	for _, s := range gone {
		if n := len(splices); n > 0 && s.start <= splices[n-1].end {
			splices[n-1].end = max(s.end, splices[n-1].end)
			continue
		}
		splices = append(splices, splice{s, ""})
	}
	if n := len(splices); n > 0 && splices[n-1].end == len(f.text) && !strings.HasSuffix(f.text, "\n") {
		last := &splices[n-1]
		last.start = f.lines.begin + len(strings.TrimRight(f.text[f.lines.begin:last.start], "\r\n"))
	}
	return splices
}

// ownComment returns where the comment lines begin that belong to the statement
// below: those after the last line that looks like a key commented out.
func (f *File) ownComment(lead span) int {
	own := lead.start
	for at := lead.start; at < lead.end; at = f.lines.lineEnd(at) {
		line := strings.TrimLeft(f.text[at:f.lines.lineEnd(at)], " \t")
		if commentedOut(strings.TrimLeft(line, "#")) {
			own = f.lines.lineEnd(at)
		}
	}
	return own
}

// commentedOut tells whether the text of a comment is a statement: key = value
// or [header].
func commentedOut(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") {
		return strings.HasSuffix(text, "]")
	}
	i := 0
	for i < len(text) && (isBare(text[i]) || text[i] == '.' || text[i] == '"' || text[i] == '\'') {
		i++
	}
	return i > 0 && strings.HasPrefix(strings.TrimLeft(text[i:], " \t"), "=")
}

// cutMember removes a member of an inline table and one comma.
func (f *File) cutMember(i int) splice {
	e := &f.entries[i]
	prev, next := -1, -1
	for j := range f.entries {
		switch {
		case f.entries[j].outer != e.outer:
		case j < i:
			prev = j
		case j > i && next < 0:
			next = j
		}
	}
	switch {
	case next >= 0:
		return splice{span{e.parts[0].start, f.entries[next].parts[0].start}, ""}
	case prev >= 0:
		return splice{span{f.entries[prev].value.end, e.value.end}, ""}
	}
	return splice{f.entries[e.outer].value, "{}"}
}

// DeleteTable removes a table with all its keys and the tables below it: their
// headers, dotted keys and inline tables, wherever they stand in the file. The
// comments inside stay unless how is WithComment.
func (e *Edit) DeleteTable(p keypath.Path, how DeleteMode) error {
	if err := e.ready(p); err != nil {
		return err
	}
	path, err := e.resolve(p)
	if err != nil {
		return fmt.Errorf("delete table %s: %w", p, err)
	}
	switch node := e.now.root.At(path); {
	case node == nil:
		return fmt.Errorf("delete table %s: %w", p, ErrNoKey)
	case node.Type == ArrayOfTables:
		return fmt.Errorf("delete table %s: it is an array of tables (%s)", p, node.Range)
	case node.Type != Table:
		return fmt.Errorf("delete table %s: it is no table but a value (%s)", p, node.Range)
	}
	return e.do("delete table", p, e.now.cutTable(path, how), change{path, nil})
}

// cutTable makes the splices that remove every statement of a table.
func (f *File) cutTable(p keypath.Path, how DeleteMode) []splice {
	var sections, lines []span
	var splices []splice
	for i := range f.heads {
		h := &f.heads[i]
		below := i > 0 && h.path().HasPrefix(p)
		if below {
			sections = append(sections, f.ownLines(h.start, h.end, h.lead, how))
		}
		inside := -1
		for j := h.first; j < h.last; j++ {
			e := &f.entries[j]
			switch {
			case inside >= 0 && f.within(j, inside):
			case below:
				inside = j
				sections = append(sections, f.ownLines(e.parts[0].start, e.value.end, e.lead, how))
			case h.inArray || !f.path(j).HasPrefix(p):
			case e.outer >= 0:
				inside = j
				splices = append(splices, f.cutMember(j))
			default:
				inside = j
				lines = append(lines, f.ownLines(e.parts[0].start, e.value.end, e.lead, how))
			}
		}
	}
	cuts := append(lines, f.withBlanks(sections)...)
	slices.SortFunc(cuts, func(a, b span) int { return a.start - b.start })
	return append(splices, f.cutLines(cuts)...)
}

// within tells whether entry i stands in the inline table of entry outer.
func (f *File) within(i, outer int) bool {
	for i >= 0 && i != outer {
		i = f.entries[i].outer
	}
	return i == outer
}

// withBlanks joins stretches of lines that only blank lines part, and adds to
// each the blank lines that would be left doubled or at the end of the file.
func (f *File) withBlanks(gone []span) []span {
	var joined []span
	for i := 0; i < len(gone); i++ {
		s := gone[i]
		for i+1 < len(gone) && strings.TrimSpace(f.text[s.end:max(gone[i+1].start, s.end)]) == "" {
			s.end = gone[i+1].end
			i++
		}
		before := f.text[f.lines.begin:s.start]
		rest := f.text[s.end:]
		open := before == "" || strings.HasSuffix(before, "\n\n") || strings.HasSuffix(before, "\n\r\n")
		for open && (strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n")) {
			n := strings.IndexByte(rest, '\n') + 1
			s.end, rest = s.end+n, rest[n:]
		}
		if rest == "" && before != "" {
			kept := f.lines.begin + len(strings.TrimRight(before, "\r\n"))
			s.start = min(kept+len(f.newline()), s.start)
		}
		joined = append(joined, s)
	}
	return joined
}
