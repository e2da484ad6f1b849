package failure_test

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
	"github.com/crioctl/crioctl-net/test/systemd/node"
	"github.com/crioctl/crioctl-net/test/systemd/standin"
)

func TestASignalRollsBack(t *testing.T) {
	// Under nohup a program ignores SIGHUP, and so do those that it starts, as
	// long as it does not listen to the signal itself.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(fmt.Sprint(sig), func(t *testing.T) {
			n := node.New(t)
			n.WriteSite()
			n.SetFault(standin.Hang + standin.IfDisabled)
			n.Start()
			p := n.RunAside("hostport", "disable")
			n.Await("ActiveState", "activating")
			p.Signal(sig)
			n.Await("ActiveState", "active")
			p.Signal(sig) // in the middle of the rollback
			p.Signal(syscall.SIGTERM)
			r := p.Wait()
			require.Equal(t, 4, r.Code, r.Stderr)
			require.Contains(t, r.Stderr, "signal received")
			n.RequireAsBefore()
		})
	}
}

// Whoever has read the progress is gone when the change is on its way.
func TestABrokenPipeDoesNotEndTheWork(t *testing.T) {
	n := node.New(t)
	n.Start()
	r := n.Execute("bash", "-c", n.Command()+" hostport disable -v 2>&1 >/dev/null | head -n 1")
	require.Contains(t, r.Stdout, "the files are written")
	require.Equal(t, true, n.Toggle())
	require.Equal(t, []string{"hostport disable: kept"}, n.Transactions())
}

func TestTheNextRunRecoversFromAKill(t *testing.T) {
	for _, tt := range []struct {
		next     []string
		out      string
		disabled bool
	}{
		{[]string{"hostport", "enable"}, "unchanged: CRI-O's hostport mapping is already enabled", false},
		{[]string{"hostport", "disable"}, "CRI-O's hostport mapping is disabled", true},
		{[]string{"rollback"}, "the interrupted change is undone\n", false},
	} {
		t.Run(strings.Join(tt.next, " "), func(t *testing.T) {
			n := node.New(t)
			n.WriteSite()
			n.Start()
			require.Equal(t, 0, n.Run("set", "crio.runtime.log_level", "debug").Code, "an older change")
			before := n.Invocation()
			p := n.RunAside("hostport", "disable")
			require.Eventually(t, func() bool {
				return n.Invocation() != before && n.ActiveState() == "active"
			}, node.WaitTime, node.PollTime)
			p.Kill()
			require.Equal(t, true, n.Toggle())

			r := n.Run(tt.next...)
			require.Equal(t, 0, r.Code, r.Stderr)
			require.Contains(t, r.Stderr, "note: an earlier run (hostport disable) was interrupted; put back its files: "+node.Site+"\n")
			require.Contains(t, r.Stdout, tt.out)
			require.Contains(t, r.Stdout, "restarted crio.service")
			require.Equal(t, tt.disabled, n.Toggle())
			require.Equal(t, "debug", n.LogLevel(), "the older change stays")
			if !tt.disabled {
				n.RequireAsBefore()
			}
		})
	}
}

func TestAKillWhileTheDaemonFailsIsRecovered(t *testing.T) {
	n := node.New(t)
	n.WriteSite()
	n.SetUnit(strings.Replace(node.Unit, "TimeoutStartSec=0", "TimeoutStartSec=1", 1))
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := n.RunAside("hostport", "disable")
	n.Await("ActiveState", "activating")
	p.Kill()
	n.Await("ActiveState", "failed")
	r := n.Run("hostport", "enable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "restarted crio.service")
	n.RequireAsBefore()
}

func TestARunWaitsForTheOneBeforeIt(t *testing.T) {
	n := node.New(t)
	n.WriteSite()
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := n.RunAside("hostport", "disable")
	n.Await("ActiveState", "activating")
	second := n.RunAside("set", "crio.runtime.log_level", "debug")
	p.Signal(syscall.SIGTERM)
	require.Equal(t, 4, p.Wait().Code)
	r := second.Wait()
	require.Equal(t, 0, r.Code, r.Stderr)
	n.RequireAsBefore()
	require.Equal(t, "debug", n.LogLevel(), "it waited for its turn")
}

func TestTheManualStepsOfAFailedRollback(t *testing.T) {
	n := node.New(t)
	n.WriteSite()
	n.Start()
	n.SetFault(standin.Early) // from the next start on, whatever the files say
	r := n.Run("hostport", "disable")
	require.Equal(t, 5, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "the former files are in /var/lib/crioctl-net/journal/000001.restored\n"+
		"  Look now. The former files are back. By hand:\n"+
		"    journalctl -u crio.service -e\n"+
		"    systemctl reset-failed crio.service\n"+
		"    systemctl restart crio.service\n")
	n.SetFault("")
	steps(t, n, r.Stderr)
	n.RequireAsBefore()
}

func TestTheManualStepsWhenTheFilesAreNotBack(t *testing.T) {
	n := node.New(t)
	n.WriteSite()
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := n.RunAside("hostport", "disable")
	n.Await("ActiveState", "activating")
	foreign := strings.Replace(node.SiteText, "false # for now", "true # mine", 1)
	require.NoError(t, os.WriteFile(node.Site, []byte(foreign), 0o640))
	p.Signal(syscall.SIGTERM)
	r := p.Wait()
	require.Equal(t, 5, r.Code, r.Stderr)
	data, err := os.ReadFile(node.Site)
	require.NoError(t, err)
	require.Equal(t, foreign, string(data))
	require.Contains(t, r.Stderr, "    cp /var/lib/crioctl-net/journal/000001.pending/0.before "+node.Site+"\n")
	steps(t, n, r.Stderr)
	n.RequireAsBefore()
	require.Equal(t, 0, n.Run("hostport", "enable").Code)
	require.Equal(t, []string{"hostport disable: restored"}, n.Transactions())
}

// steps runs the commands that the message names.
func steps(t *testing.T, n *node.Node, stderr string) {
	t.Helper()
	_, list, ok := strings.Cut(stderr, "By hand:\n")
	require.True(t, ok, stderr)
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "    ") {
			break
		}
		r := n.Execute("sh", "-c", line)
		require.Equal(t, 0, r.Code, "%s%s", line, r.Stderr)
	}
}

func TestAForeignEditIsNotOverwritten(t *testing.T) {
	n := node.New(t)
	n.WriteSite()
	n.Start()
	before := n.Invocation()
	n.Wrap(`case "$*" in *config) echo "# by hand" >>` + node.Site + ";; esac")
	r := n.Run("hostport", "disable")
	require.Equal(t, 6, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, node.Site+": somebody else changed the file")
	data, err := os.ReadFile(node.Site)
	require.NoError(t, err)
	require.Equal(t, node.SiteText+"# by hand\n", string(data))
	require.Equal(t, before, n.Invocation())
}

func TestManyProcessesLoseNothing(t *testing.T) {
	n := node.New(t)
	n.Start()
	keys := map[string]string{
		"crio.runtime.pids_limit":            "4096",
		"crio.runtime.log_level":             "debug",
		"crio.runtime.ctr_stop_timeout":      "45",
		"crio.runtime.log_to_journald":       "true",
		"crio.network.network_dir":           "/etc/cni/other.d",
		"crio.image.pause_image":             "registry.example/pause:1",
		"crio.metrics.enable_metrics":        "true",
		"crio.metrics.metrics_port":          "9099",
		"crio.api.grpc_max_send_msg_size":    "1048576",
		"crio.stats.stats_collection_period": "7",
	}
	var jobs [][]string
	for k, v := range keys {
		jobs = append(jobs, []string{"set", k, v})
	}
	for i := range 40 {
		jobs = append(jobs, []string{"hostport", []string{"disable", "enable"}[i%2]})
	}
	runs := make([]node.Run, len(jobs))
	var wg sync.WaitGroup
	for i, args := range jobs {
		p := n.RunAside(append(args, "--restart", "never")...)
		wg.Go(func() { runs[i] = p.Wait() })
	}
	wg.Wait()
	for i, r := range runs {
		require.Equal(t, 0, r.Code, "%v: %s", jobs[i], r.Stderr)
	}
	for k, v := range keys {
		require.Equal(t, v, strings.Trim(strings.TrimSpace(n.Run("get", k).Stdout), `"`), k)
	}
	require.Contains(t, []string{"true\n", "false\n"}, n.Run("get", schema.DisableHostportMapping.Path.String()).Stdout)
	require.Equal(t, []string{filepath.Base(node.OurDropIn)}, n.Files())
	require.Equal(t, 0, n.Run("validate").Code)
	require.NotContains(t, strings.Join(n.Transactions(), "\n"), "pending")
	require.Equal(t, 0, n.Run("restart").Code)
}
