package systemd_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/systemd"
	"github.com/crioctl/crioctl-net/test/systemd/node"
	"github.com/crioctl/crioctl-net/test/systemd/standin"
)

func open(t *testing.T, n *node.Node, units ...string) *systemd.Service {
	t.Helper()
	s, err := systemd.Open(n.Context(), systemd.Options{Units: units})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func properties(t *testing.T, n *node.Node, s *systemd.Service) systemd.Properties {
	t.Helper()
	p, err := s.Properties(n.Context())
	require.NoError(t, err)
	return p
}

func failure(t *testing.T, err error) *systemd.Error {
	t.Helper()
	var e *systemd.Error
	require.ErrorAs(t, err, &e)
	return e
}

func TestRestartOverDBus(t *testing.T) {
	n := node.New(t)
	s := open(t, n)
	require.Equal(t, "inactive", properties(t, n, s).ActiveState)
	require.NoError(t, s.Restart(n.Context()), "a stopped unit is started")
	before := properties(t, n, s)
	require.True(t, before.Running())
	require.Equal(t, filepath.Base(node.UnitFile), filepath.Base(before.FragmentPath))
	require.Equal(t, []systemd.EnvironmentFile{{Path: node.EnvFile, Optional: true}}, before.EnvironmentFiles)

	require.NoError(t, s.Restart(n.Context()))
	after := properties(t, n, s)
	require.True(t, after.Running())
	require.NotEqual(t, before.MainPID, after.MainPID)
	require.NotEqual(t, before.InvocationID, after.InvocationID)

	require.NoError(t, s.Reload(n.Context()))
	require.Equal(t, after.InvocationID, properties(t, n, s).InvocationID, "a reload is no new process")
}

func TestRestartUnderItsAlias(t *testing.T) {
	n := node.New(t)
	s := open(t, n, "cri-o.service")
	require.NoError(t, s.Restart(n.Context()))
	p := properties(t, n, s)
	require.Equal(t, "crio.service", p.ID)
	require.True(t, p.Running())
}

// service is a unit around a command line.
func service(kind, command string, more ...string) string {
	return "[Unit]\nStartLimitIntervalSec=0\n[Service]\nType=" + kind + "\nNotifyAccess=all\nExecStart=" + command +
		"\n" + strings.Join(more, "\n") + "\n"
}

func TestRestartThatFails(t *testing.T) {
	const sleep = "/bin/sleep 1000"
	for _, tt := range []struct {
		name  string
		unit  string
		setup func(n *node.Node)
		kind  error
		want  string // part of the message
		after string // active state
	}{
		{name: "CRI-O refuses its configuration", unit: node.Unit,
			setup: func(n *node.Node) { n.Write(node.DropIns+"/bad.conf", "[crio.runtime\n") },
			kind:  systemd.ErrJob, want: "failed, it is failed, the program exited with status 1", after: "failed"},
		{name: "it exits before it is ready", unit: node.Unit, setup: func(n *node.Node) { n.SetFault(standin.Early) },
			kind: systemd.ErrJob, want: "the program exited with status 7", after: "failed"},
		{name: "it never gets ready", unit: strings.Replace(node.Unit, "TimeoutStartSec=0", "TimeoutStartSec=1", 1),
			setup: func(n *node.Node) { n.SetFault(standin.Hang) },
			kind:  systemd.ErrJob, want: "killed by signal 15, result timeout", after: "failed"},
		{name: "the binary is missing", unit: service("exec", "/nonexistent/crio"),
			kind: systemd.ErrJob, want: "the program exited with status 203", after: "failed"},
		{name: "it is tried again and again",
			unit:  strings.Replace(node.Unit, "Restart=no", "Restart=on-failure\nRestartSec=1000", 1),
			setup: func(n *node.Node) { n.SetFault(standin.Early) },
			kind:  systemd.ErrJob, want: "it is activating (auto-restart)", after: "activating"},
		{name: "a unit that it requires fails",
			unit: "[Unit]\nRequires=sysd-none.mount\nAfter=sysd-none.mount\n" + service("exec", sleep),
			setup: func(n *node.Node) {
				n.Write("/etc/systemd/system/sysd-none.mount", "[Mount]\nWhat=/nonexistent\nWhere=/sysd/none\nType=ext4\n")
				n.Systemctl("daemon-reload")
			},
			kind: systemd.ErrJob, want: "dependency, it is inactive", after: "inactive"},
		{name: "a condition is not met", unit: "[Unit]\nConditionPathExists=/nonexistent\n" + service("exec", sleep),
			kind: systemd.ErrNotActive, want: "it is inactive (dead)", after: "inactive"},
		{name: "an assertion is not met", unit: "[Unit]\nAssertPathExists=/nonexistent\n" + service("exec", sleep),
			kind: systemd.ErrJob, want: "assert, it is inactive", after: "inactive"},
		{name: "the job has a deadline of its own", unit: "[Unit]\nJobTimeoutSec=1\n" + service("notify", sleep),
			kind: systemd.ErrJob, want: "timeout, it is activating", after: "activating"},
		{name: "it may not be started by hand", unit: "[Unit]\nRefuseManualStart=yes\n" + service("exec", sleep),
			kind: systemd.ErrRefused, want: "Operation refused"},
		{name: "a faulty unit file", unit: "[Service]\nType=notify\n", kind: systemd.ErrBadUnit, want: "has a bad unit file setting"},
		{name: "a second command line", unit: node.Unit + "[Service]\nExecStart=/usr/local/bin/crio --log-level debug\n",
			kind: systemd.ErrBadUnit, want: "has a bad unit file setting"},
		{name: "a missing environment file", unit: node.Unit + "[Service]\nEnvironmentFile=/etc/crio/none\n",
			kind: systemd.ErrJob, want: "result resources", after: "failed"},
		{name: "masked", unit: node.Unit,
			setup: func(n *node.Node) { n.Systemctl("mask", "--runtime", "crio.service") },
			kind:  systemd.ErrMasked, want: "crio.service is masked"},
		{name: "no such unit", unit: node.Unit,
			setup: func(n *node.Node) {
				_ = os.Remove(node.UnitFile)
				_ = os.Remove(node.Alias)
				n.Systemctl("daemon-reload")
			},
			kind: systemd.ErrNotFound, want: "crio.service not found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := node.New(t)
			n.SetUnit(tt.unit)
			if tt.setup != nil {
				tt.setup(n)
			}
			s := open(t, n)
			err := s.Restart(n.Context())
			require.ErrorIs(t, err, tt.kind)
			require.ErrorContains(t, err, tt.want)
			e := failure(t, err)
			require.NotEmpty(t, e.Hint)
			if tt.after != "" {
				require.NotNil(t, e.After)
				require.Equal(t, tt.after, e.After.ActiveState)
			}
		})
	}
}

func TestReloadOfStoppedUnit(t *testing.T) {
	n := node.New(t)
	require.ErrorIs(t, open(t, n).Reload(n.Context()), systemd.ErrRefused)
}

// A simple service counts as started before it has run at all, so that only
// the state afterwards tells.
func TestExitAtOnceShowsInTheState(t *testing.T) {
	n := node.New(t)
	n.SetUnit(service("simple", "/bin/sh -c 'exit 7'"))
	s := open(t, n)
	if err := s.Restart(n.Context()); err != nil {
		require.ErrorIs(t, err, systemd.ErrNotActive)
	}
	n.Await("ActiveState", "failed")
	p := properties(t, n, s)
	require.Equal(t, "exit-code", p.Result)
	require.EqualValues(t, 7, p.ExecMainStatus)
}

func TestCrashLoopShowsInTheState(t *testing.T) {
	n := node.New(t)
	n.SetUnit(strings.Replace(node.Unit, "Restart=no", "Restart=on-failure\nRestartSec=10ms", 1))
	n.SetFault(standin.Crash)
	s := open(t, n)
	require.NoError(t, s.Restart(n.Context()), "it was ready once")
	before := properties(t, n, s)
	n.Await("NRestarts", "2")
	after := properties(t, n, s)
	require.NotEqual(t, before.InvocationID, after.InvocationID)
	require.Greater(t, after.NRestarts, before.NRestarts)
}

func TestStartLimitAndReset(t *testing.T) {
	n := node.New(t)
	n.SetUnit(strings.Replace(node.Unit, "StartLimitIntervalSec=0", "StartLimitIntervalSec=1000\nStartLimitBurst=2", 1))
	s := open(t, n)
	require.NoError(t, s.Restart(n.Context()))
	require.NoError(t, s.Restart(n.Context()))
	err := s.Restart(n.Context())
	require.ErrorIs(t, err, systemd.ErrStartLimit)
	require.Contains(t, failure(t, err).Hint, "systemctl reset-failed crio.service")
	require.NoError(t, s.ResetFailed(n.Context()))
	require.NoError(t, s.Restart(n.Context()))
}

func TestCanceledByAnotherRequest(t *testing.T) {
	n := node.New(t)
	n.SetFault(standin.Hang)
	s := open(t, n)
	done := make(chan error, 1)
	go func() { done <- s.Restart(n.Context()) }()
	n.Await("ActiveState", "activating")
	n.Systemctl("stop", "crio.service")
	err := <-done
	require.ErrorIs(t, err, systemd.ErrJob)
	require.Equal(t, "canceled", failure(t, err).Job)
}

func TestDeadlineLeavesTheJobAndTheConnection(t *testing.T) {
	n := node.New(t)
	n.SetFault(standin.Hang)
	s := open(t, n)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	err := s.Restart(ctx)
	require.ErrorIs(t, err, systemd.ErrTimeout)
	require.Equal(t, "activating", failure(t, err).After.ActiveState)
	require.Equal(t, "activating", properties(t, n, s).ActiveState)
	n.SetFault("")
	require.NoError(t, s.Restart(n.Context()), "the next restart takes its place")
}

func TestNeedDaemonReload(t *testing.T) {
	n := node.New(t)
	n.Write("/etc/systemd/system/crio.service.d/10-a.conf", "[Service]\nEnvironment=A=1\n")
	n.Systemctl("daemon-reload")
	n.Start()
	s := open(t, n)
	require.False(t, properties(t, n, s).NeedDaemonReload)
	n.Write("/etc/systemd/system/crio.service.d/20-b.conf", "[Service]\nEnvironment=B=1\n")
	p := properties(t, n, s)
	require.True(t, p.NeedDaemonReload)
	require.Equal(t, []string{"GOTRACEBACK=crash", "A=1"}, p.Environment)
	require.NoError(t, s.DaemonReload(n.Context()))
	p = properties(t, n, s)
	require.False(t, p.NeedDaemonReload)
	require.Equal(t, []string{"GOTRACEBACK=crash", "A=1", "B=1"}, p.Environment)
}

func TestBusDiesWhileWaiting(t *testing.T) {
	n := node.New(t)
	n.RestoreBus()
	n.SetFault(standin.Hang)
	s := open(t, n)
	done := make(chan error, 1)
	go func() { done <- s.Restart(n.Context()) }()
	n.Await("ActiveState", "activating")
	n.KillBus()
	err := <-done
	require.ErrorIs(t, err, systemd.ErrBusLost)
	// systemd's own socket answers all the same, so that the state is known.
	require.Equal(t, "activating", failure(t, err).After.ActiveState)
}

func TestWithoutBusRootUsesSystemdsOwnSocket(t *testing.T) {
	n := node.New(t)
	n.RestoreBus()
	n.Systemctl("mask", "--runtime", "--now", "dbus.socket", "dbus.service")
	require.NoError(t, os.RemoveAll("/run/dbus/system_bus_socket"))
	s := open(t, n)
	require.NoError(t, s.Restart(n.Context()))
	require.True(t, properties(t, n, s).Running())
}

// nobody is the uid that unprivileged tests run under.
const nobody = 65534

// asNobody runs a test of this binary without privileges.
func asNobody(t *testing.T, name string) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	data, err := os.ReadFile(exe)
	require.NoError(t, err)
	open := "/usr/local/bin/systemd.test" // where everybody may run it
	require.NoError(t, os.WriteFile(open, data, 0o755))
	defer os.Remove(open)
	cmd := exec.Command(open, "-test.run", "^"+name+"$", "-test.v")
	cmd.Env = append(os.Environ(), "SYSTEMD_TEST_HELPER=1")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+name)
}

func TestUnprivileged(t *testing.T) {
	n := node.New(t)
	n.Start()
	asNobody(t, "TestHelperUnprivileged")
}

// TestHelperUnprivileged runs as a user without rights, started by
// TestUnprivileged.
func TestHelperUnprivileged(t *testing.T) {
	if os.Getenv("SYSTEMD_TEST_HELPER") != "1" {
		t.Skip("is run by TestUnprivileged")
	}
	require.Equal(t, nobody, os.Geteuid())
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s, err := systemd.Open(ctx, systemd.Options{})
	require.NoError(t, err)
	defer s.Close()
	p, err := s.Properties(ctx)
	require.NoError(t, err, "everybody may read the state")
	require.True(t, p.Running())
	for _, call := range []func(context.Context) error{s.Restart, s.Reload, s.ResetFailed, s.DaemonReload} {
		err := call(ctx)
		require.ErrorIs(t, err, systemd.ErrPermission)
		var e *systemd.Error
		require.True(t, errors.As(err, &e))
		require.Contains(t, e.Hint, "root")
	}
	_, err = systemd.Open(ctx, systemd.Options{Address: "unix:path=/run/systemd/private"})
	require.ErrorIs(t, err, systemd.ErrPermission)
}

// A policy of the bus may forbid it to root as well.
func TestBusPolicyDenies(t *testing.T) {
	n := node.New(t)
	n.DenyRestart()
	err := open(t, n).Restart(n.Context())
	require.ErrorIs(t, err, systemd.ErrPermission)
	require.ErrorContains(t, err, "Rejected send message")
}

func TestStandInServesItsConfiguration(t *testing.T) {
	n := node.New(t)
	n.Write(filepath.Join(node.DropIns, "50-x.conf"), "[crio.runtime]\ndisable_hostport_mapping = true\n")
	n.Start()
	require.Contains(t, string(n.Running().Source), "disable_hostport_mapping = true")
	n.Write(node.EnvFile, "DISABLE_HOSTPORT_MAPPING=\n")
	require.NoError(t, open(t, n).Restart(n.Context()))
	require.Contains(t, string(n.Running().Source), "disable_hostport_mapping = false")
}
