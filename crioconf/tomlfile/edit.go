package tomlfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// DeleteMode says what happens to the comment above a deleted key.
type DeleteMode uint8

// KeepComment deletes the key alone. WithComment deletes the comment lines
// attached above it too, up to one that looks like a key that was commented
// out: that belongs to somebody else.
const (
	KeepComment DeleteMode = iota
	WithComment
)

// An Edit is a batch of changes to a File. Each method either makes its change
// and proves that nothing else has changed, or returns an error and leaves the
// batch as it was. A key can be changed once in a batch. The File itself stays.
type Edit struct {
	from *File
	now  *File
	log  []change
}

// A change is one difference that a batch is to make: want is nil for a key
// that goes.
type change struct {
	path keypath.Path
	want *Node
}

// Edit begins a batch of changes.
func (f *File) Edit() *Edit { return &Edit{from: f, now: f} }

// Apply returns the edited file. The one that Edit was called on is unchanged.
// It asks a second parser whether the batch did what it says.
func (e *Edit) Apply() (*File, error) {
	if err := secondOpinion(e.from, e.now, e.log); err != nil {
		return nil, err
	}
	return e.now, nil
}

// Set gives a key a value: it replaces the value where the key stands, compared
// as CRI-O compares keys, or adds the key to its table, and the table to the
// file where need be. A key that has the value already stays as it is written.
func (e *Edit) Set(p keypath.Path, v Value) error {
	if err := e.ready(p); err != nil {
		return err
	}
	v, err := v.read(e.now.dialect)
	if err != nil {
		return fmt.Errorf("set %s: %w", p, err)
	}
	path, err := e.resolve(p)
	if err != nil {
		return fmt.Errorf("set %s: %w", p, err)
	}
	node := e.now.root.At(path)
	i, times := e.now.lookupExact(path)
	switch {
	case times > 1:
		return fmt.Errorf("set %s: it is defined %d times", p, times)
	case node != nil && sameNode(node, v.want):
		return nil
	case node != nil && i < 0 && v.table != nil && node.Type == Table:
		return e.setTable(p, path, node, v)
	case node != nil && i < 0:
		return fmt.Errorf("set %s: it is a table (%s)", p, node.Range)
	case node == nil:
		s, err := e.now.place(path, v.text)
		if err != nil {
			return fmt.Errorf("set %s: %w", p, err)
		}
		return e.do("set", p, []splice{s}, change{path, v.want})
	case node.Type == Table && v.want.Type != Table:
		return fmt.Errorf("set %s: it is a table (%s)", p, node.Range)
	}
	at := e.now.entries[i].value
	return e.do("set", p, []splice{{at, e.now.reform(at, node, v)}}, change{path, v.want})
}

// setTable makes a table that has a header or dotted keys hold the strings of v
// and nothing else.
func (e *Edit) setTable(p, path keypath.Path, node *Node, v Value) error {
	batch := Edit{from: e.now, now: e.now}
	for _, m := range node.Members {
		if _, ok := v.table[m.Name]; ok {
			continue
		}
		if err := batch.Delete(path.Child(m.Name), KeepComment); err != nil {
			return fmt.Errorf("set %s: %w", p, err)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(v.table)) {
		if err := batch.Set(path.Child(k), StringValue(v.table[k])); err != nil {
			return fmt.Errorf("set %s: %w", p, err)
		}
	}
	return e.accept("set", p, batch.now, change{path, v.want})
}

// Delete removes a key and its value. Its table stays, empty or not.
func (e *Edit) Delete(p keypath.Path, how DeleteMode) error {
	if err := e.ready(p); err != nil {
		return err
	}
	i, path, err := e.find(p)
	if err != nil {
		return fmt.Errorf("delete %s: %w", p, err)
	}
	return e.do("delete", p, e.now.cut(i, how), change{path, nil})
}

// Rename gives a key or table another name. Every header and dotted key that
// holds the name is changed.
func (e *Edit) Rename(p keypath.Path, leaf string) error {
	if err := e.ready(p); err != nil {
		return err
	}
	path, err := e.resolve(p)
	if err != nil {
		return fmt.Errorf("rename %s: %w", p, err)
	}
	node := e.now.root.At(path)
	if node == nil {
		return fmt.Errorf("rename %s: %w", p, ErrNoKey)
	}
	to := path.Parent().Child(leaf)
	if err := checkUTF8(leaf); err != nil {
		return fmt.Errorf("rename %s: %w", p, err)
	}
	if other := e.now.root.At(to); other != nil {
		return fmt.Errorf("rename %s: %s exists already (%s)", p, to, other.Range)
	}
	var splices []splice
	for _, s := range e.now.mentions(path) {
		splices = append(splices, splice{s, quotePart(leaf)})
	}
	return e.do("rename", p, splices, change{path, nil}, change{to, node})
}

// Comment puts comment lines right above a key or the header of a table, below
// those that are there. Each line of text becomes one.
func (e *Edit) Comment(p keypath.Path, text string) error {
	if err := e.open(); err != nil {
		return err
	}
	path, err := e.resolve(p)
	if err != nil {
		return fmt.Errorf("comment %s: %w", p, err)
	}
	at, err := e.now.lineOf(path)
	if err != nil {
		return fmt.Errorf("comment %s: %w", p, err)
	}
	if err := checkComment(text); err != nil {
		return fmt.Errorf("comment %s: %w", p, err)
	}
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(e.now.indent(at) + strings.TrimRight("# "+line, " ") + e.now.newline())
	}
	return e.do("comment", p, []splice{{span{at, at}, b.String()}})
}

// checkComment refuses what some dialect does not read in a comment.
func checkComment(text string) error {
	if err := checkUTF8(text); err != nil {
		return err
	}
	for _, r := range text {
		if r == '\r' || r == '\ufffd' || r < 0x80 && isControl(byte(r)) {
			return fmt.Errorf("%s cannot stand in a comment", charName(r))
		}
	}
	return nil
}

// ErrNoKey is what edits of keys that are not in the file return.
var ErrNoKey = errors.New("the file does not have it")

// open refuses to edit what we cannot read in full.
func (e *Edit) open() error {
	if r := e.from.refusal; r != nil {
		return fmt.Errorf("edit %s: the file has an error: %s: %s", e.from.name, r.Range, r.Summary)
	}
	return nil
}

// ready checks that a key can be edited at all.
func (e *Edit) ready(p keypath.Path) error {
	if err := e.open(); err != nil {
		return err
	}
	if len(p) == 0 {
		return fmt.Errorf("edit %s: no key given", e.from.name)
	}
	for _, c := range e.log {
		short := min(len(c.path), len(p))
		if c.path[:short].EqualFold(p[:short]) {
			return fmt.Errorf("edit %s: %s and %s are changed in one batch", e.from.name, c.path, p)
		}
	}
	return nil
}

// resolve returns p as the file spells it: part by part the exact name, else
// the first that is equal but for letter case, else as given.
func (e *Edit) resolve(p keypath.Path) (keypath.Path, error) {
	path := slices.Clone(p)
	n := e.now.root
	for i, name := range p {
		switch {
		case n.Type == ArrayOfTables:
			return nil, fmt.Errorf("%s is an array of tables (%s)", path[:i], n.Range)
		case n.Type != Table:
			return nil, fmt.Errorf("%s has a value and cannot hold keys (%s)", path[:i], n.Range)
		}
		next := n.Get(name)
		if next == nil {
			for _, m := range n.Members {
				if strings.EqualFold(m.Name, name) {
					path[i], next = m.Name, m.Node
					break
				}
			}
		}
		if next == nil {
			return path, nil
		}
		n = next
	}
	return path, nil
}

// find returns the entry of a key that must have one.
func (e *Edit) find(p keypath.Path) (int, keypath.Path, error) {
	path, err := e.resolve(p)
	if err != nil {
		return -1, nil, err
	}
	i, n := e.now.lookupExact(path)
	switch node := e.now.root.At(path); {
	case n > 1:
		return -1, nil, fmt.Errorf("it is defined %d times", n)
	case i >= 0:
		return i, path, nil
	case node != nil:
		return -1, nil, fmt.Errorf("it is a table (%s)", node.Range)
	}
	return -1, nil, ErrNoKey
}

// do makes a new text from splices, and keeps it when it is proved.
func (e *Edit) do(verb string, p keypath.Path, splices []splice, changes ...change) error {
	text, err := splicesOver(e.now.text, splices)
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, p, err)
	}
	next, _ := Parse(e.now.name, []byte(text), e.now.dialect)
	return e.accept(verb, p, next, changes...)
}

func (e *Edit) accept(verb string, p keypath.Path, next *File, changes ...change) error {
	if err := prove(e.now, next, changes); err != nil {
		return fmt.Errorf("%s %s: %w", verb, p, err)
	}
	e.now = next
	e.log = append(e.log, changes...)
	return nil
}
