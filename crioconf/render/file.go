package render

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// A File is one file of a node. It belongs to root.
type File struct {
	Path string // absolute and clean
	Data []byte
	Mode fs.FileMode // permission bits, zero for dropin.DefaultMode
}

// Permissions returns the mode that the file gets.
func (f File) Permissions() fs.FileMode {
	if f.Mode == 0 {
		return dropin.DefaultMode
	}
	return f.Mode
}

// Files returns the files that a plan writes. A plan that removes a file is an
// error: the formats of this package say what a node has and cannot say what it
// has not.
func Files(p dropin.Plan) ([]File, error) {
	var files []File
	for _, c := range p.Changes {
		if c.After == nil {
			return nil, fmt.Errorf("/%s is removed by the plan, which no provisioning format can say", c.Path)
		}
		files = append(files, File{Path: "/" + c.Path, Data: c.After, Mode: c.Mode})
	}
	return files, nil
}

// checked returns the files in the order of their paths, with their modes, or
// says what is wrong with one of them.
func checked(files []File) ([]File, error) {
	if len(files) == 0 {
		return nil, errors.New("there is no file to render")
	}
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	seen := map[string]bool{}
	for i := range sorted {
		f := &sorted[i]
		if err := checkPath(f.Path); err != nil {
			return nil, err
		}
		if seen[f.Path] {
			return nil, fmt.Errorf("%s is given twice", f.Path)
		}
		seen[f.Path] = true
		f.Mode = f.Permissions()
		if f.Mode&^fs.ModePerm != 0 {
			return nil, fmt.Errorf("%s: the mode %v has more than permission bits", f.Path, f.Mode)
		}
	}
	for _, f := range sorted {
		for dir := path.Dir(f.Path); dir != "/"; dir = path.Dir(dir) {
			if seen[dir] {
				return nil, fmt.Errorf("%s is a file and cannot hold %s", dir, f.Path)
			}
		}
	}
	return sorted, nil
}

// checkPath refuses what a format cannot hold or a tool would not write.
func checkPath(p string) error {
	switch {
	case !utf8.ValidString(p):
		return fmt.Errorf("%q is not UTF-8, which every format demands of a path", p)
	case strings.ContainsFunc(p, unicode.IsControl):
		return fmt.Errorf("%q has a control character in its name", p)
	case !strings.HasPrefix(p, "/") || path.Clean(p) != p || p == "/":
		return fmt.Errorf("%q is not the absolute path of a file", p)
	}
	return nil
}

// An Encoding says how the bytes of a file stand in the output.
type Encoding uint8

// Plain keeps them as readable as the format can: percent-encoded in a data URL
// (RFC 2397), as a block of text in YAML. Bytes that YAML cannot hold unchanged
// are encoded nevertheless. Base64 encodes them always.
const (
	Plain Encoding = iota
	Base64
)

// dataURL returns the bytes as a data URL. Everything but the unreserved
// characters of RFC 3986 is escaped, so that no reader can stumble.
func dataURL(data []byte, e Encoding) string {
	if e == Base64 {
		return "data:;base64," + base64.StdEncoding.EncodeToString(data)
	}
	return "data:," + strings.ReplaceAll(url.QueryEscape(string(data)), "+", "%20")
}

// readsBack reports whether every YAML reader gives the text back unchanged. It
// is stricter than YAML: a carriage return, a byte order mark and the line breaks
// of Unicode are read differently by YAML 1.1 and 1.2, and the indentation of a
// block is taken from its first line.
func readsBack(data []byte) bool {
	if !utf8.Valid(data) || len(data) > 0 && strings.ContainsRune(" \t\n", rune(data[0])) {
		return false
	}
	return !strings.ContainsFunc(string(data), func(r rune) bool {
		return r != '\n' && r != '\t' && !unicode.IsPrint(r)
	})
}
