package change

import (
	"errors"
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
)

// applyError gives the error of a transaction its exit code.
func applyError(c carrier, err error) error {
	var failed *apply.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, apply.ErrRollbackFailed), errors.Is(err, dropin.ErrNotRestored):
		e := &exit.Error{Code: exit.RollbackFailed, Err: err}
		if errors.As(err, &failed) && failed.Tx != nil {
			e.Hint = manualSteps(c, failed.Tx)
		}
		return e
	case errors.Is(err, apply.ErrRolledBack):
		return exit.With(exit.RolledBack, err)
	}
	return serviceError(err)
}

// manualSteps says how to get out of a rollback that failed: which files to put
// back from the journal, if they are not back yet, and how to restart.
func manualSteps(c carrier, tx *dropin.Tx) string {
	steps := []string{"Look now. By hand:"}
	if tx.State() == dropin.Restored {
		steps[0] = "Look now. The former files are back. By hand:"
	} else if plan, err := tx.Plan(); err == nil {
		for i, f := range plan.Changes {
			if f.Before == nil {
				steps = append(steps, "rm -f "+Quote("/"+f.Path))
				continue
			}
			steps = append(steps, fmt.Sprintf("cp %s %s", Quote(fmt.Sprintf("%s/%d.before", tx.Dir(), i)), Quote("/"+f.Path)))
		}
	} else {
		steps = append(steps, fmt.Sprintf("# the journal in %s cannot be read: %v", tx.Dir(), err))
	}
	if c.service != nil {
		unit := c.service.Unit()
		steps = append(steps, "journalctl -u "+unit+" -e", "systemctl reset-failed "+unit, "systemctl restart "+unit)
	}
	return strings.Join(steps, "\n    ")
}

// Quote makes one word for a shell.
func Quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("/._-+:@%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func serviceError(err error) error {
	e := &exit.Error{Code: exit.Impossible, Err: err}
	var se *systemd.Error
	if errors.As(err, &se) {
		e.Hint = se.Hint
	}
	return e
}
