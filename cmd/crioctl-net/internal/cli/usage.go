package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
)

// usageError is wrong use of one command.
type usageError struct {
	cmd *cobra.Command
	err error
}

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// explainArgs makes every command of the tree say what is wrong with its
// arguments in our words, with the exit code of wrong use and a near name for
// an unknown command. Cobra's own errors carry neither.
func explainArgs(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if check(cmd, args) == nil {
				return nil
			}
			return wrongArgs(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		explainArgs(sub)
	}
}

func wrongArgs(cmd *cobra.Command, args []string) error {
	if cmd.HasAvailableSubCommands() && len(args) > 0 {
		err := fmt.Errorf("there is no command %q", cmd.CommandPath()+" "+args[0])
		cmd.SuggestionsMinimumDistance = 2 // letters that may differ
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return &exit.Error{Code: exit.Usage, Err: err, Hint: "Did you mean " + strings.Join(near, " or ") + "?"}
		}
		return exit.With(exit.Usage, usageError{cmd, err})
	}
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	_, takes, ok := strings.Cut(cmd.Use, " ")
	switch {
	case !ok:
		return exit.With(exit.Usage, usageError{cmd, fmt.Errorf("%s takes no argument, not %q", name, args[0])})
	case len(args) == 0:
		return exit.With(exit.Usage, usageError{cmd, fmt.Errorf("%s needs %s", name, takes)})
	}
	given := "one argument"
	if len(args) > 1 {
		given = fmt.Sprintf("%d arguments", len(args))
	}
	return exit.With(exit.Usage, usageError{cmd, fmt.Errorf("%s takes %s, not %s", name, takes, given)})
}
