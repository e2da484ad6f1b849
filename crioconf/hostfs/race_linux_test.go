package hostfs_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/crioctl/crioctl-net/crioconf/hostfs"
)

// The kernel's own resolution in a root is the reference: over random nests of
// links both must find the same file, or the same error.
func TestAgreesWithTheKernel(t *testing.T) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS}
	fd, err := unix.Openat2(unix.AT_FDCWD, ".", &how)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		t.Skip("this kernel has no openat2")
	}
	require.NoError(t, err)
	unix.Close(fd)

	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "c", "..", ".", "", "l1", "l2", "l3", "none"}
	randomPath := func(n int) string {
		p := ""
		for i := range 1 + r.IntN(n) {
			if i > 0 || r.IntN(3) == 0 {
				p += "/"
			}
			p += parts[r.IntN(len(parts))]
		}
		if p == "" {
			return "/"
		}
		return p
	}
	compared, found := 0, 0
	for range 60 {
		root := t.TempDir()
		for _, d := range []string{"a/a", "a/b", "b/a/c", "c"} {
			require.NoError(t, os.MkdirAll(filepath.Join(root, d), 0o755))
		}
		for _, d := range []string{".", "a", "b", "a/b", "c"} {
			require.NoError(t, os.WriteFile(filepath.Join(root, d, "c.f"), nil, 0o644))
			for _, l := range []string{"l1", "l2", "l3"} {
				require.NoError(t, os.Symlink(randomPath(4), filepath.Join(root, d, l)))
			}
		}
		f := open(t, root)
		dir, err := unix.Open(root, unix.O_PATH, 0)
		require.NoError(t, err)
		for range 100 {
			name := filepath.ToSlash(filepath.Clean("/" + randomPath(5)))[1:]
			if name == "" {
				name = "."
			}
			var want unix.Stat_t
			fd, wantErr := unix.Openat2(dir, name, &how)
			if wantErr == nil {
				require.NoError(t, unix.Fstat(fd, &want))
				unix.Close(fd)
			}
			got, gotErr := f.Stat(name)
			compared++
			if wantErr != nil {
				require.ErrorIs(t, gotErr, wantErr, "%s in %s", name, root)
				continue
			}
			found++
			require.NoError(t, gotErr, "%s in %s", name, root)
			require.Equal(t, want.Ino, got.Sys().(*unix.Stat_t).Ino, "%s in %s", name, root)

			real, err := f.Resolve(name)
			require.NoError(t, err)
			st, err := os.Lstat(filepath.Join(root, real))
			require.NoError(t, err)
			require.Zero(t, st.Mode()&os.ModeSymlink, "%s resolves to the link %s", name, real)
		}
		unix.Close(dir)
	}
	require.Greater(t, found, compared/10, "the random names must often exist, or nothing is compared")
}

// While something in the tree is swapped with a link that leads out of the root,
// a reader sees the inside or an error and never the outside.
func TestNeverLeavesTheRootInARace(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "f"), []byte("outside"), 0o644))
	for behaviour, trap := range map[string]string{"d": outside, "d/f": filepath.Join(outside, "f")} {
		t.Run(behaviour, func(t *testing.T) {
			root := tree(t, map[string]string{"d/f": "inside", "trap": "-> " + trap})
			defer swap(filepath.Join(root, behaviour), filepath.Join(root, "trap"))()
			f := open(t, root)
			for range 20000 {
				b, err := f.ReadFile("d/f")
				if err == nil && string(b) != "inside" {
					t.Fatalf("read %q through the link", b)
				}
			}
		})
	}
}

// A pipe that takes the place of a file between the look and the opening does
// not block the reader.
func TestPipeInARaceDoesNotBlock(t *testing.T) {
	root := tree(t, map[string]string{"f": "x", "p": "|"})
	defer swap(filepath.Join(root, "f"), filepath.Join(root, "p"))()
	f := open(t, root)
	for range 20000 {
		if _, err := f.ReadFile("f"); err != nil {
			require.ErrorIs(t, err, hostfs.ErrNotRegular)
		}
	}
}

// swap exchanges two names as fast as it can, until stop.
func swap(a, b string) (stop func()) {
	done := make(chan struct{})
	var swaps sync.WaitGroup
	swaps.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				_ = unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
			}
		}
	})
	return func() {
		close(done)
		swaps.Wait()
	}
}

// A plain user may walk through a directory that may be searched and not
// listed, and is told when it may not.
func TestPermission(t *testing.T) {
	if os.Geteuid() != 0 {
		needRoot(t, "takes on another user")
	}
	root := tree(t, map[string]string{"search/f": "x", "closed/f": "x", "search/secret": "x"})
	require.NoError(t, os.Chmod(filepath.Join(root, "search"), 0o711))
	require.NoError(t, os.Chmod(filepath.Join(root, "closed"), 0o700))
	require.NoError(t, os.Chmod(filepath.Join(root, "search/secret"), 0o600))
	f := open(t, root)
	asNobody(t, func() {
		b, err := f.ReadFile("search/f")
		require.NoError(t, err)
		require.Equal(t, "x", string(b))
		_, err = f.ReadDir("search")
		require.ErrorIs(t, err, os.ErrPermission)
		_, err = f.ReadFile("search/secret")
		require.ErrorIs(t, err, os.ErrPermission)
		_, err = f.ReadFile("closed/f")
		require.ErrorIs(t, err, os.ErrPermission)
		require.EqualError(t, err, "open "+filepath.Join(root, "closed/f")+": permission denied")
		_, err = f.Resolve("closed/f")
		require.ErrorIs(t, err, os.ErrPermission)
	})
}

func needRoot(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("must run as root in CI: the test %s", why)
	}
	t.Skipf("needs root: the test %s", why)
}

// asNobody runs f with the file system rights of an ordinary user, which the
// kernel keeps for each thread.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, unix.Setfsgid(65534))
	require.NoError(t, unix.Setfsuid(65534))
	defer func() {
		require.NoError(t, unix.Setfsuid(0))
		require.NoError(t, unix.Setfsgid(0))
	}()
	f()
}

func BenchmarkReadFile(b *testing.B) {
	root := b.TempDir()
	dir := filepath.Join(root, "etc/crio/crio.conf.d")
	require.NoError(b, os.MkdirAll(dir, 0o755))
	for i := range 10 {
		require.NoError(b, os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), make([]byte, 500), 0o644))
	}
	f, err := hostfs.Open(root)
	require.NoError(b, err)
	defer f.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.ReadFile("etc/crio/crio.conf.d/5"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadFileDirFS(b *testing.B) {
	root := b.TempDir()
	dir := filepath.Join(root, "etc/crio/crio.conf.d")
	require.NoError(b, os.MkdirAll(dir, 0o755))
	require.NoError(b, os.WriteFile(filepath.Join(dir, "5"), make([]byte, 500), 0o644))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := os.ReadFile(filepath.Join(dir, "5")); err != nil {
			b.Fatal(err)
		}
	}
}
