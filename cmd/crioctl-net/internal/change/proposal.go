package change

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A Proposal is a change that was worked out and not yet made.
type Proposal struct {
	Files         []crioconf.FileChange
	Records       []dropin.Change // files of our own that change with them
	Before, After *crioconf.Config
	Changes       []crioconf.Change // keys whose effective value changes
	Key           keypath.Path      // the key that it is about, nil for more than one
	Verify        []keypath.Path    // keys to read back even if nothing changes

	Done, WouldDo, Unchanged string   // the sentence for each outcome
	Notes                    []string // remarks once the files have changed

	Report  output.Report // what the command has to tell beyond that, nil for nothing
	Verdict error         // ends the run with its exit code once the work is done, nil for 0
}

// Changed reports whether files are to be written.
func (p *Proposal) Changed() bool { return len(p.Files) > 0 }

// describe fills the result with what the proposal is.
func (j *Job) describe(r *output.Result, p *Proposal) {
	r.Changed = p.Changed()
	r.Report, r.Verdict = p.Report, p.Verdict
	r.Diagnostics = p.relevant().Records()
	for _, key := range p.Verify {
		if v, ok := p.Before.Lookup(key); ok {
			r.Before[key.String()] = output.Plain(v.V)
		}
		if v, ok := p.After.Lookup(key); ok {
			r.After[key.String()] = output.Plain(v.V)
			r.Origins = output.Origins(key.String(), v)
		}
	}
	for _, c := range p.Changes {
		if c.HadBefore {
			r.Before[c.Path.String()] = output.Plain(c.Before.V)
		}
		if c.HasAfter {
			r.After[c.Path.String()] = output.Plain(c.After.V)
		}
	}
	r.Files, r.Removed, r.Made = []string{}, nil, ""
	if _, err := j.Node.FS.Stat(j.Node.Layout.DropInDir); errors.Is(err, fs.ErrNotExist) && p.makesDropIns(j.Node.Layout) {
		r.Made = j.Node.Display(j.Node.Layout.DropInDir)
	}
	for _, f := range p.Files {
		r.Files = append(r.Files, j.Node.Display(f.Name))
		if f.After == nil {
			r.Removed = append(r.Removed, j.Node.Display(f.Name))
		}
	}
	shown := j.dropinPlan(&Proposal{Files: p.Files})
	r.Diff = string(shown.Diff(j.Node.Display))
	switch {
	case !p.Changed():
		r.Msg = p.Unchanged
	case j.Options.DryRun:
		r.Msg = p.WouldDo
	default:
		r.Msg = p.Done
	}
}

// makesDropIns reports whether a drop-in is written.
func (p *Proposal) makesDropIns(l crioconf.Layout) bool {
	return l.DropInDir != "" && slices.ContainsFunc(p.Files, func(f crioconf.FileChange) bool {
		return f.After != nil && f.Name != l.Main
	})
}

func (j *Job) dropinPlan(p *Proposal) dropin.Plan {
	plan := dropin.Plan{DropInDir: j.Node.Layout.DropInDir, Title: j.Title}
	for _, f := range p.Files {
		plan.Changes = append(plan.Changes, dropin.Change{Path: f.Name, Before: f.Before, After: f.After})
	}
	if len(plan.Changes) > 0 {
		plan.Changes = append(plan.Changes, p.Records...)
	}
	return plan
}

// relevant picks the findings that matter for this change: those about the key,
// or about any key where there is none, and those that stop CRI-O.
func (p *Proposal) relevant() diag.List {
	var out diag.List
	for _, d := range p.After.Diagnostics() {
		about := p.Key == nil && d.Severity != diag.Info || p.Key != nil && d.Key.Leaf() == p.Key.Leaf()
		if about || d.Effect == diag.Refused || d.Effect == diag.Random {
			out = append(out, d)
		}
	}
	return out
}

// refuse stops when CRI-O would not start with the configuration, whether that
// is our doing or was so before, and when it would take the key at random.
func (j *Job) refuse(before, c *crioconf.Config, findings diag.List, key keypath.Path) error {
	refused := stopping(findings, key)
	if len(refused) == 0 {
		return nil
	}
	if !j.Session.Format().Machine() {
		printer := diag.Printer{Sources: j.sources(c), Color: j.Session.Color}
		if err := printer.Text(j.Session.Err, refused); err != nil {
			return err
		}
	}
	if len(stopping(append(before.Diagnostics(), j.Node.UnitFindings()...), key)) == 0 {
		return exit.Errorf(exit.Findings, "CRI-O would not start with this change; nothing was written")
	}
	return &exit.Error{
		Code: exit.Findings,
		Err:  fmt.Errorf("%s; nothing was written", brokenBecause(refused)),
		Hint: `Put it right first; "crioctl-net validate" shows all findings.`,
	}
}

// stopping picks the findings that stop a change of the key.
func stopping(l diag.List, key keypath.Path) diag.List {
	var out diag.List
	for _, d := range l {
		if d.Effect == diag.Refused || d.Effect == diag.Random && (key == nil || d.Key.Equal(key)) {
			out = append(out, d)
		}
	}
	return out
}

func brokenBecause(l diag.List) string {
	if l.Has(diag.Refused) {
		return "CRI-O does not start with this configuration"
	}
	return "CRI-O takes the value of one of two spellings, at random"
}

// pointOut shows the lines that look like the key and are none: above all the
// toggle below a runtimes header, where CRI-O's own template prints it. Without
// a key it shows what is wrong with the files that change.
func (j *Job) pointOut(p *Proposal) error {
	if j.Session.Format().Machine() || j.Session.Quiet {
		return nil
	}
	changed := map[string]bool{}
	for _, f := range p.Files {
		changed[j.Node.Display(f.Name)] = true
	}
	var l diag.List
	for _, d := range p.relevant() {
		if d.Severity != diag.Info && (p.Key != nil && !d.Key.Equal(p.Key) || p.Key == nil && changed[d.Range.File]) {
			l = append(l, d)
		}
	}
	return diag.Printer{Sources: j.sources(p.After), Color: j.Session.Color}.Text(j.Session.Err, l)
}

// sources gives the bytes of the files as they would be, and of the unit's.
func (j *Job) sources(c *crioconf.Config) func(string) []byte {
	planned := node.SourceOf(c)
	return func(file string) []byte {
		if src := planned(file); src != nil {
			return src
		}
		return j.Node.Source(file)
	}
}

// Add adds a change of one file. After nil removes it. A file that CRI-O does
// not read is a record of ours and changes no key.
func (p *Proposal) Add(l crioconf.Layout, name string, before, after []byte) {
	if name != l.Main && !strings.HasPrefix(name, strings.TrimSuffix(l.DropInDir, "/")+"/") {
		p.Records = append(p.Records, dropin.Change{Path: name, Before: before, After: after})
		return
	}
	p.Files = append(p.Files, crioconf.FileChange{Name: name, Before: before, After: after})
	p.After, _ = p.After.With(name, after)
}

// Current returns the bytes of a file, nil when there is none.
func Current(fsys fs.FS, name string) ([]byte, error) {
	data, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}
