package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// Workloads is crio.runtime.workloads.
var Workloads = &Key{
	Path: keypath.Path{"crio", "runtime", "workloads"},
	Kind: Entries,
	Text: "Classes of pods that get their CPU settings from CRI-O, one table [crio.runtime.workloads.NAME] " +
		"each; pods choose one by annotation. A table that names a workload again in a later file replaces it " +
		"whole. One that is not valid is refused, whether or not a pod uses it.",
	Since:  Branches{{1, 21, 0}},
	Merges: []MergeSince{{Branches{{1, 0, 0}}, ReplaceEntry}},
}

// WorkloadActivationAnnotation is crio.runtime.workloads.*.activation_annotation.
var WorkloadActivationAnnotation = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "activation_annotation"},
	Kind: String,
	Text: "Annotation with which a pod joins this workload; its value does not matter. It must not be empty, " +
		"and so not be missing.",
	Since: Branches{{1, 21, 0}},
	Rules: []Rule{{Stage: Load, Check: text(activation)}},
}}

// WorkloadAllowedAnnotations is crio.runtime.workloads.*.allowed_annotations.
var WorkloadAllowedAnnotations = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "allowed_annotations"},
	Kind: Strings,
	Text: "Annotations with which pods of this workload may change how they run. An unknown name is refused; " +
		"which names are known depends on the release.",
	Since:     Branches{{1, 23, 0}},
	OmitEmpty: Version{1, 23, 0},
	Rules:     []Rule{{Stage: Load, Check: eachIn(allowedAnnotation)}},
}}

// WorkloadAnnotationPrefix is crio.runtime.workloads.*.annotation_prefix.
var WorkloadAnnotationPrefix = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "annotation_prefix"},
	Kind: String,
	Text: "Prefix of the annotations with which a container of this workload sets its own resources, as " +
		"PREFIX/NAME.",
	Since: Branches{{1, 21, 0}},
}}

// WorkloadDisallowedAnnotations is crio.runtime.workloads.*.disallowedannotations.
var WorkloadDisallowedAnnotations = Setting[[]string]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "disallowedannotations"},
	Kind:   Strings,
	Text:   "A field that CRI-O decodes by accident. It works the list out itself and overwrites it.",
	Since:  Branches{{1, 23, 0}},
	Inert:  Version{1, 23, 0},
	GoName: "DisallowedAnnotations",
}}

// WorkloadResources is crio.runtime.workloads.*.resources.
var WorkloadResources = Setting[map[string]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "resources"},
	Kind: StringMap,
	Text: "Resources of the workload as a table of strings, with the names cpushares and cpuset. Only 1.21.0 " +
		"reads it so; since 1.21.1 it is a table of typed keys, in which a number with quotes is a wrong " +
		"type.",
	Since:   Branches{{1, 21, 0}},
	Removed: Version{1, 21, 1},
	Merges:  []MergeSince{{Branches{{1, 0, 0}}, PerKey}},
	Rules:   []Rule{{Stage: Load, Check: workloadResources}},
}}

// WorkloadCPULimit is crio.runtime.workloads.*.resources.cpulimit.
var WorkloadCPULimit = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpulimit"},
	Kind: Int,
	Text: "CPU limit in thousandths of a CPU for containers of this workload that set none, from which the " +
		"quota is worked out. 0 sets nothing.",
	Since:  Branches{{1, 29, 3}, {1, 30, 0}},
	GoName: "CPULimit",
}}

// WorkloadCPUPeriod is crio.runtime.workloads.*.resources.cpuperiod.
var WorkloadCPUPeriod = Setting[uint64]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpuperiod"},
	Kind:   Uint,
	Text:   "Length of the period of cpuquota, in microseconds. 0 means the kernel's; 1 to 999 is refused.",
	Since:  Branches{{1, 29, 3}, {1, 30, 0}},
	GoName: "CPUPeriod",
	Rules:  []Rule{{Stage: Load, Check: cpuPeriod}},
}}

// WorkloadCPUQuota is crio.runtime.workloads.*.resources.cpuquota.
var WorkloadCPUQuota = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpuquota"},
	Kind: Int,
	Text: "CPU time in microseconds for each period, for containers of this workload that set none. 0 sets " +
		"nothing; a value below cpushares is refused.",
	Since:  Branches{{1, 29, 3}, {1, 30, 0}},
	GoName: "CPUQuota",
}}

// WorkloadCPUSet is crio.runtime.workloads.*.resources.cpuset.
var WorkloadCPUSet = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpuset"},
	Kind: String,
	Text: "CPUs for containers of this workload that set none, as a string such as \"0-3,6\". Empty sets nothing; " +
		"a wrong list is refused. The example in the file that CRI-O prints has it mixed up with cpushares.",
	Since:  Branches{{1, 21, 1}, {1, 22, 0}},
	GoName: "CPUSet",
	Rules:  []Rule{{Stage: Load, Check: textIn(cpuList)}},
}}

// WorkloadCPUShares is crio.runtime.workloads.*.resources.cpushares.
var WorkloadCPUShares = Setting[uint64]{&Key{
	Path: keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpushares"},
	Kind: Uint,
	Text: "CPU shares for containers of this workload that set none, an integer. 0 sets nothing. The example in " +
		"the file that CRI-O prints has it mixed up with cpuset.",
	Since:  Branches{{1, 21, 1}, {1, 22, 0}},
	GoName: "CPUShares",
}}
