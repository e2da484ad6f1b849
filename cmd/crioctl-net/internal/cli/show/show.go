// Package show is the command "crioctl-net show": the effective configuration
// and where it comes from.
package show

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

type options struct {
	origin     bool
	nonDefault bool
	running    bool
}

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the effective configuration, and with --origin where each value comes from",
		Long: `Prints the configuration that CRI-O runs with once all its files are read and the
flags and variables of its unit are applied, one key a line. The lines are TOML.

With --origin each line names the place that sets the value, and the places that
it shadows. A value that CRI-O itself puts in place of what a file says is marked.

With --running it prints what the running daemon has, as the daemon serves it.`,
		Example: `  crioctl-net show --non-default
  crioctl-net show --origin
  crioctl-net show --running
  crioctl-net show --root /mnt/node --crio-version 1.30 -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if o.running && (o.origin || o.nonDefault) {
				return exit.Errorf(exit.Usage, "--running prints what the daemon serves, which has neither --origin nor --non-default")
			}
			return run(cmd.Context(), s, o)
		},
	}
	cmd.Flags().BoolVar(&o.origin, "origin", false, "name the place of every value and the places it shadows")
	cmd.Flags().BoolVar(&o.nonDefault, "non-default", false, "leave out what equals the built-in default")
	cmd.Flags().BoolVar(&o.running, "running", false, "print the configuration of the running daemon instead")
	return cmd
}

type document struct {
	output.Header
	Target      output.Target   `json:"target"`
	Values      map[string]any  `json:"values"`
	Origins     []output.Origin `json:"origins"`
	Diagnostics []diag.Record   `json:"diagnostics"`
}

func run(ctx context.Context, s *session.Session, o options) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	c, findings, err := n.Load()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	if o.running {
		return running(ctx, s, n, c)
	}
	n.NoteVersion(s)
	doc := document{
		Header:      output.NewHeader("EffectiveConfiguration"),
		Target:      n.Target(),
		Values:      map[string]any{},
		Origins:     []output.Origin{},
		Diagnostics: findings.Records(),
	}
	for path, v := range c.All() {
		if o.nonDefault && !NonDefault(v) {
			continue
		}
		doc.Values[path.String()] = output.Plain(v.V)
		doc.Origins = append(doc.Origins, output.Origins(path.String(), v)...)
	}
	if err := s.Emit(doc, func(w io.Writer) error { return text(w, c, o) }); err != nil {
		return err
	}
	if findings.Has(diag.Refused) {
		return exit.Errorf(exit.Findings, "CRI-O does not start with this configuration; see \"crioctl-net validate\"")
	}
	return nil
}

// running prints what the daemon serves: TOML for people, and the keys of the
// schema in a document.
func running(ctx context.Context, s *session.Session, n *node.Node, c *crioconf.Config) error {
	if !n.Live {
		return exit.Errorf(exit.Usage, "show --running: with --root no daemon is asked")
	}
	daemon, err := n.Running(ctx, c)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	doc := document{
		Header:      output.NewHeader("RunningConfiguration"),
		Target:      n.Target(),
		Values:      map[string]any{},
		Origins:     []output.Origin{},
		Diagnostics: []diag.Record{},
	}
	for path, v := range c.All() {
		if got, ok := daemon.Lookup(path, v.Key.KindIn(c.Version())); ok {
			doc.Values[path.String()] = output.Plain(got)
		}
	}
	return s.Emit(doc, func(w io.Writer) error {
		_, err := w.Write(daemon.Source)
		return err
	})
}

// NonDefault reports whether the value differs from the built-in one.
func NonDefault(v crioconf.Value) bool {
	if v.Origin.Kind == crioconf.Default && !v.Adjusted {
		return false
	}
	for _, o := range v.Shadowed {
		if o.Kind == crioconf.Default {
			return !crioconf.Equal(o.Value, v.V)
		}
	}
	return true
}

// text writes one line per key, a blank line between tables.
func text(w io.Writer, c *crioconf.Config, o options) error {
	b := bufio.NewWriter(w)
	var table keypath.Path
	for path, v := range c.All() {
		if o.nonDefault && !NonDefault(v) {
			continue
		}
		if table != nil && !path.Parent().Equal(table) {
			fmt.Fprintln(b)
		}
		table = path.Parent()
		fmt.Fprintf(b, "%s = %s", path, crioconf.FormatValue(v.V))
		if o.origin {
			fmt.Fprintf(b, "  # %s", Provenance(v))
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

// Provenance says in one line where a value comes from and what it shadows.
func Provenance(v crioconf.Value) string {
	var b strings.Builder
	b.WriteString(Place(v.Origin))
	if v.Adjusted {
		fmt.Fprintf(&b, " says %s, CRI-O takes %s", crioconf.FormatValue(v.Origin.Value), crioconf.FormatValue(v.V))
	}
	for i, o := range v.Shadowed {
		if i == 0 {
			b.WriteString("; shadows ")
		} else {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (%s)", Place(o), crioconf.FormatValue(o.Value))
	}
	return b.String()
}

// Place names an origin for people.
func Place(o crioconf.Origin) string {
	switch {
	case o.Kind == crioconf.Default && o.Range.IsZero():
		return "built-in default"
	case o.Kind == crioconf.Default:
		return "left out at " + o.Range.String()
	case o.Kind == crioconf.Flag:
		return fmt.Sprintf("flag %s at %s", o.Name, o.Range)
	case o.Kind == crioconf.Variable:
		return fmt.Sprintf("variable %s at %s", o.Name, o.Range)
	}
	return o.Range.String()
}
