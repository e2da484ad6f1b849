package failure_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/test/systemd/node"
	"github.com/crioctl/crioctl-net/test/systemd/standin"
)

func TestAReloadThatIsIgnoredIsRolledBack(t *testing.T) {
	n := node.New(t)
	n.SetFault(standin.Deaf)
	n.Start()
	before := n.Invocation()
	r := n.Run("set", "crio.runtime.log_level", "debug", "--timeout", "2s")
	require.Equal(t, 4, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, `the daemon runs with crio.runtime.log_level = "info", the files say "debug"`)
	require.Equal(t, before, n.Invocation())
	require.Equal(t, "info", n.LogLevel())
}

func TestAFailingDaemonGetsItsFormerFilesBack(t *testing.T) {
	for _, tt := range []struct {
		fault string
		says  string
	}{
		{standin.Early, "the program exited with status 7"},
		{standin.Hang, "no answer in time: the job has not ended"},
		{standin.Crash, "the service is not healthy: it is failed"},
		{standin.Mute, "the service is not healthy: "},
		{standin.Stale, "the daemon runs with crio.runtime.disable_hostport_mapping = false, the files say true"},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			n := node.New(t)
			n.WriteSite()
			n.SetFault(tt.fault + standin.IfDisabled)
			n.Start()
			r := n.Run("hostport", "disable", "--timeout", "2s")
			require.Equal(t, 4, r.Code, r.Stderr)
			require.Contains(t, r.Stderr, tt.says)
			require.Contains(t, r.Stderr, "the former files are back, and the service is healthy with them")
			require.Empty(t, r.Stdout)
			n.RequireAsBefore()
		})
	}
}

func TestASlowDaemonIsWaitedFor(t *testing.T) {
	n := node.New(t)
	n.SetFault(standin.Slow)
	n.Start()
	r := n.Run("hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
}

// systemd starts it again and again, so that it is active whenever one looks.
func TestAFlappingDaemonIsNotTakenForHealthy(t *testing.T) {
	n := node.New(t)
	n.SetUnit(strings.Replace(node.Unit, "Restart=no", "Restart=on-failure\nRestartSec=10ms", 1))
	n.WriteSite()
	n.SetFault(standin.Crash + standin.IfDisabled)
	n.Start()
	r := n.Run("hostport", "disable", "--timeout", "5s")
	require.Equal(t, 4, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "the service is not healthy: ")
	n.RequireAsBefore()
}

func TestTheStartLimitDoesNotStopARollback(t *testing.T) {
	n := node.New(t)
	n.SetUnit(strings.Replace(node.Unit, "StartLimitIntervalSec=0", "StartLimitIntervalSec=1000\nStartLimitBurst=1", 1))
	n.WriteSite()
	n.Start()
	r := n.Run("hostport", "disable")
	require.Equal(t, 4, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "too many starts in a short time")
	n.RequireAsBefore()

	r = n.Run("restart")
	require.Equal(t, 6, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "too many starts in a short time")
	require.Contains(t, r.Stderr, "systemctl reset-failed crio.service")
}

func TestABusThatDiesIsNoticed(t *testing.T) {
	n := node.New(t)
	n.RestoreBus()
	n.WriteSite()
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := n.RunAside("hostport", "disable")
	n.Await("ActiveState", "activating")
	n.KillBus()
	r := p.Wait()
	require.Equal(t, 4, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "the connection to systemd was lost: while the job ran")
	n.RequireAsBefore()
}

func TestARestartThatTheBusForbidsLeavesAllAsItWas(t *testing.T) {
	n := node.New(t)
	n.WriteSite()
	n.Start()
	before := n.Invocation()
	n.DenyRestart()
	r := n.Run("hostport", "disable")
	require.Equal(t, 6, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "not permitted")
	require.Contains(t, r.Stderr, "the former files are back, and the service was not stopped")
	require.Equal(t, before, n.Invocation())
	n.RequireAsBefore()
}
