package dropin

import (
	"bytes"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// DefaultMode is the mode of a new file.
const DefaultMode fs.FileMode = 0o644

// A Change is one file as it was read and as it shall be.
type Change struct {
	Path   string // in the root, slash-separated, no leading slash
	Before []byte // nil: there is no such file
	After  []byte // nil: the file is removed
	// Mode is the mode of a new file, zero for DefaultMode. A file that is
	// already there keeps its mode.
	Mode fs.FileMode
}

// none reports whether c changes nothing.
func (c Change) none() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

// A Plan is the set of changes that are made together.
type Plan struct {
	Changes []Change
	Title   string // what it is for, in a few words, for the history
	// DropInDir is the drop-in directory, in the root. CRI-O reads every file
	// in it and below it, so nothing but finished drop-ins is put there. When
	// it is empty, the folder of each change is taken for one.
	DropInDir string
}

// Empty reports whether the plan changes no file.
func (p Plan) Empty() bool {
	for _, c := range p.Changes {
		if !c.none() {
			return false
		}
	}
	return true
}

// Diff returns the changes as one unified diff, in the order of the plan.
// Files are shown under the names that display gives them, new and removed ones
// against /dev/null. A nil display shows the paths as they are.
func (p Plan) Diff(display func(string) string) []byte {
	var b bytes.Buffer
	for _, c := range p.Changes {
		if c.none() {
			continue
		}
		name := c.Path
		if display != nil {
			name = display(c.Path)
		}
		b.Write(c.diff(printable(name)))
	}
	return b.Bytes()
}

func (c Change) diff(name string) []byte {
	from, to := name, name
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	d := diff.Diff(from, c.Before, to, c.After)
	if d == nil { // an empty file comes or goes
		return fmt.Appendf(nil, "--- %s\n+++ %s\n", from, to)
	}
	// The first line is the command line of diff, which a person did not type.
	_, d, _ = bytes.Cut(d, []byte("\n"))
	return d
}

// printable keeps a file name on one line of the terminal.
func printable(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return name
	}
	return strconv.Quote(name)
}
