package dropin

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// withMounts runs f on a thread that has its mounts for itself. They go with
// the thread.
func withMounts(t *testing.T, behaviour string, f func(t *testing.T)) {
	t.Run(behaviour, func(t *testing.T) {
		needRoot(t, "mounts file systems")
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		require.NoError(t, unix.Unshare(unix.CLONE_NEWNS))
		require.NoError(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
		f(t)
	})
}

func mount(t *testing.T, source, dir, kind string, flags uintptr, options string) {
	t.Helper()
	require.NoError(t, unix.Mount(source, dir, kind, flags, options))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

func mountTmpfs(t *testing.T, dir, options string) {
	t.Helper()
	mount(t, "tmpfs", dir, "tmpfs", 0, options)
}

// fill writes to a file in dir until the file system is full.
func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	require.NoError(t, err)
	defer f.Close()
	for size := 4096; size > 0; size /= 2 {
		for err == nil {
			_, err = f.Write(make([]byte, size))
		}
		require.ErrorIs(t, err, unix.ENOSPC)
		err = nil
	}
}

func unfinished(t *testing.T, s *Store) int {
	t.Helper()
	txs, err := s.Unfinished()
	require.NoError(t, err)
	return len(txs)
}

func TestRealFaults(t *testing.T) {
	edit := plan(Change{Path: ours, Before: b("old"), After: b(strings.Repeat("new", 3000))})
	write := func(t *testing.T, root string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, ours), b("old"), 0o644))
	}
	withMounts(t, "read-only file system", func(t *testing.T) {
		root := node(t, nil)
		mountTmpfs(t, filepath.Join(root, "etc"), "")
		require.NoError(t, os.MkdirAll(filepath.Join(root, dropIns), 0o755))
		write(t, root)
		require.NoError(t, unix.Mount("", filepath.Join(root, "etc"), "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		s := locked(t, root)
		for _, p := range []Plan{edit, plan(Change{Path: ours, Before: b("old")}), plan(Change{Path: theirs, After: b("x")})} {
			_, err := s.Commit(t.Context(), p)
			require.ErrorIs(t, err, unix.EROFS)
			require.ErrorContains(t, err, filepath.Join(root, p.Changes[0].Path)+": ")
			same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc"))
			require.Zero(t, unfinished(t, s))
		}
	})
	withMounts(t, "read-only state folder", func(t *testing.T) {
		root := node(t, map[string]string{ours: "old", "var/x": ""})
		mountTmpfs(t, filepath.Join(root, "var"), "ro")
		_, err := openStore(t, root).Lock(t.Context())
		require.ErrorIs(t, err, unix.EROFS)
		require.EqualError(t, err, "make the state folder: mkdir "+root+"/var/lib: read-only file system")
	})
	withMounts(t, "full disk under the drop-ins", func(t *testing.T) {
		root := node(t, nil)
		mountTmpfs(t, filepath.Join(root, "etc"), "size=64k")
		require.NoError(t, os.MkdirAll(filepath.Join(root, dropIns), 0o755))
		write(t, root)
		fill(t, filepath.Join(root, "etc"))
		s := locked(t, root)
		_, err := s.Commit(t.Context(), edit)
		require.ErrorIs(t, err, unix.ENOSPC)
		require.EqualError(t, err, "write "+root+"/"+ours+": write "+root+"/etc/crio/.crioctl-net-1-0.tmp: no space left on device")
		same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc/crio"))
		require.Zero(t, unfinished(t, s))

		// A removal needs no space, and its restoration finds what it freed.
		tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old")}))
		require.NoError(t, err)
		require.NoError(t, tx.Restore(t.Context()))
		same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc/crio"))
	})
	withMounts(t, "full disk under the journal", func(t *testing.T) {
		root := node(t, map[string]string{ours: "old", "var/x": ""})
		mountTmpfs(t, filepath.Join(root, "var"), "size=64k")
		s := locked(t, root)
		fill(t, filepath.Join(root, "var"))
		_, err := s.Commit(t.Context(), edit)
		require.ErrorIs(t, err, unix.ENOSPC)
		require.ErrorContains(t, err, "write the journal: ")
		same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc"))
		same(t, "journal", map[string]string{journalDir: "/"}, look(t, root, journalDir))
	})
	withMounts(t, "disk that gets full after the commit", func(t *testing.T) {
		root := node(t, map[string]string{ours: "old", "var/x": ""})
		mountTmpfs(t, filepath.Join(root, "var"), "size=128k")
		s := locked(t, root)
		tx, err := s.Commit(t.Context(), edit)
		require.NoError(t, err)
		fill(t, filepath.Join(root, "var"))
		require.NoError(t, tx.Keep())
		require.NoError(t, tx.Restore(t.Context()))
	})
	withMounts(t, "drop-in directory that is a mount of its own", func(t *testing.T) {
		for name, cover := range map[string]func(d string){
			"bind":  func(d string) { mount(t, d, d, "", unix.MS_BIND, "") },
			"tmpfs": func(d string) { mountTmpfs(t, d, "mode=755") },
		} {
			root := node(t, nil)
			cover(filepath.Join(root, dropIns))
			write(t, root)
			require.NoError(t, os.WriteFile(filepath.Join(root, theirs), b("a"), 0o600))
			s := locked(t, root)
			p := plan(edit.Changes[0], Change{Path: theirs, Before: b("a")}, Change{Path: dropIns + "/70.conf", After: b("70")})
			tx, err := s.Commit(t.Context(), p)
			require.NoError(t, err, name)
			same(t, name, map[string]string{ours: strings.Repeat("new", 3000), dropIns + "/70.conf": "70"}, look(t, root, "etc"))
			require.NoError(t, tx.Restore(t.Context()))
			same(t, name, map[string]string{ours: "old", theirs: "a"}, look(t, root, "etc"))
			require.Equal(t, uint32(0o600), factsOf(t, filepath.Join(root, theirs)).mode)
		}
	})
	withMounts(t, "overlay as in a container", func(t *testing.T) {
		root := node(t, map[string]string{ours: "old", theirs: "a"})
		layers := t.TempDir()
		mountTmpfs(t, layers, "")
		for _, d := range []string{"upper", "work"} {
			require.NoError(t, os.Mkdir(filepath.Join(layers, d), 0o755))
		}
		etc := filepath.Join(root, "etc")
		mount(t, "overlay", etc, "overlay", 0, "lowerdir="+etc+",upperdir="+layers+"/upper,workdir="+layers+"/work")
		s := locked(t, root)
		p := plan(edit.Changes[0], Change{Path: theirs, Before: b("a")}, Change{Path: dropIns + "/70.conf", After: b("70")})
		tx, err := s.Commit(t.Context(), p)
		require.NoError(t, err)
		same(t, "after Commit", map[string]string{ours: strings.Repeat("new", 3000), dropIns + "/70.conf": "70"}, look(t, root, "etc"))
		require.NoError(t, tx.Restore(t.Context()))
		same(t, "after Restore", map[string]string{ours: "old", theirs: "a"}, look(t, root, "etc"))
	})
	withMounts(t, "drop-in that is a mount of its own", func(t *testing.T) {
		root := node(t, map[string]string{ours: "old", "src": "old"})
		mount(t, filepath.Join(root, "src"), filepath.Join(root, ours), "", unix.MS_BIND, "")
		s := locked(t, root)
		_, err := s.Commit(t.Context(), edit)
		require.ErrorIs(t, err, unix.EBUSY)
		require.ErrorContains(t, err, "the file is a mount of its own")
		same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc"))
		require.Zero(t, unfinished(t, s))
	})
}

// fsImmutable is FS_IMMUTABLE_FL of linux/fs.h.
const fsImmutable = 0x10

func TestImmutableFile(t *testing.T) {
	needRoot(t, "makes a file immutable")
	root := node(t, map[string]string{ours: "old", theirs: "a"})
	f, err := os.Open(filepath.Join(root, ours))
	require.NoError(t, err)
	defer f.Close()
	flags, err := unix.IoctlGetUint32(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(flags|fsImmutable))
	}
	if err != nil {
		t.Skipf("the file system of the temporary folder has no immutable files: %v", err)
	}
	defer func() {
		require.NoError(t, unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(flags)))
	}()
	s := locked(t, root)
	_, err = s.Commit(t.Context(), plan(
		Change{Path: theirs, Before: b("a"), After: b("b")}, Change{Path: ours, Before: b("old"), After: b("new")}))
	require.ErrorIs(t, err, unix.EPERM)
	require.ErrorContains(t, err, "rename to "+filepath.Join(root, ours))
	same(t, "files", map[string]string{ours: "old", theirs: "a"}, look(t, root, "etc"))
	require.Zero(t, unfinished(t, s))
}

// An ordinary user is told what it may not do, and nothing is written.
func TestNoPermission(t *testing.T) {
	needRoot(t, "takes on another user")
	root := node(t, map[string]string{ours: "old"})
	require.NoError(t, os.Chmod(filepath.Dir(root), 0o755))
	require.NoError(t, os.Chmod(root, 0o755))
	s := openStore(t, root)
	asNobody(t, func() {
		_, err := s.Lock(t.Context())
		require.ErrorIs(t, err, os.ErrPermission)
		require.EqualError(t, err, "make the state folder: mkdir "+root+"/var: permission denied")
	})
	_, err := s.Lock(t.Context())
	require.NoError(t, err)
	asNobody(t, func() {
		_, err := openStore(t, root).Lock(t.Context())
		require.ErrorIs(t, err, os.ErrPermission)
		require.EqualError(t, err, "open "+root+"/"+stateDir+": permission denied")
	})
	// The state folder is theirs, the drop-in folder is not.
	for _, d := range []string{stateDir, stateDir + "/lock"} {
		require.NoError(t, os.Chown(filepath.Join(root, d), 65534, 65534))
	}
	asNobody(t, func() {
		for _, c := range []Change{{Path: theirs, After: b("x")}, {Path: ours, Before: b("old"), After: b("new")}, {Path: ours, Before: b("old")}} {
			_, err := s.Commit(t.Context(), plan(c))
			require.ErrorIs(t, err, os.ErrPermission)
			require.ErrorContains(t, err, filepath.Join(root, c.Path)+": ")
		}
		require.Zero(t, unfinished(t, s))
	})
	same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc"))
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
