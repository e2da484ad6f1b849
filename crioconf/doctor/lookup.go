package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/crioctl/crioctl-net/crioconf/crio"
)

// servicePath is the $PATH that systemd gives to a service whose unit says
// nothing else; see systemd.exec(5).
const servicePath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// searchPath returns the folders in which CRI-O looks for programs, and who says
// so.
func (n *Node) searchPath() (dirs []string, from string) {
	value, from := servicePath, "that of systemd"
	for _, v := range n.Unit.Env {
		if v.Name == "PATH" {
			value, from = v.Value, v.Range.String()
		}
	}
	for _, d := range strings.Split(value, ":") {
		if path.IsAbs(d) && !slices.Contains(dirs, path.Clean(d)) {
			dirs = append(dirs, path.Clean(d))
		}
	}
	return dirs, from
}

// otherDirs are further folders into which packages put programs for CRI-O.
var otherDirs = []string{
	"/usr/libexec/crio", "/usr/lib/crio", "/usr/local/libexec/crio", "/usr/local/lib/crio", "/usr/libexec/podman",
	"/usr/libexec", "/usr/lib/cri-o-runc/sbin", "/opt/cri-o/bin", "/opt/bin",
	"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
}

// A program is the answer to where a program is.
type program struct {
	path      string // where it was found, or the configured path
	found     bool
	plain     bool   // it is there and not executable
	elsewhere string // another place that has it, "" for none
	known     bool   // false: the root holds too little to tell
	err       error  // why it could not be looked for
}

// missing reports whether the program is not there, for certain.
func (p program) missing() bool { return !p.found && p.known && p.err == nil }

// inPath looks for a program as CRI-O does when no path is configured.
func (n *Node) inPath(name string) program {
	dirs, _ := n.searchPath()
	p := n.search(name, dirs)
	if p.found || p.err != nil {
		return p
	}
	more := n.search(name, otherDirs)
	p.elsewhere = more.path
	p.known = n.whole() || more.found
	return p
}

// at looks for a program at a configured path. CRI-O asks only whether something
// is there.
func (n *Node) at(configured string) program {
	p := program{path: configured, known: true}
	info, err := fs.Stat(n.FS, toName(configured))
	switch {
	case err == nil:
		p.found = true
		p.plain = info.IsDir() || info.Mode()&0o111 == 0
		return p
	case !errors.Is(err, fs.ErrNotExist):
		p.err = err
		return p
	}
	dirs, _ := n.searchPath()
	more := n.search(path.Base(configured), append(dirs, otherDirs...))
	p.elsewhere = more.path
	p.known = n.whole() || more.found
	return p
}

// search looks for an executable file as exec.LookPath does.
func (n *Node) search(name string, dirs []string) program {
	var p program
	for _, d := range dirs {
		file := path.Join(d, name)
		info, err := fs.Stat(n.FS, toName(file))
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && p.err == nil && !errors.Is(err, syscall.ENOTDIR) {
				p.err = err
			}
			continue
		}
		if !info.IsDir() && info.Mode()&0o111 != 0 {
			return program{path: file, found: true, known: true}
		}
	}
	return p
}

// searched reports whether the folder is one in which CRI-O looks.
func (n *Node) searched(file string) bool {
	dirs, _ := n.searchPath()
	return slices.Contains(dirs, path.Dir(file))
}

// whole reports whether the files are those of a whole system, so that what is
// not there is missing. A root made for a test, or of one folder of a node, says
// nothing about the rest.
func (n *Node) whole() bool {
	if n.Live {
		return true
	}
	if _, err := crio.FindBinary(n.FS, n.Unit); err == nil {
		return true
	}
	for _, shell := range []string{"bin/sh", "usr/bin/sh", "bin/bash", "usr/bin/bash"} {
		if _, err := fs.Stat(n.FS, shell); err == nil {
			return true
		}
	}
	return false
}

// partly says why nothing is said about files that are not there.
func (n *Node) partly(what string) string {
	return fmt.Sprintf("the root holds no whole system, so that nothing can be said about %s", what)
}
