package apply

import (
	"context"
	"fmt"
	"time"
)

// look reads the state once.
func (r *run) look(ctx context.Context) (State, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	return r.svc.State(ctx)
}

// settle watches the service after a restart: it must stay as it is for
// Options.Settle, satisfy the probes, and still be there afterwards. A look that
// fails proves nothing, so only the last one must succeed.
func (r *run) settle(ctx context.Context, probes []Probe) (State, error) {
	ctx, cancel := context.WithTimeout(ctx, r.o.Settle+r.o.Deadline)
	defer cancel()
	w := watch{run: r}
	first, err := w.look(ctx)
	if err != nil {
		return w.last, err
	}
	r.o.Report(Event{Kind: Settling, State: first})
	for end := time.Now().Add(r.o.Settle); ; {
		left := time.Until(end)
		if left <= 0 {
			break
		}
		if err := sleep(ctx, min(left, lookEvery)); err != nil {
			return w.last, err
		}
		if _, err := w.look(ctx); err != nil {
			return w.last, err
		}
	}
	for _, probe := range probes {
		if err := probe(ctx); err != nil {
			return w.last, fmt.Errorf("%w: %w", ErrUnhealthy, err)
		}
	}
	if _, err := w.look(ctx); err != nil {
		return w.last, err
	}
	if w.err != nil {
		return w.last, fmt.Errorf("%w: its state is not known: %w", ErrUnhealthy, w.err)
	}
	return w.last, nil
}

// A watch remembers what was seen.
type watch struct {
	run         *run
	first, last State
	seen        bool  // first is set
	err         error // of the last look
}

// look returns an error when the service is not well any more.
func (w *watch) look(ctx context.Context) (State, error) {
	st, err := w.run.look(ctx)
	if w.err = err; err != nil {
		if ctx.Err() != nil {
			return st, context.Cause(ctx)
		}
		return st, nil
	}
	w.last = st
	if !st.Running() {
		return st, fmt.Errorf("%w: it is %v", ErrUnhealthy, st)
	}
	if !w.seen {
		w.first, w.seen = st, true
	}
	if !st.sameRun(w.first) {
		return st, fmt.Errorf("%w: it died and was started again by its manager (process %d, then %d)",
			ErrUnhealthy, w.first.MainPID, st.MainPID)
	}
	return st, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
