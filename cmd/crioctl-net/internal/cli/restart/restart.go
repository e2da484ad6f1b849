// Package restart is the command "crioctl-net restart".
package restart

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "restart",
		Short: "Restart CRI-O over D-Bus and wait until it is healthy",
		Long: `Checks the configuration first and refuses to restart a daemon that would not come
back. Then restarts the unit, or starts it, and waits: the job done, the unit
active with the same process for a while, its socket answering.

Containers live on: they belong to units of their own.`,
		Example: `  crioctl-net restart
  crioctl-net restart --timeout 30s -v`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			return run(cmd.Context(), s)
		},
	}
}

func run(ctx context.Context, s *session.Session) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	if !n.Live {
		return exit.Errorf(exit.Usage, "restart: with --root no daemon is restarted")
	}
	job := change.Job{
		Session: s, Node: n, Options: change.Options{Restart: "always"}, Title: "restart",
		Propose: func(_ *change.Job, c *crioconf.Config, _ diag.List, _ *dropin.Store) (*change.Proposal, error) {
			return &change.Proposal{Before: c, After: c, Unchanged: "CRI-O was restarted with its files as they are"}, nil
		},
	}
	return job.Run(ctx)
}
