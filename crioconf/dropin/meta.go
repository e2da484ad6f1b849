package dropin

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	labelAttr = "security.selinux"
	aclAttr   = "system.posix_acl_access"
)

// foreignAttrs speak about the bytes of a file, or are the kernel's own, and
// must not be given to other bytes.
var foreignAttrs = []string{"security.ima", "security.evm"}

// A meta is what a file has besides its bytes.
type meta struct {
	Mode   octal             `json:"mode"`
	UID    uint32            `json:"uid"`
	GID    uint32            `json:"gid"`
	Xattrs map[string][]byte `json:"xattrs,omitempty"` // the SELinux label and the access control list are among them
}

// octal is the permission part of a mode, with the setuid, setgid and sticky
// bits.
type octal uint32

func (o octal) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%04o", uint32(o)), nil }

func (o *octal) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 8, 12)
	*o = octal(n)
	return err
}

// metaOf reads what the open file has.
func metaOf(f *os.File) (*meta, error) {
	st, err := fstat(f)
	if err != nil {
		return nil, err
	}
	x, err := xattrs(f)
	if err != nil {
		return nil, &fs.PathError{Op: "read attributes of", Path: f.Name(), Err: err}
	}
	return &meta{Mode: octal(st.Mode & 0o7777), UID: st.Uid, GID: st.Gid, Xattrs: x}, nil
}

// set gives the file the owner, mode and attributes of m. A step that changes
// nothing is left out, so that a file of an ordinary user needs no right that
// only root has.
func (y *system) set(f *os.File, m *meta) error {
	have, err := metaOf(f)
	if err != nil {
		return err
	}
	if have.UID != m.UID || have.GID != m.GID {
		if err := y.chown(f, int(m.UID), int(m.GID)); err != nil {
			return err
		}
	}
	// A list that the directory hands down would widen the mode.
	if _, ok := have.Xattrs[aclAttr]; ok && m.Xattrs[aclAttr] == nil {
		if err := y.removexattr(f, aclAttr); err != nil {
			return err
		}
	}
	if err := y.chmod(f, uint32(m.Mode)); err != nil {
		return err
	}
	for _, attr := range slices.Sorted(maps.Keys(m.Xattrs)) {
		if bytes.Equal(have.Xattrs[attr], m.Xattrs[attr]) {
			continue
		}
		if err := y.setxattr(f, attr, m.Xattrs[attr]); err != nil {
			return err
		}
	}
	return nil
}

// setNew gives a new file its mode, the owner of its directory when we may
// choose it, and the directory's SELinux label when the file was made in
// another one.
func (y *system) setNew(f *os.File, d *dir, mode fs.FileMode, elsewhere bool) error {
	parent, err := metaOf(d.File)
	if err != nil {
		return err
	}
	have, err := metaOf(f)
	if err != nil {
		return err
	}
	want := &meta{Mode: octal(mode.Perm()), UID: have.UID, GID: have.GID}
	if os.Geteuid() == 0 {
		want.UID, want.GID = parent.UID, parent.GID
	}
	if !elsewhere { // the kernel has handed down what the directory's policy says
		want.Xattrs = have.Xattrs
	} else if label := parent.Xattrs[labelAttr]; label != nil {
		want.Xattrs = map[string][]byte{labelAttr: label}
	}
	return y.set(f, want)
}

// xattrs returns the extended attributes of f that belong to the file and not
// to its bytes. A file system without attributes has none.
func xattrs(f *os.File) (map[string][]byte, error) {
	defer runtime.KeepAlive(f)
	fd := int(f.Fd())
	list, err := grow(func(b []byte) (int, error) { return unix.Flistxattr(fd, b) })
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m map[string][]byte
	for name := range bytes.SplitSeq(list, []byte{0}) {
		attr := string(name)
		if attr == "" || slices.Contains(foreignAttrs, attr) {
			continue
		}
		v, err := grow(func(b []byte) (int, error) { return unix.Fgetxattr(fd, attr, b) })
		if errors.Is(err, noSuchAttr) { // gone since, or listed for others only
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", attr, err)
		}
		if m == nil {
			m = map[string][]byte{}
		}
		m[attr] = v
	}
	return m, nil
}

// grow calls f with a buffer that is large enough.
func grow(f func([]byte) (int, error)) ([]byte, error) {
	for size := 256; ; size *= 2 {
		b := make([]byte, size)
		n, err := f(b)
		switch {
		case errors.Is(err, unix.ERANGE) || errors.Is(err, unix.E2BIG):
			continue
		case errors.Is(err, unix.EINTR):
			size /= 2
		case err != nil:
			return nil, err
		default:
			return b[:n], nil
		}
	}
}
