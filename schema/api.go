package schema

import (
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// API sketch, to be replaced by the real thing:
//
//	type Version struct{ Major, Minor, Patch int }      // Patch < 0: the newest known patch release of the minor
//	func ParseVersion(s string) (Version, error)        // "1.31", "1.31.4", "v1.31.4", "1.31.4-dev+git"
//	func (v Version) String() string                    // "1.31" or "1.31.4"
//	func (v Version) Compare(w Version) int
//	func Newest() Version
//	func Versions() []Version                           // minors, oldest first
//
//	type Kind uint8   // Bool Int Uint String Duration Strings StringMap Entries
//	type Merge uint8  // Replace ReplaceEntry PerKey AppendUnique KeepIfEmpty
//	type Reload uint8 // Restart, Reload (SIGHUP), NextPod ...
//	type Stage uint8  // Load, Start, Server
//
//	type Key struct {
//		Path       keypath.Path   // "*" stands for a free name
//		Kind       Kind
//		Since      []Version      // first release of every branch that knows it, oldest first (patch precision)
//		Removed    Version        // zero: still there
//		Deprecated Version
//		Replaces / ReplacedBy
//		Defaults   []Default      // {Since Version; Value any}, oldest first
//		OmitEmpty  []Span         // releases whose encoder leaves out the zero value (runtimes.*, workloads.*)
//		Merge      []Rule or func(Version) Merge
//		Flag       string; Env []string  (with their history: functions of Version)
//		Reload     func(Version) bool
//		Rules      []Rule         // {Stage, From, Until Version, Check func(v Version, value any) error}
//		Normalize  what CRI-O puts in place of a value
//		Text       string         // our own description
//	}
//	type Schema struct{}          // the keys of one version
//	func For(v Version) *Schema
//	func (s *Schema) Version() Version
//	func (s *Schema) Keys() []*Key
//	func (s *Schema) Lookup(p keypath.Path) (*Key, Match)   // letter case as the decoder does it
//	func (s *Schema) Table(p keypath.Path) bool             // p is a table that CRI-O decodes
//	func (s *Schema) Suggest(p keypath.Path) []keypath.Path // near names, and the right table for a known leaf
//	func (s *Schema) Dialect() tomlfile.Dialect
//	func All() []*Key                                       // of all versions
//	type Setting[T any] struct{ *Key }                      // typed handle
var _ keypath.Path
