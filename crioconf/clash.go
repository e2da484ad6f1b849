package crioconf

import (
	"fmt"
	"maps"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// maxTries bounds how many orders of one clash are played through. More
// spellings than that of one key are nobody's configuration.
const maxTries = 16

// A clashReport is what comes of the tables that name a key in several
// spellings.
type clashReport struct {
	list     diag.List
	accepted map[*layer][]step // an order that CRI-O accepts, where it refuses the written one
}

// clashing reports the tables that name one key in several spellings; nil means
// that there are none. CRI-O stores them in an order that changes from start to
// start, so all orders are played through: where they come to the same, nothing
// is random. The state is that of the written order, and files tells whether
// CRI-O refuses a file whatever the order.
func (c *Config) clashing(written *state, settled diag.List, files bool) *clashReport {
	t := trial{config: c, written: c.with(written), refused: refusedAtLoad(settled), files: files}
	var list diag.List
	for _, l := range c.layers {
		alone := false
		for _, clash := range l.clashes {
			random := t.differs(l, orders(clash))
			alone = alone || random
			list = append(list, c.clashDiagnostic(clash, random))
		}
		if n := len(l.clashes); n > 1 && !alone && t.differs(l, together(l)) {
			for i := range list[len(list)-n:] {
				list[len(list)-n+i] = c.clashDiagnostic(l.clashes[i], true)
			}
		}
	}
	if list == nil {
		return nil
	}
	return &clashReport{list, t.accepted}
}

// with returns the configuration with another state, for comparisons.
func (c *Config) with(st *state) *Config {
	other := *c
	other.state = st
	return &other
}

// A trial plays other orders through.
type trial struct {
	config   *Config
	written  *Config
	refused  bool // the written order, for what the merged values are
	files    bool // CRI-O refuses a file anyway
	accepted map[*layer][]step
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
func together(l *layer) []map[clash]int {
	all := []map[clash]int{{}}
	for _, next := range l.clashes {
		for _, have := range all {
			for i := range min(len(next.spellings)-1, maxTries) {
				more := maps.Clone(have)
				more[next.clash] = i
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
func (t *trial) differs(l *layer, choices []map[clash]int) bool {
	if t.files {
		return false
	}
	for _, choice := range choices {
		d := decoder{schema: t.config.schema, shape: t.config.shape, last: choice}
		instead := map[*layer][]step{l: d.decode(l.file.Root())}
		st, settled := t.config.settled(instead)
		refused := refusedAtLoad(settled)
		switch {
		case refused && t.refused:
			// Refused either way, so nobody sees a difference.
		case refused != t.refused:
			if !refused {
				t.accepted = instead
			}
			return true
		case len(t.written.Diff(t.config.with(st))) > 0:
			return true
		}
	}
	return false
}

// refusedAtLoad reports whether one of the diagnostics makes CRI-O refuse while
// it loads.
func refusedAtLoad(list diag.List) bool { return refusedAt(list, schema.Load) }

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
