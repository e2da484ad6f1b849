package explain

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/migrate"
)

type stepDocument struct {
	output.Header
	Code  string `json:"code"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// findStep returns the migration step of that code, or the changed built-in
// value.
func findStep(code string) (stepDocument, bool) {
	doc := stepDocument{Header: output.NewHeader("StepExplanation"), Code: code}
	steps := migrate.Steps()
	if i := slices.IndexFunc(steps, func(s migrate.Step) bool { return s.Code == code }); i >= 0 {
		doc.Title, doc.Text = steps[i].Title, steps[i].Text
		return doc, true
	}
	defaults := migrate.Defaults()
	if i := slices.IndexFunc(defaults, func(d migrate.Default) bool { return d.Code == code }); i >= 0 {
		d := defaults[i]
		doc.Title = "the built-in value of " + d.Key.String() + " changed"
		doc.Text = d.Why + "."
		if d.Drop {
			doc.Text += " A line that pins an older one goes with a migration, unless --keep-pinned is given."
		}
		return doc, true
	}
	return doc, false
}

func explainStep(s *session.Session, doc stepDocument) error {
	return s.Emit(doc, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s (step of a migration)\n%s\n\n%s\n", doc.Code, doc.Title, doc.Text)
		return err
	})
}

func completeSteps() []cobra.Completion {
	var names []cobra.Completion
	for _, s := range migrate.Steps() {
		names = append(names, cobra.CompletionWithDesc(s.Code, s.Title))
	}
	return names
}
