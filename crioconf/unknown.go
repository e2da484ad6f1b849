package crioconf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// unknown tells what is known of a name that this release does not read.
func (r *reporter) unknown(f finding) {
	if f.node.Type == tomlfile.Table || f.node.Type == tomlfile.ArrayOfTables {
		r.unknownTable(f)
		return
	}
	r.unknownKey(f)
}

func (r *reporter) unknownKey(f finding) {
	at := f.node.Key
	if at.IsZero() {
		at = written(f.node)
	}
	if k := schema.Find(f.path); k != nil {
		r.otherRelease(f.path, at, k)
		return
	}
	if places := r.elsewhere(f.path.Leaf()); len(places) > 0 {
		r.wrongTable(f.path, at, places)
		return
	}
	d := diag.Diagnostic{
		Code: diag.UnknownKey, Severity: diag.Error, Effect: diag.Ignored, Key: f.path, Range: at,
		Summary: fmt.Sprintf("no CRI-O has a key %s", f.path),
		Detail:  r.crio() + " passes over it without a word.",
		Hint:    "Delete the line.",
	}
	if len(f.path) == 1 {
		d.Detail = r.crio() + " passes over it without a word, as over every key above the first table."
	}
	var likely []string
	for _, s := range r.config.schema.Suggest(f.path) {
		name := s.String()
		if s.Parent().EqualFold(f.path.Parent()) {
			name = s.Leaf()
		}
		likely = append(likely, name)
	}
	if len(likely) > 0 {
		d.Suggest = likely[0]
		d.Hint = fmt.Sprintf("Write %s, if that is meant.", strings.Join(likely, " or "))
	}
	if foreign, ok := schema.LookupForeign(f.path.Leaf()); ok {
		if foreign.Of != "" {
			d.Detail += fmt.Sprintf(" The name is one of %s.", foreign.Of)
		}
		if foreign.Note != "" {
			d.Detail += " " + foreign.Note
		}
	}
	r.add(d)
}

// elsewhere returns the keys with this last part, those first that the release
// reads.
func (r *reporter) elsewhere(leaf string) []*schema.Key {
	var here, other []*schema.Key
	for _, k := range schema.All() {
		switch {
		case !strings.EqualFold(k.Path.Leaf(), leaf) || k.Kind == schema.Entries:
		case k.In(r.config.schema.Release()):
			here = append(here, k)
		default:
			other = append(other, k)
		}
	}
	return append(here, other...)
}

// wrongTable tells of a real key in a table where CRI-O does not look for it.
func (r *reporter) wrongTable(p keypath.Path, at diag.Range, places []*schema.Key) {
	k := r.best(p, places)
	table := "[" + strings.ReplaceAll(k.Path.Parent().String(), "*", "NAME") + "]"
	d := diag.Diagnostic{
		Code: diag.WrongTable, Severity: diag.Error, Effect: diag.Ignored, Key: p, Range: at,
		Summary: fmt.Sprintf("%s stands in [%s], and CRI-O reads it in %s", p.Leaf(), p.Parent(), table),
		Detail:  r.crio() + " passes over it without a word: the setting is not in force.",
		Hint:    fmt.Sprintf("Move the line below the header %s.", table),
		Suggest: k.Path.String(),
	}
	switch {
	case r.oldTemplate(k, p):
		d.Code, d.Severity = diag.OldTemplate, diag.Info
		d.Detail = "The file that old releases of CRI-O printed has the line in this place. " + r.crio() + " passes over it."
		d.Hint = "Delete the line."
	case len(p) == 1:
		d.Code = diag.NoTable
		d.Summary = fmt.Sprintf("%s stands above the first table, and CRI-O reads it in %s", p.Leaf(), table)
	case misplaced(k, p):
		d.Code = diag.MisplacedToggle
		d.Summary = fmt.Sprintf("%s stands in the table of one handler, and CRI-O reads it in %s", p.Leaf(), table)
		d.Detail += ` The file that "crio config" prints shows the key below the last handler, where its line lands when the # is taken away.`
	}
	switch release := r.config.schema.Release(); {
	case !k.In(release):
		d.Hint = "Delete the line: " + r.when(k)
		d.Suggest = ""
	case !k.Inert.IsZero() && !release.Less(k.Inert):
		d.Hint = fmt.Sprintf("Delete the line: in %s the key has no effect in any table.", r.crio())
	}
	r.add(d)
}

// best returns the place that is most likely meant: the one nearest to where
// the key was written.
func (r *reporter) best(p keypath.Path, places []*schema.Key) *schema.Key {
	return slices.MaxFunc(places, func(a, b *schema.Key) int {
		return r.nearness(p, a) - r.nearness(p, b)
	})
}

func (r *reporter) nearness(p keypath.Path, k *schema.Key) int {
	score := 0
	if k.In(r.config.schema.Release()) {
		score += 100
	}
	for i := 0; i < len(p)-1 && i < len(k.Path)-1 && (p[i] == k.Path[i] || k.Path[i] == "*"); i++ {
		score += 10
	}
	if k.HasNames() {
		score -= 5
	}
	return score
}

// misplaced reports whether the key stands where "crio config" prints it, below
// the header of a handler (cri-o pkg/config/template.go).
func misplaced(k *schema.Key, p keypath.Path) bool {
	return k.Misplaced != nil && len(p) == len(schema.Runtimes.Path)+2 && p.HasPrefix(schema.Runtimes.Path) &&
		k.Misplaced.Table.Match(schema.Runtimes.Path.Child("*"))
}

// oldTemplate reports whether old releases printed the key in this place
// (cri-o cmd/crio/config.go up to 1.15).
func (r *reporter) oldTemplate(k *schema.Key, p keypath.Path) bool {
	return (k == schema.FileLocking.Key || k == schema.FileLockingPath.Key) &&
		p.Parent().EqualFold(schema.Listen.Path.Parent())
}

// otherRelease tells of a key that other releases read in this place.
func (r *reporter) otherRelease(p keypath.Path, at diag.Range, k *schema.Key) {
	release := r.config.schema.Release()
	d := diag.Diagnostic{
		Code: diag.FutureKey, Severity: diag.Warning, Effect: diag.Ignored, Key: p, Range: at,
		Detail: r.crio() + " passes over it without a word.",
		Since:  sinceAfter(k, release),
	}
	d.Summary = fmt.Sprintf("%s does not know %s: %s", r.crio(), p, r.when(k))
	d.Hint = "Delete the line, or upgrade CRI-O."
	if !k.Removed.IsZero() {
		d.Until = shortVersion(k.Removed)
	}
	if !k.Removed.IsZero() && !release.Less(k.Removed) {
		d.Code, d.Since = diag.RemovedKey, shortVersion(k.Since[0])
		d.Summary = fmt.Sprintf("%s was removed in CRI-O %s", p, shortVersion(k.Removed))
		d.Hint = "Delete the line."
		if k.ReplacedBy != "" {
			d.Hint = fmt.Sprintf("Delete the line. %s took its place.", k.ReplacedBy)
		}
	} else if same := r.readHere(k); same != nil {
		d.Hint = fmt.Sprintf("%s reads %s; write it there, if that is meant.", r.crio(), same.Path)
	}
	r.add(d)
}

// readHere returns a key of the same name that the release reads in another
// table, or nil.
func (r *reporter) readHere(k *schema.Key) *schema.Key {
	for _, other := range r.elsewhere(k.Path.Leaf()) {
		if other != k && other.In(r.config.schema.Release()) {
			return other
		}
	}
	return nil
}

// when tells which releases read a key.
func (r *reporter) when(k *schema.Key) string {
	release := r.config.schema.Release()
	if !k.Removed.IsZero() && !release.Less(k.Removed) {
		return fmt.Sprintf("it was removed in CRI-O %s.", shortVersion(k.Removed))
	}
	var since []string
	for _, v := range k.Since {
		since = append(since, shortVersion(v))
	}
	return fmt.Sprintf("it is read since CRI-O %s.", strings.Join(since, ", "))
}

// sinceAfter returns the first release after the given one that reads the key.
func sinceAfter(k *schema.Key, release schema.Version) string {
	for _, v := range k.Since {
		if release.Less(v) {
			return shortVersion(v)
		}
	}
	return shortVersion(k.Since[0])
}

// unknownTable tells of a table that the release does not decode, once for all
// that is in it.
func (r *reporter) unknownTable(f finding) {
	p, n := onlyTable(f.path, f.node)
	at := written(n)
	if k := keyBelow(f.path); k != nil {
		r.otherTable(f.path, at, k)
		return
	}
	if places := r.elsewhere(f.path.Leaf()); len(places) > 0 && len(f.path) > 1 {
		r.wrongTable(f.path, at, places)
		return
	}
	d := diag.Diagnostic{
		Code: diag.UnknownTable, Severity: diag.Error, Effect: diag.Ignored, Key: p, Range: at,
		Summary: fmt.Sprintf("no CRI-O has a table [%s]", p),
		Detail:  r.crio() + " passes over it and all keys in it without a word.",
		Hint:    "Delete it, or move its keys to the tables where CRI-O reads them.",
	}
	if near, ok := r.nearTable(f.path); ok {
		full := near.Child(p[len(f.path):]...).String()
		d.Suggest, d.Hint = full, fmt.Sprintf("Write [%s], if that is meant.", full)
	}
	r.add(d)
}

// onlyTable follows tables that hold nothing but one other table, which are
// mostly the first parts of one header.
func onlyTable(p keypath.Path, n *tomlfile.Node) (keypath.Path, *tomlfile.Node) {
	for n.Type == tomlfile.Table && len(n.Members) == 1 {
		m := n.Members[0]
		if m.Node.Type != tomlfile.Table && m.Node.Type != tomlfile.ArrayOfTables {
			break
		}
		p, n = p.Child(m.Name), m.Node
	}
	return p, n
}

// keyBelow returns the first key of any release in the table at p, or nil.
func keyBelow(p keypath.Path) *schema.Key {
	for _, k := range schema.All() {
		if len(k.Path) > len(p) && fits(p, k.Path[:len(p)]) || k.Kind == schema.Entries && fits(p, k.Path) {
			return k
		}
	}
	return nil
}

func fits(p, pattern keypath.Path) bool {
	return slices.EqualFunc(p, pattern, func(a, b string) bool { return b == "*" || strings.EqualFold(a, b) })
}

// otherTable tells of a table that other releases decode.
func (r *reporter) otherTable(p keypath.Path, at diag.Range, k *schema.Key) {
	release := r.config.schema.Release()
	d := diag.Diagnostic{
		Code: diag.FutureKey, Severity: diag.Warning, Effect: diag.Ignored, Key: p, Range: at,
		Summary: fmt.Sprintf("%s does not know the table [%s]: %s", r.crio(), p, r.when(k)),
		Detail:  r.crio() + " passes over it and all keys in it without a word.",
		Hint:    "Delete it, or upgrade CRI-O.",
		Since:   sinceAfter(k, release),
	}
	if !k.Removed.IsZero() && !release.Less(k.Removed) {
		d.Code, d.Hint, d.Until = diag.RemovedKey, "Delete it.", shortVersion(k.Removed)
	}
	r.add(d)
}

// nearTable returns the table that is most likely meant by a path that names
// none: one of the same name elsewhere, else one whose name is nearly the same
// in the same place.
func (r *reporter) nearTable(p keypath.Path) (keypath.Path, bool) {
	var tables []keypath.Path
	r.eachTable(r.config.shape.root, func(f *field) { tables = append(tables, f.path) })
	for _, t := range tables {
		if strings.EqualFold(t.Leaf(), p.Leaf()) {
			return t, true
		}
	}
	var siblings []string
	for _, t := range tables {
		if t.Parent().EqualFold(p.Parent()) {
			siblings = append(siblings, t.Leaf())
		}
	}
	near, ok := keypath.Near(p.Leaf(), siblings)
	return p.Parent().Child(near), ok
}

// eachTable calls do for the tables outside entries.
func (r *reporter) eachTable(f *field, do func(*field)) {
	for _, m := range f.members {
		switch {
		case m.isTable():
			do(m)
			r.eachTable(m, do)
		case m.kind == schema.Entries:
			do(m)
		}
	}
}
