// Package change is the one road of every command that changes the
// configuration: lock, finish what a killed run left, read, plan, check the
// result as a whole, show, journal, write, restart, look, keep or roll back. The
// commands differ only in the proposal that they make.
package change

import (
	"context"
	"errors"
	"io"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// A Job is one change to carry out.
type Job struct {
	Session *session.Session
	Node    *node.Node
	Options Options
	// Title names the change in the history: "hostport disable".
	Title string
	// Propose works out the change from the configuration as it is. It may be
	// called twice, the second time under the lock.
	Propose func(*Job, *crioconf.Config, diag.List, *dropin.Store) (*Proposal, error)
	// Recovered is true for Propose when the files of an interrupted run were
	// put back just before.
	Recovered bool

	noted bool // the person was told of a change that is not confirmed
}

// Run carries out the job and writes its result. The error carries the exit
// code.
func (j *Job) Run(ctx context.Context) error {
	r := output.NewResult(j.Node.Target())
	r.DryRun = j.Options.DryRun
	err := j.run(ctx, &r)
	if err == nil {
		err = r.Verdict
	}
	r.ExitCode = exit.Code(err)
	if err != nil && !silent(err) {
		r.Changed = r.Changed && r.Written
		r.Error, r.Hint = err.Error(), hint(err)
		r.Msg = r.Error // what the change would have come to is not so
		if !j.Session.Format().Machine() {
			return err
		}
	}
	if werr := j.Session.Emit(r, func(w io.Writer) error { return j.text(w, &r) }); werr != nil {
		return errors.Join(err, werr)
	}
	return err
}

func hint(err error) string {
	var e *exit.Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
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
		p, err := j.prepare(ctx, r, store)
		if err != nil {
			return err
		}
		if j.Options.DryRun {
			return j.dryRun(ctx, r, p)
		}
		if !p.Changed() && !p.endsTrial() && j.Options.Restart != "always" {
			return nil
		}
	}
	unlock, err := Lock(ctx, j.Session, store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	recovered, err := j.recover(ctx, store)
	if err != nil {
		return err
	}
	p, err := j.prepare(ctx, r, store)
	if err != nil {
		return err
	}
	if err := j.askDaemon(ctx, p); err != nil {
		return err
	}
	if err := j.pointOut(p); err != nil {
		return err
	}
	return j.carry(ctx, r, store, p, recovered)
}

// carry carries the proposal out.
func (j *Job) carry(ctx context.Context, r *output.Result, store *dropin.Store, p *Proposal, recovered []crioconf.Change) error {
	work := Work{
		Files:     j.dropinPlan(p),
		Before:    p.Before,
		After:     p.After,
		Changes:   p.Changes,
		Verify:    p.Verify,
		Recovered: recovered,
	}
	err := j.onTrial(&work)
	if err != nil {
		return err
	}
	road := Road{Session: j.Session, Node: j.Node, Options: j.Options}
	if p.endsTrial() {
		err = j.endTrial(ctx, store, p, func() error { return road.Carry(ctx, r, store, work) })
	} else {
		err = road.Carry(ctx, r, store, work)
	}
	if err != nil || !r.Changed || !j.Node.Live {
		return err
	}
	// A root directory has no pods that the notes could be about.
	for _, n := range p.Notes {
		j.Session.Notef("note: %s", n)
	}
	return nil
}

// dryRun ends a run that only looks. The daemon's own opinion belongs to it.
func (j *Job) dryRun(ctx context.Context, r *output.Result, p *Proposal) error {
	if err := j.askDaemon(ctx, p); err != nil {
		return err
	}
	if err := j.pointOut(p); err != nil {
		return err
	}
	if j.Options.ExitCode && r.Changed {
		return exit.Silently(exit.Findings)
	}
	return nil
}

// prepare reads the configuration, works out the proposal and checks the result
// as a whole. A file that cannot be read stops it: the effective values are not
// known then.
func (j *Job) prepare(ctx context.Context, r *output.Result, store *dropin.Store) (*Proposal, error) {
	c, findings, err := j.Node.Load()
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	p, err := j.Propose(j, c, findings, store)
	if err != nil {
		return nil, err
	}
	j.describe(r, p)
	if err := j.refuse(p.Before, p.After, append(p.After.Diagnostics(), j.Node.UnitFindings()...), p.Key); err != nil {
		return nil, err
	}
	if err := j.refuseAgain(store, p); err != nil {
		return nil, err
	}
	return p, j.heed(ctx, p)
}
