package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// NoPivot is crio.runtime.no_pivot.
var NoPivot = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "no_pivot"},
	Kind: Bool,
	Text: "Makes the runtime not use pivot_root, for nodes whose root is a ramdisk. It is less safe: elsewhere " +
		"leave it false.",
	Since: Branches{{1, 0, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--no-pivot"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_NO_PIVOT"}}},
}}

// SELinux is crio.runtime.selinux.
var SELinux = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "selinux"},
	Kind: Bool,
	Text: "Makes CRI-O label containers for SELinux. The default follows the host. It is deprecated since 1.29; " +
		"with false on a host with SELinux containers are no longer separated from it.",
	Since:      Branches{{1, 0, 0}},
	Deprecated: Version{1, 29, 0},
	FromHost:   true,
	Flags:      []Flag{{Version{1, 0, 0}, "--selinux"}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_SELINUX"}}},
}}

// LogToJournald is crio.runtime.log_to_journald.
var LogToJournald = Setting[bool]{&Key{
	Path:  keypath.Path{"crio", "runtime", "log_to_journald"},
	Kind:  Bool,
	Text:  "Writes the output of containers to the journal as well as to the log file of the kubelet.",
	Since: Branches{{1, 14, 0}},
	Flags: []Flag{{Version{1, 14, 0}, "--log-journald"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_LOG_JOURNALD"}}},
}}

// DropInfraContainer is crio.runtime.drop_infra_ctr.
var DropInfraContainer = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "drop_infra_ctr"},
	Kind: Bool,
	Text: "Starts no pause container for pods that can do without one, which saves memory and time. In 1.19 and " +
		"1.20 it needs manage_ns_lifecycle and is refused without.",
	Since:    Branches{{1, 19, 0}},
	Defaults: []Default{{Version{1, 22, 0}, true}},
	Flags:    []Flag{{Version{1, 19, 0}, "--drop-infra-ctr"}},
	Env:      []Env{{Version{1, 19, 0}, []string{"CONTAINER_DROP_INFRA_CTR"}}},
}}

// ReadOnly is crio.runtime.read_only.
var ReadOnly = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "read_only"},
	Kind: Bool,
	Text: "Runs every container with a read-only root file system, whatever the pod says; /run, /tmp and " +
		"/var/tmp become writable in memory. Images that write elsewhere fail.",
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 11, 0}, "--read-only"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_READ_ONLY"}}},
}}

// ConmonEnv is crio.runtime.conmon_env.
var ConmonEnv = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "conmon_env"},
	Kind: Strings,
	Text: "Environment for conmon, as NAME=value. It is deprecated since 1.24, yet it still replaces " +
		"monitor_env of a handler when it is not empty.",
	Since:      Branches{{1, 0, 0}},
	Deprecated: Version{1, 24, 0},
	ReplacedBy: "crio.runtime.runtimes.*.monitor_env",
	Defaults: []Default{
		{Version{1, 0, 0}, []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}},
		{Version{1, 24, 0}, []string(nil)},
	},
	Flags: []Flag{{Version{1, 16, 0}, "--conmon-env"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_CONMON_ENV"}}},
}}

// HooksDir is crio.runtime.hooks_dir.
var HooksDir = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks_dir"},
	Kind: Strings,
	Text: "Directories with OCI hooks that run for every container they fit, with the rights of CRI-O. For " +
		"hooks of the same name the later directory counts. A later file replaces the list. Missing " +
		"directories are created or skipped, they are no error since 1.18.",
	Since:    Branches{{1, 12, 6}, {1, 13, 0}},
	Defaults: []Default{{Version{1, 16, 2}, []string{"/usr/share/containers/oci/hooks.d"}}},
	Flags:    []Flag{{Version{1, 12, 6}, "--hooks-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_HOOKS_DIR"}}},
}}

// DefaultCapabilities is crio.runtime.default_capabilities.
var DefaultCapabilities = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_capabilities"},
	Kind: Strings,
	Text: "Capabilities of containers that ask for none, without CAP_ in front. The list replaces the default " +
		"as a whole. An unknown name is refused, also one with CAP_. Since 1.18 the default has neither " +
		"NET_RAW nor SYS_CHROOT.",
	Since: Branches{{1, 11, 0}},
	Defaults: []Default{
		{Version{1, 11, 0}, []string{
			"CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "NET_RAW", "SETGID", "SETUID", "SETPCAP",
			"NET_BIND_SERVICE", "SYS_CHROOT", "KILL",
		}},
		{Version{1, 18, 0}, []string{
			"CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "SETGID", "SETUID", "SETPCAP", "NET_BIND_SERVICE", "KILL",
		}},
	},
	Flags: []Flag{{Version{1, 11, 0}, "--default-capabilities"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_DEFAULT_CAPABILITIES"}}},
	Rules: []Rule{{Stage: Load, Since: Branches{{1, 18, 0}}, Check: eachIn(capability)}},
}}

// AddInheritableCapabilities is crio.runtime.add_inheritable_capabilities.
var AddInheritableCapabilities = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "add_inheritable_capabilities"},
	Kind: Bool,
	Text: "Puts the default capabilities into the inheritable set as well, as releases before 1.24.3 always " +
		"did. It is for images with file capabilities that rely on it; true weakens the separation between " +
		"processes of a container.",
	Since: Branches{{1, 24, 3}, {1, 25, 1}, {1, 26, 0}},
	Defaults: []Default{
		{Version{1, 24, 3}, true},
		{Version{1, 25, 0}, false},
	},
	Flags: []Flag{{Version{1, 24, 3}, "--add-inheritable-capabilities"}},
	Env:   []Env{{Version{1, 24, 3}, []string{"CONTAINER_ADD_INHERITABLE_CAPABILITIES"}}},
}}

// DefaultEnv is crio.runtime.default_env.
var DefaultEnv = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_env"},
	Kind: Strings,
	Text: "Environment variables for every container, as NAME=value. What the image or the pod says comes " +
		"first. Secrets in here show up in every container.",
	Since: Branches{{1, 16, 6}, {1, 17, 4}, {1, 18, 0}},
	Flags: []Flag{{Version{1, 16, 6}, "--default-env"}},
	Env:   []Env{{Version{1, 16, 6}, []string{"CONTAINER_DEFAULT_ENV"}}},
}}

// MinInjectedGOMAXPROCS is crio.runtime.min_injected_gomaxprocs.
var MinInjectedGOMAXPROCS = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "min_injected_gomaxprocs"},
	Kind: Int,
	Text: "Sets GOMAXPROCS in containers without exclusive CPUs, from their CPU request but not below this " +
		"number, so that Go programs do not start a thread per CPU of the node. 0 leaves the variable alone; " +
		"negative numbers are refused.",
	Since: Branches{{1, 33, 12}, {1, 34, 8}, {1, 35, 3}, {1, 36, 0}},
	Flags: []Flag{{Version{1, 33, 12}, "--min-injected-gomaxprocs"}},
	Env:   []Env{{Version{1, 33, 12}, []string{"CONTAINER_INJECT_GOMAXPROCS"}}},
	Rules: []Rule{{Stage: Load, Check: atLeast(0)}},
}}

// DefaultSysctls is crio.runtime.default_sysctls.
var DefaultSysctls = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_sysctls"},
	Kind: Strings,
	Text: "Kernel parameters for every pod, as key=value. Without an equals sign an element is refused; since " +
		"1.23.2 one with blanks around it is refused too. Parameters without a namespace make pods fail.",
	Since: Branches{{1, 12, 0}},
	Flags: []Flag{{Version{1, 12, 0}, "--default-sysctls"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_DEFAULT_SYSCTLS"}}},
	Rules: []Rule{
		{Stage: Load, Since: Branches{{1, 18, 0}}, Check: each(sysctl)},
		{Stage: Load, Since: Branches{{1, 23, 2}, {1, 24, 0}}, Check: each(sysctlBlanks)},
	},
}}

// DefaultUlimits is crio.runtime.default_ulimits.
var DefaultUlimits = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_ulimits"},
	Kind: Strings,
	Text: "Limits for every container, as name=soft:hard, or name=value for both; -1 means unlimited. The names " +
		"are those of the kernel in lower case, such as nofile or nproc; others are refused, and so is a soft " +
		"limit above the hard one.",
	Since: Branches{{1, 12, 0}},
	Flags: []Flag{{Version{1, 12, 0}, "--default-ulimits"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_DEFAULT_ULIMITS"}}},
	Rules: []Rule{{Stage: Load, Check: each(ulimit)}},
}}

// AllowedDevices is crio.runtime.allowed_devices.
var AllowedDevices = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "allowed_devices"},
	Kind: Strings,
	Text: "Devices of the host that a pod may ask for with the devices annotation. The list replaces the " +
		"default as a whole.",
	Since: Branches{{1, 23, 1}, {1, 24, 0}},
	Defaults: []Default{
		{Version{1, 23, 1}, []string{"/dev/fuse"}},
		{Version{1, 30, 6}, []string{"/dev/fuse", "/dev/net/tun"}},
	},
	Flags: []Flag{{Version{1, 23, 1}, "--allowed-devices"}},
	Env:   []Env{{Version{1, 23, 1}, []string{"CONTAINER_ALLOWED_DEVICES"}}},
}}

// AdditionalDevices is crio.runtime.additional_devices.
var AdditionalDevices = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "additional_devices"},
	Kind: Strings,
	Text: "Devices of the host that every container gets, as /dev/host:/dev/container:rwm; the last two parts " +
		"may be left out. A wrong form is refused, and since 1.20 a device that does not exist on the host as " +
		"well.",
	Since: Branches{{1, 13, 0}},
	Flags: []Flag{{Version{1, 13, 0}, "--additional-devices"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_ADDITIONAL_DEVICES"}}},
	Rules: []Rule{{Stage: Load, Check: eachIn(device)}},
}}

// CDISpecDirs is crio.runtime.cdi_spec_dirs.
var CDISpecDirs = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "cdi_spec_dirs"},
	Kind: Strings,
	Text: "Directories with the descriptions of CDI devices, such as GPUs; of two descriptions of a device the " +
		"later directory counts. CDI itself has no switch in CRI-O, it is always on.",
	Since:       Branches{{1, 24, 0}},
	Defaults:    []Default{{Version{1, 24, 0}, []string{"/etc/cdi", "/var/run/cdi"}}},
	Flags:       []Flag{{Version{1, 24, 0}, "--cdi-spec-dirs"}},
	Env:         []Env{{Version{1, 24, 0}, []string{"CONTAINER_CDI_SPEC_DIRS"}}},
	ReloadSince: Version{1, 24, 0},
}}

// DeviceOwnershipFromSecurityContext is crio.runtime.device_ownership_from_security_context.
var DeviceOwnershipFromSecurityContext = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "device_ownership_from_security_context"},
	Kind: Bool,
	Text: "Gives devices of a container the user and group of the container instead of those of the host, so " +
		"that pods that do not run as root can use them.",
	Since: Branches{{1, 22, 0}},
	Flags: []Flag{{Version{1, 22, 0}, "--device-ownership-from-security-context"}},
}}

// DefaultRuntime is crio.runtime.default_runtime.
var DefaultRuntime = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_runtime"},
	Kind: String,
	Text: "Name of the runtime handler for pods that ask for none. It must be an entry of " +
		"crio.runtime.runtimes; empty means the built-in one, runc up to 1.30 and crun since 1.31. A " +
		"configuration that names the other one without a table for it is refused, which is what an upgrade " +
		"to 1.31 does to many. From 1.19 to 1.25.0 naming another handler takes the built-in entry away.",
	Since: Branches{{1, 12, 0}},
	Defaults: []Default{
		{Version{1, 12, 0}, "runc"},
		{Version{1, 31, 0}, "crun"},
	},
	Flags:       []Flag{{Version{1, 12, 0}, "--default-runtime"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_DEFAULT_RUNTIME"}}},
	ReloadSince: Version{1, 25, 1},
	Normalize:   []Normalization{{Stage: Load, Since: Branches{{1, 12, 0}}, Apply: builtinRuntime}},
}}

// DecryptionKeysPath is crio.runtime.decryption_keys_path.
var DecryptionKeysPath = Setting[string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "decryption_keys_path"},
	Kind:        String,
	Text:        "Directory with the private keys for encrypted images. Images for which none fits fail to pull.",
	Since:       Branches{{1, 17, 0}},
	Defaults:    []Default{{Version{1, 17, 0}, "/etc/crio/keys/"}},
	Flags:       []Flag{{Version{1, 17, 0}, "--decryption-keys-path"}},
	ReloadSince: Version{1, 18, 0},
}}

// AdditionalArtifactStores is crio.runtime.additional_artifact_stores.
var AdditionalArtifactStores = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "additional_artifact_stores"},
	Kind: Strings,
	Text: "Further directories in which OCI artifacts are looked up, read only. Every element must be an " +
		"absolute path.",
	Since: Branches{{1, 35, 2}, {1, 36, 0}},
	Flags: []Flag{{Version{1, 35, 2}, "--additional-artifact-stores"}},
	Rules: []Rule{{Stage: Load, Check: each(absolutePath)}},
}}

// Conmon is crio.runtime.conmon.
var Conmon = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "conmon"},
	Kind: String,
	Text: "Path of the conmon binary for all handlers of type oci. Empty looks it up in PATH. It is deprecated " +
		"since 1.24, yet it still wins over monitor_path of a handler.",
	Since:      Branches{{1, 0, 0}},
	Deprecated: Version{1, 24, 0},
	ReplacedBy: "crio.runtime.runtimes.*.monitor_path",
	Defaults: []Default{
		{Version{1, 0, 0}, "/usr/local/libexec/crio/conmon"},
		{Version{1, 16, 0}, ""},
	},
	Flags: []Flag{{Version{1, 0, 0}, "--conmon"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_CONMON"}}},
}}

// ConmonCgroup is crio.runtime.conmon_cgroup.
var ConmonCgroup = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "conmon_cgroup"},
	Kind: String,
	Text: "Cgroup for conmon: \"pod\" or the name of a systemd slice; empty leaves it to each handler. It must " +
		"fit cgroup_manager: cgroupfs allows \"pod\" and empty only. It is deprecated since 1.24, yet it still " +
		"wins over monitor_cgroup of a handler.",
	Since:      Branches{{1, 15, 0}},
	Deprecated: Version{1, 24, 0},
	ReplacedBy: "crio.runtime.runtimes.*.monitor_cgroup",
	Defaults: []Default{
		{Version{1, 15, 0}, "pod"},
		{Version{1, 16, 1}, "system.slice"},
		{Version{1, 24, 0}, ""},
	},
	Flags: []Flag{{Version{1, 15, 0}, "--conmon-cgroup"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_CONMON_CGROUP"}}},
	Rules: []Rule{{Stage: Load, Until: Version{1, 24, 0}, Check: text(sliceOrPod)}},
}}

// SeccompProfile is crio.runtime.seccomp_profile.
var SeccompProfile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "seccomp_profile"},
	Kind: String,
	Text: "File with the seccomp profile for pods that ask for the runtime default. Empty means the profile " +
		"that is built in. A missing file stops the start up to 1.24 and means the built-in profile since " +
		"1.25; a file that is no profile always stops it.",
	Since: Branches{{1, 0, 0}},
	Defaults: []Default{
		{Version{1, 0, 0}, "/etc/crio/seccomp.json"},
		{Version{1, 15, 0}, ""},
	},
	Flags:       []Flag{{Version{1, 0, 0}, "--seccomp-profile"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_SECCOMP_PROFILE"}}},
	ReloadSince: Version{1, 18, 0},
}}

// PrivilegedSeccompProfile is crio.runtime.privileged_seccomp_profile.
var PrivilegedSeccompProfile = Setting[string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "privileged_seccomp_profile"},
	Kind:        String,
	Text:        "File with the seccomp profile for privileged containers. Empty runs them without one.",
	Since:       Branches{{1, 33, 0}},
	Flags:       []Flag{{Version{1, 33, 0}, "--privileged-seccomp-profile"}},
	Env:         []Env{{Version{1, 33, 0}, []string{"CONTAINER_PRIVILEGED_SECCOMP_PROFILE"}}},
	ReloadSince: Version{1, 33, 0},
}}

// AppArmorProfile is crio.runtime.apparmor_profile.
var AppArmorProfile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "apparmor_profile"},
	Kind: String,
	Text: "Name of the AppArmor profile for pods that ask for the runtime default. On a host with AppArmor it " +
		"must be loaded, but for crio-default, which CRI-O loads itself; otherwise the daemon does not start. " +
		"Releases 1.15.1 to 1.17 had a default with a version in it, which newer ones do not load.",
	Since: Branches{{1, 0, 0}},
	Defaults: []Default{
		{Version{1, 0, 0}, "crio-default"},
		{Version{1, 15, 1}, "crio-default-<version>"},
		{Version{1, 18, 0}, "crio-default"},
	},
	Flags:       []Flag{{Version{1, 0, 0}, "--apparmor-profile"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_APPARMOR_PROFILE"}}},
	ReloadSince: Version{1, 18, 0},
}}

// BlockIOConfigFile is crio.runtime.blockio_config_file.
var BlockIOConfigFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "blockio_config_file"},
	Kind: String,
	Text: "File with the classes for block I/O limits that pods choose by annotation. Empty turns the feature " +
		"off. A file that does not load stops the start.",
	Since:       Branches{{1, 22, 0}},
	Flags:       []Flag{{Version{1, 22, 0}, "--blockio-config-file"}},
	ReloadSince: Version{1, 22, 0},
}}

// BlockIOReload is crio.runtime.blockio_reload.
var BlockIOReload = Setting[bool]{&Key{
	Path:        keypath.Path{"crio", "runtime", "blockio_reload"},
	Kind:        Bool,
	Text:        "Makes CRI-O read blockio_config_file again and look for new devices before each container.",
	Since:       Branches{{1, 29, 0}},
	Flags:       []Flag{{Version{1, 29, 0}, "--blockio-reload"}},
	ReloadSince: Version{1, 29, 0},
}}

// IRQBalanceConfigFile is crio.runtime.irqbalance_config_file.
var IRQBalanceConfigFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "irqbalance_config_file"},
	Kind: String,
	Text: "Configuration file of the irqbalance daemon that CRI-O changes when a pod asks to keep interrupts " +
		"off its CPUs.",
	Since:    Branches{{1, 20, 2}, {1, 21, 0}},
	Defaults: []Default{{Version{1, 20, 2}, "/etc/sysconfig/irqbalance"}},
	Flags:    []Flag{{Version{1, 20, 2}, "--irqbalance-config-file"}},
}}

// RDTConfigFile is crio.runtime.rdt_config_file.
var RDTConfigFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "rdt_config_file"},
	Kind: String,
	Text: "File with the classes for Intel RDT, cache and memory bandwidth, that pods choose by annotation. " +
		"Empty turns the feature off. A file that does not load stops the start.",
	Since:       Branches{{1, 22, 0}},
	Flags:       []Flag{{Version{1, 22, 0}, "--rdt-config-file"}},
	ReloadSince: Version{1, 22, 0},
}}

// CgroupManager is crio.runtime.cgroup_manager.
var CgroupManager = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "cgroup_manager"},
	Kind: String,
	Text: "Who makes the cgroups of pods: \"systemd\" or \"cgroupfs\". It must be what the kubelet uses, or pods " +
		"fail to start; other words stop the daemon at start, although \"crio config\" accepts them. With " +
		"cgroupfs, conmon_cgroup and monitor_cgroup must be \"pod\" or empty.",
	Since: Branches{{1, 0, 0}},
	Defaults: []Default{
		{Version{1, 0, 0}, "cgroupfs"},
		{Version{1, 18, 0}, "systemd"},
	},
	Flags: []Flag{{Version{1, 0, 0}, "--cgroup-manager"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_CGROUP_MANAGER"}}},
	Rules: []Rule{{Stage: Start, Since: Branches{{1, 19, 0}}, Check: text(oneOf("systemd", "cgroupfs"))}},
}}

// DefaultMountsFile is crio.runtime.default_mounts_file.
var DefaultMountsFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_mounts_file"},
	Kind: String,
	Text: "File with mounts for every container, one /HOST:/CONTAINER in a line. Only what it says is mounted " +
		"then; empty reads the two mounts.conf files of the system, below /etc/containers and " +
		"/usr/share/containers.",
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 11, 0}, "--default-mounts-file"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_DEFAULT_MOUNTS_FILE"}}},
}}

// ContainerExitsDir is crio.runtime.container_exits_dir.
var ContainerExitsDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "container_exits_dir"},
	Kind: String,
	Text: "Directory in which conmon leaves a file with the exit code of each container, which CRI-O watches. " +
		"Changing it while containers run loses their ends.",
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 0, 0}, "/var/run/crio/exits"}},
	Flags:    []Flag{{Version{1, 16, 0}, "--container-exits-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_EXITS_DIR"}}},
}}

// ContainerAttachSocketDir is crio.runtime.container_attach_socket_dir.
var ContainerAttachSocketDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "container_attach_socket_dir"},
	Kind: String,
	Text: "Directory for the sockets through which kubectl attach reaches a container. Changing it while " +
		"containers run cuts them off.",
	Since:    Branches{{1, 12, 0}},
	Defaults: []Default{{Version{1, 12, 0}, "/var/run/crio"}},
	Flags:    []Flag{{Version{1, 16, 0}, "--container-attach-socket-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_ATTACH_SOCKET_DIR"}}},
}}

// BindMountPrefix is crio.runtime.bind_mount_prefix.
var BindMountPrefix = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "bind_mount_prefix"},
	Kind: String,
	Text: "Prefix that is put before the host paths of bind mounts, for a CRI-O that runs in a container and " +
		"sees the host below it. Leave it empty otherwise.",
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 11, 0}, "--bind-mount-prefix"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_BIND_MOUNT_PREFIX"}}},
}}

// UIDMappings is crio.runtime.uid_mappings.
var UIDMappings = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "uid_mappings"},
	Kind: String,
	Text: "Ranges of user ids for a user namespace around all pods, as CONTAINER:HOST:SIZE with commas between. " +
		"It counts together with gid_mappings only, and a wrong form stops the daemon. It is deprecated since " +
		"1.29: Kubernetes has user namespaces of its own.",
	Since:      Branches{{1, 11, 0}},
	Deprecated: Version{1, 29, 0},
	Flags:      []Flag{{Version{1, 11, 0}, "--uid-mappings"}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_UID_MAPPINGS"}}},
	Rules: []Rule{{
		Stage: Server, Since: Branches{{1, 11, 0}},
		When:  &Condition{Path: keypath.Path{"crio", "runtime", "gid_mappings"}, Is: "", Not: true},
		Check: textIn(idMappings),
	}},
}}

// MinimumMappableUID is crio.runtime.minimum_mappable_uid.
var MinimumMappableUID = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "minimum_mappable_uid"},
	Kind: Int,
	Text: "Lowest user id of the host that a pod may map into its user namespace by annotation. -1 sets no " +
		"limit. It is deprecated since 1.29.",
	Since:      Branches{{1, 23, 0}},
	Deprecated: Version{1, 29, 0},
	Defaults:   []Default{{Version{1, 23, 0}, int64(-1)}},
	Flags:      []Flag{{Version{1, 23, 0}, "--minimum-mappable-uid"}},
	Env:        []Env{{Version{1, 23, 0}, []string{"CONTAINER_MINIMUM_MAPPABLE_UID"}}},
}}

// GIDMappings is crio.runtime.gid_mappings.
var GIDMappings = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "gid_mappings"},
	Kind: String,
	Text: "Ranges of group ids for a user namespace around all pods, as CONTAINER:HOST:SIZE with commas " +
		"between. It counts together with uid_mappings only, and a wrong form stops the daemon. It is " +
		"deprecated since 1.29: Kubernetes has user namespaces of its own.",
	Since:      Branches{{1, 11, 0}},
	Deprecated: Version{1, 29, 0},
	Flags:      []Flag{{Version{1, 11, 0}, "--gid-mappings"}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_GID_MAPPINGS"}}},
	Rules: []Rule{{
		Stage: Server, Since: Branches{{1, 11, 0}},
		When:  &Condition{Path: keypath.Path{"crio", "runtime", "uid_mappings"}, Is: "", Not: true},
		Check: textIn(idMappings),
	}},
}}

// MinimumMappableGID is crio.runtime.minimum_mappable_gid.
var MinimumMappableGID = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "minimum_mappable_gid"},
	Kind: Int,
	Text: "Lowest group id of the host that a pod may map into its user namespace by annotation. -1 sets no " +
		"limit. It is deprecated since 1.29.",
	Since:      Branches{{1, 23, 0}},
	Deprecated: Version{1, 29, 0},
	Defaults:   []Default{{Version{1, 23, 0}, int64(-1)}},
	Flags:      []Flag{{Version{1, 23, 0}, "--minimum-mappable-gid"}},
	Env:        []Env{{Version{1, 23, 0}, []string{"CONTAINER_MINIMUM_MAPPABLE_GID"}}},
}}

// LogLevel is crio.runtime.log_level.
var LogLevel = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "log_level"},
	Kind: String,
	Text: "How much CRI-O logs: fatal, panic, error, warn, info, debug or trace, in any letter case. A wrong " +
		"word stops every command of crio, not only the daemon.",
	Since: Branches{{1, 11, 2}, {1, 12, 0}},
	Defaults: []Default{
		{Version{1, 11, 2}, "error"},
		{Version{1, 17, 0}, "info"},
	},
	Flags:       []Flag{{Version{1, 11, 2}, "--log-level"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_LOG_LEVEL"}}},
	ReloadSince: Version{1, 15, 0},
	Rules:       []Rule{{Stage: Load, Check: text(logLevel)}},
}}

// LogFilter is crio.runtime.log_filter.
var LogFilter = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "log_filter"},
	Kind: String,
	Text: "Regular expression of Go; only log lines that it matches are written. Empty writes all. A wrong " +
		"expression stops every command of crio, not only the daemon.",
	Since:       Branches{{1, 17, 0}},
	Flags:       []Flag{{Version{1, 17, 0}, "--log-filter"}},
	Env:         []Env{{Version{1, 17, 0}, []string{"CONTAINER_LOG_FILTER"}}},
	ReloadSince: Version{1, 17, 0},
	Rules:       []Rule{{Stage: Load, Check: text(expression)}},
}}

// NamespacesDir is crio.runtime.namespaces_dir.
var NamespacesDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "namespaces_dir"},
	Kind: String,
	Text: "Directory in which the namespaces of pods are kept as mounts. CRI-O creates it; an empty name stops " +
		"the start. Changing it while pods run loses their namespaces.",
	Since: Branches{{1, 17, 0}},
	Defaults: []Default{
		{Version{1, 17, 0}, "/var/run/crio/ns"},
		{Version{1, 17, 3}, "/var/run"},
	},
	Flags: []Flag{{Version{1, 17, 0}, "--namespaces-dir"}},
	Env:   []Env{{Version{1, 17, 0}, []string{"CONTAINER_NAMESPACES_DIR"}}},
	Rules: []Rule{{Stage: Start, Check: text(notEmpty)}},
}}

// PinnsPath is crio.runtime.pinns_path.
var PinnsPath = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "pinns_path"},
	Kind: String,
	Text: "Path of the helper pinns that keeps namespaces. Empty looks it up in PATH. When it is not found, the " +
		"daemon does not start.",
	Since: Branches{{1, 17, 0}},
	Flags: []Flag{{Version{1, 17, 0}, "--pinns-path"}},
	Env:   []Env{{Version{1, 17, 0}, []string{"CONTAINER_PINNS_PATH"}}},
}}

// EnableCRIUSupport is crio.runtime.enable_criu_support.
var EnableCRIUSupport = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "enable_criu_support"},
	Kind: Bool,
	Text: "Allows checkpoints of containers and starting from them. Up to 1.29 true without the program criu " +
		"stops the daemon, since 1.30 it turns itself off.",
	Since:    Branches{{1, 25, 0}},
	Defaults: []Default{{Version{1, 30, 0}, true}},
	Flags:    []Flag{{Version{1, 25, 0}, "--enable-criu-support"}},
	Env:      []Env{{Version{1, 25, 0}, []string{"CONTAINER_ENABLE_CRIU_SUPPORT"}}},
}}

// PIDsLimit is crio.runtime.pids_limit.
var PIDsLimit = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "pids_limit"},
	Kind: Int,
	Text: "Largest number of processes in a container. 0 and negative values set no limit. It is deprecated " +
		"since 1.24: set the limit in the kubelet, whose own then counts.",
	Since:      Branches{{1, 0, 0}},
	Deprecated: Version{1, 24, 0},
	ReplacedBy: "kubelet pod PID limit",
	Defaults: []Default{
		{Version{1, 0, 0}, int64(1024)},
		{Version{1, 24, 0}, int64(0)},
		{Version{1, 29, 0}, int64(-1)},
	},
	Flags: []Flag{{Version{1, 0, 0}, "--pids-limit"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_PIDS_LIMIT"}}},
}}

// LogSizeMax is crio.runtime.log_size_max.
var LogSizeMax = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "log_size_max"},
	Kind: Int,
	Text: "Largest size of a container's log file, in bytes, at which conmon starts it anew and what was in it " +
		"is lost. Negative means no limit; 0 to 8191 is refused, and so is a string such as \"16M\". It is " +
		"deprecated since 1.24: the kubelet rotates logs.",
	Since:      Branches{{1, 0, 0}},
	Deprecated: Version{1, 24, 0},
	ReplacedBy: "kubelet container log rotation",
	Defaults:   []Default{{Version{1, 0, 0}, int64(-1)}},
	Flags:      []Flag{{Version{1, 0, 0}, "--log-size-max"}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_LOG_SIZE_MAX"}}},
	Rules:      []Rule{{Stage: Load, Check: logSize}},
}}

// ContainerStopTimeout is crio.runtime.ctr_stop_timeout.
var ContainerStopTimeout = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "ctr_stop_timeout"},
	Kind: Int,
	Text: "How many seconds CRI-O waits at least for a container to end before it kills it. Less than 30 is " +
		"raised to 30, with a warning since 1.18; 1.12 and 1.13 raise to 10.",
	Since:    Branches{{1, 12, 0}},
	Defaults: []Default{{Version{1, 18, 0}, int64(30)}},
	Flags:    []Flag{{Version{1, 16, 0}, "--ctr-stop-timeout"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_STOP_TIMEOUT"}}},
	Normalize: []Normalization{
		{Stage: Server, Until: Version{1, 14, 0}, Apply: raised(10)},
		{Stage: Server, Since: Branches{{1, 14, 0}}, Until: Version{1, 18, 0}, Apply: raised(30)},
		{Stage: Load, Since: Branches{{1, 18, 0}}, Apply: raised(30)},
	},
}}

// SeparatePullCgroup is crio.runtime.separate_pull_cgroup.
var SeparatePullCgroup = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "separate_pull_cgroup"},
	Kind: String,
	Text: "Cgroup in which images are pulled, so that pulls count neither for CRI-O nor its limits: \"pod\" for " +
		"that of the pod, or the name of a systemd slice. Empty pulls in the daemon. A wrong name fails the " +
		"pulls, not the start.",
	Since: Branches{{1, 20, 0}},
	Flags: []Flag{{Version{1, 20, 0}, "--separate-pull-cgroup"}},
	Env:   []Env{{Version{1, 20, 0}, []string{"PULL_IN_A_CGROUP"}}},
}}

// InfraContainerCPUSet is crio.runtime.infra_ctr_cpuset.
var InfraContainerCPUSet = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "infra_ctr_cpuset"},
	Kind: String,
	Text: "CPUs for the pause containers and the helpers of CRI-O, as a list such as 0-3,6, so that the others " +
		"stay free for workloads. A wrong list is refused, and so is any list where the program taskset is " +
		"missing. Empty sets none.",
	Since: Branches{{1, 20, 1}, {1, 21, 0}},
	Flags: []Flag{{Version{1, 20, 1}, "--infra-ctr-cpuset"}},
	Env:   []Env{{Version{1, 20, 1}, []string{"CONTAINER_INFRA_CTR_CPUSET"}}},
	Rules: []Rule{{Stage: Load, Check: textIn(cpuList)}},
}}

// SharedCPUSet is crio.runtime.shared_cpuset.
var SharedCPUSet = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "shared_cpuset"},
	Kind: String,
	Text: "CPUs that containers with exclusive ones may use in addition when their pod asks for it by " +
		"annotation, as a list such as 0-3,6. It is not checked before such a pod starts.",
	Since: Branches{{1, 28, 3}, {1, 29, 0}},
	Flags: []Flag{{Version{1, 28, 3}, "--shared-cpuset"}},
	Env:   []Env{{Version{1, 28, 3}, []string{"CONTAINER_SHARED_CPUSET"}}},
}}

// AbsentMountSourcesToReject is crio.runtime.absent_mount_sources_to_reject.
var AbsentMountSourcesToReject = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "absent_mount_sources_to_reject"},
	Kind: Strings,
	Text: "Paths of the host that make a container fail when a pod mounts one that does not exist, instead of " +
		"CRI-O making a directory there. /etc/hostname is the usual one: a directory in its place breaks the " +
		"host at the next boot.",
	Since: Branches{{1, 21, 1}, {1, 22, 0}},
	Flags: []Flag{{Version{1, 21, 1}, "--absent-mount-sources-to-reject"}},
	Env:   []Env{{Version{1, 21, 1}, []string{"CONTAINER_ABSENT_MOUNT_SOURCES_TO_REJECT"}}},
}}

// EnablePodEvents is crio.runtime.enable_pod_events.
var EnablePodEvents = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "enable_pod_events"},
	Kind: Bool,
	Text: "Sends events about containers to the kubelet, instead of being asked every second. The kubelet needs " +
		"the feature gate EventedPLEG; without it the key does nothing.",
	Since: Branches{{1, 26, 0}},
	Flags: []Flag{{Version{1, 26, 0}, "--enable-pod-events"}},
	Env:   []Env{{Version{1, 26, 0}, []string{"ENABLE_POD_EVENTS"}}},
}}

// IRQBalanceConfigRestoreFile is crio.runtime.irqbalance_config_restore_file.
var IRQBalanceConfigRestoreFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "irqbalance_config_restore_file"},
	Kind: String,
	Text: "File in which CRI-O keeps the original list of banned CPUs, to put it back at the next start. The " +
		"word \"disable\" turns that off.",
	Since:    Branches{{1, 27, 0}},
	Defaults: []Default{{Version{1, 27, 0}, "/etc/sysconfig/orig_irq_banned_cpus"}},
	Flags:    []Flag{{Version{1, 27, 0}, "--irqbalance-config-restore-file"}},
}}

// HostnetworkDisableSELinux is crio.runtime.hostnetwork_disable_selinux.
var HostnetworkDisableSELinux = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "hostnetwork_disable_selinux"},
	Kind: Bool,
	Text: "Runs pods that share the network of the host without SELinux separation. With false they are " +
		"confined like other pods, which breaks some of them. The files that CRI-O prints show it below a " +
		"[crio.runtime.runtimes.NAME] header, where it has no effect.",
	Since:     Branches{{1, 27, 0}},
	Defaults:  []Default{{Version{1, 27, 0}, true}},
	Flags:     []Flag{{Version{1, 27, 0}, "--hostnetwork-disable-selinux"}},
	Env:       []Env{{Version{1, 27, 0}, []string{"CONTAINER_HOSTNETWORK_DISABLE_SELINUX"}}},
	Misplaced: &Misplacement{Span{Version{1, 27, 0}, Version{}}, keypath.Path{"crio", "runtime", "runtimes", "*"}},
}}

// DisableHostportMapping is crio.runtime.disable_hostport_mapping.
var DisableHostportMapping = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "disable_hostport_mapping"},
	Kind: Bool,
	Text: "Turns off CRI-O's own mapping of hostPorts, for clusters where the network provider serves them, as " +
		"Cilium without kube-proxy does. With true CRI-O neither adds nor removes a rule: rules of pods that " +
		"started earlier stay in the kernel when those pods go, and a provider that waits for CNI port " +
		"mappings gets none, as CRI-O passes them to no plugin. It takes a restart, a reload does nothing. It " +
		"is read in [crio.runtime] alone: the files that CRI-O prints show it below a " +
		"[crio.runtime.runtimes.NAME] header, where it has no effect, and releases before 1.28 ignore it " +
		"everywhere.",
	Since:     Branches{{1, 28, 0}},
	ByPatch:   Version{1, 18, 0},
	Flags:     []Flag{{Version{1, 28, 0}, "--disable-hostport-mapping"}},
	Env:       []Env{{Version{1, 28, 0}, []string{"DISABLE_HOSTPORT_MAPPING"}}},
	Misplaced: &Misplacement{Span{Version{1, 28, 0}, Version{}}, keypath.Path{"crio", "runtime", "runtimes", "*"}},
}}

// Timezone is crio.runtime.timezone.
var Timezone = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "timezone"},
	Kind: String,
	Text: "Time zone of containers: a name such as Europe/Berlin, \"Local\" for that of the host, or empty to " +
		"leave the image as it is. An unknown name is refused. The files that CRI-O prints show it below a " +
		"[crio.runtime.runtimes.NAME] header, where it has no effect.",
	Since:     Branches{{1, 30, 0}},
	Flags:     []Flag{{Version{1, 30, 0}, "--timezone"}},
	Env:       []Env{{Version{1, 30, 0}, []string{"CONTAINER_TIME_ZONE"}}},
	Misplaced: &Misplacement{Span{Version{1, 30, 0}, Version{}}, keypath.Path{"crio", "runtime", "runtimes", "*"}},
	Rules:     []Rule{{Stage: Load, Check: text(zone)}},
}}

// SeccompUseDefaultWhenEmpty is crio.runtime.seccomp_use_default_when_empty.
var SeccompUseDefaultWhenEmpty = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "seccomp_use_default_when_empty"},
	Kind: Bool,
	Text: "Whether pods without a seccomp profile get the default one instead of none. Since 1.30 the key is " +
		"gone and every release behaves as with true.",
	Since:      Branches{{1, 19, 4}, {1, 20, 0}},
	Removed:    Version{1, 30, 0},
	Deprecated: Version{1, 27, 0},
	Defaults:   []Default{{Version{1, 24, 0}, true}},
	Flags:      []Flag{{Version{1, 19, 4}, "--seccomp-use-default-when-empty"}},
	Env:        []Env{{Version{1, 19, 4}, []string{"CONTAINER_SECCOMP_USE_DEFAULT_WHEN_EMPTY"}}},
}}

// ManageNamespaceLifecycle is crio.runtime.manage_ns_lifecycle.
var ManageNamespaceLifecycle = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "manage_ns_lifecycle"},
	Kind: Bool,
	Text: "Makes CRI-O keep the namespaces of a pod itself instead of the pause container. Since 1.21 that is " +
		"always so and the key is ignored.",
	Since:      Branches{{1, 17, 0}},
	Removed:    Version{1, 21, 0},
	Deprecated: Version{1, 20, 0},
	Defaults:   []Default{{Version{1, 19, 0}, true}},
	Flags:      []Flag{{Version{1, 17, 0}, "--manage-ns-lifecycle"}},
	Env:        []Env{{Version{1, 17, 0}, []string{"CONTAINER_MANAGE_NS_LIFECYCLE"}}},
}}

// DefaultMounts is crio.runtime.default_mounts.
var DefaultMounts = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_mounts"},
	Kind: Strings,
	Text: "Mounts for every container, as HOST:CONTAINER. The key is gone since 1.20; write them into the file " +
		"of default_mounts_file.",
	Since:      Branches{{1, 0, 0}},
	Removed:    Version{1, 20, 0},
	Deprecated: Version{1, 17, 0},
	ReplacedBy: "crio.runtime.default_mounts_file",
	Flags:      []Flag{{Version{1, 0, 0}, "--default-mounts"}, {Version{1, 18, 0}, ""}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_DEFAULT_MOUNTS"}}, {Version{1, 18, 0}, nil}},
}}

// ManageNetworkNamespaceLifecycle is crio.runtime.manage_network_ns_lifecycle.
var ManageNetworkNamespaceLifecycle = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "manage_network_ns_lifecycle"},
	Kind: Bool,
	Text: "Made CRI-O keep the network namespace of a pod itself. manage_ns_lifecycle took its place in 1.17; " +
		"since 1.19 the key is ignored.",
	Since:      Branches{{1, 9, 8}, {1, 10, 0}},
	Removed:    Version{1, 19, 0},
	Deprecated: Version{1, 17, 0},
	ReplacedBy: "crio.runtime.manage_ns_lifecycle",
	Flags:      []Flag{{Version{1, 16, 0}, "--manage-network-ns-lifecycle"}, {Version{1, 17, 0}, ""}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_MANAGE_NETWORK_NS_LIFECYCLE"}}, {Version{1, 17, 0}, nil}},
}}

// DefaultWorkloadTrust is crio.runtime.default_workload_trust.
var DefaultWorkloadTrust = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "default_workload_trust"},
	Kind: String,
	Text: "Whether pods that do not say so are trusted: \"trusted\" or \"untrusted\". Runtime classes took its " +
		"place; since 1.14 it is ignored.",
	Since:      Branches{{1, 0, 0}},
	Removed:    Version{1, 14, 0},
	ReplacedBy: "RuntimeClass handlers",
	Defaults: []Default{
		{Version{1, 0, 0}, "trusted"},
		{Version{1, 12, 0}, ""},
	},
}}

// EnableSharedPIDNamespace is crio.runtime.enable_shared_pid_namespace.
var EnableSharedPIDNamespace = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "enable_shared_pid_namespace"},
	Kind: Bool,
	Text: "Let all containers of a pod share one process namespace. Only 1.8.2 and later 1.8, and 1.9, read it; " +
		"pods say it themselves now.",
	Since:   Branches{{1, 8, 2}, {1, 9, 0}},
	Removed: Version{1, 10, 0},
	Flags:   []Flag{{Version{1, 8, 2}, "--enable-shared-pid-namespace"}},
}}

// HooksDirPath is crio.runtime.hooks_dir_path.
var HooksDirPath = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks_dir_path"},
	Kind: String,
	Text: "The single directory for OCI hooks of old releases. The list hooks_dir took its place in 1.12.6; " +
		"since then the key is ignored.",
	Since:      Branches{{1, 0, 0}},
	Removed:    Version{1, 12, 6},
	ReplacedBy: "crio.runtime.hooks_dir",
	Defaults:   []Default{{Version{1, 0, 0}, "/usr/share/containers/oci/hooks.d"}},
	Flags:      []Flag{{Version{1, 0, 0}, "--hooks-dir-path"}},
	FlagHidden: true,
}}

// RuntimePath is crio.runtime.runtime.
var RuntimePath = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtime"},
	Kind: String,
	Text: "Path of the runtime for trusted containers in releases before 1.12. 1.12 and 1.13 turn it into an " +
		"entry of crio.runtime.runtimes; since 1.14 it is ignored.",
	Since:      Branches{{1, 0, 0}},
	Removed:    Version{1, 14, 0},
	Deprecated: Version{1, 12, 0},
	ReplacedBy: "crio.runtime.runtimes.*.runtime_path + crio.runtime.default_runtime",
	Defaults: []Default{
		{Version{1, 0, 0}, "/usr/bin/runc"},
		{Version{1, 12, 0}, ""},
	},
	Flags: []Flag{{Version{1, 0, 0}, "--runtime"}},
}}

// RuntimeUntrustedWorkload is crio.runtime.runtime_untrusted_workload.
var RuntimeUntrustedWorkload = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtime_untrusted_workload"},
	Kind: String,
	Text: "Path of the runtime for containers that are not trusted in releases before 1.12. 1.12 and 1.13 turn " +
		"it into the entry \"untrusted\" and refuse it beside one; since 1.14 it is ignored.",
	Since:      Branches{{1, 0, 0}},
	Removed:    Version{1, 14, 0},
	Deprecated: Version{1, 12, 0},
	ReplacedBy: "crio.runtime.runtimes.untrusted.runtime_path (1.12-1.13) / RuntimeClass handlers",
}}
