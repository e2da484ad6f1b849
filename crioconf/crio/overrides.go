package crio

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// Overrides returns what the unit's variables and flags set in the release of
// s: the variables first, then the flags, which win over them. The diagnostics
// tell what makes systemd or CRI-O refuse to start.
func (u Unit) Overrides(s *schema.Schema) ([]crioconf.Override, diag.List) {
	given, l := u.given(flagsOf(s))
	l = append(slices.Clone(u.findings), l...)
	var all []crioconf.Override
	for _, g := range collect(given, s.Version()) {
		o, err := g.overrides(s)
		if err != nil {
			d := refused(g.at, fmt.Sprintf("%s: %v", g.spelled, err), "CRI-O refuses to start.", "Correct the value or take it away.")
			if g.key != nil {
				d.Key = g.key.Path
			}
			l = append(l, d)
			continue
		}
		all = append(all, o...)
	}
	return all, l
}

// given returns the variables that stand for flags, then the flags.
func (u Unit) given(flags map[string]flag) ([]given, diag.List) {
	env := map[string]Variable{}
	for _, v := range u.Env {
		env[v.Name] = v
	}
	var all []given
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		f := flags[name]
		for _, e := range f.env {
			if v, ok := env[e]; ok {
				all = append(all, given{flag: f, spelled: e, variable: true, values: []string{v.Value}, at: v.Range})
				break // of several variables the first one counts
			}
		}
	}
	i := u.program()
	if i < 0 {
		return all, u.noProgram()
	}
	onLine, l := parseFlags(u.Command[i+1:], flags)
	return append(all, onLine...), l
}

// noProgram tells that the flags of crio are not known.
func (u Unit) noProgram() diag.List {
	if u.Masked {
		return nil
	}
	d := diag.Diagnostic{Code: diag.OverriddenByUnit, Severity: diag.Warning, Effect: diag.None,
		Summary: fmt.Sprintf("%s has no command that can be read", u.Name),
		Detail:  "Flags on crio's command line win over the files, and which there are is not known."}
	if len(u.Command) > 0 {
		d.Range = u.Command[0].Range
		d.Summary = fmt.Sprintf("%s starts CRI-O through %s", u.Name, u.Command[0].Text)
		d.Hint = "Look at the flags that it gives to crio."
	}
	return diag.List{d}
}

// collect puts the uses of one flag together: the values of a list add up, of
// anything else the last one counts. A variable and a flag stay apart.
func collect(all []given, v schema.Version) []given {
	var out []given
	for _, g := range all {
		i := slices.IndexFunc(out, func(o given) bool { return o.name == g.name && o.variable == g.variable })
		switch {
		case i < 0:
			out = append(out, g)
		case g.isList():
			out[i].values = append(out[i].values, g.values...)
			out[i].at = join(out[i].at, g.at)
		default:
			out[i] = g
		}
	}
	for i, g := range out {
		if g.isList() {
			out[i].values = splitList(g.values, g.variable || !v.Known().Less(splitsAlways))
		}
	}
	return out
}

func (g given) isList() bool { return g.kind == schema.Strings || g.kind == schema.Entries }

// splitsAlways is the first release whose flag library parts every value at its
// commas (urfave/cli 2.11). Before, crio parts a value only when it is the only
// one; cri-o internal/criocli/criocli.go, StringSliceTrySplit.
var splitsAlways = schema.Version{Major: 1, Minor: 25}

func splitList(values []string, always bool) []string {
	if !always && len(values) != 1 {
		return values
	}
	var out []string
	for _, v := range values {
		for _, part := range strings.Split(v, ",") {
			if always || strings.Contains(v, ",") {
				part = strings.TrimSpace(part)
			}
			out = append(out, part)
		}
	}
	return out
}

// overrides returns what the flag or variable sets. An empty variable of a
// number counts as not set.
func (g given) overrides(s *schema.Schema) ([]crioconf.Override, error) {
	if g.kind == schema.Entries {
		return g.runtimes(s)
	}
	value, set, err := g.parse(s.Version())
	if err != nil || !set || g.key == nil {
		return nil, err
	}
	return []crioconf.Override{g.override(g.key.Path, value)}, nil
}

func (g given) override(p keypath.Path, value any) crioconf.Override {
	o := crioconf.Origin{Kind: crioconf.Flag, Range: g.at, Name: g.spelled, Value: value}
	if g.variable {
		o.Kind = crioconf.Variable
	}
	return crioconf.Override{Key: p, Value: value, Origin: o}
}

// emptyIsFalse is the first release in which an empty variable of a bool flag
// counts as false; before, it counts as not set (urfave/cli 2.23, BoolFlag).
var emptyIsFalse = schema.Version{Major: 1, Minor: 26}

// parse returns the value as crio's flag library reads it.
func (g given) parse(v schema.Version) (value any, set bool, err error) {
	if len(g.values) == 0 {
		return true, true, nil // a bool flag without a value
	}
	s := g.values[len(g.values)-1]
	if s == "" && g.variable && !g.wordy {
		switch g.kind {
		case schema.Bool:
			return false, !v.Known().Less(emptyIsFalse), nil
		case schema.Int, schema.Uint, schema.Duration:
			return nil, false, nil
		}
	}
	switch g.kind {
	case schema.Bool:
		value, err = strconv.ParseBool(s)
	case schema.Int:
		value, err = strconv.ParseInt(s, 0, 64)
	case schema.Uint:
		value, err = strconv.ParseUint(s, 0, 64)
	case schema.Duration:
		value, err = time.ParseDuration(s)
	case schema.Strings:
		return g.values, true, nil
	default:
		return s, true, nil
	}
	if err != nil && g.wordy {
		return false, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("%q is no %s", s, g.kind)
	}
	return value, true, nil
}

// handlerFields are the parts of a --runtimes value after the name.
// cri-o internal/criocli/criocli.go, mergeConfig.
var handlerFields = []string{
	"runtime_path", "runtime_root", "runtime_type", "privileged_without_host_devices",
	"runtime_config_path", "container_min_memory",
}

// runtimes returns what --runtimes sets. Each value is a whole entry, so that
// the fields it does not name get their zero value.
func (g given) runtimes(s *schema.Schema) ([]crioconf.Override, error) {
	var all []crioconf.Override
	for _, value := range g.values {
		parts := strings.Split(value, ":")
		if n := len(parts) - 1; n < 2 || n > handlerParts(s) {
			return nil, fmt.Errorf("%q is no runtime: write NAME:PATH:ROOT", value)
		}
		fields := map[string]any{}
		for i, p := range parts[1:] {
			fields[handlerFields[i]] = p
		}
		if _, ok := fields["runtime_type"]; !ok && handlerParts(s) > 2 {
			fields["runtime_type"] = "oci"
		}
		if p, ok := fields["privileged_without_host_devices"]; ok {
			fields["privileged_without_host_devices"] = p == "true"
		}
		for _, k := range s.Keys() {
			if len(k.Path) != 5 || !k.Path.HasPrefix(g.key.Path) {
				continue
			}
			v, ok := fields[k.Path.Leaf()]
			if !ok {
				v = k.KindIn(s.Version()).Zero()
			}
			all = append(all, g.override(k.At(parts[0]), v))
		}
	}
	return all, nil
}

// handlerParts returns how many parts after the name the release reads.
func handlerParts(s *schema.Schema) int {
	v := s.Version().Known()
	switch {
	case slices.ContainsFunc(s.Keys(), func(k *schema.Key) bool { return k.Path.Leaf() == "container_min_memory" }):
		return 6
	case v.Minor >= 22:
		return 5
	case v.Minor >= 19:
		return 3
	}
	return 2
}
