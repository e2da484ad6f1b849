package migrate

import (
	"github.com/crioctl/crioctl-net/schema"
)

const (
	codePinned         = "pinned-default"
	codeBuiltinHandler = "builtin-handler"
	codeRegistries     = "registries-moved"
	codeNeedsNewer     = "needs-newer"
)

func rel(minor, patch int) schema.Version {
	return schema.Version{Major: 1, Minor: minor, Patch: patch}
}

// Steps returns the steps in the order in which they are taken. The caller owns
// the slice.
func Steps() []Step {
	return []Step{
		{
			Code: "plugin-dir", Since: rel(14, 3),
			Title: "plugin_dir becomes part of plugin_dirs",
			Text: "plugin_dirs took the place of plugin_dir in 1.14.3. CRI-O still reads the old key and adds its directory to the end of the list " +
				"when it starts, so the list is written out in that order: first the directories that plugin_dirs has, built in or from a file, then the old one, none of them twice.",
			Do: intoList{From: schema.PluginDir.Key, To: schema.PluginDirs.Key, Built: true},
		},
		{
			Code: "hooks-dir-path", Since: rel(12, 6),
			Title: "hooks_dir_path becomes the list hooks_dir",
			Text:  "hooks_dir took the place of hooks_dir_path in 1.12.6 and 1.13. Its value becomes a list of one directory.",
			Do:    intoList{From: schema.HooksDirPath.Key, To: schema.HooksDir.Key},
		},
		{
			Code: "workload-numbers", Since: rel(21, 1),
			Title: "numbers of workloads lose their quotes",
			Text:  "1.21.0 read the resources of a workload as strings. Since 1.21.1 the numbers are integers, and a number in quotes stops CRI-O; the example in its own file still has them.",
			Do: numbers{Keys: []*schema.Key{
				schema.WorkloadCPUShares.Key, schema.WorkloadCPUQuota.Key, schema.WorkloadCPUPeriod.Key, schema.WorkloadCPULimit.Key,
			}},
		},
		{
			Code: "file-locking", Since: schema.FileLocking.Removed,
			Title: "file_locking is gone", Text: "The lock of the store that it turned on was dropped in 1.16.",
			Do: remove{Key: schema.FileLocking.Key},
		},
		{
			Code: codePinned, Since: rel(0, 0),
			Title: "lines that pin an older built-in value",
			Text: "A copy of the whole default file pins every value of its release. Values that went stale are dropped by rule, so that the built-in value of the new release counts; " +
				"those that shape how containers run stay and are pointed out. --keep-pinned keeps all, --drop-defaults drops all.",
			Do: pinned{},
		},
	}
}
