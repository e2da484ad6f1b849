// Package apply commits a plan, restarts the service that reads the files, looks
// whether it is well, and keeps the change or rolls it back.
//
// Run promises that at its end either the new files are in place and the
// service, if it was to be restarted, is well with them; or the former files are
// back, and a service that was running runs with them again. When it can promise
// neither, it says so with ErrRollbackFailed, and the former files are in the
// journal of package dropin.
//
// A restart job that is done does not mean that the service is well: a daemon
// that crashes a moment later, and is started again by its manager over and over,
// is active each time one looks. Well is a service that stays active with the
// same main process for as long as Options.Settle, and that satisfies the
// probes.
//
// A context that ends after the files were written leads to the rollback, which
// runs to its end under deadlines of its own.
package apply

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// Service is the daemon that reads the files.
type Service interface {
	// Restart restarts the service, or starts it, and returns when that has
	// ended: nil when it is active. It may let a running process read its files
	// again instead.
	Restart(ctx context.Context) error
	// State tells how the service fares.
	State(ctx context.Context) (State, error)
}

// A Resetter is a Service whose record of failures can be cleared. Without that
// a limit of starts may stop the restart of a rollback.
type Resetter interface {
	ResetFailed(ctx context.Context) error
}

// State is what the service manager says about the service, in systemd's words.
type State struct {
	Active, Sub  string // "active", "running"
	Result       string // how the last run ended: "success", "exit-code"
	MainPID      uint32
	NRestarts    uint32 // starts by the manager itself
	InvocationID string // changes with each start, "" when not known
}

// Running reports whether the service is up.
func (s State) Running() bool { return s.Active == "active" || s.Active == "reloading" }

// sameRun reports whether s and t are looks at one uninterrupted run.
func (s State) sameRun(t State) bool {
	return s.MainPID == t.MainPID && s.NRestarts == t.NRestarts && s.InvocationID == t.InvocationID
}

// String returns the state as a clause: "active (running), process 42".
func (s State) String() string {
	str := s.Active
	if s.Sub != "" {
		str += " (" + s.Sub + ")"
	}
	if s.Result != "" && s.Result != "success" {
		str += ", last result " + s.Result
	}
	if s.MainPID != 0 {
		str += fmt.Sprintf(", process %d", s.MainPID)
	}
	return str
}

// A Probe looks at the service from outside and returns nil when it is well. It
// must return when its context is done.
type Probe func(ctx context.Context) error

// DefaultDeadline is how long a restart may take when nothing else is said.
// CRI-O's own unit sets no limit.
const DefaultDeadline = 2 * time.Minute

// Options are the ways to run. The zero value restarts a service that is
// running, looks at it once, and gives it DefaultDeadline.
type Options struct {
	// Deadline is how long a restart may take, and again how long the looks and
	// probes after it may, Settle not counted. Zero means DefaultDeadline.
	Deadline time.Duration
	Settle   time.Duration // how long the service must stay well
	Probes   []Probe       // asked after Settle, with the new files
	Former   []Probe       // asked after Settle of a rollback, with the former files
	Start    bool          // restart even if nothing changes, or start what is not running
	Report   func(Event)   // told of each step, nil for silence
}

// An Event says what Run is about to do, or has found.
type Event struct {
	Kind  EventKind
	Err   error      // what is wrong, for Unhealthy and NotRestored
	Tx    *dropin.Tx // for Recovered, Written and Restoring
	State State      // for Settling, Healthy and Unhealthy, as far as known
}

// EventKind names a step.
type EventKind string

// The steps, in the order in which they come.
const (
	Recovered        EventKind = "recovered"         // the files of an interrupted run are back
	Written          EventKind = "written"           // the files are in place
	Restarting       EventKind = "restarting"        // a restart is asked for
	Settling         EventKind = "settling"          // the restart is done; watching
	Healthy          EventKind = "healthy"           // the service is well with the new files
	Unhealthy        EventKind = "unhealthy"         // it is not, or was not restarted
	Restoring        EventKind = "restoring"         // the former files are being put back
	RestartingFormer EventKind = "restarting-former" // a restart with them is asked for
	RolledBack       EventKind = "rolled-back"       // all is as before
	NotRestored      EventKind = "not-restored"      // it is not
)

// Result is what Run did, also when it returns an error.
type Result struct {
	Changed    bool         // the files differ from before
	Restarted  bool         // the service runs with the new files
	RolledBack bool         // files were written, and the former ones are back
	Skipped    Skip         // why there was no restart
	Before     State        // of the service ahead of the change
	After      State        // of the service at the end, zero when it could not be read
	Tx         *dropin.Tx   // nil when nothing was written
	Recovered  []*dropin.Tx // interrupted runs whose former files were put back first
}

// Skip is a reason not to restart.
type Skip string

// The reasons.
const (
	NotSkipped Skip = ""
	NoService  Skip = "no-service"  // there is none to restart
	NotRunning Skip = "not-running" // it reads the files when it starts
	NoChange   Skip = "no-change"   // the files are as before
)

// The outcomes that a caller tells apart.
var (
	// ErrUnhealthy says that the service was restarted and is not well.
	ErrUnhealthy = errors.New("the service is not healthy")
	// ErrRolledBack says that the change failed and that all is as before.
	ErrRolledBack = errors.New("the change was rolled back")
	// ErrRollbackFailed says that the change failed, and that the former state
	// could not be had back. Somebody has to look.
	ErrRollbackFailed = errors.New("the rollback failed")
)

// An Error says that a change failed after files were written to the disk.
// errors.Is finds ErrRolledBack or ErrRollbackFailed in it, and what is in the
// causes.
type Error struct {
	Cause error      // why the change failed
	Back  error      // why the former state is not back, nil when it is
	Tx    *dropin.Tx // with the former files
	note  string     // how the service fares after a rollback
}

// Error returns the cause and what became of it.
func (e *Error) Error() string {
	if e.Back == nil {
		return fmt.Sprintf("%v; the former files are back, and %s", e.Cause, e.note)
	}
	if errors.Is(e.Cause, dropin.ErrNotRestored) { // which tells the rest
		return fmt.Sprintf("%v; the former files are in %s", e.Cause, e.Tx.Dir())
	}
	return fmt.Sprintf("%v; %v: %v; the former files are in %s", e.Cause, ErrRollbackFailed, e.Back, e.Tx.Dir())
}

// Unwrap returns the outcome and the causes.
func (e *Error) Unwrap() []error {
	if e.Back == nil {
		return []error{ErrRolledBack, e.Cause}
	}
	return []error{ErrRollbackFailed, e.Cause, e.Back}
}
