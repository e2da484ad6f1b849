package dropin

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A scene is a change of several files in which every kind of step occurs.
type scene struct {
	name          string
	before, after map[string]string // of etc and usr
	plan          Plan
	// kernel makes the file system less able, nil for a good one.
	kernel func(op, path string) error
}

const sub = dropIns + "/sub/90.conf"

func scenes() []scene {
	full := scene{
		name: "edit, removal, new file and folder, link",
		before: map[string]string{
			mainCfg: "main 1", ours: "ours 1", theirs: "theirs 1",
			dropIns + "/20.conf": "-> /usr/share/20.conf", "usr/share/20.conf": "20 1",
			dropIns + "/30.conf": "-> /usr/share/20.conf",
		},
		after: map[string]string{
			mainCfg: "main 2", ours: "ours 2", sub: "sub 2",
			dropIns + "/20.conf": "-> /usr/share/20.conf", "usr/share/20.conf": "20 2",
		},
		plan: plan(
			Change{Path: mainCfg, Before: b("main 1"), After: b("main 2")},
			Change{Path: ours, Before: b("ours 1"), After: b("ours 2")},
			Change{Path: theirs, Before: b("theirs 1")},
			Change{Path: sub, After: b("sub 2")},
			Change{Path: dropIns + "/30.conf", Before: b("20 1")},
			Change{Path: dropIns + "/20.conf", Before: b("20 1"), After: b("20 2")},
		),
	}
	bare := full
	bare.name, bare.kernel = "the same without unnamed files", noUnnamedFiles
	old := full
	old.name = "the same on a kernel without renameat2"
	old.kernel = func(op, path string) error {
		if op == "rename to" && strings.HasSuffix(path, sub) {
			return unix.EINVAL
		}
		return noUnnamedFiles(op, path)
	}
	mount := scene{
		name:   "drop-in directory that is a mount of its own",
		before: map[string]string{ours: "ours 1"},
		after:  map[string]string{ours: "ours 2", dropIns + "/70.conf": "70 2"},
		plan: plan(Change{Path: ours, Before: b("ours 1"), After: b("ours 2")},
			Change{Path: dropIns + "/70.conf", After: b("70 2")}),
		kernel: otherMount,
	}
	return []scene{full, bare, old, mount}
}

// otherMount lets no file be moved into the drop-in directory.
func otherMount(op, path string) error {
	if op == "rename to" && strings.Contains(path, "crio.conf.d/") {
		return unix.EXDEV
	}
	return nil
}

func etcAndUsr(t *testing.T, root string) map[string]string {
	m := look(t, root, "etc")
	maps.Copy(m, look(t, root, "usr"))
	return m
}

// onlyDropIns fails when the drop-in directory, as CRI-O reads it at this
// moment, holds a file that is neither in the former nor in the new
// configuration, or that is incomplete.
func (sc *scene) onlyDropIns(t *testing.T, root, when string) {
	t.Helper()
	now := look(t, root, dropIns)
	for name, content := range now {
		was, old := sc.before[name]
		is, new := sc.after[name]
		if content == "/" || old && was == content || new && is == content {
			continue
		}
		t.Errorf("%s: %s holds %q", when, name, content)
	}
}

// steps runs f with the scene's kernel and calls at ahead of every step.
func (sc *scene) steps(s *Store, at func(n int, step string) error) {
	n := 0
	s.sys.before = func(op, path string) error {
		n++
		if err := at(n, op+" "+path); err != nil {
			return err
		}
		if sc.kernel != nil {
			return sc.kernel(op, path)
		}
		return nil
	}
}

func TestOnlyDropInsAtEveryStep(t *testing.T) {
	for _, sc := range scenes() {
		t.Run(sc.name, func(t *testing.T) {
			root := node(t, sc.before)
			s := locked(t, root)
			sc.steps(s, func(n int, step string) error {
				sc.onlyDropIns(t, root, step)
				return nil
			})
			tx, err := s.Commit(t.Context(), sc.plan)
			require.NoError(t, err)
			same(t, "after Commit", sc.after, etcAndUsr(t, root))
			require.NoError(t, tx.Restore(t.Context()))
			same(t, "after Restore", sc.before, etcAndUsr(t, root))
		})
	}
}

// The order of the steps is what a power cut leaves behind: the journal is on the
// disk before anything is written beside it, a draft before it gets its name, and
// the name before the transaction is closed.
func TestOrderOfSteps(t *testing.T) {
	root := node(t, map[string]string{ours: "old"})
	s := locked(t, root)
	var steps []string
	s.sys.before = func(op, path string) error {
		steps = append(steps, op+" "+strings.NewReplacer(root+"/", "", stateDir, "STATE", dropIns, "DROP-INS").Replace(path))
		return nil
	}
	tx, err := s.Commit(t.Context(), plan(
		Change{Path: ours, Before: b("old"), After: b("new")}, Change{Path: dropIns + "/70.conf", After: b("70")}))
	require.NoError(t, err)
	require.NoError(t, tx.Keep())
	want := []string{
		"mkdir STATE/journal", "chmod STATE/journal", "sync STATE",
		"mkdir STATE/journal/000001.tmp",
		"create STATE/journal/000001.tmp/0.before", "write STATE/journal/000001.tmp/0.before", "sync STATE/journal/000001.tmp/0.before",
		"create STATE/journal/000001.tmp/0.after", "write STATE/journal/000001.tmp/0.after", "sync STATE/journal/000001.tmp/0.after",
		"create STATE/journal/000001.tmp/1.after", "write STATE/journal/000001.tmp/1.after", "sync STATE/journal/000001.tmp/1.after",
		"create STATE/journal/000001.tmp/index.json", "write STATE/journal/000001.tmp/index.json", "sync STATE/journal/000001.tmp/index.json",
		"sync STATE/journal/000001.tmp",
		"rename to STATE/journal/000001.pending", "sync STATE/journal",
		"create etc/crio/.crioctl-net-1-0.tmp", "write etc/crio/.crioctl-net-1-0.tmp", "chmod etc/crio/.crioctl-net-1-0.tmp", "sync etc/crio/.crioctl-net-1-0.tmp",
		"create DROP-INS/70.conf", "write DROP-INS/70.conf", "chmod DROP-INS/70.conf", "sync DROP-INS/70.conf",
		"rename to DROP-INS/60-crioctl-net.conf", "link to DROP-INS/70.conf",
		"sync DROP-INS",
		"rename to STATE/journal/000001.kept", "sync STATE/journal",
	}
	if d := cmp.Diff(want, steps); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Whichever step of a commit fails, the former files are there afterwards, no
// draft lies about, the error names the step, and the next commit works.
func TestCommitFailsAtEveryStep(t *testing.T) {
	errnos := []unix.Errno{unix.ENOSPC, unix.EIO, unix.EROFS, unix.EACCES}
	for i, sc := range scenes() {
		errno := errnos[i]
		t.Run(unix.ErrnoName(errno)+" "+sc.name, func(t *testing.T) {
			t.Parallel()
			for fail := 1; ; fail++ {
				root := fastNode(t, sc.before)
				s := locked(t, root)
				failed := ""
				sc.steps(s, func(n int, step string) error {
					if n != fail {
						return nil
					}
					failed = strings.ReplaceAll(step, root, "")
					return errno
				})
				_, err := s.Commit(t.Context(), sc.plan)
				s.sys.before = sc.kernel
				if failed == "" {
					require.NoError(t, err)
					require.Greater(t, fail, 30, "the steps of the scene")
					return
				}
				if err == nil {
					// Nothing but tidying may fail in silence.
					t.Fatalf("%s failed and Commit did not say so", failed)
				}
				require.ErrorIs(t, err, errno, failed)
				require.NotErrorIs(t, err, ErrNotRestored, failed)
				same(t, failed+": files", sc.before, etcAndUsr(t, root))
				if !strings.HasPrefix(failed, "remove") { // of what a failed removal leaves, below
					txs, err := s.History()
					require.NoError(t, err)
					require.Empty(t, txs, failed)
				}
				_, err = s.Recover(t.Context())
				require.NoError(t, err, failed)
				tx, err := s.Commit(t.Context(), sc.plan)
				require.NoError(t, err, failed)
				require.NoError(t, tx.Keep())
				same(t, failed+": files of the next commit", sc.after, etcAndUsr(t, root))
			}
		})
	}
}

// When a step of the restoration fails, a second one finishes it.
func TestRestoreFailsAtEveryStep(t *testing.T) {
	for _, sc := range scenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			for fail := 1; ; fail++ {
				root := fastNode(t, sc.before)
				s := locked(t, root)
				s.sys.before = sc.kernel
				tx, err := s.Commit(t.Context(), sc.plan)
				require.NoError(t, err)
				failed := ""
				sc.steps(s, func(n int, step string) error {
					sc.onlyDropIns(t, root, step)
					if n != fail {
						return nil
					}
					failed = step
					return unix.EIO
				})
				err = tx.Restore(t.Context())
				if failed == "" {
					require.NoError(t, err)
					return
				}
				s.sys.before = sc.kernel
				if err != nil {
					require.ErrorIs(t, err, unix.EIO)
					_, err = s.Recover(t.Context())
					require.NoError(t, err, failed)
				}
				same(t, failed, sc.before, etcAndUsr(t, root))
			}
		})
	}
}

// Two steps in a row fail: the first file cannot be put back. The error says so,
// the journal stays, and the next run restores.
func TestCommitThatCannotBeTakenBack(t *testing.T) {
	root := node(t, map[string]string{ours: "ours 1", theirs: "theirs 1"})
	s := locked(t, root)
	broken := false
	s.sys.before = func(op, path string) error {
		if op == "rename to" && strings.HasSuffix(path, theirs) {
			broken = true
		}
		if broken {
			return unix.EIO
		}
		return nil
	}
	tx, err := s.Commit(t.Context(), plan(
		Change{Path: ours, Before: b("ours 1"), After: b("ours 2")},
		Change{Path: theirs, Before: b("theirs 1"), After: b("theirs 2")}))
	require.ErrorIs(t, err, unix.EIO)
	require.ErrorIs(t, err, ErrNotRestored)
	require.Equal(t, Pending, tx.State())
	s.sys.before = nil
	done, err := s.Recover(t.Context())
	require.NoError(t, err)
	require.Len(t, done, 1)
	same(t, "files", map[string]string{ours: "ours 1", theirs: "theirs 1"}, etcAndUsr(t, root))
}

// The process is killed ahead of every step in turn, and the next one recovers.
func TestKilledAtEveryStep(t *testing.T) {
	for i, sc := range scenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			for step := 1; ; step++ {
				root := fastNode(t, sc.before)
				killed := !child(t, root, fmt.Sprintf("CRIOCTL_TEST_STEP=%d", step), fmt.Sprintf("CRIOCTL_TEST_SCENE=%d", i))
				when := fmt.Sprintf("killed ahead of step %d", step)
				sc.onlyDropIns(t, root, when)
				if !killed {
					require.Greater(t, step, 30, "the steps of the scene")
					return
				}
				sc.recovers(t, root, when)
			}
		})
	}
}

// recovers lets the next run restore, and looks at what it leaves.
func (sc *scene) recovers(t *testing.T, root, when string) {
	t.Helper()
	s := openStore(t, root)
	unlock, err := s.Lock(t.Context())
	require.NoError(t, err, when)
	defer unlock()
	_, err = s.Recover(context.Background())
	require.NoError(t, err, when)
	got := etcAndUsr(t, root)
	if d := sc.before; !maps.Equal(got, d) {
		// Killed after Keep.
		same(t, when, sc.after, got)
	}
	txs, err := s.History()
	require.NoError(t, err, when)
	require.False(t, slices.ContainsFunc(txs, func(tx *Tx) bool { return tx.State() == Pending }), when)
}

func TestMain(m *testing.M) {
	if root := os.Getenv("CRIOCTL_TEST_ROOT"); root != "" {
		if err := inChild(root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// leftovers lists what may not be there when nobody is at work.
func leftovers(t *testing.T, root string) []string {
	t.Helper()
	l, err := filepath.Glob(filepath.Join(root, "etc/crio/.crioctl-net-*"))
	require.NoError(t, err)
	return l
}

// noUnnamedFiles makes the system one without unnamed files.
func noUnnamedFiles(op, path string) error {
	if op == "create" && strings.Contains(path, "crio.conf.d/") {
		return unix.EOPNOTSUPP
	}
	return nil
}

func needRoot(t *testing.T, why string) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("must run as root in CI: the test %s", why)
	}
	t.Skipf("needs root: the test %s", why)
}
