package diag

// fileDocs explain the codes about files and the drop-in directory.
func fileDocs() []Doc {
	return []Doc{
		{
			Code: StrayFile, Severity: Warning, Effect: None, Since: "1.17",
			Title: "CRI-O reads a file that nobody meant as configuration",
			Text: `
CRI-O reads every file below the drop-in directory, at any depth and whatever its name:
backups of editors, swap files, what package managers leave behind (.rpmsave, .rpmnew,
.dpkg-old), hidden files. Such a file often sorts behind the one that it is a copy of, so
that its old values win. One that is not TOML stops the daemon.

Move the file out of the directory. A backup has its place elsewhere.`,
			Before: `
-- 10-log.conf --
[crio.runtime]
log_level = "info"
-- 10-log.conf~ --
[crio.runtime]
log_level = "debug"
`,
			After: `
-- 10-log.conf --
[crio.runtime]
log_level = "info"
`,
		},
		{
			Code: DropInOrder, Severity: Warning, Effect: Replaced, Since: "1.17",
			Title: "the files are read in another order than their numbers",
			Text: `
Drop-ins are read in the order of their names as text, byte by byte: 100-debug.conf comes
before 99-site.conf, and 50-b.conf before 9-c.conf. The file with the highest number is
not the last, and another one wins.

Give all files numbers of the same length.`,
			Before: `
-- 99-site.conf --
[crio.runtime]
log_level = "info"
-- 100-debug.conf --
[crio.runtime]
log_level = "debug"
`,
			After: `
-- 90-site.conf --
[crio.runtime]
log_level = "info"
-- 99-debug.conf --
[crio.runtime]
log_level = "debug"
`,
		},
		{
			Code: DropInsUnread, Severity: Warning, Effect: Ignored,
			Title: "this CRI-O has no drop-in directory",
			Text: `
The drop-in directory /etc/crio/crio.conf.d came with CRI-O 1.17. Older releases read the
main file and nothing else, so all files there do nothing.

Put the settings into the main file, or upgrade CRI-O.`,
		},
		{
			Code: DanglingSymlink, Severity: Error, Effect: Refused, Since: "1.17",
			Title: "a link in the drop-in directory leads nowhere",
			Text: `
CRI-O opens every entry below the drop-in directory and refuses to start when one cannot
be opened. Deleting the target of a link is enough.

Remove the link or restore its target. A drop-in is switched off by moving it out of the
directory. A link to /dev/null is read as an empty file: it does no harm, but it masks no
other file as it would for systemd.`,
		},
		{
			Code: SymlinkToDir, Severity: Error, Effect: Refused, Since: "1.17",
			Title: "a link in the drop-in directory leads to a directory",
			Text: `
CRI-O walks through directories below the drop-in directory, but not through links to
directories: it opens the link as a file and refuses to start. The ..data link of a
Kubernetes volume is such a link. The same happens when the drop-in directory itself is a
link, unless its path is given with a slash at the end.

Use a real directory, or link the files one by one.`,
		},
		{
			Code: NotRegular, Severity: Error, Effect: Refused,
			Title: "a pipe, socket, device or directory stands where CRI-O reads a file",
			Text: `
CRI-O opens its main file, and every entry below the drop-in directory that is no
directory, whatever it is. On a pipe it waits for a writer, and as the shipped unit has
no start timeout it waits for ever. A socket or a directory cannot be read, and the
daemon exits. A device can do either.

Remove the entry. It was not read here.`,
		},
		{
			Code: Unreadable, Severity: Error, Effect: None,
			Title: "the file cannot be read",
			Text: `
CRI-O refuses to start when it cannot read its main file or one of the drop-ins. It runs
as root, so what an ordinary user may not read it usually can; a file on a broken disk or
one that a security module protects it cannot.

Run the check as root to see what CRI-O sees. The file was not judged.`,
		},
		{
			Code: TooLarge, Severity: Error, Effect: Refused,
			Title: "the file is larger than any configuration",
			Text: `
CRI-O reads files of any size into memory and decodes them at each start and at each of
its commands. This one is so large that it cannot be a configuration. It was not judged;
CRI-O refuses to start unless all of it happens to be TOML.

Look at what the file is, and move it away.`,
		},
		{
			Code: MissingFile, Severity: Error, Effect: Refused,
			Title: "a file that was named does not exist",
			Text: `
When the main file is given by --config or CONTAINER_CONFIG it must exist, or CRI-O and
all its commands fail. At its usual place, /etc/crio/crio.conf, it may be missing, and so
may the drop-in directory anywhere. An EnvironmentFile of the unit must exist as well
unless its name begins with a dash; without it systemd does not start CRI-O.

Create the file, or remove the flag or the line that names it. With an empty name, --config "", CRI-O reads no main
file at all.`,
		},
		{
			Code: FileMode, Severity: Info, Effect: None,
			Title: "the mode of the file is not that of a configuration",
			Text: `
CRI-O reads the file whatever its mode. But it runs as root, and who can write its
configuration can make it run any program: a file that others may write is a way to
become root. A file that is executable was mostly copied by mistake.

Set owner root and mode 0644.`,
		},
	}
}
