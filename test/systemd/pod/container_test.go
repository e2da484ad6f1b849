package pod_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"sigs.k8s.io/yaml"

	"github.com/crioctl/crioctl-net/test/systemd/node"
)

// specVariable carries the container to the process that becomes it.
const specVariable = "POD_CONTAINER"

// A mount is a folder of the host that the container sees.
type mount struct {
	Source, Target string
	ReadOnly       bool
}

// A spec is a container as its process gets it.
type spec struct {
	Root    string
	Mounts  []mount
	Command []string
}

// A container is what the test takes from the manifest.
type container struct {
	Name           string
	Command        []string
	ReadinessProbe *struct {
		Exec struct{ Command []string }
	}
	VolumeMounts []struct {
		Name, MountPath string
		ReadOnly        bool
	}
	SecurityContext struct {
		RunAsUser              *int
		ReadOnlyRootFilesystem bool
		Capabilities           struct{ Drop []string }
	}
}

type volume struct {
	Name      string
	HostPath  *struct{ Path, Type string }
	ConfigMap *struct{ Name string }
}

// A pod is the pod of a DaemonSet on the machine that the test runs in.
type pod struct {
	t          *testing.T
	node       *node.Node
	change     container
	hold       container
	volumes    map[string]volume
	without    string // a mount to leave out
	configData map[string]string
}

// newPod renders the DaemonSet and reads its pod.
func newPod(t *testing.T, n *node.Node, args ...string) *pod {
	t.Helper()
	r := n.Run(append([]string{"render", "daemonset", "--crio-version", "1.30", "--image", "example.org/crioctl-net", "-o", "json"}, args...)...)
	require.Equal(t, 0, r.Code, r.Stderr)
	var doc struct {
		Manifests []struct{ Name, Content string }
	}
	require.NoError(t, json.Unmarshal([]byte(r.Stdout), &doc))
	var set struct {
		Spec struct {
			Template struct {
				Spec struct {
					InitContainers, Containers []container
					Volumes                    []volume
				}
			}
		}
	}
	var config struct{ Data map[string]string }
	for _, m := range doc.Manifests {
		switch m.Name {
		case "daemonset.yaml":
			require.NoError(t, yaml.Unmarshal([]byte(m.Content), &set))
		case "configmap.yaml":
			require.NoError(t, yaml.Unmarshal([]byte(m.Content), &config))
		}
	}
	in := set.Spec.Template.Spec
	require.Len(t, in.InitContainers, 1)
	require.Len(t, in.Containers, 1)
	p := &pod{t: t, node: n, change: in.InitContainers[0], hold: in.Containers[0], volumes: map[string]volume{}, configData: config.Data}
	for _, v := range in.Volumes {
		p.volumes[v.Name] = v
	}
	return p
}

// configMap lays the ConfigMap out as kubelet does: the keys are links into a
// hidden folder.
func (p *pod) configMap() string {
	p.t.Helper()
	dir := p.t.TempDir()
	require.NoError(p.t, os.Mkdir(filepath.Join(dir, "..2026_12_01"), 0o755))
	require.NoError(p.t, os.Symlink("..2026_12_01", filepath.Join(dir, "..data")))
	for name, text := range p.configData {
		require.NoError(p.t, os.WriteFile(filepath.Join(dir, "..2026_12_01", name), []byte(text), 0o644))
		require.NoError(p.t, os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)))
	}
	return dir
}

// spec prepares the root of a container: an image with nothing but the binary.
func (p *pod) spec(c container, command []string) spec {
	p.t.Helper()
	require.True(p.t, c.SecurityContext.ReadOnlyRootFilesystem)
	require.Equal(p.t, []string{"ALL"}, c.SecurityContext.Capabilities.Drop)
	require.Zero(p.t, *c.SecurityContext.RunAsUser)
	root := p.t.TempDir()
	bin := filepath.Join(root, "usr/local/bin/crioctl-net")
	require.NoError(p.t, os.MkdirAll(filepath.Dir(bin), 0o755))
	data, err := os.ReadFile(p.node.Command())
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(bin, data, 0o755))
	require.NoError(p.t, os.Mkdir(filepath.Join(root, "proc"), 0o755))

	require.Equal(p.t, "crioctl-net", command[0])
	s := spec{Root: root, Command: append([]string{"/usr/local/bin/crioctl-net"}, command[1:]...)}
	for _, m := range c.VolumeMounts {
		if m.Name == p.without {
			continue
		}
		v, ok := p.volumes[m.Name]
		require.True(p.t, ok, m.Name)
		source := ""
		if v.ConfigMap != nil {
			source = p.configMap()
		} else {
			source = v.HostPath.Path
			if v.HostPath.Type == "DirectoryOrCreate" {
				require.NoError(p.t, os.MkdirAll(source, 0o755))
			}
			info, err := os.Stat(source)
			require.NoError(p.t, err)
			require.True(p.t, info.IsDir())
		}
		require.NoError(p.t, os.MkdirAll(filepath.Join(root, m.MountPath), 0o755))
		s.Mounts = append(s.Mounts, mount{source, m.MountPath, m.ReadOnly})
	}
	return s
}

// command returns the container as a process that was not started yet.
func (p *pod) command(c container, command []string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	p.t.Helper()
	data, err := json.Marshal(p.spec(c, command))
	require.NoError(p.t, err)
	exe, err := os.Executable()
	require.NoError(p.t, err)
	cmd = exec.CommandContext(p.node.Context(), exe)
	cmd.Env = []string{specVariable + "=" + string(data)}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
	}
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	return cmd, out, errs
}

// run runs a command in the container to its end.
func (p *pod) run(c container, command []string) node.Run {
	p.t.Helper()
	cmd, out, errs := p.command(c, command)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	require.NotEqual(p.t, 125, cmd.ProcessState.ExitCode(), errs)
	return node.Run{Code: cmd.ProcessState.ExitCode(), Stdout: out.String(), Stderr: errs.String()}
}

// init runs the init container.
func (p *pod) init() node.Run { return p.run(p.change, p.change.Command) }

// enter makes this process the first one of the container. It returns only when
// that fails.
func enter(text string) error {
	var s spec
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	if err := s.mount(); err != nil {
		return err
	}
	if err := errors.Join(unix.Chroot(s.Root), unix.Chdir("/")); err != nil {
		return err
	}
	// The rights are those of a thread; exec takes those of the one that calls it.
	runtime.LockOSThread()
	if err := dropRights(); err != nil {
		return err
	}
	return unix.Exec(s.Command[0], s.Command, []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
}

func (s spec) mount() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := bind(s.Root, s.Root, true); err != nil {
		return err
	}
	for _, m := range s.Mounts {
		if err := bind(m.Source, filepath.Join(s.Root, m.Target), m.ReadOnly); err != nil {
			return err
		}
	}
	return unix.Mount("proc", filepath.Join(s.Root, "proc"), "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
}

func bind(from, to string, readOnly bool) error {
	err := unix.Mount(from, to, "", unix.MS_BIND, "")
	if err == nil && readOnly {
		err = unix.Mount("", to, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
	}
	if err != nil {
		return fmt.Errorf("mount %s at %s: %w", from, to, err)
	}
	return nil
}

// dropRights takes every capability away, for good, and makes sure of it.
func dropRights() error {
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("drop capability %d: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	none := [2]unix.CapUserData{}
	if err := unix.Capset(&header, &none[0]); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/thread-self/status")
	if err != nil {
		return err
	}
	for _, set := range []string{"CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb"} {
		if !strings.Contains(string(status), "\n"+set+":\t0000000000000000\n") {
			return fmt.Errorf("%s is not empty:\n%s", set, status)
		}
	}
	return nil
}
