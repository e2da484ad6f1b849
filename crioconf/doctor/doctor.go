package doctor

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// Verdict is the outcome of a check.
type Verdict string

// The verdicts. A check has that of its worst finding; Skipped means that it was
// not made.
const (
	OK      Verdict = "ok"
	Info    Verdict = "info"
	Warning Verdict = "warning"
	Error   Verdict = "error"
	Skipped Verdict = "skipped"
)

// Need is what a check looks at besides the configuration; a set.
type Need uint8

// The needs.
const (
	Files  Need = 1 << iota // files of the node
	Unit                    // the unit that starts CRI-O
	Daemon                  // the running daemon, or systemd
	Kernel                  // the kernel of the node: addresses, rules, security modules
)

var needNames = []string{"files", "unit", "daemon", "kernel"}

// Names returns the needs of the set in words.
func (n Need) Names() []string {
	names := []string{}
	for i, name := range needNames {
		if n&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the needs as a list with commas.
func (n Need) String() string { return strings.Join(n.Names(), ", ") }

// A Check is one thing to look at.
type Check struct {
	Name  string // short, lower case, hyphens
	Title string // the question that it answers, one clause
	Text  string // what it looks at, a sentence or two
	Needs Need
	Codes []diag.Code // of the findings of its own; those of others' checks come on top
	Run   func(context.Context, *Node) Outcome
}

// An Outcome is what a check came to.
type Outcome struct {
	Evidence []string  // what was seen, a clause each
	Findings []Finding // empty when all is well
	Skipped  string    // why the check was not made, "" when it was
}

// A Finding is a diagnostic and the way to put it right.
type Finding struct {
	diag.Diagnostic
	Remedies []Remedy // in the order in which they are to be done; empty when the hint says it all
}

// A Remedy is a command line that puts something right.
type Remedy []string

// Own returns a command line of crioctl-net.
func Own(args ...string) Remedy { return append(Remedy{"crioctl-net"}, args...) }

// A Result is a check that was made, or skipped.
type Result struct {
	Check Check
	Outcome
	Verdict Verdict
}

// List returns the diagnostics of the findings.
func (r Result) List() diag.List {
	var l diag.List
	for _, f := range r.Findings {
		l = append(l, f.Diagnostic)
	}
	return l
}

// Checks returns all checks in their order. The caller owns the slice.
func Checks() []Check {
	return slices.Concat(configChecks(), daemonChecks(), networkChecks(), hostChecks())
}

// Run makes the checks, one after the other. It returns early when ctx is done,
// with the error of the context and what was made so far.
func Run(ctx context.Context, n *Node, checks []Check) ([]Result, error) {
	results := make([]Result, 0, len(checks))
	for _, c := range checks {
		if err := ctx.Err(); err != nil {
			return results, context.Cause(ctx)
		}
		results = append(results, run(ctx, n, c))
	}
	return results, nil
}

func run(ctx context.Context, n *Node, c Check) (r Result) {
	r.Check = c
	defer func() {
		if p := recover(); p != nil {
			r.Outcome = broken(c, p)
		}
		r.Verdict = r.verdict()
	}()
	if why := n.lacks(c.Needs); why != "" {
		r.Skipped = why
		return r
	}
	r.Outcome = c.Run(ctx, n)
	return r
}

// broken tells of a check that panicked. Where, is for those who mend it.
func broken(c Check, p any) Outcome {
	return Outcome{Findings: []Finding{{Diagnostic: diag.Diagnostic{
		Code: diag.CheckFailed, Severity: diag.Error, Effect: diag.None,
		Summary: fmt.Sprintf("the check %s broke down: %v", c.Name, p),
		Detail:  "The fault is in the check and says nothing about the node. It was here: " + panicPlace(),
		Hint:    fmt.Sprintf(`Leave it out with "--skip %s" and report this.`, c.Name),
	}}}}
}

// panicPlace returns the innermost line of this module that panicked.
func panicPlace() string {
	place, panicked := "", false
	for line := range strings.Lines(string(debug.Stack())) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "panic("):
			panicked, place = true, ""
		case panicked && place == "" && strings.Contains(line, ".go:") && !strings.Contains(line, "/src/runtime/"):
			place, _, _ = strings.Cut(line, " ")
		}
	}
	if i := strings.LastIndex(place, "/crioconf/"); i >= 0 {
		place = place[i+1:]
	}
	return place
}

func (r Result) verdict() Verdict {
	if r.Skipped != "" && len(r.Findings) == 0 {
		return Skipped
	}
	switch r.List().Max() {
	case diag.Error:
		return Error
	case diag.Warning:
		return Warning
	case diag.Info:
		return Info
	}
	return OK
}

// saw adds something to the evidence.
func (o *Outcome) saw(format string, args ...any) {
	o.Evidence = append(o.Evidence, fmt.Sprintf(format, args...))
}

// add adds a finding.
func (o *Outcome) add(d diag.Diagnostic, remedies ...Remedy) {
	if d.Effect == "" {
		d.Effect = diag.None
	}
	o.Findings = append(o.Findings, Finding{d, remedies})
}

// all adds findings of others' checks.
func (o *Outcome) all(l diag.List) {
	for _, d := range l {
		o.add(d)
	}
}

// missed adds that something could not be looked at.
func (o *Outcome) missed(what string, err error) {
	o.add(diag.Diagnostic{
		Code: diag.NotChecked, Severity: diag.Warning, Effect: diag.None,
		Summary: fmt.Sprintf("%s: %v", what, err),
		Detail:  "What it would have shown is not known.",
	})
}

// skipped returns the outcome of a check that was not made.
func skipped(format string, args ...any) Outcome {
	return Outcome{Skipped: fmt.Sprintf(format, args...)}
}
