package pod_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/test/systemd/node"
	"github.com/crioctl/crioctl-net/test/systemd/standin"
)

// newNode is a node whose CRI-O listens where the pod looks for it.
func newNode(t *testing.T) *node.Node {
	t.Helper()
	n := node.New(t)
	const dir = "/run/crio"
	require.NoError(t, os.MkdirAll(dir, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.RemoveAll(filepath.Dir(node.Socket)))
	require.NoError(t, os.Symlink(dir, filepath.Dir(node.Socket))) // where the node's own questions go
	n.Write(node.MainFile, "[crio.runtime]\nlog_level = \"info\"\n")
	return n
}

func TestThePodDisablesHostport(t *testing.T) {
	n := newNode(t)
	n.Start()
	before := n.Invocation()
	p := newPod(t, n, "hostport", "disable")
	r := p.init()
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "restarted crio.service: active (running)")
	require.Equal(t, true, n.Toggle())
	require.NotEqual(t, before, n.Invocation())
	require.Equal(t, []string{"60-crioctl-net.conf"}, n.Files())
	require.Equal(t, []string{"hostport disable: kept"}, n.Transactions())

	// A pod that comes again, as after a reboot, changes nothing.
	after := n.Invocation()
	r = p.init()
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "unchanged: ")
	require.Equal(t, after, n.Invocation())
}

func TestThePodEditsAnAdministratorsFileInPlace(t *testing.T) {
	n := newNode(t)
	n.Write(node.Site, node.SiteText)
	n.Start()
	r := newPod(t, n, "hostport", "disable").init()
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Equal(t, []string{filepath.Base(node.Site)}, n.Files())
	require.Equal(t, true, n.Toggle())
}

// kubelet starts a failed init container again and again.
func TestWhatWasTakenBackIsNotTriedAgain(t *testing.T) {
	n := newNode(t)
	n.SetFault(standin.Early + standin.IfDisabled)
	n.Start()
	p := newPod(t, n, "hostport", "disable")
	r := p.init()
	require.Equal(t, 4, r.Code, r.Stderr)
	require.Equal(t, false, n.Toggle())
	require.Equal(t, "active", n.ActiveState())

	healthy := n.Invocation()
	for range 3 {
		r = p.init()
		require.Equal(t, 7, r.Code, r.Stderr)
		require.Contains(t, r.Stderr, "is not made again: ")
		require.Contains(t, r.Stderr, "the program exited with status 7")
		require.Contains(t, r.Stderr, "run it on the node without --not-again")
	}
	require.Equal(t, healthy, n.Invocation(), "crio was not restarted")
	require.Equal(t, []string{}, n.Files())

	// Once the cause is gone a person does it, and the pod is content.
	n.SetFault("")
	require.Equal(t, 0, n.Run("hostport", "disable").Code)
	r = p.init()
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Equal(t, true, n.Toggle())
}

// A pod that is told to stop says nothing about the change.
func TestAPodThatWasStoppedTriesAgain(t *testing.T) {
	n := newNode(t)
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := newPod(t, n, "hostport", "disable")
	cmd, _, errs := p.command(p.change, p.change.Command)
	require.NoError(t, cmd.Start())
	n.Await("ActiveState", "activating")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	require.Equal(t, 4, cmd.ProcessState.ExitCode(), errs)
	require.Equal(t, false, n.Toggle())

	n.SetFault("")
	r := p.init()
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Equal(t, true, n.Toggle())
}

// What the unit's EnvironmentFile says is seen where it is shown to the pod, and
// else by the daemon's answer.
func TestThePodHeedsTheEnvironmentFile(t *testing.T) {
	n := newNode(t)
	n.Write(node.EnvFile, "CRIO_NETWORK_OPTIONS=--disable-hostport-mapping=false\n")
	n.Start()
	before := n.Invocation()
	r := newPod(t, n, "hostport", "disable", "--host-path", "/etc/sysconfig").init()
	require.Equal(t, 7, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, node.EnvFile+":1:22: the flag --disable-hostport-mapping of the unit")
	require.Equal(t, before, n.Invocation())

	r = newPod(t, n, "hostport", "disable", "--timeout", "3s").init()
	require.Equal(t, 4, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "the daemon runs with crio.runtime.disable_hostport_mapping = false, the files say true")
	require.Equal(t, []string{}, n.Files())
}

func TestThePodInstallsDropIns(t *testing.T) {
	n := newNode(t)
	n.Start()
	dir := t.TempDir()
	n.Write(filepath.Join(dir, "30-level"), "[crio.runtime]\nlog_level = \"debug\"\n")
	n.Write(filepath.Join(dir, "40-toggle"), "[crio.runtime]\ndisable_hostport_mapping = true\n")
	r := newPod(t, n, "--file", dir).init()
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Equal(t, []string{"30-level", "40-toggle"}, n.Files())
	require.Equal(t, true, n.Toggle())

	// Other drop-ins make another pod, which takes away what is not given any more.
	require.NoError(t, os.Remove(filepath.Join(dir, "40-toggle")))
	r = newPod(t, n, "--file", dir).init()
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Equal(t, []string{"30-level"}, n.Files())
	require.Equal(t, false, n.Toggle())
	require.Equal(t, "debug", n.LogLevel())
}

// Every mount of the pod is there for a reason: without it the change fails, or
// is blind to something.
func TestEveryMountIsNeeded(t *testing.T) {
	for _, tt := range []struct {
		without string
		code    int
		says    string
	}{
		{"dbus", 6, "system_bus_socket"},
		{"crio-socket", 5, "crio.sock"}, // the rollback cannot be seen to succeed either
		{"state", 6, "make the state folder"},
		{"units-run", 0, "not restarted: this system does not run systemd"},
	} {
		t.Run(tt.without, func(t *testing.T) {
			n := newNode(t)
			n.Start()
			p := newPod(t, n, "hostport", "disable", "--timeout", "3s")
			p.without = tt.without
			r := p.init()
			require.Equal(t, tt.code, r.Code, "%s%s", r.Stdout, r.Stderr)
			require.Contains(t, r.Stdout+r.Stderr, tt.says)
			require.Equal(t, false, n.Toggle())
		})
	}
	for _, where := range []struct{ without, folder string }{
		{"units-etc", "/etc/systemd/system"}, {"units-run", "/run/systemd/system"}, {"units-usr", "/usr/lib/systemd/system"},
	} {
		t.Run("a flag in "+where.folder, func(t *testing.T) {
			n := newNode(t)
			n.Write(filepath.Join(where.folder, "crio.service.d/10-flag.conf"), "[Service]\nExecStart=\nExecStart=/usr/local/bin/crio --disable-hostport-mapping=false\n")
			n.Systemctl("daemon-reload")
			n.Start()
			p := newPod(t, n, "hostport", "disable")
			r := p.init()
			require.Equal(t, 7, r.Code, r.Stderr)
			require.Contains(t, r.Stderr, where.folder+"/crio.service.d/10-flag.conf:3:")
			p.without = where.without
			require.NotEqual(t, 7, p.init().Code, "it is not seen")
		})
	}
}

// The container that stays is the first process of its namespace. It ends when it
// is told to, and buries what others leave behind.
func TestTheHoldingContainer(t *testing.T) {
	n := newNode(t)
	n.Start()
	p := newPod(t, n, "hostport", "disable")
	cmd, out, errs := p.command(p.hold, p.hold.Command)
	require.NoError(t, cmd.Start())
	pid := strconv.Itoa(cmd.Process.Pid)
	require.Eventually(t, func() bool {
		exe, err := os.Readlink("/proc/" + pid + "/exe")
		return err == nil && filepath.Base(exe) == "crioctl-net"
	}, node.WaitTime, node.PollTime)

	// A probe that was cut short leaves a process, which the first one inherits.
	orphan := exec.Command("nsenter", "--target", pid, "--pid", "/bin/sh", "-c", "sleep 0.2 & echo $!")
	left, err := orphan.Output()
	require.NoError(t, err)
	require.NotEmpty(t, strings.TrimSpace(string(left)))
	children := func() string {
		data, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
		require.NoError(t, err)
		return string(data)
	}
	require.Eventually(t, func() bool { return children() == "" }, node.WaitTime, node.PollTime)

	// It has buried somebody, so it listens to signals.
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
	require.Empty(t, out.String()+errs.String())
}
