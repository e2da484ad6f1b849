package trial_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/test/systemd/node"
	"github.com/crioctl/crioctl-net/test/systemd/standin"
)

const trialRecord = "/var/lib/crioctl-net/unconfirmed.json"

// timers lists the timers of tries that systemd knows.
func timers(n *node.Node) string {
	return n.Systemctl("list-units", "--all", "--plain", "--no-legend", "crioctl-net-try-*.timer")
}

// token finds that of the try that waits.
func token(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(trialRecord)
	require.NoError(t, err)
	var record struct{ Token string }
	require.NoError(t, json.Unmarshal(data, &record))
	return record.Token
}

// undone waits until the daemon serves the former value again and the rollback
// has ended.
func undone(t *testing.T, n *node.Node) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(trialRecord)
		return os.IsNotExist(err) && n.ActiveState() == "active" &&
			timers(n) == "" && n.Systemctl("list-units", "--all", "--plain", "--no-legend", "crioctl-net-try-*.service") == ""
	}, node.WaitTime, node.PollTime)
	require.Equal(t, false, n.Toggle())
	require.Equal(t, []string{}, n.Files())
}

func TestTryIsKeptWhenConfirmed(t *testing.T) {
	n := node.New(t)
	n.Start()
	r := n.Run("try", "--timeout", "5m", "hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Regexp(t, `^CRI-O's hostport mapping is disabled\n  wrote `+node.OurDropIn+`\n  restarted crio\.service: .*\n`+
		`  not confirmed: it is undone at \d\d:\d\d:\d\d, unless you run "crioctl-net confirm" before\n$`, r.Stdout)
	require.Equal(t, true, n.Toggle())
	tok := token(t)
	require.Contains(t, timers(n), "crioctl-net-try-"+tok+".timer loaded active waiting")
	require.Equal(t, []string{"hostport disable (try " + tok + "): unconfirmed"}, n.Transactions())
	require.Contains(t, n.Run("hostport", "status").Stderr, `note: "hostport disable" is not confirmed; it is undone at `)

	// Until then nothing else changes, but what is as it shall be is no error.
	r = n.Run("set", "crio.runtime.log_level", "debug")
	require.Equal(t, 7, r.Code)
	require.Contains(t, r.Stderr, `"hostport disable" is not confirmed`)
	require.Contains(t, r.Stderr, `"crioctl-net confirm" keeps it, "crioctl-net rollback" undoes it.`)
	require.Equal(t, 7, n.Run("try", "hostport", "enable").Code)
	require.Equal(t, 0, n.Run("hostport", "disable").Code)

	before := n.Invocation()
	r = n.Run("confirm")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Equal(t, "\"hostport disable\" is permanent now (transaction 1)\n", r.Stdout)
	require.Empty(t, timers(n))
	require.NoFileExists(t, trialRecord)
	require.Equal(t, []string{"hostport disable (try " + tok + "): kept"}, n.Transactions())
	require.Equal(t, before, n.Invocation(), "the daemon is left alone")

	r = n.Run("confirm")
	require.Equal(t, 6, r.Code)
	require.Contains(t, r.Stderr, "there is nothing to confirm: no change waits for it")
	require.Equal(t, 6, n.Document("confirm").ExitCode)

	// What was confirmed can be rolled back like any other change.
	require.Equal(t, 0, n.Run("rollback").Code)
	require.Equal(t, false, n.Toggle())
}

func TestTryIsUndoneWhenNobodyConfirms(t *testing.T) {
	n := node.New(t)
	n.Start()
	r := n.Run("try", "--timeout", "4s", "hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Equal(t, true, n.Toggle())
	tok := token(t)
	undone(t, n)
	require.Equal(t, []string{
		"rollback of the unconfirmed try " + tok + ": kept",
		"hostport disable (try " + tok + "): kept",
	}, n.Transactions())
	r = n.Run("confirm")
	require.Equal(t, 6, r.Code)
	require.Contains(t, r.Stderr, "there is nothing to confirm: the try "+tok+" was not confirmed in time and was rolled back at ")

	log, err := exec.Command("journalctl", "-u", "crioctl-net-try-"+tok+".service", "-o", "cat").CombinedOutput()
	require.NoError(t, err, "%s", log)
	require.Contains(t, string(log), "transaction 1 (hostport disable (try "+tok+")) is rolled back\n")
	require.Contains(t, string(log), "it is healthy\n")
}

// The time is over before it is known whether the daemon is healthy.
func TestTryThatTakesLongerThanItsTimeIsUndone(t *testing.T) {
	n := node.New(t)
	n.Start()
	r := n.Run("try", "--timeout", "1s", "hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "the time to confirm it is over: it is undone now")
	undone(t, n)
}

// The program is killed while it waits for a daemon that hangs. The timer finds
// an interrupted change and a daemon that does not come up.
func TestTryOutlivesItsProgram(t *testing.T) {
	n := node.New(t)
	n.Start()
	n.SetFault(standin.Hang + standin.IfDisabled)
	p := n.RunAside("try", "--timeout", "3s", "hostport", "disable")
	n.Await("ActiveState", "activating")
	p.Kill()
	require.Contains(t, timers(n), "active waiting")
	r := n.Run("confirm")
	require.Equal(t, 6, r.Code)
	require.Contains(t, r.Stderr, "it was interrupted before anybody knew")
	tok := token(t)
	undone(t, n)
	require.Equal(t, []string{"hostport disable (try " + tok + "): restored"}, n.Transactions())
	r = n.Run("confirm")
	require.Contains(t, r.Stderr, "the try "+tok+" did not come through and was rolled back")
}

func TestTryThatFailsIsUndoneAtOnce(t *testing.T) {
	n := node.New(t)
	n.Start()
	n.SetFault(standin.Early + standin.IfDisabled)
	doc := n.Document("try", "hostport", "disable")
	require.Equal(t, 4, doc.ExitCode, doc.Error)
	require.Empty(t, timers(n))
	require.NoFileExists(t, trialRecord)
	require.Equal(t, false, n.Toggle())
	require.Equal(t, []string{}, n.Files())
}

func TestTryEndsWithARollbackByHand(t *testing.T) {
	n := node.New(t)
	n.Start()
	require.Equal(t, 0, n.Run("try", "set", "crio.runtime.log_level", "debug").Code)
	require.Equal(t, "debug", n.LogLevel())
	require.NotEmpty(t, timers(n))
	r := n.Run("rollback")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Empty(t, timers(n))
	require.NoFileExists(t, trialRecord)
	require.Equal(t, "info", n.LogLevel())

	// The rollback of that rollback is a change like any other.
	require.Equal(t, 0, n.Run("rollback").Code)
	require.Equal(t, "debug", n.LogLevel())
	require.NoFileExists(t, trialRecord)
}

// A start of the machine loses the timer.
func TestTryWithoutItsTimerStaysUntilSomebodySettlesIt(t *testing.T) {
	n := node.New(t)
	n.Start()
	require.Equal(t, 0, n.Run("try", "hostport", "disable").Code)
	n.Systemctl("stop", "crioctl-net-try-"+token(t)+".timer")
	r := n.Run("hostport", "status")
	require.Equal(t, 0, r.Code)
	require.Contains(t, r.Stderr, `note: "hostport disable" is not confirmed and its timer is gone, as after a start of the machine`)
	r = n.Run("set", "crio.runtime.log_level", "debug")
	require.Equal(t, 7, r.Code)
	require.Contains(t, r.Stderr, "its timer is gone")
	require.Equal(t, 0, n.Run("rollback", "--unconfirmed", token(t)).Code)
	undone(t, n)
}

// Somebody has put the file right by hand meanwhile.
func TestTryWhoseFilesAreBackAlreadyEnds(t *testing.T) {
	n := node.New(t)
	n.Start()
	require.Equal(t, 0, n.Run("try", "hostport", "disable").Code)
	require.NoError(t, os.Remove(node.OurDropIn))
	n.Systemctl("restart", "crio.service")
	r := n.Run("rollback")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "unchanged: all files are as before transaction 1")
	undone(t, n)
}

func TestTryIsRefused(t *testing.T) {
	n := node.New(t)
	n.Start()
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--root", "/mnt", "hostport", "disable"}, 2, "with --root there is no systemd that could undo the change"},
		{[]string{"hostport", "disable", "--restart", "never"}, 2, "a change that CRI-O does not run with cannot be tried"},
		{[]string{"validate"}, 2, `"validate" cannot be tried` + "\n  What can be tried: hostport enable, hostport disable, set, unset, apply."},
		{[]string{"hostport"}, 2, `"hostport" cannot be tried`},
		{[]string{"try", "hostport", "disable"}, 2, `"try hostport disable" cannot be tried`},
		{[]string{"nonsense"}, 2, `"nonsense" cannot be tried`},
		{[]string{"--timeout", "0s", "hostport", "disable"}, 2, "want a positive time"},
		{[]string{"set", "crio.runtime.log_level"}, 2, "set takes KEY VALUE..., not one argument"},
		{nil, 2, "try needs COMMAND..."},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			r := n.Run(append([]string{"try"}, tt.args...)...)
			require.Equal(t, tt.code, r.Code, r.Stderr)
			require.Contains(t, r.Stderr, tt.says)
			require.Equal(t, []string{}, n.Files())
		})
	}
}

// Where no timer can be had, nothing is written: there would be no way back.
func TestTryWithoutSystemdWritesNothing(t *testing.T) {
	n := node.New(t)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")
	r := n.Run("try", "hostport", "disable")
	require.Equal(t, 6, r.Code, r.Stdout)
	require.Equal(t, []string{}, n.Files())
	require.NoFileExists(t, trialRecord)
}

func TestTryThatChangesNothingSetsNoTimer(t *testing.T) {
	n := node.New(t)
	n.Start()
	r := n.Run("try", "hostport", "enable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "unchanged: ")
	r = n.Run("try", "hostport", "disable", "--dry-run", "--diff")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "+disable_hostport_mapping = true")
	require.Equal(t, []string{}, n.Files())
	require.Empty(t, timers(n))
	require.NoFileExists(t, trialRecord)
}

// The rollback works on the files that the try worked on.
func TestTryOfOtherFiles(t *testing.T) {
	n := node.New(t)
	const main, dir = "/etc/crio/other.conf", "/etc/crio/other.d"
	n.Write(main, "[crio.runtime]\nlog_level = \"info\"\n")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	r := n.Run("--config", main, "--config-dir", dir, "try", "--timeout", "5s", "hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "not restarted: crio.service is inactive\n  not confirmed: ")
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "60-crioctl-net.conf"))
		return os.IsNotExist(err)
	}, node.WaitTime, node.PollTime)
	require.Equal(t, "inactive", n.ActiveState())
}
