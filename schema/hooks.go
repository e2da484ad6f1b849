package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// Hooks is crio.runtime.hooks.
var Hooks = &Key{
	Path: keypath.Path{"crio", "runtime", "hooks"},
	Kind: Entries,
	Text: "A table that releases up to 1.11 decode by accident: hooks were meant to come from hooks_dir_path " +
		"alone. Newer releases ignore it.",
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	Merges:  []MergeSince{{Branches{{1, 0, 0}}, ReplaceEntry}},
}

// HookAnnotations is crio.runtime.hooks.*.annotations.
var HookAnnotations = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks", "*", "annotations"},
	Kind: Strings,
	Text: "Annotations by which a hook of the unintended hooks table was chosen. Releases since 1.12 ignore it; " +
		"put a file into a directory of hooks_dir.",
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Annotations",
}}

// HookArguments is crio.runtime.hooks.*.arguments.
var HookArguments = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks", "*", "arguments"},
	Kind: Strings,
	Text: "Arguments of a hook of the unintended hooks table. Releases since 1.12 ignore it; put a file into a " +
		"directory of hooks_dir.",
	Since:   Branches{{1, 10, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Arguments",
}}

// HookCommands is crio.runtime.hooks.*.cmds.
var HookCommands = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks", "*", "cmds"},
	Kind: Strings,
	Text: "Commands of containers by which a hook of the unintended hooks table was chosen. Releases since 1.12 " +
		"ignore it; put a file into a directory of hooks_dir.",
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Cmds",
}}

// HookHasBindMounts is crio.runtime.hooks.*.hasbindmounts.
var HookHasBindMounts = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks", "*", "hasbindmounts"},
	Kind: Bool,
	Text: "Whether a hook of the unintended hooks table ran for containers with bind mounts. Releases since " +
		"1.12 ignore it; put a file into a directory of hooks_dir.",
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "HasBindMounts",
}}

// HookHook is crio.runtime.hooks.*.hook.
var HookHook = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks", "*", "hook"},
	Kind: String,
	Text: "Path of the program of a hook of the unintended hooks table. Releases since 1.12 ignore it; put a " +
		"file into a directory of hooks_dir.",
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Hook",
}}

// HookStage is crio.runtime.hooks.*.stage.
var HookStage = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "runtime", "hooks", "*", "stage"},
	Kind: Strings,
	Text: "Stages of a container at which a hook of the unintended hooks table ran. Releases since 1.12 ignore " +
		"it; put a file into a directory of hooks_dir.",
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Stage",
}}
