package road_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/test/systemd/node"
)

func TestHostportDisableRestartsTheDaemonWithTheNewValue(t *testing.T) {
	n := node.New(t)
	n.Start()
	require.Equal(t, false, n.Toggle())
	before := n.Invocation()

	r := n.Run("hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "CRI-O's hostport mapping is disabled\n  wrote "+node.OurDropIn+"\n  restarted crio.service: active (running), pid ")
	require.Contains(t, r.Stderr, "Mappings made before stay")
	require.Equal(t, true, n.Toggle())
	require.NotEqual(t, before, n.Invocation())

	// The second time nothing is written and nothing is restarted.
	after := n.Invocation()
	again := n.Run("hostport", "disable")
	require.Equal(t, 0, again.Code)
	require.Equal(t, "unchanged: CRI-O's hostport mapping is already disabled ("+node.OurDropIn+":5:28)\n", again.Stdout)
	doc := n.Document("hostport", "disable")
	require.False(t, doc.Changed)
	require.False(t, doc.Restarted)
	require.Equal(t, after, n.Invocation())

	// A dry run changes nothing either.
	doc = n.Document("hostport", "enable", "--dry-run")
	require.True(t, doc.Changed)
	require.Equal(t, true, n.Toggle())
	require.FileExists(t, node.OurDropIn)

	doc = n.Document("hostport", "enable")
	require.True(t, doc.Changed)
	require.True(t, doc.Restarted)
	require.Equal(t, false, n.Toggle())
	require.NoFileExists(t, node.OurDropIn)
}

func TestTheVersionIsThatOfTheInstalledBinary(t *testing.T) {
	n := node.New(t)
	n.Start()
	r := n.Run("hostport", "status")
	require.Contains(t, r.Stdout, "crio     1.30.14 (/usr/local/bin/crio)")
	require.Contains(t, r.Stdout, "running  enabled\n")
}

func TestStatusTellsThatARestartIsOutstanding(t *testing.T) {
	n := node.New(t)
	n.Start()
	doc := n.Document("hostport", "disable", "--restart", "never")
	require.True(t, doc.Changed)
	require.False(t, doc.Restarted)
	require.Equal(t, false, n.Toggle())
	r := n.Run("hostport", "status")
	require.Contains(t, r.Stdout, "running  enabled\n")
	require.Contains(t, r.Stdout, "restart  required")

	// A restart is not due by itself, for nothing changes; --restart always is.
	doc = n.Document("hostport", "disable")
	require.False(t, doc.Restarted)
	doc = n.Document("hostport", "disable", "--restart", "always")
	require.False(t, doc.Changed)
	require.True(t, doc.Restarted)
	require.Equal(t, true, n.Toggle())
	require.NotContains(t, n.Run("hostport", "status").Stdout, "restart  required")
}

func TestAStoppedDaemonIsNotStarted(t *testing.T) {
	n := node.New(t)
	doc := n.Document("hostport", "disable")
	require.True(t, doc.Changed)
	require.False(t, doc.Restarted)
	require.Equal(t, "not restarted: crio.service is inactive", doc.RestartMsg)
	require.Equal(t, "inactive", n.ActiveState())
	n.Start()
	require.Equal(t, true, n.Toggle())
}

// The value passes our own checks, and the daemon cannot live with it.
func TestAnUnhealthyDaemonGetsItsFormerFilesBack(t *testing.T) {
	n := node.New(t)
	n.Start()
	former, err := os.ReadFile(node.MainFile)
	require.NoError(t, err)
	doc := n.Document("set", "crio.api.listen", "/proc/no/such/folder/crio.sock")
	require.Equal(t, 4, doc.ExitCode, doc.Error)
	require.True(t, doc.RolledBack)
	require.False(t, doc.Changed)
	require.Contains(t, doc.Error, "the former files are back")
	after, err := os.ReadFile(node.MainFile)
	require.NoError(t, err)
	require.Equal(t, string(former), string(after))
	require.Equal(t, false, n.Toggle(), "the daemon runs with the former files")
	require.Equal(t, []string{}, n.Files())
}

func TestARollbackThatFailsSaysWhereTheFormerFilesAre(t *testing.T) {
	n := node.New(t)
	n.Start()
	n.SetFault("early") // from the next start on, whatever the files say
	doc := n.Document("hostport", "disable")
	require.Equal(t, 5, doc.ExitCode, doc.Error)
	require.Contains(t, doc.Error, "/var/lib/crioctl-net/")
	require.Equal(t, []string{}, n.Files(), "the former files are back, though the daemon is not")
}

func TestTheUnitsFlagWins(t *testing.T) {
	n := node.New(t)
	n.Write(node.EnvFile, "CRIO_NETWORK_OPTIONS=--disable-hostport-mapping=false\n")
	n.Start()
	r := n.Run("hostport", "disable")
	require.Equal(t, 7, r.Code)
	require.Contains(t, r.Stderr, node.EnvFile+":1:22: the flag --disable-hostport-mapping of the unit")
	require.Equal(t, []string{}, n.Files())
}

func TestAMaskedUnitIsLeftAlone(t *testing.T) {
	n := node.New(t)
	n.Systemctl("mask", "--runtime", "crio.service")
	doc := n.Document("hostport", "disable", "--crio-version", "1.30")
	require.Equal(t, "not restarted: crio.service is masked", doc.RestartMsg)
	r := n.Run("hostport", "disable", "--restart", "always", "--crio-version", "1.30")
	require.Equal(t, 6, r.Code)
	require.Contains(t, r.Stderr, "masked")
}

func TestWithoutPermissionNothingIsWritten(t *testing.T) {
	n := node.New(t)
	n.Start()
	before := n.Invocation()
	r := n.Execute("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", n.Command(), "hostport", "disable", "--crio-version", "1.30")
	require.Equal(t, 6, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "permission denied")
	require.Equal(t, []string{}, n.Files())
	require.Equal(t, before, n.Invocation())
}

// An older crio that packagers patched reads the key, whatever its number says:
// the whole way is the same as for a newer one.
func TestAPatchedOldRelease(t *testing.T) {
	n := node.New(t)
	n.SetRelease("1.24.6", false)
	n.Start()
	require.Equal(t, false, n.Toggle())
	doc := n.Document("hostport", "disable")
	require.Equal(t, 0, doc.ExitCode, doc.Error)
	require.True(t, doc.Changed)
	require.True(t, doc.Restarted)
	require.Equal(t, true, n.Toggle())
	r := n.Run("hostport", "status")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "1.24.6 (/usr/local/bin/crio, patched to read disable_hostport_mapping)")
	require.Contains(t, r.Stdout, "running  disabled")
	r = n.Run("validate", "--strict")
	require.Equal(t, 0, r.Code, r.Stdout+r.Stderr)
	doc = n.Document("hostport", "enable")
	require.True(t, doc.Restarted)
	require.Equal(t, false, n.Toggle())
}

// One that they did not patch is refused with the command to run, and so is one
// that is older than the flag --crio-version claims.
func TestAnUnpatchedOldReleaseIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name, says string
		args       []string
	}{
		{"as it is", "CRI-O 1.24.6 (/usr/local/bin/crio) does not read crio.runtime.disable_hostport_mapping", nil},
		{"called 1.30", "the installed /usr/local/bin/crio, CRI-O 1.24.6, does not read", []string{"--crio-version", "1.30"}},
		{"called patched", "the installed /usr/local/bin/crio, CRI-O 1.24.6, does not read", []string{"--crio-version", "1.24", "--patched"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := node.New(t)
			n.SetRelease("1.24.6", true)
			n.Start()
			before := n.Invocation()
			r := n.Run(append([]string{"hostport", "disable"}, tt.args...)...)
			require.Equal(t, 7, r.Code, r.Stderr)
			require.Contains(t, r.Stderr, tt.says)
			require.Contains(t, r.Stderr, "1.28.0")
			require.Contains(t, r.Stderr, "runtime-patch --for 1.24")
			require.Equal(t, []string{}, n.Files())
			require.Equal(t, before, n.Invocation())
		})
	}
}

func TestWithoutABusNothingIsWritten(t *testing.T) {
	n := node.New(t)
	n.Start()
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")
	r := n.Run("hostport", "disable", "--restart", "always")
	require.Equal(t, 6, r.Code, r.Stdout)
	require.Equal(t, []string{}, n.Files())
}
