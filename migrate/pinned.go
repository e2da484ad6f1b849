package migrate

import (
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// pinned deals with lines that give a key the built-in value of an older
// release: most came with a copy of the whole default file.
type pinned struct{}

func (pinned) apply(w *work, s *Step) error {
	list := Defaults()
	for i := range list {
		d := &list[i]
		if w.movesOn(d.Key) || d.Key.HasNames() || d.Key.Kind == schema.Entries || !w.reads(d.Key) {
			continue
		}
		if err := w.pinnedAt(s, d); err != nil {
			return err
		}
	}
	return nil
}

// movesOn reports whether a later step deals with the key, old value or not.
func (w *work) movesOn(k *schema.Key) bool {
	return k == schema.PluginDir.Key || k == schema.DefaultRuntime.Key && w.options.Pinned != DropDefaults || w.reads(schema.HandlerMonitorPath.Key) &&
		(k == schema.Conmon.Key || k == schema.ConmonCgroup.Key || k == schema.ConmonEnv.Key)
}

func (w *work) pinnedAt(s *Step, d *Default) error {
	for {
		v, ok := w.now.Lookup(d.Key.Path)
		if !ok || v.Origin.Kind != crioconf.File || !w.isOldDefault(d, v.Origin.Value) {
			return nil
		}
		p, ok := w.placeOf(v.Origin)
		if !ok {
			return nil
		}
		now, _ := d.Key.Default(w.to)
		what := fmt.Sprintf("%s = %s is built into %s; CRI-O %s has %s", d.Key, crioconf.FormatValue(v.Origin.Value), other(d, v.Origin.Value, w.from), w.to, crioconf.FormatValue(now))
		if !w.drops(d) {
			w.taken = append(w.taken, Taken{d.Code, Noted, d.Key.Path, p.at(), what + ". The line stays", d.Why + ". Delete the line, or give --drop-defaults, for the built-in value."})
			return nil
		}
		w.taken = append(w.taken, Taken{d.Code, Done, d.Key.Path, p.at(), what + ". The line is deleted", ""})
		w.claims[d.Key.String()] = claim{d.Code, "the line pinned an older built-in value: " + d.Why}
		if err := w.remove(p); err != nil {
			return err
		}
	}
}

// other names the releases that have the value built in.
func other(d *Default, v any, from schema.Version) string {
	if was, ok := d.Key.Default(from); ok && crioconf.Equal(v, was) {
		return "CRI-O " + from.String()
	}
	return "other releases"
}

func (w *work) drops(d *Default) bool {
	switch w.options.Pinned {
	case KeepPinned:
		return false
	case DropDefaults:
		return true
	}
	return d.Drop
}

// isOldDefault reports whether the value is the built-in one of the old release,
// or where that is enough of any release before, and not that of the new one.
func (w *work) isOldDefault(d *Default, v any) bool {
	now, _ := d.Key.Default(w.to)
	if crioconf.Equal(v, now) {
		return false
	}
	if was, ok := d.Key.Default(w.from); ok && crioconf.Equal(v, was) {
		return true
	}
	if !d.Any {
		return false
	}
	newer := w.from
	if newer.Less(w.to) {
		newer = w.to
	}
	for _, old := range d.Key.Defaults {
		if !newer.Known().Less(old.Since) && crioconf.Equal(v, old.Value) {
			return true
		}
	}
	name, ok := v.(string)
	return ok && d.Key == schema.AppArmorProfile.Key && isAppArmorDefault(name)
}

// isAppArmorDefault reports whether it is the name of the built-in profile of
// some release: crio-default, with the number of the release from 1.15.1 to 1.17
// (cri-o pkg/config/config.go, DefaultConfig).
func isAppArmorDefault(name string) bool {
	rest, ok := strings.CutPrefix(name, "crio-default")
	if !ok {
		return false
	}
	number, ok := strings.CutPrefix(rest, "-")
	if !ok {
		return rest == ""
	}
	_, err := schema.ParseVersion(number)
	return err == nil
}

// placeOf returns the place of a value that a file sets.
func (w *work) placeOf(o crioconf.Origin) (place, bool) {
	f := w.file(o.Range.File)
	if f == nil {
		return place{}, false
	}
	for e := range f.Entries() {
		if e.Value == o.Range {
			return place{f.Name(), e, w.original(f.Name(), e.Path)}, true
		}
	}
	return place{}, false
}
