package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// tabWidth is the number of columns that a tab takes in a snippet. It is fixed,
// not a tab stop, so that a caret below stays in place when a line is cut.
const tabWidth = 4

// visible returns what to print for a code point that comes from a file, and
// how many columns it takes. A terminal never sees a control character, a
// direction override or an invisible blank of the file: they are shown as
// pictures or by their number.
func visible(r rune) (text string, width int) {
	switch {
	case r == '\t':
		return strings.Repeat(" ", tabWidth), tabWidth
	case r < 0x20:
		return string('\u2400' + r), 1 // U+2400 and following picture the controls
	case r == 0x7f:
		return "\u2421", 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return string(r), 0
	case !unicode.IsPrint(r):
		s := fmt.Sprintf("<U+%04X>", r)
		return s, len(s)
	case wide(r):
		return string(r), 2
	}
	return string(r), 1
}

// wide reports whether terminals give r two columns (Unicode Standard Annex 11,
// classes W and F, by whole blocks).
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f,
		0x2e80 <= r && r <= 0x303e,
		0x3041 <= r && r <= 0xa4cf && r != 0x4dc0,
		0xa960 <= r && r <= 0xa97c,
		0xac00 <= r && r <= 0xd7a3,
		0xf900 <= r && r <= 0xfaff,
		0xfe30 <= r && r <= 0xfe6f,
		0xff01 <= r && r <= 0xff60,
		0xffe0 <= r && r <= 0xffe6,
		0x1f300 <= r && r <= 0x1f64f,
		0x1f680 <= r && r <= 0x1f6ff,
		0x1f900 <= r && r <= 0x1faff,
		0x20000 <= r && r <= 0x3fffd:
		return true
	}
	return false
}

// clean returns s as visible shows it, for one line of output.
func clean(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		text, _ := visible(r)
		b.WriteString(text)
	}
	return b.String()
}

// cleanLines is clean for text of several lines.
func cleanLines(s string) []string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n"), "\n")
	for i, line := range lines {
		lines[i] = clean(line)
	}
	return lines
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// columns returns the width of s on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		_, w := visible(r)
		n += w
	}
	return n
}

// wrap breaks line at blanks so that no piece is wider than width, but for
// words that are wider themselves.
func wrap(line string, width int) []string {
	if width <= 0 || columns(line) <= width {
		return []string{line}
	}
	var out []string
	var b strings.Builder
	used := 0
	for word := range strings.FieldsSeq(line) {
		w := columns(word)
		if used > 0 && used+1+w > width {
			out = append(out, b.String())
			b.Reset()
			used = 0
		}
		if used > 0 {
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += w
	}
	return append(out, b.String())
}
