package doctor

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/doctor"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// choose returns the checks that the flags leave, in their order.
func (o options) choose(all []doctor.Check) ([]doctor.Check, error) {
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	for _, given := range []struct {
		flag  string
		names []string
	}{{"only", o.only}, {"skip", o.skip}} {
		for _, name := range given.names {
			if !slices.Contains(names, name) {
				return nil, unknown(given.flag, name, names)
			}
		}
	}
	checks := slices.DeleteFunc(slices.Clone(all), func(c doctor.Check) bool {
		return len(o.only) > 0 && !slices.Contains(o.only, c.Name) || slices.Contains(o.skip, c.Name)
	})
	if len(checks) == 0 {
		return nil, exit.Errorf(exit.Usage, "--only and --skip leave no check")
	}
	return checks, nil
}

func unknown(flag, name string, names []string) error {
	e := &exit.Error{
		Code: exit.Usage,
		Err:  fmt.Errorf("--%s: there is no check %q", flag, name),
		Hint: "There are " + strings.Join(names, ", ") + ".",
	}
	if near, ok := keypath.Near(name, names); ok {
		e.Hint = "Did you mean " + near + "?"
	}
	return e
}

// completeNames offers the checks after the last comma that are not there yet.
func completeNames(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := ""
	if i := strings.LastIndex(typed, ","); i >= 0 {
		before = typed[:i+1]
	}
	var out []cobra.Completion
	for _, c := range doctor.Checks() {
		if !slices.Contains(strings.Split(before, ","), c.Name) {
			out = append(out, cobra.CompletionWithDesc(before+c.Name, c.Title))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

type listed struct {
	Name  string      `json:"name"`
	Title string      `json:"title"`
	Text  string      `json:"text"`
	Needs []string    `json:"needs"`
	Codes []diag.Code `json:"codes"`
}

type listDocument struct {
	output.Header
	Checks []listed `json:"checks"`
}

// list tells of the checks without making any.
func list(s *session.Session, checks []doctor.Check) error {
	if f := s.Format(); f != output.Text && f != output.JSON && f != output.YAML {
		return exit.Errorf(exit.Usage, "--list knows text, json and yaml, not %s", f)
	}
	doc := listDocument{Header: output.NewHeader("CheckList"), Checks: []listed{}}
	for _, c := range checks {
		codes := c.Codes
		if codes == nil {
			codes = []diag.Code{}
		}
		doc.Checks = append(doc.Checks, listed{c.Name, c.Title, c.Text, c.Needs.Names(), codes})
	}
	return s.Emit(doc, func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, c := range checks {
			fmt.Fprintf(t, "%s\t%s\t%s\n", c.Name, c.Needs, c.Title)
		}
		return t.Flush()
	})
}
