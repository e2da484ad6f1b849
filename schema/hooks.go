package schema

import (
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// Hooks is crio.runtime.hooks.
var Hooks = &Key{
	Path:    keypath.Path{"crio", "runtime", "hooks"},
	Kind:    Entries,
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	Merges:  []MergeSince{{Branches{{1, 0, 0}}, ReplaceEntry}},
}

// HookAnnotations is crio.runtime.hooks.*.annotations.
var HookAnnotations = Setting[[]string]{&Key{
	Path:    keypath.Path{"crio", "runtime", "hooks", "*", "annotations"},
	Kind:    Strings,
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Annotations",
}}

// HookArguments is crio.runtime.hooks.*.arguments.
var HookArguments = Setting[[]string]{&Key{
	Path:    keypath.Path{"crio", "runtime", "hooks", "*", "arguments"},
	Kind:    Strings,
	Since:   Branches{{1, 10, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Arguments",
}}

// HookCommands is crio.runtime.hooks.*.cmds.
var HookCommands = Setting[[]string]{&Key{
	Path:    keypath.Path{"crio", "runtime", "hooks", "*", "cmds"},
	Kind:    Strings,
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Cmds",
}}

// HookHasBindMounts is crio.runtime.hooks.*.hasbindmounts.
var HookHasBindMounts = Setting[bool]{&Key{
	Path:    keypath.Path{"crio", "runtime", "hooks", "*", "hasbindmounts"},
	Kind:    Bool,
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "HasBindMounts",
}}

// HookHook is crio.runtime.hooks.*.hook.
var HookHook = Setting[string]{&Key{
	Path:    keypath.Path{"crio", "runtime", "hooks", "*", "hook"},
	Kind:    String,
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Hook",
}}

// HookStage is crio.runtime.hooks.*.stage.
var HookStage = Setting[[]string]{&Key{
	Path:    keypath.Path{"crio", "runtime", "hooks", "*", "stage"},
	Kind:    Strings,
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 12, 0},
	GoName:  "Stage",
}}
