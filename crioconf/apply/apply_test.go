package apply_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

const file = "etc/crio/crio.conf.d/60-crioctl-net.conf"

// A daemon is a service that does what its file says, on the clock of the test.
type daemon struct {
	file     string
	asked    []string // calls that change it
	runs     uint32
	started  time.Time
	content  string // the file as it was at the last start
	down     apply.State
	isDown   bool
	lookErr  func(look int) error
	looks    int
	startErr error // instead of a restart
	resetErr error
	reloads  bool // Restart lets the running process read its file again
}

var errJob = errors.New("restart crio.service: the job did not succeed: failed")

func (d *daemon) start() {
	b, err := os.ReadFile(d.file)
	if err != nil {
		b = []byte("no file")
	}
	d.runs++
	d.content, d.started, d.isDown = string(b), time.Now(), false
}

func (d *daemon) Restart(ctx context.Context) error {
	d.asked = append(d.asked, "restart")
	if d.startErr != nil {
		return d.startErr
	}
	if d.reloads {
		b, err := os.ReadFile(d.file)
		d.content = string(b)
		return err
	}
	d.start()
	switch d.content {
	case "refused":
		d.isDown, d.down = true, apply.State{Active: "failed", Sub: "failed", Result: "exit-code"}
		return errJob
	case "hangs":
		d.isDown, d.down = true, apply.State{Active: "activating", Sub: "start"}
		<-ctx.Done()
		return fmt.Errorf("restart crio.service: %w", ctx.Err())
	}
	return nil
}

func (d *daemon) ResetFailed(context.Context) error {
	d.asked = append(d.asked, "reset")
	return d.resetErr
}

func (d *daemon) State(ctx context.Context) (apply.State, error) {
	d.looks++
	if d.lookErr != nil {
		if err := d.lookErr(d.looks); err != nil {
			return apply.State{}, err
		}
	}
	if d.isDown {
		return d.down, nil
	}
	st := apply.State{Active: "active", Sub: "running", Result: "success", MainPID: 100 * d.runs,
		InvocationID: fmt.Sprint("run ", d.runs)}
	up := time.Since(d.started)
	switch {
	case d.content == "crashes" && up >= time.Second:
		return apply.State{Active: "failed", Sub: "failed", Result: "signal"}, nil
	case d.content == "flaps" && up >= time.Second:
		n := uint32(up / time.Second)
		st.MainPID, st.NRestarts, st.InvocationID = st.MainPID+n, n, fmt.Sprint("run ", d.runs, ".", n)
	}
	return st, nil
}

// says is a probe: the daemon runs with that content.
func (d *daemon) says(want string) apply.Probe {
	return func(context.Context) error {
		if d.content != want {
			return fmt.Errorf("the daemon runs with %q and not with %q", d.content, want)
		}
		return nil
	}
}

func down(active string) *apply.State { return &apply.State{Active: active, Sub: "dead"} }

// A story is one Run from the file "good" to another content.
type story struct {
	to      string
	was     *apply.State // before, nil for running well
	from    string       // content before, "" for "good"
	nothing bool         // the plan is empty
	options func(d *daemon, o *apply.Options)
	daemon  func(d *daemon)

	asked  []string
	events []apply.EventKind
	result apply.Result // without states and transactions
	after  string       // Active at the end
	err    string
	is     []error
	isNot  []error
	file   string // at the end
	state  dropin.State
}

func TestRun(t *testing.T) {
	type (
		asked  = []string
		events = []apply.EventKind
		errs   = []error
	)
	rolledBack := apply.Result{RolledBack: true}
	back := events{apply.Written, apply.Restarting, apply.Unhealthy, apply.Restoring, apply.RestartingFormer, apply.Settling, apply.RolledBack}
	settled := events{apply.Written, apply.Restarting, apply.Settling, apply.Unhealthy, apply.Restoring, apply.RestartingFormer, apply.Settling, apply.RolledBack}
	restored := asked{"restart", "reset", "restart"}
	for behaviour, st := range map[string]story{
		"a good change is kept": {to: "better",
			asked: asked{"restart"}, events: events{apply.Written, apply.Restarting, apply.Settling, apply.Healthy},
			result: apply.Result{Changed: true, Restarted: true}, after: "active", file: "better", state: dropin.Kept},
		"a good change without settling": {to: "better",
			options: func(d *daemon, o *apply.Options) { o.Settle, o.Probes = 0, nil },
			asked:   asked{"restart"}, events: events{apply.Written, apply.Restarting, apply.Settling, apply.Healthy},
			result: apply.Result{Changed: true, Restarted: true}, after: "active", file: "better", state: dropin.Kept},
		"a file that the daemon refuses": {to: "refused",
			asked: restored, events: back, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			err: errJob.Error() + "; the former files are back, and the service is healthy with them",
			is:  errs{apply.ErrRolledBack, errJob}, isNot: errs{apply.ErrRollbackFailed}},
		"a daemon that never gets ready": {to: "hangs",
			asked: restored, events: back, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			is: errs{apply.ErrRolledBack, context.DeadlineExceeded}},
		"a daemon that crashes after the start": {to: "crashes",
			asked: restored, events: settled, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			err: "the service is not healthy: it is failed (failed), last result signal; the former files are back, and the service is healthy with them",
			is:  errs{apply.ErrRolledBack, apply.ErrUnhealthy}},
		"a daemon that is active whenever one looks": {to: "flaps",
			asked: restored, events: settled, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			err: "the service is not healthy: it died and was started again by its manager (process 200, then 201); the former files are back, and the service is healthy with them",
			is:  errs{apply.ErrRolledBack, apply.ErrUnhealthy}},
		"a daemon that does not satisfy the probe": {to: "better",
			options: func(d *daemon, o *apply.Options) { o.Probes = []apply.Probe{d.says("best")} },
			asked:   restored, events: settled, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			err: `the service is not healthy: the daemon runs with "better" and not with "best"; the former files are back, and the service is healthy with them`,
			is:  errs{apply.ErrRolledBack, apply.ErrUnhealthy}},
		"a crash while the probes run": {to: "crashes",
			options: func(d *daemon, o *apply.Options) {
				o.Settle = 0
				o.Probes = []apply.Probe{func(context.Context) error { time.Sleep(2 * time.Second); return nil }}
			},
			asked: restored, events: settled, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			is: errs{apply.ErrRolledBack, apply.ErrUnhealthy}},
		"a probe that hangs": {to: "better",
			options: func(d *daemon, o *apply.Options) {
				o.Probes = []apply.Probe{func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
			},
			asked: restored, events: settled, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			is: errs{apply.ErrRolledBack, context.DeadlineExceeded}},
		"looks that fail now and then": {to: "better",
			daemon: func(d *daemon) {
				d.lookErr = func(n int) error {
					if n == 2 || n == 4 {
						return errors.New("bus is busy")
					}
					return nil
				}
			},
			asked: asked{"restart"}, events: events{apply.Written, apply.Restarting, apply.Settling, apply.Healthy},
			result: apply.Result{Changed: true, Restarted: true}, after: "active", file: "better", state: dropin.Kept},
		"looks that fail to the end": {to: "better",
			daemon: func(d *daemon) {
				d.lookErr = func(n int) error {
					if n > 2 {
						return errors.New("bus is gone")
					}
					return nil
				}
			},
			asked: restored, result: apply.Result{RolledBack: true}, after: "", file: "good", state: dropin.Restored,
			events: append(append(events{}, settled[:7]...), apply.NotRestored),
			is:     errs{apply.ErrRollbackFailed, apply.ErrUnhealthy}, isNot: errs{apply.ErrRolledBack}},
		"the former file is refused as well": {to: "crashes", from: "refused",
			asked: restored, result: apply.Result{RolledBack: true}, after: "failed", file: "refused", state: dropin.Restored,
			events: append(append(events{}, settled[:6]...), apply.NotRestored),
			err: "the service is not healthy: it is failed (failed), last result signal; the rollback failed: restart with the former files: " +
				errJob.Error() + "; the former files are in JOURNAL",
			is: errs{apply.ErrRollbackFailed, apply.ErrUnhealthy, errJob}, isNot: errs{apply.ErrRolledBack}},
		"the former value is not in force after the rollback": {to: "refused",
			options: func(d *daemon, o *apply.Options) { o.Former = []apply.Probe{d.says("something else")} },
			asked:   restored, result: apply.Result{RolledBack: true}, after: "active", file: "good", state: dropin.Restored,
			events: append(append(events{}, back[:6]...), apply.NotRestored),
			is:     errs{apply.ErrRollbackFailed, apply.ErrUnhealthy, errJob}},
		"a record of failures that cannot be cleared does not stop the rollback": {to: "refused",
			daemon: func(d *daemon) { d.resetErr = errors.New("no") },
			asked:  restored, events: back, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			is: errs{apply.ErrRolledBack}},
		"a reload takes the former file back too": {to: "better",
			daemon:  func(d *daemon) { d.reloads = true },
			options: func(d *daemon, o *apply.Options) { o.Probes = []apply.Probe{d.says("something else")} },
			asked:   restored, events: settled, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			is: errs{apply.ErrRolledBack, apply.ErrUnhealthy}},
		"a restart that is not permitted": {to: "better",
			daemon: func(d *daemon) { d.startErr = os.ErrPermission },
			asked:  asked{"restart"}, result: rolledBack, after: "active", file: "good", state: dropin.Restored,
			events: events{apply.Written, apply.Restarting, apply.Unhealthy, apply.Restoring, apply.RolledBack},
			err:    "permission denied; the former files are back, and the service was not stopped",
			is:     errs{os.ErrPermission}, isNot: errs{apply.ErrRolledBack, apply.ErrRollbackFailed}},
		"a manager that cannot be asked": {to: "better",
			daemon: func(d *daemon) { d.lookErr = func(int) error { return errors.New("no bus") } },
			file:   "good", err: "look at the service before the change: no bus"},
		"a service that is not running": {to: "better", was: down("inactive"),
			events: events{apply.Written}, result: apply.Result{Changed: true, Skipped: apply.NotRunning},
			after: "inactive", file: "better", state: dropin.Kept},
		"a service that has failed": {to: "better", was: down("failed"),
			events: events{apply.Written}, result: apply.Result{Changed: true, Skipped: apply.NotRunning},
			after: "failed", file: "better", state: dropin.Kept},
		"a service that flaps is restarted, since this may be the cure": {to: "better", was: down("activating"),
			asked: asked{"restart"}, events: events{apply.Written, apply.Restarting, apply.Settling, apply.Healthy},
			result: apply.Result{Changed: true, Restarted: true}, after: "active", file: "better", state: dropin.Kept},
		"a stopped service is started when asked": {to: "better", was: down("inactive"),
			options: func(d *daemon, o *apply.Options) { o.Start = true },
			asked:   asked{"restart"}, events: events{apply.Written, apply.Restarting, apply.Settling, apply.Healthy},
			result: apply.Result{Changed: true, Restarted: true}, after: "active", file: "better", state: dropin.Kept},
		"a stopped service that does not start": {to: "refused", was: down("inactive"),
			options: func(d *daemon, o *apply.Options) { o.Start = true },
			asked:   asked{"restart"}, result: rolledBack, after: "failed", file: "good", state: dropin.Restored,
			events: events{apply.Written, apply.Restarting, apply.Unhealthy, apply.Restoring, apply.RolledBack},
			err:    errJob.Error() + "; the former files are back, and the service, which was inactive before, is failed",
			is:     errs{apply.ErrRolledBack}},
		"a service that was not well is not better for the rollback": {to: "crashes", from: "refused", was: down("activating"),
			options: func(d *daemon, o *apply.Options) {
				o.Settle = 500 * time.Millisecond
				o.Probes = []apply.Probe{d.says("x")}
			},
			asked: restored, result: rolledBack, after: "failed", file: "refused", state: dropin.Restored,
			events: append(append(events{}, settled[:6]...), apply.RolledBack),
			is:     errs{apply.ErrRolledBack}, isNot: errs{apply.ErrRollbackFailed}},
		"nothing to change": {nothing: true,
			result: apply.Result{Skipped: apply.NoChange}, after: "active", file: "good"},
		"nothing to change, restart asked for": {nothing: true,
			options: func(d *daemon, o *apply.Options) { o.Start, o.Probes = true, nil },
			asked:   asked{"restart"}, events: events{apply.Restarting, apply.Settling, apply.Healthy},
			result: apply.Result{Restarted: true}, after: "active", file: "good"},
		"nothing to change, and the restart fails": {nothing: true, from: "refused",
			options: func(d *daemon, o *apply.Options) { o.Start = true },
			asked:   asked{"restart"}, events: events{apply.Restarting, apply.Unhealthy},
			after: "failed", file: "refused", err: errJob.Error(), isNot: errs{apply.ErrRolledBack, apply.ErrRollbackFailed}},
	} {
		t.Run(behaviour, func(t *testing.T) { synctest.Test(t, st.run) })
	}
}

func (st story) run(t *testing.T) {
	if st.from == "" {
		st.from = "good"
	}
	root := node(t, st.from)
	d := &daemon{file: filepath.Join(root, file)}
	d.start()
	if st.was != nil {
		d.isDown, d.down = true, *st.was
	}
	if st.daemon != nil {
		st.daemon(d)
	}
	var events []apply.EventKind
	o := apply.Options{
		Deadline: time.Minute, Settle: 5 * time.Second,
		Probes: []apply.Probe{d.says(st.to)},
		Report: func(e apply.Event) { events = append(events, e.Kind) },
	}
	if st.options != nil {
		st.options(d, &o)
	}
	s := store(t, root)
	p := change(st.from, st.to)
	if st.nothing {
		p = dropin.Plan{}
	}
	res, err := apply.Run(t.Context(), s, p, d, o)

	if st.err == "" && st.is == nil {
		require.NoError(t, err)
	}
	if st.err != "" {
		require.Error(t, err)
		got := err.Error()
		if res.Tx != nil {
			got = strings.ReplaceAll(got, res.Tx.Dir(), "JOURNAL")
		}
		require.Equal(t, st.err, got)
	}
	for _, e := range st.is {
		require.ErrorIs(t, err, e)
	}
	for _, e := range st.isNot {
		require.NotErrorIs(t, err, e)
	}
	equal(t, "asked", st.asked, d.asked)
	equal(t, "events", st.events, events)
	require.Equal(t, st.after, res.After.Active, "state at the end")
	require.Equal(t, st.file, read(t, root))
	if st.state != "" {
		require.Equal(t, st.state, res.Tx.State())
	} else {
		require.Nil(t, res.Tx)
	}
	res.Before, res.After, res.Tx = apply.State{}, apply.State{}, nil
	equal(t, "result", st.result, res)
	require.False(t, s.Locked())
	pending, err := s.Unfinished()
	require.NoError(t, err)
	require.Empty(t, pending)
}

func TestWriteOnly(t *testing.T) {
	root := node(t, "good")
	s := store(t, root)
	res, err := apply.Run(t.Context(), s, change("good", "better"), nil, apply.Options{Start: true})
	require.NoError(t, err)
	require.True(t, res.Changed)
	require.False(t, res.Restarted)
	require.Equal(t, apply.NoService, res.Skipped)
	require.Equal(t, "better", read(t, root))
	require.Equal(t, dropin.Kept, res.Tx.State())
}

func TestFileChangedMeanwhileIsNotTouched(t *testing.T) {
	root := node(t, "by hand")
	d := &daemon{file: filepath.Join(root, file)}
	d.start()
	res, err := apply.Run(t.Context(), store(t, root), change("good", "better"), d, apply.Options{})
	require.ErrorIs(t, err, dropin.ErrChanged)
	require.False(t, res.Changed || res.RolledBack)
	require.Empty(t, d.asked)
	require.Equal(t, "by hand", read(t, root))
}

// A context that ends at any time after the write leads back, with a deadline
// that is not the context's.
func TestCancelledAfterTheWrite(t *testing.T) {
	for _, at := range []apply.EventKind{apply.Written, apply.Restarting, apply.Settling} {
		t.Run("while "+string(at), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				root := node(t, "good")
				d := &daemon{file: filepath.Join(root, file)}
				d.start()
				ctx, cancel := context.WithCancelCause(t.Context())
				why := errors.New("interrupt")
				res, err := apply.Run(ctx, store(t, root), change("good", "better"), d, apply.Options{
					Settle: 5 * time.Second,
					Report: func(e apply.Event) {
						if e.Kind == at {
							cancel(why)
						}
					},
				})
				require.ErrorIs(t, err, why)
				require.True(t, res.RolledBack)
				require.Equal(t, "good", read(t, root))
				require.Equal(t, "active", res.After.Active)
				require.Equal(t, "good", d.content)
				if at == apply.Settling {
					require.ErrorIs(t, err, apply.ErrRolledBack)
					require.Equal(t, []string{"restart", "reset", "restart"}, d.asked)
				} else {
					require.Empty(t, d.asked, "the daemon was not disturbed")
				}
			})
		})
	}
}

// A person who interrupts a restart that hangs is told so, not of a deadline.
func TestCancelledWhileTheRestartHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := node(t, "good")
		d := &daemon{file: filepath.Join(root, file)}
		d.start()
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("interrupt")
		time.AfterFunc(time.Second, func() { cancel(why) })
		res, err := apply.Run(ctx, store(t, root), change("good", "hangs"), d, apply.Options{Settle: 5 * time.Second})
		require.ErrorIs(t, err, why)
		require.ErrorIs(t, err, apply.ErrRolledBack)
		require.True(t, res.RolledBack)
		require.Equal(t, "good", d.content)
		require.Equal(t, []string{"restart", "reset", "restart"}, d.asked)
	})
}

func TestCancelledBeforeTheWrite(t *testing.T) {
	root := node(t, "good")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := apply.Run(ctx, store(t, root), change("good", "better"), nil, apply.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "good", read(t, root))
}

// Somebody edits the new file while it is on trial: their edit is not lost, and
// the person is told where the former one is.
func TestRollbackFindsAForeignFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := node(t, "good")
		d := &daemon{file: filepath.Join(root, file)}
		d.start()
		res, err := apply.Run(t.Context(), store(t, root), change("good", "refused"), d, apply.Options{
			Report: func(e apply.Event) {
				if e.Kind == apply.Restoring {
					require.NoError(t, os.WriteFile(d.file, []byte("by hand"), 0o644))
				}
			},
		})
		require.ErrorIs(t, err, apply.ErrRollbackFailed)
		require.ErrorIs(t, err, dropin.ErrChanged)
		require.ErrorContains(t, err, res.Tx.Dir())
		require.True(t, res.Changed)
		require.False(t, res.RolledBack)
		require.Equal(t, "by hand", read(t, root))
		require.Equal(t, dropin.Pending, res.Tx.State())
	})
}

// A commit that failed half way and could not be taken back says everything once.
func TestErrorOfACommitThatIsNotRestored(t *testing.T) {
	root := node(t, "good")
	s := store(t, root)
	unlock, err := s.Lock(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, unlock()) }()
	tx, err := s.Commit(t.Context(), change("good", "half"))
	require.NoError(t, err)
	err = &apply.Error{Cause: fmt.Errorf("write x: full; %w: full too", dropin.ErrNotRestored), Back: dropin.ErrNotRestored, Tx: tx}
	require.EqualError(t, err, "write x: full; the former files are not all back: full too; the former files are in "+tx.Dir())
	require.ErrorIs(t, err, apply.ErrRollbackFailed)
	require.ErrorIs(t, err, dropin.ErrNotRestored)
}

func TestInterruptedRunIsPutBackFirst(t *testing.T) {
	root := node(t, "good")
	killed := store(t, root)
	unlock, err := killed.Lock(t.Context())
	require.NoError(t, err)
	_, err = killed.Commit(t.Context(), change("good", "half"))
	require.NoError(t, err)
	require.NoError(t, unlock())

	var recovered []string
	res, err := apply.Run(t.Context(), store(t, root), change("good", "better"), nil, apply.Options{
		Report: func(e apply.Event) {
			if e.Kind == apply.Recovered {
				recovered = append(recovered, e.Tx.ID())
			}
		},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"1"}, recovered)
	require.Len(t, res.Recovered, 1)
	require.Equal(t, "better", read(t, root))
}

func TestInterruptedRunThatCannotBePutBack(t *testing.T) {
	root := node(t, "good")
	killed := store(t, root)
	unlock, err := killed.Lock(t.Context())
	require.NoError(t, err)
	_, err = killed.Commit(t.Context(), change("good", "half"))
	require.NoError(t, err)
	require.NoError(t, unlock())
	require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte("by hand"), 0o644))

	_, err = apply.Run(t.Context(), store(t, root), change("by hand", "better"), nil, apply.Options{})
	require.ErrorIs(t, err, dropin.ErrUnfinished)
	require.Equal(t, "by hand", read(t, root))
}

func TestLockOfTheCallerIsUsedAndLeft(t *testing.T) {
	root := node(t, "good")
	s := store(t, root)
	unlock, err := s.Lock(t.Context())
	require.NoError(t, err)
	_, err = apply.Run(t.Context(), s, change("good", "better"), nil, apply.Options{})
	require.NoError(t, err)
	require.True(t, s.Locked())

	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = apply.Run(ctx, store(t, root), change("better", "best"), nil, apply.Options{})
	require.ErrorIs(t, err, dropin.ErrLocked)
	require.NoError(t, unlock())
}

func node(t *testing.T, content string) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(file)), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(content), 0o644))
	return root
}

func store(t *testing.T, root string) *dropin.Store {
	t.Helper()
	s, err := dropin.Open(root)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func change(from, to string) dropin.Plan {
	return dropin.Plan{
		Changes:   []dropin.Change{{Path: file, Before: []byte(from), After: []byte(to)}},
		DropInDir: filepath.Dir(file),
	}
}

func read(t *testing.T, root string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, file))
	require.NoError(t, err)
	return string(b)
}

func equal[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
