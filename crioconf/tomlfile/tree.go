package tomlfile

import "strings"

// A tree builds the decoded document as the library's parser does it, and
// remembers what that remembers. Its rules for what may be defined twice rest on
// two notes per path: "made by the way" (implicit) and "last given an array".
// Both can be out of step with the tree, and then a value is lost without an
// error or a table is merged; so they are kept here in the same way.
type tree struct {
	d     Dialect
	root  *Node
	notes *note
}

// A note is what is remembered for one path. All elements of an array of tables
// share one.
type note struct {
	implicit bool
	array    bool
	below    map[string]*note
}

// A scope is a table that keys are being added to. Its node may be a value that
// stands where a table is needed; then nothing can be added.
type scope struct {
	node *Node
	note *note
}

func newTree(d Dialect) *tree {
	return &tree{d: d, root: &Node{Type: Table}, notes: &note{}}
}

func (t *tree) top() scope { return scope{t.root, t.notes} }

// child returns the note of a member. Early releases joined the parts of a path
// with dots, so a name that holds dots is several steps.
func (t *tree) child(n *note, name string) *note {
	if t.d.joinsNames() && strings.IndexByte(name, '.') >= 0 {
		for step := range strings.SplitSeq(name, ".") {
			n = n.step(step)
		}
		return n
	}
	return n.step(name)
}

func (n *note) step(name string) *note {
	if c := n.below[name]; c != nil {
		return c
	}
	if n.below == nil {
		n.below = make(map[string]*note)
	}
	c := &note{}
	n.below[name] = c
	return c
}

// known returns the note of a member if there is one.
func (t *tree) known(n *note, name string) *note {
	if !t.d.joinsNames() || strings.IndexByte(name, '.') < 0 {
		return n.below[name]
	}
	for step := range strings.SplitSeq(name, ".") {
		if n = n.below[step]; n == nil {
			return nil
		}
	}
	return n
}

// An outcome is what became of a definition.
type outcome uint8

const (
	stored    outcome = iota
	merged            // the name stood for a table made by the way; that stays
	replaced          // an earlier array is gone
	duplicate         // refused: defined before
	blocked           // refused: the scope is a value
)

// set defines name in a scope. The second result is the node that was there
// before, or for blocked the value that stands in the way.
func (t *tree) set(at scope, name string, v *Node) (outcome, *Node) {
	table := at.node.table()
	if table == nil {
		return blocked, at.node
	}
	old := table.Get(name)
	if old == nil {
		table.put(name, v)
		return stored, nil
	}
	n := t.known(at.note, name)
	if n == nil {
		return duplicate, old
	}
	if n.array && (t.d.replacesArrays() || t.d > V1_5_0 && n.implicit) {
		n.implicit = false
		table.put(name, v)
		return replaced, old
	}
	if n.implicit {
		n.implicit = false
		return merged, old
	}
	return duplicate, old
}

// setArray notes whether name was last given an array. For an empty name the
// library notes it for the table around, except at the root.
func (t *tree) setArray(at scope, name string, array bool) {
	n := at.note
	if name != "" || n == t.notes {
		if !array {
			if n = t.known(n, name); n == nil {
				return
			}
		} else {
			n = t.child(n, name)
		}
	}
	n.array = array
}

// enter defines name as a table, or as the next element of an array of tables,
// and returns its scope.
func (t *tree) enter(at scope, name string, v *Node, element bool) (scope, outcome, *Node) {
	if !element {
		o, old := t.set(at, name, v)
		if o == blocked {
			return scope{at.node, t.child(at.note, name)}, o, old
		}
		return scope{at.node.table().Get(name), t.child(at.note, name)}, o, old
	}
	table := at.node.table()
	if table == nil {
		return scope{at.node, t.child(at.note, name)}, blocked, at.node
	}
	array := table.Get(name)
	if array == nil {
		array = &Node{Type: ArrayOfTables, Key: v.Key, Range: v.Range, made: v.made}
		table.put(name, array)
	} else if array.Type != ArrayOfTables {
		return scope{array, t.child(at.note, name)}, duplicate, array
	}
	array.Elems = append(array.Elems, v)
	return scope{array, t.child(at.note, name)}, stored, nil
}

// enterDotted goes down one part of a dotted key.
func (t *tree) enterDotted(at scope, name string, v *Node) (scope, outcome, *Node) {
	t.child(at.note, name).implicit = true
	return t.enter(at, name, v, false)
}

// super goes down one part of a header that is not the last.
func (t *tree) super(at scope, name string, v *Node) (scope, bool) {
	table := at.node.table()
	if table == nil {
		return at, false
	}
	n := t.child(at.note, name)
	old := table.Get(name)
	if old == nil {
		n.implicit = true
		table.put(name, v)
		old = v
	}
	return scope{old, n}, old.table() != nil
}
