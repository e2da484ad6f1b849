package diag

// A Code names a kind of finding. A code never changes its meaning and is never
// used again. Every code has an entry in Catalogue.
type Code string

// The codes, by the layer that finds them.
const (
	// The text of one file.
	TOMLSyntax      Code = "toml-syntax"      // not TOML to this CRI-O's decoder
	TOMLDialect     Code = "toml-dialect"     // TOML that another CRI-O's decoder accepts
	TOMLNonstandard Code = "toml-nonstandard" // accepted by CRI-O, against the TOML specification
	DuplicateKey    Code = "duplicate-key"
	DuplicateTable  Code = "duplicate-table"
	LostValue       Code = "lost-value" // accepted, but the decoder drops the value
	KeyCase         Code = "key-case"   // not the lower-case spelling; two spellings in one table are random

	// One key against the schema.
	UnknownKey      Code = "unknown-key"
	UnknownTable    Code = "unknown-table"
	WrongTable      Code = "wrong-table"      // a real key in a table where CRI-O does not look
	NoTable         Code = "no-table"         // a real key above the first header
	MisplacedToggle Code = "misplaced-toggle" // disable_hostport_mapping below a runtimes header
	RemovedKey      Code = "removed-key"
	FutureKey       Code = "future-key" // known to newer CRI-O only
	DeprecatedKey   Code = "deprecated-key"
	WrongType       Code = "wrong-type"
	BadValue        Code = "bad-value"      // CRI-O refuses the value
	ReplacedValue   Code = "replaced-value" // CRI-O puts another value in its place
	InertValue      Code = "inert-value"    // accepted, does nothing
	OldTemplate     Code = "old-template"   // a line that CRI-O's own old template printed in the wrong place

	// The files together.
	MissingRuntime   Code = "missing-runtime" // default_runtime names no entry
	ShadowedEntry    Code = "shadowed-entry"  // a later file replaces a whole runtimes or workloads entry
	ReplacedList     Code = "replaced-list"   // a later file replaces a list and values are lost
	LostHandler      Code = "lost-handler"    // a handler disappears by an old release's rule
	CgroupMismatch   Code = "cgroup-mismatch"
	OverriddenByUnit Code = "overridden-by-unit" // a flag or variable of the unit wins over the files
	HostportPortmap  Code = "hostport-portmap"   // toggle on and the CNI portmap plugin in the chain

	// The drop-in directory.
	StrayFile       Code = "stray-file"       // backup, swap, package-manager left-over: CRI-O reads it
	DropInOrder     Code = "drop-in-order"    // 100-x sorts before 99-y
	DropInsUnread   Code = "drop-ins-unread"  // this release has no drop-in directory
	DanglingSymlink Code = "dangling-symlink" // CRI-O does not start
	SymlinkToDir    Code = "symlink-to-directory"
	NotRegular      Code = "not-a-regular-file" // FIFO, socket, device: CRI-O hangs or fails
	Unreadable      Code = "unreadable"
	TooLarge        Code = "too-large" // more than we read
	MissingFile     Code = "missing-file"
	FileMode        Code = "file-mode" // executable or writable by others

	// The CRI-O version.
	VersionUnknown Code = "version-unknown" // the newest known version was assumed
	VersionNewer   Code = "version-newer"   // newer than the newest known
	VersionOlder   Code = "version-older"   // older than what was recorded from real loaders
)
