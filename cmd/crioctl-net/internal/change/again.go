package change

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// remember keeps with the transaction why it was taken back, for --not-again. A
// run that was told to stop says nothing about the change.
func (r Road) remember(tx *dropin.Tx, err error) {
	if tx == nil || !errors.Is(err, apply.ErrRolledBack) && !errors.Is(err, apply.ErrRollbackFailed) {
		return
	}
	if err := tx.Remark(err.Error()); err != nil {
		r.Session.Notef("note: the reason could not be kept in the journal: %v", err)
	}
}

// refuseAgain refuses the change, under --not-again, when it was the last thing
// tried from here and crio did not come back healthy with it. Something that tries
// again and again, as a pod does, would restart crio each time.
func (j *Job) refuseAgain(store *dropin.Store, p *Proposal) error {
	if !j.Options.NotAgain || !p.Changed() {
		return nil
	}
	txs, err := store.History()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	for _, tx := range slices.Backward(txs) {
		before, err := tx.Plan()
		if err != nil {
			return exit.With(exit.Impossible, err)
		}
		if !sameFiles(before.Changes, j.dropinPlan(p).Changes) {
			continue
		}
		reason, err := tx.Remarked()
		if err != nil {
			return exit.With(exit.Impossible, err)
		}
		if reason == "" {
			return nil // it was kept, or stopped half way
		}
		return &exit.Error{
			Code: exit.Refused,
			Err:  fmt.Errorf("this change was made at %s and is not made again: %s", clock(tx.Time()), reason),
			Hint: "Once the cause is gone, run it on the node without --not-again.",
		}
	}
	return nil
}

// sameFiles compares what CRI-O reads. Our own records may differ.
func sameFiles(a, b []dropin.Change) bool {
	return slices.EqualFunc(read(a), read(b), func(x, y dropin.Change) bool {
		return x.Path == y.Path && (x.Before == nil) == (y.Before == nil) && (x.After == nil) == (y.After == nil) &&
			bytes.Equal(x.Before, y.Before) && bytes.Equal(x.After, y.After)
	})
}

func read(list []dropin.Change) []dropin.Change {
	return slices.DeleteFunc(slices.Clone(list), func(c dropin.Change) bool {
		return strings.HasPrefix(c.Path, dropin.StateDir+"/")
	})
}
