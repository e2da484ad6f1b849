// Package pod holds the tests of the pod that "render daemonset" makes: its
// commands run with its mounts, its rights and namespaces of their own, against a
// real systemd.
package pod
