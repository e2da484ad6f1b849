package migrate

import (
	"strings"

	"github.com/crioctl/crioctl-net/schema"
)

// A Default is a key whose built-in value is not the same in all releases.
type Default struct {
	Code string
	Key  *schema.Key
	Why  string // what the change means, for the account
	New  string // what it means that the key is there at all, "" for nothing
	// Drop says that a line which pins the value of an older release goes by
	// rule: the value went stale, and nobody chose it. Other pinned values stay
	// and are pointed out.
	Drop bool
	// Any says that the value of any older release counts as pinned, not only
	// that of the release the files come from: nobody writes it by choice.
	Any bool
}

// Defaults lists every key whose built-in value changed, in schema order, and
// the new keys whose built-in value changes what CRI-O does. The caller owns the
// slice.
func Defaults() []Default {
	list := defaults()
	for i := range list {
		d := &list[i]
		name := strings.ReplaceAll(d.Key.Path.Leaf(), "_", "-")
		if d.Key.HasNames() {
			name = "handler-" + name
		}
		d.Code = "default-" + name
	}
	return list
}

func defaultsByKey() map[*schema.Key]*Default {
	m := map[*schema.Key]*Default{}
	list := Defaults()
	for i := range list {
		m[list[i].Key] = &list[i]
	}
	return m
}

func defaults() []Default {
	return []Default{
		{Key: schema.RunRoot.Key, Why: "the built-in path is written without /var since 1.20; both name the same directory"},
		{Key: schema.VersionFile.Key, Drop: true, Why: "since 1.17 the file lies on a file system that a reboot empties, so that a reboot is noticed"},
		{Key: schema.VersionFilePersist.Key, Drop: true, Why: "since 1.25 images are not wiped after an upgrade unless this is set"},
		{Key: schema.InternalWipe.Key, Drop: true, Why: "since 1.22 the daemon itself wipes after a reboot, and the service crio-wipe is not needed"},
		{Key: schema.InternalRepair.Key, Why: "since 1.31 the daemon repairs the store after an unclean shutdown, which removes what is damaged"},
		{Key: schema.FileLocking.Key, Drop: true, Why: "patch releases changed it back and forth; it is gone since 1.16"},
		{Key: schema.GRPCMaxSendMessageSize.Key, Any: true, Drop: true, Why: "raised from 16 to 80 MiB in 1.23, since lists of many containers did not fit"},
		{Key: schema.GRPCMaxRecvMessageSize.Key, Any: true, Drop: true, Why: "raised from 16 to 80 MiB in 1.23"},
		{Key: schema.Listen.Key, Why: "the socket moved into a folder of its own in 1.9; the kubelet and crictl have to name the new path"},
		{Key: schema.StreamAddress.Key, Why: "the server for exec and attach listens on the node itself only since 1.11.13"},
		{Key: schema.StreamPort.Key, Why: "the server for exec and attach takes any free port since 1.11.13"},
		{Key: schema.TLSMinVersion.Key, Why: "releases before 1.35.1 take the oldest version of the Go library", New: "TLS older than 1.2 is not spoken; earlier releases left that to the Go library"},
		{Key: schema.DropInfraContainer.Key, Why: "since 1.22 pods that can do without have no pause container"},
		{Key: schema.ConmonEnv.Key, Drop: true, Why: "since 1.24 each handler has its own monitor_env, and this key is empty"},
		{Key: schema.HooksDir.Key, Why: "since 1.16.2 hooks in /usr/share/containers/oci/hooks.d run"},
		{Key: schema.DefaultCapabilities.Key, Any: true, Why: "containers lose NET_RAW and SYS_CHROOT in 1.18: ping and chroot fail in pods that do not ask for them"},
		{Key: schema.AddInheritableCapabilities.Key, Why: "true in 1.24.3 to 1.24.6 only; older releases always did so, since 1.25 capabilities are not inheritable", New: "whether containers get inheritable capabilities, which releases before 1.24.3 always gave"},
		{Key: schema.AllowedDevices.Key, Why: "pods may ask for /dev/net/tun by annotation too since 1.30.6 and 1.31"},
		{Key: schema.DefaultRuntime.Key, Why: "the default runtime is crun since 1.31, runc before: drain the node before the restart, or pin runc"},
		{Key: schema.Conmon.Key, Drop: true, Why: "since 1.16 conmon is looked up in PATH"},
		{Key: schema.ConmonCgroup.Key, Drop: true, Why: "pod in 1.15, system.slice from 1.16.1 to 1.23; since 1.24 each handler has its own monitor_cgroup, and this key is empty"},
		{Key: schema.SeccompProfile.Key, Any: true, Why: "the profile is built in since 1.15; before, the file /etc/crio/seccomp.json was read"},
		{Key: schema.AppArmorProfile.Key, Any: true, Drop: true, Why: "the built-in profile carried the number of the release from 1.15.1 to 1.17"},
		{Key: schema.CgroupManager.Key, Why: "the built-in manager of cgroups is systemd since 1.18, cgroupfs before; the kubelet has to use the same one"},
		{Key: schema.LogLevel.Key, Drop: true, Why: "info since 1.17, error before"},
		{Key: schema.NamespacesDir.Key, Drop: true, Why: "/var/run since 1.17.3; /var/run/crio/ns in 1.17.0 to 1.17.2"},
		{Key: schema.EnableCRIUSupport.Key, Why: "on since 1.30, where a missing criu turns it off without an error"},
		{Key: schema.PIDsLimit.Key, Any: true, Why: "1024 to 1.23, no limit since 1.24: the limit of the kubelet counts"},
		{Key: schema.ContainerStopTimeout.Key, Drop: true, Why: "30 seconds since 1.18, which is the least that counts"},
		{Key: schema.SeccompUseDefaultWhenEmpty.Key, Why: "since 1.24 pods without a seccomp profile get the default one"},
		{Key: schema.ManageNamespaceLifecycle.Key, Drop: true, Why: "since 1.19 CRI-O keeps the namespaces of pods itself"},
		{Key: schema.DefaultWorkloadTrust.Key, Drop: true, Why: "runtime classes took its place in 1.12"},
		{Key: schema.HooksDirPath.Key, Why: "the list hooks_dir took its place in 1.12.6"},
		{Key: schema.RuntimePath.Key, Drop: true, Why: "the table of handlers took its place in 1.12"},
		{Key: schema.Runtimes, Why: "the built-in handler is crun since 1.31, runc before"},
		{Key: schema.HandlerRuntimePath.Key, Why: "the built-in handler is looked up in PATH since 1.15; before, it was /usr/bin/runc"},
		{Key: schema.HandlerRuntimeRoot.Key, Why: "the built-in handler has its own root"},
		{Key: schema.HandlerAllowedAnnotations.Key, Why: "the annotations that the built-in handler allows changed: trace-syscall in 1.21, devices in 1.28.3 and 1.29, the names ending in crio.io in 1.35"},
		{Key: schema.HandlerContainerMinMemory.Key, Why: "crun starts with less memory than runc"},
		{Key: schema.PauseImage.Key, Any: true, Drop: true, Why: "each release comes with its pause image; the registry of the older ones is frozen"},
		{Key: schema.OCIArtifactMountSupport.Key, Why: "on since 1.33", New: "images may be mounted as volumes of artifacts; on by default"},
		{Key: schema.PullProgressTimeout.Key, Drop: true, Why: "a few patch releases gave up a pull that made no progress for 10s; 0 never does"},
		{Key: schema.ShortNameMode.Key, Why: "enforcing since 1.34", New: "an image name without a registry that could mean several images is refused (enforcing); before, the first registry that had it was taken. Write full names, or set it to \"disabled\""},
		{Key: schema.PluginDir.Key, Why: "plugin_dirs took its place in 1.14.3; 1.14.0 to 1.14.2 read a list here"},
		{Key: schema.MetricsCollectors.Key, Any: true, Drop: true, Why: "the list names every metric of its release; names that are gone do nothing, and new ones are missing"},
		{Key: schema.MetricsHost.Key, Why: "127.0.0.1 since 1.30, all addresses before: a Prometheus outside the node no longer reaches the metrics", New: "releases without the key serve metrics on all addresses of the node; since 1.30 it is 127.0.0.1, and a Prometheus outside the node no longer reaches them"},
		{Key: schema.TracingEndpoint.Key, Why: "127.0.0.1:4317 since 1.31, 0.0.0.0:4317 before"},
		{Key: schema.EnableNRI.Key, Why: "NRI plugins are served since 1.30", New: "whether NRI plugins may change containers; off to 1.29, on since 1.30"},
	}
}
