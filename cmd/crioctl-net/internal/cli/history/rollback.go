package history

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// NewRollbackCmd returns the command "rollback".
func NewRollbackCmd(s *session.Session) *cobra.Command {
	var o change.Options
	cmd := &cobra.Command{
		Use:   "rollback [ID]",
		Short: "Undo a change: put the former files back and restart",
		Long: `Puts back the files as they were before the transaction ID, or before the newest
one that stands, and restarts CRI-O where a key needs it. That is a transaction
of its own, checked like any other, and can be rolled back too.

A file that was changed since then is not overwritten: exit 7.`,
		Example: `  crioctl-net rollback
  crioctl-net rollback 3 --dry-run --diff`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if err := o.Check(s); err != nil {
				return err
			}
			id := ""
			if len(args) == 1 {
				id = args[0]
			}
			return rollback(cmd.Context(), s, o, id)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return ids(s.Root), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.AddFlags(cmd)
	return cmd
}

// ids lists the transactions that can be rolled back, for the shell.
func ids(root string) []cobra.Completion {
	store, err := dropin.Open(root)
	if err != nil {
		return nil
	}
	defer store.Close()
	txs, err := store.History()
	if err != nil {
		return nil
	}
	var out []cobra.Completion
	for _, tx := range txs {
		if tx.State() == dropin.Kept {
			out = append(out, cobra.CompletionWithDesc(tx.ID(), tx.Title()))
		}
	}
	return out
}

func rollback(ctx context.Context, s *session.Session, o change.Options, id string) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	n.NoteVersion(s)
	title := "rollback"
	if id != "" {
		title += " " + id
	}
	job := change.Job{
		Session: s, Node: n, Options: o, Title: title,
		Propose: func(_ *change.Job, c *crioconf.Config, _ diag.List, store *dropin.Store) (*change.Proposal, error) {
			return undo(n, c, store, id)
		},
	}
	return job.Run(ctx)
}

// undo proposes the files as they were before a transaction.
func undo(n *node.Node, c *crioconf.Config, store *dropin.Store, id string) (*change.Proposal, error) {
	tx, err := find(store, id)
	if err != nil {
		return nil, err
	}
	plan, err := tx.Plan()
	if err != nil {
		return nil, exit.With(exit.Impossible, fmt.Errorf("read the journal of transaction %s: %w", tx.ID(), err))
	}
	p := &change.Proposal{
		Before:    c,
		After:     c,
		Done:      fmt.Sprintf("transaction %s (%s) is rolled back", tx.ID(), tx.Title()),
		WouldDo:   fmt.Sprintf("would roll back transaction %s (%s)", tx.ID(), tx.Title()),
		Unchanged: fmt.Sprintf("unchanged: all files are as before transaction %s (%s)", tx.ID(), tx.Title()),
	}
	for _, was := range plan.Changes {
		now, err := change.Current(n.FS, was.Path)
		if err != nil {
			return nil, exit.With(exit.Impossible, err)
		}
		switch {
		case same(now, was.Before):
			continue
		case !same(now, was.After):
			return nil, &exit.Error{
				Code: exit.Refused,
				Err:  fmt.Errorf("%s was changed after transaction %s", n.Display(was.Path), tx.ID()),
				Hint: "The former bytes are in " + tx.Dir() + ".",
			}
		}
		p.Add(n.Layout, was.Path, now, was.Before)
	}
	p.Changes = c.Diff(p.After)
	return p, nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// find returns the transaction of that ID, or the newest one that stands.
func find(store *dropin.Store, id string) (*dropin.Tx, error) {
	txs, err := store.History()
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	for i := len(txs) - 1; i >= 0; i-- {
		if id == "" && txs[i].State() == dropin.Kept || id != "" && txs[i].ID() == id {
			return txs[i], nil
		}
	}
	if id == "" {
		return nil, exit.Errorf(exit.Impossible, "there is no change to roll back")
	}
	return nil, exit.Errorf(exit.Usage, `there is no transaction %s; "crioctl-net history" lists them`, id)
}
