package cli

import "github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"

// An ExitCode is one exit code and what it means.
type ExitCode struct {
	Code    int
	Meaning string
}

// ExitCodes lists the exit codes for the man pages.
func ExitCodes() []ExitCode {
	return []ExitCode{
		{exit.OK, "Done, or nothing to do."},
		{exit.Findings, "The configuration has errors; or differences exist, under --dry-run --exit-code."},
		{exit.Usage, "Wrong use."},
		{exit.Warnings, "Only warnings, under --strict."},
		{exit.RolledBack, "The change made crio unhealthy; the former state is back and healthy."},
		{exit.RollbackFailed, "The change failed and the former state could not be restored: look now."},
		{exit.Impossible, "The work could not be done: not readable, no permission, locked, no D-Bus, no daemon."},
		{exit.Refused, "Refused: this CRI-O does not read the key, something later wins, or the file has another owner."},
	}
}
