package change

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
)

// trialRecord is where it is kept that a change waits to be confirmed. It comes
// in the transaction of that change, so a rollback takes it away too.
const trialRecord = "var/lib/crioctl-net/unconfirmed.json"

// A Trial is a change that is undone unless somebody confirms it in time.
type Trial struct {
	Token    string    `json:"token"`
	Title    string    `json:"title"` // "hostport disable"
	Deadline time.Time `json:"deadline"`
}

func newTrial(title string, within time.Duration) Trial {
	var token [4]byte
	_, _ = rand.Read(token[:]) // never fails
	return Trial{hex.EncodeToString(token[:]), title, time.Now().Add(within).UTC().Truncate(time.Second)}
}

// Timer names the systemd timer that undoes the change.
func (t Trial) Timer() string { return "crioctl-net-try-" + t.Token }

// mark ends the title of the transaction.
func (t Trial) mark() string { return "(try " + t.Token + ")" }

// Expiry is the title of the transaction that undoes the change in the end.
func (t Trial) Expiry() string { return "rollback of the unconfirmed try " + t.Token }

// change is the record as part of the transaction.
func (t Trial) change() (dropin.Change, error) {
	data, err := json.MarshalIndent(t, "", "  ")
	return dropin.Change{Path: trialRecord, After: append(data, '\n'), Mode: 0o600}, err
}

// CurrentTrial returns the change that waits to be confirmed, nil when there is
// none.
func CurrentTrial(fsys fs.FS) (*Trial, error) {
	data, err := Current(fsys, trialRecord)
	if err != nil || data == nil {
		return nil, err
	}
	var t Trial
	if err := json.Unmarshal(data, &t); err != nil || t.Token == "" {
		return nil, fmt.Errorf("/%s is damaged: %w", trialRecord, err)
	}
	return &t, nil
}

// Of reports whether the transaction is that of the trial.
func (t Trial) Of(tx *dropin.Tx) bool { return strings.HasSuffix(tx.Title(), t.mark()) }

// Settle ends the trial and leaves the change as it is. The lock must be held.
func (t Trial) Settle(store *dropin.Store) error { return store.RemoveState(path.Base(trialRecord)) }

// Ended returns how the newest transaction ended a trial, "" when it did not.
func Ended(txs []*dropin.Tx) string {
	if len(txs) == 0 {
		return ""
	}
	last := txs[len(txs)-1]
	if token, ok := strings.CutPrefix(last.Title(), Trial{}.Expiry()); ok && last.State() == dropin.Kept {
		return fmt.Sprintf("the try %s was not confirmed in time and was rolled back at %s", token, clock(last.Time()))
	}
	_, token, ok := strings.Cut(strings.TrimSuffix(last.Title(), ")"), " (try ")
	if ok && last.State() == dropin.Restored {
		return fmt.Sprintf("the try %s did not come through and was rolled back at once", token)
	}
	return ""
}

// NoteTrial tells the person of a change that waits to be confirmed. That it
// cannot be found out, for want of permission, is no failure.
func NoteTrial(ctx context.Context, s *session.Session, fsys fs.FS, live bool) {
	if text, err := DescribeTrial(ctx, s, fsys, live); err == nil && text != "" {
		s.Notef("note: %s\n  %s", text, settleIt)
	}
}

// DescribeTrial says what the change waits for that is to be confirmed, "" when
// there is none.
func DescribeTrial(ctx context.Context, s *session.Session, fsys fs.FS, live bool) (string, error) {
	t, err := CurrentTrial(fsys)
	if err != nil || t == nil {
		return "", err
	}
	return t.describe(ctx, s, live), nil
}

const settleIt = `"crioctl-net confirm" keeps it, "crioctl-net rollback" undoes it.`

// describe says what the change waits for. A timer is lost when the machine is
// started anew, and then nothing undoes the change by itself.
func (t Trial) describe(ctx context.Context, s *session.Session, live bool) string {
	what := fmt.Sprintf("%q is not confirmed", t.Title)
	state := systemd.TimerState("")
	if live {
		state = t.timerState(ctx, s)
	}
	switch state {
	case systemd.TimerWaiting:
		return fmt.Sprintf("%s; it is undone at %s", what, clock(t.Deadline))
	case systemd.TimerRunning:
		return what + " and is being undone now"
	case systemd.TimerFailed:
		return fmt.Sprintf("%s, and undoing it has failed: see \"journalctl -u %s\"", what, t.Timer())
	case systemd.TimerGone:
		return what + " and its timer is gone, as after a start of the machine, so that it stays"
	}
	return fmt.Sprintf("%s; it was to be undone at %s", what, clock(t.Deadline))
}

// timerState asks systemd, "" when it does not answer.
func (t Trial) timerState(ctx context.Context, s *session.Session) systemd.TimerState {
	ctx, cancel := context.WithTimeout(ctx, stateTime)
	defer cancel()
	svc, err := OpenService(ctx, s)
	if err != nil {
		return ""
	}
	defer svc.Close()
	state, err := svc.TimerState(ctx, t.Timer())
	if err != nil {
		return ""
	}
	return state
}

// clock shows a moment of today without the day.
func clock(t time.Time) string {
	t = t.Local()
	if t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// heed refuses to change files while an earlier change waits to be confirmed:
// undoing that one would not be possible any more, or would take this one with
// it. Where nothing changes, the person is told and no more.
func (j *Job) heed(ctx context.Context, p *Proposal) error {
	t, err := CurrentTrial(j.Node.FS)
	switch {
	case err != nil:
		return exit.With(exit.Impossible, err)
	case t == nil || p.endsTrial():
		return nil
	case !p.Changed() || j.Options.DryRun:
		if !j.noted {
			NoteTrial(ctx, j.Session, j.Node.FS, j.Node.Live)
		}
		j.noted = true
		return nil
	}
	return &exit.Error{
		Code: exit.Refused,
		Err:  fmt.Errorf("the last change waits: %s", t.describe(ctx, j.Session, j.Node.Live)),
		Hint: settleIt,
	}
}

// onTrial makes the work one that is undone unless it is confirmed, if that was
// asked for.
func (j *Job) onTrial(w *Work) error {
	if j.Session.ConfirmWithin == 0 || w.Files.Empty() {
		return nil
	}
	t := newTrial(j.Title, j.Session.ConfirmWithin)
	record, err := t.change()
	if err != nil {
		return err
	}
	w.Trial = &t
	w.Files.Title += " " + t.mark()
	w.Files.Changes = append(w.Files.Changes, record)
	return nil
}

// endTrial undoes a trial by the proposal. The record goes with the files; where
// these are as before already it goes alone.
func (j *Job) endTrial(ctx context.Context, store *dropin.Store, p *Proposal, undo func() error) error {
	t, err := CurrentTrial(j.Node.FS)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	if err := undo(); err != nil {
		return err
	}
	if t == nil {
		return nil
	}
	if !p.Changed() {
		if err := t.Settle(store); err != nil {
			return exit.With(exit.Impossible, err)
		}
	}
	if j.Node.Live {
		Disarm(ctx, j.Session, t)
	}
	return nil
}

// endsTrial reports whether the record of the trial goes with the proposal.
func (p *Proposal) endsTrial() bool {
	for _, c := range p.Records {
		if c.Path == trialRecord && c.After == nil {
			return true
		}
	}
	return false
}

// IsTrialRecord reports whether the file is the record of a trial.
func IsTrialRecord(name string) bool { return name == trialRecord }
