package patches

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fileInserts are the lines that a diff adds to one file.
type fileInserts struct {
	path    string
	create  bool // the file is made
	inserts []insert
}

// An insert is a run of lines, each with its line end, that comes after the line
// of the old file with that number; 0 is the beginning.
type insert struct {
	after int
	lines []byte
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// parse reads a unified diff without context that only adds lines, as "git diff
// -U0" writes it. Text before the first file is passed over, as patch does.
func parse(text []byte) ([]fileInserts, error) {
	r := &diffReader{lines: bytes.SplitAfter(text, []byte("\n"))}
	if n := len(r.lines); n > 0 && len(r.lines[n-1]) == 0 {
		r.lines = r.lines[:n-1]
	}
	for !r.end() {
		if err := r.next(); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.at+1, err)
		}
	}
	if len(r.files) == 0 {
		return nil, errors.New("it changes no file")
	}
	for _, f := range r.files {
		if len(f.inserts) == 0 {
			return nil, fmt.Errorf("it adds nothing to %s", f.path)
		}
	}
	return r.files, nil
}

type diffReader struct {
	lines [][]byte
	at    int
	files []fileInserts
	shift int // how many lines the hunks so far have added to the file
}

func (r *diffReader) end() bool { return r.at >= len(r.lines) }

func (r *diffReader) line() string {
	if r.end() {
		return ""
	}
	return strings.TrimSuffix(string(r.lines[r.at]), "\n")
}

// next reads one file header, one hunk, or one line between them.
func (r *diffReader) next() error {
	line := r.line()
	switch {
	case strings.HasPrefix(line, "--- "):
		return r.header()
	case strings.HasPrefix(line, "@@"):
		return r.hunk()
	case strings.HasPrefix(line, "diff --git "), strings.HasPrefix(line, "index "), strings.HasPrefix(line, "new file mode 100644"):
	case len(r.files) > 0:
		return fmt.Errorf("%q is no part of a diff that only adds lines", line)
	case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-"):
		if line != "---" { // between the message and the diffstat of a mail
			return fmt.Errorf("%q stands before any file", line)
		}
	}
	r.at++
	return nil
}

func (r *diffReader) header() error {
	from := name(r.line()[4:])
	r.at++
	if !strings.HasPrefix(r.line(), "+++ ") {
		return errors.New("a line with +++ is missing")
	}
	to := name(r.line()[4:])
	path, ok := strings.CutPrefix(to, "b/")
	if !ok || !fs.ValidPath(path) || path == "." {
		return fmt.Errorf("%q is no file of the source tree", to)
	}
	create := from == "/dev/null"
	if !create && from != "a/"+path {
		return fmt.Errorf("%q is not the file of the line before, %q", to, from)
	}
	if slices.ContainsFunc(r.files, func(f fileInserts) bool { return f.path == path }) {
		return fmt.Errorf("%s comes twice", path)
	}
	r.files = append(r.files, fileInserts{path: path, create: create})
	r.shift = 0
	r.at++
	return nil
}

// name takes off what stands after a tab, which is a time.
func name(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	return s
}

func (r *diffReader) hunk() error {
	m := hunkHeader.FindStringSubmatch(r.line())
	if m == nil {
		return fmt.Errorf("bad header %q", r.line())
	}
	if len(r.files) == 0 {
		return errors.New("a hunk stands before any file")
	}
	f := &r.files[len(r.files)-1]
	var n [4]int
	for i, s := range m[1:] {
		n[i] = 1 // a count that is left out
		if s == "" {
			continue
		}
		var err error
		if n[i], err = strconv.Atoi(s); err != nil {
			return err
		}
	}
	after, removed, begin, count := n[0], n[1], n[2], n[3]
	switch {
	case removed != 0:
		return errors.New("the hunk has context or removes lines")
	case count == 0:
		return errors.New("the hunk adds nothing")
	case f.create && after != 0:
		return errors.New("a new file has no lines to add to")
	case len(f.inserts) > 0 && after <= f.inserts[len(f.inserts)-1].after:
		return errors.New("the hunks are not in order")
	case begin != after+r.shift+1:
		return fmt.Errorf("the new lines begin at %d and not at %d", after+r.shift+1, begin)
	}
	var added []byte
	for range count {
		r.at++
		if r.end() || r.lines[r.at][0] != '+' || !bytes.HasSuffix(r.lines[r.at], []byte("\n")) {
			return fmt.Errorf("the hunk has fewer than %d added lines", count)
		}
		added = append(added, r.lines[r.at][1:]...)
	}
	r.at++
	r.shift += count
	f.inserts = append(f.inserts, insert{after, added})
	return nil
}

// apply returns the file with the lines put in.
func (f fileInserts) apply(old []byte) ([]byte, error) {
	lines := bytes.SplitAfter(old, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	var out []byte
	done := 0
	for _, in := range f.inserts {
		if in.after > len(lines) {
			return nil, fmt.Errorf("%s has %d lines and no line %d", f.path, len(lines), in.after)
		}
		for _, l := range lines[done:in.after] {
			out = append(out, l...)
		}
		if len(out) > 0 && out[len(out)-1] != '\n' {
			return nil, fmt.Errorf("the last line of %s has no end", f.path)
		}
		done = in.after
		out = append(out, in.lines...)
	}
	for _, l := range lines[done:] {
		out = append(out, l...)
	}
	return out, nil
}
