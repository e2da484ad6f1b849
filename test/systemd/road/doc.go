// Package road holds the tests of the one road that every change takes, with the
// command as it was built and a real systemd.
package road
