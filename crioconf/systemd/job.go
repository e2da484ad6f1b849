package systemd

import (
	"context"
	"fmt"
	"time"

	sd "github.com/coreos/go-systemd/v22/dbus"
)

// How often to look whether the connection and the job are still there while
// the end of the job has not been told.
const poll = 200 * time.Millisecond

// After the deadline of a call has passed, the state is still read for the
// error, for at most this long.
const lastLook = 2 * time.Second

// Restart restarts the unit and returns when the job has ended: nil when it
// ended well and the unit is active. A stopped unit is started. Give ctx a
// deadline: CRI-O's unit has TimeoutStartSec=0, so that systemd waits for ever.
func (s *Service) Restart(ctx context.Context) error {
	return s.job(ctx, "restart", s.unit, (*sd.Conn).RestartUnitContext)
}

// Reload makes the running service read its configuration again: for CRI-O a
// SIGHUP, which applies few keys.
func (s *Service) Reload(ctx context.Context) error {
	return s.job(ctx, "reload", s.unit, (*sd.Conn).ReloadUnitContext)
}

type start func(c *sd.Conn, ctx context.Context, unit, mode string, ch chan<- string) (int, error)

// job starts a job and returns when it has ended: nil when it ended well and the
// unit is active.
func (s *Service) job(ctx context.Context, op, unit string, start start) error {
	result, err := s.run(ctx, op, unit, start)
	if err != nil {
		return err
	}
	return judge(op, unit, result, s.look(ctx, unit))
}

// run starts a job and returns its result.
func (s *Service) run(ctx context.Context, op, unit string, start start) (result string, err error) {
	conn, err := s.connect(ctx)
	if err != nil {
		return "", err
	}
	// The library sends to the channel while it holds its lock, so there must
	// be room for the result even when nobody waits any more.
	ch := make(chan string, 1)
	id, err := start(conn, ctx, unit, "replace", ch)
	if err != nil {
		return "", failure(op, unit, err)
	}
	result, err = s.wait(ctx, conn, unit, uint32(id), ch)
	if err != nil {
		e := failure(op, unit, err)
		e.After = s.look(ctx, unit)
		switch e.Kind {
		case ErrBusLost:
			e.Detail = "while the job ran"
		case ErrTimeout:
			e.Detail = "the job has not ended"
			e.Hint = fmt.Sprintf("systemd goes on with it; see \"systemctl status %s\".", unit)
		}
		return "", e
	}
	return result, nil
}

// wait returns the result of the job, or "" when the job is gone and its result
// was not told.
func (s *Service) wait(ctx context.Context, conn *sd.Conn, unit string, id uint32, ch <-chan string) (string, error) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for gone := false; ; {
		select {
		case r := <-ch:
			return r, nil
		case <-ctx.Done():
			return "", ctx.Err()
		case <-tick.C:
		}
		// When the bus dies, nothing is ever sent to the channel.
		if !conn.Connected() {
			return "", ErrBusLost
		}
		if gone {
			// The signal is sent before the job disappears, so that a whole
			// tick later it must have come.
			return "", nil
		}
		p, err := conn.GetUnitPropertyContext(ctx, unit, "Job")
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w: %w", ErrBusLost, err)
		}
		if err != nil {
			return "", err
		}
		// (uo): the number is 0 when the unit has no job.
		v, ok := p.Value.Value().([]any)
		gone = ok && len(v) > 0 && v[0] != id
	}
}

// look reads the state after a job, if need be when ctx is over already.
func (s *Service) look(ctx context.Context, unit string) *Properties {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	st, err := s.properties(ctx, unit)
	if err != nil {
		return nil
	}
	return &st
}

// judge turns the end of a job into nil or an error.
func judge(op, unit, result string, st *Properties) error {
	e := &Error{Op: op, Unit: unit, Job: result, After: st, Kind: ErrJob,
		Hint: fmt.Sprintf("See \"journalctl -u %s -e\".", unit)}
	switch {
	case st == nil:
		e.Kind, e.Detail, e.Hint = ErrBusLost, "its state after the job could not be read", hintBus
		return e
	case (result == "done" || result == "") && st.ActiveState == "active":
		return nil
	case st.Result == "start-limit-hit":
		e.Kind, e.Detail = ErrStartLimit, describe(*st)
		e.Hint = fmt.Sprintf("Find out why it did not stay up with \"journalctl -u %[1]s -e\", then \"systemctl reset-failed %[1]s\".", unit)
		return e
	case result == "done" || result == "":
		e.Kind, e.Detail = ErrNotActive, describe(*st)
		return e
	}
	if result == "invalid" {
		e.Kind = ErrRefused
	}
	e.Detail = result + ", " + describe(*st)
	if h, ok := jobHints[result]; ok {
		e.Hint = fmt.Sprintf(h, unit)
	}
	return e
}

// Job results that are not about the program; see org.freedesktop.systemd1(5),
// JobRemoved.
var jobHints = map[string]string{
	"canceled":    "Another request for %s took the place of this one.",
	"timeout":     "The job ran longer than JobTimeoutSec= of %s allows.",
	"dependency":  "A unit that %[1]s requires did not start; see \"systemctl list-dependencies %[1]s\".",
	"assert":      "An Assert…= line of %s is not met.",
	"skipped":     "The job did not apply to the state of %s.",
	"invalid":     "The job does not apply to %s as it is; only a running service can reload.",
	"unsupported": "This system cannot run %s.",
	"frozen":      "%[1]s is frozen; \"systemctl thaw %[1]s\" wakes it.",
}

// describe says in one clause what became of the service.
func describe(s Properties) string {
	d := "it is " + s.ActiveState
	if s.SubState != "" && s.SubState != s.ActiveState {
		d += " (" + s.SubState + ")"
	}
	switch s.ExecMainCode {
	case 1:
		if s.ExecMainStatus != 0 {
			d += fmt.Sprintf(", the program exited with status %d", s.ExecMainStatus)
		}
	case 2, 3:
		d += fmt.Sprintf(", the program was killed by signal %d", s.ExecMainStatus)
	}
	switch s.Result {
	case "", "success", "exit-code", "signal", "core-dump":
	default:
		d += ", result " + s.Result
	}
	if s.NRestarts > 0 {
		d += fmt.Sprintf(", systemd has started it %d times again", s.NRestarts)
	}
	return d
}
