package crio

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ErrRefusedByBinary says that the binary does not load a configuration.
var ErrRefusedByBinary = errors.New("crio refuses the configuration")

// Check lets the binary load a main file and a drop-in directory, "" for none,
// and check them as far as "crio config" does, which is less than the daemon
// does at its start. An error that is not ErrRefusedByBinary says that it could
// not be asked.
func (b Binary) Check(ctx context.Context, main, dropIns string) error {
	_, err := b.run(ctx, "--config", main, "--config-dir", dropIns, "config")
	var status *exec.ExitError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &status), ctx.Err() != nil:
		return err
	case status.ExitCode() != 1, strings.Contains(err.Error(), "panic:"):
		// 1.24 crashes while it prints a workload without resources; the daemon
		// loads it. A signal is no opinion either.
		return err
	}
	return fmt.Errorf("%w: %w", ErrRefusedByBinary, err)
}
