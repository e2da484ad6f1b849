package crio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/crioctl/crioctl-net/schema"
)

// A Package is an installed package that holds CRI-O.
type Package struct {
	Name    string
	Version schema.Version
	Raw     string // the package's version as the package manager has it
	File    string // the package manager's list, a name in the file system
}

// ErrNoPackage says that no package of CRI-O was found.
var ErrNoPackage = fmt.Errorf("no package of CRI-O: %w", fs.ErrNotExist)

// packageLists are the package managers' lists that are plain text: a stanza
// per package with a line for each field. The database of rpm is not, and is
// not read.
var packageLists = []struct{ file, name, version, status string }{
	{"var/lib/dpkg/status", "Package: ", "Version: ", "Status: "},
	{"lib/apk/db/installed", "P:", "V:", ""},
}

// packageName matches cri-o and cri-o-1.24, and not cri-o-runc.
var packageName = regexp.MustCompile(`^cri-o(-?\d+\.\d+)?$`)

// FindPackage returns the installed package of CRI-O in the root of a node. It
// is how the version of a node that is not running can be known.
func FindPackage(fsys fs.FS) (Package, error) {
	for _, l := range packageLists {
		data, err := fs.ReadFile(fsys, l.file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Package{}, fmt.Errorf("read the list of packages: %w", err)
		}
		p := Package{File: l.file}
		installed := l.status == ""
		for lines := bufio.NewScanner(bytes.NewReader(append(data, "\n\n"...))); lines.Scan(); {
			line := lines.Text()
			if after, ok := strings.CutPrefix(line, l.name); ok {
				p.Name = after
			} else if after, ok := strings.CutPrefix(line, l.version); ok {
				p.Raw = after
			} else if after, ok := strings.CutPrefix(line, l.status); ok && l.status != "" {
				installed = strings.HasSuffix(after, " installed")
			}
			if line != "" {
				continue
			}
			if packageName.MatchString(p.Name) && installed {
				p.Version, err = schema.ParseVersion(upstream(p.Raw))
				if err != nil {
					return p, fmt.Errorf("package %s: %w", p.Name, err)
				}
				return p, nil
			}
			p.Name, p.Raw, installed = "", "", l.status == ""
		}
	}
	return Package{}, ErrNoPackage
}
