package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing/fstest"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// A Disagreement is a case on which the library and CRI-O differ.
type Disagreement struct {
	Case    string
	Version string
	About   string // "refused", "random", or a key
	Ours    string
	Theirs  string
}

// String returns the disagreement on one line.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s  %s  %s  ours: %s  theirs: %s", d.Case, d.Version, d.About, d.Ours, d.Theirs)
}

// An Answer is what the library says of a case for one release.
type Answer struct {
	Refused   *diag.Diagnostic // the first refusal at load, nil for none
	Later     bool             // refused at a later stage, which the recorded loaders do not reach
	Random    bool
	Effective map[string]string // of every key, as printed
}

// layout has the files at the root of the file system.
var layout = crioconf.Layout{Main: "crio.conf", DropInDir: "crio.conf.d"}

// Ask returns the library's answer.
func Ask(c Case, version string) (Answer, error) {
	v, err := schema.ParseVersion(version)
	if err != nil {
		return Answer{}, err
	}
	files := fstest.MapFS{}
	for _, f := range c.Files {
		files[f.Name] = &fstest.MapFile{Data: []byte(f.Text), Mode: 0o644}
	}
	conf, found, err := crioconf.Load(files, layout, crioconf.Options{Version: v})
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Random: found.Has(diag.Random), Effective: printed(conf)}
	for i, d := range found {
		switch {
		case d.Effect != diag.Refused:
		case d.Stage != schema.Load.String():
			a.Later = true
		case a.Refused == nil:
			a.Refused = &found[i]
		}
	}
	return a, nil
}

// printed returns the keys that CRI-O prints, by the names that it prints.
func printed(c *crioconf.Config) map[string]string {
	out := map[string]string{}
	for p, v := range c.All() {
		if v.Key.HasNames() && crioconf.IsZero(v.V) && v.Key.OmitsEmpty(c.Version()) {
			continue
		}
		name := p.Parent().Child(v.Key.PrintedName())
		if m, ok := v.V.(map[string]string); ok {
			for k, s := range m {
				out[name.Child(k).String()] = crioconf.FormatValue(s)
			}
			continue
		}
		out[name.String()] = crioconf.FormatValue(v.V)
	}
	return out
}

// A comparer remembers the defaults of each release.
type comparer struct {
	mu       sync.Mutex
	defaults map[string]map[string]string
}

func (m *comparer) defaultsOf(version string) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d, ok := m.defaults[version]; ok {
		return d, nil
	}
	a, err := Ask(Case{}, version)
	if err != nil {
		return nil, err
	}
	if m.defaults == nil {
		m.defaults = map[string]map[string]string{}
	}
	m.defaults[version] = a.Effective
	return a.Effective, nil
}

// compare returns where the library and CRI-O differ on a case for a release.
func (m *comparer) compare(c Case, version string, o Outcome) ([]Disagreement, Answer, error) {
	a, err := Ask(c, version)
	if err != nil {
		return nil, a, err
	}
	differ := func(about, ours, theirs string) Disagreement {
		return Disagreement{Case: c.ID, Version: version, About: about, Ours: ours, Theirs: theirs}
	}
	var list []Disagreement
	if o.Result == Random {
		if !a.Random {
			list = append(list, differ("random", "determined", string(o.Result)))
		}
		return list, a, nil
	}
	switch {
	case o.Result.Refused() && a.Refused == nil:
		list = append(list, differ("refused", "accepted", string(o.Result)+": "+o.Error))
	case !o.Result.Refused() && a.Refused != nil:
		list = append(list, differ("refused", a.Refused.Range.String()+": "+a.Refused.Summary, "accepted"))
	}
	if o.Result != OK || a.Refused != nil {
		return list, a, nil
	}
	if a.Random {
		list = append(list, differ("random", "random", "determined"))
	}
	defaults, err := m.defaultsOf(version)
	if err != nil {
		return nil, a, err
	}
	return append(list, keys(a.Effective, defaults, o, differ)...), a, nil
}

// keys compares the effective configurations key by key.
func keys(ours, defaults map[string]string, o Outcome, differ func(about, ours, theirs string) Disagreement) []Disagreement {
	theirs := maps.Clone(defaults)
	for k, v := range o.Effective {
		if table, ok := v.(map[string]any); ok && len(table) == 0 {
			continue // a table without keys, printed because it exists
		}
		theirs[k] = recordedValue(v)
	}
	for _, k := range o.Gone {
		delete(theirs, k)
	}
	var list []Disagreement
	for _, k := range slices.Sorted(maps.Keys(union(ours, theirs))) {
		our, have := ours[k]
		their, want := theirs[k]
		if !have {
			our = "(no such key)"
		}
		if !want {
			their = "(no such key)"
		}
		if our != their {
			list = append(list, differ(k, our, their))
		}
	}
	return list
}

func union(a, b map[string]string) map[string]bool {
	all := map[string]bool{}
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	return all
}

// recordedValue writes a recorded value as our values are written. Durations
// were recorded as CRI-O prints them.
func recordedValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "[]"
	case bool:
		return crioconf.FormatValue(v)
	case json.Number:
		return v.String()
	case string:
		return crioconf.FormatValue(v)
	case []any:
		list := make([]string, len(v))
		for i, e := range v {
			list[i], _ = e.(string)
		}
		return crioconf.FormatValue(list)
	}
	return fmt.Sprint(v)
}

// A Score counts agreements.
type Score struct {
	Cases, Refused, Effective, EffectiveOf, Random, RandomOf, Later int
}

func (s *Score) add(list []Disagreement, a Answer, o Outcome) {
	s.Cases++
	refused, random, other := true, true, true
	for _, d := range list {
		switch d.About {
		case "refused":
			refused = false
		case "random":
			random = false
		default:
			other = false
		}
	}
	count := func(n *int, ok bool) {
		if ok {
			*n++
		}
	}
	count(&s.Refused, refused)
	if o.Result == OK {
		s.EffectiveOf++
		count(&s.Effective, other && refused && random)
		count(&s.Later, a.Later)
	}
	if o.Result == Random {
		s.RandomOf++
		count(&s.Random, random)
	}
}
