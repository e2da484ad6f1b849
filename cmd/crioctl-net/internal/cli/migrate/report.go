package migrate

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/migrate"
)

// A report is what a migration does and why.
type report struct {
	From       string      `json:"from"`
	FromSource string      `json:"fromSource,omitempty"`
	To         string      `json:"to"`
	Steps      []step      `json:"steps"`
	Account    []row       `json:"account"`
	Behaviours []behaviour `json:"behaviours"`
	SetAside   string      `json:"setAside,omitempty"`
	Registries string      `json:"registries,omitempty"`

	written bool // the registries drop-in is among the files
}

type step struct {
	Code    string          `json:"code"`
	Outcome migrate.Outcome `json:"outcome"`
	Key     string          `json:"key,omitempty"`
	File    string          `json:"file,omitempty"`
	Line    int             `json:"line,omitempty"`
	Column  int             `json:"column,omitempty"`
	Text    string          `json:"text"`
	Hint    string          `json:"hint,omitempty"`
}

type row struct {
	Key    string `json:"key"`
	Before any    `json:"before"` // null: the old release has no such key
	After  any    `json:"after"`  // null: the new one has none
	Code   string `json:"code"`
	Why    string `json:"why"`

	before, after string
	quiet         bool // nobody misses it: an empty value comes or goes
}

type behaviour struct {
	Code  string `json:"code"`
	Since string `json:"since"`
	Text  string `json:"text"`
}

func (m migration) report(r *migrate.Result) *report {
	out := &report{
		From: r.From.String(), FromSource: m.releases.why, To: r.To.String(),
		Steps: []step{}, Account: []row{}, Behaviours: []behaviour{},
		Registries: string(r.Registries),
	}
	for _, t := range r.Steps {
		out.Steps = append(out.Steps, step{
			Code: t.Code, Outcome: t.Outcome, Key: t.Key.String(),
			File: t.Range.File, Line: t.Range.Start.Line, Column: t.Range.Start.Col,
			Text: t.Text, Hint: t.Hint,
		})
	}
	for _, a := range r.Table {
		out.Account = append(out.Account, rowOf(a))
	}
	for _, b := range r.Behaviours {
		out.Behaviours = append(out.Behaviours, behaviour{b.Code, b.Since.Release(), b.Text})
	}
	for _, f := range r.Others {
		out.written = out.written || f.Name == migrate.RegistriesName
	}
	if r.SetAside != "" {
		out.SetAside = m.node.Display(r.SetAside)
	}
	return out
}

func rowOf(a migrate.Row) row {
	r := row{Key: a.Key.String(), Code: a.Code, Why: a.Why, before: a.BeforeText(), after: a.AfterText()}
	if a.HadBefore {
		r.Before = output.Plain(a.Before.V)
	}
	if a.HasAfter {
		r.After = output.Plain(a.After.V)
	}
	r.quiet = !a.HadBefore && crioconf.IsZero(a.After.V) || !a.HasAfter && crioconf.IsZero(a.Before.V)
	return r
}

// WriteText writes the report for people.
func (r *report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	if r.FromSource != "" {
		fmt.Fprintf(&b, "  from CRI-O %s: %s\n", r.From, r.FromSource)
	}
	r.steps(&b)
	if len(r.Behaviours) > 0 {
		fmt.Fprintf(&b, "\nbehaviour that no key shows:\n")
		for _, n := range r.Behaviours {
			fmt.Fprintf(&b, "  %s (%s): %s\n", n.Code, n.Since, n.Text)
		}
	}
	if r.SetAside != "" {
		fmt.Fprintf(&b, "\nthe former main file is kept in %s, where CRI-O does not look\n", r.SetAside)
	}
	if r.Registries != "" && !r.written {
		fmt.Fprintf(&b, "\n/%s would take over the registries (--write-registries writes it):\n%s", migrate.RegistriesName, indent(r.Registries))
	}
	r.account(&b)
	_, err := w.Write(b.Bytes())
	return err
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}

func (r *report) steps(b *bytes.Buffer) {
	if len(r.Steps) == 0 {
		return
	}
	fmt.Fprintf(b, "\nsteps:\n")
	for _, s := range r.Steps {
		place := ""
		if s.File != "" {
			place = fmt.Sprintf("%s:%d:%d: ", s.File, s.Line, s.Column)
		}
		fmt.Fprintf(b, "  %s[%s] %s%s\n", s.Outcome, s.Code, place, s.Text)
		if s.Hint != "" {
			fmt.Fprintf(b, "    %s\n", s.Hint)
		}
	}
}

func (r *report) account(b *bytes.Buffer) {
	quiet := 0
	shown := false
	for _, a := range r.Account {
		if a.quiet {
			quiet++
			continue
		}
		if !shown {
			fmt.Fprintf(b, "\neffective configuration, CRI-O %s with the files before and %s after:\n", r.From, r.To)
			shown = true
		}
		fmt.Fprintf(b, "  %s\n    %s\n    %s: %s\n", a.Key, a.change(), a.Code, a.Why)
	}
	switch quiet {
	case 0:
	case 1:
		fmt.Fprintf(b, "\n1 more key exists in only one of the releases, with an empty value (-o json lists it)\n")
	default:
		fmt.Fprintf(b, "\n%d more keys exist in only one of the releases, with an empty value (-o json lists them)\n", quiet)
	}
}

// maxWidth is the width above which lists are not written out.
const maxWidth = 76

// change writes both values, or of long lists what comes and goes.
func (r row) change() string {
	text := r.before + " -> " + r.after
	if len(text) <= maxWidth {
		return text
	}
	was, isList := r.Before.([]string)
	is, becomesList := r.After.([]string)
	switch {
	case isList && becomesList:
		return strings.TrimSuffix(listed("loses", missing(was, is))+listed("gains", missing(is, was)), "; ")
	case isList:
		return fmt.Sprintf("a list of %d -> %s", len(was), r.after)
	case becomesList:
		return fmt.Sprintf("%s -> a list of %d", r.before, len(is))
	}
	return text
}

func listed(verb string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return verb + " " + strings.Join(list, ", ") + "; "
}

// missing returns the elements of a list that another one lacks.
func missing(list, from []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(from, s) })
}

type planDocument struct {
	output.Header
	Target      output.Target `json:"target"`
	Changed     bool          `json:"changed"`
	Files       []string      `json:"files"`
	Diff        string        `json:"diff"`
	Diagnostics []diag.Record `json:"diagnostics"`
	ExitCode    int           `json:"exitCode"`
	*report
}

// print writes what the migration would do.
func (m migration) print() error {
	r, err := m.work()
	if err != nil {
		return err
	}
	blocking := r.Blocking()
	for _, d := range m.node.UnitFindings() {
		if d.Effect == diag.Refused {
			blocking = append(blocking, d)
		}
	}
	code := exit.OK
	switch {
	case len(r.Refused()) > 0:
		code = exit.Refused
	case len(r.Open()) > 0, len(blocking) > 0:
		code = exit.Findings
	}
	doc := planDocument{
		Header: output.NewHeader("MigrationPlan"), Target: m.node.Target(), Changed: r.Changed(),
		Files: []string{}, Diff: string(m.diff(r)), Diagnostics: append(r.After.Diagnostics(), m.node.UnitFindings()...).Records(),
		ExitCode: code, report: m.report(r),
	}
	for _, f := range append(r.Files, r.Others...) {
		doc.Files = append(doc.Files, m.node.Display(f.Name))
	}
	err = m.session.Emit(doc, func(w io.Writer) error { return m.planText(w, r, doc, blocking) })
	if err != nil || code == exit.OK {
		return err
	}
	return exit.Silently(code)
}

func (m migration) planText(w io.Writer, r *migrate.Result, doc planDocument, blocking diag.List) error {
	fmt.Fprintf(w, "plan: from CRI-O %s to %s\n", r.From, r.To)
	for _, f := range doc.Files {
		fmt.Fprintf(w, "  would change %s\n", f)
	}
	if len(doc.Files) == 0 {
		fmt.Fprintf(w, "  no file has to change\n")
	}
	if err := doc.WriteText(w); err != nil {
		return err
	}
	if m.options.Diff {
		if _, err := io.WriteString(w, doc.Diff); err != nil {
			return err
		}
	}
	if len(blocking) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nCRI-O %s would not start with the result:\n", r.To)
	return diag.Printer{Sources: m.sources(r.After), Color: m.session.Color}.Text(w, blocking)
}

func (m migration) sources(c *crioconf.Config) func(string) []byte {
	planned := node.SourceOf(c)
	return func(file string) []byte {
		if src := planned(file); src != nil {
			return src
		}
		return m.node.Source(file)
	}
}

func (m migration) diff(r *migrate.Result) []byte {
	plan := dropin.Plan{DropInDir: m.node.Layout.DropInDir}
	for _, f := range append(r.Files, r.Others...) {
		plan.Changes = append(plan.Changes, dropin.Change{Path: f.Name, Before: f.Before, After: f.After})
	}
	return plan.Diff(m.node.Display)
}
