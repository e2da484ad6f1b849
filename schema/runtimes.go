package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// Runtimes is crio.runtime.runtimes.
var Runtimes = &Key{
	Path: keypath.Path{"crio", "runtime", "runtimes"},
	Kind: Entries,
	Text: "The runtime handlers, one table [crio.runtime.runtimes.NAME] each; pods choose one by their runtime " +
		"class. One is there before any file is read: runc up to 1.30, crun since 1.31. A table that names a " +
		"handler again in a later file replaces it whole, and its missing keys become empty, not the built-in " +
		"values. Since 1.21 a handler that is not valid is left out with a warning, unless it is the default " +
		"one, which stops the start.",
	Since: Branches{{1, 12, 0}},
	Defaults: []Default{
		{Version{1, 12, 0}, []string{"runc"}},
		{Version{1, 31, 0}, []string{"crun"}},
	},
	Merges:      []MergeSince{{Branches{{1, 0, 0}}, ReplaceEntry}},
	Flags:       []Flag{{Version{1, 12, 0}, "--runtimes"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_RUNTIMES"}}},
	ReloadSince: Version{1, 25, 1},
}

// HandlerRuntimeConfigPath is crio.runtime.runtimes.*.runtime_config_path.
var HandlerRuntimeConfigPath = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_config_path"},
	Kind: String,
	Text: "Configuration file of the runtime. It is for runtime_type \"vm\" only and must exist; otherwise the " +
		"handler is invalid.",
	Since:       Branches{{1, 22, 0}},
	ReloadSince: Version{1, 25, 1},
}}

// HandlerRuntimePath is crio.runtime.runtimes.*.runtime_path.
var HandlerRuntimePath = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_path"},
	Kind: String,
	Text: "Path of the runtime's binary. Empty looks for the handler's name in PATH. A file that does not exist " +
		"makes the handler invalid. With runtime_type \"vm\" the file must be called containerd-shim-NAME-v2.",
	Since: Branches{{1, 12, 0}},
	Defaults: []Default{
		{Version{1, 12, 0}, "/usr/bin/runc"},
		{Version{1, 15, 0}, ""},
	},
	ReloadSince: Version{1, 25, 1},
}}

// HandlerRuntimeType is crio.runtime.runtimes.*.runtime_type.
var HandlerRuntimeType = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_type"},
	Kind: String,
	Text: "How CRI-O speaks to the runtime: \"oci\" over conmon, \"vm\" over a containerd shim, since 1.24 also " +
		"\"pod\" over conmon-rs. Empty means \"oci\". Other words make the handler invalid.",
	Since:       Branches{{1, 14, 0}},
	Defaults:    []Default{{Version{1, 14, 0}, "oci"}},
	ReloadSince: Version{1, 25, 1},
	Rules: []Rule{
		{Stage: Start, Since: Branches{{1, 14, 0}}, Until: Version{1, 24, 0}, Check: text(oneOf("oci", "vm", ""))},
		{Stage: Start, Since: Branches{{1, 24, 0}}, Check: text(oneOf("oci", "vm", "pod", ""))},
	},
}}

// HandlerRuntimeRoot is crio.runtime.runtimes.*.runtime_root.
var HandlerRuntimeRoot = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_root"},
	Kind: String,
	Text: "Directory in which the runtime keeps its state. A table without the key leaves it empty, and CRI-O " +
		"then uses /run/runc, from 1.31 on /run/crun, whichever runtime it is. Containers that were made with " +
		"another root are lost to it, so change it on a drained node.",
	Since: Branches{{1, 15, 0}},
	Defaults: []Default{
		{Version{1, 15, 0}, "/run/runc"},
		{Version{1, 31, 0}, "/run/crun"},
	},
	ReloadSince: Version{1, 25, 1},
}}

// HandlerPrivilegedWithoutHostDevices is crio.runtime.runtimes.*.privileged_without_host_devices.
var HandlerPrivilegedWithoutHostDevices = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "privileged_without_host_devices"},
	Kind: Bool,
	Text: "Gives privileged containers of this handler none of the host's devices. It is for runtimes in " +
		"virtual machines, where those devices make no sense.",
	Since:       Branches{{1, 16, 2}, {1, 17, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 20, 0},
}}

// HandlerAllowedAnnotations is crio.runtime.runtimes.*.allowed_annotations.
var HandlerAllowedAnnotations = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "allowed_annotations"},
	Kind: Strings,
	Text: "Annotations with which pods of this handler may change how they run, such as devices.crio.io. An " +
		"unknown name makes the handler invalid; which names are known depends on the release. The list " +
		"replaces the built-in one, which a table without the key loses.",
	Since: Branches{{1, 20, 0}},
	Defaults: []Default{
		{Version{1, 21, 0}, []string{"io.containers.trace-syscall"}},
		{Version{1, 28, 3}, []string{"io.containers.trace-syscall", "io.kubernetes.cri-o.Devices"}},
		{Version{1, 35, 0}, []string{"io.containers.trace-syscall", "devices.crio.io"}},
	},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 20, 0},
	Rules:       []Rule{{Stage: Start, Since: Branches{{1, 21, 0}}, Check: eachIn(allowedAnnotation)}},
}}

// HandlerMonitorPath is crio.runtime.runtimes.*.monitor_path.
var HandlerMonitorPath = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_path"},
	Kind: String,
	Text: "Path of the conmon binary for this handler. Empty looks it up in PATH; when it is not found, the " +
		"daemon does not start. The deprecated crio.runtime.conmon wins over it.",
	Since:       Branches{{1, 24, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerMonitorCgroup is crio.runtime.runtimes.*.monitor_cgroup.
var HandlerMonitorCgroup = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_cgroup"},
	Kind: String,
	Text: "Cgroup for the conmon of this handler: \"pod\" or the name of a systemd slice; empty becomes " +
		"system.slice. With the cgroup manager cgroupfs only \"pod\" and empty are allowed. The deprecated " +
		"crio.runtime.conmon_cgroup wins over it.",
	Since:       Branches{{1, 24, 0}},
	Defaults:    []Default{{Version{1, 24, 0}, "system.slice"}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerMonitorEnv is crio.runtime.runtimes.*.monitor_env.
var HandlerMonitorEnv = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_env"},
	Kind: Strings,
	Text: "Environment for the conmon of this handler, as NAME=value. A table without the key leaves it empty, " +
		"also without the PATH of the built-in entry. The deprecated crio.runtime.conmon_env wins over it.",
	Since:       Branches{{1, 24, 0}},
	Defaults:    []Default{{Version{1, 24, 0}, []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerMonitorExecCgroup is crio.runtime.runtimes.*.monitor_exec_cgroup.
var HandlerMonitorExecCgroup = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_exec_cgroup"},
	Kind: String,
	Text: "Cgroup for the conmon of exec probes: empty for that of monitor_cgroup, \"container\" to count it for " +
		"the container.",
	Since:       Branches{{1, 24, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerRuntimePullImage is crio.runtime.runtimes.*.runtime_pull_image.
var HandlerRuntimePullImage = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_pull_image"},
	Kind: Bool,
	Text: "Leaves pulling the image to the runtime inside its virtual machine, as confidential containers need " +
		"it.",
	Since:       Branches{{1, 28, 4}, {1, 29, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 28, 4},
}}

// HandlerContainerMinMemory is crio.runtime.runtimes.*.container_min_memory.
var HandlerContainerMinMemory = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "container_min_memory"},
	Kind: String,
	Text: "Smallest memory limit that a container of this handler may have, as a size such as \"12MiB\"; below it " +
		"the runtime could not even start. What is no size is logged and replaced by 12MiB, as is an empty " +
		"string.",
	Since: Branches{{1, 29, 3}, {1, 30, 0}},
	Defaults: []Default{
		{Version{1, 29, 3}, "12MiB"},
		{Version{1, 31, 0}, "500KiB"},
	},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 29, 3},
	Normalize:   []Normalization{{Stage: Start, Apply: minimumMemory}},
}}

// HandlerNoSyncLog is crio.runtime.runtimes.*.no_sync_log.
var HandlerNoSyncLog = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "no_sync_log"},
	Kind: Bool,
	Text: "Makes conmon not force logs to disk when a container ends, which is faster; the last lines may be " +
		"lost in a crash. It is for runtime_type \"oci\" only, otherwise the handler is invalid.",
	Since:       Branches{{1, 31, 0}},
	ReloadSince: Version{1, 31, 0},
}}

// HandlerInheritDefaultRuntime is crio.runtime.runtimes.*.inherit_default_runtime.
var HandlerInheritDefaultRuntime = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "inherit_default_runtime"},
	Kind: Bool,
	Text: "Takes path, type, configuration and root from the default runtime at start, whatever this table " +
		"says.",
	Since:       Branches{{1, 31, 3}, {1, 32, 0}},
	ReloadSince: Version{1, 31, 0},
	OmitEmpty:   Version{1, 31, 3},
}}

// HandlerStreamWebsockets is crio.runtime.runtimes.*.stream_websockets.
var HandlerStreamWebsockets = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "stream_websockets"},
	Kind: Bool,
	Text: "Serves exec, attach and port-forward of this handler over websockets. It needs runtime_type \"pod\", " +
		"otherwise the handler is invalid, and a conmon-rs of 0.7.0 or later.",
	Since:       Branches{{1, 34, 0}},
	ReloadSince: Version{1, 34, 0},
	OmitEmpty:   Version{1, 34, 0},
}}

// HandlerExecCPUAffinity is crio.runtime.runtimes.*.exec_cpu_affinity.
var HandlerExecCPUAffinity = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "exec_cpu_affinity"},
	Kind: String,
	Text: "CPU on which exec processes of this handler start: \"first\" for the first of the container's shared " +
		"CPUs, or of its exclusive ones where it has no other, and empty for what the runtime does. Other " +
		"words make the handler invalid.",
	Since:       Branches{{1, 34, 0}},
	ReloadSince: Version{1, 34, 0},
	OmitEmpty:   Version{1, 34, 0},
	Rules:       []Rule{{Stage: Start, Check: text(oneOf("first", ""))}},
}}

// HandlerSeccompProfile is crio.runtime.runtimes.*.seccomp_profile.
var HandlerSeccompProfile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "seccomp_profile"},
	Kind: String,
	Text: "File with the seccomp profile for this handler. Empty means crio.runtime.seccomp_profile. A file " +
		"that does not load makes the handler invalid.",
	Since:       Branches{{1, 34, 0}},
	ReloadSince: Version{1, 34, 0},
	OmitEmpty:   Version{1, 34, 0},
}}

// HandlerContainerCreateTimeout is crio.runtime.runtimes.*.container_create_timeout.
var HandlerContainerCreateTimeout = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "container_create_timeout"},
	Kind: Int,
	Text: "How many seconds making a container may take. 0 becomes 240, and less than 30 is raised to 30, with " +
		"a warning.",
	Since:       Branches{{1, 35, 0}},
	Defaults:    []Default{{Version{1, 35, 0}, int64(240)}},
	ReloadSince: Version{1, 35, 0},
	Normalize:   []Normalization{{Stage: Start, Apply: createTimeout}},
}}

// HandlerDefaultAnnotations is crio.runtime.runtimes.*.default_annotations.
var HandlerDefaultAnnotations = Setting[map[string]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "default_annotations"},
	Kind: StringMap,
	Text: "Annotations for every pod of this handler, as a table of strings. What the pod says itself comes " +
		"first.",
	Since:       Branches{{1, 31, 4}, {1, 32, 0}},
	Merges:      []MergeSince{{Branches{{1, 0, 0}}, PerKey}},
	ReloadSince: Version{1, 31, 0},
	OmitEmpty:   Version{1, 31, 4},
}}

// HandlerDisallowedAnnotations is crio.runtime.runtimes.*.disallowedannotations.
var HandlerDisallowedAnnotations = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "disallowedannotations"},
	Kind: Strings,
	Text: "A field that releases up to 1.30 decode by accident. CRI-O works the list out itself and overwrites " +
		"it.",
	Since:   Branches{{1, 21, 0}},
	Removed: Version{1, 31, 0},
	Inert:   Version{1, 21, 0},
	GoName:  "DisallowedAnnotations",
}}

// HandlerPlatformRuntimePaths is crio.runtime.runtimes.*.platform_runtime_paths.
var HandlerPlatformRuntimePaths = Setting[map[string]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "runtimes", "*", "platform_runtime_paths"},
	Kind: StringMap,
	Text: "Paths of further binaries of this runtime by name of a platform. A pod that names one in the " +
		"annotation platform-runtime-path is run by it instead of runtime_path.",
	Since:       Branches{{1, 27, 2}, {1, 28, 0}},
	Merges:      []MergeSince{{Branches{{1, 0, 0}}, PerKey}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 27, 2},
}}
