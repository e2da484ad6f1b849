package crioconf

import (
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// maxTries bounds how many orders of one clash are played through. More
// spellings than that of one key are nobody's configuration.
const maxTries = 16

// clashing reports the tables that name one key in several spellings. CRI-O
// stores them in an order that changes from start to start, so all orders are
// played through: where they come to the same, nothing is random.
func (c *Config) clashing() diag.List {
	var list diag.List
	for _, l := range c.layers {
		alone := false
		for _, clash := range l.clashes {
			random := c.differs(l, orders(clash))
			alone = alone || random
			list = append(list, c.clashDiagnostic(clash, random))
		}
		if n := len(l.clashes); n > 1 && !alone && c.differs(l, c.together(l)) {
			for i := range list[len(list)-n:] {
				list[len(list)-n+i] = c.clashDiagnostic(l.clashes[i], true)
			}
		}
	}
	return list
}

// orders returns the choices for one clash: each spelling but the last written
// comes last once.
func orders(c clashing) []map[clash]int {
	var all []map[clash]int
	for i := range min(len(c.spellings)-1, maxTries) {
		all = append(all, map[clash]int{c.clash: i})
	}
	return all
}

// together returns the combined choices for the clashes of a layer.
func (c *Config) together(l *layer) []map[clash]int {
	all := []map[clash]int{{}}
	for _, next := range l.clashes {
		for _, have := range all {
			for i := range min(len(next.spellings)-1, maxTries) {
				more := map[clash]int{next.clash: i}
				for k, v := range have {
					more[k] = v
				}
				all = append(all, more)
			}
			if len(all) > maxTries*maxTries {
				return all
			}
		}
	}
	return all[1:]
}

// differs reports whether one of the choices gives another configuration.
func (c *Config) differs(l *layer, choices []map[clash]int) bool {
	verdict := c.refusedAtLoad(c.state)
	for _, choice := range choices {
		d := decoder{schema: c.schema, shape: c.shape, last: choice}
		st := c.merge(map[*layer][]step{l: d.decode(l.file.Root())})
		other := *c
		other.state = st
		j := judgement{config: &other, state: st}
		refused := refusedAt(j.settle(), schema.Load)
		switch {
		case refused && verdict:
			// Refused either way, so nobody sees a difference.
		case refused != verdict, len(c.Diff(&other)) > 0:
			return true
		}
	}
	return false
}

// refusedAtLoad reports whether the merged state is refused.
func (c *Config) refusedAtLoad(*state) bool {
	return refusedAt(c.diags, schema.Load)
}

func refusedAt(list diag.List, stage schema.Stage) bool {
	for _, d := range list {
		if d.Effect == diag.Refused && d.Stage == stage.String() {
			return true
		}
	}
	return false
}

func (c *Config) clashDiagnostic(k clashing, random bool) diag.Diagnostic {
	names := make([]string, len(k.spellings))
	for i, s := range k.spellings {
		names[i] = s.Name
	}
	last := k.spellings[len(k.spellings)-1]
	d := diag.Diagnostic{
		Code: diag.KeyCase, Severity: diag.Info, Effect: diag.None, Key: k.path, Range: last.Node.Key,
		Summary: fmt.Sprintf("%s is written in %d spellings: %s", k.path, len(names), strings.Join(names, ", ")),
		Detail:  "To CRI-O they are one key. Here they come to the same.",
		Hint:    fmt.Sprintf("Keep one of them, spelled %s.", k.path.Leaf()),
	}
	if random {
		d.Severity, d.Effect = diag.Error, diag.Random
		d.Detail = "To CRI-O they are one key. Which of them wins is random and changes from start to start."
	}
	if d.Range.IsZero() {
		d.Range = last.Node.Range
	}
	for _, s := range k.spellings[:len(k.spellings)-1] {
		at := s.Node.Key
		if at.IsZero() {
			at = s.Node.Range
		}
		d.Related = append(d.Related, diag.Related{Range: at, Message: "also written as " + s.Name})
	}
	return d
}
