package apply

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

const (
	// lookEvery is the pause between two looks at a service that settles.
	lookEvery = 500 * time.Millisecond
	// lookTime bounds a single look, which needs no restart to end.
	lookTime = 10 * time.Second
)

// Run makes the changes of p and restarts svc; a nil svc means write only. It
// takes the lock of the store, unless the caller holds it, and puts back what an
// interrupted run has left.
//
// Without an error the result says what was done. An error before anything was
// written is returned as it is. A service that could not even be asked to
// restart gives that error, with Result.RolledBack set. After that the error is
// an *Error.
func Run(ctx context.Context, s *dropin.Store, p dropin.Plan, svc Service, o Options) (Result, error) {
	if o.Deadline == 0 {
		o.Deadline = DefaultDeadline
	}
	if o.Report == nil {
		o.Report = func(Event) {}
	}
	r := &run{store: s, svc: svc, o: o}
	err := r.locked(ctx, p)
	return r.res, err
}

type run struct {
	store *dropin.Store
	svc   Service
	o     Options
	res   Result
	taken bool // the service has taken files over, in a new process or not
}

func (r *run) locked(ctx context.Context, p dropin.Plan) (err error) {
	if !r.store.Locked() {
		unlock, err := r.store.Lock(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	r.res.Recovered, err = r.store.Recover(ctx)
	for _, tx := range r.res.Recovered {
		r.o.Report(Event{Kind: Recovered, Tx: tx})
	}
	if err != nil {
		return err
	}
	if r.svc != nil { // whoever cannot look now could not restart later
		if r.res.Before, err = r.look(ctx); err != nil {
			return fmt.Errorf("look at the service before the change: %w", err)
		}
		r.res.After = r.res.Before
	}
	if err := r.commit(ctx, p); err != nil {
		return err
	}
	if r.res.Skipped = r.skip(); r.res.Skipped != NotSkipped {
		return r.keep()
	}
	state, err := r.restart(ctx, Restarting, r.o.Probes)
	if err != nil {
		return r.rollBack(ctx, state, err)
	}
	r.o.Report(Event{Kind: Healthy, State: state})
	r.res.Restarted, r.res.After = true, state
	return r.keep()
}

func (r *run) commit(ctx context.Context, p dropin.Plan) error {
	tx, err := r.store.Commit(ctx, p)
	if tx != nil && tx.ID() != "" {
		r.res.Tx = tx
	}
	if errors.Is(err, dropin.ErrNotRestored) {
		r.res.Changed = true
		r.o.Report(Event{Kind: NotRestored, Err: err, Tx: tx})
		return &Error{Cause: err, Back: dropin.ErrNotRestored, Tx: tx}
	}
	if err != nil {
		return err
	}
	if r.res.Changed = r.res.Tx != nil; r.res.Changed {
		r.o.Report(Event{Kind: Written, Tx: tx})
	}
	return nil
}

func (r *run) skip() Skip {
	switch {
	case r.svc == nil:
		return NoService
	case r.o.Start:
		return NotSkipped
	case !r.res.Changed:
		return NoChange
	case r.res.Before.Active == "inactive" || r.res.Before.Active == "failed":
		return NotRunning
	}
	return NotSkipped
}

func (r *run) keep() error {
	if r.res.Tx == nil {
		return nil
	}
	return r.res.Tx.Keep()
}

// restart restarts the service and returns the state in which it was seen well,
// or seen last.
func (r *run) restart(ctx context.Context, kind EventKind, probes []Probe) (State, error) {
	r.o.Report(Event{Kind: kind})
	if err := r.ask(ctx); err != nil {
		state, _ := r.look(context.WithoutCancel(ctx))
		return state, err
	}
	r.taken = true
	return r.settle(ctx, probes)
}

func (r *run) ask(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	bounded, cancel := context.WithTimeout(ctx, r.o.Deadline)
	defer cancel()
	err := r.svc.Restart(bounded)
	if err != nil && ctx.Err() != nil { // not the deadline: somebody wants an end
		return fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return err
}

// rollBack puts the former files back, and the service to them.
func (r *run) rollBack(ctx context.Context, state State, cause error) error {
	r.o.Report(Event{Kind: Unhealthy, Err: cause, State: state})
	r.res.After = state
	tx := r.res.Tx
	if tx == nil { // nothing was written: it is the restart alone that failed
		return cause
	}
	ctx = context.WithoutCancel(ctx)
	r.o.Report(Event{Kind: Restoring, Tx: tx})
	if err := tx.Restore(ctx); err != nil {
		return r.notRestored(cause, err)
	}
	r.res.Changed, r.res.RolledBack = false, true
	if !r.taken && state.Running() && state.sameRun(r.res.Before) {
		r.o.Report(Event{Kind: RolledBack, State: state})
		return fmt.Errorf("%w; the former files are back, and the service was not stopped", cause)
	}
	note, err := r.restartFormer(ctx, state)
	if err != nil {
		return r.notRestored(cause, err)
	}
	r.o.Report(Event{Kind: RolledBack, State: r.res.After})
	return &Error{Cause: cause, Tx: tx, note: note}
}

func (r *run) notRestored(cause, err error) error {
	r.o.Report(Event{Kind: NotRestored, Err: err, Tx: r.res.Tx})
	return &Error{Cause: cause, Back: err, Tx: r.res.Tx}
}

// restartFormer brings the service to the former files. It must be well with
// them only if it was running before the change.
func (r *run) restartFormer(ctx context.Context, state State) (note string, err error) {
	was := r.res.Before
	if !was.Running() && (state.Active == "failed" || state.Active == "inactive") {
		return fmt.Sprintf("the service, which was %s before, is %s", was.Active, state.Active), nil
	}
	r.reset(ctx)
	state, err = r.restart(ctx, RestartingFormer, r.o.Former)
	r.res.After = state
	switch {
	case err == nil:
		return "the service is healthy with them", nil
	case !was.Running():
		return fmt.Sprintf("the service is %s, as it was not running before: %v", state.Active, err), nil
	}
	return "", fmt.Errorf("restart with the former files: %w", err)
}

// reset clears the record of failures. Should it not work, the restart that
// follows has the say.
func (r *run) reset(ctx context.Context) {
	if svc, ok := r.svc.(Resetter); ok {
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		_ = svc.ResetFailed(ctx)
	}
}
