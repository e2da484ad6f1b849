// Package failure holds the tests of what a change does when the daemon, the bus
// or the command itself fails half way, with a real systemd and a daemon that
// fails on demand.
package failure
