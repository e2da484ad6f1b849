package dropin

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// A system makes changes to the file system, each through one of its methods
// and relative to an open directory.
type system struct {
	// before is called ahead of each change; an error takes the place of the
	// change. Tests use it to fail, or to end the process, at every step.
	before func(op, path string) error
}

// A dir is an open directory. Its Name is the path for messages.
type dir struct {
	*os.File
	name string // in the root, without links
}

func (d *dir) path(base string) string { return filepath.Join(d.Name(), base) }

func (d *dir) fd() int { return int(d.Fd()) }

// do makes one change. The error names the step and the path.
func (y *system) do(op, path string, f func() error) error {
	var err error
	if y.before != nil {
		err = y.before(op, path)
	}
	if err == nil {
		err = f()
		for errors.Is(err, unix.EINTR) {
			err = f()
		}
	}
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	if errors.As(err, &pe) { // from package os, which names the step in its own way
		err = pe.Err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

func (y *system) mkdir(d *dir, base string, mode uint32) error {
	return y.do("mkdir", d.path(base), func() error { return unix.Mkdirat(d.fd(), base, mode) })
}

// create makes a file that did not exist, readable by nobody else until its
// mode is set.
func (y *system) create(d *dir, base string) (f *os.File, err error) {
	err = y.do("create", d.path(base), func() error {
		fd, err := unix.Openat(d.fd(), base, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		if err == nil {
			f = os.NewFile(uintptr(fd), d.path(base))
		}
		return err
	})
	return f, err
}

// createUnnamed makes a file without a name, which is gone when it is closed.
// base is the name that it will get.
func (y *system) createUnnamed(d *dir, base string) (f *os.File, err error) {
	err = y.do("create", d.path(base), func() error {
		fd, err := openUnnamed(d.fd())
		if err == nil {
			f = os.NewFile(uintptr(fd), d.path(base))
		}
		return err
	})
	return f, err
}

func (y *system) write(f *os.File, b []byte) error {
	return y.do("write", f.Name(), func() error {
		_, err := f.Write(b)
		return err
	})
}

func (y *system) sync(f *os.File) error { return y.do("sync", f.Name(), f.Sync) }

func (y *system) chmod(f *os.File, mode uint32) error {
	return y.do("chmod", f.Name(), func() error { return unix.Fchmod(int(f.Fd()), mode) })
}

func (y *system) chown(f *os.File, uid, gid int) error {
	return y.do("chown", f.Name(), func() error { return unix.Fchown(int(f.Fd()), uid, gid) })
}

func (y *system) setxattr(f *os.File, attr string, value []byte) error {
	return y.do("set "+attr+" of", f.Name(), func() error { return unix.Fsetxattr(int(f.Fd()), attr, value, 0) })
}

func (y *system) removexattr(f *os.File, attr string) error {
	return y.do("remove "+attr+" of", f.Name(), func() error { return unix.Fremovexattr(int(f.Fd()), attr) })
}

// rename moves a file over another.
func (y *system) rename(from *dir, old string, to *dir, base string) error {
	return y.do("rename to", to.path(base), func() error { return unix.Renameat(from.fd(), old, to.fd(), base) })
}

// renameNew moves a file to a name that must be free: fs.ErrExist otherwise.
func (y *system) renameNew(from *dir, old string, to *dir, base string) error {
	err := y.do("rename to", to.path(base), func() error { return renameNoReplace(from.fd(), old, to.fd(), base) })
	if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	err = y.do("link to", to.path(base), func() error { return unix.Linkat(from.fd(), old, to.fd(), base, 0) })
	if err != nil {
		return err
	}
	return y.unlink(from, old)
}

// link gives a name, which must be free, to a file without one.
func (y *system) link(f *os.File, d *dir, base string) error {
	return y.do("link to", d.path(base), func() error { return linkUnnamed(int(f.Fd()), d.fd(), base) })
}

func (y *system) symlink(target string, d *dir, base string) error {
	return y.do("symlink", d.path(base), func() error { return unix.Symlinkat(target, d.fd(), base) })
}

func (y *system) unlink(d *dir, base string) error {
	return y.do("remove", d.path(base), func() error { return unix.Unlinkat(d.fd(), base, 0) })
}

func (y *system) rmdir(d *dir, base string) error {
	return y.do("remove", d.path(base), func() error { return unix.Unlinkat(d.fd(), base, unix.AT_REMOVEDIR) })
}

// lstat looks at a name in a directory. A missing file is fs.ErrNotExist.
func lstat(d *dir, base string) (st unix.Stat_t, err error) {
	err = unix.Fstatat(d.fd(), base, &st, unix.AT_SYMLINK_NOFOLLOW)
	runtime.KeepAlive(d)
	if err != nil {
		err = &fs.PathError{Op: "stat", Path: d.path(base), Err: err}
	}
	return st, err
}

func fstat(f *os.File) (st unix.Stat_t, err error) {
	err = unix.Fstat(int(f.Fd()), &st)
	runtime.KeepAlive(f)
	if err != nil {
		err = &fs.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return st, err
}
