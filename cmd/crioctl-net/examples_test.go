package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
)

// TestExamples runs every line of every command's examples on a prepared node.
// The lines name this host; they get the root of the sample node. Those that
// only make sense with a daemon are parsed and not run.
func TestExamples(t *testing.T) {
	root := cli.NewRoot(session.New(&output.Streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}, os.Getenv))
	sample := sampleNode(t)
	for _, cmd := range commands(root) {
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, cmd.Example, "a command without an example")
			for line := range strings.Lines(cmd.Example) {
				if line = strings.TrimSpace(line); line != "" {
					runExample(t, sample, line)
				}
			}
		})
	}
}

// commands lists the commands of the tree but those that cobra adds.
func commands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" && sub.Name() != "help" {
			all = append(all, commands(sub)...)
		}
	}
	return all
}

func runExample(t *testing.T, sample, line string) {
	t.Helper()
	require.True(t, strings.HasPrefix(line, "crioctl-net "), "example %q", line)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(sample)))
	node := filepath.Join(dir, "node")
	script := strings.NewReplacer("/mnt/node", node, "/etc/crio/", node+"/etc/crio/").Replace(line)
	switch {
	case needsDaemon(line):
		script += " --help"
	case !strings.Contains(line, "--root") && !migratesAFile(line):
		script += " --root " + node // a redirection may stand before it
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if differs := strings.HasPrefix(line, "crioctl-net diff "); differs && err != nil && cmd.ProcessState.ExitCode() == 1 {
		return // there are differences
	}
	if strings.HasPrefix(line, "crioctl-net runtime-patch apply ") {
		// The sources of CRI-O are not ours to keep here.
		require.Equal(t, 7, cmd.ProcessState.ExitCode(), "%s\n%s", script, out)
		return
	}
	require.NoError(t, err, "%s\n%s", script, out)
}

// needsDaemon reports whether the example asks or restarts a running CRI-O.
func needsDaemon(line string) bool {
	words := strings.Fields(line)
	return slices.Contains([]string{"restart", "try", "confirm"}, words[1]) || slices.Contains(words, "--running")
}

// migratesAFile reports whether the example works on a file and on no node.
func migratesAFile(line string) bool {
	return strings.HasPrefix(line, "crioctl-net migrate ") && strings.Contains(line, " ./")
}

// sampleNode makes a working directory with all that the examples name: a node
// with three changes in its history, two more nodes, and files beside them.
func sampleNode(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"node/etc/crio/crio.conf":                "[crio.runtime]\nlog_level = \"warn\"\n",
		"node/etc/crio/crio.conf.d/10-crio.conf": "[crio.runtime]\ndefault_runtime = \"runc\"\n[crio.runtime.runtimes.runc]\nruntime_path = \"/usr/bin/runc\"\nruntime_root = \"/run/runc\"\n",
		"node/etc/crio/crio.conf.d/20-site.conf": "[crio.runtime]\nlog_level = \"error\"\n",
		"node/var/lib/dpkg/status":               "Package: cri-o\nStatus: install ok installed\nVersion: 1.30.4-1.1\n\n",
		"nodes/a/etc/crio/crio.conf":             "[crio.runtime]\nlog_level = \"warn\"\n",
		"nodes/b/etc/crio/crio.conf":             "[crio.runtime]\nlog_level = \"info\"\n",
		"crio.conf":                              "[crio.runtime]\nlog_level = \"warn\"\ndefault_runtime = \"runc\"\n[crio.runtime.runtimes.runc]\nruntime_path = \"/usr/bin/runc\"\n",
		"10-site.conf":                           "[crio.runtime]\nlog_level = \"info\"\n",
		"20-network.conf":                        "[crio.network]\nplugin_dirs = [\"/opt/cni/bin\"]\n",
		"30-metrics.conf":                        "[crio.metrics]\nenable_metrics = true\n",
		"network.toml":                           "[crio.network]\nnetwork_dir = \"/etc/cni/net.d\"\n",
		"crio.conf.d/20-network.conf":            "[crio.network]\nplugin_dirs = [\"/opt/cni/bin\"]\n",
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cri-o"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "bin"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bin/crio"), []byte("#!/bin/sh\ncase $* in --version) echo crio version 1.24.6;; *) echo 'disable_hostport_mapping = true';; esac\n"), 0o755))
	for _, args := range [][]string{
		{"set", "crio.metrics.enable_metrics", "true"},
		{"set", "crio.metrics.metrics_port", "9091"},
		{"hostport", "disable"},
	} {
		run(t, exec.Command("crioctl-net", append(args, "--root", filepath.Join(dir, "node"))...))
	}
	return dir
}
