package migrate

import (
	"fmt"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// reduce leaves out what changes nothing, as far as that is asked for.
func (w *work) reduce() error {
	main := ""
	for _, f := range w.now.Layers() {
		if w.now.RoleOf(f.Name()) == crioconf.Main {
			main = f.Name()
		}
	}
	for _, f := range w.now.Layers() {
		if !w.options.Minimize && (!w.options.ToDropIn || f.Name() != main) || f.Refused() != nil {
			continue
		}
		if err := w.minimize(f.Name()); err != nil {
			return err
		}
	}
	if w.options.ToDropIn && main != "" {
		return w.toDropIn(main)
	}
	return nil
}

// minimize deletes the keys of a file without which the effective configuration
// is the same.
func (w *work) minimize(file string) error {
	list := w.redundant(file)
	next, err := w.without(file, list)
	if err != nil {
		return err
	}
	if len(w.now.Diff(next)) == 0 {
		w.minimized(file, len(list), next)
		return nil
	}
	// Together they change something; each by itself may not.
	n := 0
	for _, p := range list {
		next, err := w.without(file, []keypath.Path{p})
		if err != nil {
			return err
		}
		if len(w.now.Diff(next)) == 0 {
			w.now = next
			n++
		}
	}
	w.minimized(file, n, w.now)
	return nil
}

func (w *work) minimized(file string, n int, next *crioconf.Config) {
	w.now = next
	if n == 0 {
		return
	}
	keys := "keys go that say"
	if n == 1 {
		keys = "key goes that says"
	}
	w.taken = append(w.taken, Taken{Code: "minimize", Outcome: Done, Range: rangeOf(file), Text: fmt.Sprintf("%d %s what CRI-O %s does anyway", n, keys, w.to)})
}

// without returns the configuration without some keys of a file.
func (w *work) without(file string, list []keypath.Path) (*crioconf.Config, error) {
	f := w.file(file)
	e := f.Edit()
	for _, p := range list {
		how := tomlfile.KeepComment
		if entry, _ := f.Lookup(p); entry != nil && w.ownsComment(place{file, entry, nil}) {
			how = tomlfile.WithComment
		}
		if err := e.Delete(p, how); err != nil {
			return nil, fmt.Errorf("edit %s: %w", file, err)
		}
	}
	edited, err := e.Apply()
	if err != nil {
		return nil, fmt.Errorf("edit %s: %w", file, err)
	}
	next, _ := w.now.With(file, edited.Source())
	return next, nil
}

// redundant lists the keys of a file that say what would hold without them.
func (w *work) redundant(file string) []keypath.Path {
	var list []keypath.Path
	var last keypath.Path
	for e := range w.file(file).Entries() {
		if last != nil && e.Path.HasPrefix(last) {
			continue // it stands in an inline table that goes as a whole
		}
		if w.isRedundant(e) {
			list, last = append(list, e.Path), e.Path
		}
	}
	return list
}

func (w *work) isRedundant(e *tomlfile.Entry) bool {
	v, ok := w.now.Lookup(e.Path)
	if !ok || v.Origin.Range != e.Value {
		return false
	}
	below := any(nil)
	switch {
	case v.Key.HasNames():
		below = v.Key.KindIn(w.to).Zero() // an entry starts empty
	case len(v.Shadowed) > 0:
		below = v.Shadowed[0].Value
	}
	if v.Key.MergeIn(w.to) == schema.AppendUnique {
		below = nil // an option that is said twice may stand elsewhere
	}
	return crioconf.Equal(v.Origin.Value, below)
}
