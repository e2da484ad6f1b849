package schema

import "slices"

// Reading returns the view of a release that was patched to read further keys,
// as some packagers bring a key to a release that is older than it. The keys
// behave as in the first release that reads them.
func (s *Schema) Reading(keys ...*Key) *Schema {
	view := &Schema{version: s.version, release: s.release, root: &table{}}
	for _, k := range s.keys {
		view.keys = append(view.keys, k)
		view.root.add(k)
	}
	for _, k := range keys {
		if k.In(s.release) {
			continue
		}
		patched := *k
		patched.Since = slices.Insert(slices.Clone(k.Since), 0, s.release)
		patched.Defaults = slices.Clone(k.Defaults)
		for i := range patched.Defaults[:min(1, len(patched.Defaults))] {
			patched.Defaults[i].Since = s.release
		}
		view.keys = append(view.keys, &patched)
		view.root.add(&patched)
	}
	return view
}
