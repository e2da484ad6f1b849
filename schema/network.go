package schema

import (
	"time"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// CNIDefaultNetwork is crio.network.cni_default_network.
var CNIDefaultNetwork = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "network", "cni_default_network"},
	Kind:  String,
	Since: Branches{{1, 18, 0}},
	Flags: []Flag{{Version{1, 18, 0}, "--cni-default-network"}},
	Env:   []Env{{Version{1, 18, 0}, []string{"CONTAINER_CNI_DEFAULT_NETWORK"}}},
}}

// NetworkDir is crio.network.network_dir.
var NetworkDir = Setting[string]{&Key{
	Path:     keypath.Path{"crio", "network", "network_dir"},
	Kind:     String,
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 0, 0}, "/etc/cni/net.d/"}},
	Flags:    []Flag{{Version{1, 0, 0}, "--cni-config-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_CNI_CONFIG_DIR"}}},
	Rules:    []Rule{{Stage: Start, Since: Branches{{1, 15, 0}}, Check: text(notEmpty)}},
}}

// PluginDirs is crio.network.plugin_dirs.
var PluginDirs = Setting[[]string]{&Key{
	Path:     keypath.Path{"crio", "network", "plugin_dirs"},
	Kind:     Strings,
	Since:    Branches{{1, 14, 3}, {1, 15, 0}},
	Defaults: []Default{{Version{1, 14, 3}, []string{"/opt/cni/bin/"}}},
	Flags:    []Flag{{Version{1, 14, 3}, "--cni-plugin-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_CNI_PLUGIN_DIR"}}},
	Rules:    []Rule{{Stage: Start, Since: Branches{{1, 15, 0}}, Check: each(notEmpty)}},
}}

// CNIStatusGracePeriod is crio.network.cni_status_grace_period.
var CNIStatusGracePeriod = Setting[time.Duration]{&Key{
	Path:  keypath.Path{"crio", "network", "cni_status_grace_period"},
	Kind:  Duration,
	Since: Branches{{1, 36, 3}},
	Flags: []Flag{{Version{1, 36, 3}, "--cni-status-grace-period"}},
	Env:   []Env{{Version{1, 36, 3}, []string{"CNI_STATUS_GRACE_PERIOD"}}},
	Rules: []Rule{{Stage: Load, Check: notNegative}},
}}

// PluginDir is crio.network.plugin_dir.
var PluginDir = Setting[string]{&Key{
	Path:       keypath.Path{"crio", "network", "plugin_dir"},
	Kind:       String,
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
