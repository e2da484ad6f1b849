package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The widths that Printer falls back to, in columns.
const (
	defaultWidth = 120 // of source lines when Width is 0
	minWidth     = 40
)

// A Printer writes diagnostics for people, each with the source lines that it
// is about. Text that comes from the files is made safe for a terminal. The
// zero Printer prints without source lines and colours.
type Printer struct {
	Sources func(file string) []byte // the bytes of a file, nil when there are none; may be nil
	Color   bool                     // whether to use terminal colours
	Width   int                      // columns of the terminal; 0: messages are not broken into lines
}

// Text writes the diagnostics of the list in its order, with a blank line
// between two.
func (p Printer) Text(w io.Writer, l List) error {
	src := newSources(p.Sources)
	for i, d := range l {
		text := p.one(src, d)
		if i > 0 {
			text = "\n" + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// one lays out a diagnostic:
//
//	severity[code]: summary
//	  --> file:line:col
//	   |
//	 4 | source line
//	   | ^^^^^^
//	   = detail, effect, hint
func (p Printer) one(src *sources, d Diagnostic) string {
	t := textWriter{p: p, src: src, color: severityColor(d.Severity)}
	for _, r := range d.places() {
		t.gutter = max(t.gutter, len(strconv.Itoa(r.Range.Start.Line)))
	}
	t.WriteString(t.paint(d.Severity.String() + "[" + clean(string(d.Code)) + "]"))
	t.WriteString(": " + strings.Join(cleanLines(d.Summary), " ") + "\n")
	if !d.Range.IsZero() {
		t.place("-->", Related{Range: d.Range})
	}
	for _, r := range d.Related {
		t.place("see", r)
	}
	for _, note := range d.notes() {
		t.note(note)
	}
	return t.String()
}

// places returns all places of the diagnostic, its own first.
func (d Diagnostic) places() []Related {
	return append([]Related{{Range: d.Range}}, d.Related...)
}

// notes returns the sentences below the snippet.
func (d Diagnostic) notes() []string {
	var notes []string
	add := func(before, s, after string) {
		if s != "" {
			notes = append(notes, before+s+after)
		}
	}
	add("", d.Detail, "")
	add("effect: ", d.effectText(), "")
	add("", d.Hint, "")
	add("did you mean ", d.Suggest, "?")
	return notes
}

// effectText says the effect in words, or returns "" when there is none.
func (d Diagnostic) effectText() string {
	switch d.Effect {
	case Refused:
		if d.Stage == "start" || d.Stage == "server" {
			return `refused, CRI-O does not start; "crio config" does not show it`
		}
		return "refused, CRI-O does not start"
	case Random:
		return "random, the value in force can change with each start"
	case Ignored:
		return "ignored"
	case Replaced:
		return "replaced by another value"
	}
	return ""
}

type textWriter struct {
	strings.Builder
	p      Printer
	src    *sources
	gutter int // columns of the widest line number
	color  string
}

// text says the place, the message, or both, on one line.
func (r Related) text() string {
	var parts []string
	for _, s := range []string{r.Range.String(), r.Message} {
		if s != "" {
			parts = append(parts, strings.Join(cleanLines(s), " "))
		}
	}
	return strings.Join(parts, ": ")
}

// place writes where r is and, when its source is known, the line.
func (t *textWriter) place(arrow string, rel Related) {
	r, pad := rel.Range, strings.Repeat(" ", t.gutter+1)
	t.WriteString(strings.TrimRight(pad+arrow+" "+rel.text(), " ") + "\n")
	line, ok := t.src.line(r.File, r.Start.Line)
	if !ok {
		return
	}
	start, end := stretch(r, line)
	s := cut(line, start, end, t.sourceWidth())
	t.WriteString(pad + " |\n")
	t.WriteString(strings.TrimRight(fmt.Sprintf(" %*d | %s", t.gutter, r.Start.Line, s.text), " ") + "\n")
	t.WriteString(pad + " | " + strings.Repeat(" ", s.skip) + t.paint(strings.Repeat("^", s.carets)) + "\n")
}

func (t *textWriter) sourceWidth() int {
	if t.p.Width == 0 {
		return defaultWidth
	}
	return max(t.p.Width, minWidth) - t.gutter - len("  | ")
}

// note writes one sentence or more behind an equals sign.
func (t *textWriter) note(s string) {
	pad := strings.Repeat(" ", t.gutter+2)
	mark := "= "
	width := 0
	if t.p.Width > 0 {
		width = max(t.p.Width, minWidth) - len(pad) - len(mark)
	}
	for _, line := range cleanLines(s) {
		for _, piece := range wrap(line, width) {
			t.WriteString(strings.TrimRight(pad+mark+piece, " ") + "\n")
			mark = "  "
		}
	}
}

// Four escape codes are all the colour there is.
const (
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	reset  = "\x1b[0m"
)

func severityColor(s Severity) string {
	switch s {
	case Error:
		return red
	case Warning:
		return yellow
	}
	return cyan
}

func (t *textWriter) paint(s string) string {
	if !t.p.Color {
		return s
	}
	return t.color + s + reset
}
