package schema

import (
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// Runtimes is crio.runtime.runtimes.
var Runtimes = &Key{
	Path:  keypath.Path{"crio", "runtime", "runtimes"},
	Kind:  Entries,
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
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_config_path"},
	Kind:        String,
	Since:       Branches{{1, 22, 0}},
	ReloadSince: Version{1, 25, 1},
}}

// HandlerRuntimePath is crio.runtime.runtimes.*.runtime_path.
var HandlerRuntimePath = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_path"},
	Kind:  String,
	Since: Branches{{1, 12, 0}},
	Defaults: []Default{
		{Version{1, 12, 0}, "/usr/bin/runc"},
		{Version{1, 15, 0}, ""},
	},
	ReloadSince: Version{1, 25, 1},
}}

// HandlerRuntimeType is crio.runtime.runtimes.*.runtime_type.
var HandlerRuntimeType = Setting[string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_type"},
	Kind:        String,
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
	Path:  keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_root"},
	Kind:  String,
	Since: Branches{{1, 15, 0}},
	Defaults: []Default{
		{Version{1, 15, 0}, "/run/runc"},
		{Version{1, 31, 0}, "/run/crun"},
	},
	ReloadSince: Version{1, 25, 1},
}}

// HandlerPrivilegedWithoutHostDevices is crio.runtime.runtimes.*.privileged_without_host_devices.
var HandlerPrivilegedWithoutHostDevices = Setting[bool]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "privileged_without_host_devices"},
	Kind:        Bool,
	Since:       Branches{{1, 16, 2}, {1, 17, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 20, 0},
}}

// HandlerAllowedAnnotations is crio.runtime.runtimes.*.allowed_annotations.
var HandlerAllowedAnnotations = Setting[[]string]{&Key{
	Path:  keypath.Path{"crio", "runtime", "runtimes", "*", "allowed_annotations"},
	Kind:  Strings,
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
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_path"},
	Kind:        String,
	Since:       Branches{{1, 24, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerMonitorCgroup is crio.runtime.runtimes.*.monitor_cgroup.
var HandlerMonitorCgroup = Setting[string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_cgroup"},
	Kind:        String,
	Since:       Branches{{1, 24, 0}},
	Defaults:    []Default{{Version{1, 24, 0}, "system.slice"}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerMonitorEnv is crio.runtime.runtimes.*.monitor_env.
var HandlerMonitorEnv = Setting[[]string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_env"},
	Kind:        Strings,
	Since:       Branches{{1, 24, 0}},
	Defaults:    []Default{{Version{1, 24, 0}, []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerMonitorExecCgroup is crio.runtime.runtimes.*.monitor_exec_cgroup.
var HandlerMonitorExecCgroup = Setting[string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "monitor_exec_cgroup"},
	Kind:        String,
	Since:       Branches{{1, 24, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 24, 0},
}}

// HandlerRuntimePullImage is crio.runtime.runtimes.*.runtime_pull_image.
var HandlerRuntimePullImage = Setting[bool]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_pull_image"},
	Kind:        Bool,
	Since:       Branches{{1, 28, 4}, {1, 29, 0}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 28, 4},
}}

// HandlerContainerMinMemory is crio.runtime.runtimes.*.container_min_memory.
var HandlerContainerMinMemory = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "runtime", "runtimes", "*", "container_min_memory"},
	Kind:  String,
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
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "no_sync_log"},
	Kind:        Bool,
	Since:       Branches{{1, 31, 0}},
	ReloadSince: Version{1, 31, 0},
}}

// HandlerInheritDefaultRuntime is crio.runtime.runtimes.*.inherit_default_runtime.
var HandlerInheritDefaultRuntime = Setting[bool]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "inherit_default_runtime"},
	Kind:        Bool,
	Since:       Branches{{1, 31, 3}, {1, 32, 0}},
	ReloadSince: Version{1, 31, 0},
	OmitEmpty:   Version{1, 31, 3},
}}

// HandlerStreamWebsockets is crio.runtime.runtimes.*.stream_websockets.
var HandlerStreamWebsockets = Setting[bool]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "stream_websockets"},
	Kind:        Bool,
	Since:       Branches{{1, 34, 0}},
	ReloadSince: Version{1, 34, 0},
	OmitEmpty:   Version{1, 34, 0},
}}

// HandlerExecCPUAffinity is crio.runtime.runtimes.*.exec_cpu_affinity.
var HandlerExecCPUAffinity = Setting[string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "exec_cpu_affinity"},
	Kind:        String,
	Since:       Branches{{1, 34, 0}},
	ReloadSince: Version{1, 34, 0},
	OmitEmpty:   Version{1, 34, 0},
	Rules:       []Rule{{Stage: Start, Check: text(oneOf("first", ""))}},
}}

// HandlerSeccompProfile is crio.runtime.runtimes.*.seccomp_profile.
var HandlerSeccompProfile = Setting[string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "seccomp_profile"},
	Kind:        String,
	Since:       Branches{{1, 34, 0}},
	ReloadSince: Version{1, 34, 0},
	OmitEmpty:   Version{1, 34, 0},
}}

// HandlerContainerCreateTimeout is crio.runtime.runtimes.*.container_create_timeout.
var HandlerContainerCreateTimeout = Setting[int64]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "container_create_timeout"},
	Kind:        Int,
	Since:       Branches{{1, 35, 0}},
	Defaults:    []Default{{Version{1, 35, 0}, int64(240)}},
	ReloadSince: Version{1, 35, 0},
	Normalize:   []Normalization{{Stage: Start, Apply: createTimeout}},
}}

// HandlerDefaultAnnotations is crio.runtime.runtimes.*.default_annotations.
var HandlerDefaultAnnotations = Setting[map[string]string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "default_annotations"},
	Kind:        StringMap,
	Since:       Branches{{1, 31, 4}, {1, 32, 0}},
	Merges:      []MergeSince{{Branches{{1, 0, 0}}, PerKey}},
	ReloadSince: Version{1, 31, 0},
	OmitEmpty:   Version{1, 31, 4},
}}

// HandlerDisallowedAnnotations is crio.runtime.runtimes.*.disallowedannotations.
var HandlerDisallowedAnnotations = Setting[[]string]{&Key{
	Path:    keypath.Path{"crio", "runtime", "runtimes", "*", "disallowedannotations"},
	Kind:    Strings,
	Since:   Branches{{1, 21, 0}},
	Removed: Version{1, 31, 0},
	Inert:   Version{1, 21, 0},
	GoName:  "DisallowedAnnotations",
}}

// HandlerPlatformRuntimePaths is crio.runtime.runtimes.*.platform_runtime_paths.
var HandlerPlatformRuntimePaths = Setting[map[string]string]{&Key{
	Path:        keypath.Path{"crio", "runtime", "runtimes", "*", "platform_runtime_paths"},
	Kind:        StringMap,
	Since:       Branches{{1, 27, 2}, {1, 28, 0}},
	Merges:      []MergeSince{{Branches{{1, 0, 0}}, PerKey}},
	ReloadSince: Version{1, 25, 1},
	OmitEmpty:   Version{1, 27, 2},
}}
