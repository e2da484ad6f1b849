package systemd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
	"github.com/crioctl/crioctl-net/test/systemd/node"
)

// command is the program as "make build" leaves it.
const command = "../../bin/crioctl-net"

const ourDropIn = node.DropIns + "/60-crioctl-net.conf"

// A run is what the program did.
type run struct {
	code           int
	stdout, stderr string
}

// result is the part of the document that these tests look at.
type result struct {
	Changed    bool
	Restarted  bool
	RolledBack bool
	Msg        string
	RestartMsg string
	Error      string
	ExitCode   int
}

func crioctl(t *testing.T, n *node.Node, args ...string) run {
	t.Helper()
	path, err := filepath.Abs(command)
	require.NoError(t, err)
	return execute(t, n, path, args...)
}

func execute(t *testing.T, n *node.Node, name string, args ...string) run {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(n.Context(), name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return run{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// document runs the program with -o json.
func document(t *testing.T, n *node.Node, args ...string) result {
	t.Helper()
	r := crioctl(t, n, append(args, "-o", "json")...)
	var doc result
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &doc), "%s%s", r.stdout, r.stderr)
	require.Equal(t, r.code, doc.ExitCode)
	return doc
}

func toggleServed(n *node.Node) any {
	v, _ := n.Running().Lookup(schema.DisableHostportMapping.Path, schema.Bool)
	return v
}

func invocation(n *node.Node) string {
	return n.Systemctl("show", "-P", "InvocationID", "crio.service")
}

func TestHostportDisableRestartsTheDaemonWithTheNewValue(t *testing.T) {
	n := node.New(t)
	n.Start()
	require.Equal(t, false, toggleServed(n))
	before := invocation(n)

	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 0, r.code, r.stderr)
	require.Contains(t, r.stdout, "CRI-O's hostport mapping is disabled\n  wrote "+ourDropIn+"\n  restarted crio.service: active (running), pid ")
	require.Contains(t, r.stderr, "Mappings made before stay")
	require.Equal(t, true, toggleServed(n))
	require.NotEqual(t, before, invocation(n))

	// The second time nothing is written and nothing is restarted.
	after := invocation(n)
	again := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 0, again.code)
	require.Equal(t, "unchanged: CRI-O's hostport mapping is already disabled ("+ourDropIn+":5:28)\n", again.stdout)
	doc := document(t, n, "hostport", "disable")
	require.False(t, doc.Changed)
	require.False(t, doc.Restarted)
	require.Equal(t, after, invocation(n))

	// A dry run changes nothing either.
	doc = document(t, n, "hostport", "enable", "--dry-run")
	require.True(t, doc.Changed)
	require.Equal(t, true, toggleServed(n))
	require.FileExists(t, ourDropIn)

	doc = document(t, n, "hostport", "enable")
	require.True(t, doc.Changed)
	require.True(t, doc.Restarted)
	require.Equal(t, false, toggleServed(n))
	require.NoFileExists(t, ourDropIn)
}

func TestTheVersionIsThatOfTheInstalledBinary(t *testing.T) {
	n := node.New(t)
	n.Start()
	r := crioctl(t, n, "hostport", "status")
	require.Contains(t, r.stdout, "crio     1.30.14 (/usr/local/bin/crio)")
	require.Contains(t, r.stdout, "running  enabled\n")
}

func TestStatusTellsThatARestartIsOutstanding(t *testing.T) {
	n := node.New(t)
	n.Start()
	doc := document(t, n, "hostport", "disable", "--restart", "never")
	require.True(t, doc.Changed)
	require.False(t, doc.Restarted)
	require.Equal(t, false, toggleServed(n))
	r := crioctl(t, n, "hostport", "status")
	require.Contains(t, r.stdout, "running  enabled\n")
	require.Contains(t, r.stdout, "restart  required")

	// A restart is not due by itself, for nothing changes; --restart always is.
	doc = document(t, n, "hostport", "disable")
	require.False(t, doc.Restarted)
	doc = document(t, n, "hostport", "disable", "--restart", "always")
	require.False(t, doc.Changed)
	require.True(t, doc.Restarted)
	require.Equal(t, true, toggleServed(n))
	require.NotContains(t, crioctl(t, n, "hostport", "status").stdout, "restart  required")
}

func TestAStoppedDaemonIsNotStarted(t *testing.T) {
	n := node.New(t)
	doc := document(t, n, "hostport", "disable")
	require.True(t, doc.Changed)
	require.False(t, doc.Restarted)
	require.Equal(t, "not restarted: crio.service is inactive", doc.RestartMsg)
	require.Equal(t, "inactive", n.Systemctl("show", "-P", "ActiveState", "crio.service"))
	n.Start()
	require.Equal(t, true, toggleServed(n))
}

// The value passes our own checks, and the daemon cannot live with it.
func TestAnUnhealthyDaemonGetsItsFormerFilesBack(t *testing.T) {
	n := node.New(t)
	n.Start()
	former, err := os.ReadFile(node.MainFile)
	require.NoError(t, err)
	doc := document(t, n, "set", "crio.api.listen", "/proc/no/such/folder/crio.sock")
	require.Equal(t, 4, doc.ExitCode, doc.Error)
	require.True(t, doc.RolledBack)
	require.False(t, doc.Changed)
	require.Contains(t, doc.Error, "the former files are back")
	after, err := os.ReadFile(node.MainFile)
	require.NoError(t, err)
	require.Equal(t, string(former), string(after))
	require.Equal(t, false, toggleServed(n), "the daemon runs with the former files")
	require.Equal(t, []string{}, dropIns(t))
}

func TestARollbackThatFailsSaysWhereTheFormerFilesAre(t *testing.T) {
	n := node.New(t)
	n.Start()
	n.SetFault("early") // from the next start on, whatever the files say
	doc := document(t, n, "hostport", "disable")
	require.Equal(t, 5, doc.ExitCode, doc.Error)
	require.Contains(t, doc.Error, "/var/lib/crioctl-net/")
	require.Equal(t, []string{}, dropIns(t), "the former files are back, though the daemon is not")
}

func TestTheUnitsFlagWins(t *testing.T) {
	n := node.New(t)
	n.Write(node.EnvFile, "CRIO_NETWORK_OPTIONS=--disable-hostport-mapping=false\n")
	n.Start()
	r := crioctl(t, n, "hostport", "disable")
	require.Equal(t, 7, r.code)
	require.Contains(t, r.stderr, node.EnvFile+":1:22: the flag --disable-hostport-mapping of the unit")
	require.Equal(t, []string{}, dropIns(t))
}

func TestAMaskedUnitIsLeftAlone(t *testing.T) {
	n := node.New(t)
	n.Systemctl("mask", "--runtime", "crio.service")
	doc := document(t, n, "hostport", "disable", "--crio-version", "1.30")
	require.Equal(t, "not restarted: crio.service is masked", doc.RestartMsg)
	r := crioctl(t, n, "hostport", "disable", "--restart", "always", "--crio-version", "1.30")
	require.Equal(t, 6, r.code)
	require.Contains(t, r.stderr, "masked")
}

func TestWithoutPermissionNothingIsWritten(t *testing.T) {
	n := node.New(t)
	n.Start()
	path, err := filepath.Abs(command)
	require.NoError(t, err)
	before := invocation(n)
	r := execute(t, n, "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", path, "hostport", "disable", "--crio-version", "1.30")
	require.Equal(t, 6, r.code, r.stderr)
	require.Contains(t, r.stderr, "permission denied")
	require.Equal(t, []string{}, dropIns(t))
	require.Equal(t, before, invocation(n))
}

// An older crio that packagers patched reads the key, whatever its number says;
// one that they did not is refused, and so is one that is older than the flag
// --crio-version claims.
func TestTheBinaryIsAskedWhetherItReadsTheKey(t *testing.T) {
	for _, tt := range []struct {
		name, version, help string
		args                []string
		code                int
		says                string
	}{
		{"plain 1.24", "1.24.6", "", nil, 7, "CRI-O 1.24.6 (/usr/local/bin/crio) does not read crio.runtime.disable_hostport_mapping"},
		{"patched 1.24", "1.24.6", "--disable-hostport-mapping", nil, 0, ""},
		{"plain 1.24 called 1.30", "1.24.6", "", []string{"--crio-version", "1.30"}, 7, "the installed /usr/local/bin/crio, CRI-O 1.24.6, does not read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := node.New(t)
			require.NoError(t, os.Remove(node.Binary))
			script := fmt.Sprintf("#!/bin/sh\ncase $1 in --version) echo crio version %s;; --help) echo 'crio %s';; esac\n", tt.version, tt.help)
			require.NoError(t, os.WriteFile(node.Binary, []byte(script), 0o755))
			r := crioctl(t, n, append([]string{"hostport", "disable"}, tt.args...)...)
			require.Equal(t, tt.code, r.code, r.stderr)
			require.Contains(t, r.stderr, tt.says)
			if tt.code == 7 {
				require.Contains(t, r.stderr, "1.28.0")
				require.Contains(t, r.stderr, "runtime-patch --for 1.24")
				require.Equal(t, []string{}, dropIns(t))
			}
		})
	}
}

func TestWithoutABusNothingIsWritten(t *testing.T) {
	n := node.New(t)
	n.Start()
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")
	r := crioctl(t, n, "hostport", "disable", "--restart", "always")
	require.Equal(t, 6, r.code, r.stdout)
	require.Equal(t, []string{}, dropIns(t))
}

// dropIns lists every file below the drop-in directory.
func dropIns(t *testing.T) []string {
	t.Helper()
	names := []string{}
	require.NoError(t, filepath.WalkDir(node.DropIns, func(p string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(p, node.DropIns+"/"))
		}
		return err
	}))
	return names
}
