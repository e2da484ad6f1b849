package schema

import (
	"time"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// CNIDefaultNetwork is crio.network.cni_default_network.
var CNIDefaultNetwork = Setting[string]{&Key{
	Path: keypath.Path{"crio", "network", "cni_default_network"},
	Kind: String,
	Text: "Name of the CNI network that pods get, the \"name\" in its configuration, not the name of the file. " +
		"Empty takes the first file of network_dir in lexical order. Nothing checks the name: if no " +
		"configuration has it, the daemon runs, but the node stays NotReady with NetworkReady=false until one " +
		"appears.",
	Since: Branches{{1, 18, 0}},
	Flags: []Flag{{Version{1, 18, 0}, "--cni-default-network"}},
	Env:   []Env{{Version{1, 18, 0}, []string{"CONTAINER_CNI_DEFAULT_NETWORK"}}},
}}

// NetworkDir is crio.network.network_dir.
var NetworkDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "network", "network_dir"},
	Kind: String,
	Text: "Directory in which CNI configurations are looked up. It is watched, so new files in it count at " +
		"once, but another directory needs a restart. CRI-O creates the directory when it is missing: after a " +
		"slip of the pen it starts with an empty one, and the node stays NotReady. A regular file or an empty " +
		"name stops the start.",
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 0, 0}, "/etc/cni/net.d/"}},
	Flags:    []Flag{{Version{1, 0, 0}, "--cni-config-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_CNI_CONFIG_DIR"}}},
	Rules:    []Rule{{Stage: Start, Since: Branches{{1, 15, 0}}, Check: text(notEmpty)}},
}}

// PluginDirs is crio.network.plugin_dirs.
var PluginDirs = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "network", "plugin_dirs"},
	Kind: Strings,
	Text: "Directories in which the CNI plugin binaries are looked up, in order. A later file replaces the " +
		"whole list, so it must name /opt/cni/bin/ again if that is still wanted. Missing directories are " +
		"created at start; an empty element stops it. A plugin that is in none of them makes every pod fail " +
		"while it gets its network.",
	Since:    Branches{{1, 14, 3}, {1, 15, 0}},
	Defaults: []Default{{Version{1, 14, 3}, []string{"/opt/cni/bin/"}}},
	Flags:    []Flag{{Version{1, 14, 3}, "--cni-plugin-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_CNI_PLUGIN_DIR"}}},
	Rules:    []Rule{{Stage: Start, Since: Branches{{1, 15, 0}}, Check: each(notEmpty)}},
}}

// CNIStatusGracePeriod is crio.network.cni_status_grace_period.
var CNIStatusGracePeriod = Setting[time.Duration]{&Key{
	Path: keypath.Path{"crio", "network", "cni_status_grace_period"},
	Kind: Duration,
	Text: "How long the network may report trouble before CRI-O passes it on as NetworkReady=false, so that a " +
		"short restart of the CNI provider does not make the node NotReady. Write a duration such as \"30s\": a " +
		"bare number counts nanoseconds. 0 reports at once; a negative value is refused.",
	Since: Branches{{1, 36, 3}},
	Flags: []Flag{{Version{1, 36, 3}, "--cni-status-grace-period"}},
	Env:   []Env{{Version{1, 36, 3}, []string{"CNI_STATUS_GRACE_PERIOD"}}},
	Rules: []Rule{{Stage: Load, Check: notNegative}},
}}

// PluginDir is crio.network.plugin_dir.
var PluginDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "network", "plugin_dir"},
	Kind: String,
	Text: "The single directory for CNI plugins of old releases; use plugin_dirs. It does not replace " +
		"plugin_dirs: at start it is added at their end, with a warning, so that a plugin of the same name in " +
		"the default directory still comes first. Releases 1.14.0 to 1.14.2 read a list here.",
	Since:      Branches{{1, 0, 0}},
	Deprecated: Version{1, 14, 0},
	ReplacedBy: "crio.network.plugin_dirs",
	Kinds:      []KindSince{{Version{1, 0, 0}, String}, {Version{1, 14, 0}, Strings}, {Version{1, 14, 3}, String}},
	Defaults: []Default{
		{Version{1, 0, 0}, "/opt/cni/bin/"},
		{Version{1, 14, 0}, []string{"/opt/cni/bin/"}},
		{Version{1, 14, 3}, ""},
	},
	Flags: []Flag{{Version{1, 0, 0}, "--cni-plugin-dir"}, {Version{1, 14, 3}, ""}},
}}
