package node

import (
	"os"
	"os/exec"

	"github.com/stretchr/testify/require"
)

// RestoreBus brings the bus back after a test that takes it away.
func (n *Node) RestoreBus() {
	n.t.Cleanup(func() {
		for _, args := range [][]string{{"unmask", "--runtime", "dbus.socket", "dbus.service"}, {"restart", "dbus.socket"}, {"restart", "dbus.service"}} {
			out, err := exec.Command("systemctl", args...).CombinedOutput()
			require.NoError(n.t, err, "%s", out)
		}
	})
}

// KillBus kills the bus for good.
func (n *Node) KillBus() {
	n.t.Helper()
	n.Systemctl("mask", "--runtime", "dbus.socket", "dbus.service")
	n.Systemctl("stop", "dbus.socket")
	n.Systemctl("kill", "-s", "KILL", "dbus.service")
}

// DenyRestart makes the bus forbid restarts to everybody, root included, until
// the end of the test.
func (n *Node) DenyRestart() {
	n.t.Helper()
	const policy = "/etc/dbus-1/system.d/zz-deny.conf"
	n.t.Cleanup(func() {
		require.NoError(n.t, os.Remove(policy))
		n.Systemctl("restart", "dbus.service")
	})
	n.Write(policy, `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><policy context="mandatory"><deny send_destination="org.freedesktop.systemd1"
  send_interface="org.freedesktop.systemd1.Manager" send_member="RestartUnit"/></policy></busconfig>
`)
	n.Systemctl("restart", "dbus.service")
}
