package dropin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const dropInLabel = "system_u:object_r:container_config_t:s0\x00"

// acl is an access list in the kernel's form: read for one more user.
func acl() []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{0x01, 6, 0xffffffff}, {0x02, 4, 1234}, {0x04, 4, 0xffffffff}, {0x10, 4, 0xffffffff}, {0x20, 0, 0xffffffff}} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}

type facts struct {
	mode     uint32
	uid, gid uint32
	xattrs   map[string]string
}

func factsOf(t *testing.T, p string) facts {
	t.Helper()
	f, err := os.Open(p)
	require.NoError(t, err)
	defer f.Close()
	m, err := metaOf(f)
	require.NoError(t, err)
	x := map[string]string{}
	for k, v := range m.Xattrs {
		x[k] = string(v)
	}
	return facts{uint32(m.Mode), m.UID, m.GID, x}
}

func setxattr(t *testing.T, p, attr, v string) {
	t.Helper()
	err := unix.Setxattr(p, attr, []byte(v), 0)
	if errors.Is(err, unix.ENOTSUP) {
		t.Skipf("the file system of the temporary folder keeps no %s", attr)
	}
	require.NoError(t, err)
}

// Owner, mode, label, access list and other attributes outlive an edit, a
// removal that is taken back, and an edit that is taken back.
func TestMetadataIsKept(t *testing.T) {
	needRoot(t, "gives files away and sets labels")
	root := node(t, map[string]string{ours: "old"})
	p := filepath.Join(root, ours)
	require.NoError(t, os.Chown(p, 1234, 4321))
	require.NoError(t, os.Chmod(p, 0o640))
	setxattr(t, p, labelAttr, dropInLabel)
	setxattr(t, p, aclAttr, string(acl()))
	setxattr(t, p, "user.note", strings.Repeat("n", 1000))
	setxattr(t, p, "trusted.note", "x")
	want := factsOf(t, p)
	require.Equal(t, uint32(0o640), want.mode)
	require.Len(t, want.xattrs, 4)

	for behaviour, after := range map[string][]byte{"edit": b("new"), "removal": nil} {
		t.Run(behaviour, func(t *testing.T) {
			s := openStore(t, root)
			unlock, err := s.Lock(t.Context())
			require.NoError(t, err)
			defer func() { require.NoError(t, unlock()) }()
			tx, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: after, Mode: 0o777}))
			require.NoError(t, err)
			if after != nil {
				require.Equal(t, want, factsOf(t, p), "after Commit")
			}
			require.NoError(t, tx.Restore(t.Context()))
			require.Equal(t, want, factsOf(t, p), "after Restore")
		})
	}
}

// A signature over the former bytes must not be given to the new ones.
func TestSignatureIsNotKept(t *testing.T) {
	needRoot(t, "sets a signature")
	root := node(t, map[string]string{ours: "old"})
	setxattr(t, filepath.Join(root, ours), "security.ima", "\x01signature")
	s := locked(t, root)
	_, err := s.Commit(t.Context(), plan(Change{Path: ours, Before: b("old"), After: b("new")}))
	require.NoError(t, err)
	require.Empty(t, factsOf(t, filepath.Join(root, ours)).xattrs)
}

// A new file has the owner of its folder and no list that the folder of its
// draft would hand down. With no unnamed files, so that the draft was made in
// another folder, it gets the label of its own.
func TestNewFile(t *testing.T) {
	needRoot(t, "gives folders away and sets labels")
	for _, named := range []bool{false, true} {
		t.Run(map[bool]string{false: "unnamed draft", true: "named draft"}[named], func(t *testing.T) {
			root := node(t, nil)
			d := filepath.Join(root, dropIns)
			require.NoError(t, os.Chown(d, 1234, 4321))
			if named {
				setxattr(t, d, labelAttr, dropInLabel)
			}
			setxattr(t, filepath.Dir(d), "system.posix_acl_default", string(acl()))
			s := locked(t, root)
			if named {
				s.sys.before = noUnnamedFiles
			}
			tx, err := s.Commit(t.Context(), plan(
				Change{Path: ours, After: b("new")}, Change{Path: dropIns + "/secret", After: b("x"), Mode: 0o600}))
			require.NoError(t, err)
			want := facts{mode: 0o644, uid: 1234, gid: 4321, xattrs: map[string]string{}}
			if named {
				want.xattrs[labelAttr] = dropInLabel
			}
			require.Equal(t, want, factsOf(t, filepath.Join(root, ours)))
			want.mode = 0o600
			require.Equal(t, want, factsOf(t, filepath.Join(root, dropIns, "secret")))
			require.NoError(t, tx.Restore(t.Context()))
			same(t, "files", map[string]string{dropIns: "/"}, look(t, root, "etc"))
		})
	}
}

// What the drop-in folder hands down to new files is for ours too.
func TestNewFileInheritsFromItsFolder(t *testing.T) {
	root := node(t, nil)
	setxattr(t, filepath.Join(root, dropIns), "system.posix_acl_default", string(acl()))
	s := locked(t, root)
	_, err := s.Commit(t.Context(), plan(Change{Path: ours, After: b("new")}))
	require.NoError(t, err)
	got := factsOf(t, filepath.Join(root, ours))
	require.True(t, bytes.HasPrefix([]byte(got.xattrs[aclAttr]), []byte{2, 0, 0, 0}), "an access list")
	require.Equal(t, uint32(0o644), got.mode)
}

// Directories that are made belong to the owner of the one above, and a group
// that is handed down stays so.
func TestNewDirectory(t *testing.T) {
	needRoot(t, "gives folders away")
	root := t.TempDir()
	etc := filepath.Join(root, "etc")
	require.NoError(t, os.Mkdir(etc, 0o755))
	require.NoError(t, os.Chown(etc, 1234, 4321))
	require.NoError(t, os.Chmod(etc, 0o755|os.ModeSetgid))
	s := locked(t, root)
	_, err := s.Commit(t.Context(), plan(Change{Path: ours, After: b("new")}))
	require.NoError(t, err)
	for _, d := range []string{"etc/crio", dropIns} {
		require.Equal(t, facts{mode: 0o2755, uid: 1234, gid: 4321, xattrs: map[string]string{}}, factsOf(t, filepath.Join(root, d)))
	}
	require.Equal(t, facts{mode: 0o644, uid: 1234, gid: 4321, xattrs: map[string]string{}}, factsOf(t, filepath.Join(root, ours)))
}

func TestUnnamedFileGetsItsNameThroughProc(t *testing.T) {
	root := t.TempDir()
	s := openStore(t, root)
	d, err := s.dir(".")
	require.NoError(t, err)
	defer d.Close()
	f, err := s.sys.createUnnamed(d, "f")
	if noUnnamed(err) {
		t.Skip("the file system of the temporary folder has no unnamed files")
	}
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, s.sys.write(f, b("x")))
	require.NoError(t, linkThroughProc(int(f.Fd()), d.fd(), "f"))
	require.ErrorIs(t, linkThroughProc(int(f.Fd()), d.fd(), "f"), os.ErrExist)
	require.ErrorIs(t, linkUnnamed(int(f.Fd()), d.fd(), "f"), os.ErrExist)
	same(t, "files", map[string]string{"f": "x"}, look(t, root, "."))
}
