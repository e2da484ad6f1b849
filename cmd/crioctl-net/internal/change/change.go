// Package change is the one road of every command that changes the
// configuration: lock, read, plan, check the result as a whole, show, write,
// restart, look. hostport, set and unset differ only in the request they bring.
package change

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// stateTime bounds the question for the state of the unit.
const stateTime = 5 * time.Second

// Options are the flags of every command that changes something.
type Options struct {
	DryRun   bool
	Diff     bool
	ExitCode bool
	Restart  string
	In       string
}

// AddFlags adds the flags to a command.
func (o *Options) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would change; write nothing, restart nothing")
	f.BoolVar(&o.DryRun, "check", false, "the same as --dry-run")
	f.BoolVar(&o.Diff, "diff", false, "show the change of the files as a unified diff")
	f.BoolVar(&o.ExitCode, "exit-code", false, "with --dry-run: exit 1 when something would change")
	f.StringVar(&o.Restart, "restart", "auto", "restart crio: auto (when a changed key needs it), always or never (`WHEN`)")
	f.StringVar(&o.In, "in", "", "make the change in this `FILE` of the drop-in directory, or in the main file")
	// The flags are registered just above.
	_ = cmd.RegisterFlagCompletionFunc("restart", cobra.FixedCompletions([]cobra.Completion{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
}

// Check settles the flags after parsing.
func (o *Options) Check(s *session.Session) error {
	if !slices.Contains([]string{"auto", "always", "never"}, o.Restart) {
		return exit.Errorf(exit.Usage, "--restart %s: want auto, always or never", o.Restart)
	}
	if o.Restart == "always" && s.Root != "/" {
		return exit.Errorf(exit.Usage, "--restart always: with --root no daemon is restarted")
	}
	if o.ExitCode && !o.DryRun {
		return exit.Errorf(exit.Usage, "--exit-code needs --dry-run")
	}
	return nil
}

// A Job is one change to carry out.
type Job struct {
	Session *session.Session
	Node    *node.Node
	Options Options
	Request crioconf.Request
	Say     Phrases

	before *crioconf.Config // as read
}

// Phrases are the sentences that differ between commands.
type Phrases struct {
	Done      func(crioconf.Value) string // "hostport mapping by CRI-O is disabled"
	WouldDo   func(crioconf.Value) string
	Unchanged func(crioconf.Value) string
	// Notes are remarks that only make sense once the files have changed.
	Notes []string
}

// Run carries out the job and writes its result. The error carries the exit
// code.
func (j *Job) Run(ctx context.Context) error {
	r := output.NewResult(j.Node.Target())
	r.DryRun = j.Options.DryRun
	err := j.run(ctx, &r)
	r.ExitCode = exit.Code(err)
	if err != nil && !silent(err) {
		r.Changed = r.Changed && r.Written
		r.Error = err.Error()
		if !j.Session.Format().Machine() {
			return err
		}
	}
	if werr := j.Session.Emit(r, func(w io.Writer) error { return j.text(w, &r) }); werr != nil {
		return errors.Join(err, werr)
	}
	return err
}

// silent reports whether the error is an exit code and nothing else.
func silent(err error) bool {
	var e *exit.Error
	return errors.As(err, &e) && e.Err == nil
}

func (j *Job) run(ctx context.Context, r *output.Result) (err error) {
	store, err := dropin.Open(j.Node.Root)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	defer store.Close()
	unfinished, err := store.Unfinished()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	// A first look without the lock leaves no trace where nothing is to be done,
	// so that a second run passes on a read-only root and without permission.
	if j.Options.DryRun || len(unfinished) == 0 {
		planned, err := j.prepare(r)
		if err != nil || j.Options.DryRun || !planned.Changed() && j.Options.Restart != "always" {
			return errors.Join(err, j.dryRun(r))
		}
	}
	unlock, err := store.Lock(ctx)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := j.recover(ctx, store); err != nil {
		return err
	}
	planned, err := j.prepare(r)
	if err != nil {
		return err
	}
	if err := j.pointOut(planned); err != nil {
		return err
	}
	return j.apply(ctx, r, store, planned)
}

// prepare reads the configuration, plans the change and checks the result as a
// whole.
func (j *Job) prepare(r *output.Result) (*crioconf.Planned, error) {
	planned, err := j.plan()
	if err != nil {
		return nil, err
	}
	j.describe(r, planned)
	return planned, j.refuse(planned.Config, planned.Diagnostics)
}

// recover puts back what a killed run left half done, before anything is read.
func (j *Job) recover(ctx context.Context, store *dropin.Store) error {
	recovered, err := store.Recover(ctx)
	for _, tx := range recovered {
		j.Session.Notef("note: put back the files of an interrupted run: %v", tx.Paths())
	}
	if err != nil {
		return exit.With(exit.RollbackFailed, fmt.Errorf("put back the files of an interrupted run: %w", err))
	}
	return nil
}

// plan reads the configuration and works out the change. A file that cannot be
// read stops it: the effective value is not known then.
func (j *Job) plan() (*crioconf.Planned, error) {
	c, findings, err := j.Node.Load()
	j.before = c
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	r := j.Request
	r.In = j.Node.InFile(j.Options.In)
	r.Owner = func(name string, src []byte) *crioconf.Owner { return crio.OwnerOf(j.Node.FS, name, src) }
	planned, err := c.Plan(r)
	var refusal *crioconf.Refusal
	if errors.As(err, &refusal) {
		code := exit.Refused
		if errors.Is(err, crioconf.ErrFileUnread) {
			code = exit.Usage
		}
		return nil, &exit.Error{Code: code, Err: refusal, Hint: refusal.Hint}
	}
	if err != nil {
		// A file that is not TOML cannot be edited either.
		return nil, errors.Join(j.refuse(c, findings), exit.With(exit.Impossible, err))
	}
	return planned, nil
}

// refuse stops when CRI-O would not start with the configuration, whether that
// is our doing or was so before.
func (j *Job) refuse(c *crioconf.Config, findings diag.List) error {
	var refused diag.List
	for _, d := range findings {
		if d.Effect == diag.Refused || d.Effect == diag.Random && d.Key.Equal(j.Request.Key) {
			refused = append(refused, d)
		}
	}
	if len(refused) == 0 {
		return nil
	}
	if !j.Session.Format().Machine() {
		printer := diag.Printer{Sources: j.sources(c), Color: j.Session.Color}
		if err := printer.Text(j.Session.Err, refused); err != nil {
			return err
		}
	}
	return &exit.Error{
		Code: exit.Findings,
		Err:  fmt.Errorf("%s; nothing was written", brokenBecause(refused)),
		Hint: `Put it right first; "crioctl-net validate" shows all findings.`,
	}
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

// pointOut shows the lines that look like the key and are none: above all the
// toggle below a runtimes header, where CRI-O's own template prints it.
func (j *Job) pointOut(p *crioconf.Planned) error {
	if j.Session.Format().Machine() || j.Session.Quiet {
		return nil
	}
	var l diag.List
	for _, d := range j.relevant(p.Diagnostics) {
		if d.Severity != diag.Info && !d.Key.Equal(j.Request.Key) {
			l = append(l, d)
		}
	}
	return diag.Printer{Sources: j.sources(p.Config), Color: j.Session.Color}.Text(j.Session.Err, l)
}

func brokenBecause(l diag.List) string {
	if l.Has(diag.Refused) {
		return "CRI-O does not start with this configuration"
	}
	return "CRI-O takes this key from one of two spellings, at random"
}

// describe fills the result with what the plan is.
func (j *Job) describe(r *output.Result, p *crioconf.Planned) {
	r.Changed = p.Changed()
	r.Diagnostics = j.relevant(p.Diagnostics).Records()
	key := j.Request.Key.String()
	if p.HadBefore {
		r.Before[key] = output.Plain(p.Before.V)
	}
	if p.HasAfter {
		r.After[key] = output.Plain(p.After.V)
		r.Origins = output.Origins(key, p.After)
	}
	for _, c := range p.Changes {
		if c.HadBefore {
			r.Before[c.Path.String()] = output.Plain(c.Before.V)
		}
		if c.HasAfter {
			r.After[c.Path.String()] = output.Plain(c.After.V)
		}
	}
	r.Files = []string{}
	r.Removed = nil
	for _, f := range p.Files {
		r.Files = append(r.Files, j.Node.Display(f.Name))
		if f.After == nil {
			r.Removed = append(r.Removed, j.Node.Display(f.Name))
		}
	}
	r.Diff = string(j.dropinPlan(p).Diff(j.Node.Display))
	switch {
	case !p.Changed():
		r.Msg = j.Say.Unchanged(p.After)
	case j.Options.DryRun:
		r.Msg = j.Say.WouldDo(p.After)
	default:
		r.Msg = j.Say.Done(p.After)
	}
}

// relevant picks the findings that matter for this change: those about the key,
// and those that stop CRI-O.
func (j *Job) relevant(l diag.List) diag.List {
	var out diag.List
	for _, d := range l {
		if d.Key.Leaf() == j.Request.Key.Leaf() || d.Effect == diag.Refused || d.Effect == diag.Random {
			out = append(out, d)
		}
	}
	return out
}

func (j *Job) dropinPlan(p *crioconf.Planned) dropin.Plan {
	plan := dropin.Plan{DropInDir: j.Node.Layout.DropInDir}
	for _, f := range p.Files {
		plan.Changes = append(plan.Changes, dropin.Change{Path: f.Name, Before: f.Before, After: f.After})
	}
	return plan
}

// dryRun returns the exit code of a run that only looked.
func (j *Job) dryRun(r *output.Result) error {
	if j.Options.DryRun && j.Options.ExitCode && r.Changed {
		return exit.Silently(exit.Findings)
	}
	return nil
}

// restartWanted reports whether the change needs a new process of the daemon.
func (j *Job) restartWanted(p *crioconf.Planned) bool {
	switch j.Options.Restart {
	case "never":
		return false
	case "always":
		return true
	}
	return slices.ContainsFunc(p.Changes, func(c crioconf.Change) bool {
		return node.NeedsRestart(c, j.Node.Version)
	})
}
