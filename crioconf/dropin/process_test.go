package dropin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// command returns a process of this test binary that runs inChild.
func command(t *testing.T, root string, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), "CRIOCTL_TEST_ROOT="+root), env...)
	return cmd
}

// child runs one and reports whether it came to its end. It may be killed, not
// fail.
func child(t *testing.T, root string, env ...string) bool {
	t.Helper()
	out, err := command(t, root, env...).CombinedOutput()
	if err == nil {
		return true
	}
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, -1, exit.ExitCode(), "killed by a signal: %s", out)
	return false
}

// inChild does what the environment says, in a process of its own.
func inChild(root string) error {
	s, err := Open(root)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if step := os.Getenv("CRIOCTL_TEST_STEP"); step != "" {
		return dieAt(ctx, s, step)
	}
	for n, _ := strconv.Atoi(os.Getenv("CRIOCTL_TEST_TOGGLES")); n != 0; n-- {
		if err := count(ctx, s); err != nil {
			return err
		}
		fmt.Print(".")
	}
	return nil
}

// dieAt plays a scene and kills the process ahead of a step.
func dieAt(ctx context.Context, s *Store, step string) error {
	at, err := strconv.Atoi(step)
	if err != nil {
		return err
	}
	i, err := strconv.Atoi(os.Getenv("CRIOCTL_TEST_SCENE"))
	if err != nil {
		return err
	}
	sc := scenes()[i]
	sc.steps(s, func(n int, step string) error {
		if n == at {
			unix.Kill(os.Getpid(), unix.SIGKILL)
			select {}
		}
		return nil
	})
	if _, err := s.Lock(ctx); err != nil {
		return err
	}
	tx, err := s.Commit(ctx, sc.plan)
	if err != nil {
		return err
	}
	return tx.Keep()
}

// count adds one to the number in our drop-in, which comes and goes: a number
// that divides by three is no file. The journal is recovered first.
func count(ctx context.Context, s *Store) error {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.Recover(ctx); err != nil {
		return err
	}
	counter, err := s.FS().ReadFile(theirs)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(string(counter))
	if err != nil {
		return err
	}
	c := Change{Path: ours, Before: version(n), After: version(n + 1)}
	tx, err := s.Commit(ctx, plan(c, Change{Path: theirs, Before: counter, After: strconv.AppendInt(nil, int64(n+1), 10)}))
	if err != nil {
		return err
	}
	return tx.Keep()
}

// version is the content of our drop-in at a number, long enough for a torn
// write to show.
func version(n int) []byte {
	if n%3 == 0 {
		return nil
	}
	return append(bytes.Repeat([]byte{byte('a' + n%26)}, 5000*(1+n%2)), "\n"...)
}

// fits fails when the files do not belong to one number, or something else is
// in the drop-in directory. Between the two files of a change the first may be
// one ahead.
func fits(t *testing.T, root, when string, ahead int) int {
	t.Helper()
	counter, err := os.ReadFile(filepath.Join(root, theirs))
	require.NoError(t, err, when)
	n, err := strconv.Atoi(string(counter))
	require.NoError(t, err, when)
	got, err := os.ReadFile(filepath.Join(root, ours))
	if errors.Is(err, fs.ErrNotExist) {
		got, err = nil, nil
	}
	require.NoError(t, err, when)
	ok := bytes.Equal(got, version(n)) || ahead > 0 && bytes.Equal(got, version(n+1))
	require.True(t, ok, "%s: our drop-in does not belong to %d", when, n)
	l, err := os.ReadDir(filepath.Join(root, dropIns))
	require.NoError(t, err)
	for _, e := range l {
		require.Contains(t, []string{filepath.Base(ours), filepath.Base(theirs)}, e.Name(), when)
	}
	return n
}

func TestKilledAtRandomMoments(t *testing.T) {
	root := node(t, map[string]string{theirs: "0"})
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		cmd := command(t, root, "CRIOCTL_TEST_TOGGLES=-1")
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = out.Read(make([]byte, 1)) // one change is made, the next is under way
		require.NoError(t, err)
		time.Sleep(time.Duration(r.IntN(30_000)) * time.Microsecond) // the moment, not a wait for something
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		fits(t, root, fmt.Sprintf("kill %d", i), 1)
	}
	require.True(t, child(t, root, "CRIOCTL_TEST_TOGGLES=1"))
	n := fits(t, root, "after the last run", 0)
	require.Greater(t, n, 60, "each process has made a change before it was killed")
	require.Empty(t, leftovers(t, root))
}

// Fifty processes at once: each change is made on top of the one before.
func TestFiftyProcessesLoseNothing(t *testing.T) {
	root := node(t, map[string]string{theirs: "0"})
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 50 {
		cmd := command(t, root, "CRIOCTL_TEST_TOGGLES=1")
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				mu.Lock()
				defer mu.Unlock()
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	require.Equal(t, 50, fits(t, root, "at the end", 0))
	txs, err := openStore(t, root).History()
	require.NoError(t, err)
	require.Equal(t, "50", txs[len(txs)-1].ID())
}
