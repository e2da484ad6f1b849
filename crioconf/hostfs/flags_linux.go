package hostfs

import "golang.org/x/sys/unix"

// searchFlags open a directory for walking through it, which needs the right to
// search it and not the right to list it.
const searchFlags = unix.O_PATH
