package history

import (
	"bytes"
	"context"
	"fmt"
	"slices"

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
	var token string
	cmd := &cobra.Command{
		Use:   "rollback [ID]",
		Short: "Undo a change: put the former files back and restart",
		Long: `Puts back the files as they were before the transaction ID, or before the newest
one that stands, and restarts CRI-O where a key needs it. That is a transaction
of its own, checked like any other, and can be rolled back too.

A file that was changed since then is not overwritten: exit 7. A change that waits
to be confirmed ("crioctl-net try") is the newest one, and ends so.`,
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
			if token != "" {
				return expire(cmd.Context(), s, o, token)
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
	cmd.Flags().StringVar(&token, "unconfirmed", "", "undo the try `TOKEN`, unless it was confirmed")
	// For the timer of "try" alone. The flag is registered just above.
	_ = cmd.Flags().MarkHidden("unconfirmed")
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
		Propose: func(j *change.Job, c *crioconf.Config, _ diag.List, store *dropin.Store) (*change.Proposal, error) {
			if id == "" && j.Recovered {
				// That was the newest one. The one before it stays.
				return &change.Proposal{Before: c, After: c, Unchanged: "the interrupted change is undone"}, nil
			}
			tx, err := byID(store, id)
			if err != nil {
				return nil, err
			}
			return undo(n, c, tx)
		},
	}
	return job.Run(ctx)
}

// undo proposes the files as they were before a transaction.
func undo(n *node.Node, c *crioconf.Config, tx *dropin.Tx) (*change.Proposal, error) {
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
		case change.IsTrialRecord(was.Path) && now == nil:
			continue // to undo a rollback is no new trial
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

// expire undoes a try that nobody has confirmed. It is what the timer runs.
func expire(ctx context.Context, s *session.Session, o change.Options, token string) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	job := change.Job{
		Session: s, Node: n, Options: o, Title: change.Trial{Token: token}.Expiry(),
		Propose: func(_ *change.Job, c *crioconf.Config, _ diag.List, store *dropin.Store) (*change.Proposal, error) {
			t, err := change.CurrentTrial(n.FS)
			if err != nil {
				return nil, exit.With(exit.Impossible, err)
			}
			if t == nil || t.Token != token {
				return &change.Proposal{Before: c, After: c,
					Unchanged: fmt.Sprintf("nothing to undo: the try %s does not wait to be confirmed", token)}, nil
			}
			tx, err := find(store, func(tx *dropin.Tx) bool { return t.Of(tx) })
			if err != nil {
				return nil, err
			}
			if tx == nil {
				return nil, exit.Errorf(exit.Impossible, "the journal has no transaction of the try %s", token)
			}
			return undo(n, c, tx)
		},
	}
	return job.Run(ctx)
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// find returns the newest transaction that is wanted, nil when there is none.
func find(store *dropin.Store, wanted func(*dropin.Tx) bool) (*dropin.Tx, error) {
	txs, err := store.History()
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	for _, tx := range slices.Backward(txs) {
		if wanted(tx) {
			return tx, nil
		}
	}
	return nil, nil
}

// byID finds the transaction of that ID, or the newest one that stands.
func byID(store *dropin.Store, id string) (*dropin.Tx, error) {
	tx, err := find(store, func(tx *dropin.Tx) bool {
		return id == "" && tx.State() == dropin.Kept || id != "" && tx.ID() == id
	})
	switch {
	case tx != nil || err != nil:
		return tx, err
	case id == "":
		return nil, exit.Errorf(exit.Impossible, "there is no change to roll back")
	}
	return nil, exit.Errorf(exit.Usage, `there is no transaction %s; "crioctl-net history" lists them`, id)
}
