// Package history holds the commands that list transactions and undo one:
// history and rollback.
package history

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// NewCmd returns the command "history".
func NewCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "history",
		Short: "List the changes that crioctl-net has made",
		Long: `Lists the transactions of this node, the newest first: what it was for, when, its
files, and whether it was kept, was put back, or waits to be confirmed. The twenty
newest are kept, each with the former bytes of its files.`,
		Example: `  crioctl-net history
  crioctl-net history -o json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			return run(s)
		},
	}
}

type transaction struct {
	ID    string    `json:"id"`
	Time  time.Time `json:"time"`
	Title string    `json:"title"`
	State string    `json:"state"` // pending, kept, restored, or unconfirmed
	Files []string  `json:"files"`
	Dir   string    `json:"dir"`
}

type document struct {
	output.Header
	Root         string        `json:"root"`
	Transactions []transaction `json:"transactions"`
}

func run(s *session.Session) error {
	store, err := dropin.Open(s.Root)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	defer store.Close()
	txs, err := store.History()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	trial, err := change.CurrentTrial(store.FS())
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	slices.Reverse(txs)
	doc := document{Header: output.NewHeader("History"), Root: s.Root, Transactions: []transaction{}}
	for _, tx := range txs {
		t := transaction{tx.ID(), tx.Time(), tx.Title(), string(tx.State()), []string{}, tx.Dir()}
		if trial != nil && trial.Of(tx) && tx.State() == dropin.Kept {
			t.State = "unconfirmed"
		}
		for _, p := range tx.Paths() {
			if change.IsTrialRecord(p) {
				continue
			}
			t.Files = append(t.Files, store.FS().Path(p))
		}
		doc.Transactions = append(doc.Transactions, t)
	}
	return s.Emit(doc, func(w io.Writer) error { return text(w, doc) })
}

func text(w io.Writer, doc document) error {
	if len(doc.Transactions) == 0 {
		_, err := fmt.Fprintln(w, "no changes were made here")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tTIME\tSTATE\tCHANGE\tFILES")
	for _, tx := range doc.Transactions {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", tx.ID, tx.Time.Format(time.RFC3339), tx.State, tx.Title, strings.Join(tx.Files, " "))
	}
	return t.Flush()
}
