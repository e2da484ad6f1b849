package migrate

import (
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// ownsComment reports whether the comment above a key is about that key alone.
// When another key follows at once, it may be about both.
func (w *work) ownsComment(p place) bool {
	f := w.file(p.file)
	e, _ := f.Lookup(p.entry.Path)
	if e == nil || e.Lead.IsZero() {
		return false
	}
	next := strings.TrimSpace(f.Line(e.Value.End.Line + 1))
	return next == "" || next[0] == '#' || next[0] == '['
}

// commentOf returns the comment that goes with a key when it moves: the lines
// above and what stands behind the value. Lines that look like a key that was
// commented out belong to somebody else.
func (w *work) commentOf(p place) string {
	f := w.file(p.file)
	e, _ := f.Lookup(p.entry.Path)
	if e == nil {
		return ""
	}
	var lines []string
	if w.ownsComment(p) {
		for n := e.Lead.Start.Line; n < e.Key.Start.Line; n++ {
			text := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(f.Line(n)), "#"))
			if looksLikeKey(text) {
				lines = nil
				continue
			}
			lines = append(lines, text)
		}
	}
	end := e.Value.End
	last := []rune(f.Line(end.Line))
	if behind := strings.TrimSpace(string(last[min(end.Col-1, len(last)):])); strings.HasPrefix(behind, "#") {
		lines = append(lines, strings.TrimSpace(strings.TrimLeft(behind, "#")))
	}
	return strings.Join(lines, "\n")
}

// looksLikeKey reports whether a comment is a statement that was commented out.
func looksLikeKey(text string) bool {
	if text == "" || text[0] == '[' {
		return text != ""
	}
	f, _ := tomlfile.Parse("", []byte(text), tomlfile.V1_5_0)
	return f.Refused() == nil
}
