package schema

import (
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// Workloads is crio.runtime.workloads.
var Workloads = &Key{
	Path:   keypath.Path{"crio", "runtime", "workloads"},
	Kind:   Entries,
	Since:  Branches{{1, 21, 0}},
	Merges: []MergeSince{{Branches{{1, 0, 0}}, ReplaceEntry}},
}

// WorkloadActivationAnnotation is crio.runtime.workloads.*.activation_annotation.
var WorkloadActivationAnnotation = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "runtime", "workloads", "*", "activation_annotation"},
	Kind:  String,
	Since: Branches{{1, 21, 0}},
	Rules: []Rule{{Stage: Load, Check: text(activation)}},
}}

// WorkloadAllowedAnnotations is crio.runtime.workloads.*.allowed_annotations.
var WorkloadAllowedAnnotations = Setting[[]string]{&Key{
	Path:      keypath.Path{"crio", "runtime", "workloads", "*", "allowed_annotations"},
	Kind:      Strings,
	Since:     Branches{{1, 23, 0}},
	OmitEmpty: Version{1, 23, 0},
	Rules:     []Rule{{Stage: Load, Check: eachIn(allowedAnnotation)}},
}}

// WorkloadAnnotationPrefix is crio.runtime.workloads.*.annotation_prefix.
var WorkloadAnnotationPrefix = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "runtime", "workloads", "*", "annotation_prefix"},
	Kind:  String,
	Since: Branches{{1, 21, 0}},
}}

// WorkloadDisallowedAnnotations is crio.runtime.workloads.*.disallowedannotations.
var WorkloadDisallowedAnnotations = Setting[[]string]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "disallowedannotations"},
	Kind:   Strings,
	Since:  Branches{{1, 23, 0}},
	Inert:  Version{1, 23, 0},
	GoName: "DisallowedAnnotations",
}}

// WorkloadResources is crio.runtime.workloads.*.resources.
var WorkloadResources = Setting[map[string]string]{&Key{
	Path:    keypath.Path{"crio", "runtime", "workloads", "*", "resources"},
	Kind:    StringMap,
	Since:   Branches{{1, 21, 0}},
	Removed: Version{1, 21, 1},
	Merges:  []MergeSince{{Branches{{1, 0, 0}}, PerKey}},
	Rules:   []Rule{{Stage: Load, Check: workloadResources}},
}}

// WorkloadCPULimit is crio.runtime.workloads.*.resources.cpulimit.
var WorkloadCPULimit = Setting[int64]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpulimit"},
	Kind:   Int,
	Since:  Branches{{1, 29, 3}, {1, 30, 0}},
	GoName: "CPULimit",
}}

// WorkloadCPUPeriod is crio.runtime.workloads.*.resources.cpuperiod.
var WorkloadCPUPeriod = Setting[uint64]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpuperiod"},
	Kind:   Uint,
	Since:  Branches{{1, 29, 3}, {1, 30, 0}},
	GoName: "CPUPeriod",
	Rules:  []Rule{{Stage: Load, Check: cpuPeriod}},
}}

// WorkloadCPUQuota is crio.runtime.workloads.*.resources.cpuquota.
var WorkloadCPUQuota = Setting[int64]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpuquota"},
	Kind:   Int,
	Since:  Branches{{1, 29, 3}, {1, 30, 0}},
	GoName: "CPUQuota",
}}

// WorkloadCPUSet is crio.runtime.workloads.*.resources.cpuset.
var WorkloadCPUSet = Setting[string]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpuset"},
	Kind:   String,
	Since:  Branches{{1, 21, 1}, {1, 22, 0}},
	GoName: "CPUSet",
	Rules:  []Rule{{Stage: Load, Check: textIn(cpuList)}},
}}

// WorkloadCPUShares is crio.runtime.workloads.*.resources.cpushares.
var WorkloadCPUShares = Setting[uint64]{&Key{
	Path:   keypath.Path{"crio", "runtime", "workloads", "*", "resources", "cpushares"},
	Kind:   Uint,
	Since:  Branches{{1, 21, 1}, {1, 22, 0}},
	GoName: "CPUShares",
}}
