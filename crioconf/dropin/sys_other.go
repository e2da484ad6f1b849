//go:build unix && !linux

package dropin

import (
	"errors"

	"golang.org/x/sys/unix"
)

func openUnnamed(int) (int, error) { return -1, unix.ENOTSUP }

// noUnnamed reports whether err says that the file system has no unnamed files.
func noUnnamed(err error) bool { return errors.Is(err, unix.ENOTSUP) }

func linkUnnamed(int, int, string) error { return unix.ENOTSUP }

func renameNoReplace(int, string, int, string) error { return unix.ENOTSUP }

// noSuchAttr says that a file has no such extended attribute.
const noSuchAttr = unix.ENOATTR
