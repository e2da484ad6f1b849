package hostfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// maxLinks is how many symbolic links the kernel follows in one name before it
// says ELOOP.
const maxLinks = 40

// A place is where a name leads: a part in an open directory.
type place struct {
	dir  int    // the open directory; valid until close
	base string // the part, "." for the directory itself
	stat unix.Stat_t
	err  error // of looking at the part: not there, or not to be seen

	link  string // target of the link followed last, as it stands in the link
	stack []dirStep
}

// A dirStep is one directory of the walk, below the root.
type dirStep struct {
	fd   int
	name string
}

func (p *place) close() {
	for _, d := range p.stack {
		unix.Close(d.fd)
	}
	p.stack = nil
}

// walk follows name from the directory root. It returns an error when a
// directory on the way is missing or not to be entered; what is wrong with the
// last part alone is in place.err. With follow unset a link as the last part is
// the place itself.
func walk(root int, name string, follow bool) (*place, error) {
	p := &place{dir: root, base: "."}
	rest, links := name, 0
	for {
		part, after, more := strings.Cut(rest, "/")
		rest = after
		switch {
		case !more:
			if part == ".." {
				p.up(root)
				part = "."
			}
			target, err := p.look(root, part, follow)
			if err != nil || target == "" {
				return p, p.failed(err)
			}
			rest = target
		case part == "" || part == ".":
			continue
		case part == "..":
			p.up(root)
			continue
		default:
			target, err := p.down(part)
			if err != nil {
				return p, p.failed(err)
			}
			if target == "" {
				continue
			}
			rest = target + "/" + rest
		}
		if links++; links > maxLinks {
			return p, p.failed(unix.ELOOP)
		}
		if strings.HasPrefix(rest, "/") {
			p.close()
			p.dir = root
		}
	}
}

// failed closes what the walk holds when it ends with an error.
func (p *place) failed(err error) error {
	if err != nil {
		p.close()
	}
	return err
}

// look ends the walk at part, unless it is a link to follow: then it returns
// the target.
func (p *place) look(root int, part string, follow bool) (target string, err error) {
	if part == "" { // a name or target that ends in a slash
		part = "."
	}
	p.base = part
	p.err = retry(func() error { return unix.Fstatat(p.dir, part, &p.stat, unix.AT_SYMLINK_NOFOLLOW) })
	if p.err != nil || !follow || p.stat.Mode&unix.S_IFMT != unix.S_IFLNK {
		return "", nil
	}
	return p.readlink(part)
}

// down enters the directory part. If part is a link it returns the target
// instead.
func (p *place) down(part string) (target string, err error) {
	fd, err := openat(p.dir, part, searchFlags|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err == nil {
		p.stack = append(p.stack, dirStep{fd, part})
		p.dir = fd
		return "", nil
	}
	// Whether a link that must not be followed is ENOTDIR or ELOOP depends on
	// the system and the flags.
	if errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		target, err := p.readlink(part)
		if errors.Is(err, unix.EINVAL) { // no link
			return "", unix.ENOTDIR
		}
		return target, err
	}
	return "", err
}

// up goes back to the directory that the walk came from. The root is its own
// parent.
func (p *place) up(root int) {
	if n := len(p.stack); n > 0 {
		unix.Close(p.stack[n-1].fd)
		p.stack = p.stack[:n-1]
	}
	p.dir = root
	if n := len(p.stack); n > 0 {
		p.dir = p.stack[n-1].fd
	}
}

func (p *place) readlink(part string) (string, error) {
	for size := 256; ; size *= 2 {
		b := make([]byte, size)
		var n int
		err := retry(func() (err error) { n, err = unix.Readlinkat(p.dir, part, b); return err })
		if err != nil {
			return "", err
		}
		if n == 0 {
			return "", unix.ENOENT
		}
		if n < size {
			p.link = string(b[:n])
			return p.link, nil
		}
	}
}

// name is the in-root name without links. It is known until close.
func (p *place) name() string {
	parts := make([]string, 0, len(p.stack)+1)
	for _, d := range p.stack {
		parts = append(parts, d.name)
	}
	return path.Join(append(parts, p.base)...)
}

// explain adds the link to an error about a file that a link leads to, since
// the name that was asked for does exist.
func (p *place) explain(err error) error {
	if p == nil || p.link == "" || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("symbolic link to %s: %w", p.link, err)
}

func openat(dir int, name string, flags int) (fd int, err error) {
	err = retry(func() (err error) {
		fd, err = unix.Openat(dir, name, flags|unix.O_CLOEXEC, 0)
		return err
	})
	return fd, err
}

// retry calls f again when a signal came in between, as package os does.
func retry(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}
