package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A page is an mdoc(7) page in the making.
type page struct{ b strings.Builder }

// newPage starts a page with its header. The name is that of the manual,
// "crioctl-net-get".
func newPage(name, section, date, source string) *page {
	p := &page{}
	fmt.Fprintf(&p.b, ".\\\" %s\n", generated)
	p.macro("Dd", date)
	p.macro("Dt", strings.ToUpper(name), section)
	p.macro("Os", source)
	return p
}

func (p *page) bytes() []byte { return []byte(p.b.String()) }

// macro writes a macro line. Its arguments are plain text.
func (p *page) macro(name string, args ...string) {
	p.b.WriteString("." + name)
	for _, a := range args {
		p.b.WriteString(" " + argument(a))
	}
	p.b.WriteString("\n")
}

// raw writes a line that is mdoc already.
func (p *page) raw(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// width is that of the filled lines of the source, which nobody but mandoc's
// style check sees.
const width = 78

// text writes a paragraph as filled text, a new line for a new sentence.
func (p *page) text(s string) {
	line := ""
	flush := func() {
		if line != "" {
			p.b.WriteString(guard(line) + "\n")
		}
		line = ""
	}
	for _, word := range strings.Fields(s) {
		w := escape(word)
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > width {
			flush()
		}
		if line != "" {
			line += " "
		}
		line += w
		if endsSentence(word) {
			flush()
		}
	}
	flush()
}

// paragraphs writes text with blank lines between paragraphs. A paragraph that
// is indented is literal, a line "#### TITLE" a heading.
func (p *page) paragraphs(s string) {
	first := true // no paragraph macro after a heading
	for part := range strings.SplitSeq(strings.Trim(s, "\n"), "\n\n") {
		part = strings.Trim(part, "\n")
		switch title, heading := strings.CutPrefix(part, "#### "); {
		case strings.TrimSpace(part) == "":
		case heading:
			p.macro("Ss", strings.TrimSuffix(title, ":"))
			first = true
			continue
		default:
			p.mixed(part, first)
		}
		first = false
	}
}

// mixed writes a paragraph in which filled and indented lines may follow each
// other.
func (p *page) mixed(part string, first bool) {
	lines := strings.Split(part, "\n")
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && indented(lines[n]) == indented(lines[0]) {
			n++
		}
		if block := strings.Join(lines[:n], "\n"); indented(lines[0]) {
			p.literal(dedent(block))
		} else {
			if !first {
				p.macro("Pp")
			}
			p.text(block)
		}
		lines, first = lines[n:], false
	}
}

func indented(line string) bool {
	return strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
}

// dedent takes the indentation of the first line off every line.
func dedent(block string) string {
	first, _, _ := strings.Cut(block, "\n")
	indent := first[:len(first)-len(strings.TrimLeft(first, " \t"))]
	var b strings.Builder
	for line := range strings.Lines(block) {
		b.WriteString(strings.TrimPrefix(line, indent))
	}
	return b.String()
}

// literal writes a block as it stands.
func (p *page) literal(s string) {
	p.raw(".Bd -literal -offset indent")
	for line := range strings.Lines(strings.TrimSuffix(s, "\n") + "\n") {
		p.b.WriteString(guard(escape(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    "))) + "\n")
	}
	p.raw(".Ed")
}

// list writes a list of names and what they are.
func (p *page) list(items [][2]string) {
	p.raw(".Bl -tag -width Ds")
	for _, item := range items {
		p.macro("It", item[0])
		p.text(item[1])
	}
	p.raw(".El")
}

// escape writes what roff would take for its own. A hyphen is that of a keyboard,
// so that an option can be copied from the page.
func escape(s string) string {
	s = strings.ReplaceAll(s, `\`, `\e`)
	var b strings.Builder
	for i, r := range s {
		// A hyphen inside a word may be one of a typesetter.
		if r == '-' && (i == 0 || !letter(s[i-1]) || i+1 == len(s)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

// guard keeps a line of text from being taken for a macro.
func guard(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// macroName matches what mdoc would parse as a macro among arguments.
var macroName = regexp.MustCompile(`^[A-Z][a-z]?[a-z1]?$|^%[A-Z]$`)

// argument writes an argument of a macro as plain text.
func argument(s string) string {
	switch {
	case s == "":
		return `""`
	case macroName.MatchString(s) || strings.Trim(s, ".,:;()[]?!|") == "":
		return `\&` + s
	}
	s = strings.ReplaceAll(s, `\`, `\e`)
	if strings.ContainsAny(s, " \"") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// endsSentence reports whether a sentence ends with the word.
func endsSentence(word string) bool {
	w := strings.TrimRight(word, `)"'`)
	if w == "" || !strings.ContainsRune(".!?", rune(w[len(w)-1])) {
		return false
	}
	return !strings.HasSuffix(w, "...") && w != "e.g." && w != "i.e."
}
