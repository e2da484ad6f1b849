package systemd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/godbus/dbus/v5"
)

// The kinds of failure, for errors.Is.
var (
	ErrNoSystemd  = errors.New("this system does not run systemd")
	ErrNoBus      = errors.New("no connection to systemd")
	ErrBusLost    = errors.New("the connection to systemd was lost")
	ErrTimeout    = errors.New("no answer in time")
	ErrPermission = errors.New("not permitted")
	ErrNotFound   = errors.New("no such unit")
	ErrMasked     = errors.New("the unit is masked")
	ErrBadUnit    = errors.New("the unit file is faulty")
	ErrRefused    = errors.New("systemd refused the job") // a conflicting job, no reload in this unit, …
	ErrJob        = errors.New("the job did not succeed") // failed, timeout, canceled, dependency, …
	ErrStartLimit = errors.New("too many starts in a short time")
	ErrNotActive  = errors.New("the unit is not active") // though the job succeeded
)

// An Error says why a call did not do its work.
type Error struct {
	Op     string // what was tried: "restart"
	Unit   string
	Kind   error       // one of the kinds above
	Job    string      // how the job ended, as systemd names it; "" when there was none
	Detail string      // more about it, "" when Kind says it all
	Hint   string      // what to do, a sentence, "" when there is nothing to add
	After  *Properties // the unit after it, nil when it could not be read
	Err    error       // the cause, nil when systemd answered and did not like it
}

// Error returns one clause without the hint.
func (e *Error) Error() string {
	msg := e.Kind.Error()
	if e.Detail != "" {
		msg += ": " + e.Detail
	}
	if e.Unit == "" {
		return e.Op + ": " + msg
	}
	return e.Op + " " + e.Unit + ": " + msg
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// The names of D-Bus errors that systemd and the bus answer with.
var kinds = map[string]struct {
	kind error
	hint string
}{
	"org.freedesktop.systemd1.NoSuchUnit":                         {ErrNotFound, hintNotFound},
	"org.freedesktop.systemd1.UnitMasked":                         {ErrMasked, "Unmask it with \"systemctl unmask %[1]s\"."},
	"org.freedesktop.systemd1.BadUnitSetting":                     {ErrBadUnit, "See \"systemd-analyze verify %[1]s\"."},
	"org.freedesktop.systemd1.OnlyByDependency":                   {ErrRefused, "The unit has RefuseManualStart= or RefuseManualStop=; start what depends on it."},
	"org.freedesktop.systemd1.TransactionIsDestructive":           {ErrRefused, "Another job of the unit is waiting; see \"systemctl list-jobs\"."},
	"org.freedesktop.systemd1.TransactionJobsConflicting":         {ErrRefused, "See \"systemctl list-jobs\"."},
	"org.freedesktop.systemd1.TransactionOrderIsCyclic":           {ErrRefused, "Units depend on each other in a circle; see \"systemd-analyze verify %[1]s\"."},
	"org.freedesktop.systemd1.JobTypeNotApplicable":               {ErrRefused, "The unit is stopped, or has no such job."},
	"org.freedesktop.systemd1.ShuttingDown":                       {ErrRefused, "The machine is shutting down."},
	"org.freedesktop.DBus.Error.AccessDenied":                     {ErrPermission, hintPermission},
	"org.freedesktop.DBus.Error.InteractiveAuthorizationRequired": {ErrPermission, hintPermission},
	"org.freedesktop.DBus.Error.AuthFailed":                       {ErrPermission, hintPermission},
	"org.freedesktop.DBus.Error.ServiceUnknown":                   {ErrNoBus, "Nobody on this bus is systemd."},
	"org.freedesktop.DBus.Error.NameHasNoOwner":                   {ErrNoBus, "Nobody on this bus is systemd."},
	"org.freedesktop.DBus.Error.NoReply":                          {ErrBusLost, hintBus},
	"org.freedesktop.DBus.Error.Disconnected":                     {ErrBusLost, hintBus},
	"org.freedesktop.DBus.Error.Timeout":                          {ErrTimeout, hintBus},
	"org.freedesktop.DBus.Error.TimedOut":                         {ErrTimeout, hintBus},
}

const (
	hintNotFound   = "Is CRI-O installed here? \"systemctl list-unit-files 'cri*'\" lists what there is."
	hintPermission = "Run it as root, or let polkit grant org.freedesktop.systemd1.manage-units."
	hintBus        = "Look at \"systemctl status dbus.service\"; the state of the unit is not known."
)

// failure turns an error of a D-Bus call into an *Error. What is neither an
// answer nor a deadline means that the connection is gone.
func failure(op, unit string, err error) *Error {
	e := &Error{Op: op, Unit: unit, Err: err, Kind: ErrBusLost, Detail: err.Error(), Hint: hintBus}
	var reply dbus.Error
	switch {
	case errors.Is(err, ErrBusLost):
	case errors.As(err, &reply):
		answered(e, reply)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		e.Kind = ErrTimeout
	case errors.Is(err, fs.ErrPermission):
		e.Kind, e.Hint = ErrPermission, hintPermission
	}
	return e
}

func answered(e *Error, reply dbus.Error) {
	known, ok := kinds[reply.Name]
	if !ok {
		e.Kind, e.Hint, e.Detail = ErrRefused, "", reply.Name
		if m := message(reply); m != "" {
			e.Detail += ": " + m
		}
		return
	}
	e.Kind, e.Detail = known.kind, message(reply)
	e.Hint = known.hint
	if strings.Contains(e.Hint, "%[1]s") {
		e.Hint = fmt.Sprintf(e.Hint, e.Unit)
	}
	// With polkit.service masked, an unprivileged call is answered with
	// UnitMasked about that unit.
	if e.Kind == ErrMasked && strings.Contains(e.Detail, "polkit") {
		e.Kind, e.Hint = ErrPermission, hintPermission
	}
}

// message returns the text of an error reply, its first argument, or "".
func message(reply dbus.Error) string {
	if len(reply.Body) > 0 {
		if s, ok := reply.Body[0].(string); ok {
			return strings.TrimSuffix(s, ".")
		}
	}
	return ""
}
