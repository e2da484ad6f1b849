// Package node puts a CRI-O onto the machine that a test runs in: the stand-in
// as /usr/local/bin/crio, its unit, and a configuration. It is for the
// throw-away machine of .ci/sysd, whose files vanish with it, and refuses to
// touch any other.
//
// A test package that uses it has
//
//	func TestMain(m *testing.M) { node.Main(m) }
//
// since the stand-in is the test binary itself under another name.
package node

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/test/systemd/standin"
)

// The files of the node.
const (
	Binary   = "/usr/local/bin/crio"
	UnitFile = "/usr/lib/systemd/system/crio.service"
	Alias    = "/etc/systemd/system/cri-o.service"
	EnvFile  = "/etc/sysconfig/crio"
	MainFile = "/etc/crio/crio.conf"
	DropIns  = "/etc/crio/crio.conf.d"
	Socket   = "/run/crio-standin/crio.sock"
)

// Unit is the unit that CRI-O ships, but for the folder of the binary, a start
// limit that tests do not run into, and a quick restart.
const Unit = `[Unit]
Description=Container Runtime Interface for OCI (CRI-O)
StartLimitIntervalSec=0

[Service]
Type=notify
EnvironmentFile=-/etc/sysconfig/crio
Environment=GOTRACEBACK=crash
ExecStart=/usr/local/bin/crio \
          $CRIO_CONFIG_OPTIONS \
          $CRIO_RUNTIME_OPTIONS \
          $CRIO_STORAGE_OPTIONS \
          $CRIO_NETWORK_OPTIONS \
          $CRIO_METRICS_OPTIONS
ExecReload=/bin/kill -s HUP $MAINPID
TimeoutStartSec=0
Restart=no

[Install]
WantedBy=multi-user.target
Alias=cri-o.service
`

const mainFile = `[crio.api]
listen = "` + Socket + `"

[crio.runtime]
log_level = "info"
`

// Main runs the tests, or the stand-in when the program is called crio.
func Main(m *testing.M) {
	if filepath.Base(os.Args[0]) == "crio" {
		os.Exit(standin.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// A Node is the machine with its CRI-O.
type Node struct{ t *testing.T }

// New makes the node anew: everything as after the installation, the unit
// loaded and stopped. Outside of the machine the test is skipped, but fails
// where the machine was asked for.
func New(t *testing.T) *Node {
	t.Helper()
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		if os.Getenv("CRIOCTL_NET_SYSTEMD") == "1" {
			t.Fatal("systemd does not run here: ", err)
		}
		t.Skip("needs the machine of .ci/sysd; run .ci/systemd-test")
	}
	if os.Getenv("CRIOCTL_NET_SYSTEMD") != "1" {
		t.Skip("this is not the machine of .ci/sysd; run .ci/systemd-test")
	}
	n := &Node{t}
	n.clean()
	t.Cleanup(n.clean)
	exe, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(Binary), 0o755))
	require.NoError(t, os.Symlink(exe, Binary))
	n.Write(UnitFile, Unit)
	require.NoError(t, os.Symlink(UnitFile, Alias))
	n.Write(EnvFile, "")
	n.Write(MainFile, mainFile)
	require.NoError(t, os.MkdirAll(DropIns, 0o755))
	n.Systemctl("daemon-reload")
	return n
}

// clean stops the unit and takes away all that a test may have made.
func (n *Node) clean() {
	n.t.Helper()
	_ = exec.Command("systemctl", "kill", "-s", "KILL", "crio.service").Run()
	_ = exec.Command("systemctl", "stop", "crio.service", "crioctl-net-try-*").Run()
	for _, p := range []string{
		Binary, UnitFile, UnitFile + ".d", Alias, EnvFile, "/etc/crio", "/var/lib/crioctl-net", filepath.Dir(Socket),
	} {
		require.NoError(n.t, os.RemoveAll(p))
	}
	for _, dir := range []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system"} {
		for _, name := range []string{"crio.service", "crio.service.d", "cri-o.service.d", "cri-.service.d", "service.d"} {
			require.NoError(n.t, os.RemoveAll(filepath.Join(dir, name)))
		}
	}
	_ = exec.Command("systemctl", "reset-failed", "crio.service", "crioctl-net-try-*").Run()
}

// Write makes a file and its folders.
func (n *Node) Write(path, text string) {
	n.t.Helper()
	require.NoError(n.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(n.t, os.WriteFile(path, []byte(text), 0o644))
}

// SetUnit replaces the unit file and reloads systemd.
func (n *Node) SetUnit(text string) {
	n.t.Helper()
	n.Write(UnitFile, text)
	n.Systemctl("daemon-reload")
}

// Wrap makes crio a script that runs the shell text and then the stand-in with
// the same arguments.
func (n *Node) Wrap(text string) {
	n.t.Helper()
	exe, err := os.Executable()
	require.NoError(n.t, err)
	require.NoError(n.t, os.Remove(Binary))
	script := fmt.Sprintf("#!/bin/bash\n%s\nexec -a crio %s \"$@\"\n", text, exe)
	require.NoError(n.t, os.WriteFile(Binary, []byte(script), 0o755))
}

// SetRelease puts a crio of another release in place, from its next start on.
// One that is unaware does not have the toggle.
func (n *Node) SetRelease(version string, unaware bool) {
	n.t.Helper()
	text := "export " + standin.VersionVariable + "=" + version
	if unaware {
		text += " " + standin.UnawareVariable + "=1"
	}
	n.Wrap(text)
}

// SetFault makes the stand-in misbehave from its next start on; "" heals it.
func (n *Node) SetFault(fault string) {
	n.t.Helper()
	n.Write(EnvFile, "STANDIN_FAULT="+fault+"\n")
}

// Systemctl runs systemctl and returns what it prints.
func (n *Node) Systemctl(args ...string) string {
	n.t.Helper()
	out, err := exec.Command("systemctl", args...).CombinedOutput()
	require.NoError(n.t, err, "systemctl %s: %s", strings.Join(args, " "), out)
	return strings.TrimSpace(string(out))
}

// Start starts the unit.
func (n *Node) Start() {
	n.t.Helper()
	n.Systemctl("start", "crio.service")
}

// Await waits until the property of the unit has the value.
func (n *Node) Await(property, value string) {
	n.t.Helper()
	require.Eventually(n.t, func() bool {
		return n.Systemctl("show", "-P", property, "crio.service") == value
	}, 20*time.Second, 20*time.Millisecond, "%s=%s", property, value)
}

// Context returns a context with a deadline that a healthy machine never
// reaches.
func (n *Node) Context() context.Context {
	ctx, cancel := context.WithTimeout(n.t.Context(), 30*time.Second)
	n.t.Cleanup(cancel)
	return ctx
}

// Running returns the configuration that the daemon serves.
func (n *Node) Running() crio.Running {
	n.t.Helper()
	r, err := crio.Client{Socket: Socket}.Config(n.Context())
	require.NoError(n.t, err)
	return r
}

// Dump starts the unit with the stand-in as a program that writes down its
// arguments and environment, and returns them.
func (n *Node) Dump() standin.Dump {
	n.t.Helper()
	path := filepath.Join(n.t.TempDir(), "dump")
	n.Systemctl("set-environment", standin.DumpVariable+"="+path)
	defer n.Systemctl("unset-environment", standin.DumpVariable)
	out, err := exec.Command("systemctl", "start", "crio.service").CombinedOutput()
	require.NoError(n.t, err, "%s", out)
	var d standin.Dump
	require.Eventually(n.t, func() bool {
		data, err := os.ReadFile(path)
		return err == nil && json.Unmarshal(data, &d) == nil
	}, 20*time.Second, 5*time.Millisecond, "the program wrote nothing down")
	return d
}
