package change

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
)

// Options are the flags of every command that changes something.
type Options struct {
	DryRun   bool
	Diff     bool
	ExitCode bool
	NotAgain bool
	Restart  string
}

// AddFlags adds the flags to a command.
func (o *Options) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would change; write nothing, restart nothing")
	f.BoolVar(&o.DryRun, "check", false, "the same as --dry-run")
	f.BoolVar(&o.Diff, "diff", false, "show the change of the files as a unified diff")
	f.BoolVar(&o.ExitCode, "exit-code", false, "with --dry-run: exit 1 when something would change")
	f.BoolVar(&o.NotAgain, "not-again", false, "refuse a change that crio did not come back healthy with before: exit 7")
	f.StringVar(&o.Restart, "restart", "auto", "restart crio: auto (when a changed key needs it), always or never (`WHEN`)")
	// The flag is registered just above.
	_ = cmd.RegisterFlagCompletionFunc("restart", cobra.FixedCompletions([]cobra.Completion{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
}

// Check settles the flags after parsing.
func (o *Options) Check(s *session.Session) error {
	if !slices.Contains([]string{"auto", "always", "never"}, o.Restart) {
		return exit.Errorf(exit.Usage, "--restart %s: want auto, always or never", o.Restart)
	}
	if o.Restart == "always" && s.Root != "/" {
		return exit.Errorf(exit.Usage, "--restart always: with --root no daemon is restarted")
	}
	if s.ConfirmWithin > 0 && s.Root != "/" {
		return exit.Errorf(exit.Usage, "try: with --root there is no systemd that could undo the change")
	}
	if s.ConfirmWithin > 0 && o.Restart == "never" {
		return exit.Errorf(exit.Usage, "try: a change that CRI-O does not run with cannot be tried; leave --restart never out")
	}
	if o.ExitCode && !o.DryRun {
		return exit.Errorf(exit.Usage, "--exit-code needs --dry-run")
	}
	return nil
}

// Open settles the flags and opens the node of a command that changes a key. A
// node whose release is not known is refused.
func (o *Options) Open(ctx context.Context, s *session.Session) (*node.Node, error) {
	if err := s.Check(false); err != nil {
		return nil, err
	}
	if err := o.Check(s); err != nil {
		return nil, err
	}
	n, err := node.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := n.DemandVersion(); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}
