package diag

import (
	"fmt"
	"strings"
)

// A Tally counts findings over any number of lists. The zero Tally is empty.
type Tally struct{ Errors, Warnings, Infos, Files int }

// Add counts the diagnostics of l and files more files.
func (t *Tally) Add(files int, l List) {
	t.Files += files
	t.Errors += l.Count(Error)
	t.Warnings += l.Count(Warning)
	t.Infos += l.Count(Info)
}

// String returns "2 errors, 1 warning in 3 files". What there is none of is left
// out; without any findings it is "no findings in 3 files".
func (t Tally) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{t.Errors, "error"}, {t.Warnings, "warning"}, {t.Infos, "info"}} {
		if p.n > 0 {
			parts = append(parts, plural(p.n, p.noun))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no findings"}
	}
	return strings.Join(parts, ", ") + " in " + plural(t.Files, "file")
}

func plural(n int, noun string) string {
	if n == 1 || noun == "info" {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
