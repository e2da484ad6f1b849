package tomlfile_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// A writer makes TOML files in which tables come to be in every way, and
// remembers which names are taken, so that the files are good.
type writer struct {
	*rand.Rand
	b  strings.Builder
	nl string
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *writer) name() string { return w.pick("a", "b", "c", `"d e"`, "'f.g'", "h", "i", "j") }

func (w *writer) value(depth int) string {
	switch w.IntN(9) {
	case 0:
		return "[" + w.nl + "  'x', # c" + w.nl + "  \"y\"" + w.pick("", ",") + w.nl + "]"
	case 1:
		return `"""` + w.nl + `t"""`
	case 2:
		return w.pick("[]", "[ 1, 2 ]", `["a"]`)
	case 3, 4:
		if depth < 2 {
			return w.inline(depth + 1)
		}
	}
	return w.pick("1", "true", `"s"`, "'l'", "2.5", "1979-05-27")
}

func (w *writer) inline(depth int) string {
	var members []string
	taken := map[string]bool{}
	for range w.IntN(3) {
		if n := w.name(); !taken[n] {
			taken[n] = true
			members = append(members, n+w.pick("", ".x", " . y.z")+w.pick("=", " = ")+w.value(depth))
		}
	}
	return "{" + w.pick("", " ") + strings.Join(members, w.pick(",", ", ")) + w.pick("", " ") + "}"
}

func (w *writer) keys(indent string) {
	taken := map[string]bool{}
	for range w.IntN(4) {
		n := w.name()
		if taken[n] {
			continue
		}
		taken[n] = true
		if w.IntN(3) == 0 {
			w.b.WriteString(indent + "# about" + w.nl)
		}
		switch w.IntN(5) {
		case 0:
			for _, leaf := range []string{".x", ".y.z"} {
				w.b.WriteString(indent + n + leaf + " = " + w.value(0) + w.nl)
			}
		default:
			w.b.WriteString(indent + n + " = " + w.value(0) + w.pick("", " # c") + w.nl)
		}
		w.b.WriteString(w.pick("", "", w.nl, "# b = 1"+w.nl))
	}
}

func (w *writer) file() string {
	w.b.Reset()
	w.nl = w.pick("\n", "\n", "\r\n")
	w.b.WriteString(w.pick("", "", "", "\xef\xbb\xbf"))
	w.b.WriteString(w.pick("", "# head"+w.nl, "# head"+w.nl+w.nl))
	w.keys("")
	for i := range w.IntN(5) {
		// Names of tables differ from those of keys, so that files are good.
		table := w.pick("t", "t.u", "t.u.v", "w.x", "w.'y z'", "k")
		w.b.WriteString(w.pick("", w.nl) + w.pick("", "# table"+w.nl))
		if w.IntN(12) == 0 {
			fmt.Fprintf(&w.b, "[[list]]%s", w.nl)
		} else {
			fmt.Fprintf(&w.b, "[%s]%s", table, w.nl)
		}
		w.keys([]string{"", "  ", "\t"}[i%3])
	}
	text := w.b.String()
	if w.IntN(4) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

// Random edits of random files either do what they say or name a reason that
// lies in the file. The proof step must have nothing to stop.
func TestEditsOfGeneratedFiles(t *testing.T) {
	w := &writer{Rand: rand.New(rand.NewPCG(1, 2))}
	good, done := 0, 0
	for range 3000 {
		text := w.file()
		f, _ := tomlfile.Parse("f", []byte(text), tomlfile.V1_6_0)
		if f.Refused() != nil {
			continue // the same table twice
		}
		good++
		for range 4 {
			if w.randomEdit(t, f, text) {
				done++
			}
		}
	}
	t.Logf("%d files, %d edits", good, done)
	if good < 1000 || done < 3000 {
		t.Error("too few files or edits to mean anything")
	}
}

// randomEdit makes one edit and reports whether it was possible.
func (w *writer) randomEdit(t *testing.T, f *tomlfile.File, text string) bool {
	p := w.path(f)
	do := map[int]func(*tomlfile.Edit) error{
		0: func(e *tomlfile.Edit) error { return e.Delete(p, tomlfile.DeleteMode(w.IntN(2))) },
		1: func(e *tomlfile.Edit) error { return e.DeleteTable(p, tomlfile.DeleteMode(w.IntN(2))) },
		2: func(e *tomlfile.Edit) error { return e.Rename(p, "new name") },
		3: func(e *tomlfile.Edit) error { return e.Comment(p, "a comment") },
		4: func(e *tomlfile.Edit) error { return e.Set(p, tomlfile.StringsValue([]string{"x", "z"})) },
		5: func(e *tomlfile.Edit) error {
			return e.Set(p, tomlfile.StringMapValue(map[string]string{"x": "1", "k l": "2"}))
		},
	}[w.IntN(8)]
	if do == nil {
		do = func(e *tomlfile.Edit) error { return e.Set(p, tomlfile.BoolValue(true)) }
	}
	g, err := apply(f, do)
	if err != nil {
		for _, reason := range []string{"it is a table", "has a value and cannot hold keys", "is an array of tables", "it is no table but a value", "stands in an inline table", "no line of its own"} {
			if strings.Contains(err.Error(), reason) {
				return false
			}
		}
		if errors.Is(err, tomlfile.ErrNoKey) {
			return false
		}
		t.Errorf("%q: %v", text, err)
		return false
	}
	if strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(string(g.Source()), "\r\n", ""), "\n") {
		t.Errorf("%q: the result mixes line endings: %q", text, g.Source())
	}
	if n := len(strings.TrimPrefix(text, "\xef\xbb\xbf")); n > 0 && text[len(text)-1] != '\n' && strings.HasSuffix(string(g.Source()), "\n") {
		t.Errorf("%q: the result ends in a line break: %q", text, g.Source())
	}
	return true
}

// path returns a path that is in the file, or near one.
func (w *writer) path(f *tomlfile.File) keypath.Path {
	var paths []keypath.Path
	for e := range f.Entries() {
		paths = append(paths, e.Path)
	}
	for _, h := range f.Tables() {
		paths = append(paths, h.Path)
	}
	p := keypath.Path{"n"}
	if len(paths) > 0 {
		p = paths[w.IntN(len(paths))]
	}
	switch w.IntN(4) {
	case 0:
		return p.Parent().Child("n")
	case 1:
		return p.Child("n", "m")[:len(p)+1+w.IntN(2)]
	case 2:
		if len(p) > 1 {
			return p.Parent()
		}
	}
	return p
}
