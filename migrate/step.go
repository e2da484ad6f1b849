package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// A Step is one rule of what to do with the files on the way to a release.
type Step struct {
	Code  string         // short, lower case, hyphens; never changes its meaning
	Title string         // one clause
	Text  string         // what changed in CRI-O and what becomes of the files
	Since schema.Version // the first release that it is taken for
	Until schema.Version // the first release that it is no longer taken for; zero: none
	Down  bool           // taken on the way to an older release only
	Do    Edit           // what it does to the files
}

// An Edit is a kind of change of files. The kinds are those of this package.
type Edit interface{ apply(w *work, s *Step) error }

func (s *Step) appliesTo(from, to schema.Version) bool {
	if s.Down && !to.Less(from) {
		return false
	}
	return !to.Known().Less(s.Since) && (s.Until.IsZero() || to.Known().Less(s.Until))
}

// Outcome is what became of a step. The zero value is invalid.
type Outcome uint8

// Done: the files are changed. Noted: nothing had to change, but there is
// something to know. Decide: a person has to decide, and the line stays as it
// is. Refused: the new release cannot do what the files ask for.
const (
	Done Outcome = iota + 1
	Noted
	Decide
	Refused
)

// String returns the lower-case name.
func (o Outcome) String() string {
	switch o {
	case Done:
		return "done"
	case Noted:
		return "note"
	case Decide:
		return "decide"
	case Refused:
		return "refused"
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// MarshalText makes outcomes readable in JSON and YAML.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Taken is a step at one place.
type Taken struct {
	Code    string
	Outcome Outcome
	Key     keypath.Path
	Range   diag.Range // in the files as they were before the step
	Text    string     // what happens here
	Hint    string     // what to do, for Noted, Decide and Refused
}

// A claim is the announcement that a key changes.
type claim struct{ code, why string }

// work is a migration under way.
type work struct {
	options  Options
	from, to schema.Version
	before   *crioconf.Config // the files as they are, under from
	start    *crioconf.Config // the files as they are, under to
	now      *crioconf.Config // the files as edited so far, under to

	taken      []Taken
	claims     map[string]claim
	others     []crioconf.FileChange
	setAside   string
	registries []byte
}

func (w *work) take(s *Step) error {
	if !s.appliesTo(w.from, w.to) {
		return nil
	}
	if err := s.Do.apply(w, s); err != nil {
		return fmt.Errorf("step %s: %w", s.Code, err)
	}
	return nil
}

// say records what a step did at a place.
func (w *work) say(s *Step, o Outcome, key keypath.Path, at diag.Range, text, hint string) {
	w.taken = append(w.taken, Taken{s.Code, o, key, at, text, hint})
}

// claim announces that a step changes a key, or an entry and all its keys.
func (w *work) claim(s *Step, p keypath.Path) {
	w.claims[p.String()] = claim{s.Code, s.Title}
}

// A place is a key in a file.
type place struct {
	file  string // as people know it
	entry *tomlfile.Entry
	was   *tomlfile.Entry // in the file as it was before all steps, nil when it is new
}

// at returns where the key stood at first.
func (p place) at() diag.Range {
	if p.was == nil {
		return p.entry.Key
	}
	return p.was.Key
}

// places returns where files name a key, in the order in which CRI-O reads them.
// Free names of the path are "*", letter case counts as little as it does to
// CRI-O.
func (w *work) places(pattern keypath.Path) []place {
	var list []place
	for _, f := range w.now.Layers() {
		f = w.readable(f)
		for e := range f.Entries() {
			if fits(e.Path, pattern) {
				list = append(list, place{f.Name(), e, w.original(f.Name(), e.Path)})
			}
		}
	}
	return list
}

// original returns the entry of a file as it was before all steps.
func (w *work) original(file string, p keypath.Path) *tomlfile.Entry {
	for _, f := range w.start.Layers() {
		if f.Name() == file {
			e, _ := w.readable(f).Lookup(p)
			return e
		}
	}
	return nil
}

// fits compares a path with a pattern, in which "*" stands for any name.
func fits(p, pattern keypath.Path) bool {
	return slices.EqualFunc(p, pattern, func(a, b string) bool { return b == "*" || strings.EqualFold(a, b) })
}

// readable returns the file in the dialect of the new release, or in that of the
// old one where only that reads it.
func (w *work) readable(f *tomlfile.File) *tomlfile.File {
	if f.Refused() == nil {
		return f
	}
	old, _ := tomlfile.Parse(f.Name(), f.Source(), w.before.Schema().Dialect())
	if old.Refused() == nil {
		return old
	}
	return f
}

func (w *work) file(name string) *tomlfile.File {
	for _, f := range w.now.Layers() {
		if f.Name() == name {
			return w.readable(f)
		}
	}
	return nil
}

// edit changes one file.
func (w *work) edit(name string, change func(*tomlfile.Edit) error) error {
	f := w.file(name)
	if f == nil {
		return fmt.Errorf("edit %s: no such layer", name)
	}
	e := f.Edit()
	if err := change(e); err != nil {
		return fmt.Errorf("edit %s: %w", name, err)
	}
	edited, err := e.Apply()
	if err != nil {
		return fmt.Errorf("edit %s: %w", name, err)
	}
	w.now, _ = w.now.With(name, edited.Source())
	return nil
}

// remove deletes a key from a file, with the comment that belongs to it alone.
func (w *work) remove(p place) error {
	how := tomlfile.KeepComment
	if w.ownsComment(p) {
		how = tomlfile.WithComment
	}
	return w.edit(p.file, func(e *tomlfile.Edit) error { return e.Delete(p.entry.Path, how) })
}

// set gives a key a value in a file.
func (w *work) set(file string, p keypath.Path, v tomlfile.Value) error {
	return w.edit(file, func(e *tomlfile.Edit) error { return e.Set(p, v) })
}

// inForceBefore reports whether the place gives the key its value under the old
// release.
func (w *work) inForceBefore(p place) bool {
	v, ok := w.before.Lookup(p.entry.Path)
	return ok && p.was != nil && v.Origin.Kind == crioconf.File && v.Origin.Range == p.was.Value
}

// readBefore reports whether the old release reads the key.
func (w *work) readBefore(k *schema.Key) bool { return readIn(w.before, k) }

// reads reports whether the new release reads the key.
func (w *work) reads(k *schema.Key) bool { return readIn(w.start, k) }

func readIn(c *crioconf.Config, k *schema.Key) bool {
	found, _ := c.Schema().Lookup(k.Path)
	return found != nil
}
