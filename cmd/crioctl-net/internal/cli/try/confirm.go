package try

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// NewConfirmCmd returns the command "confirm".
func NewConfirmCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "confirm",
		Short: "Keep the change that was made with try",
		Long: `Makes the change that "crioctl-net try" has made permanent and stops the timer that
would undo it. When none waits, because it was undone meanwhile or there was none,
that is said: exit 6.`,
		Example: `  crioctl-net confirm`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if s.Root != "/" {
				return exit.Errorf(exit.Usage, "confirm: nothing can be tried with --root")
			}
			return confirm(cmd.Context(), s)
		},
	}
}

// Confirmation is the document of "confirm".
type Confirmation struct {
	output.Header
	Changed     bool   `json:"changed"` // a change was confirmed
	Msg         string `json:"msg"`
	Token       string `json:"token,omitempty"`
	Transaction string `json:"transaction,omitempty"`
	Error       string `json:"error,omitempty"`
	ExitCode    int    `json:"exitCode"`
}

func confirm(ctx context.Context, s *session.Session) error {
	doc := Confirmation{Header: output.NewHeader("Confirmation")}
	err := keep(ctx, s, &doc)
	doc.ExitCode = exit.Code(err)
	if err != nil {
		doc.Error = err.Error()
		if !s.Format().Machine() {
			return err
		}
	}
	werr := s.Emit(doc, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, doc.Msg)
		return err
	})
	return errors.Join(err, werr)
}

// keep makes the change that waits permanent and stops its timer.
func keep(ctx context.Context, s *session.Session, doc *Confirmation) error {
	store, err := dropin.Open(s.Root)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	defer store.Close()
	// A try or a rollback that is on its way is waited for.
	unlock, err := change.Lock(ctx, s, store)
	if err != nil {
		return err
	}
	t, tx, err := settle(store)
	if uerr := unlock(); err == nil {
		err = uerr
	}
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	change.Disarm(ctx, s, t)
	doc.Changed, doc.Token, doc.Transaction = true, t.Token, tx.ID()
	doc.Msg = fmt.Sprintf("%q is permanent now (transaction %s)", t.Title, tx.ID())
	return nil
}

// settle makes the change that waits permanent, under the lock.
func settle(store *dropin.Store) (*change.Trial, *dropin.Tx, error) {
	txs, err := store.History()
	if err != nil {
		return nil, nil, err
	}
	t, err := change.CurrentTrial(store.FS())
	if err != nil {
		return nil, nil, err
	}
	if t == nil {
		if how := change.Ended(txs); how != "" {
			return nil, nil, fmt.Errorf("there is nothing to confirm: %s", how)
		}
		return nil, nil, fmt.Errorf("there is nothing to confirm: no change waits for it")
	}
	for _, tx := range txs {
		if !t.Of(tx) {
			continue
		}
		if tx.State() == dropin.Pending {
			return nil, nil, fmt.Errorf(`%q cannot be confirmed: it was interrupted before anybody knew whether crio is healthy with it; "crioctl-net rollback" puts its files back`, t.Title)
		}
		return t, tx, t.Settle(store)
	}
	return nil, nil, fmt.Errorf("%q cannot be confirmed: the journal does not know it", t.Title)
}
