package schema

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A Kind is the type that CRI-O decodes a key into. The zero Kind is invalid.
type Kind uint8

// The kinds, with the Go type of their values.
const (
	Bool      Kind = iota + 1 // bool
	Int                       // int64
	Uint                      // uint64
	String                    // string
	Duration                  // time.Duration; written as "30s", a bare integer counts nanoseconds
	Strings                   // []string
	StringMap                 // map[string]string
	Entries                   // a table of named tables; its default is the []string of built-in names
)

// String names the kind in a user's words.
func (k Kind) String() string {
	switch k {
	case Bool:
		return "boolean"
	case Int:
		return "integer"
	case Uint:
		return "unsigned integer"
	case String:
		return "string"
	case Duration:
		return "duration"
	case Strings:
		return "list of strings"
	case StringMap:
		return "table of strings"
	case Entries:
		return "table of entries"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Zero returns the value that CRI-O has for a key of this kind that nothing
// sets: false, 0, "", a nil list or map. For Entries it is a nil list of names.
func (k Kind) Zero() any {
	switch k {
	case Bool:
		return false
	case Int:
		return int64(0)
	case Uint:
		return uint64(0)
	case String:
		return ""
	case Duration:
		return time.Duration(0)
	case StringMap:
		return map[string]string(nil)
	}
	return []string(nil)
}

// A Merge is what happens when a later layer sets a key again. The zero Merge
// is Replace.
type Merge uint8

// The merge rules.
const (
	Replace      Merge = iota // the later value counts, lists too
	ReplaceEntry              // names are collected, an entry of the same name is replaced whole
	PerKey                    // the table is merged name by name
	AppendUnique              // lists grow; of equal elements the last stays
	KeepIfEmpty               // an empty string leaves the earlier value
)

// String names the rule.
func (m Merge) String() string {
	switch m {
	case Replace:
		return "replace"
	case ReplaceEntry:
		return "replace entry"
	case PerKey:
		return "per key"
	case AppendUnique:
		return "append unique"
	case KeepIfEmpty:
		return "keep if empty"
	}
	return fmt.Sprintf("merge(%d)", uint8(m))
}

// A Reload says what makes a changed value count. The zero Reload is Restart.
type Reload uint8

// The reload classes.
const (
	Restart  Reload = iota // only a new process reads it
	SIGHUP                 // a reload of the running daemon applies it
	NoEffect               // CRI-O accepts the key and does nothing with it
)

// String names the class.
func (r Reload) String() string {
	switch r {
	case Restart:
		return "restart"
	case SIGHUP:
		return "reload"
	case NoEffect:
		return "no effect"
	}
	return fmt.Sprintf("reload(%d)", uint8(r))
}

// Branches lists the first release with something, oldest first, one per branch
// it was brought to. A release X.Y.0 means that minor and every later one; a
// release with a patch number means the rest of its minor only.
type Branches []Version

// Has reports whether v is in one of the branches.
func (b Branches) Has(v Version) bool {
	v = v.Known()
	return slices.ContainsFunc(b, func(first Version) bool {
		if first.Patch == 0 {
			return !v.Less(first)
		}
		return v.Major == first.Major && v.Minor == first.Minor && v.Patch >= first.Patch
	})
}

// A Span is the releases from From up to, but without, Until. A zero Until is
// open.
type Span struct{ From, Until Version }

// Has reports whether v is in the span.
func (s Span) Has(v Version) bool {
	v = v.Known()
	return !v.Less(s.From) && (s.Until.IsZero() || v.Less(s.Until))
}

// A Default is the built-in value from a release on. Value has the Go type of
// the key's kind; a nil list is empty.
type Default struct {
	Since Version
	Value any
}

// A KindSince is a kind from a release on.
type KindSince struct {
	Since Version
	Kind  Kind
}

// A MergeSince is a merge rule and the branches with it.
type MergeSince struct {
	Since Branches
	Merge Merge
}

// A Flag is a command line flag of the daemon from a release on. An empty Name
// means that the flag is gone.
type Flag struct {
	Since Version
	Name  string
}

// An Env lists the environment variables that the daemon reads from a release
// on. No Names means that they are gone.
type Env struct {
	Since Version
	Names []string
}

// A Misplacement says that the file printed by "crio config" shows the key
// below a header where CRI-O does not read it.
type Misplacement struct {
	Span
	Table keypath.Path // "*" stands for the default runtime's entry
}

// A Key is the declaration of one key over all releases. It is shared: callers
// must not change it.
type Key struct {
	Path keypath.Path // "*" stands for a free name
	Kind Kind         // of the newest release that reads the key
	Text string       // what it does, which values it takes, what goes wrong

	Since      Branches
	ByPatch    Version // oldest release that the patches of this project make read the key; zero: none
	Removed    Version // first release that ignores the key; zero: none
	Deprecated Version // zero: not deprecated
	ReplacedBy string  // a key path, or words where no key took its place
	Inert      Version // first release that accepts the key and does nothing with it; zero: none

	Kinds    []KindSince  // where the kind changed, oldest first; else empty
	Defaults []Default    // oldest first; for runtimes.* those of the built-in entry
	FromHost bool         // the host decides the default (storage.conf, SELinux); Defaults hold without either
	Merges   []MergeSince // empty: Replace

	Flags       []Flag // oldest first
	FlagHidden  bool   // the flag is not in the help text
	Env         []Env  // oldest first
	ReloadSince Version

	Misplaced *Misplacement // nil: shown in the right place

	GoName    string  // the name that CRI-O prints for an untagged field; "" means Path's leaf
	OmitEmpty Version // first release that leaves a zero value out when it prints the entry; zero: none

	Rules     []Rule
	Normalize []Normalization
}

// In reports whether release v reads the key.
func (k *Key) In(v Version) bool {
	return k.Since.Has(v) && (k.Removed.IsZero() || v.Known().Less(k.Removed))
}

// A Support is a way in which a release supports a key.
type Support uint8

// The ways. ByPatch is the release's own where somebody built it with the patch
// of package patches, and Unsupported where not: Schema.Reading is the view of a
// release that was.
const (
	Unsupported Support = iota
	ByPatch
	AsReleased
)

// String returns the way as documents spell it.
func (s Support) String() string {
	return [...]string{"no", "by-patch", "as-released"}[s]
}

// SupportIn returns the way in which release v supports the key.
func (k *Key) SupportIn(v Version) Support {
	switch {
	case k.In(v):
		return AsReleased
	case !k.ByPatch.IsZero() && !v.Known().Less(k.ByPatch) && len(k.Since) > 0 && v.Known().Less(k.Since[0]):
		return ByPatch
	}
	return Unsupported
}

// KindIn returns the kind in release v.
func (k *Key) KindIn(v Version) Kind {
	kind := k.Kind
	for i, c := range k.Kinds {
		if i == 0 || !v.Known().Less(c.Since) {
			kind = c.Kind
		}
	}
	return kind
}

// Default returns the built-in value in release v, and whether v reads the key.
// For keys of crio.runtime.runtimes it is the value of the built-in entry; any
// other entry starts with the zero value of the kind.
func (k *Key) Default(v Version) (any, bool) {
	if !k.In(v) {
		return nil, false
	}
	v = v.Known()
	value := k.KindIn(v).Zero()
	for _, d := range k.Defaults {
		if !v.Less(d.Since) {
			value = d.Value
		}
	}
	return instance(value, v), true
}

// versionMark stands for the release number in the AppArmor profile's default
// name of 1.15.1 to 1.17 (cri-o pkg/config/config.go, DefaultConfig).
const versionMark = "<version>"

// instance returns a value that the caller may keep and change.
func instance(value any, v Version) any {
	switch value := value.(type) {
	case string:
		return strings.ReplaceAll(value, versionMark, v.String())
	case []string:
		return slices.Clone(value)
	}
	return value
}

// MergeIn returns the merge rule in release v.
func (k *Key) MergeIn(v Version) Merge {
	for _, m := range k.Merges {
		if m.Since.Has(v) {
			return m.Merge
		}
	}
	return Replace
}

// Flag returns the daemon's flag for the key in release v, with its dashes, or
// "" when there is none.
func (k *Key) Flag(v Version) string {
	name := ""
	for _, f := range k.Flags {
		if k.In(v) && !v.Known().Less(f.Since) {
			name = f.Name
		}
	}
	return name
}

// EnvIn returns the environment variables that set the key in release v. The
// caller must not change the list.
func (k *Key) EnvIn(v Version) []string {
	var names []string
	for _, e := range k.Env {
		if k.In(v) && !v.Known().Less(e.Since) {
			names = e.Names
		}
	}
	return names
}

// ReloadIn returns what makes a changed value count in release v.
func (k *Key) ReloadIn(v Version) Reload {
	switch {
	case !k.Inert.IsZero() && !v.Known().Less(k.Inert):
		return NoEffect
	case !k.ReloadSince.IsZero() && !v.Known().Less(k.ReloadSince):
		return SIGHUP
	}
	return Restart
}

// DeprecatedIn reports whether the key is deprecated in release v.
func (k *Key) DeprecatedIn(v Version) bool {
	return !k.Deprecated.IsZero() && !v.Known().Less(k.Deprecated)
}

// Successor returns the key that took this one's place, or nil when ReplacedBy
// is empty or names something other than one key.
func (k *Key) Successor() *Key {
	for _, other := range All() {
		if other.String() == k.ReplacedBy {
			return other
		}
	}
	return nil
}

// Replaces returns the keys whose place this one took.
func (k *Key) Replaces() []*Key {
	var replaced []*Key
	for _, other := range All() {
		if other.ReplacedBy == k.String() {
			replaced = append(replaced, other)
		}
	}
	return replaced
}

// OmitsEmpty reports whether release v leaves the key out when it prints an
// entry in which the key has its zero value.
func (k *Key) OmitsEmpty(v Version) bool {
	return !k.OmitEmpty.IsZero() && !v.Known().Less(k.OmitEmpty)
}

// PrintedName returns the last part of the key's path as CRI-O prints it.
func (k *Key) PrintedName() string {
	if k.GoName != "" {
		return k.GoName
	}
	return k.Path.Leaf()
}

// HasNames reports whether the path contains free names, as those of runtime
// handlers do.
func (k *Key) HasNames() bool { return slices.Contains(k.Path, "*") }

// String returns the path.
func (k *Key) String() string { return k.Path.String() }
