package migrate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

const (
	// DropInName is the drop-in that the main file becomes. Like that it comes
	// before all others.
	DropInName = "00-migrated.conf"
	// SetAsideDir is where the former main file is kept, a name in the file
	// system. CRI-O does not look there.
	SetAsideDir = "var/lib/crioctl-net/set-aside"
)

const codeToDropIn = "to-drop-in"

func rangeOf(file string) diag.Range { return diag.Range{File: file} }

// toDropIn turns the main file, which is minimized, into a drop-in.
func (w *work) toDropIn(main string) error {
	layout := w.now.Layout()
	say := func(o Outcome, text, hint string) {
		w.taken = append(w.taken, Taken{Code: codeToDropIn, Outcome: o, Range: rangeOf(main), Text: text, Hint: hint})
	}
	f := w.file(main)
	name := path.Join(layout.DropInDir, DropInName)
	switch {
	case !readsDropIns(w.to) || layout.DropInDir == "":
		say(Refused, fmt.Sprintf("CRI-O %s reads no drop-ins here, so the main file has to stay", w.to), "")
		return nil
	case f.Refused() != nil:
		say(Decide, "the main file is not TOML", "Put it right first.")
		return nil
	case w.now.RoleOf(name) != 0:
		say(Decide, DropInName+" exists already", "Give it another name, or put the two together.")
		return nil
	}
	d := dropIn{work: w, file: f}
	text := d.text()
	next := w.now
	if len(text) > 0 {
		next, _ = next.With(name, text)
	}
	next, _ = next.With(main, w.emptyMain())
	if changes := w.now.Diff(next); len(changes) > 0 {
		say(Decide, fmt.Sprintf("as a drop-in it would not have the same effect: %s would change", changes[0].Path), "Keep the main file.")
		return nil
	}
	original := w.sourceBefore(main)
	w.now = next
	w.setAside = path.Join(SetAsideDir, fmt.Sprintf("%s-%x", path.Base(layout.Main), sha256.Sum256(original))[:len(path.Base(layout.Main))+9])
	w.others = append(w.others, crioconf.FileChange{Name: w.setAside, After: original})
	if len(text) > 0 {
		say(Done, fmt.Sprintf("%d of its keys become the drop-in %s", d.keys, DropInName), "")
	} else {
		say(Done, "it says nothing that CRI-O does not do anyway, and no drop-in is needed", "")
	}
	if len(d.left) > 0 {
		say(Noted, "left behind, as CRI-O passes over them or something later wins: "+strings.Join(d.left, ", "), "")
	}
	return nil
}

// emptyMain returns what stays of the main file: nothing, or a comment where the
// unit names it and CRI-O does not start without it.
func (w *work) emptyMain() []byte {
	if !w.options.Host.MainNamed {
		return nil
	}
	return []byte("# Empty: the drop-in directory holds the configuration. The unit of CRI-O names\n# this file, so it has to exist.\n")
}

// sourceBefore returns the bytes of a file before all steps.
func (w *work) sourceBefore(name string) []byte {
	for _, f := range w.start.Layers() {
		if f.Name() == name {
			return f.Source()
		}
	}
	return nil
}

// A dropIn is the main file on its way to become one.
type dropIn struct {
	*work
	file *tomlfile.File
	keys int
	left []string // what has no effect
}

// text writes the keys that are in force, each below its table and with its
// comment.
func (d *dropIn) text() []byte {
	tables := map[string]*bytes.Buffer{}
	var order []keypath.Path
	open := func(p keypath.Path) *bytes.Buffer {
		b := tables[p.String()]
		if b == nil {
			b = &bytes.Buffer{}
			tables[p.String()] = b
			order = append(order, p)
		}
		return b
	}
	for _, p := range d.entries() {
		open(p)
	}
	var whole keypath.Path
	for e := range d.file.Entries() {
		if whole != nil && e.Path.HasPrefix(whole) {
			continue // a member of an inline table that was taken as a whole
		}
		whole = nil
		if e.Node.Type == tomlfile.Table && d.isTable(e.Path) {
			continue // its members come one by one
		}
		whole = e.Path
		if !d.inForce(e) {
			d.left = append(d.left, e.Path.String())
			continue
		}
		d.keys++
		b := open(e.Path.Parent())
		for line := range strings.Lines(d.commentOf(place{d.file.Name(), e, nil})) {
			b.WriteString(strings.TrimRight("# "+strings.TrimRight(line, "\n"), " ") + "\n")
		}
		fmt.Fprintf(b, "%s = %s\n", keypath.QuotePart(e.Path.Leaf()), strings.ReplaceAll(e.Raw, "\r\n", "\n"))
	}
	if len(order) == 0 {
		return nil
	}
	out := bytes.NewBufferString("# The main file of this node until crioctl-net made it this drop-in, which holds\n# what CRI-O does not do anyway.\n")
	for _, p := range order {
		fmt.Fprintf(out, "\n[%s]\n%s", p, tables[p.String()])
	}
	return out.Bytes()
}

// isTable reports whether CRI-O has a table of further keys at the path.
func (d *dropIn) isTable(p keypath.Path) bool {
	s := d.now.Schema()
	k, _ := s.Lookup(p)
	return s.Table(p) && (k == nil || k.Kind == schema.Entries)
}

// entries returns the runtimes and workloads entries of the file that count, in
// the order in which they stand there. Those that say what is built in anyway are
// not needed.
func (d *dropIn) entries() []keypath.Path {
	var list []keypath.Path
	for _, in := range []*schema.Key{schema.Runtimes, schema.Workloads} {
		node := d.file.Root().At(in.Path)
		if node == nil || node.Type != tomlfile.Table {
			continue
		}
		for _, m := range node.Members {
			p := in.Path.Child(m.Name)
			if d.counts(p) && !d.likeBuiltin(p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// counts reports whether the entry of the main file is the one in force.
func (d *dropIn) counts(entry keypath.Path) bool {
	for p, v := range d.now.All() {
		if p.HasPrefix(entry) && v.Origin.Kind != crioconf.Default {
			return v.Origin.Range.File == d.file.Name()
		}
		if p.HasPrefix(entry) && !v.Origin.Range.IsZero() {
			return v.Origin.Range.File == d.file.Name()
		}
	}
	return false
}

// likeBuiltin reports whether the entry is the built-in one, key by key.
func (d *dropIn) likeBuiltin(entry keypath.Path) bool {
	s := d.now.Schema()
	if !entry.Equal(schema.Runtimes.Path.Child(s.BuiltinRuntime())) {
		return false
	}
	for _, k := range s.Keys() {
		if !k.Path.HasPrefix(schema.Runtimes.Path.Child("*")) || k.ReloadIn(d.to) == schema.NoEffect {
			continue
		}
		v, ok := d.now.Lookup(k.At(entry.Leaf()))
		if ok && !crioconf.Equal(v.V, s.Default(k)) {
			return false
		}
	}
	return true
}

// inForce reports whether CRI-O takes the value from this place, or from the
// entry that it stands in.
func (d *dropIn) inForce(e *tomlfile.Entry) bool {
	v, ok := d.now.Lookup(e.Path)
	if !ok {
		k, _ := d.now.Schema().Lookup(e.Path)
		if k == nil && len(e.Path) > 1 {
			// A member of a table of strings that has a header of its own.
			v, ok = d.now.Lookup(e.Path.Parent())
			return ok && v.Key.Kind == schema.StringMap && v.Origin.Range.File == d.file.Name()
		}
		return false
	}
	for _, p := range []*schema.Key{schema.Runtimes, schema.Workloads} {
		if e.Path.HasPrefix(p.Path) && len(e.Path) > len(p.Path) && d.likeBuiltin(e.Path[:len(p.Path)+1]) {
			return false
		}
	}
	if v.Origin.Range == e.Value {
		return true
	}
	return v.Key.MergeIn(d.to) == schema.AppendUnique
}
