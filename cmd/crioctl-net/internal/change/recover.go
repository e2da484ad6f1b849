package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// recover puts back what a killed run left half done, before anything is read.
// It returns the keys that change with that: the daemon may run with the values
// of the killed run, so that it has to take the former ones over again.
func (j *Job) recover(ctx context.Context, store *dropin.Store) ([]crioconf.Change, error) {
	unfinished, err := store.Unfinished()
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	if len(unfinished) == 0 {
		return nil, nil
	}
	// What the killed run left may be anything, and what cannot be read has no
	// say.
	before, _, _ := j.Node.Load()
	recovered, err := store.Recover(ctx)
	j.Recovered = len(recovered) > 0
	for _, tx := range recovered {
		j.Session.Notef("note: an earlier run (%s) was interrupted; put back its files: %s", tx.Title(), j.names(tx))
	}
	if err != nil {
		return nil, exit.With(exit.RollbackFailed, fmt.Errorf("put back the files of an interrupted run: %w", err))
	}
	after, _, err := j.Node.Load()
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	return before.Diff(after), nil
}

// names lists the files of the transaction that CRI-O reads.
func (j *Job) names(tx *dropin.Tx) string {
	var out []string
	for _, p := range tx.Paths() {
		if !strings.HasPrefix(p, dropin.StateDir+"/") {
			out = append(out, j.Node.Display(p))
		}
	}
	return strings.Join(out, " ")
}

// keys joins lists of changes.
func (w Work) keys() []crioconf.Change { return slices.Concat(w.Recovered, w.Changes) }
