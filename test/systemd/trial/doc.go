// Package trial holds the tests of changes that are undone unless they are
// confirmed, with the command as it was built and a real systemd.
package trial
