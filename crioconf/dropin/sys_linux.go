package dropin

import (
	"errors"
	"strconv"

	"golang.org/x/sys/unix"
)

func openUnnamed(dir int) (fd int, err error) {
	return unix.Openat(dir, ".", unix.O_WRONLY|unix.O_TMPFILE|unix.O_CLOEXEC, 0o600)
}

// noUnnamed reports whether err says that the file system has no unnamed files.
// Kernels before 3.11 take the flag for an attempt to write a directory.
func noUnnamed(err error) bool {
	return errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EISDIR) || errors.Is(err, unix.EINVAL)
}

func linkUnnamed(file, dir int, base string) error {
	err := unix.Linkat(file, "", dir, base, unix.AT_EMPTY_PATH)
	if err != unix.ENOENT {
		return err
	}
	return linkThroughProc(file, dir, base)
}

// linkThroughProc is for kernels before 6.10, where AT_EMPTY_PATH needs
// CAP_DAC_READ_SEARCH.
func linkThroughProc(file, dir int, base string) error {
	return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(file), dir, base, unix.AT_SYMLINK_FOLLOW)
}

func renameNoReplace(from int, old string, to int, base string) error {
	return unix.Renameat2(from, old, to, base, unix.RENAME_NOREPLACE)
}

// noSuchAttr says that a file has no such extended attribute.
const noSuchAttr = unix.ENODATA
