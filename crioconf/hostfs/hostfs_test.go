package hostfs_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/crioctl/crioctl-net/crioconf/hostfs"
)

// tree makes a folder with the files, links ("-> target"), pipes ("|") and
// folders (name ends in a slash) of m.
func tree(t *testing.T, m map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, what := range m {
		p := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		switch {
		case name[len(name)-1] == '/':
			require.NoError(t, os.MkdirAll(p, 0o755))
		case what == "|":
			require.NoError(t, unix.Mkfifo(p, 0o644))
		case len(what) > 3 && what[:3] == "-> ":
			require.NoError(t, os.Symlink(what[3:], p))
		default:
			require.NoError(t, os.WriteFile(p, []byte(what), 0o644))
		}
	}
	return root
}

func open(t *testing.T, root string) *hostfs.FS {
	t.Helper()
	f, err := hostfs.Open(root)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func TestFS(t *testing.T) {
	root := tree(t, map[string]string{
		"etc/crio/crio.conf":                 "main",
		"etc/crio/crio.conf.d/10-a.conf":     "a",
		"etc/crio/crio.conf.d/.hidden":       "h",
		"etc/crio/crio.conf.d/link.conf":     "-> 10-a.conf",
		"etc/crio/crio.conf.d/abs.conf":      "-> /etc/crio/crio.conf",
		"etc/crio/crio.conf.d/sub/x.conf":    "x",
		"etc/crio/crio.conf.d/empty.conf":    "",
		"etc/systemd/system/crio.service.d/": "",
	})
	require.NoError(t, fstest.TestFS(open(t, root),
		"etc/crio/crio.conf", "etc/crio/crio.conf.d/abs.conf", "etc/crio/crio.conf.d/sub/x.conf"))
}

// Names resolve as they do after a change of the root. want is the content, or
// the error.
func TestLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("outside"), 0o644))
	m := map[string]string{
		"data/real/f":   "inside",
		"data/abs":      "-> /data/real/f",
		"data/rel":      "-> real/f",
		"data/up":       "-> ../data/real/f",
		"data/faraway":  "-> ../../../../../../data/real/f",
		"data/outside":  "-> " + outside,
		"data/climb":    "-> ../../../../../../../../../.." + outside,
		"data/dir":      "-> /data/real",
		"data/dirslash": "-> /data/real/",
		"data/chain":    "-> dir/../abs",
		"data/root":     "-> /",
		"data/dots":     "-> ./.././data//real/./f",
		"data/fslash":   "-> real/f/",
		"data/loop":     "-> loop",
		"data/loop1":    "-> loop2",
		"data/loop2":    "-> loop1",
		"data/gone":     "-> nowhere",
		"data/under":    "-> real/f/x",
		"data/fifo":     "|",
		"data/tofifo":   "-> fifo",
		"etc":           "-> data",
		"hop00":         "-> data/real/f",
	}
	hop := func(i int) string { return "hop" + string(rune('0'+i/10)) + string(rune('0'+i%10)) }
	for i := 1; i <= 40; i++ {
		m[hop(i)] = "-> " + hop(i-1)
	}
	root := tree(t, m)
	f := open(t, root)
	for _, tt := range []struct {
		behaviour, name, want, real string
		err                         error
	}{
		{"plain", "data/real/f", "inside", "data/real/f", nil},
		{"absolute target starts at the root", "data/abs", "inside", "data/real/f", nil},
		{"relative target", "data/rel", "inside", "data/real/f", nil},
		{"target through the parent", "data/up", "inside", "data/real/f", nil},
		{"dots stop at the root", "data/faraway", "inside", "data/real/f", nil},
		{"absolute target that exists outside only", "data/outside", "", "", fs.ErrNotExist},
		{"climbing target that exists outside only", "data/climb", "", "", fs.ErrNotExist},
		{"folder link on the way", "data/dir/f", "inside", "data/real/f", nil},
		{"folder link with a slash", "data/dirslash/f", "inside", "data/real/f", nil},
		{"link over a link", "data/chain", "inside", "data/real/f", nil},
		{"parent of a link's target is the target's parent", "etc/chain", "inside", "data/real/f", nil},
		{"link to the root", "data/root/data/real/f", "inside", "data/real/f", nil},
		{"double slashes and dots in a target", "data/dots", "inside", "data/real/f", nil},
		{"file target with a slash", "data/fslash", "", "", unix.ENOTDIR},
		{"link to itself", "data/loop", "", "", unix.ELOOP},
		{"two links in a circle", "data/loop1", "", "", unix.ELOOP},
		{"forty links", hop(39), "inside", "data/real/f", nil},
		{"one more", hop(40), "", "", unix.ELOOP},
		{"dangling", "data/gone", "", "data/nowhere", fs.ErrNotExist},
		{"file as a folder", "data/real/f/x", "", "", unix.ENOTDIR},
		{"file as a folder behind a link", "data/under", "", "", unix.ENOTDIR},
		{"folder on the way missing", "data/no/f", "", "", fs.ErrNotExist},
		{"pipe", "data/fifo", "", "data/fifo", hostfs.ErrNotRegular},
		{"link to a pipe", "data/tofifo", "", "data/fifo", hostfs.ErrNotRegular},
		{"folder", "data/dir", "", "data/real", unix.EISDIR},
		{"name with dots", "data/../data/rel", "", "", fs.ErrInvalid},
		{"absolute name", "/data/rel", "", "", fs.ErrInvalid},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			b, err := f.ReadFile(tt.name)
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				var pe *fs.PathError
				require.ErrorAs(t, err, &pe)
				require.Equal(t, filepath.Join(root, tt.name), pe.Path)
			} else {
				require.NoError(t, err)
				require.Equal(t, tt.want, string(b))
			}
			real, err := f.Resolve(tt.name)
			if tt.real == "" {
				require.ErrorIs(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.real, real)
		})
	}
}

func TestErrorsSayWhatAndWhere(t *testing.T) {
	root := tree(t, map[string]string{
		"etc/gone.conf": "-> ../nowhere",
		"etc/pipe":      "|",
		"etc/dir/":      "",
		"etc/file":      "x",
	})
	l, err := net.Listen("unix", filepath.Join(root, "etc/sock"))
	require.NoError(t, err)
	defer l.Close()
	f := open(t, root)
	for name, want := range map[string]string{
		"etc/missing":   "open ROOT/etc/missing: no such file or directory",
		"etc/gone.conf": "open ROOT/etc/gone.conf: symbolic link to ../nowhere: no such file or directory",
		"etc/pipe":      "open ROOT/etc/pipe: named pipe, not a regular file",
		"etc/sock":      "open ROOT/etc/sock: socket, not a regular file",
		"etc/dir":       "read ROOT/etc/dir: is a directory",
		"etc/file/x":    "open ROOT/etc/file/x: not a directory",
		"/etc/file":     "open ROOT/etc/file: invalid argument",
	} {
		_, err := f.ReadFile(name)
		require.Error(t, err, name)
		got := err.Error()
		if i := len("open ") + len(root); len(got) > i {
			got = got[:5] + "ROOT" + got[i:]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	_, err = hostfs.Open("")
	require.Error(t, err)
	_, err = hostfs.Open(filepath.Join(root, "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = hostfs.Open(filepath.Join(root, "etc/file"))
	require.ErrorIs(t, err, unix.ENOTDIR)
}

func TestDevicesAreNotOpened(t *testing.T) {
	f := open(t, "/")
	_, err := f.Open("dev/null")
	require.ErrorIs(t, err, hostfs.ErrNotRegular)
	require.EqualError(t, err, "open /dev/null: device, not a regular file")
	st, err := f.Stat("dev/null")
	require.NoError(t, err)
	require.Equal(t, fs.ModeDevice|fs.ModeCharDevice, st.Mode().Type())
}

func TestLstatAndReadLinkSeeTheLink(t *testing.T) {
	root := tree(t, map[string]string{"a/f": "12345", "a/l": "-> /a/f", "b": "-> /a"})
	f := open(t, root)
	st, err := f.Lstat("b/l")
	require.NoError(t, err)
	require.Equal(t, fs.ModeSymlink, st.Mode().Type())
	require.Equal(t, "l", st.Name())
	target, err := f.ReadLink("b/l")
	require.NoError(t, err)
	require.Equal(t, "/a/f", target)
	st, err = f.Stat("b/l")
	require.NoError(t, err)
	require.Equal(t, int64(5), st.Size())
	_, err = f.ReadLink("a/f")
	require.ErrorIs(t, err, unix.EINVAL)
	_, err = f.ReadLink("a/none")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = f.Stat("a/none")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReadDirSortsByBytesAndDescribesInsideTheRoot(t *testing.T) {
	root := tree(t, map[string]string{
		"d/50-b": "b", "d/9-c": "c", "d/10-a": "a", "d/Z": "z", "link": "-> /d",
	})
	f := open(t, root)
	l, err := f.ReadDir("link")
	require.NoError(t, err)
	var names []string
	for _, e := range l {
		names = append(names, e.Name())
		st, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, int64(1), st.Size())
	}
	require.Equal(t, []string{"10-a", "50-b", "9-c", "Z"}, names)
	_, err = f.ReadDir("d/Z")
	require.Error(t, err)
	_, err = f.ReadDir("none")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestModesAreThoseOfPackageOS(t *testing.T) {
	root := tree(t, map[string]string{"f": "x", "d/": "", "p": "|", "l": "-> f"})
	require.NoError(t, os.Chmod(filepath.Join(root, "f"), 0o751|fs.ModeSetuid|fs.ModeSetgid))
	require.NoError(t, os.Chmod(filepath.Join(root, "d"), 0o770|fs.ModeSticky))
	f := open(t, root)
	for _, name := range []string{"f", "d", "p", "l"} {
		want, err := os.Lstat(filepath.Join(root, name))
		require.NoError(t, err)
		got, err := f.Lstat(name)
		require.NoError(t, err)
		require.Equal(t, want.Mode(), got.Mode(), name)
		require.True(t, want.ModTime().Equal(got.ModTime()), name)
	}
}

func TestOpenDirGivesAHandle(t *testing.T) {
	root := tree(t, map[string]string{"a/b/f": "x", "l": "-> /a/b"})
	f := open(t, root)
	d, err := f.OpenDir("l")
	require.NoError(t, err)
	defer d.Close()
	require.Equal(t, filepath.Join(root, "l"), d.Name())
	var st unix.Stat_t
	require.NoError(t, unix.Fstatat(int(d.Fd()), "f", &st, 0))
	_, err = f.OpenDir("a/b/f")
	require.ErrorIs(t, err, unix.ENOTDIR)
}

func TestOpenFileGivesARegularFile(t *testing.T) {
	root := tree(t, map[string]string{"a/f": "x", "l": "-> /a/f", "p": "|"})
	f := open(t, root)
	h, err := f.OpenFile("l")
	require.NoError(t, err)
	defer h.Close()
	require.Equal(t, filepath.Join(root, "l"), h.Name())
	_, err = f.OpenFile("a")
	require.ErrorIs(t, err, unix.EISDIR)
	_, err = f.OpenFile("p")
	require.ErrorIs(t, err, hostfs.ErrNotRegular)
	_, err = f.OpenFile("none")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestResolveNamesAFileToBeMade(t *testing.T) {
	root := tree(t, map[string]string{"data/": "", "conf": "-> /data", "data/l": "-> /data/new"})
	f := open(t, root)
	for name, want := range map[string]string{
		"conf/x": "data/x", "conf": "data", "data/l": "data/new", ".": ".", "data": "data",
	} {
		got, err := f.Resolve(name)
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	_, err := f.Resolve("conf/no/x")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestPathIsWhatAPersonTypes(t *testing.T) {
	require.Equal(t, "/etc/crio", open(t, "/").Path("etc/crio"))
	require.Equal(t, "/", open(t, "/").Path("."))
	t.Chdir(tree(t, map[string]string{"node/": ""}))
	require.Equal(t, "node/etc/crio", open(t, "./node/").Path("etc/crio"))
	require.Equal(t, "node", open(t, "node").Root())
}

func TestOpenFileSeeksAndReads(t *testing.T) {
	f := open(t, tree(t, map[string]string{"f": "abcdef"}))
	h, err := f.Open("f")
	require.NoError(t, err)
	defer h.Close()
	s, ok := h.(io.ReadSeeker)
	require.True(t, ok)
	_, err = s.Seek(3, io.SeekStart)
	require.NoError(t, err)
	b, err := io.ReadAll(s)
	require.NoError(t, err)
	require.Equal(t, "def", string(b))
}

func TestClosedRoot(t *testing.T) {
	f, err := hostfs.Open(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = f.Stat(".")
	require.True(t, errors.Is(err, unix.EBADF), "%v", err)
}
