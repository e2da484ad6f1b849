// Package try holds the commands for a change that is undone unless somebody
// confirms it: try and confirm.
package try

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
)

// commands are what can be tried, below the program's name.
var commands = []string{"hostport enable", "hostport disable", "set", "unset", "apply"}

// NewCmd returns the command "try".
func NewCmd(s *session.Session) *cobra.Command {
	var within time.Duration
	cmd := &cobra.Command{
		Use:   "try COMMAND...",
		Short: "Make a change that is undone unless it is confirmed",
		Long: `Runs COMMAND, which is hostport enable, hostport disable, set, unset or apply with
its arguments and flags. Unless "crioctl-net confirm" comes within the time, the
change is rolled back as by "crioctl-net rollback".

It is for a change that may cut off the way to the node. A systemd timer owns the
deadline: it is set before the first file is written, and does its work after the
end of this program, of the terminal and of the session. What it does is in
"journalctl -t crioctl-net".

The time counts from the start, so that it covers the restart of CRI-O too. A
change that fails is rolled back at once, as without try. Until it is confirmed or
undone, no other change is made: exit 7.

A start of the machine loses the timer. The change stays then, and every command
that changes something, and hostport status, says so until confirm or rollback.`,
		Example: `  crioctl-net try hostport disable
  crioctl-net try --timeout 10m set crio.network.network_dir /etc/cni/new.d
  crioctl-net try apply 20-network.conf --diff
  crioctl-net confirm`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(cmd, s, within, args)
		},
	}
	cmd.Flags().DurationVar(&within, "timeout", 2*time.Minute, "undo the change after this `TIME`; COMMAND has its own --timeout, for the daemon")
	// What follows the command is for the command.
	cmd.Flags().SetInterspersed(false)
	return cmd
}

func run(cmd *cobra.Command, s *session.Session, within time.Duration, args []string) error {
	if within <= 0 {
		return exit.Errorf(exit.Usage, "--timeout %s: want a positive time, for instance 2m", within)
	}
	inner, _, err := cmd.Root().Find(args)
	if err != nil || !slices.Contains(commands, path(inner)) {
		return &exit.Error{
			Code: exit.Usage,
			Err:  exit.Errorf(exit.Usage, "%q cannot be tried", strings.Join(args, " ")),
			Hint: "What can be tried: " + strings.Join(commands, ", ") + ".",
		}
	}
	s.ConfirmWithin = within
	return again(cmd.Context(), cmd.Root(), args)
}

// again runs the program with other arguments. The global flags that were given
// before stay.
func again(ctx context.Context, root *cobra.Command, args []string) error {
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// path is the command without the program's name.
func path(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// complete offers the commands that can be tried, and what they take.
func complete(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	inner, rest, err := cmd.Root().Find(args)
	if len(args) > 0 && err == nil && slices.Contains(commands, path(inner)) {
		if inner.ValidArgsFunction == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return inner.ValidArgsFunction(inner, rest, toComplete)
	}
	var out []cobra.Completion
	for _, c := range commands {
		words := strings.Fields(c)
		if len(words) > len(args) && slices.Equal(words[:len(args)], args) && !slices.Contains(out, words[len(args)]) {
			out = append(out, words[len(args)])
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
