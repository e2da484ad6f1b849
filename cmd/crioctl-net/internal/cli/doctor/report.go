package doctor

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/version"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/doctor"
)

// A report writes the results in the format of the session.
type report struct {
	session *session.Session
	node    *node.Node
	results []doctor.Result
}

func (r report) write() error {
	s := r.session
	switch s.Format() {
	case output.SARIF:
		w := diag.NewSARIF(s.Out, diag.SARIFOptions{Tool: "crioctl-net", Version: version.Number, Sources: r.source})
		if err := w.Add(r.all()); err != nil {
			return err
		}
		return w.Close()
	case output.JUnit:
		return r.junit()
	case output.GitHub:
		return diag.GitHub(s.Out, r.all())
	}
	return s.Emit(r.document(), r.text)
}

// source returns the bytes of a file that a finding is about, for its line in
// messages. Some are no files of CRI-O.
func (r report) source(file string) []byte {
	if src := r.node.Source(file); src != nil {
		return src
	}
	name, ok := strings.CutPrefix(file, strings.TrimSuffix(r.node.FS.Path(""), "/")+"/")
	if !ok {
		return nil
	}
	src, err := r.node.FS.ReadFile(name)
	if err != nil {
		return nil
	}
	return src
}

// all returns the findings of all checks, with their commands in the hint.
func (r report) all() diag.List {
	var l diag.List
	for _, one := range r.results {
		l = append(l, r.list(one)...)
	}
	return l
}

func (r report) list(one doctor.Result) diag.List {
	var l diag.List
	for _, f := range one.Findings {
		d := f.Diagnostic
		lines := []string{d.Hint}
		for _, c := range f.Remedies {
			lines = append(lines, "run: "+r.command(c))
		}
		d.Hint = strings.TrimPrefix(strings.Join(lines, "\n"), "\n")
		l = append(l, d)
	}
	return l
}

// command returns a remedy as a line for the shell. Commands of ours get the
// flags that say which node is meant.
func (r report) command(c doctor.Remedy) string {
	words := slices.Clone([]string(c))
	s := r.session
	switch words[0] {
	case "crioctl-net":
		for _, f := range []struct{ name, value string }{
			{"root", s.Root}, {"crio-version", s.CRIOVersion}, {"config", s.Config}, {"config-dir", s.ConfigDir},
		} {
			if s.Given(f.name) {
				words = append(words, "--"+f.name, f.value)
			}
		}
	case "systemctl":
		if !r.node.Live {
			words = slices.Insert(words, 1, "--root", r.node.Root)
		}
	}
	for i, w := range words {
		words[i] = change.Quote(w)
	}
	return strings.Join(words, " ")
}

func (r report) junit() error {
	s := r.session
	fail := diag.Error
	if s.FailOn() == "warning" {
		fail = diag.Warning
	}
	w := diag.NewJUnit(s.Out, diag.JUnitOptions{Name: "crioctl-net doctor", FailOn: fail, Sources: r.source})
	var cases []diag.Case
	for _, one := range r.results {
		cases = append(cases, diag.Case{
			Name: one.Check.Name, Skipped: one.Skipped, Saw: strings.Join(one.Evidence, "\n"), Findings: r.list(one),
		})
	}
	if err := w.AddCases("doctor", cases); err != nil {
		return err
	}
	return w.Close()
}

type document struct {
	output.Header
	Target  output.Target `json:"target"`
	Summary summary       `json:"summary"`
	Checks  []check       `json:"checks"`
}

type summary struct {
	Checks   int `json:"checks"`
	OK       int `json:"ok"`
	Infos    int `json:"infos"`
	Warnings int `json:"warnings"`
	Errors   int `json:"errors"`
	Skipped  int `json:"skipped"`
}

type check struct {
	Name        string         `json:"name"`
	Title       string         `json:"title"`
	Needs       []string       `json:"needs"`
	Verdict     doctor.Verdict `json:"verdict"`
	Evidence    []string       `json:"evidence"`
	Skipped     string         `json:"skipped,omitempty"` // why
	Diagnostics []finding      `json:"diagnostics"`
}

type finding struct {
	diag.Record
	Remedies []string `json:"remedies"` // command lines, in order
}

func (r report) document() document {
	doc := document{Header: output.NewHeader("DoctorReport"), Target: r.node.Target(), Summary: r.summary(), Checks: []check{}}
	for _, one := range r.results {
		c := check{
			Name: one.Check.Name, Title: one.Check.Title, Needs: one.Check.Needs.Names(), Verdict: one.Verdict,
			Evidence: append([]string{}, one.Evidence...), Skipped: one.Skipped, Diagnostics: []finding{},
		}
		for _, f := range one.Findings {
			commands := []string{}
			for _, m := range f.Remedies {
				commands = append(commands, r.command(m))
			}
			c.Diagnostics = append(c.Diagnostics, finding{f.Record(), commands})
		}
		doc.Checks = append(doc.Checks, c)
	}
	return doc
}

func (r report) summary() summary {
	s := summary{Checks: len(r.results)}
	for _, one := range r.results {
		switch one.Verdict {
		case doctor.OK:
			s.OK++
		case doctor.Info:
			s.Infos++
		case doctor.Warning:
			s.Warnings++
		case doctor.Error:
			s.Errors++
		case doctor.Skipped:
			s.Skipped++
		}
	}
	return s
}

// marks stand before the name of a check, all of one width.
var marks = map[doctor.Verdict]string{
	doctor.OK: "[ ok ]", doctor.Info: "[info]", doctor.Warning: "[warn]", doctor.Error: "[FAIL]", doctor.Skipped: "[skip]",
}

// colors are those of diag.Printer; what is fine has none.
var colors = map[doctor.Verdict]string{doctor.Info: "\x1b[36m", doctor.Warning: "\x1b[33m", doctor.Error: "\x1b[31m"}

func (r report) text(w io.Writer) error {
	p := diag.Printer{Sources: r.source, Color: r.session.Color}
	gap := "" // a blank line parts the findings from what follows
	for _, one := range r.results {
		if r.session.Quiet && one.Verdict != doctor.Warning && one.Verdict != doctor.Error {
			continue
		}
		fmt.Fprintf(w, "%s%s %-11s %s\n", gap, r.mark(one.Verdict), one.Check.Name, headline(one))
		gap = ""
		if len(one.Findings) == 0 {
			continue
		}
		var b bytes.Buffer
		if err := p.Text(&b, r.list(one)); err != nil {
			return err
		}
		fmt.Fprintf(w, "\n%s", indent(b.String()))
		gap = "\n"
	}
	if r.session.Quiet {
		return nil
	}
	s := r.summary()
	_, err := fmt.Fprintf(w, "\n%s, CRI-O %s (%s)\n", s, r.node.Version, r.node.VersionSource)
	return err
}

func (r report) mark(v doctor.Verdict) string {
	if c := colors[v]; c != "" && r.session.Color {
		return c + marks[v] + "\x1b[0m"
	}
	return marks[v]
}

// headline is what a check came to in one line.
func headline(one doctor.Result) string {
	switch {
	case one.Verdict == doctor.Skipped:
		return one.Skipped
	case len(one.Findings) == 0:
		return strings.Join(one.Evidence, "; ")
	}
	l := one.List()
	i := slices.IndexFunc(l, func(d diag.Diagnostic) bool { return d.Severity == l.Max() })
	text, _, _ := strings.Cut(l[i].Summary, "\n")
	if len(l) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(l)-1)
	}
	return text
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// String returns the counts: "20 checks: 12 ok, 1 error, 7 skipped".
func (s summary) String() string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{s.OK, "ok", "ok"}, {s.Infos, "info", "info"}, {s.Warnings, "warning", "warnings"}, {s.Errors, "error", "errors"}, {s.Skipped, "skipped", "skipped"}} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.one)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.many))
		}
	}
	noun := "checks"
	if s.Checks == 1 {
		noun = "check"
	}
	return fmt.Sprintf("%d %s: %s", s.Checks, noun, strings.Join(parts, ", "))
}
