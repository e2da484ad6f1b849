package migrate

import (
	"fmt"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// pinnedHandler drops a table that repeats the built-in handler of the old
// release: it replaces the built-in one of the new release as a whole, and what
// that has besides gets lost.
type pinnedHandler struct{}

func (pinnedHandler) apply(w *work, s *Step) error {
	name := w.before.Schema().BuiltinRuntime()
	if name == "" || w.options.Pinned == KeepPinned {
		return nil
	}
	file, ok := w.repeatsBuiltin(name)
	if !ok {
		return nil
	}
	entry := schema.Runtimes.Path.Child(name)
	at := w.file(file).Root().At(entry).Range
	is := w.now.Schema().BuiltinRuntime()
	if name != is && (w.options.Pinned != DropDefaults || w.named(name)) {
		return nil // it is needed where the new release has none of that name
	}
	w.claim(s, entry)
	w.say(s, Done, entry, at, fmt.Sprintf("[%s] is deleted: it repeats what CRI-O %s has built in", entry, w.from), "")
	return w.edit(file, func(e *tomlfile.Edit) error { return e.DeleteTable(entry, tomlfile.WithComment) })
}

// named reports whether the files name the handler as the default one.
func (w *work) named(handler string) bool {
	v, _ := w.now.Lookup(schema.DefaultRuntime.Path)
	return v.V == handler
}

// repeatsBuiltin reports whether the handler is defined in one file, with the
// values that the old release has built in, and returns that file.
func (w *work) repeatsBuiltin(name string) (file string, ok bool) {
	entry := schema.Runtimes.Path.Child(name)
	for _, f := range w.now.Layers() {
		if w.readable(f).Root().At(entry) == nil {
			continue
		}
		if file != "" || !w.onlyKnown(f, entry) {
			return "", false
		}
		file = f.Name()
	}
	if file == "" {
		return "", false
	}
	for _, k := range w.before.Schema().Keys() {
		if !k.Path.HasPrefix(schema.Runtimes.Path.Child("*")) || k.ReloadIn(w.from) == schema.NoEffect {
			continue
		}
		v, found := w.before.Lookup(k.At(name))
		d, _ := k.Default(w.from)
		same := found && crioconf.Equal(v.V, d) || k == schema.HandlerRuntimeType.Key && v.V == ""
		if !same {
			return "", false
		}
	}
	return file, true
}

// onlyKnown reports whether all keys of the entry are of its own. Others, such as
// a toggle that landed there, are somebody's wish.
func (w *work) onlyKnown(f *tomlfile.File, entry keypath.Path) bool {
	for e := range w.readable(f).Entries() {
		if !e.Path.HasPrefix(entry) || len(e.Path) == len(entry) {
			continue
		}
		if k := schema.Find(e.Path); k == nil || !w.readBefore(k) {
			return false
		}
	}
	return true
}
