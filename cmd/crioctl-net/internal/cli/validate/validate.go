// Package validate is the command "crioctl-net validate": every finding of
// every file in one run.
package validate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/version"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "validate [PATH...]",
		Short: "Find every mistake in files, drop-in directories and node roots",
		Long: `Judges each PATH as CRI-O's own loader would: a file, a drop-in directory, a node
root (a directory with etc/crio in it), or - for standard input. Without a PATH it
judges the node, or the root given with --root.

All findings of all files come in one run, each with its code, the place, what
CRI-O will do and what to do about it. An error means that CRI-O refuses to start,
that the outcome is random, or that a line has no effect in any release; a warning
that this release ignores or replaces what the file says.`,
		Example: `  crioctl-net validate
  crioctl-net validate --strict /etc/crio/crio.conf.d
  crioctl-net validate --crio-version 1.30 nodes/*
  crioctl-net validate -o sarif . > findings.sarif
  crioctl-net validate - < 10-site.conf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(true); err != nil {
				return err
			}
			return run(cmd.Context(), s, args)
		},
	}
}

func run(ctx context.Context, s *session.Session, paths []string) error {
	r, err := newReport(s)
	if err != nil {
		return err
	}
	j := judge{session: s}
	defer j.close()
	worst := exit.OK
	var failures []error
	for subject, err := range j.subjects(ctx, paths) {
		if err != nil {
			failures = append(failures, err)
			if subject == nil {
				continue
			}
		}
		if err := r.add(subject); err != nil {
			return err
		}
		worst = worse(worst, s.Verdict(subject.findings))
	}
	if err := r.close(); err != nil {
		return err
	}
	if len(failures) > 0 {
		code := exit.Impossible
		var e *exit.Error
		if errors.As(failures[0], &e) {
			code = e.Code
		}
		return exit.With(code, errors.Join(failures...))
	}
	if worst != exit.OK {
		return exit.Silently(worst)
	}
	return nil
}

// worse ranks the verdicts: errors before warnings.
func worse(a, b int) int {
	if a == exit.Findings || b == exit.Findings {
		return exit.Findings
	}
	return max(a, b)
}

// A report writes the findings subject by subject, so that memory does not grow
// with their number but in the formats that are one document.
type report interface {
	add(*subject) error
	close() error
}

func newReport(s *session.Session) (report, error) {
	switch s.Format() {
	case output.SARIF:
		r := &sarifReport{}
		r.w = diag.NewSARIF(s.Out, diag.SARIFOptions{Tool: "crioctl-net", Version: version.Number, Sources: r.sources})
		return r, nil
	case output.JUnit:
		r := &junitReport{}
		fail := diag.Error
		if s.FailOn() == "warning" {
			fail = diag.Warning
		}
		r.w = diag.NewJUnit(s.Out, diag.JUnitOptions{Name: "crioctl-net validate", FailOn: fail, Sources: r.sources})
		return r, nil
	case output.GitHub:
		return githubReport{s.Out}, nil
	case output.JSON, output.YAML:
		return &documentReport{session: s, doc: document{
			Header:      output.NewHeader("ValidationReport"),
			Targets:     []target{},
			Diagnostics: []diag.Record{},
		}}, nil
	}
	return &textReport{session: s}, nil
}

// current gives printers the sources of the subject at hand.
type current struct{ subject *subject }

func (c *current) sources(file string) []byte {
	if c.subject == nil {
		return nil
	}
	return c.subject.source(file)
}

type sarifReport struct {
	current
	w *diag.SARIF
}

func (r *sarifReport) add(s *subject) error {
	r.subject = s
	return r.w.Add(s.findings)
}

func (r *sarifReport) close() error { return r.w.Close() }

type junitReport struct {
	current
	w *diag.JUnit
}

func (r *junitReport) add(s *subject) error {
	r.subject = s
	return r.w.Add(s.files, s.findings)
}

func (r *junitReport) close() error { return r.w.Close() }

type githubReport struct{ w io.Writer }

func (r githubReport) add(s *subject) error { return diag.GitHub(r.w, s.findings) }
func (r githubReport) close() error         { return nil }

type target struct {
	Path string `json:"path"`
	output.Target
	Files []string `json:"files"`
}

type summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Files    int `json:"files"`
}

type document struct {
	output.Header
	Targets     []target      `json:"targets"`
	Summary     summary       `json:"summary"`
	Diagnostics []diag.Record `json:"diagnostics"`
}

type documentReport struct {
	session *session.Session
	doc     document
	tally   diag.Tally
}

func (r *documentReport) add(s *subject) error {
	files := s.files
	if files == nil {
		files = []string{}
	}
	r.doc.Targets = append(r.doc.Targets, target{s.path, s.target, files})
	r.doc.Diagnostics = append(r.doc.Diagnostics, s.findings.Records()...)
	r.tally.Add(len(s.files), s.findings)
	return nil
}

func (r *documentReport) close() error {
	r.doc.Summary = summary{r.tally.Errors, r.tally.Warnings, r.tally.Infos, r.tally.Files}
	return r.session.Emit(r.doc, nil) // only made for a machine's format
}

type textReport struct {
	session *session.Session
	tally   diag.Tally
	judged  []string
	printed bool
}

func (r *textReport) add(s *subject) error {
	if len(s.findings) > 0 {
		if r.printed {
			fmt.Fprintln(r.session.Out)
		}
		r.printed = true
		p := diag.Printer{Sources: s.source, Color: r.session.Color}
		if err := p.Text(r.session.Out, s.findings); err != nil {
			return err
		}
	}
	r.tally.Add(len(s.files), s.findings)
	judged := fmt.Sprintf("CRI-O %s (%s)", s.target.CRIOVersion, s.target.VersionSource)
	for _, seen := range r.judged {
		if seen == judged {
			return nil
		}
	}
	r.judged = append(r.judged, judged)
	return nil
}

func (r *textReport) close() error {
	if r.session.Quiet || len(r.judged) == 0 {
		return nil
	}
	if r.printed {
		fmt.Fprintln(r.session.Out)
	}
	judged := r.judged[0]
	if len(r.judged) > 1 {
		judged = fmt.Sprintf("%s and %d more", r.judged[0], len(r.judged)-1)
	}
	_, err := fmt.Fprintf(r.session.Out, "%s, judged for %s\n", r.tally, judged)
	return err
}
