package dropin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// lockWait is the pause between two attempts to take the lock.
const lockWait = 25 * time.Millisecond

// Lock takes the lock of the tree. When another process or store holds it, Lock
// tries again until ctx is done and then returns an error that is both
// ErrLocked and the context's, naming the process that holds the lock. The
// state folder is made when it is missing.
//
// The kernel drops the lock with the process that held it, so a killed process
// leaves nothing to clean up.
func (s *Store) Lock(ctx context.Context) (unlock func() error, err error) {
	if s.locked {
		return nil, errors.New("this store holds the lock already")
	}
	if err := s.makeState(); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	d, err := s.dir(stateDir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := s.waitForLock(ctx, d)
	if err != nil {
		return nil, err
	}
	// The number is a courtesy for those who wait: a full disk does not matter.
	_ = s.sys.write(f, []byte(strconv.Itoa(os.Getpid())+"\n"))
	s.locked = true
	return func() error {
		if !s.locked {
			return nil
		}
		s.locked = false
		_ = f.Truncate(0)
		return f.Close()
	}, nil
}

// makeState makes the state folder, which nobody else may look into: old
// configuration may hold what the current one no longer tells.
func (s *Store) makeState() error {
	real, missing, err := s.missingDirs(stateDir)
	if err != nil || len(missing) == 0 {
		return err
	}
	n := len(missing) - 1
	if err := s.makeDirs(missing[:n], 0o755); err != nil {
		return err
	}
	return s.makeDir(real, 0o700)
}

func (s *Store) waitForLock(ctx context.Context, d *dir) (*os.File, error) {
	t := time.NewTimer(lockWait)
	defer t.Stop()
	for {
		f, err := tryLock(d, unix.Flock)
		if f != nil || err != nil {
			return f, err
		}
		t.Reset(lockWait)
		select {
		case <-ctx.Done():
			return nil, s.lockedError(context.Cause(ctx))
		case <-t.C:
		}
	}
}

// tryLock returns the locked file, empty, or nil when another one holds the
// lock.
func tryLock(d *dir, flock func(fd, how int) error) (*os.File, error) {
	const base = "lock"
	fd, err := unix.Openat(d.fd(), base, unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path(base), Err: err}
	}
	f := os.NewFile(uintptr(fd), d.path(base))
	err = flock(fd, unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		err = stillNamed(f, d, base)
	}
	if err == nil {
		_ = f.Truncate(0) // of the number of a process that was killed
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return nil, nil
	}
	return nil, &fs.PathError{Op: "lock", Path: d.path(base), Err: err}
}

// stillNamed returns EWOULDBLOCK when the file that was locked is not the one
// that others will open: somebody removed it in between.
func stillNamed(f *os.File, d *dir, base string) error {
	mine, err := fstat(f)
	if err != nil {
		return err
	}
	named, err := lstat(d, base)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (named.Dev != mine.Dev || named.Ino != mine.Ino) {
		return unix.EWOULDBLOCK
	}
	return err
}

func (s *Store) lockedError(cause error) error {
	const name = stateDir + "/lock"
	who := ""
	if b, err := s.fs.ReadFile(name); err == nil {
		if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
			who = fmt.Sprintf(" (process %d)", pid)
		}
	}
	return fmt.Errorf("lock %s: %w%s: %w", s.fs.Path(name), ErrLocked, who, cause)
}
