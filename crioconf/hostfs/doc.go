// Package hostfs reads the files of a host, or of a tree that will become one,
// as an fs.FS.
//
// Names are slash-separated and have no leading slash: etc/crio/crio.conf. Every
// symbolic link is followed as if the process had changed its root to the tree:
// an absolute target starts again at the root, and ".." at the root stays there.
// So a node's root that lies in a folder reads as it will on the node, and no
// link in it can lead to a file of the machine that holds the folder.
//
// The walk goes from open directory to open directory and never hands the
// kernel a path of more than one part. A directory that is moved, or replaced by
// a link, while a name is being followed makes the call fail or see the old
// directory; it does not let the walk out of the root. ".." goes back to the
// directory that the walk came from and is never asked of the kernel.
//
// os.Root alone refuses absolute links, and openat2 neither exists before Linux
// 5.6 nor tells the name that a link leads to, which a writer needs. The walk
// here works on every kernel that CRI-O runs on, without /proc.
//
// Opening never blocks and has no side effect: only regular files and
// directories can be opened, a named pipe, socket or device gives
// ErrNotRegular. Stat, Lstat, ReadDir and Resolve look at everything.
//
// Errors are *fs.PathError. They name the file as a person would type it, with
// the root in front, and errors.Is finds fs.ErrNotExist, fs.ErrPermission and
// the errno in them.
package hostfs
