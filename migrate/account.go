package migrate

import (
	"fmt"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// A Row of the account is a key whose effective value the migration changes: by
// a step, or because the new release does with the same files something else.
type Row struct {
	Key                 keypath.Path
	Before, After       crioconf.Value
	HadBefore, HasAfter bool   // the release has the key
	Code                string // of the step or the list entry that announces it, "" when nothing does
	Why                 string
}

// BeforeText returns the value before as TOML, or says that there was no such
// key.
func (r Row) BeforeText() string { return r.text(r.HadBefore, r.Before) }

// AfterText returns the value after likewise.
func (r Row) AfterText() string { return r.text(r.HasAfter, r.After) }

func (r Row) text(has bool, v crioconf.Value) string {
	if !has {
		return "(no such key)"
	}
	return crioconf.FormatValue(v.V)
}

// unannounced returns the rows that nothing accounts for.
func (r *Result) unannounced() []Row {
	var rows []Row
	for _, row := range r.Table {
		if row.Code == "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// account compares the effective configurations and names the reason of every
// difference.
func (w *work) account() []Row {
	a := accountant{w, defaultsByKey()}
	var rows []Row
	for _, c := range w.before.Diff(w.now) {
		row := Row{Key: c.Path, Before: c.Before, After: c.After, HadBefore: c.HadBefore, HasAfter: c.HasAfter}
		if k := a.key(row); k.ReloadIn(w.from) == schema.NoEffect && k.ReloadIn(w.to) == schema.NoEffect {
			continue // a list that CRI-O works out for itself
		}
		row.Code, row.Why = a.reason(row)
		rows = append(rows, row)
	}
	return rows
}

type accountant struct {
	*work
	defaults map[*schema.Key]*Default
}

// key returns the declaration of the row's key.
func (a accountant) key(r Row) *schema.Key {
	if r.After.Key != nil {
		return schema.Find(r.After.Key.Path)
	}
	return schema.Find(r.Before.Key.Path)
}

// reason finds what announces a row.
func (a accountant) reason(r Row) (code, why string) {
	for n := len(r.Key); n > 0; n-- {
		if c, ok := a.claims[r.Key[:n].String()]; ok {
			return c.code, c.why
		}
	}
	k := a.key(r)
	for _, look := range []func(Row, *schema.Key) (string, string){
		a.byMerge, a.byRelease, a.byDefault, a.byHandler, a.byAdjustment, a.byUnit, a.byRefusal,
	} {
		if code, why := look(r, k); code != "" {
			return code, why
		}
	}
	return "", ""
}

// byRelease accounts for keys that only one of the releases has.
func (a accountant) byRelease(r Row, k *schema.Key) (code, why string) {
	in, was := a.reads(k), a.readBefore(k)
	switch {
	case in && !was && r.After.Origin.Kind != crioconf.Default && !r.HadBefore:
		return "key-in-force", fmt.Sprintf("CRI-O %s reads the key, which CRI-O %s passed over", a.to, a.from)
	case in && !was:
		return "new-key", newKeyText(a.defaults[k], k, a.to)
	case was && !in && r.Before.Origin.Kind == crioconf.Default:
		return "key-gone", fmt.Sprintf("CRI-O %s has no such key, and no file sets it", a.to)
	}
	return "", ""
}

func newKeyText(d *Default, k *schema.Key, to schema.Version) string {
	if d != nil && d.New != "" {
		return d.New
	}
	return fmt.Sprintf("new in CRI-O %s", sinceText(k, to))
}

// sinceText names the first release up to v that reads the key.
func sinceText(k *schema.Key, v schema.Version) string {
	text := v.String()
	for _, b := range k.Since {
		if !v.Known().Less(b) {
			text = short(b)
		}
	}
	return text
}

// short leaves out a patch number of zero.
func short(v schema.Version) string {
	if v.Patch == 0 {
		return v.Release()
	}
	return v.String()
}

// byDefault accounts for built-in values that differ, where no file says
// anything.
func (a accountant) byDefault(r Row, k *schema.Key) (code, why string) {
	if r.Before.Origin.Kind != crioconf.Default || r.After.Origin.Kind != crioconf.Default {
		return "", ""
	}
	if r.HadBefore && r.HasAfter && r.Before.Origin.Range.IsZero() && r.After.Origin.Range.IsZero() {
		if d := a.defaults[k]; d != nil {
			return d.Code, d.Why
		}
	}
	return "", ""
}

// byHandler accounts for the built-in entry of the handlers: another one in the
// new release, or one that an old release drops by its rule.
func (a accountant) byHandler(r Row, k *schema.Key) (code, why string) {
	if !r.Key.HasPrefix(schema.Runtimes.Path) || len(r.Key) <= len(schema.Runtimes.Path) {
		return "", ""
	}
	name := r.Key[len(schema.Runtimes.Path)]
	was, is := a.before.Schema().BuiltinRuntime(), a.now.Schema().BuiltinRuntime()
	switch {
	case r.HadBefore == r.HasAfter:
		return "", ""
	case name == was && !r.HadBefore && dropsBuiltin(a.from), name == is && !r.HasAfter && dropsBuiltin(a.to):
		return "handler-dropped", "1.18 to 1.25.0 drop the built-in handler for what other handlers the files name; other releases keep it"
	case r.HadBefore && name == was && name != is, r.HasAfter && name == is && name != was:
		return "builtin-handler", fmt.Sprintf("the built-in handler is %s, where CRI-O %s has %s", is, a.from, was)
	}
	return "", ""
}

// dropsBuiltin reports whether the release drops its built-in handler for what a
// file says (cri-o pkg/config/config.go, UpdateFromFile).
func dropsBuiltin(v schema.Version) bool {
	v = v.Known()
	return !v.Less(schema.Version{Major: 1, Minor: 18}) && v.Less(schema.Version{Major: 1, Minor: 25, Patch: 1})
}

// byMerge accounts for files and values that the releases put together in
// another way.
func (a accountant) byMerge(r Row, k *schema.Key) (code, why string) {
	byFile := r.Before.Origin.Kind == crioconf.File || r.After.Origin.Kind == crioconf.File
	if byFile && k.MergeIn(a.from) != k.MergeIn(a.to) {
		return "merge-rule", fmt.Sprintf("several files are put together in another way: %s, where CRI-O %s has %s", k.MergeIn(a.to), a.from, k.MergeIn(a.from))
	}
	if reads := a.readsDropIns(); reads != nil {
		for _, v := range []crioconf.Value{r.Before, r.After} {
			if at := v.Origin.Range; !at.IsZero() && reads.RoleOf(at.File) == crioconf.DropIn {
				return "drop-ins-read", "drop-ins are read since CRI-O 1.17"
			}
		}
	}
	return "", ""
}

// readsDropIns returns the side that alone reads drop-ins, nil when there is
// none.
func (a accountant) readsDropIns() *crioconf.Config {
	switch was, is := readsDropIns(a.from), readsDropIns(a.to); {
	case was && !is:
		return a.before
	case is && !was:
		return a.now
	}
	return nil
}

func readsDropIns(v schema.Version) bool {
	return !v.Known().Less(schema.Version{Major: 1, Minor: 17})
}

// byAdjustment accounts for values that CRI-O puts in place of those of a file.
func (a accountant) byAdjustment(r Row, k *schema.Key) (code, why string) {
	switch {
	case r.After.Adjusted && !r.Before.Adjusted:
		return "replaced-value", fmt.Sprintf("CRI-O %s puts this value in place of %s", a.to, crioconf.FormatValue(r.After.Origin.Value))
	case r.Before.Adjusted && !r.After.Adjusted:
		return "replaced-value", fmt.Sprintf("CRI-O %s takes the value as it is written; CRI-O %s put another in its place", a.to, a.from)
	case r.Before.Adjusted && r.After.Adjusted:
		return "replaced-value", "both releases put a value of their own in place of the one that is written"
	}
	return "", ""
}

// byRefusal accounts for files that one of the releases cannot read, so that it
// would not start and nothing of them counts.
func (a accountant) byRefusal(Row, *schema.Key) (code, why string) {
	for _, c := range []*crioconf.Config{a.before, a.now} {
		for _, f := range c.Layers() {
			if f.Refused() != nil {
				return "refused-file", fmt.Sprintf("CRI-O %s cannot read %s and does not start", c.Version(), f.Name())
			}
		}
	}
	return "", ""
}

// byUnit accounts for flags and variables that only one of the releases takes.
func (a accountant) byUnit(r Row, k *schema.Key) (code, why string) {
	for _, v := range []crioconf.Value{r.Before, r.After} {
		if v.Origin.Kind == crioconf.Flag || v.Origin.Kind == crioconf.Variable {
			return "unit", fmt.Sprintf("%s of the unit counts in only one of the releases", v.Origin.Name)
		}
	}
	return "", ""
}
