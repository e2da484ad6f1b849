package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// StatsCollectionPeriod is crio.stats.stats_collection_period.
var StatsCollectionPeriod = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "stats", "stats_collection_period"},
	Kind: Int,
	Text: "How often, in seconds, CRI-O collects the statistics of pods and containers in advance. 0 collects " +
		"them when they are asked for. Deprecated since 1.30 in favour of collection_period, which covers " +
		"metrics as well.",
	Since:      Branches{{1, 23, 0}},
	Deprecated: Version{1, 30, 0},
	ReplacedBy: "crio.stats.collection_period",
	Flags:      []Flag{{Version{1, 23, 0}, "--stats-collection-period"}},
	Env:        []Env{{Version{1, 23, 0}, []string{"CONTAINER_STATS_COLLECTION_PERIOD"}}},
}}

// CollectionPeriod is crio.stats.collection_period.
var CollectionPeriod = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "stats", "collection_period"},
	Kind: Int,
	Text: "How often, in seconds, CRI-O collects the statistics and the metrics of pods in advance. 0 collects " +
		"them when they are asked for. A short period costs CPU on a node with many pods.",
	Since: Branches{{1, 30, 0}},
	Flags: []Flag{{Version{1, 30, 0}, "--collection-period"}},
	Env:   []Env{{Version{1, 30, 0}, []string{"COLLECTION_PERIOD"}}},
}}

// IncludedPodMetrics is crio.stats.included_pod_metrics.
var IncludedPodMetrics = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "stats", "included_pod_metrics"},
	Kind: Strings,
	Text: "Groups of pod metrics that are collected: cpu, disk, diskIO, hugetlb, memory, network, oom, process, " +
		"spec, pressure, or \"all\" alone. Since 1.35 other names are refused, before that they do nothing. The " +
		"files that 1.30 to 1.34 print show the key below [crio.network], where CRI-O does not read it.",
	Since: Branches{{1, 30, 0}},
	Flags: []Flag{{Version{1, 30, 0}, "--included-pod-metrics"}},
	// The first spelling is CRI-O's own slip, which it still reads.
	Env: []Env{
		{Version{1, 30, 0}, []string{"CONTAINER_INCLUDED_POD_METRCIS"}},
		{Version{1, 34, 0}, []string{"CONTAINER_INCLUDED_POD_METRCIS", "CONTAINER_INCLUDED_POD_METRICS"}},
	},
	Misplaced: &Misplacement{Span{Version{1, 30, 0}, Version{1, 35, 0}}, keypath.Path{"crio", "network"}},
	Rules:     []Rule{{Stage: Load, Since: Branches{{1, 35, 0}}, Check: includedPodMetrics}},
}}
