package dropin

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const (
	dropIns = "etc/crio/crio.conf.d"
	ours    = dropIns + "/60-crioctl-net.conf"
	theirs  = dropIns + "/10-vendor.conf"
	mainCfg = "etc/crio/crio.conf"
)

// node makes a root with a drop-in directory and the given files; "-> target"
// is a link.
func node(t *testing.T, files map[string]string) string {
	t.Helper()
	return fillNode(t, t.TempDir(), files)
}

// fastNode is node in memory, where a sync costs nothing, for tests that make
// hundreds of them.
func fastNode(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := os.MkdirTemp("/dev/shm", "crioctl-net-test-")
	if err != nil {
		return node(t, files)
	}
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(root)) })
	return fillNode(t, root, files)
}

func fillNode(t *testing.T, root string, files map[string]string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(root, dropIns), 0o755))
	for name, what := range files {
		p := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		if target, ok := strings.CutPrefix(what, "-> "); ok {
			require.NoError(t, os.Symlink(target, p))
			continue
		}
		require.NoError(t, os.WriteFile(p, []byte(what), 0o644))
	}
	return root
}

// look returns every file below root/dir with its content, links as
// "-> target", folders that are empty as "/".
func look(t *testing.T, root, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	top := filepath.Join(root, dir)
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, p)
		switch {
		case d.IsDir():
			if l, err := os.ReadDir(p); err == nil && len(l) == 0 {
				got[name] = "/"
			}
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			got[name] = "-> " + target
			return err
		default:
			b, err := os.ReadFile(p)
			got[name] = string(b)
			return err
		}
		return nil
	})
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	return got
}

func same(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func openStore(t testing.TB, root string) *Store {
	t.Helper()
	s, err := Open(root)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func locked(t testing.TB, root string) *Store {
	t.Helper()
	s := openStore(t, root)
	unlock, err := s.Lock(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { unlock() })
	return s
}

func plan(changes ...Change) Plan { return Plan{Changes: changes, DropInDir: dropIns} }

func b(s string) []byte { return []byte(s) }

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

func TestStateFolderIsPrivate(t *testing.T) {
	root := node(t, map[string]string{ours: "old"})
	s := locked(t, root)
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}))
	require.NoError(t, err)
	for name, want := range map[string]fs.FileMode{
		"var/lib": 0o755, stateDir: 0o700, stateDir + "/lock": 0o600, journalDir: 0o700,
	} {
		st, err := os.Stat(filepath.Join(root, name))
		require.NoError(t, err)
		require.Equal(t, want, st.Mode().Perm(), name)
	}
	require.Equal(t, filepath.Join(root, journalDir, "000001.pending"), tx.Dir())
	same(t, "bytes for a person in need", map[string]string{
		journalDir + "/000001.pending/0.before": "old", journalDir + "/000001.pending/0.after": "new",
	}, func() map[string]string {
		m := look(t, root, journalDir)
		delete(m, journalDir+"/000001.pending/index.json")
		return m
	}())
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

func TestRestoreRefusesForeignChanges(t *testing.T) {
	root := node(t, map[string]string{ours: "old", theirs: "a"})
	s := locked(t, root)
	tx, err := s.Commit(t.Context(), plan(
		Change{Path: ours, Before: b("old"), After: b("new")}, Change{Path: theirs, Before: b("a"), After: b("b")}))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, theirs), b("by hand"), 0o644))
	require.ErrorIs(t, tx.Restore(t.Context()), ErrChanged)
	same(t, "all or none", map[string]string{ours: "new", theirs: "by hand"}, look(t, root, "etc"))
	_, err = s.Recover(t.Context())
	require.ErrorIs(t, err, ErrUnfinished)
	require.ErrorIs(t, err, ErrChanged)
	require.ErrorContains(t, err, tx.Dir())

	// The person settles it and says so.
	require.NoError(t, tx.Keep())
	_, err = s.Commit(t.Context(), plan(Change{Path: ours, Before: b("new")}))
	require.NoError(t, err)
}

func TestPendingTransactionBlocksTheNext(t *testing.T) {
	root := node(t, map[string]string{ours: "old"})
	s := openStore(t, root)
	unlock, err := s.Lock(t.Context())
	require.NoError(t, err)
	_, err = s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}))
	require.NoError(t, err)
	require.NoError(t, unlock())

	next := locked(t, root)
	_, err = next.Commit(t.Context(), plan(Change{Path: ours, Before: b("new"), After: b("newer")}))
	require.ErrorIs(t, err, ErrUnfinished)
	done, err := next.Recover(t.Context())
	require.NoError(t, err)
	require.Len(t, done, 1)
	require.Equal(t, Restored, done[0].State())
	require.Equal(t, []string{ours}, done[0].Paths())
	same(t, "files", map[string]string{ours: "old"}, look(t, root, "etc"))
	_, err = next.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("newer")}))
	require.NoError(t, err)
}

func TestDamagedJournal(t *testing.T) {
	for _, tt := range []struct {
		behaviour, file, content, want string
	}{
		{"former bytes", "0.before", "ol", "damaged, not what was written there"},
		{"index", indexName, "{", "damaged: unexpected end of JSON input"},
		{"index of another release", indexName, `{"format":2}`, "written by another release of crioctl-net (format 2)"},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			root := node(t, map[string]string{ours: "old"})
			s := locked(t, root)
			tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(tx.Dir(), tt.file), b(tt.content), 0o600))
			_, err = s.Recover(t.Context())
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, filepath.Join(tx.Dir(), tt.file))
			same(t, "nothing is written from it", map[string]string{ours: "new"}, look(t, root, "etc"))
			_, err = s.Commit(t.Context(), plan(Change{Path: ours, Before: b("new")}))
			require.Error(t, err)
		})
	}
}

func TestHistoryIsBounded(t *testing.T) {
	root := node(t, map[string]string{ours: "0"})
	s := locked(t, root)
	s.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	at := "0"
	for i := range 25 {
		to := strings.Repeat("x", i+1)
		tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b(at), After: b(to)}))
		require.NoError(t, err)
		require.NoError(t, tx.Keep())
		at = to
	}
	txs, err := s.History()
	require.NoError(t, err)
	require.Len(t, txs, keepClosed)
	require.Equal(t, "6", txs[0].ID())
	require.Equal(t, "25", txs[19].ID())
	require.Equal(t, s.now(), txs[19].Time())
	p, err := txs[19].Plan()
	require.NoError(t, err)
	want := Plan{Changes: []Change{{Path: ours, Before: b(strings.Repeat("x", 24)), After: b(strings.Repeat("x", 25))}}}
	if d := cmp.Diff(want, p); d != "" {
		t.Errorf("plan of the last one (-want +got):\n%s", d)
	}
	pending, err := s.Unfinished()
	require.NoError(t, err)
	require.Empty(t, pending)

	// Back, one by one, through what is remembered.
	for _, tx := range slices.Backward(txs) {
		require.NoError(t, tx.Restore(t.Context()))
	}
	same(t, "files", map[string]string{ours: strings.Repeat("x", 5)}, look(t, root, "etc"))
}

func TestOnlyOurLeftoversAreRemoved(t *testing.T) {
	root := node(t, map[string]string{
		ours:                              "old",
		"etc/crio/.crioctl-net-7-0.tmp":   "half",
		"etc/crio/.crioctl-net-7-0.tmp.x": "theirs",
		"etc/crio/.crioctl-net-a.tmp":     "theirs",
		"etc/crio/x.tmp":                  "theirs",
		"etc/crio/.crioctl-net-8-0.tmp":   "-> x.tmp",
		dropIns + "/.crioctl-net-7-0.tmp": "somebody's drop-in",
	})
	require.NoError(t, os.MkdirAll(filepath.Join(root, journalDir, "000003.tmp"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, journalDir, "000003.tmp/0.before"), nil, 0o600))
	s := locked(t, root)
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}))
	require.NoError(t, err)
	require.Equal(t, "1", tx.ID(), "numbers of what never was are free")
	want := map[string]string{
		ours:                              "new",
		"etc/crio/.crioctl-net-7-0.tmp.x": "theirs",
		"etc/crio/.crioctl-net-a.tmp":     "theirs",
		"etc/crio/x.tmp":                  "theirs",
		"etc/crio/.crioctl-net-8-0.tmp":   "-> x.tmp",
		dropIns + "/.crioctl-net-7-0.tmp": "somebody's drop-in",
	}
	same(t, "files", want, look(t, root, "etc"))
	require.NoDirExists(t, filepath.Join(root, journalDir, "000003.tmp"))
}

func TestNothingWithoutTheLock(t *testing.T) {
	root := node(t, map[string]string{ours: "old"})
	s := openStore(t, root)
	_, err := s.Commit(t.Context(), plan())
	require.ErrorIs(t, err, ErrNotLocked)
	_, err = s.Recover(t.Context())
	require.ErrorIs(t, err, ErrNotLocked)
	unlock, err := s.Lock(t.Context())
	require.NoError(t, err)
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old")}))
	require.NoError(t, err)
	require.NoError(t, unlock())
	require.NoError(t, unlock())
	require.ErrorIs(t, tx.Keep(), ErrNotLocked)
	require.ErrorIs(t, tx.Restore(t.Context()), ErrNotLocked)
	txs, err := s.Unfinished() // reading needs no lock
	require.NoError(t, err)
	require.Len(t, txs, 1)
}

func TestStateFolderBehindAnAbsoluteLink(t *testing.T) {
	root := node(t, map[string]string{ours: "old", "data/lib/x": "", "var": "-> /data"})
	s := locked(t, root)
	_, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}))
	require.NoError(t, err)
	require.DirExists(t, filepath.Join(root, "data/lib/crioctl-net/journal/000001.pending"))
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
