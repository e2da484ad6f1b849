package dropin

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

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

// A record of the program's own comes with a change, and goes with it unless it
// was removed before.
func TestRecordInTheStateFolder(t *testing.T) {
	const record = stateDir + "/record.json"
	for _, removed := range []bool{false, true} {
		root := node(t, map[string]string{ours: "old"})
		s := locked(t, root)
		require.NoError(t, s.RemoveState("record.json"), "there is none")
		tx, err := s.Commit(t.Context(), plan(
			Change{Path: ours, Before: b("old"), After: b("new")}, Change{Path: record, After: b("r"), Mode: 0o600}))
		require.NoError(t, err)
		require.NoError(t, tx.Keep())
		require.FileExists(t, filepath.Join(root, record))
		if removed {
			require.NoError(t, s.RemoveState("record.json"))
			require.NoFileExists(t, filepath.Join(root, record))
		}
		require.NoError(t, tx.Restore(t.Context()))
		require.NoFileExists(t, filepath.Join(root, record))
		same(t, "the former file", map[string]string{ours: "old"}, look(t, root, "etc"))
	}
	require.ErrorIs(t, openStore(t, node(t, nil)).RemoveState("record.json"), ErrNotLocked)
}

// A reader without the lock may have listed a transaction that another process
// closes, or sweeps away, before its index is read.
func TestReaderMeetsAClosingTransaction(t *testing.T) {
	s := locked(t, node(t, map[string]string{ours: "old"}))
	tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}))
	require.NoError(t, err)
	listed := journalEntry{tx.n, string(Pending)}
	require.NoError(t, tx.Keep())

	found, err := s.load(listed)
	require.NoError(t, err)
	require.Equal(t, Kept, found.State())
	require.NoError(t, os.Remove(filepath.Join(found.Dir(), indexName)))
	_, err = s.load(journalEntry{tx.n, string(Kept)})
	require.ErrorIs(t, err, fs.ErrNotExist, "an index that is missing is damage")
	require.NoError(t, os.RemoveAll(found.Dir()))
	found, err = s.load(listed)
	require.NoError(t, err)
	require.Nil(t, found)
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
