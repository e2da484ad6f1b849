package render

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"

	"github.com/crioctl/crioctl-net/schema"
)

// The part of the Kubernetes API that a DaemonSet of ours needs, in the order in
// which people read it.
type (
	kustomization struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Resources  []string `yaml:"resources"`
	}
	namespace struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Metadata   metadata `yaml:"metadata"`
	}
	serviceAccount struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Metadata   metadata `yaml:"metadata"`
		Automount  bool     `yaml:"automountServiceAccountToken"`
	}
	configMap struct {
		APIVersion string            `yaml:"apiVersion"`
		Kind       string            `yaml:"kind"`
		Metadata   metadata          `yaml:"metadata"`
		Data       map[string]string `yaml:"data,omitempty"`
		BinaryData map[string]binary `yaml:"binaryData,omitempty"`
	}
	daemonSet struct {
		APIVersion string        `yaml:"apiVersion"`
		Kind       string        `yaml:"kind"`
		Metadata   metadata      `yaml:"metadata"`
		Spec       daemonSetSpec `yaml:"spec"`
	}
	daemonSetSpec struct {
		Selector       selector       `yaml:"selector"`
		UpdateStrategy updateStrategy `yaml:"updateStrategy"`
		MinReady       int            `yaml:"minReadySeconds"`
		Template       podTemplate    `yaml:"template"`
	}
	selector struct {
		MatchLabels map[string]string `yaml:"matchLabels"`
	}
	updateStrategy struct {
		Type          string         `yaml:"type"`
		RollingUpdate *rollingUpdate `yaml:"rollingUpdate,omitempty"`
	}
	rollingUpdate struct {
		MaxUnavailable int `yaml:"maxUnavailable"`
	}
	podTemplate struct {
		Metadata podMetadata `yaml:"metadata"`
		Spec     podSpec     `yaml:"spec"`
	}
	podMetadata struct {
		Labels      map[string]string `yaml:"labels"`
		Annotations map[string]string `yaml:"annotations,omitempty"`
	}
	podSpec struct {
		ServiceAccountName string             `yaml:"serviceAccountName"`
		Automount          bool               `yaml:"automountServiceAccountToken"`
		ServiceLinks       bool               `yaml:"enableServiceLinks"`
		PriorityClassName  string             `yaml:"priorityClassName"`
		NodeSelector       map[string]string  `yaml:"nodeSelector"`
		Tolerations        []toleration       `yaml:"tolerations"`
		Grace              int                `yaml:"terminationGracePeriodSeconds"`
		SecurityContext    podSecurityContext `yaml:"securityContext"`
		InitContainers     []container        `yaml:"initContainers"`
		Containers         []container        `yaml:"containers"`
		Volumes            []volume           `yaml:"volumes"`
	}
	toleration struct {
		Operator string `yaml:"operator"`
	}
	podSecurityContext struct {
		SELinux  selinuxOptions `yaml:"seLinuxOptions"`
		Seccomp  profile        `yaml:"seccompProfile"`
		AppArmor *profile       `yaml:"appArmorProfile,omitempty"`
	}
	selinuxOptions struct {
		Type string `yaml:"type"`
	}
	profile struct {
		Type string `yaml:"type"`
	}
	container struct {
		Name            string          `yaml:"name"`
		Image           string          `yaml:"image"`
		Command         []string        `yaml:"command"`
		ReadinessProbe  *probe          `yaml:"readinessProbe,omitempty"`
		Resources       resources       `yaml:"resources"`
		SecurityContext securityContext `yaml:"securityContext"`
		VolumeMounts    []volumeMount   `yaml:"volumeMounts"`
	}
	probe struct {
		Exec             execAction `yaml:"exec"`
		InitialDelay     int        `yaml:"initialDelaySeconds"`
		Period           int        `yaml:"periodSeconds"`
		Timeout          int        `yaml:"timeoutSeconds"`
		FailureThreshold int        `yaml:"failureThreshold"`
	}
	execAction struct {
		Command []string `yaml:"command"`
	}
	resources struct {
		Requests map[string]string `yaml:"requests"`
		Limits   map[string]string `yaml:"limits"`
	}
	securityContext struct {
		RunAsUser      int          `yaml:"runAsUser"`
		RunAsGroup     int          `yaml:"runAsGroup"`
		Privileged     bool         `yaml:"privileged"`
		Escalation     bool         `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRootFS bool         `yaml:"readOnlyRootFilesystem"`
		Capabilities   capabilities `yaml:"capabilities"`
	}
	capabilities struct {
		Drop []string `yaml:"drop"`
	}
	volumeMount struct {
		Name      string `yaml:"name"`
		MountPath string `yaml:"mountPath"`
		ReadOnly  bool   `yaml:"readOnly,omitempty"`
	}
	volume struct {
		Name      string           `yaml:"name"`
		HostPath  *hostPathSource  `yaml:"hostPath,omitempty"`
		ConfigMap *configMapSource `yaml:"configMap,omitempty"`
	}
	hostPathSource struct {
		Path string `yaml:"path"`
		Type string `yaml:"type"`
	}
	configMapSource struct {
		Name string `yaml:"name"`
	}
)

// binary is bytes in a ConfigMap, which has them in base64.
type binary []byte

// MarshalYAML returns the text.
func (b binary) MarshalYAML() (any, error) { return base64.StdEncoding.EncodeToString(b), nil }

// daemonSetNote tells a reviewer why the pod may do what it may.
const daemonSetNote = `# The init container makes the change: it writes below /etc/crio, restarts crio
# over D-Bus, and puts the former state back where crio does not come back
# healthy. It does not try again what was taken back, so such a node stays not
# ready, with one restart and not one every few minutes. Pods live through a
# restart of crio, this one included.
#
# A DaemonSet that is made anew starts on all its nodes at once; only its updates
# go node by node. To begin with one node, give a nodeSelector and label the nodes
# one after the other.
#
# Why it may do what it may:
#   root, without capabilities   the files and crio's socket belong to root, and
#                                systemd does what root asks for over D-Bus
#   not privileged, no host namespaces, a root file system that is read-only
#   SELinux type spc_t, AppArmor unconfined
#                                the confinement of containers forbids the host's
#                                files and its D-Bus; neither matters where the
#                                node has no such policy
#   host directories             only those below; what is read-only is read to
#                                know what the unit of crio adds to the files
`

// A hostDir is a directory of the host that the pod sees at its own place.
type hostDir struct {
	name, path, kind string
	readOnly         bool
}

// hostDirs lists what the change needs. /etc/crio is mounted as a whole, since the
// next version of a drop-in is written beside the directory in which CRI-O reads
// every file; directories and not sockets are mounted, since a socket is made anew
// when its daemon starts.
func hostDirs() []hostDir {
	return []hostDir{
		{"etc-crio", "/etc/crio", "Directory", false},
		{"state", "/var/lib/crioctl-net", "DirectoryOrCreate", false},
		{"dbus", "/run/dbus", "Directory", true},
		{"crio-socket", "/var/run/crio", "Directory", true},
		{"units-etc", "/etc/systemd/system", "Directory", true},
		{"units-run", "/run/systemd/system", "Directory", true},
		{"units-usr", "/usr/lib/systemd/system", "Directory", true},
	}
}

const (
	dropInsVolume = "drop-ins"
	dropInsPath   = "/drop-ins"
	appLabel      = "app.kubernetes.io/name"
)

func namespaceOf(o DaemonSetOptions) namespace {
	// Pod Security refuses host directories at every level below.
	labels := map[string]string{}
	for _, mode := range []string{"enforce", "audit", "warn"} {
		labels["pod-security.kubernetes.io/"+mode] = "privileged"
	}
	return namespace{"v1", "Namespace", metadata{Name: o.Namespace, Labels: labels}}
}

func serviceAccountOf(o DaemonSetOptions) serviceAccount {
	return serviceAccount{"v1", "ServiceAccount", metadata{Name: o.Name, Namespace: o.Namespace}, false}
}

func daemonSetOf(o DaemonSetOptions, digest string) daemonSet {
	labels := map[string]string{appLabel: o.Name}
	spec := daemonSetSpec{
		Selector:       selector{labels},
		UpdateStrategy: updateStrategy{Type: o.Update},
		MinReady:       10,
		Template:       podTemplate{podMetadata{Labels: labels}, podOf(o)},
	}
	if o.Update == RollingUpdate {
		spec.UpdateStrategy.RollingUpdate = &rollingUpdate{MaxUnavailable: 1}
	}
	meta := &spec.Template.Metadata
	if digest != "" {
		meta.Annotations = with(meta.Annotations, "crioctl-net/drop-ins-sha256", digest)
	}
	// The field came with Kubernetes 1.30, whose number CRI-O shares; before it
	// there were annotations.
	unconfined := &profile{"Unconfined"}
	if o.CRIO.Less(schema.Version{Major: 1, Minor: 30}) {
		for _, c := range append(spec.Template.Spec.InitContainers, spec.Template.Spec.Containers...) {
			meta.Annotations = with(meta.Annotations, "container.apparmor.security.beta.kubernetes.io/"+c.Name, "unconfined")
		}
		unconfined = nil
	}
	spec.Template.Spec.SecurityContext.AppArmor = unconfined
	return daemonSet{"apps/v1", "DaemonSet", metadata{Name: o.Name, Namespace: o.Namespace, Labels: labels}, spec}
}

func podOf(o DaemonSetOptions) podSpec {
	p := podSpec{
		ServiceAccountName: o.Name,
		PriorityClassName:  "system-node-critical",
		NodeSelector:       map[string]string{"kubernetes.io/os": "linux"},
		Tolerations:        []toleration{{"Exists"}},
		// A change that is under way ends by itself: it is undone in the same time
		// again.
		Grace:           int(2*o.Timeout.Seconds()) + 30,
		SecurityContext: podSecurityContext{SELinux: selinuxOptions{"spc_t"}, Seccomp: profile{"RuntimeDefault"}},
	}
	for _, key := range slices.Sorted(maps.Keys(o.NodeSelector)) {
		p.NodeSelector[key] = o.NodeSelector[key]
	}
	mounts := p.mount(o)
	p.InitContainers = []container{containerOf(o, "change", changeCommand(o), mounts)}
	hold := containerOf(o, "hold", []string{"crioctl-net", "hold"}, readOnly(mounts))
	hold.ReadinessProbe = &probe{
		Exec:             execAction{[]string{"crioctl-net", "doctor", "--quiet", "--crio-version", o.CRIO.String()}},
		InitialDelay:     5,
		Period:           60,
		Timeout:          30,
		FailureThreshold: 2,
	}
	p.Containers = []container{hold}
	return p
}

// mount adds the volumes and returns where they are mounted.
func (p *podSpec) mount(o DaemonSetOptions) []volumeMount {
	dirs := hostDirs()
	for i, d := range o.HostPaths {
		dirs = append(dirs, hostDir{"host-" + strconv.Itoa(i+1), d, "Directory", true})
	}
	var mounts []volumeMount
	for _, d := range dirs {
		p.Volumes = append(p.Volumes, volume{Name: d.name, HostPath: &hostPathSource{d.path, d.kind}})
		mounts = append(mounts, volumeMount{d.name, d.path, d.readOnly})
	}
	if len(o.DropIns) > 0 {
		p.Volumes = append(p.Volumes, volume{Name: dropInsVolume, ConfigMap: &configMapSource{o.Name}})
		mounts = append(mounts, volumeMount{dropInsVolume, dropInsPath, true})
	}
	return mounts
}

// readOnly returns the mounts as the container has them that changes nothing.
func readOnly(mounts []volumeMount) []volumeMount {
	var out []volumeMount
	for _, m := range mounts {
		if m.Name != dropInsVolume {
			m.ReadOnly = true
			out = append(out, m)
		}
	}
	return out
}

func changeCommand(o DaemonSetOptions) []string {
	command := []string{"crioctl-net"}
	if len(o.DropIns) > 0 {
		command = append(command, "apply", "--prune", dropInsPath)
	} else {
		command = append(command, o.Command...)
	}
	return append(command, "--not-again", "--crio-version", o.CRIO.String(), "--timeout", o.Timeout.String())
}

func containerOf(o DaemonSetOptions, name string, command []string, mounts []volumeMount) container {
	return container{
		Name:    name,
		Image:   o.Image,
		Command: command,
		Resources: resources{
			Requests: map[string]string{"cpu": "10m", "memory": "32Mi"},
			Limits:   map[string]string{"memory": "128Mi"},
		},
		SecurityContext: securityContext{ReadOnlyRootFS: true, Capabilities: capabilities{[]string{"ALL"}}},
		VolumeMounts:    mounts,
	}
}
