//go:build unix && !linux

package hostfs

import "golang.org/x/sys/unix"

// searchFlags open a directory for walking through it. Here that needs the
// right to list it.
const searchFlags = unix.O_RDONLY
