package hostfs

import (
	"io/fs"
	"os"
	"path"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// A file is an open regular file or directory. Package os would look for
// further facts about it by its name, which is not resolved as names in the
// tree are; file asks the tree instead.
type file struct {
	*os.File
	fsys *FS
	name string // as asked for
	real string // without links
}

var _ fs.ReadDirFile = (*file)(nil)

// Stat describes the open file.
func (h *file) Stat() (fs.FileInfo, error) {
	var st unix.Stat_t
	err := unix.Fstat(int(h.Fd()), &st)
	runtime.KeepAlive(h)
	if err != nil {
		return nil, h.fsys.fail("stat", h.name, err)
	}
	return &info{name: path.Base(h.name), stat: st}, nil
}

// ReadDir returns the next entries of a directory, in its own order.
func (h *file) ReadDir(n int) ([]fs.DirEntry, error) {
	l, err := h.File.ReadDir(n)
	for i, e := range l {
		l[i] = entry{DirEntry: e, fsys: h.fsys, dir: h.real}
	}
	return l, err
}

// An entry is a member of a directory.
type entry struct {
	fs.DirEntry
	fsys *FS
	dir  string
}

// Info describes the entry itself, be it a link.
func (e entry) Info() (fs.FileInfo, error) { return e.fsys.Lstat(path.Join(e.dir, e.Name())) }

// info is the answer of stat. Sys returns the *unix.Stat_t.
type info struct {
	name string
	stat unix.Stat_t
}

func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.stat.Size }
func (i *info) Mode() fs.FileMode  { return fileMode(uint32(i.stat.Mode)) }
func (i *info) ModTime() time.Time { return time.Unix(i.stat.Mtim.Unix()) }
func (i *info) IsDir() bool        { return i.Mode().IsDir() }
func (i *info) Sys() any           { return &i.stat }

// fileMode is the kernel's mode in the words of package fs.
func fileMode(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	for _, b := range []struct {
		bit  uint32
		mode fs.FileMode
	}{{unix.S_ISUID, fs.ModeSetuid}, {unix.S_ISGID, fs.ModeSetgid}, {unix.S_ISVTX, fs.ModeSticky}} {
		if m&b.bit != 0 {
			mode |= b.mode
		}
	}
	switch m & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	}
	return mode
}
