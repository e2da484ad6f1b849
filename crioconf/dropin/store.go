package dropin

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"golang.org/x/sys/unix"

	"github.com/crioctl/crioctl-net/crioconf/hostfs"
)

// StateDir is the folder of the lock and the journal, in the root. A program may
// keep records of its own there, as files of its plans.
const StateDir = "var/lib/crioctl-net"

const stateDir = StateDir

// The errors that a caller tells apart. Each is wrapped with the file or the
// transaction that it is about.
var (
	// ErrLocked says that another process holds the lock.
	ErrLocked = errors.New("another crioctl-net is running")
	// ErrNotLocked says that a method which needs the lock was called without it.
	ErrNotLocked = errors.New("the lock is not held")
	// ErrChanged says that a file is no longer what it was when the plan was
	// made, or when the transaction was committed.
	ErrChanged = errors.New("somebody else changed the file")
	// ErrUnfinished says that an earlier transaction was interrupted and has to
	// be restored or kept first.
	ErrUnfinished = errors.New("an earlier change was interrupted")
	// ErrNotRestored says that a change failed half way and that the former
	// files could not be put back. The transaction is still pending.
	ErrNotRestored = errors.New("the former files are not all back")
)

// Store turns plans into files. It is for one goroutine at a time.
type Store struct {
	fs     *hostfs.FS
	sys    system
	now    func() time.Time
	locked bool
}

// Open returns the store of the tree below root, "/" for the host's own. Nothing
// is created before Lock.
func Open(root string) (*Store, error) {
	f, err := hostfs.Open(root)
	if err != nil {
		return nil, err
	}
	return &Store{fs: f, now: time.Now}, nil
}

// FS returns the tree that the store writes to.
func (s *Store) FS() *hostfs.FS { return s.fs }

// Close lets go of the tree. It does not unlock.
func (s *Store) Close() error { return s.fs.Close() }

// Locked reports whether this store holds the lock.
func (s *Store) Locked() bool { return s.locked }

// dir opens the directory that name leads to.
func (s *Store) dir(name string) (*dir, error) {
	f, err := s.fs.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &dir{File: f, name: name}, nil
}

// makeDirs makes the directories of the list that are missing, outermost first,
// and syncs what it makes. A directory has the owner of the one above it.
func (s *Store) makeDirs(names []string, mode uint32) error {
	for _, name := range names {
		if err := s.makeDir(name, mode); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) makeDir(name string, mode uint32) error {
	parent, err := s.dir(path.Dir(name))
	if err != nil {
		return err
	}
	defer parent.Close()
	err = s.sys.mkdir(parent, path.Base(name), mode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	d, err := s.dir(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := s.settleDir(d, parent, mode); err != nil {
		return err
	}
	return s.sys.sync(parent.File)
}

// settleDir gives a directory that was made its mode, whatever the umask, and
// its owner.
func (s *Store) settleDir(d, parent *dir, mode uint32) error {
	have, err := fstat(d.File)
	if err != nil {
		return err
	}
	want, err := fstat(parent.File)
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 && (have.Uid != want.Uid || have.Gid != want.Gid) {
		if err := s.sys.chown(d.File, int(want.Uid), int(want.Gid)); err != nil {
			return err
		}
	}
	return s.sys.chmod(d.File, mode|uint32(have.Mode)&unix.S_ISGID)
}

// RemoveState removes a file of the state folder that a transaction has written
// there, and syncs the folder. A missing file is no error. The lock must be held.
func (s *Store) RemoveState(base string) error {
	if !s.locked {
		return ErrNotLocked
	}
	d, err := s.dir(stateDir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = s.sys.unlink(d, base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.sys.sync(d.File)
}

// missingDirs returns the in-root name, without links, of the directory dir,
// and which directories of it do not exist yet, outermost first.
func (s *Store) missingDirs(dir string) (real string, missing []string, err error) {
	st, err := s.fs.Stat(dir)
	switch {
	case err == nil && !st.IsDir():
		return "", nil, &fs.PathError{Op: "open", Path: s.fs.Path(dir), Err: unix.ENOTDIR}
	case err == nil:
		real, err = s.fs.Resolve(dir)
		return real, nil, err
	case !errors.Is(err, fs.ErrNotExist) || dir == ".":
		return "", nil, err
	}
	if l, lerr := s.fs.Lstat(dir); lerr == nil {
		if l.Mode()&fs.ModeSymlink != 0 { // to nowhere
			return "", nil, err
		}
		return s.missingDirs(dir) // another process has made it just now
	}
	real, missing, err = s.missingDirs(path.Dir(dir))
	if err != nil {
		return "", nil, err
	}
	real = path.Join(real, path.Base(dir))
	return real, append(missing, real), nil
}
