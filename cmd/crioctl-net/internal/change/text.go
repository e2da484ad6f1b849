package change

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
)

// text writes the result for people.
func (j *Job) text(w io.Writer, r *output.Result) error {
	fmt.Fprintln(w, r.Msg)
	if r.Changed {
		if r.Made != "" {
			fmt.Fprintf(w, "  %s %s\n", map[bool]string{true: "would make", false: "made"}[r.DryRun], r.Made)
		}
		for _, f := range r.Files {
			fmt.Fprintf(w, "  %s %s\n", verb(r, f), f)
		}
	}
	if r.RestartMsg != "" {
		fmt.Fprintf(w, "  %s\n", r.RestartMsg)
	}
	if u := r.Unconfirmed; u != nil {
		fmt.Fprintf(w, "  %s\n", untilWhen(u.Deadline))
	}
	if r.Report != nil {
		if err := r.Report.WriteText(w); err != nil {
			return err
		}
	}
	if j.Options.Diff && r.Diff != "" {
		if _, err := fmt.Fprintf(w, "%s", r.Diff); err != nil {
			return err
		}
	}
	return nil
}

// untilWhen says when the change is undone. A restart may have taken longer than
// that; the timer has its turn as soon as the lock is free.
func untilWhen(deadline time.Time) string {
	if time.Now().After(deadline) {
		return "the time to confirm it is over: it is undone now; the next --timeout has to be longer than the restart"
	}
	return fmt.Sprintf(`not confirmed: it is undone at %s, unless you run "crioctl-net confirm" before`, clock(deadline))
}

func verb(r *output.Result, file string) string {
	removed := slices.Contains(r.Removed, file)
	switch {
	case r.DryRun && removed:
		return "would remove"
	case r.DryRun:
		return "would write"
	case removed:
		return "removed"
	}
	return "wrote"
}

// Nothing writes the result of a command that found nothing to do before it
// came to a plan.
func Nothing(s *session.Session, n *node.Node, o Options, msg string) error {
	r := output.NewResult(n.Target())
	r.DryRun = o.DryRun
	r.Msg = msg
	return s.Emit(r, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, msg)
		return err
	})
}
