package migrate

import (
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// fromHandlers moves a key that every handler has alike back into the one key
// for all of them that older releases read.
type fromHandlers struct{ From, To *schema.Key }

func (t fromHandlers) apply(w *work, s *Step) error {
	places := w.places(t.From.Path)
	if len(places) == 0 || w.reads(t.From) {
		return nil
	}
	var value any
	for i, name := range handlersOf(w.before) {
		v, ok := w.before.Lookup(t.From.At(name))
		if !ok || i > 0 && !crioconf.Equal(v.V, value) {
			return nil // what they have is lost, which another step says
		}
		value = v.V
	}
	for _, p := range places {
		w.claim(s, p.entry.Path)
		if err := w.remove(p); err != nil {
			return err
		}
	}
	last := places[len(places)-1]
	w.claim(s, t.To.Path)
	w.say(s, Done, t.From.Path, last.at(), fmt.Sprintf("%s of the handlers becomes %s = %s", t.From.Path.Leaf(), t.To, crioconf.FormatValue(value)), "")
	if crioconf.IsZero(value) {
		return nil
	}
	return w.assign(s, t.To.Path, value, last.file)
}

// needsNewer deals with keys that the new release does not read yet. That is so
// on the way to an older release, and where patch releases of an older minor had
// a key that the first ones of a newer minor lack.
type needsNewer struct{}

func (needsNewer) apply(w *work, s *Step) error {
	for _, f := range w.now.Layers() {
		for e := range w.readable(f).Entries() {
			k := schema.Find(e.Path)
			if k == nil || k.Kind == schema.StringMap && len(e.Path) > len(k.Path) {
				continue
			}
			p := place{f.Name(), e, w.original(f.Name(), e.Path)}
			gone := !k.Removed.IsZero() && !w.to.Known().Less(k.Removed)
			if gone || w.reads(k) || !w.readBefore(k) || !w.inForceBefore(p) {
				continue
			}
			if err := w.giveUp(s, k, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *work) giveUp(s *Step, k *schema.Key, p place) error {
	w.claim(s, p.entry.Path)
	v, _ := w.before.Lookup(p.entry.Path)
	d, _ := k.Default(w.from)
	if k.HasNames() {
		d = k.KindIn(w.from).Zero()
	}
	switch {
	case crioconf.Equal(v.V, d):
		w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("%s is deleted: CRI-O %s does not read it, and it says what is built in", p.entry.Path, w.to), "")
	case w.options.accepted(s.Code):
		w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("%s = %s is deleted: CRI-O %s does not read it", p.entry.Path, crioconf.FormatValue(v.V), w.to), "")
	default:
		w.say(s, Refused, p.entry.Path, p.at(), fmt.Sprintf("CRI-O %s does not read %s = %s, which came with %s", w.to, p.entry.Path, crioconf.FormatValue(v.V), cameWith(k)), "")
		return nil
	}
	return w.remove(p)
}

func cameWith(k *schema.Key) string {
	var names []string
	for _, v := range k.Since {
		names = append(names, short(v))
	}
	return strings.Join(names, ", ")
}

// noDropIns refuses to go to a release that reads no drop-ins.
type noDropIns struct{}

func (noDropIns) apply(w *work, s *Step) error {
	if readsDropIns(w.to) {
		return nil
	}
	for _, f := range w.before.Layers() {
		if w.before.RoleOf(f.Name()) != crioconf.DropIn {
			continue
		}
		for range f.Entries() {
			o := Refused
			if w.options.accepted(s.Code) {
				o = Noted
			}
			w.say(s, o, nil, diag.Range{File: f.Name()}, fmt.Sprintf("CRI-O %s reads no drop-ins", w.to), "Move its keys into the main file.")
			break
		}
	}
	return nil
}
