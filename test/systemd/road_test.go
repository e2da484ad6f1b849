package systemd_test

import (
	"fmt"
	"os"
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

// site is a drop-in of an administrator, with an owner and a mode of its own.
const (
	site     = node.DropIns + "/50-site.conf"
	siteText = "# ours\n[crio.runtime]\ndisable_hostport_mapping = false # for now\n"
	siteUID  = 1234
)

func writeSite(t *testing.T, n *node.Node) {
	t.Helper()
	n.Write(site, siteText)
	require.NoError(t, os.Chmod(site, 0o640))
	require.NoError(t, os.Chown(site, siteUID, siteUID))
}

// asBefore makes sure that the administrator's drop-in is the only one, with its
// former bytes, owner and mode, and that the daemon is well and runs with it.
func asBefore(t *testing.T, n *node.Node) {
	t.Helper()
	require.Equal(t, []string{filepath.Base(site)}, dropIns(t))
	data, err := os.ReadFile(site)
	require.NoError(t, err)
	require.Equal(t, siteText, string(data))
	st, err := os.Stat(site)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), st.Mode())
	sys := st.Sys().(*syscall.Stat_t)
	require.Equal(t, []uint32{siteUID, siteUID}, []uint32{sys.Uid, sys.Gid})
	require.Equal(t, "active", n.Systemctl("show", "-P", "ActiveState", "crio.service"))
	require.Equal(t, false, toggleServed(n))
}

func TestAReloadableKeyIsReloaded(t *testing.T) {
	n := node.New(t)
	n.Start()
	before := invocation(n)
	r := crioctl(t, n, "set", "crio.runtime.log_level", "debug")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stdout, "  reloaded crio.service: active (running), pid ")
	require.Equal(t, before, invocation(n), "the same process")
	require.Equal(t, "debug", logLevel(n))
}

// On SIGHUP CRI-O forgets the flags, so that the level would fall back to what
// the files say.
func TestAFlagForAReloadableKeyMakesItARestart(t *testing.T) {
	n := node.New(t)
	n.Write(node.EnvFile, "CRIO_RUNTIME_OPTIONS=--log-level=warn\n")
	n.Start()
	before := invocation(n)
	r := crioctl(t, n, "set", "crio.image.pause_image", "registry.example/pause:1")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stdout, "  restarted crio.service")
	require.NotEqual(t, before, invocation(n))
	require.Equal(t, "warn", logLevel(n))
	v, _ := n.Running().Lookup(schema.PauseImage.Path, schema.String)
	require.Equal(t, "registry.example/pause:1", v)
}

func TestAReloadThatIsIgnoredIsRolledBack(t *testing.T) {
	n := node.New(t)
	n.SetFault(standin.Deaf)
	n.Start()
	before := invocation(n)
	r := crioctl(t, n, "set", "crio.runtime.log_level", "debug", "--timeout", "2s")
	require.Equal(t, 4, r.code, r.stderr)
	require.Contains(t, r.stderr, `the daemon runs with crio.runtime.log_level = "info", the files say "debug"`)
	require.Equal(t, before, invocation(n))
	require.Equal(t, "info", logLevel(n))
}

func TestTheMessageSaysWhoRefuses(t *testing.T) {
	n := node.New(t)
	n.Start()
	before := invocation(n)
	for _, tt := range []struct {
		name       string
		args       []string
		says, nots string
	}{
		{"the installed crio", []string{"set", "crio.network.network_dir", standin.RefusedDir},
			"our own checks passed, and the installed crio does not load the result: ", "would not start"},
		{"the installed crio, in a dry run", []string{"set", "crio.network.network_dir", standin.RefusedDir, "--dry-run"},
			"is refused by this build", "would not start"},
		{"our own checks", []string{"set", "crio.runtime.log_level", "chatty"},
			"CRI-O would not start with this change; nothing was written", "installed crio"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := crioctl(t, n, tt.args...)
			require.Equal(t, 1, r.code, r.stderr)
			require.Contains(t, r.stderr, tt.says)
			require.NotContains(t, r.stderr, tt.nots)
			require.Equal(t, []string{}, dropIns(t))
			require.Equal(t, before, invocation(n))
		})
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "crioctl-net-*"))
	require.NoError(t, err)
	require.Empty(t, left, "the copies for crio to check are removed")
}

// Each way in which a daemon fails with the new files alone.
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
			writeSite(t, n)
			n.SetFault(tt.fault + standin.IfDisabled)
			n.Start()
			r := crioctl(t, n, "hostport", "disable", "--timeout", "2s")
			require.Equal(t, 4, r.code, r.stderr)
			require.Contains(t, r.stderr, tt.says)
			require.Contains(t, r.stderr, "the former files are back, and the service is healthy with them")
			require.Empty(t, r.stdout)
			asBefore(t, n)
		})
	}
}

func TestASlowDaemonIsWaitedFor(t *testing.T) {
	n := node.New(t)
	n.SetFault(standin.Slow)
	n.Start()
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 0, r.code, r.stderr)
}

// systemd starts it again and again, so that it is active whenever one looks.
func TestAFlappingDaemonIsNotTakenForHealthy(t *testing.T) {
	n := node.New(t)
	n.SetUnit(strings.Replace(node.Unit, "Restart=no", "Restart=on-failure\nRestartSec=10ms", 1))
	writeSite(t, n)
	n.SetFault(standin.Crash + standin.IfDisabled)
	n.Start()
	r := crioctl(t, n, "hostport", "disable", "--timeout", "5s")
	require.Equal(t, 4, r.code, r.stderr)
	require.Contains(t, r.stderr, "the service is not healthy: ")
	asBefore(t, n)
}

func TestTheStartLimitDoesNotStopARollback(t *testing.T) {
	n := node.New(t)
	n.SetUnit(strings.Replace(node.Unit, "StartLimitIntervalSec=0", "StartLimitIntervalSec=1000\nStartLimitBurst=1", 1))
	writeSite(t, n)
	n.Start()
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 4, r.code, r.stderr)
	require.Contains(t, r.stderr, "too many starts in a short time")
	asBefore(t, n)

	r = crioctl(t, n, "restart")
	require.Equal(t, 6, r.code, r.stderr)
	require.Contains(t, r.stderr, "too many starts in a short time")
	require.Contains(t, r.stderr, "systemctl reset-failed crio.service")
}

func TestASignalRollsBack(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(fmt.Sprint(sig), func(t *testing.T) {
			n := node.New(t)
			writeSite(t, n)
			n.SetFault(standin.Hang + standin.IfDisabled)
			n.Start()
			p := startCommand(t, n, "hostport", "disable")
			n.Await("ActiveState", "activating")
			p.signal(t, sig)
			n.Await("ActiveState", "active")
			p.signal(t, sig) // in the middle of the rollback
			p.signal(t, syscall.SIGTERM)
			r := p.wait()
			require.Equal(t, 4, r.code, r.stderr)
			require.Contains(t, r.stderr, "signal received")
			asBefore(t, n)
		})
	}
}

func TestABusThatDiesIsNoticed(t *testing.T) {
	n := node.New(t)
	restartsBus(t)
	writeSite(t, n)
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := startCommand(t, n, "hostport", "disable")
	n.Await("ActiveState", "activating")
	killBus(n)
	r := p.wait()
	require.Equal(t, 4, r.code, r.stderr)
	require.Contains(t, r.stderr, "the connection to systemd was lost: while the job ran")
	asBefore(t, n)
}

func TestARestartThatTheBusForbidsLeavesAllAsItWas(t *testing.T) {
	n := node.New(t)
	writeSite(t, n)
	n.Start()
	before := invocation(n)
	denyRestart(t, n)
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 6, r.code, r.stderr)
	require.Contains(t, r.stderr, "not permitted")
	require.Contains(t, r.stderr, "the former files are back, and the service was not stopped")
	require.Equal(t, before, invocation(n))
	asBefore(t, n)
}

func TestUnitFilesThatSystemdHasNotReadAreNoted(t *testing.T) {
	n := node.New(t)
	n.Write("/etc/systemd/system/crio.service.d/10-a.conf", "[Service]\nEnvironment=A=1\n")
	n.Systemctl("daemon-reload")
	n.Start()
	n.Write("/etc/systemd/system/crio.service.d/20-b.conf", "[Service]\nEnvironment=B=1\n")
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stderr, `note: the unit files of crio.service have changed since systemd read them; "systemctl daemon-reload" makes them count.`)
}

func TestAMissingUnitIsToldApart(t *testing.T) {
	n := node.New(t)
	require.NoError(t, os.Remove(node.UnitFile))
	require.NoError(t, os.Remove(node.Alias))
	n.Systemctl("daemon-reload")
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stdout, "  not restarted: crio.service does not exist\n")
	r = crioctl(t, n, "restart")
	require.Equal(t, 6, r.code, r.stderr)
	require.Contains(t, r.stderr, "crio.service cannot be restarted: does not exist")
}

// Killed once the daemon runs with the new value, and before anybody has judged
// it. The next run brings files and daemon back, whatever it is for.
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
			writeSite(t, n)
			n.Start()
			require.Equal(t, 0, crioctl(t, n, "set", "crio.runtime.log_level", "debug").code, "an older change")
			before := invocation(n)
			p := startCommand(t, n, "hostport", "disable")
			require.Eventually(t, func() bool {
				return invocation(n) != before && n.Systemctl("show", "-P", "ActiveState", "crio.service") == "active"
			}, waitTime, pollTime)
			p.kill(t)
			require.Equal(t, true, toggleServed(n))

			r := crioctl(t, n, tt.next...)
			require.Equal(t, 0, r.code, r.stderr)
			require.Contains(t, r.stderr, "note: an earlier run (hostport disable) was interrupted; put back its files: "+site+"\n")
			require.Contains(t, r.stdout, tt.out)
			require.Contains(t, r.stdout, "restarted crio.service")
			require.Equal(t, tt.disabled, toggleServed(n))
			require.Equal(t, "debug", logLevel(n), "the older change stays")
			if !tt.disabled {
				asBefore(t, n)
			}
		})
	}
}

func TestAKillWhileTheDaemonFailsIsRecovered(t *testing.T) {
	n := node.New(t)
	writeSite(t, n)
	n.SetUnit(strings.Replace(node.Unit, "TimeoutStartSec=0", "TimeoutStartSec=1", 1))
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := startCommand(t, n, "hostport", "disable")
	n.Await("ActiveState", "activating")
	p.kill(t)
	n.Await("ActiveState", "failed")
	r := crioctl(t, n, "hostport", "enable")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stdout, "restarted crio.service")
	asBefore(t, n)
}

func TestARunWaitsForTheOneBeforeIt(t *testing.T) {
	n := node.New(t)
	writeSite(t, n)
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := startCommand(t, n, "hostport", "disable")
	n.Await("ActiveState", "activating")
	second := startCommand(t, n, "set", "crio.runtime.log_level", "debug")
	p.signal(t, syscall.SIGTERM)
	require.Equal(t, 4, p.wait().code)
	r := second.wait()
	require.Equal(t, 0, r.code, r.stderr)
	asBefore(t, n)
	require.Equal(t, "debug", logLevel(n), "it waited for its turn")
}

// The manual steps can be copied, and lead out of it.
func TestTheManualStepsOfAFailedRollback(t *testing.T) {
	n := node.New(t)
	writeSite(t, n)
	n.Start()
	n.SetFault(standin.Early) // from the next start on, whatever the files say
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 5, r.code, r.stderr)
	require.Contains(t, r.stderr, "the former files are in /var/lib/crioctl-net/journal/000001.restored\n"+
		"  Look now. The former files are back. By hand:\n"+
		"    journalctl -u crio.service -e\n"+
		"    systemctl reset-failed crio.service\n"+
		"    systemctl restart crio.service\n")
	n.SetFault("")
	steps(t, n, r.stderr)
	asBefore(t, n)
}

// Somebody edits the file while it is on trial. Their bytes are not lost.
func TestTheManualStepsWhenTheFilesAreNotBack(t *testing.T) {
	n := node.New(t)
	writeSite(t, n)
	n.SetFault(standin.Hang + standin.IfDisabled)
	n.Start()
	p := startCommand(t, n, "hostport", "disable")
	n.Await("ActiveState", "activating")
	foreign := strings.Replace(siteText, "false # for now", "true # mine", 1)
	require.NoError(t, os.WriteFile(site, []byte(foreign), 0o640))
	p.signal(t, syscall.SIGTERM)
	r := p.wait()
	require.Equal(t, 5, r.code, r.stderr)
	data, err := os.ReadFile(site)
	require.NoError(t, err)
	require.Equal(t, foreign, string(data))
	require.Contains(t, r.stderr, "    cp /var/lib/crioctl-net/journal/000001.pending/0.before "+site+"\n")
	steps(t, n, r.stderr)
	asBefore(t, n)
	require.Equal(t, 0, crioctl(t, n, "hostport", "enable").code)
	require.Equal(t, []string{"hostport disable: restored"}, transactions(t, n))
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
		r := execute(t, n, "sh", "-c", line)
		require.Equal(t, 0, r.code, "%s%s", line, r.stderr)
	}
}

// The daemon's own check comes between our read and our write; this one edits
// the file meanwhile.
func TestAForeignEditIsNotOverwritten(t *testing.T) {
	n := node.New(t)
	writeSite(t, n)
	n.Start()
	before := invocation(n)
	exe, err := os.Readlink(node.Binary)
	require.NoError(t, err)
	require.NoError(t, os.Remove(node.Binary))
	require.NoError(t, os.WriteFile(node.Binary, []byte("#!/bin/bash\n"+
		`case "$*" in *config) echo "# by hand" >>`+site+";; esac\nexec -a crio "+exe+` "$@"`+"\n"), 0o755))
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 6, r.code, r.stderr)
	require.Contains(t, r.stderr, site+": somebody else changed the file")
	data, err := os.ReadFile(site)
	require.NoError(t, err)
	require.Equal(t, siteText+"# by hand\n", string(data))
	require.Equal(t, before, invocation(n))
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
	runs := make([]run, len(jobs))
	var wg sync.WaitGroup
	for i, args := range jobs {
		p := startCommand(t, n, append(args, "--restart", "never")...)
		wg.Go(func() { runs[i] = p.wait() })
	}
	wg.Wait()
	for i, r := range runs {
		require.Equal(t, 0, r.code, "%v: %s", jobs[i], r.stderr)
	}
	for k, v := range keys {
		require.Equal(t, v, strings.Trim(strings.TrimSpace(crioctl(t, n, "get", k).stdout), `"`), k)
	}
	require.Contains(t, []string{"true\n", "false\n"}, crioctl(t, n, "get", schema.DisableHostportMapping.Path.String()).stdout)
	require.Equal(t, []string{filepath.Base(ourDropIn)}, dropIns(t))
	require.Equal(t, 0, crioctl(t, n, "validate").code)
	require.NotContains(t, strings.Join(transactions(t, n), "\n"), "pending")
	require.Equal(t, 0, crioctl(t, n, "restart").code)
}

func TestRestart(t *testing.T) {
	n := node.New(t)
	n.Start()
	before := invocation(n)
	r := crioctl(t, n, "restart")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stdout, "CRI-O was restarted with its files as they are\n  restarted crio.service: active (running)")
	after := invocation(n)
	require.NotEqual(t, before, after)

	// A daemon that would not come back is left alone.
	n.Write(site, "[crio.runtime]\nlog_level = \"chatty\"\n")
	r = crioctl(t, n, "restart")
	require.Equal(t, 1, r.code, r.stderr)
	require.Equal(t, after, invocation(n))
}

func TestRollbackAndHistory(t *testing.T) {
	n := node.New(t)
	writeSite(t, n)
	n.Start()
	require.Equal(t, 0, crioctl(t, n, "hostport", "disable").code)
	require.Equal(t, 0, crioctl(t, n, "set", "crio.runtime.log_level", "debug").code)
	require.Equal(t, []string{"set crio.runtime.log_level: kept", "hostport disable: kept"}, transactions(t, n))

	r := crioctl(t, n, "rollback", "1")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stdout, "transaction 1 (hostport disable) is rolled back\n")
	require.Contains(t, r.stdout, "restarted crio.service")
	require.Equal(t, "debug", logLevel(n))
	asBefore(t, n)
	require.Equal(t, []string{"rollback 1: kept", "set crio.runtime.log_level: kept", "hostport disable: kept"}, transactions(t, n))

	// A rollback that the daemon cannot live with is rolled back itself.
	n.SetFault(standin.Early + standin.IfDisabled)
	r = crioctl(t, n, "rollback")
	require.Equal(t, 4, r.code, r.stderr)
	asBefore(t, n)
}
