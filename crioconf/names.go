package crioconf

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// names reports drop-ins whose names say that they are not meant to be read, or
// that they are meant to be read in another order. CRI-O reads every file,
// whatever its name (cri-o pkg/config/config.go, UpdateFromPath).
func (l *layers) names() {
	if !l.config.listed || len(l.config.layers) > 1 {
		for i, layer := range l.config.layers {
			if layer.role == DropIn {
				l.stray(i, layer)
			}
		}
		l.order()
	}
}

// A leftover is an ending of names that programs give to files that shall not
// count.
type leftover struct{ suffix, what string }

func leftovers() []leftover {
	return []leftover{
		{"~", "the backup of an editor"},
		{".swp", "the swap file of an editor"}, {".swo", "the swap file of an editor"}, {".swn", "the swap file of an editor"},
		{".bak", "a backup"}, {".backup", "a backup"}, {".orig", "a backup"}, {".old", "a backup"}, {".save", "a backup"},
		{".rpmsave", "a left-over of the package manager"}, {".rpmnew", "a left-over of the package manager"},
		{".rpmorig", "a left-over of the package manager"}, {".dpkg-old", "a left-over of the package manager"},
		{".dpkg-new", "a left-over of the package manager"}, {".dpkg-dist", "a left-over of the package manager"},
		{".dpkg-bak", "a left-over of the package manager"}, {".dpkg-tmp", "a left-over of the package manager"},
		{".ucf-old", "a left-over of the package manager"}, {".ucf-new", "a left-over of the package manager"},
		{".ucf-dist", "a left-over of the package manager"}, {".pacsave", "a left-over of the package manager"},
		{".pacnew", "a left-over of the package manager"}, {".apk-new", "a left-over of the package manager"},
		{".tmp", "a temporary file"}, {".part", "a temporary file"},
		{".disabled", "switched off"}, {".off", "switched off"}, {".example", "an example"}, {".sample", "an example"},
		{".md", "documentation"}, {".rst", "documentation"},
	}
}

// strayKind returns what a name says about its file, "" for an ordinary one, and
// the name without that.
func strayKind(name string) (what, base string) {
	lower := strings.ToLower(name)
	for _, s := range leftovers() {
		if strings.HasSuffix(lower, s.suffix) && len(name) > len(s.suffix) {
			return s.what, strings.TrimPrefix(name[:len(name)-len(s.suffix)], ".")
		}
	}
	switch {
	case strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"), strings.HasPrefix(name, ".#"):
		return "the backup of an editor", strings.Trim(name, ".#")
	case strings.HasPrefix(lower, "readme"), strings.HasPrefix(lower, "license"), strings.HasPrefix(lower, "copying"):
		return "documentation", ""
	}
	return "", ""
}

func (l *layers) stray(i int, layer *layer) {
	name := path.Base(layer.name)
	what, base := strayKind(name)
	d := diag.Diagnostic{
		Code: diag.StrayFile, Severity: diag.Warning, Effect: diag.None, Range: diag.Range{File: layer.file.Name()},
		Summary: fmt.Sprintf("the file looks like %s, and CRI-O reads it", what),
		Detail:  "CRI-O reads every file of the drop-in directory, whatever its name.",
		Hint:    "Move it out of the directory.",
	}
	switch {
	case what == "" && strings.HasPrefix(name, "."):
		d.Severity, d.Summary = diag.Info, "the file is hidden, and CRI-O reads it"
	case what == "":
		return
	}
	if what == "switched off" {
		d.Summary = "the name says that the file is switched off, and CRI-O reads it"
	}
	for n, other := range l.config.layers {
		if base == "" || path.Base(other.name) != base || path.Dir(other.name) != path.Dir(layer.name) {
			continue
		}
		first, last := other, layer
		if n > i {
			first, last = layer, other
		}
		d.Detail += fmt.Sprintf(" It reads %s before %s, whose values win.", path.Base(first.name), path.Base(last.name))
		d.Related = []diag.Related{{Range: diag.Range{File: other.file.Name()}, Message: "the file that it is made from"}}
	}
	if layer.file.Refused() != nil {
		d.Detail += " What stands in this one is not TOML, so CRI-O does not start."
	}
	l.list = append(l.list, d)
}

// maxContested bounds how many later files are searched for a key that a file
// sets as well.
const maxContested = 100

// order reports numbers of different lengths at the front of names, which sort
// as text and not as numbers.
func (l *layers) order() {
	byName := slices.SortedFunc(slices.Values(l.config.layers), func(a, b *layer) int { return walkOrder(a.name, b.name) })
	later := map[string][]numbered{} // by directory, the last read first
	for _, layer := range slices.Backward(byName) {
		number, ok := leadingNumber(path.Base(layer.name))
		if layer.role != DropIn || !ok {
			continue
		}
		dir := path.Dir(layer.name)
		if before := later[dir]; len(before) > 0 && before[len(before)-1].lowest < number {
			l.outOfOrder(layer, l.earlierNumber(layer, number, before))
		}
		later[dir] = appendNumbered(later[dir], layer, number)
	}
}

// A numbered is a file with a number at the front of its name, and the lowest
// number of this file and those read after it.
type numbered struct {
	layer          *layer
	number, lowest int
}

func appendNumbered(list []numbered, l *layer, number int) []numbered {
	lowest := number
	if n := len(list); n > 0 {
		lowest = min(lowest, list[n-1].lowest)
	}
	return append(list, numbered{l, number, lowest})
}

// earlierNumber returns a file that is read after another although its number
// is lower: one that sets the same keys, else the next.
func (l *layers) earlierNumber(of *layer, number int, later []numbered) *layer {
	var found *layer
	for i := len(later) - 1; i >= 0 && later[i].lowest < number; i-- {
		other := later[i]
		if other.number >= number {
			continue
		}
		if l.contested(of, other.layer) != "" {
			return other.layer
		}
		if found == nil {
			found = other.layer
		}
		if len(later)-i > maxContested {
			break
		}
	}
	return found
}

func leadingNumber(name string) (int, bool) {
	digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

func (l *layers) outOfOrder(first, later *layer) {
	d := diag.Diagnostic{
		Code: diag.DropInOrder, Severity: diag.Info, Effect: diag.None, Range: diag.Range{File: first.file.Name()},
		Summary: fmt.Sprintf("CRI-O reads %s before %s", path.Base(first.name), path.Base(later.name)),
		Detail:  "Names sort as text, byte by byte, and not by their numbers.",
		Hint:    "Use numbers of the same length.",
		Related: []diag.Related{{Range: diag.Range{File: later.file.Name()}, Message: "is read later"}},
	}
	if key := l.contested(first, later); key != "" {
		d.Severity, d.Effect = diag.Warning, diag.Replaced
		d.Detail += fmt.Sprintf(" Both files set %s, and %s wins.", key, path.Base(later.name))
	}
	l.list = append(l.list, d)
}

// contested returns a key or entry that both layers set, or "".
func (l *layers) contested(a, b *layer) string {
	sets := map[string]bool{}
	for _, s := range a.steps {
		sets[s.name()] = true
	}
	for _, s := range b.steps {
		if sets[s.name()] {
			return s.name()
		}
	}
	return ""
}

// name returns the key or the entry that a step is about.
func (s step) name() string {
	if s.entry != nil {
		return s.entry.in.path.Child(s.entry.name).String()
	}
	return s.field.path.String()
}
