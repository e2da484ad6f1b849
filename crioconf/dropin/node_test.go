package dropin

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
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
