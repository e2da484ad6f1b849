// Package apply commits a plan, restarts the service, looks whether it is
// healthy, and keeps the change or rolls it back.
package apply

import (
	"context"
	"errors"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// Service is the daemon that reads the files.
type Service interface {
	// Restart returns when the restart job has ended: nil when it is done.
	Restart(ctx context.Context) error
	State(ctx context.Context) (State, error)
}

// A Resetter is a Service whose record of failures can be cleared, so that a
// limit of starts does not stop the restart of a rollback.
type Resetter interface {
	ResetFailed(ctx context.Context) error
}

// State is what the service manager says about the service.
type State struct {
	Active, Sub  string // "active", "running"
	Result       string // "success", "exit-code"
	MainPID      uint32
	NRestarts    uint32
	InvocationID string // "" when not known
}

// A Probe looks at the service from outside and returns nil when it is well.
type Probe func(ctx context.Context) error

// Options are the ways to run. The zero value restarts an active service, looks
// once and gives it DefaultDeadline.
type Options struct {
	Deadline time.Duration // for restart and health together, zero for DefaultDeadline
	Settle   time.Duration // how long the service must stay well
	Probes   []Probe       // asked after Settle, with the new files
	Former   []Probe       // asked after Settle of a rollback, with the former files
	Start    bool          // start the service when it is not running
	Report   func(Event)   // nil for silence
}

// DefaultDeadline bounds a restart, since CRI-O's unit has no start timeout.
const DefaultDeadline = 2 * time.Minute

// An Event says what Run does or has found.
type Event struct {
	Kind  EventKind
	Err   error // why, for Unhealthy and NotRestored
	Tx    *dropin.Tx
	State State
}

// EventKind names a step.
type EventKind string

// The steps, in the order in which they can come.
const (
	Recovered        EventKind = "recovered"  // an interrupted change was put back
	Written          EventKind = "written"    // the files are in place
	Restarting       EventKind = "restarting" // the restart job is asked for
	Settling         EventKind = "settling"   // the job is done, watching
	Healthy          EventKind = "healthy"
	Unhealthy        EventKind = "unhealthy"
	Restoring        EventKind = "restoring" // the former files are being put back
	RestartingFormer EventKind = "restarting-former"
	RolledBack       EventKind = "rolled-back"
)

// Result is what Run did, also when it returns an error.
type Result struct {
	Changed    bool  // the files differ from before
	Restarted  bool  // the service runs with the new files
	RolledBack bool  // the former files are back
	Skipped    Skip  // why there was no restart
	Before     State // of the service
	After      State
	Tx         *dropin.Tx   // nil when nothing was written
	Recovered  []*dropin.Tx // interrupted changes that were put back first
}

// Skip is a reason not to restart.
type Skip string

// The reasons.
const (
	NotSkipped Skip = ""
	NoService  Skip = "no-service" // write only
	NotRunning Skip = "not-running"
	NoChange   Skip = "no-change"
)

// ErrRolledBack says that the service was not well with the change and is as it
// was before.
var ErrRolledBack = errors.New("rolled back")

// ErrRollbackFailed says that the change failed and that the former state could
// not be had back.
var ErrRollbackFailed = errors.New("rollback failed")

// Run makes the changes of p and restarts svc; a nil svc means write only.
func Run(ctx context.Context, s *dropin.Store, p dropin.Plan, svc Service, o Options) (Result, error) {
	return Result{}, errors.ErrUnsupported
}
