package tomlfile

import "strings"

// reform returns the text of a new value in the form of the one it replaces: a
// list that stood on several lines does so again.
func (f *File) reform(old span, v Value) string {
	was := f.text[old.start:old.end]
	if !v.list || len(v.items) == 0 || was[0] != '[' || !strings.Contains(was, "\n") {
		return v.text
	}
	nl := f.newline()
	lines := strings.Split(strings.ReplaceAll(was, "\r\n", "\n"), "\n")
	inner := f.indent(old.start) + "\t"
	for _, line := range lines[1:] {
		if body := strings.TrimLeft(line, " \t"); body != "" && body[0] != ']' {
			inner = line[:len(line)-len(body)]
			break
		}
	}
	last := lines[len(lines)-1]
	closing := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	comma := strings.HasSuffix(strings.TrimRight(strings.TrimSuffix(strings.ReplaceAll(was, "\r\n", "\n"), "]"), " \t\n"), ",")
	var b strings.Builder
	b.WriteString("[" + nl)
	for i, item := range v.items {
		b.WriteString(inner + item)
		if comma || i < len(v.items)-1 {
			b.WriteByte(',')
		}
		b.WriteString(nl)
	}
	b.WriteString(closing + "]")
	return b.String()
}
