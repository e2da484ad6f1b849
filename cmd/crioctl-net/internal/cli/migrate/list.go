package migrate

import (
	"bytes"
	"fmt"
	"io"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/migrate"
	"github.com/crioctl/crioctl-net/schema"
)

type stepsDocument struct {
	output.Header
	Steps      []stepRecord    `json:"steps"`
	Defaults   []defaultRecord `json:"defaults"`
	Behaviours []behaviour     `json:"behaviours"`
}

type stepRecord struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
	Down  bool   `json:"down,omitempty"` // on the way to an older release only
}

type defaultRecord struct {
	Code string `json:"code"`
	Key  string `json:"key"`
	Why  string `json:"why"`
	Drop bool   `json:"drop"` // a line that pins an older value goes by rule
}

// listSteps writes all that the migration knows.
func listSteps(s *session.Session) error {
	doc := stepsDocument{Header: output.NewHeader("MigrationSteps")}
	for _, st := range migrate.Steps() {
		doc.Steps = append(doc.Steps, stepRecord{st.Code, st.Title, st.Text, release(st.Since), release(st.Until), st.Down})
	}
	for _, d := range migrate.Defaults() {
		doc.Defaults = append(doc.Defaults, defaultRecord{d.Code, d.Key.String(), d.Why, d.Drop})
	}
	for _, b := range migrate.Behaviours() {
		doc.Behaviours = append(doc.Behaviours, behaviour{b.Code, release(b.Since), b.Text})
	}
	return s.Emit(doc, func(w io.Writer) error {
		var b bytes.Buffer
		doc.text(&b)
		_, err := w.Write(b.Bytes())
		return err
	})
}

func (d stepsDocument) text(b *bytes.Buffer) {
	fmt.Fprintf(b, "steps, in the order in which they are taken:\n")
	for _, s := range d.Steps {
		fmt.Fprintf(b, "  %s (%s)\n    %s.\n", s.Code, s.when(), s.Title)
	}
	fmt.Fprintf(b, "\nbuilt-in values that changed:\n")
	for _, v := range d.Defaults {
		fmt.Fprintf(b, "  %s%s\n    %s\n", v.Code, v.rule(), v.Why)
	}
	fmt.Fprintf(b, "\nbehaviour that no key shows:\n")
	for _, v := range d.Behaviours {
		fmt.Fprintf(b, "  %s (%s)\n    %s\n", v.Code, stepRecord{Since: v.Since}.when(), v.Text)
	}
}

func (s stepRecord) when() string {
	text := "every release"
	if s.Since != "" {
		text = "since " + s.Since
	}
	if s.Until != "" {
		text += " until " + s.Until
	}
	if s.Down {
		text += ", going down"
	}
	return text
}

func (d defaultRecord) rule() string {
	if d.Drop {
		return " (a line that pins an older value is dropped)"
	}
	return ""
}

// release names a release, "" for none.
func release(v schema.Version) string {
	switch {
	case v.Minor == 0:
		return ""
	case v.Patch == 0:
		return v.Release()
	}
	return v.String()
}
