package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// dropIns are drop-ins that CRI-O reads, with names and bytes that a careless
// reader or writer spoils.
var dropIns = map[string]string{
	"20-plain.conf":      "[crio.metrics]\nenable_metrics = true\n",
	"30 spaces & 100%.c": "# \"it's\" # $HOME {{ x }} %41 + \\ \t\n[crio.metrics]\n\tmetrics_port = 9091\n",
	"40-grün-日本":         "# grün 日本 \U0001f980\n[crio.image]\nglobal_auth_file = \"/etc/grün\"\n",
	"50-crlf.conf":       "[crio.runtime]\r\nlog_level = \"warn\"\r\n",
	"55-breaks":          "# next line \u0085 separator \u2028 no-break \u00a0\n[crio.runtime]\nlog_filter = \"a\"",
	"56-blank-first":     "\n\n  # indented\n[crio.runtime]\nno_pivot = true\n",
	"57-octal-like":      "# mode: 0644\n",
	"58-empty":           "",
}

// A tool is somebody else's program that a test needs. Under CI it has to be
// there, and so has root.
func needTool(t *testing.T, path string) {
	t.Helper()
	missing := ""
	if _, err := os.Stat(path); err != nil {
		missing = path + " is not installed"
	} else if os.Getuid() != 0 {
		missing = "needs root"
	}
	switch {
	case missing == "":
	case os.Getenv("CI") == "true":
		t.Fatal("CI: ", missing)
	default:
		t.Skip(missing)
	}
}

// printed runs crioctl-net and returns what it prints.
func printed(t *testing.T, args ...string) []byte {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command("crioctl-net", args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s%s", strings.Join(args, " "), out, &errs)
	return out
}

// renderAll renders the drop-ins of above and ours, each in its own run.
func renderAll(t *testing.T, format string, flags ...string) (ours, files []byte) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range dropIns {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	flags = append([]string{"--crio-version", "1.30", "-q"}, flags...)
	ours = printed(t, append([]string{"render", format, "hostport", "disable"}, flags...)...)
	files = printed(t, append([]string{"render", format, "--file", dir}, flags...)...)
	return ours, files
}

// requireNode demands that the root has the drop-ins byte for byte, and that our
// own commands read the result as it was meant.
func requireNode(t *testing.T, root string) {
	t.Helper()
	dir := filepath.Join(root, "etc/crio/crio.conf.d")
	want, got := map[string]string{}, map[string]string{}
	for name, text := range dropIns {
		want[name] = text
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		got[e.Name()] = string(data)
		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, "-rw-r--r--", info.Mode().String(), e.Name())
	}
	require.Contains(t, got, "60-crioctl-net.conf")
	delete(got, "60-crioctl-net.conf")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	on := []string{"--root", root, "--crio-version", "1.30"}
	printed(t, append([]string{"validate"}, on...)...)
	status := printed(t, append([]string{"hostport", "status"}, on...)...)
	require.Contains(t, string(status), "disabled")
	for key, value := range map[string]string{
		"crio.runtime.disable_hostport_mapping": "true\n",
		"crio.image.global_auth_file":           "/etc/grün\n",
		"crio.runtime.log_level":                "warn\n",
		"crio.runtime.no_pivot":                 "true\n",
	} {
		require.Equal(t, value, string(printed(t, append([]string{"get", key}, on...)...)), key)
	}
}

// TestIgnitionApply lets Ignition itself write what "render ignition" prints. The
// one that is packaged reads spec versions up to 3.3.0.
func TestIgnitionApply(t *testing.T) {
	const ignition = "/usr/lib/dracut/modules.d/30ignition/ignition"
	needTool(t, ignition)
	dir := t.TempDir()
	apply := filepath.Join(dir, "ignition-apply") // it is what it is called
	require.NoError(t, os.Symlink(ignition, apply))
	for _, spec := range []string{"3.0.0", "3.1.0", "3.2.0", "3.3.0"} {
		for _, encoding := range []string{"plain", "base64"} {
			t.Run(spec+" "+encoding, func(t *testing.T) {
				root := t.TempDir()
				ours, files := renderAll(t, "ignition", "--spec", spec, "--encoding", encoding)
				for _, config := range [][]byte{ours, files} {
					file := filepath.Join(t.TempDir(), "config.ign")
					require.NoError(t, os.WriteFile(file, config, 0o644))
					run(t, exec.Command(apply, "--root", root, "--offline", "--ignore-unsupported", file))
				}
				requireNode(t, root)
			})
		}
	}
	t.Run("newer than it reads", func(t *testing.T) {
		ours, _ := renderAll(t, "ignition", "--spec", "3.5.0")
		file := filepath.Join(dir, "new.ign")
		require.NoError(t, os.WriteFile(file, ours, 0o644))
		require.Error(t, exec.Command(apply, "--root", t.TempDir(), "--offline", file).Run())
	})
}

// firstBoot boots cloud-init on a copy of this machine's root, with user data of
// its own, as far as the modules that are asked for. It copies the drop-ins and
// what was asked of systemctl to $2.
const firstBoot = `
set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"; r=$1/root
mount -t overlay -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" overlay "$r"
mount -t tmpfs tmpfs "$r/run"
mount -t proc proc "$r/proc"
mount --bind /dev "$r/dev"
rm -rf "$r/etc/crio" "$r/var/lib/cloud"
mkdir -p "$r/var/lib/cloud/seed/nocloud" "$r/etc/cloud/cloud.cfg.d"
cat >"$r/var/lib/cloud/seed/nocloud/user-data"
echo 'instance-id: i-1' >"$r/var/lib/cloud/seed/nocloud/meta-data"
printf 'datasource_list: [NoCloud]\nnetwork: {config: disabled}\ncloud_init_modules: []\n' >"$r/etc/cloud/cloud.cfg.d/99-test.cfg"
printf '#!/bin/sh\necho "$@" >>/systemctl.log\n' >"$r/usr/bin/systemctl.test"
chmod 0755 "$r/usr/bin/systemctl.test"
mv "$r/usr/bin/systemctl.test" "$r/usr/bin/systemctl"
chroot "$r" cloud-init init --local
chroot "$r" cloud-init init
for m in write_files runcmd scripts_user; do chroot "$r" cloud-init single --name "$m" --frequency always; done
cp -a "$r/etc/crio" "$2"
cp "$r/systemctl.log" "$2" 2>/dev/null || true
`

// TestCloudInit holds what "render cloud-init" prints to cloud-init's own schema,
// and lets cloud-init write it.
func TestCloudInit(t *testing.T) {
	needTool(t, "/usr/bin/cloud-init")
	for _, encoding := range []string{"plain", "base64"} {
		t.Run(encoding, func(t *testing.T) {
			t.Parallel()
			ours, files := renderAll(t, "cloud-init", "--try-restart", "--encoding", encoding)
			for _, config := range [][]byte{ours, files} {
				require.NoError(t, cloudSchema(t, config))
			}
			root := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(root, "etc"), 0o755))
			for _, config := range [][]byte{ours, files} {
				cmd := exec.Command("unshare", "--mount", "--pid", "--fork", "--uts", "--net", "--propagation", "private",
					"bash", "-c", firstBoot, "first-boot", t.TempDir(), filepath.Join(root, "etc"))
				cmd.Stdin = bytes.NewReader(config)
				run(t, cmd)
			}
			requireNode(t, root)
			log, err := os.ReadFile(filepath.Join(root, "etc/systemctl.log"))
			require.NoError(t, err)
			require.Contains(t, string(log), "try-restart crio.service\n")
		})
	}
	t.Run("the schema sees a wrong mode", func(t *testing.T) {
		ours, _ := renderAll(t, "cloud-init")
		require.Error(t, cloudSchema(t, []byte(strings.Replace(string(ours), `"0644"`, "0644", 1))))
	})
}

func cloudSchema(t *testing.T, config []byte) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "user-data")
	require.NoError(t, os.WriteFile(file, config, 0o644))
	out, err := exec.Command("cloud-init", "schema", "--config-file", file).CombinedOutput()
	t.Logf("%s", out)
	return err
}
