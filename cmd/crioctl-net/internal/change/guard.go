package change

import (
	"context"
	"fmt"
	"os"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
)

// arm sets the timer that undoes the change of the trial, before anything is
// written. systemd owns it, so that it does its work whatever becomes of this
// process, its terminal and its network connection.
func (r Road) arm(ctx context.Context, t *Trial) error {
	command, err := r.undoCommand(t)
	if err != nil {
		return exit.With(exit.Impossible, fmt.Errorf("set the timer that undoes the change: %w", err))
	}
	ctx, cancel := context.WithTimeout(ctx, stateTime)
	defer cancel()
	svc, err := OpenService(ctx, r.Session)
	if err != nil {
		return serviceError(fmt.Errorf("set the timer that undoes the change: %w", err))
	}
	defer svc.Close()
	err = svc.StartTimer(ctx, systemd.Timer{
		Name:        t.Timer(),
		Description: fmt.Sprintf("Undo %q of crioctl-net unless it is confirmed", t.Title),
		After:       r.Session.ConfirmWithin,
		Command:     command,
	})
	if err != nil {
		// It may tick all the same, when it is the answer that was lost.
		_ = svc.StopTimer(context.WithoutCancel(ctx), t.Timer())
		return serviceError(fmt.Errorf("set the timer that undoes the change: %w", err))
	}
	return nil
}

// undoCommand is this program, on the files that it works on now.
func (r Road) undoCommand(t *Trial) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(self); err != nil {
		return nil, err // it was removed or replaced under the running program
	}
	command := []string{self, "rollback", "--unconfirmed=" + t.Token, "--verbose", "--timeout=" + r.Session.Timeout.String()}
	for _, f := range []struct{ name, value string }{
		{"config", r.Node.Layout.Main},
		{"config-dir", r.Node.Layout.DropInDir},
	} {
		if !r.Session.Given(f.name) {
			continue
		}
		if f.value != "" {
			f.value = r.Node.Display(f.value)
		}
		command = append(command, "--"+f.name+"="+f.value)
	}
	if r.Session.Given("crio-version") {
		command = append(command, "--crio-version="+r.Session.CRIOVersion)
	}
	return command, nil
}

// Disarm stops the timer of a trial that has ended otherwise. A timer that
// cannot be stopped finds nothing to do.
func Disarm(ctx context.Context, s *session.Session, t *Trial) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stateTime)
	defer cancel()
	svc, err := OpenService(ctx, s)
	if err == nil {
		defer svc.Close()
		err = svc.StopTimer(ctx, t.Timer())
	}
	if err != nil {
		s.Notef("note: %s.timer is still set and will find nothing to undo: %v", t.Timer(), err)
	}
}

// OpenService connects to systemd, on the bus that the environment names.
func OpenService(ctx context.Context, s *session.Session) (*systemd.Service, error) {
	return systemd.Open(ctx, systemd.Options{Address: s.Getenv("DBUS_SYSTEM_BUS_ADDRESS")})
}
