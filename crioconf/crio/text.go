package crio

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// A source is one file that was read.
type source struct {
	name  string // as it stands in messages
	data  []byte
	lines []int // offsets of the first bytes of the lines
}

func newSource(name string, data []byte) *source {
	s := &source{name: name, data: data, lines: []int{0}}
	for i, b := range data {
		if b == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

func (s *source) pos(off int) diag.Pos {
	i, found := slices.BinarySearch(s.lines, off)
	if !found {
		i--
	}
	start := s.lines[i]
	if i == 0 && bytes.HasPrefix(s.data, bom) && off >= len(bom) {
		start = len(bom)
	}
	return diag.Pos{Line: i + 1, Col: utf8.RuneCount(s.data[start:off]) + 1, Offset: off}
}

func (s *source) span(from, to int) diag.Range {
	return diag.Range{File: s.name, Start: s.pos(from), End: s.pos(to)}
}

var bom = []byte("\ufeff")

// A char is one byte of a value and the place that it comes from. A value may
// be put together from several files: a command line in the unit, an option in
// an environment file.
type char struct {
	b   byte
	src *source
	off int
}

// A text is a value whose bytes remember where they stand.
type text []char

func (s *source) text(from, to int) text {
	t := make(text, 0, to-from)
	for i := from; i < to; i++ {
		t = append(t, char{s.data[i], s, i})
	}
	return t
}

// String returns the bytes without their places.
func (t text) String() string {
	b := make([]byte, len(t))
	for i, c := range t {
		b[i] = c.b
	}
	return string(b)
}

// span returns the place of the text: from its first byte to its last one that
// comes from the same file. It is zero for an empty text.
func (t text) span() diag.Range {
	if len(t) == 0 {
		return diag.Range{}
	}
	src, from, to := t[0].src, t[0].off, t[0].off
	for _, c := range t {
		if c.src == src {
			from, to = min(from, c.off), max(to, c.off)
		}
	}
	return src.span(from, to+1)
}

func (t text) trim() text {
	for len(t) > 0 && blank(t[0].b) {
		t = t[1:]
	}
	for len(t) > 0 && blank(t[len(t)-1].b) {
		t = t[:len(t)-1]
	}
	return t
}

func (t text) index(b byte) int {
	return slices.IndexFunc(t, func(c char) bool { return c.b == b })
}

// blank reports what systemd counts as white space.
func blank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
