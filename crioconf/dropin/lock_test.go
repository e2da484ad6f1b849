package dropin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestLockNamesItsHolder(t *testing.T) {
	root := node(t, nil)
	s := locked(t, root)
	require.True(t, s.Locked())
	_, err := s.Lock(t.Context())
	require.ErrorContains(t, err, "holds the lock already")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = openStore(t, root).Lock(ctx)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorIs(t, err, context.Canceled)
	require.EqualError(t, err, fmt.Sprintf("lock %s: another crioctl-net is running (process %d): context canceled",
		filepath.Join(root, stateDir, "lock"), os.Getpid()))

	ctx, cancel = context.WithTimeout(t.Context(), 2*lockWait)
	defer cancel()
	_, err = openStore(t, root).Lock(ctx)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// The first ones on a node make the state folder together.
func TestManyMakeTheStateFolder(t *testing.T) {
	for range 60 {
		root := node(t, nil)
		var wg sync.WaitGroup
		for range 8 {
			s := openStore(t, root)
			wg.Go(func() {
				unlock, err := s.Lock(t.Context())
				if err == nil {
					err = unlock()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// Those who only look hold no lock, and the journal goes on under their eyes.
func TestTheJournalIsReadWhileItIsWritten(t *testing.T) {
	root := node(t, map[string]string{ours: "0"})
	s := locked(t, root)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for _, look := range []func(*Store) ([]*Tx, error){(*Store).Unfinished, (*Store).History} {
		reader := openStore(t, root)
		wg.Go(func() {
			for {
				if _, err := look(reader); err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 30 {
		tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: fmt.Append(nil, i), After: fmt.Append(nil, i+1)}))
		require.NoError(t, err)
		require.NoError(t, tx.Keep())
	}
	close(done)
	wg.Wait()
}

func TestLockComesFree(t *testing.T) {
	root := node(t, nil)
	first := openStore(t, root)
	unlock, err := first.Lock(t.Context())
	require.NoError(t, err)
	got := make(chan error)
	go func() {
		second, err := Open(root)
		if err == nil {
			defer second.Close()
			_, err = second.Lock(t.Context())
		}
		got <- err
	}()
	require.NoError(t, unlock())
	require.NoError(t, <-got)
	require.False(t, first.Locked())
}

// A lock on a file that somebody removed, or replaced, between its opening and
// its locking would keep nobody out.
func TestLockOfARemovedFileIsNone(t *testing.T) {
	root := node(t, nil)
	d, err := openStore(t, root).dir(".")
	require.NoError(t, err)
	defer d.Close()
	lock := filepath.Join(root, "lock")
	for behaviour, meddle := range map[string]func(){
		"removed":  func() { require.NoError(t, os.Remove(lock)) },
		"replaced": func() { require.NoError(t, os.Remove(lock)); require.NoError(t, os.WriteFile(lock, nil, 0o600)) },
	} {
		f, err := tryLock(d, func(fd, how int) error {
			meddle()
			return unix.Flock(fd, how)
		})
		require.NoError(t, err, behaviour)
		require.Nil(t, f, behaviour)
	}
	f, err := tryLock(d, unix.Flock)
	require.NoError(t, err)
	require.NotNil(t, f)
	defer f.Close()
	second, err := tryLock(d, unix.Flock)
	require.NoError(t, err)
	require.Nil(t, second)
}

func TestLockThatCannotBe(t *testing.T) {
	for behaviour, files := range map[string]map[string]string{
		"state folder is a file":  {stateDir: ""},
		"link in place of lock":   {stateDir + "/lock": "-> /etc/passwd"},
		"folder in place of lock": {stateDir + "/lock/x": ""},
		"var leads to nowhere":    {"var": "-> none"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			root := node(t, files)
			s := openStore(t, root)
			_, err := s.Lock(t.Context())
			require.Error(t, err)
			require.NotErrorIs(t, err, ErrLocked)
			require.True(t, strings.Contains(err.Error(), root), "%v", err)
			require.False(t, s.Locked())
		})
	}
}
