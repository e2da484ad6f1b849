package road_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
	"github.com/crioctl/crioctl-net/test/systemd/node"
	"github.com/crioctl/crioctl-net/test/systemd/standin"
)

func TestAReloadableKeyIsReloaded(t *testing.T) {
	n := node.New(t)
	n.Start()
	before := n.Invocation()
	r := n.Run("set", "crio.runtime.log_level", "debug")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "  reloaded crio.service: active (running), pid ")
	require.Equal(t, before, n.Invocation(), "the same process")
	require.Equal(t, "debug", n.LogLevel())
}

// On SIGHUP CRI-O forgets the flags, so that the level would fall back to what
// the files say.
func TestAFlagForAReloadableKeyMakesItARestart(t *testing.T) {
	n := node.New(t)
	n.Write(node.EnvFile, "CRIO_RUNTIME_OPTIONS=--log-level=warn\n")
	n.Start()
	before := n.Invocation()
	r := n.Run("set", "crio.image.pause_image", "registry.example/pause:1")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "  restarted crio.service")
	require.NotEqual(t, before, n.Invocation())
	require.Equal(t, "warn", n.LogLevel())
	v, _ := n.Running().Lookup(schema.PauseImage.Path, schema.String)
	require.Equal(t, "registry.example/pause:1", v)
}

func TestTheMessageSaysWhoRefuses(t *testing.T) {
	n := node.New(t)
	n.Start()
	before := n.Invocation()
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
			r := n.Run(tt.args...)
			require.Equal(t, 1, r.Code, r.Stderr)
			require.Contains(t, r.Stderr, tt.says)
			require.NotContains(t, r.Stderr, tt.nots)
			require.Equal(t, []string{}, n.Files())
			require.Equal(t, before, n.Invocation())
		})
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "crioctl-net-*"))
	require.NoError(t, err)
	require.Empty(t, left, "the copies for crio to check are removed")
}

// Each way in which a daemon fails with the new files alone.
func TestUnitFilesThatSystemdHasNotReadAreNoted(t *testing.T) {
	n := node.New(t)
	n.Write("/etc/systemd/system/crio.service.d/10-a.conf", "[Service]\nEnvironment=A=1\n")
	n.Systemctl("daemon-reload")
	n.Start()
	n.Write("/etc/systemd/system/crio.service.d/20-b.conf", "[Service]\nEnvironment=B=1\n")
	r := n.Run("hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, `note: the unit files of crio.service have changed since systemd read them; "systemctl daemon-reload" makes them count.`)
}

func TestAMissingUnitIsToldApart(t *testing.T) {
	n := node.New(t)
	require.NoError(t, os.Remove(node.UnitFile))
	require.NoError(t, os.Remove(node.Alias))
	n.Systemctl("daemon-reload")
	r := n.Run("hostport", "disable")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "  not restarted: crio.service does not exist\n")
	r = n.Run("restart")
	require.Equal(t, 6, r.Code, r.Stderr)
	require.Contains(t, r.Stderr, "crio.service cannot be restarted: does not exist")
}

// Killed once the daemon runs with the new value, and before anybody has judged
// it. The next run brings files and daemon back, whatever it is for.
// The manual steps can be copied, and lead out of it.
// Somebody edits the file while it is on trial. Their bytes are not lost.
// The daemon's own check comes between our read and our write; this one edits
// the file meanwhile.
func TestRestart(t *testing.T) {
	n := node.New(t)
	n.Start()
	before := n.Invocation()
	r := n.Run("restart")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "CRI-O was restarted with its files as they are\n  restarted crio.service: active (running)")
	after := n.Invocation()
	require.NotEqual(t, before, after)

	// A daemon that would not come back is left alone.
	n.Write(node.Site, "[crio.runtime]\nlog_level = \"chatty\"\n")
	r = n.Run("restart")
	require.Equal(t, 1, r.Code, r.Stderr)
	require.Equal(t, after, n.Invocation())
}

func TestRollbackAndHistory(t *testing.T) {
	n := node.New(t)
	n.WriteSite()
	n.Start()
	require.Equal(t, 0, n.Run("hostport", "disable").Code)
	require.Equal(t, 0, n.Run("set", "crio.runtime.log_level", "debug").Code)
	require.Equal(t, []string{"set crio.runtime.log_level: kept", "hostport disable: kept"}, n.Transactions())

	r := n.Run("rollback", "1")
	require.Equal(t, 0, r.Code, r.Stderr)
	require.Contains(t, r.Stdout, "transaction 1 (hostport disable) is rolled back\n")
	require.Contains(t, r.Stdout, "restarted crio.service")
	require.Equal(t, "debug", n.LogLevel())
	n.RequireAsBefore()
	require.Equal(t, []string{"rollback 1: kept", "set crio.runtime.log_level: kept", "hostport disable: kept"}, n.Transactions())

	// A rollback that the daemon cannot live with is rolled back itself.
	n.SetFault(standin.Early + standin.IfDisabled)
	r = n.Run("rollback")
	require.Equal(t, 4, r.Code, r.Stderr)
	n.RequireAsBefore()
}
