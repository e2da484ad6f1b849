package migrate

import (
	"fmt"
	"path"
	"strconv"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// remove deletes a key that the new release does not read, or reads and does
// nothing with.
type remove struct {
	Key *schema.Key
	// Same says that the new release behaves as with this value.
	Same any
	// Lost is what gets lost with any other value, "" when nothing does.
	Lost string
	// Ask leaves the line alone until a person has decided about what gets lost.
	Ask  bool
	Hint string
}

func (r remove) apply(w *work, s *Step) error {
	for _, p := range w.places(r.Key.Path) {
		w.claim(s, p.entry.Path)
		reads := "does not read it"
		if w.reads(r.Key) {
			reads = "does nothing with it"
		}
		lost, hint := "", ""
		switch {
		case !w.inForceBefore(p):
			lost = fmt.Sprintf(", and in CRI-O %s it had no effect here", w.from)
		case r.Lost != "" && !r.same(w):
			lost, hint = "; "+r.Lost, r.Hint
			if r.Ask && !w.options.accepted(s.Code) {
				w.say(s, Decide, p.entry.Path, p.at(), fmt.Sprintf("CRI-O %s %s: %s%s", w.to, reads, p.entry.Path, lost), hint)
				continue
			}
		}
		if err := w.remove(p); err != nil {
			return err
		}
		w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("%s is deleted: CRI-O %s %s%s", p.entry.Path, w.to, reads, lost), hint)
	}
	if !r.Key.HasNames() {
		w.claim(s, r.Key.Path)
	}
	return nil
}

func (r remove) same(w *work) bool {
	v, ok := w.before.Lookup(r.Key.Path)
	return !ok || crioconf.Equal(v.V, r.Same) || r.Same == nil && crioconf.IsZero(v.V)
}

// rename gives a key its new name, with the same value.
type rename struct {
	From, To *schema.Key
	Dead     schema.Version // the first release that does nothing with From; zero: none
}

func (r rename) apply(w *work, s *Step) error {
	places := w.places(r.From.Path)
	if len(places) == 0 {
		return nil
	}
	taken := len(w.places(r.To.Path)) > 0
	dead := !r.Dead.IsZero() && !w.from.Known().Less(r.Dead)
	for _, p := range places {
		text := fmt.Sprintf("%s is deleted: %s is set", r.From, r.To)
		switch {
		case dead:
			text = fmt.Sprintf("%s is deleted: CRI-O %s does nothing with it", r.From, w.from)
			if err := w.remove(p); err != nil {
				return err
			}
		case !taken && w.inForceBefore(p):
			taken = true
			if err := w.move(p, r.To.Path, nil); err != nil {
				return err
			}
			text = fmt.Sprintf("%s becomes %s", r.From, r.To)
		default:
			if !w.inForceBefore(p) {
				text = fmt.Sprintf("%s is deleted: it had no effect here", r.From)
			}
			if err := w.remove(p); err != nil {
				return err
			}
		}
		w.say(s, Done, r.From.Path, p.at(), text, "")
	}
	w.claim(s, r.From.Path)
	w.claim(s, r.To.Path)
	return nil
}

// move gives a key another name and, unless it is nil, another value. In its own
// table it keeps its line; else its comment goes with it.
func (w *work) move(p place, to keypath.Path, v *tomlfile.Value) error {
	if !p.entry.Path.Parent().EqualFold(to.Parent()) {
		return w.moveAway(p, to, v)
	}
	if err := w.edit(p.file, func(e *tomlfile.Edit) error { return e.Rename(p.entry.Path, to.Leaf()) }); err != nil {
		return err
	}
	if v == nil {
		return nil
	}
	return w.set(p.file, p.entry.Path.Parent().Child(to.Leaf()), *v)
}

func (w *work) moveAway(p place, to keypath.Path, v *tomlfile.Value) error {
	comment := w.commentOf(p)
	if v == nil {
		raw := tomlfile.RawValue(p.entry.Raw)
		v = &raw
	}
	if err := w.remove(p); err != nil {
		return err
	}
	if err := w.set(p.file, to, *v); err != nil {
		return err
	}
	return w.comment(p.file, to, comment)
}

// comment puts a comment above a key, where it can have one.
func (w *work) comment(file string, p keypath.Path, text string) error {
	if text == "" {
		return nil
	}
	return w.edit(file, func(e *tomlfile.Edit) error { return e.Comment(p, text) })
}

// intoList makes one of several directories out of a key that named one.
type intoList struct {
	From, To *schema.Key
	// Built says that the built-in directories come first, as CRI-O itself adds
	// the old key at the end of the list.
	Built bool
}

func (r intoList) apply(w *work, s *Step) error {
	places := w.places(r.From.Path)
	if len(places) == 0 {
		return nil
	}
	have, _ := w.now.Lookup(r.To.Path)
	if have.Origin.Kind == crioconf.Flag || have.Origin.Kind == crioconf.Variable {
		w.say(s, Noted, r.From.Path, places[0].at(),
			fmt.Sprintf("%s stays: %s of the unit sets %s", r.From, have.Origin.Name, r.To), "Add the directory there.")
		return nil
	}
	live := w.liveDirs(places)
	list, _ := have.V.([]string)
	if !r.Built && have.Origin.Kind == crioconf.Default {
		list = nil
	}
	list = union(list, live)
	for i, p := range places {
		if err := r.place(w, s, p, i == len(places)-1, have, list); err != nil {
			return err
		}
	}
	w.claim(s, r.From.Path)
	w.claim(s, r.To.Path)
	return nil
}

// place deals with one occurrence. The last one counts.
func (r intoList) place(w *work, s *Step, p place, last bool, have crioconf.Value, list []string) error {
	v := tomlfile.StringsValue(list)
	switch {
	case !last, len(stringsOf(p.entry.Node)) == 0:
		w.say(s, Done, r.From.Path, p.at(), fmt.Sprintf("%s is deleted: it had no effect", r.From), "")
		return w.remove(p)
	case have.Origin.Kind == crioconf.File:
		w.say(s, Done, r.From.Path, p.at(), fmt.Sprintf("%s joins %s in %s: %s", r.From, r.To, have.Origin.Range.File, crioconf.FormatValue(list)), "")
		if err := w.remove(p); err != nil {
			return err
		}
		return w.set(have.Origin.Range.File, r.To.Path, v)
	}
	w.say(s, Done, r.From.Path, p.at(), fmt.Sprintf("%s becomes %s = %s", r.From, r.To, crioconf.FormatValue(list)), "")
	return w.move(p, r.To.Path, &v)
}

// liveDirs returns what the last of the places says.
func (w *work) liveDirs(places []place) []string {
	return stringsOf(places[len(places)-1].entry.Node)
}

func stringsOf(n *tomlfile.Node) []string {
	if n.Type == tomlfile.String && n.Str != "" {
		return []string{n.Str}
	}
	var list []string
	for _, e := range n.Elems {
		if e.Type == tomlfile.String && e.Str != "" {
			list = append(list, e.Str)
		}
	}
	return list
}

// union appends directories that are not in the list yet. A slash at the end
// makes no other directory.
func union(list, more []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, dir := range append(append([]string{}, list...), more...) {
		if clean := path.Clean(dir); !seen[clean] {
			seen[clean] = true
			all = append(all, dir)
		}
	}
	return all
}

// numbers takes the quotes off numbers.
type numbers struct{ Keys []*schema.Key }

func (n numbers) apply(w *work, s *Step) error {
	for _, k := range n.Keys {
		if !w.reads(k) {
			continue
		}
		for _, p := range w.places(k.Path) {
			if p.entry.Node.Type != tomlfile.String {
				continue
			}
			if err := n.unquote(w, s, p, k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n numbers) unquote(w *work, s *Step, p place, k *schema.Key) error {
	w.claim(s, p.entry.Path)
	w.claim(s, p.entry.Path.Parent()) // 1.21.0 reads the whole table as one key
	i, err := strconv.ParseInt(p.entry.Node.Str, 10, 64)
	if err != nil || i < 0 && k.Kind == schema.Uint {
		w.say(s, Decide, p.entry.Path, p.at(), fmt.Sprintf("%s is %s, and CRI-O %s wants a number", p.entry.Path, p.entry.Raw, w.to), "Write the number that is meant.")
		return nil
	}
	w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("%s loses its quotes: %s becomes %d", p.entry.Path.Leaf(), p.entry.Raw, i), "")
	return w.set(p.file, p.entry.Path, tomlfile.IntValue(i))
}
