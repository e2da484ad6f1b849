package diag

import (
	"fmt"
	"io"
	"strings"
)

// GitHub writes one workflow command per diagnostic, which GitHub Actions shows
// as an annotation of the line in question.
func GitHub(w io.Writer, l List) error {
	for _, d := range l {
		if _, err := io.WriteString(w, annotation(d)); err != nil {
			return err
		}
	}
	return nil
}

func annotation(d Diagnostic) string {
	var props []string
	add := func(name, value string) { props = append(props, name+"="+escapeProperty(value)) }
	r := d.Range
	if r.File != "" {
		add("file", clean(r.File))
	}
	if r.Start.Line > 0 {
		add("line", fmt.Sprint(r.Start.Line))
		if r.End.Line > 0 {
			add("endLine", fmt.Sprint(r.End.Line))
		}
		// GitHub takes columns for stretches of one line only.
		if r.End.Line == 0 || r.End.Line == r.Start.Line {
			add("col", fmt.Sprint(r.Start.Col))
			if r.End.Col > 0 {
				add("endColumn", fmt.Sprint(r.End.Col))
			}
		}
	}
	add("title", clean(string(d.Code)))
	return "::" + githubLevel(d.Severity) + " " + strings.Join(props, ",") + "::" + escapeData(d.Message()) + "\n"
}

func githubLevel(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "notice"
}

// Message returns the diagnostic in plain words without its place and source:
// the summary, and below it detail, effect, hint, near name and related places,
// a line each. Control characters are made visible.
func (d Diagnostic) Message() string {
	lines := cleanLines(d.Summary)
	for _, note := range d.notes() {
		lines = append(lines, cleanLines(note)...)
	}
	for _, r := range d.Related {
		lines = append(lines, "see "+r.text())
	}
	return strings.Join(lines, "\n")
}

// escapeData and escapeProperty follow the runner's own toolkit: percent first,
// then what would end the command or the property.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
