package diag

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// sources finds lines of the files that diagnostics point into. It remembers
// where lines start, so that many findings in one file cost one pass over it.
type sources struct {
	read  func(file string) []byte
	files map[string]*source
}

type source struct {
	text   []byte
	starts []int // offset of the first byte of each line
}

func newSources(read func(string) []byte) *sources {
	return &sources{read: read, files: make(map[string]*source)}
}

func (s *sources) file(name string) *source {
	if f, ok := s.files[name]; ok {
		return f
	}
	f := new(source)
	if s.read != nil {
		// A byte order mark is no part of the first line: columns do not count it.
		f.text = bytes.TrimPrefix(s.read(name), []byte("\ufeff"))
	}
	f.starts = []int{0}
	for at := 0; ; {
		i := bytes.IndexByte(f.text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		f.starts = append(f.starts, at)
	}
	s.files[name] = f
	return f
}

// line returns the text of a line that counts from 1, without its ending.
func (s *sources) line(file string, n int) ([]byte, bool) {
	f := s.file(file)
	if n < 1 || n > len(f.starts) || len(f.text) == 0 {
		return nil, false
	}
	start, end := f.starts[n-1], len(f.text)
	if n < len(f.starts) {
		end = f.starts[n] - 1
	}
	return bytes.TrimSuffix(f.text[start:end], []byte("\r")), true
}

// stretch returns the offsets in line, the first line of r, that r covers.
// Columns beyond the line end at its end.
func stretch(r Range, line []byte) (start, end int) {
	start = columnOffset(line, r.Start.Col)
	switch {
	case r.End.Line > r.Start.Line:
		end = len(line)
	case r.End.Line == r.Start.Line && r.End.Col > r.Start.Col:
		end = start + columnOffset(line[start:], r.End.Col-r.Start.Col+1)
	default:
		end = start
	}
	return start, end
}

func columnOffset(line []byte, col int) int {
	at := 0
	for ; col > 1 && at < len(line); col-- {
		_, n := utf8.DecodeRune(line[at:])
		at += n
	}
	return at
}

// maxPoints is how many code points a column may hold on average: combining
// marks take no column, and a line of nothing else would never end.
const maxPoints = 4

// A snippet is one source line made fit for a terminal, and which of its
// columns are meant.
type snippet struct {
	text         string
	skip, carets int
}

// cut makes the snippet of line in which the bytes [start, end) are meant. A
// line wider than limit keeps what surrounds start; what is left out shows as
// "…". The time it takes does not depend on the length of the line.
func cut(line []byte, start, end, limit int) snippet {
	start = onBase(line, start)
	lead, leadWidth, whole := before(line[:start], limit)
	if meant := widthUpTo(line[start:end], limit/2); !whole || leadWidth+max(meant, 1) >= limit {
		lead, leadWidth, whole = before(line[:start], limit/3)
	}
	var b strings.Builder
	if !whole {
		b.WriteString("…")
		leadWidth++
	}
	b.WriteString(lead)
	s := snippet{skip: leadWidth}
	used, at := leadWidth, start
	for points := 0; at < len(line); points++ {
		r, n := utf8.DecodeRune(line[at:])
		text, w := visible(r)
		if at+n < len(line) && used+w >= limit || points > maxPoints*limit {
			b.WriteString("…")
			break
		}
		b.WriteString(text)
		used += w
		if at < end {
			s.carets += w
		}
		at += n
	}
	s.text = strings.TrimRight(b.String(), " ")
	s.carets = max(s.carets, 1)
	return s
}

// onBase moves a start on a combining mark back to what the mark stands on.
func onBase(line []byte, start int) int {
	for start > 0 && start < len(line) {
		r, _ := utf8.DecodeRune(line[start:])
		if _, w := visible(r); w > 0 {
			break
		}
		_, n := utf8.DecodeLastRune(line[:start])
		start -= n
	}
	return start
}

// before returns the end of text that fits into limit columns, its width, and
// whether that is all of it.
func before(text []byte, limit int) (s string, width int, whole bool) {
	var parts []string
	for len(text) > 0 {
		r, n := utf8.DecodeLastRune(text)
		t, w := visible(r)
		if width+w > limit || len(parts) > maxPoints*limit {
			break
		}
		parts = append(parts, t)
		width += w
		text = text[:len(text)-n]
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return b.String(), width, len(text) == 0
}

// widthUpTo returns the width of text, or limit if it is wider.
func widthUpTo(text []byte, limit int) int {
	width := 0
	for len(text) > 0 && width < limit {
		r, n := utf8.DecodeRune(text)
		_, w := visible(r)
		width += w
		text = text[n:]
	}
	return min(width, limit)
}
