// Package crio learns from a node what CRI-O it has: the installed binary, the
// unit that starts it with its flags and variables, and the running daemon.
//
// A flag or variable of the unit wins over every file of CRI-O's configuration,
// so nobody can tell the effective configuration from the files alone. ReadUnit
// reads the unit files of a node as systemd does and remembers for every flag
// and variable the line that it stands on, also when the line is in an
// environment file. It needs nothing but the files, so that it works on the
// root of a node that is not running.
//
// ProbeBinary asks the binary for its version and whether it reads the hostport
// toggle, without the node's configuration, so that a node whose CRI-O does not
// start any more can still be asked. A binary in the root of another node is
// never run.
//
// Client asks the running daemon over its socket.
//
// What is not seen: flags that a shell script or another wrapper puts in,
// variables from systemd's own environment (DefaultEnvironment=,
// PassEnvironment=, systemctl set-environment, credentials), and unit files
// that generators write at boot, on a node that is not running.
package crio
