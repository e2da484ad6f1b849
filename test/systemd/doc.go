// Package systemd holds the tests that need a real systemd with a real bus. They
// run inside the throw-away machine of .ci/sysd; .ci/systemd-test starts it.
package systemd
