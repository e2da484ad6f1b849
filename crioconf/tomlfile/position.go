package tomlfile

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// block is the number of bytes between two remembered character counts. It
// bounds the work for one position on a line of any length.
const block = 256

// A lineIndex turns byte offsets into lines and columns.
type lineIndex struct {
	text   string
	begin  int   // length of the byte order mark, which has no column
	starts []int // offset of each line's first byte
	counts []int // characters before offset i*block; nil when all lines are short
}

func newLineIndex(text string, begin int) *lineIndex {
	x := &lineIndex{text: text, begin: begin, starts: make([]int, 1, 1+strings.Count(text, "\n"))}
	longest := 0
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			longest = max(longest, len(text)-i)
			break
		}
		longest = max(longest, n)
		i += n + 1
		x.starts = append(x.starts, i)
	}
	if longest > block {
		x.count()
	}
	return x
}

func (x *lineIndex) count() {
	x.counts = make([]int, 1+len(x.text)/block)
	for i := 1; i < len(x.counts); i++ {
		x.counts[i] = x.counts[i-1] + starters(x.text[(i-1)*block:i*block])
	}
}

// line returns the index of the line that holds offset.
func (x *lineIndex) line(offset int) int {
	return sort.Search(len(x.starts), func(i int) bool { return x.starts[i] > offset }) - 1
}

func (x *lineIndex) lineStart(offset int) int { return x.starts[x.line(offset)] }

// lineEnd returns the offset behind the line break of the line that holds
// offset, or the end of the text.
func (x *lineIndex) lineEnd(offset int) int {
	if i := x.line(offset) + 1; i < len(x.starts) {
		return x.starts[i]
	}
	return len(x.text)
}

func (x *lineIndex) pos(offset int) diag.Pos {
	i := x.line(offset)
	from := x.starts[i]
	if i == 0 && offset >= x.begin {
		from = x.begin
	}
	return diag.Pos{Line: i + 1, Col: x.chars(from, offset) + 1, Offset: offset}
}

// chars counts the characters in [from, to).
func (x *lineIndex) chars(from, to int) int {
	if to-from <= block {
		return utf8.RuneCountInString(x.text[from:to])
	}
	return x.charsBefore(to) - x.charsBefore(from)
}

func (x *lineIndex) charsBefore(offset int) int {
	b := offset / block
	return x.counts[b] + starters(x.text[b*block:offset])
}

// starters counts the bytes that begin a character. Unlike a decoder it can be
// cut anywhere; the counts differ only in text that is not UTF-8.
func starters(s string) int {
	n := 0
	for i := range len(s) {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}
