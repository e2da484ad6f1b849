// Package exit names the exit codes of crioctl-net and carries one through a
// chain of errors. The codes are a promise to scripts; README and the man page
// list them.
package exit

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	OK             = 0 // done, or nothing to do
	Findings       = 1 // the configuration has errors, or differences exist
	Usage          = 2 // wrong use
	Warnings       = 3 // only warnings, under --strict
	RolledBack     = 4 // the change made crio unhealthy; the former state is back and healthy
	RollbackFailed = 5 // the change failed and the former state could not be restored
	Impossible     = 6 // the work could not be done: not readable, no permission, locked, no D-Bus, no daemon
	Refused        = 7 // this CRI-O does not read the key, something later wins, the file has another owner
)

// An Error is an error that ends the program with Code. A nil Err prints
// nothing: the findings are already on the screen.
type Error struct {
	Code int
	Err  error
	Hint string // what to do about it, a sentence, "" when Err says it all
}

// Error returns the text of the wrapped error.
func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.Err }

// With returns err as an error that ends the program with code.
func With(code int, err error) error { return &Error{Code: code, Err: err} }

// Errorf returns a new error that ends the program with code.
func Errorf(code int, format string, args ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// Silently ends the program with code and prints no error.
func Silently(code int) error { return &Error{Code: code} }

// Code returns the exit code for err: the one it carries, OK for nil, and
// Impossible for an error that carries none, since library errors mean that the
// work could not be done.
func Code(err error) int {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Impossible
}
