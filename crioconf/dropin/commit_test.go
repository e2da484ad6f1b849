package dropin

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestCommitAndRestore(t *testing.T) {
	for _, tt := range []struct {
		behaviour string
		before    map[string]string // of the root
		plan      Plan
		after     map[string]string
	}{
		{"a new drop-in",
			map[string]string{theirs: "a"},
			plan(Change{Path: ours, After: b("new")}),
			map[string]string{theirs: "a", ours: "new"}},
		{"an edit",
			map[string]string{ours: "old"},
			plan(Change{Path: ours, Before: b("old"), After: b("new")}),
			map[string]string{ours: "new"}},
		{"an edit to nothing is an empty file",
			map[string]string{ours: "old"},
			plan(Change{Path: ours, Before: b("old"), After: []byte{}}),
			map[string]string{ours: ""}},
		{"an edit of an empty file",
			map[string]string{ours: ""},
			plan(Change{Path: ours, Before: []byte{}, After: b("x")}),
			map[string]string{ours: "x"}},
		{"a removal",
			map[string]string{ours: "old", theirs: "a"},
			plan(Change{Path: ours, Before: b("old")}),
			map[string]string{theirs: "a"}},
		{"the main file",
			map[string]string{mainCfg: "m"},
			plan(Change{Path: mainCfg, Before: b("m"), After: b("n")}),
			map[string]string{mainCfg: "n", dropIns: "/"}},
		{"several at once",
			map[string]string{mainCfg: "m", ours: "old", theirs: "a"},
			plan(Change{Path: ours, Before: b("old")}, Change{Path: mainCfg, Before: b("m"), After: b("n")},
				Change{Path: dropIns + "/sub/x.conf", After: b("x")}),
			map[string]string{mainCfg: "n", theirs: "a", dropIns + "/sub/x.conf": "x"}},
		{"a drop-in in a folder below",
			map[string]string{dropIns + "/sub/x.conf": "x"},
			plan(Change{Path: dropIns + "/sub/x.conf", Before: b("x"), After: b("y")}),
			map[string]string{dropIns + "/sub/x.conf": "y"}},
		{"the target of a link",
			map[string]string{ours: "-> /usr/share/x.conf", "usr/share/x.conf": "old"},
			plan(Change{Path: ours, Before: b("old"), After: b("new")}),
			map[string]string{ours: "-> /usr/share/x.conf", "usr/share/x.conf": "new"}},
		{"the removal of a link leaves its target",
			map[string]string{ours: "-> /usr/share/x.conf", "usr/share/x.conf": "old"},
			plan(Change{Path: ours, Before: b("old")}),
			map[string]string{dropIns: "/", "usr/share/x.conf": "old"}},
		{"a plan without the drop-in directory",
			map[string]string{ours: "old", theirs: "a"},
			Plan{Changes: []Change{{Path: ours, Before: b("old"), After: b("new")}, {Path: theirs, Before: b("a"), After: b("b")}}},
			map[string]string{ours: "new", theirs: "b"}},
		{"a change of nothing beside one of something",
			map[string]string{ours: "old", theirs: "a"},
			plan(Change{Path: theirs, Before: b("a"), After: b("a")}, Change{Path: ours, Before: b("old"), After: b("new")}),
			map[string]string{ours: "new", theirs: "a"}},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			root := node(t, tt.before)
			tree := func() map[string]string {
				m := look(t, root, "etc")
				for k, v := range look(t, root, "usr") {
					m[k] = v
				}
				return m
			}
			before := tree()
			s := locked(t, root)
			tx, err := s.Commit(t.Context(), tt.plan)
			require.NoError(t, err)
			same(t, "after Commit", tt.after, tree())
			require.Equal(t, Pending, tx.State())

			require.NoError(t, tx.Restore(t.Context()))
			same(t, "after Restore", before, tree())
			require.NoError(t, tx.Restore(t.Context()))

			tx, err = s.Commit(t.Context(), tt.plan)
			require.NoError(t, err)
			require.NoError(t, tx.Keep())
			require.NoError(t, tx.Keep())
			same(t, "after Keep", tt.after, tree())
			require.NoError(t, tx.Restore(t.Context()))
			same(t, "after Restore of a kept one", before, tree())
			require.Error(t, tx.Keep())
		})
	}
}

func TestMissingDirectoriesComeAndGo(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "etc"), 0o755))
	defer unix.Umask(unix.Umask(0o077))
	s := locked(t, root)
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, After: b("x")}))
	require.NoError(t, err)
	for _, d := range []string{"etc/crio", dropIns} {
		st, err := os.Stat(filepath.Join(root, d))
		require.NoError(t, err)
		require.Equal(t, fs.ModeDir|0o755, st.Mode(), "whatever the umask")
	}
	st, err := os.Stat(filepath.Join(root, ours))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o644), st.Mode())

	require.NoError(t, tx.Restore(t.Context()))
	same(t, "directories made by the change", map[string]string{"etc": "/"}, look(t, root, "etc"))
}

func TestDirectoryThatOthersUseSinceStays(t *testing.T) {
	root := t.TempDir()
	s := locked(t, root)
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, After: b("x")}))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, theirs), b("a"), 0o644))
	require.NoError(t, tx.Restore(t.Context()))
	same(t, "files", map[string]string{theirs: "a"}, look(t, root, "etc"))
}

func TestCommitRefusesWhatIsNotAsPlanned(t *testing.T) {
	for _, tt := range []struct {
		behaviour string
		files     map[string]string
		change    Change
		want      string
		is        error
	}{
		{"other bytes", map[string]string{ours: "edited"}, Change{Path: ours, Before: b("old"), After: b("new")},
			"ROOT/" + ours + ": somebody else changed the file", ErrChanged},
		{"gone", nil, Change{Path: ours, Before: b("old"), After: b("new")},
			"ROOT/" + ours + ": somebody else changed the file: it is gone", ErrChanged},
		{"gone before its removal", nil, Change{Path: ours, Before: b("old")},
			"ROOT/" + ours + ": somebody else changed the file: it is gone", ErrChanged},
		{"there already", map[string]string{ours: "x"}, Change{Path: ours, After: b("new")},
			"ROOT/" + ours + ": somebody else changed the file: it was not there before", ErrChanged},
		{"there already and empty", map[string]string{ours: ""}, Change{Path: ours, After: b("new")},
			"ROOT/" + ours + ": somebody else changed the file: it was not there before", ErrChanged},
		{"link to nowhere", map[string]string{ours: "-> /none"}, Change{Path: ours, After: b("new")},
			"open ROOT/" + ours + ": symbolic link to /none: no such file or directory", fs.ErrNotExist},
		{"folder", map[string]string{ours + "/x": ""}, Change{Path: ours, Before: b("old"), After: b("new")},
			"open ROOT/" + ours + ": is a directory", unix.EISDIR},
		{"file where the folder should be", map[string]string{"etc/f": ""}, Change{Path: "etc/f/x.conf", After: b("new")},
			"lstat ROOT/etc/f/x.conf: not a directory", unix.ENOTDIR},
		{"folder link to nowhere", map[string]string{"etc/d": "-> none"}, Change{Path: "etc/d/x.conf", After: b("new")},
			"stat ROOT/etc/d: symbolic link to none: no such file or directory", fs.ErrNotExist},
		{"path with dots", nil, Change{Path: "../x", After: b("new")}, `change of "../x": invalid argument`, fs.ErrInvalid},
		{"the root itself", nil, Change{Path: ".", After: b("new")}, `change of ".": invalid argument`, fs.ErrInvalid},
		{"odd mode", nil, Change{Path: ours, After: b("new"), Mode: fs.ModeSetuid | 0o755},
			`change of "` + ours + `": invalid argument`, fs.ErrInvalid},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			root := node(t, tt.files)
			before := look(t, root, "etc")
			s := locked(t, root)
			// A good change ahead of the bad one must not be made either.
			_, err := s.Commit(t.Context(), plan(Change{Path: dropIns + "/00.conf", After: b("x")}, tt.change))
			require.ErrorIs(t, err, tt.is)
			require.Equal(t, tt.want, strings.ReplaceAll(err.Error(), root, "ROOT"))
			same(t, "files", before, look(t, root, "etc"))
			same(t, "journal", map[string]string{}, look(t, root, journalDir))
		})
	}
}

func TestOneFileUnderTwoNames(t *testing.T) {
	root := node(t, map[string]string{ours: "old", dropIns + "/link.conf": "-> 60-crioctl-net.conf"})
	s := locked(t, root)
	_, err := s.Commit(t.Context(), plan(
		Change{Path: ours, Before: b("old"), After: b("1")},
		Change{Path: dropIns + "/link.conf", Before: b("old"), After: b("2")}))
	require.ErrorContains(t, err, "two changes of one file")
}

func TestNothingToDoWritesNothing(t *testing.T) {
	root := node(t, map[string]string{ours: "old"})
	s := locked(t, root)
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("old")}))
	require.NoError(t, err)
	require.Empty(t, tx.ID())
	require.NoError(t, tx.Keep())
	require.NoError(t, tx.Restore(t.Context()))
	same(t, "journal", map[string]string{}, look(t, root, journalDir))
	require.True(t, plan().Empty())
	require.False(t, plan(Change{Path: ours, Before: []byte{}}).Empty())
	require.False(t, plan(Change{Path: ours, After: []byte{}}).Empty())
}

func TestCancelledContextWritesNothing(t *testing.T) {
	root := node(t, map[string]string{ours: "old"})
	s := locked(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Commit(ctx, plan(Change{Path: ours, Before: b("old"), After: b("new")}))
	require.ErrorIs(t, err, context.Canceled)
	same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc"))
}

// A context that ends after the first file puts the first file back.
func TestCancelledBetweenTwoFiles(t *testing.T) {
	root := node(t, map[string]string{ours: "old", theirs: "a"})
	s := locked(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	s.sys.before = func(op, path string) error {
		if op == "rename to" && strings.HasSuffix(path, ours) {
			cancel()
		}
		return nil
	}
	_, err := s.Commit(ctx, plan(
		Change{Path: ours, Before: b("old"), After: b("new")}, Change{Path: theirs, Before: b("a"), After: b("b")}))
	require.ErrorIs(t, err, context.Canceled)
	same(t, "files", map[string]string{ours: "old", theirs: "a"}, look(t, root, "etc"))
	txs, err := s.History()
	require.NoError(t, err)
	require.Empty(t, txs)
}

// Somebody edits the second file after it was compared: their work stays, and
// the first file is put back.
func TestChangedBetweenComparisonAndWrite(t *testing.T) {
	for _, tt := range []struct {
		behaviour string
		second    Change
		meddle    func(path string) error
		want      string
	}{
		{"edit", Change{Path: theirs, Before: b("a"), After: b("b")},
			func(p string) error { return os.WriteFile(p, b("theirs"), 0o644) }, "theirs"},
		{"edit of the same length", Change{Path: theirs, Before: b("a"), After: b("b")},
			func(p string) error { return os.WriteFile(p, b("z"), 0o644) }, "z"},
		{"edit before a removal", Change{Path: theirs, Before: b("a")},
			func(p string) error { return os.WriteFile(p, b("theirs"), 0o644) }, "theirs"},
		{"mode", Change{Path: theirs, Before: b("a"), After: b("b")},
			func(p string) error { return os.Chmod(p, 0o600) }, "a"},
		{"new file where ours should be", Change{Path: dropIns + "/20.conf", After: b("b")},
			func(string) error { return nil }, ""},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			root := node(t, map[string]string{ours: "old", theirs: "a"})
			s := locked(t, root)
			s.sys.before = func(op, path string) error {
				if op != "rename to" || !strings.HasSuffix(path, ours) {
					return nil
				}
				s.sys.before = nil
				if tt.second.Before == nil {
					return os.WriteFile(filepath.Join(root, tt.second.Path), b("x"), 0o644)
				}
				return tt.meddle(filepath.Join(root, theirs))
			}
			_, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}, tt.second))
			require.ErrorIs(t, err, ErrChanged)
			got := look(t, root, dropIns)
			require.Equal(t, "old", got[ours])
			if tt.want != "" {
				require.Equal(t, tt.want, got[theirs])
			} else {
				require.Equal(t, "x", got[tt.second.Path])
			}
			_, err = s.Recover(t.Context())
			require.NoError(t, err)
		})
	}
}

func TestDropInDirBehindALink(t *testing.T) {
	root := t.TempDir()
	for name, target := range map[string]string{"etc/crio/crio.conf.d": "/data/crio"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, target), 0o755))
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755))
		require.NoError(t, os.Symlink(target, filepath.Join(root, name)))
	}
	s := locked(t, root)
	var created []string
	s.sys.before = func(op, path string) error {
		if op == "create" && strings.HasSuffix(path, ".tmp") {
			created = append(created, strings.TrimPrefix(path, root+"/"))
		}
		return nil
	}
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, After: b("1")}))
	require.NoError(t, err)
	require.NoError(t, tx.Keep())
	_, err = s.Commit(t.Context(), plan(Change{Path: ours, Before: b("1"), After: b("2")}))
	require.NoError(t, err)
	same(t, "files", map[string]string{"data/crio/60-crioctl-net.conf": "2"}, look(t, root, "data"))
	require.Equal(t, []string{"data/.crioctl-net-2-0.tmp"}, created)
}

// CRI-O takes a plain file for the drop-in directory too.
func TestDropInDirThatIsAFile(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "etc/crio"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, dropIns), b("old"), 0o644))
	s := locked(t, root)
	_, err := s.Commit(t.Context(), plan(Change{Path: dropIns, Before: b("old"), After: b("new")}))
	require.NoError(t, err)
	same(t, "files", map[string]string{dropIns: "new"}, look(t, root, "etc"))

	_, err = s.Commit(t.Context(), Plan{DropInDir: "/etc/crio"})
	require.ErrorIs(t, err, ErrUnfinished)
	_, err = s.Recover(t.Context())
	require.NoError(t, err)
	_, err = s.Commit(t.Context(), Plan{DropInDir: "/etc/crio"})
	require.ErrorIs(t, err, fs.ErrInvalid)
}

func TestStaging(t *testing.T) {
	for _, tt := range []struct{ dir, live, want string }{
		{"etc/crio/crio.conf.d", "etc/crio/crio.conf.d", "etc/crio"},
		{"etc/crio/crio.conf.d/sub/deep", "etc/crio/crio.conf.d", "etc/crio"},
		{"etc/crio/crio.conf.dx", "etc/crio/crio.conf.d", "etc/crio/crio.conf.dx"},
		{"etc/crio", "etc/crio/crio.conf.d", "etc/crio"},
		{"usr/share/crio", "etc/crio/crio.conf.d", "usr/share/crio"},
		{"etc/crio/crio.conf.d", "", "etc/crio"},
		{"conf.d", "conf.d", "."},
		{".", "etc/crio.d", "."},
		{".", ".", ""},
		{"sub", ".", ""},
		{".", "", ""},
	} {
		require.Equal(t, tt.want, staging(tt.dir, tt.live), "%q in %q", tt.dir, tt.live)
	}
}

func TestLargeFile(t *testing.T) {
	big := bytes.Repeat([]byte("# comment\n"), 500_000)
	root := node(t, map[string]string{ours: string(big)})
	s := locked(t, root)
	after := append(bytes.Clone(big), "x"...)
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: big, After: after}))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(root, ours))
	require.NoError(t, err)
	require.True(t, bytes.Equal(after, got))
	require.NoError(t, tx.Restore(t.Context()))
	got, err = os.ReadFile(filepath.Join(root, ours))
	require.NoError(t, err)
	require.True(t, bytes.Equal(big, got))
}
