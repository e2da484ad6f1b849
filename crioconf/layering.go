package crioconf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// layering reports what the files do to each other.
func (c *Config) layering() diag.List {
	l := layers{config: c, state: c.state}
	l.eachSlot(func(k keyed) {
		l.list = append(l.list, l.lists(k)...)
		l.list = append(l.list, l.unit(k)...)
	})
	for i, in := range c.shape.maps {
		for _, e := range sorted(c.state.maps[i]) {
			l.shadowed(in, e)
		}
	}
	l.idle()
	l.names()
	return l.list
}

type layers struct {
	config *Config
	state  *state
	list   diag.List
}

func (l *layers) crio() string { return "CRI-O " + l.config.Version().String() }

// eachSlot calls do for every key that a layer sets.
func (l *layers) eachSlot(do func(keyed)) {
	j := judgement{state: l.state}
	j.eachKey(func(k keyed) {
		if k.isSet() {
			do(k)
		}
	})
}

// lists reports a later file that leaves out elements of an earlier file's list.
func (l *layers) lists(k keyed) diag.List {
	n := len(k.slot.sets)
	if n < 2 || k.field.kind != schema.Strings || k.field.key.MergeIn(l.state.schema.Release()) != schema.Replace {
		return nil
	}
	now, before := k.slot.sets[n-1], k.slot.sets[n-2]
	if now.Kind != File || now.layer == before.layer {
		return nil
	}
	have, _ := now.Value.([]string)
	had, _ := before.Value.([]string)
	lost := slices.DeleteFunc(slices.Clone(had), func(s string) bool { return slices.Contains(have, s) })
	if len(lost) == 0 {
		return nil
	}
	return diag.List{{
		Code: diag.ReplacedList, Severity: diag.Warning, Effect: diag.Replaced, Key: k.path(), Range: now.Range,
		Summary: fmt.Sprintf("%s replaces the list of %s and loses %s", k.path(), before.Range.File, FormatValue(lost)),
		Detail:  "CRI-O does not add lists together: the last file counts, and its list is all there is.",
		Hint:    "Write all the values here, if they are wanted.",
		Related: []diag.Related{{Range: before.Range, Message: "the earlier list"}},
	}}
}

// unit reports a value of a file that a flag or variable of the unit beats.
func (l *layers) unit(k keyed) diag.List {
	n := len(k.slot.sets)
	top := k.slot.sets[n-1]
	if n < 2 || top.Kind == File {
		return nil
	}
	i := n - 2
	for i >= 0 && k.slot.sets[i].Kind != File {
		i--
	}
	if i < 0 || Equal(k.slot.sets[i].Value, top.Value) {
		return nil
	}
	below := k.slot.sets[i]
	return diag.List{{
		Code: diag.OverriddenByUnit, Severity: diag.Warning, Effect: diag.Replaced, Key: k.path(), Range: below.Range,
		Summary: fmt.Sprintf("%s is %s here, and the %s %s of the unit makes it %s", k.path(), FormatValue(below.Value), top.Kind, top.Name, FormatValue(top.Value)),
		Detail:  "Flags and variables win over every file.",
		Hint:    "Change it in the unit, or take it out there.",
		Related: []diag.Related{{Range: top.Range, Message: "set here"}},
	}}
}

// shadowed reports an entry that takes the place of an earlier one of the same
// name, with the keys that get lost.
func (l *layers) shadowed(in *field, e *entry) {
	if e.below == nil {
		return
	}
	l.shadowed(in, e.below)
	var lost []string
	for i, f := range l.state.shape.entries[in] {
		was, is := &e.below.slots[i], &e.slots[i]
		if len(is.sets) > 0 || IsZero(was.value) || Equal(was.value, is.value) || f.key.ReloadIn(l.state.schema.Release()) == schema.NoEffect {
			continue
		}
		if f.key == schema.HandlerRuntimeType.Key && was.value == typeOCI {
			continue // an empty one means the same
		}
		lost = append(lost, fmt.Sprintf("%s = %s (was %s)", strings.Join(f.path[len(in.path)+1:], "."), FormatValue(is.value), FormatValue(was.value)))
	}
	if len(lost) == 0 {
		return
	}
	path := in.path.Child(e.name)
	d := diag.Diagnostic{
		Code: diag.ShadowedEntry, Severity: diag.Warning, Effect: diag.Replaced, Key: path, Range: e.at,
		Detail: fmt.Sprintf("%s takes an entry from the last file that names it, whole. What this one leaves out is empty: %s.",
			l.crio(), strings.Join(lost, ", ")),
		Hint: "Repeat here every key that shall stay.",
	}
	if e.below.builtin {
		d.Summary = fmt.Sprintf("[%s] replaces the built-in entry, and %s get lost", path, count(len(lost), "key"))
		if l.complete(e) {
			// It defines the handler anew and leaves the rest to the defaults.
			d.Severity, d.Effect = diag.Info, diag.None
		}
	} else {
		d.Summary = fmt.Sprintf("[%s] replaces the entry of %s, and %s get lost", path, e.below.at.File, count(len(lost), "key"))
		d.Related = []diag.Related{{Range: e.below.at, Message: "the earlier entry"}}
	}
	d.Summary = strings.Replace(d.Summary, "1 key get lost", "1 key gets lost", 1)
	l.list = append(l.list, d)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// complete reports whether an entry says where its program or its state is, as
// one that is no mere addition does.
func (l *layers) complete(e *entry) bool {
	for _, k := range []*schema.Key{schema.HandlerRuntimePath.Key, schema.HandlerRuntimeRoot.Key} {
		if f := l.state.shape.byKey[k]; f != nil && len(e.slots[f.slot].sets) > 0 {
			return true
		}
	}
	return false
}

// idle reports files none of whose values is in force.
func (l *layers) idle() {
	if len(l.config.layers) < 2 {
		return
	}
	active := make([]bool, len(l.config.layers)+1)
	l.eachSlot(func(k keyed) {
		for i := len(k.slot.sets) - 1; i >= 0; i-- {
			active[k.slot.sets[i].layer] = true
			if k.field.key.MergeIn(l.state.schema.Release()) != schema.AppendUnique {
				return
			}
		}
	})
	for _, entries := range l.state.maps {
		for _, e := range entries {
			if e.layer >= 0 {
				active[e.layer] = true
			}
		}
	}
	for i, layer := range l.config.layers {
		if active[i] || len(layer.steps) == 0 || refusedAt(layer.diags, schema.Load) {
			continue
		}
		l.list = append(l.list, diag.Diagnostic{
			Code: diag.InertValue, Severity: diag.Info, Effect: diag.Ignored, Range: diag.Range{File: layer.file.Name()},
			Summary: "nothing in this file is in force",
			Detail:  "Each of its values is set again by what comes later, or leaves the earlier one.",
			Hint:    inertHint(layer.role),
		})
	}
}

// inertHint says what to do with a file that others shadow whole.
func inertHint(r Role) string {
	if r == Main {
		return "Delete the file, or move its keys into a drop-in that sorts later."
	}
	return "Delete the file, or give it a name that sorts later."
}
