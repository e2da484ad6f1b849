// Package doctor looks a node over: a list of named checks, each with a verdict,
// what it has seen, and what to do.
//
// The checks are data. Checks returns them in their order, and Run makes some of
// them on a Node, which carries everything that they look at: the files, the
// configuration that was loaded from them, the unit, and readers for the daemon,
// systemd and the kernel. A reader that is nil is not there, as with the root of
// a node that does not run; then the checks that need it are skipped and say so.
// Files that are not there say nothing either where the root holds no whole
// system: what was not looked at is not claimed.
//
// No check changes anything. What a check could not look at is a finding of its
// own, not-checked, and a check that breaks down is reported as check-failed and
// does not take the others with it.
package doctor
