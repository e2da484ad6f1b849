package hostfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// ErrNotRegular says that a file is neither a regular file nor a directory, so
// that opening it could block or do something.
var ErrNotRegular = errors.New("not a regular file")

// FS is the tree of files below a root directory. It may be used by several
// goroutines at once.
type FS struct {
	root string
	dir  *os.File
}

var (
	_ fs.StatFS     = (*FS)(nil)
	_ fs.ReadFileFS = (*FS)(nil)
	_ fs.ReadDirFS  = (*FS)(nil)
	_ fs.ReadLinkFS = (*FS)(nil)
)

// Open returns the tree below root, "/" for the host's own. Links in root itself
// are followed as usual. An empty root is an error and not the live host: it
// comes from a variable that a script forgot to set.
func Open(root string) (*FS, error) {
	if root == "" {
		return nil, errors.New("the root directory has an empty name")
	}
	d, err := os.OpenFile(root, searchFlags|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &FS{root: filepath.Clean(root), dir: d}, nil
}

// Close lets go of the root directory.
func (f *FS) Close() error { return f.dir.Close() }

// Root returns the root directory as it was given to Open, cleaned.
func (f *FS) Root() string { return f.root }

// Path returns name as a person would type it outside the tree: with the root
// in front. It is for messages and is not resolved.
func (f *FS) Path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// Open opens a regular file or a directory for reading.
func (f *FS) Open(name string) (fs.File, error) {
	h, err := f.open(name)
	if err != nil {
		return nil, err
	}
	return h, nil
}

func (f *FS) open(name string) (*file, error) {
	p, err := f.follow("open", name, true)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := openable(&p.stat); err != nil {
		return nil, f.fail("open", name, err)
	}
	// The place may have become something else since the look at it: a link is
	// not followed, a pipe does not block, and fstat has the last word.
	fd, err := openat(p.dir, p.base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return nil, f.fail("open", name, err)
	}
	var st unix.Stat_t
	if err = unix.Fstat(fd, &st); err == nil {
		err = openable(&st)
	}
	if err == nil {
		err = unix.SetNonblock(fd, false)
	}
	if err != nil {
		unix.Close(fd)
		return nil, f.fail("open", name, err)
	}
	return &file{File: os.NewFile(uintptr(fd), f.Path(name)), fsys: f, name: name, real: p.name()}, nil
}

// openable says whether opening a file of that kind has no side effect.
func openable(st *unix.Stat_t) error {
	switch m := fileMode(uint32(st.Mode)); {
	case m.IsRegular(), m.IsDir():
		return nil
	case m&fs.ModeNamedPipe != 0:
		return fmt.Errorf("named pipe, %w", ErrNotRegular)
	case m&fs.ModeSocket != 0:
		return fmt.Errorf("socket, %w", ErrNotRegular)
	case m&fs.ModeDevice != 0:
		return fmt.Errorf("device, %w", ErrNotRegular)
	}
	return ErrNotRegular
}

// OpenFile opens a regular file for reading, for those who need more of it than
// fs.File gives. The file's Name is Path(name).
func (f *FS) OpenFile(name string) (*os.File, error) {
	h, err := f.open(name)
	if err != nil {
		return nil, err
	}
	st, err := h.Stat()
	if err == nil && st.IsDir() {
		err = f.fail("open", name, unix.EISDIR)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h.File, nil
}

// Stat describes the file that name leads to.
func (f *FS) Stat(name string) (fs.FileInfo, error) { return f.info("stat", name, true) }

// Lstat describes name itself, be it a link.
func (f *FS) Lstat(name string) (fs.FileInfo, error) { return f.info("lstat", name, false) }

func (f *FS) info(op, name string, follow bool) (fs.FileInfo, error) {
	p, err := f.follow(op, name, follow)
	if err != nil {
		return nil, err
	}
	p.close()
	return &info{name: path.Base(name), stat: p.stat}, nil
}

// ReadLink returns the target of the link name as it stands there.
func (f *FS) ReadLink(name string) (string, error) {
	p, err := f.follow("readlink", name, false)
	if err != nil {
		return "", err
	}
	defer p.close()
	target, err := p.readlink(p.base)
	if err != nil {
		return "", f.fail("readlink", name, err)
	}
	return target, nil
}

// ReadFile returns the bytes of a regular file.
func (f *FS) ReadFile(name string) ([]byte, error) {
	h, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	st, err := h.Stat()
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return nil, f.fail("read", name, unix.EISDIR)
	}
	var b bytes.Buffer
	b.Grow(int(st.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(h.File); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ReadDir returns the entries of a directory, sorted by name byte by byte.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	h, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	l, err := h.ReadDir(-1)
	slices.SortFunc(l, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return l, err
}

// Resolve returns the name of the file that name leads to, without any link in
// it. The file need not exist, its directory must: then the answer is where the
// file would be made. A link to a missing file is followed too.
func (f *FS) Resolve(name string) (string, error) {
	p, err := f.place("resolve", name, true)
	if err != nil {
		return "", err
	}
	defer p.close()
	if p.err != nil && !errors.Is(p.err, fs.ErrNotExist) {
		return "", f.fail("resolve", name, p.err)
	}
	return p.name(), nil
}

// OpenDir opens the directory that name leads to as a handle for system calls
// that take one. The handle's Name is Path(name).
func (f *FS) OpenDir(name string) (*os.File, error) {
	p, err := f.follow("open", name, true)
	if err != nil {
		return nil, err
	}
	defer p.close()
	fd, err := openat(p.dir, p.base, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return nil, f.fail("open", name, err)
	}
	return os.NewFile(uintptr(fd), f.Path(name)), nil
}

// follow is place for a file that must exist.
func (f *FS) follow(op, name string, follow bool) (*place, error) {
	p, err := f.place(op, name, follow)
	if err != nil {
		return nil, err
	}
	if p.err != nil {
		p.close()
		return nil, f.fail(op, name, p.explain(p.err))
	}
	return p, nil
}

func (f *FS) place(op, name string, follow bool) (*place, error) {
	if !fs.ValidPath(name) {
		return nil, f.fail(op, name, fs.ErrInvalid)
	}
	p, err := walk(int(f.dir.Fd()), name, follow)
	runtime.KeepAlive(f) // or a finalizer could close the root under the walk
	if err != nil {
		return nil, f.fail(op, name, p.explain(err))
	}
	return p, nil
}

func (f *FS) fail(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: f.Path(name), Err: err}
}
