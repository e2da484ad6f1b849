// Package dropin turns planned changes into files, all or none, and back.
//
// A Plan says for each file what it was and what it shall be. Commit makes it
// so under a lock, after it has saved the former files in a journal; the
// transaction that it returns is then kept or restored. Whatever happens in
// between, a killed process or a power cut included, the next process finds the
// pending transaction in the journal and can restore it.
//
// # Promises
//
//   - CRI-O reads every file in the drop-in directory and below it. Nothing but
//     finished drop-ins is ever there under any name: a file is written in full,
//     synced, given its owner, mode and labels, and then gets its name in one
//     step. New files are written without a name in their directory; the next
//     version of an existing file is written one directory above.
//   - A file that is no longer what the plan says is not touched, and neither
//     are the others of the plan.
//   - When a step fails, the files that were changed already are put back.
//   - Owner, mode, SELinux label, access control list and other extended
//     attributes of an existing file stay. A new file has mode 0644 and the
//     owner of its directory.
//   - A change of a link edits the file that the link leads to; the removal of a
//     link removes the link.
//   - Files and directories are synced, so that a change which was reported is
//     there after a power cut.
//
// # Limits
//
// A drop-in directory that is a mount of its own has no place on its file
// system that CRI-O does not read. There an existing file is replaced by
// removing it and giving the finished version its name directly after; a process
// killed between the two leaves a directory without that drop-in, and the
// journal to restore it. The several files of one plan are changed one after the
// other.
//
// # State
//
// Lock and journal are in var/lib/crioctl-net below the root. A transaction is a
// folder journal/ID.STATE with an index and the bytes of each file before and
// after, as plain files for a person in need.
//
// The package knows no TOML and checks no content.
package dropin
