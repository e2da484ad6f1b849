package tomlfile

import (
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// Type is the type of a decoded value.
type Type uint8

// The types of TOML values. A value that could not be read is Invalid: its key
// and its text are known, and nothing else.
const (
	Invalid Type = iota
	Table
	Array
	ArrayOfTables // made by [[headers]]
	String
	Integer
	Float
	Bool
	Datetime
)

var typeNames = [...]string{"invalid", "table", "array", "array of tables", "string", "integer", "float", "boolean", "datetime"}

// String returns the name of the type as a person would say it.
func (t Type) String() string { return typeNames[t] }

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

	made  origin
	index map[string]int // of large tables only
}

// A Member is one entry of a table.
type Member struct {
	Name string
	Node *Node
}

// origin is how a table came to be. TOML forbids some ways of adding to it
// later that the decoder permits.
type origin uint8

const (
	byValue  origin = iota
	byHeader        // [table]
	bySuper         // the a of [a.b]
	byDots          // the a of a.b = 1
	byInline        // a = { }
)

// indexAt is the size from which on a table gets an index.
const indexAt = 16

// Get returns the member with exactly this name, or nil.
func (n *Node) Get(name string) *Node {
	if i := n.find(name); i >= 0 {
		return n.Members[i].Node
	}
	return nil
}

func (n *Node) find(name string) int {
	if n.index != nil {
		if i, ok := n.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// put adds a member, or replaces the one with the same name.
func (n *Node) put(name string, v *Node) {
	if i := n.find(name); i >= 0 {
		n.Members[i].Node = v
		return
	}
	n.Members = append(n.Members, Member{name, v})
	switch {
	case n.index != nil:
		n.index[name] = len(n.Members) - 1
	case len(n.Members) == indexAt:
		n.index = make(map[string]int, 2*indexAt)
		for i := range n.Members {
			n.index[n.Members[i].Name] = i
		}
	}
}

// At returns the value that p names below n, part by part, letter by letter,
// or nil. It does not look into arrays.
func (n *Node) At(p keypath.Path) *Node {
	for _, part := range p {
		if n == nil || n.Type != Table {
			return nil
		}
		n = n.Get(part)
	}
	return n
}

// table returns the table that further keys of n go to: n itself, the last
// element of an array of tables, or nil when n is a value.
func (n *Node) table() *Node {
	switch {
	case n.Type == Table:
		return n
	case n.Type == ArrayOfTables && len(n.Elems) > 0:
		return n.Elems[len(n.Elems)-1]
	}
	return nil
}
