package schema

import (
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A Foreign is a name that people write into CRI-O's files though no release
// reads it: a setting of another program, or a made-up one.
type Foreign struct {
	Name string
	Of   string         // the program or file that has it, "" when nobody does
	Note string         // a sentence that says more, "" when Keys say all
	Keys []keypath.Path // what to write instead, the likeliest first
}

// LookupForeign returns what is known of a name, the last part of a key's path.
// Letter case does not matter.
func LookupForeign(leaf string) (Foreign, bool) {
	all := foreign()
	i := slices.IndexFunc(all, func(f Foreign) bool { return strings.EqualFold(f.Name, leaf) })
	if i < 0 {
		return Foreign{}, false
	}
	return all[i], true
}

func foreign() []Foreign {
	to := func(keys ...*Key) []keypath.Path {
		var paths []keypath.Path
		for _, k := range keys {
			paths = append(paths, k.Path)
		}
		return paths
	}
	return []Foreign{
		{"enable_cdi", "containerd", "CDI needs no switch in CRI-O, it is always on.", to(CDISpecDirs.Key)},
		{"bin_dir", "containerd", "", to(PluginDirs.Key)},
		{"conf_dir", "containerd", "", to(NetworkDir.Key)},
		{"sandbox_image", "containerd", "", to(PauseImage.Key)},
		{"default_runtime_name", "containerd", "", to(DefaultRuntime.Key)},
		{"SystemdCgroup", "containerd", "", to(CgroupManager.Key)},
		{"systemd_cgroup", "containerd", "", to(CgroupManager.Key)},
		{"stream_server_address", "containerd", "", to(StreamAddress.Key)},
		{"stream_server_port", "containerd", "", to(StreamPort.Key)},
		{"enable_selinux", "containerd", "", to(SELinux.Key)},
		{"cgroupDriver", "the kubelet", "", to(CgroupManager.Key)},
		{"pod_infra_container_image", "the kubelet", "", to(PauseImage.Key)},
		{"graphroot", "storage.conf", "", to(Root.Key)},
		{"driver", "storage.conf", "", to(StorageDriver.Key)},
		{"unqualified-search-registries", "registries.conf", "CRI-O reads registries.conf itself.", nil},
		{"short-name-mode", "registries.conf", "", to(ShortNameMode.Key)},
		{"inject_gomaxprocs", "", "No release ever had it.", to(MinInjectedGOMAXPROCS.Key)},
		{"plugin_path", "", "", to(PluginDirs.Key)},
		{"cpu", "", "", to(WorkloadCPUSet.Key, WorkloadCPUShares.Key)},
		{"disable_hostport", "", "", to(DisableHostportMapping.Key)},
		{"disable_hostports", "", "", to(DisableHostportMapping.Key)},
		{"hostport_mapping", "", "The key says the opposite.", to(DisableHostportMapping.Key)},
		{"enable_hostport_mapping", "", "The key says the opposite.", to(DisableHostportMapping.Key)},
	}
}
