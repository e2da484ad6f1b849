package systemd

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
)

// A Timer runs a program once, some time from now. It belongs to systemd, so that
// it outlives the process that has started it, its terminal and its session. It
// does not outlive the machine's next start.
type Timer struct {
	Name        string // of the units NAME.timer and NAME.service
	Description string
	After       time.Duration
	Command     []string // the program by its absolute path, and its arguments
}

// TimerState is what became of a timer.
type TimerState string

// The states of a timer.
const (
	TimerWaiting TimerState = "waiting" // the program is still to run
	TimerRunning TimerState = "running" // the program runs
	TimerFailed  TimerState = "failed"  // the program has failed
	TimerGone    TimerState = "gone"    // it was stopped, its program has ended well, or there was none
)

// StartTimer starts the timer. With a nil error systemd has it and it is
// ticking.
func (s *Service) StartTimer(ctx context.Context, t Timer) error {
	return s.job(ctx, "start", t.Name+".timer", func(c *sd.Conn, ctx context.Context, unit, mode string, ch chan<- string) (int, error) {
		return c.StartTransientUnitAux(ctx, unit, mode, t.timerProperties(), t.service(), ch)
	})
}

// A monotonic is a clock of a timer, (st): the name of its setting, and
// microseconds.
type monotonic struct {
	Base string
	USec uint64
}

func (t Timer) timerProperties() []sd.Property {
	return []sd.Property{
		sd.PropDescription(t.Description),
		{Name: "TimersMonotonic", Value: dbus.MakeVariant([]monotonic{{"OnActiveSec", usec(t.After)}})},
		{Name: "AccuracyUSec", Value: dbus.MakeVariant(usec(time.Second))}, // else a minute
		{Name: "RemainAfterElapse", Value: dbus.MakeVariant(false)},
	}
}

func (t Timer) service() []sd.PropertyCollection {
	return []sd.PropertyCollection{{
		Name: t.Name + ".service",
		Properties: []sd.Property{
			sd.PropDescription(t.Description),
			sd.PropType("oneshot"),
			sd.PropRemainAfterExit(false),
			sd.PropExecStart(literal(t.Command), false),
		},
	}}
}

// literal keeps systemd from putting variables into the arguments.
func literal(command []string) []string {
	out := slices.Clone(command)
	for i := range out[1:] {
		out[i+1] = strings.ReplaceAll(out[i+1], "$", "$$")
	}
	return out
}

func usec(d time.Duration) uint64 { return uint64(max(d, 0).Microseconds()) }

// StopTimer stops the timer of that name. A program that runs already is left
// alone, and a timer that is gone is no error.
func (s *Service) StopTimer(ctx context.Context, name string) error {
	unit := name + ".timer"
	result, err := s.run(ctx, "stop", unit, (*sd.Conn).StopUnitContext)
	var reply dbus.Error
	switch {
	case errors.As(err, &reply) && reply.Name == "org.freedesktop.systemd1.NoSuchUnit":
		return nil
	case err != nil:
		return err
	case result == "done" || result == "":
		return nil
	}
	return &Error{Op: "stop", Unit: unit, Kind: ErrJob, Job: result, Detail: result}
}

// TimerState returns what became of the timer. It needs no privileges.
func (s *Service) TimerState(ctx context.Context, name string) (TimerState, error) {
	// The timer first: one that runs out between the two questions has a program
	// that runs.
	timer, err := s.properties(ctx, name+".timer")
	if err != nil {
		return "", err
	}
	program, err := s.properties(ctx, name+".service")
	if err != nil {
		return "", err
	}
	switch {
	case program.ActiveState == "activating" || program.ActiveState == "active" || program.ActiveState == "deactivating":
		return TimerRunning, nil
	case program.ActiveState == "failed":
		return TimerFailed, nil
	case timer.ActiveState == "active":
		return TimerWaiting, nil
	}
	return TimerGone, nil
}
