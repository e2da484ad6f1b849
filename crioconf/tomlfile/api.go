package tomlfile

import (
	"iter"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A Dialect is the language that one release of BurntSushi/toml accepts. CRI-O
// decodes its files with that library, so its release decides what is TOML.
// Later releases compare greater. The zero value is invalid.
type Dialect uint8

// The releases that CRI-O has vendored.
const (
	V0_3_1 Dialect = iota + 1
	V0_4_1
	V1_1_0
	V1_2_1
	V1_3_2
	V1_4_0
	V1_5_0
	V1_6_0
)

// Type is the type of a decoded value.
type Type uint8

// The types of TOML values.
const (
	Table Type = iota + 1
	Array
	ArrayOfTables // made by [[headers]]
	String
	Integer
	Float
	Bool
	Datetime
)

// A Node is one value of the decoded document, as the dialect's decoder sees
// it, with the places it came from.
type Node struct {
	Type  Type
	Key   diag.Range // the key part that named it; zero for the root and for array elements
	Range diag.Range // the value as written; for a table, its header or inline table, else its first key
	Raw   string     // the value as written; "" for tables made by headers or dotted keys

	Str     string // String
	Int     int64  // Integer
	Float   float64
	Bool    bool
	Elems   []*Node  // Array, ArrayOfTables
	Members []Member // Table: in source order, names unique letter by letter
}

// A Member is one entry of a table.
type Member struct {
	Name string
	Node *Node
}

// An Entry is a key with a value that is not a table made by a header: what
// stands on the left of an equals sign.
type Entry struct {
	Path  keypath.Path
	Key   diag.Range // the key as written, all its dotted parts
	Value diag.Range
	Raw   string     // the value as written
	Lead  diag.Range // comment lines attached directly above; zero when none
	Node  *Node
}

// Match says how a lookup found its key.
type Match uint8

// The outcomes of a lookup.
const (
	NoMatch Match = iota
	Folded        // equal but for letter case
	Exact
)

// API sketch, to be replaced by the real functions:
//
//	func Parse(name string, src []byte, d Dialect) (*File, diag.List)   // never nil; goes on after errors
//	func (f *File) Name() string
//	func (f *File) Source() []byte
//	func (f *File) Root() *Node
//	func (f *File) Entries() iter.Seq[*Entry]            // source order, inside inline tables too
//	func (f *File) Tables() []Header                     // every [header], with path and range, source order
//	func (f *File) Lookup(p keypath.Path) (*Entry, Match)
//	func (f *File) Line(n int) string                    // for carets
//	func (f *File) Edit() *Edit
//	func (e *Edit) Set(p keypath.Path, v Value) error
//	func (e *Edit) Delete(p keypath.Path, how DeleteMode) error
//	func (e *Edit) DeleteTable(p keypath.Path, how DeleteMode) error
//	func (e *Edit) Rename(p keypath.Path, leaf string) error
//	func (e *Edit) Comment(p keypath.Path, text string) error
//	func (e *Edit) Apply() (*File, error)
var _ iter.Seq[int]
