package migrate

import "github.com/crioctl/crioctl-net/schema"

func rel(minor, patch int) schema.Version {
	return schema.Version{Major: 1, Minor: minor, Patch: patch}
}

// Steps returns the steps in the order in which they are taken. The caller owns
// the slice.
func Steps() []Step {
	var all []Step
	for _, part := range [][]Step{renames(), values(), removals(), pins(), handlers(), downwards()} {
		all = append(all, part...)
	}
	return all
}

// renames are keys with a new name or place.
func renames() []Step {
	return []Step{
		{
			Code: "plugin-dir", Since: rel(14, 3),
			Title: "plugin_dir becomes part of plugin_dirs",
			Text: "plugin_dirs took the place of plugin_dir in 1.14.3. CRI-O still reads the old key and adds its directory to the end of the list when it " +
				"starts, so the list is written out in that order: first the directories that plugin_dirs has, built in or from a file, then the old one, none of them twice.",
			Do: intoList{From: schema.PluginDir.Key, To: schema.PluginDirs.Key, Built: true},
		},
		{
			Code: "hooks-dir-path", Since: rel(12, 6),
			Title: "hooks_dir_path becomes the list hooks_dir",
			Text:  "hooks_dir took the place of hooks_dir_path in 1.12.6 and 1.13. Its value becomes a list of one directory.",
			Do:    intoList{From: schema.HooksDirPath.Key, To: schema.HooksDir.Key},
		},
		{
			Code: "manage-network-ns", Since: rel(17, 0), Until: rel(21, 0),
			Title: "manage_network_ns_lifecycle becomes manage_ns_lifecycle",
			Text:  "The key got a new name in 1.17, with which CRI-O keeps all namespaces of a pod. 1.17 and 1.18 still read the old one.",
			Do:    rename{From: schema.ManageNetworkNamespaceLifecycle.Key, To: schema.ManageNamespaceLifecycle.Key},
		},
		{
			Code: "stats-period", Since: rel(30, 0),
			Title: "stats_collection_period becomes collection_period",
			Text: "collection_period took the place of stats_collection_period in 1.30, for metrics as well. CRI-O still accepts the old key and does nothing " +
				"with it (cri-o internal/lib/stats/stats_server.go), so that a file from 1.30 or later has no collection in advance that could be kept.",
			Do: rename{From: schema.StatsCollectionPeriod.Key, To: schema.CollectionPeriod.Key, Dead: rel(30, 0)},
		},
		{
			Code: "runtime-path", Since: rel(12, 0),
			Title: "runtime becomes a handler",
			Text:  "Handlers in [crio.runtime.runtimes] took the place of runtime in 1.12; since 1.14 it is ignored. The handler gets the name of the program and becomes the default one.",
			Do:    runtimePath{Key: schema.RuntimePath.Key, Default: true},
		},
		{
			Code: "runtime-untrusted", Since: rel(12, 0),
			Title: "runtime_untrusted_workload becomes the handler untrusted",
			Text:  "1.12 and 1.13 turn the key into the handler \"untrusted\"; since 1.14 it is ignored. Pods choose the handler by a RuntimeClass.",
			Do:    runtimePath{Key: schema.RuntimeUntrustedWorkload.Key, Name: "untrusted"},
		},
		{
			Code: "registries-moved", Since: rel(0, 0),
			Title: "registries.conf takes the place of registries and insecure_registries",
			Text: "registries does nothing since 1.21, insecure_registries since 1.35: the image library reads registries.conf. The same for that file is shown, and written as a " +
				"drop-in of it with --write-registries. Both keys above the first table never had an effect, and go.",
			Do: registries{},
		},
	}
}

// values are keys whose value has another form.
func values() []Step {
	return []Step{
		{
			Code: "workload-numbers", Since: rel(21, 1),
			Title: "numbers of workloads lose their quotes",
			Text: "1.21.0 read the resources of a workload as strings. Since 1.21.1 the numbers are integers, and a number in quotes stops CRI-O; the example in the file " +
				"that it prints still has them.",
			Do: numbers{Keys: []*schema.Key{
				schema.WorkloadCPUShares.Key, schema.WorkloadCPUQuota.Key, schema.WorkloadCPUPeriod.Key, schema.WorkloadCPULimit.Key,
			}},
		},
		{
			Code: "storage-overlay2", Since: rel(0, 0),
			Title: "overlay2 becomes overlay",
			Text: "The two names mean one driver, but the library notes in which of them a layer was made: with overlay2 here and overlay in storage.conf no container is " +
				"found after a reboot. Where storage.conf says overlay, the line goes.",
			Do: overlay2{},
		},
		{
			Code: "seccomp-missing", Since: rel(15, 0),
			Title: "a seccomp profile that is not there goes",
			Text:  "Before 1.15 CRI-O came with /etc/crio/seccomp.json; since then the profile is built in. A file that does not exist stopped the daemon up to 1.24.",
			Do:    missingProfile{},
		},
		{
			Code: "annotation-names", Since: rel(21, 0),
			Title: "allowed annotations get the names that the release knows",
			Text:  "1.35 gave most annotations names that end in crio.io and still knows the older ones. An older release refuses a name that it does not know, or drops the handler.",
			Do:    annotations{},
		},
	}
}

// removals are keys that are gone.
func removals() []Step {
	return []Step{
		{
			Code: "file-locking", Since: rel(16, 0), Title: "file_locking is gone",
			Text: "The lock of the store that it turned on was dropped in 1.16.",
			Do:   remove{Key: schema.FileLocking.Key},
		},
		{
			Code: "file-locking-path", Since: rel(16, 0), Title: "file_locking_path is gone",
			Text: "It named the file of the lock that was dropped in 1.16.",
			Do:   remove{Key: schema.FileLockingPath.Key},
		},
		{
			Code: "host-ip", Since: rel(17, 0), Title: "host_ip is gone",
			Text: "Since 1.17 CRI-O asks nobody for the address of the host.",
			Do:   remove{Key: schema.HostIP.Key},
		},
		{
			Code: "default-mounts", Since: rel(20, 0), Title: "default_mounts is gone",
			Text: "The mounts belong into the file that default_mounts_file names, one HOST:CONTAINER a line.",
			Do: remove{
				Key: schema.DefaultMounts.Key, Ask: true, Lost: "containers lose these mounts",
				Hint: "Write them into the file of default_mounts_file, one HOST:CONTAINER a line, and delete the line; or say --accept default-mounts.",
			},
		},
		{
			Code: "manage-network-ns-gone", Since: rel(21, 0), Title: "manage_network_ns_lifecycle is gone",
			Text: "Since 1.21 CRI-O always keeps the namespaces of pods itself.",
			Do:   remove{Key: schema.ManageNetworkNamespaceLifecycle.Key, Same: true, Lost: "CRI-O always keeps the namespaces of pods itself now"},
		},
		{
			Code: "manage-ns", Since: rel(21, 0), Title: "manage_ns_lifecycle is gone",
			Text: "Since 1.21 CRI-O always keeps the namespaces of pods itself.",
			Do:   remove{Key: schema.ManageNamespaceLifecycle.Key, Same: true, Lost: "CRI-O always keeps the namespaces of pods itself now"},
		},
		{
			Code: "seccomp-when-empty", Since: rel(30, 0), Title: "seccomp_use_default_when_empty is gone",
			Text: "Since 1.30 pods without a seccomp profile always get the default one.",
			Do:   remove{Key: schema.SeccompUseDefaultWhenEmpty.Key, Same: true, Lost: "pods without a seccomp profile get the default one now"},
		},
		{
			Code: "nri-config-file", Since: rel(26, 2), Title: "nri_config_file is gone",
			Text: "Since 1.26.2 each setting of NRI has a key of its own.",
			Do: remove{
				Key: schema.NRIConfigFile.Key, Ask: true, Lost: "what the file says counts no more",
				Hint: "Write its settings as keys of [crio.nri], and delete the line; or say --accept nri-config-file.",
			},
		},
		{
			Code: "workload-trust", Since: rel(14, 0), Title: "default_workload_trust is gone",
			Text: "1.12 and 1.13 still take it; since 1.14 pods choose a handler by their RuntimeClass.",
			Do: remove{
				Key: schema.DefaultWorkloadTrust.Key, Same: "trusted", Ask: true, Lost: "pods are no longer run by the untrusted runtime unless they ask for it",
				Hint: "Give the pods a RuntimeClass with the handler untrusted, and delete the line; or say --accept workload-trust.",
			},
		},
		{
			Code: "shared-pid-namespace", Since: rel(10, 0), Title: "enable_shared_pid_namespace is gone",
			Text: "Since 1.10 a pod says itself that its containers share one process namespace.",
			Do: remove{
				Key: schema.EnableSharedPIDNamespace.Key, Ask: true, Lost: "containers of a pod no longer share a process namespace",
				Hint: "Set shareProcessNamespace in the pods, and delete the line; or say --accept shared-pid-namespace.",
			},
		},
		{
			Code: "disallowed-annotations", Since: rel(21, 0), Title: "disallowedannotations of handlers does nothing",
			Text: "CRI-O works the list out itself; up to 1.30 it decoded the key by accident.",
			Do:   remove{Key: schema.HandlerDisallowedAnnotations.Key},
		},
	}
}

// pins are lines with the built-in value of an older release.
func pins() []Step {
	return []Step{{
		Code: "pinned-default", Since: rel(0, 0),
		Title: "lines that pin the built-in value of an older release",
		Text: "A copy of the whole default file pins every value of its release. Values that went stale are dropped by rule, so that the built-in value of the new release " +
			"counts; those that shape how containers run stay and are pointed out. --keep-pinned keeps all, --drop-defaults drops all. Each key has a code of its own, default-KEY.",
		Do: pinned{},
	}, {
		Code: "pinned-handler", Since: rel(12, 0),
		Title: "a table that repeats the built-in handler goes",
		Text: "A copy of the whole default file has the table of the built-in handler with the keys of its release. It replaces the built-in handler of the new release, whose " +
			"further values, such as the allowed annotations, get lost. Where the new release has another handler built in, the table stays unless --drop-defaults is given.",
		Do: pinnedHandler{},
	}}
}

// handlers are keys that moved into the handlers, and the handlers themselves.
func handlers() []Step {
	return []Step{
		{
			Code: "builtin-handler", Since: rel(12, 0), Title: "the built-in handler is crun since 1.31, runc before",
			Text: "A file that says default_runtime = \"runc\" and has no table for it stops 1.31 and later, as \"crun\" does up to 1.30: the table is written out with what the old " +
				"release had built in. Where no file says anything, the default runtime changes, which somebody has to decide.",
			Do: builtinHandler{},
		},
		{
			Code: "conmon-path", Since: rel(24, 0), Title: "conmon becomes monitor_path of the handlers",
			Text: "Since 1.24 each handler has its own monitor_path. The old key still counts for every handler of type oci and wins over what the handler says, so each " +
				"of them gets its value; the built-in handler is written out for it.",
			Do: toHandlers{schema.Conmon.Key, schema.HandlerMonitorPath.Key},
		},
		{
			Code: "conmon-cgroup", Since: rel(24, 0), Title: "conmon_cgroup becomes monitor_cgroup of the handlers",
			Text: "Since 1.24 each handler has its own monitor_cgroup. The old key still counts for every handler of type oci and wins over what the handler says, so each " +
				"of them gets its value; the built-in handler is written out for it.",
			Do: toHandlers{schema.ConmonCgroup.Key, schema.HandlerMonitorCgroup.Key},
		},
		{
			Code: "conmon-env", Since: rel(24, 0), Title: "conmon_env becomes monitor_env of the handlers",
			Text: "Since 1.24 each handler has its own monitor_env. The old key still counts for every handler of type oci and wins over what the handler says, so each " +
				"of them gets its value; the built-in handler is written out for it.",
			Do: toHandlers{schema.ConmonEnv.Key, schema.HandlerMonitorEnv.Key},
		},
		{
			Code: "cgroupfs-pod", Since: rel(19, 0), Title: "conmon goes into the cgroup of the pod with cgroupfs",
			Text: "With cgroup_manager = \"cgroupfs\" CRI-O refuses any cgroup for conmon but \"pod\", since 1.19.",
			Do:   podCgroup{},
		},
	}
}

// downwards are steps on the way to an older release.
func downwards() []Step {
	return []Step{
		{
			Code: "stats-period-back", Since: rel(23, 0), Until: rel(30, 0), Down: true, Title: "collection_period becomes stats_collection_period",
			Text: "Releases before 1.30 know the older name.",
			Do:   rename{From: schema.CollectionPeriod.Key, To: schema.StatsCollectionPeriod.Key},
		},
		{
			Code: "monitor-path-back", Since: rel(0, 0), Until: rel(24, 0), Down: true, Title: "monitor_path of the handlers becomes conmon",
			Text: "Releases before 1.24 have one conmon for all handlers. Where the handlers differ, that cannot be said.",
			Do:   fromHandlers{schema.HandlerMonitorPath.Key, schema.Conmon.Key},
		},
		{
			Code: "monitor-cgroup-back", Since: rel(15, 0), Until: rel(24, 0), Down: true, Title: "monitor_cgroup of the handlers becomes conmon_cgroup",
			Text: "Releases before 1.24 have one cgroup of conmon for all handlers. Where the handlers differ, that cannot be said.",
			Do:   fromHandlers{schema.HandlerMonitorCgroup.Key, schema.ConmonCgroup.Key},
		},
		{
			Code: "monitor-env-back", Since: rel(0, 0), Until: rel(24, 0), Down: true, Title: "monitor_env of the handlers becomes conmon_env",
			Text: "Releases before 1.24 have one environment of conmon for all handlers. Where the handlers differ, that cannot be said.",
			Do:   fromHandlers{schema.HandlerMonitorEnv.Key, schema.ConmonEnv.Key},
		},
		{
			Code: "needs-newer", Since: rel(0, 0), Title: "keys that the release does not read yet",
			Text: "A key that says what is built in anyway goes. Any other is a setting that the release cannot have: that is refused.",
			Do:   needsNewer{},
		},
		{
			Code: "no-drop-ins", Since: rel(0, 0), Until: rel(17, 0), Down: true, Title: "releases before 1.17 read no drop-ins",
			Text: "All that drop-ins say would be passed over.",
			Do:   noDropIns{},
		},
	}
}
