package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// Root is crio.root.
var Root = Setting[string]{&Key{
	Path: keypath.Path{"crio", "root"},
	Kind: String,
	Text: "Directory in which images and the writable layers of containers are stored. Without the key it comes " +
		"from storage.conf. Pointing it elsewhere does not move anything: CRI-O starts with an empty store " +
		"and pulls again. Since 1.24 an empty string leaves the earlier value in force.",
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 0, 0}, "/var/lib/containers/storage"}},
	FromHost: true,
	Merges:   []MergeSince{{Branches{{1, 24, 0}}, KeepIfEmpty}},
	Flags:    []Flag{{Version{1, 0, 0}, "--root"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_ROOT"}}},
}}

// RunRoot is crio.runroot.
var RunRoot = Setting[string]{&Key{
	Path: keypath.Path{"crio", "runroot"},
	Kind: String,
	Text: "Directory for the state of the store that does not outlive a reboot, such as mounts. Without the key " +
		"it comes from storage.conf. It belongs on a tmpfs; two daemons must not share one. Since 1.24 an " +
		"empty string leaves the earlier value in force.",
	Since: Branches{{1, 0, 0}},
	Defaults: []Default{
		{Version{1, 0, 0}, "/var/run/containers/storage"},
		{Version{1, 20, 0}, "/run/containers/storage"},
	},
	FromHost: true,
	Merges:   []MergeSince{{Branches{{1, 24, 0}}, KeepIfEmpty}},
	Flags:    []Flag{{Version{1, 0, 0}, "--runroot"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_RUNROOT"}}},
}}

// ImageStore is crio.imagestore.
var ImageStore = Setting[string]{&Key{
	Path: keypath.Path{"crio", "imagestore"},
	Kind: String,
	Text: "Directory for images, if they are to live apart from the layers of containers below root. Empty " +
		"keeps both together. Without the key it comes from storage.conf.",
	Since:    Branches{{1, 29, 0}},
	FromHost: true,
	Flags:    []Flag{{Version{1, 29, 0}, "--imagestore"}},
	Env:      []Env{{Version{1, 29, 0}, []string{"CONTAINER_IMAGESTORE"}}},
}}

// StorageDriver is crio.storage_driver.
var StorageDriver = Setting[string]{&Key{
	Path: keypath.Path{"crio", "storage_driver"},
	Kind: String,
	Text: "Name of the storage driver, such as overlay, btrfs or vfs. Empty lets the storage library choose. " +
		"Another driver sees none of the images that were pulled with the former one. Since 1.24 an empty " +
		"string leaves the earlier value in force.",
	Since:    Branches{{1, 0, 0}},
	FromHost: true,
	Merges:   []MergeSince{{Branches{{1, 24, 0}}, KeepIfEmpty}},
	Flags:    []Flag{{Version{1, 0, 0}, "--storage-driver"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_STORAGE_DRIVER"}}},
}}

// StorageOption is crio.storage_option.
var StorageOption = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "storage_option"},
	Kind: Strings,
	Text: "Options for the storage driver, each as \"driver.option=value\". From 1.20.7, 1.21.5, 1.22.2 and 1.23 " +
		"on, this is the one list that grows: storage.conf, the main file and every drop-in add to it, an " +
		"option said again moves to the end, and no file can take one out. A flag still replaces the whole " +
		"list.",
	Since:    Branches{{1, 0, 0}},
	FromHost: true,
	Merges:   []MergeSince{{Branches{{1, 20, 7}, {1, 21, 5}, {1, 22, 2}, {1, 23, 0}}, AppendUnique}},
	Flags:    []Flag{{Version{1, 0, 0}, "--storage-opt"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_STORAGE_OPT"}}},
}}

// LogDir is crio.log_dir.
var LogDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "log_dir"},
	Kind: String,
	Text: "Directory below which container logs go when the kubelet names no other place. It must be an " +
		"absolute path; a relative one stops the daemon at start, although \"crio config\" accepts it. CRI-O " +
		"creates it when it is missing.",
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 0, 0}, "/var/log/crio/pods"}},
	Flags:    []Flag{{Version{1, 15, 0}, "--log-dir"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_LOG_DIR"}}},
	Rules:    []Rule{{Stage: Start, Since: Branches{{1, 16, 0}}, Check: text(absolutePath)}},
}}

// VersionFile is crio.version_file.
var VersionFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "version_file"},
	Kind: String,
	Text: "File in which CRI-O notes its version, to tell after a start whether the node was rebooted. When the " +
		"file is missing, containers of the time before are wiped. It belongs on a file system that a reboot " +
		"empties.",
	Since: Branches{{1, 14, 11}, {1, 16, 0}},
	Defaults: []Default{
		{Version{1, 14, 11}, "/var/lib/crio/version"},
		{Version{1, 17, 0}, "/var/run/crio/version"},
	},
	Flags: []Flag{{Version{1, 14, 11}, "--version-file"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_VERSION_FILE"}}},
}}

// VersionFilePersist is crio.version_file_persist.
var VersionFilePersist = Setting[string]{&Key{
	Path: keypath.Path{"crio", "version_file_persist"},
	Kind: String,
	Text: "File in which CRI-O notes its version across reboots, to tell whether it was upgraded. When the " +
		"version differs, images may be wiped as well. Empty turns that off.",
	Since: Branches{{1, 17, 5}, {1, 18, 1}, {1, 19, 0}},
	Defaults: []Default{
		{Version{1, 17, 5}, "/var/lib/crio/version"},
		{Version{1, 25, 0}, ""},
	},
	Flags: []Flag{{Version{1, 17, 5}, "--version-file-persist"}},
	Env:   []Env{{Version{1, 17, 5}, []string{"CONTAINER_VERSION_FILE_PERSIST"}}},
}}

// CleanShutdownFile is crio.clean_shutdown_file.
var CleanShutdownFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "clean_shutdown_file"},
	Kind: String,
	Text: "File that CRI-O writes when it stops in good order. When it is missing at the next start, the last " +
		"shutdown is taken for a crash and the store is checked or wiped. Empty turns the check off.",
	Since:    Branches{{1, 19, 4}, {1, 20, 5}, {1, 21, 0}},
	Defaults: []Default{{Version{1, 19, 4}, "/var/lib/crio/clean.shutdown"}},
	Flags:    []Flag{{Version{1, 19, 4}, "--clean-shutdown-file"}},
	Env:      []Env{{Version{1, 19, 4}, []string{"CONTAINER_CLEAN_SHUTDOWN_FILE"}}},
}}

// InternalWipe is crio.internal_wipe.
var InternalWipe = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "internal_wipe"},
	Kind: Bool,
	Text: "Lets the daemon itself wipe old containers and images at start, after a reboot or an upgrade, " +
		"instead of the command \"crio wipe\". It is deprecated, as there is hardly a reason to say false: " +
		"containers of the time before the reboot then stay until somebody wipes them.",
	Since:      Branches{{1, 20, 4}, {1, 21, 1}, {1, 22, 0}},
	Deprecated: Version{1, 22, 0},
	Defaults:   []Default{{Version{1, 22, 0}, true}},
	Flags:      []Flag{{Version{1, 20, 4}, "--internal-wipe"}},
	Env:        []Env{{Version{1, 20, 4}, []string{"CONTAINER_INTERNAL_WIPE"}}},
}}

// InternalRepair is crio.internal_repair.
var InternalRepair = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "internal_repair"},
	Kind: Bool,
	Text: "Lets the daemon check the store after an unclean shutdown and repair it by removing what is damaged. " +
		"With false a damaged layer shows up later, as containers that cannot be made or images that cannot " +
		"be pulled.",
	Since:    Branches{{1, 28, 0}},
	Defaults: []Default{{Version{1, 31, 0}, true}},
	Flags:    []Flag{{Version{1, 28, 0}, "--internal-repair"}},
	Env:      []Env{{Version{1, 28, 0}, []string{"CONTAINER_INTERNAL_REPAIR"}}},
}}

// FileLocking is crio.file_locking.
var FileLocking = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "file_locking"},
	Kind: Bool,
	Text: "Made CRI-O hold a lock while it used the store, so that two programs could not change it at once. " +
		"The key is gone since 1.16; newer releases ignore it without a word.",
	Since:   Branches{{1, 0, 0}},
	Removed: Version{1, 16, 0},
	Defaults: []Default{
		{Version{1, 0, 0}, true},
		{Version{1, 11, 5}, false},
		{Version{1, 12, 0}, true},
		{Version{1, 13, 10}, false},
		{Version{1, 14, 0}, true},
		{Version{1, 14, 5}, false},
	},
	Flags:      []Flag{{Version{1, 0, 0}, "--file-locking"}},
	FlagHidden: true,
}}

// FileLockingPath is crio.file_locking_path.
var FileLockingPath = Setting[string]{&Key{
	Path: keypath.Path{"crio", "file_locking_path"},
	Kind: String,
	Text: "File that was locked while file_locking was on. The key is gone since 1.16; newer releases ignore it " +
		"without a word.",
	Since:    Branches{{1, 12, 0}},
	Removed:  Version{1, 16, 0},
	Defaults: []Default{{Version{1, 12, 0}, "/run/crio.lock"}},
}}
