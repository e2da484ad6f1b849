// Package diff is the command "crioctl-net diff": what differs between two
// configurations, key by key.
package diff

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

type options struct {
	running  bool
	defaults bool
}

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "diff [--running] | diff ROOT ROOT | diff --defaults VERSION VERSION",
		Short: "Compare the files with the running daemon, two roots, or two releases",
		Long: `Without arguments, or with --running: compares what the files, flags and variables
give with what the running daemon has, and says whether a restart is outstanding.

With two node roots: compares their effective configurations. With --defaults and
two releases: compares their built-in defaults.

Exit 0 when there is no difference, 1 when there is one.`,
		Example: `  crioctl-net diff --running
  crioctl-net diff nodes/a nodes/b --crio-version 1.30
  crioctl-net diff --defaults 1.30 1.31`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			return run(cmd.Context(), s, o, args)
		},
	}
	cmd.Flags().BoolVar(&o.running, "running", false, "compare the files with the running daemon; the default")
	cmd.Flags().BoolVar(&o.defaults, "defaults", false, "compare the built-in defaults of two releases")
	return cmd
}

// A difference is one key that differs. A value that a side does not have is
// null.
type difference struct {
	Key    string `json:"key"`
	Before any    `json:"before"`
	After  any    `json:"after"`
	Origin string `json:"origin,omitempty"` // what sets the second value
	Apply  string `json:"apply,omitempty"`  // what the running daemon needs to take it over
}

type document struct {
	output.Header
	Before          string       `json:"before"` // what the first side is
	After           string       `json:"after"`
	Differences     []difference `json:"differences"`
	RestartRequired bool         `json:"restartRequired"`
	ReloadRequired  bool         `json:"reloadRequired"`
}

func run(ctx context.Context, s *session.Session, o options, args []string) error {
	var doc document
	var err error
	switch {
	case o.defaults && !o.running && len(args) == 2:
		doc, err = defaults(args[0], args[1])
	case !o.defaults && !o.running && len(args) == 2:
		doc, err = roots(ctx, s, args[0], args[1])
	case !o.defaults && len(args) == 0:
		doc, err = running(ctx, s)
	default:
		return exit.Errorf(exit.Usage, "give nothing or --running, two node roots, or --defaults and two releases")
	}
	if err != nil {
		return err
	}
	if err := s.Emit(doc, func(w io.Writer) error { return text(w, doc) }); err != nil {
		return err
	}
	if len(doc.Differences) > 0 {
		return exit.Silently(exit.Findings)
	}
	return nil
}

func newDocument(before, after string) document {
	return document{Header: output.NewHeader("Differences"), Before: before, After: after, Differences: []difference{}}
}

func (d *document) add(path keypath.Path, before, after any, hadBefore, hasAfter bool, origin string) {
	diff := difference{Key: path.String(), Origin: origin}
	if hadBefore {
		diff.Before = output.Plain(before)
	}
	if hasAfter {
		diff.After = output.Plain(after)
	}
	d.Differences = append(d.Differences, diff)
}

// compare lists what differs between two configurations.
func (d *document) compare(a, b *crioconf.Config) {
	for _, c := range a.Diff(b) {
		origin := ""
		if c.HasAfter {
			origin = show.Place(c.After.Origin)
		}
		d.add(c.Path, c.Before.V, c.After.V, c.HadBefore, c.HasAfter, origin)
	}
}

func defaults(from, to string) (document, error) {
	doc := newDocument("CRI-O "+from, "CRI-O "+to)
	var sides [2]*crioconf.Config
	for i, name := range []string{from, to} {
		v, err := schema.ParseVersion(name)
		if err != nil {
			return doc, exit.With(exit.Usage, err)
		}
		sides[i], _ = crioconf.LoadFiles(nil, crioconf.Options{Version: v})
	}
	doc.compare(sides[0], sides[1])
	return doc, nil
}

func roots(ctx context.Context, s *session.Session, a, b string) (document, error) {
	doc := newDocument(a, b)
	var sides [2]*crioconf.Config
	for i, root := range []string{a, b} {
		n, err := node.At(ctx, s, root)
		if err != nil {
			return doc, err
		}
		defer n.Close()
		n.NoteVersion(s)
		if sides[i], _, err = n.Load(); err != nil {
			return doc, exit.With(exit.Impossible, err)
		}
	}
	doc.compare(sides[0], sides[1])
	return doc, nil
}

// running compares the daemon with the files.
func running(ctx context.Context, s *session.Session) (document, error) {
	doc := newDocument("the running daemon", "the files, flags and variables")
	n, err := node.Open(ctx, s)
	if err != nil {
		return doc, err
	}
	defer n.Close()
	if !n.Live {
		return doc, exit.Errorf(exit.Usage, "diff --running: with --root no daemon is asked")
	}
	c, _, err := n.Load()
	if err != nil {
		return doc, exit.With(exit.Impossible, err)
	}
	daemon, err := n.Running(ctx, c)
	if err != nil {
		return doc, exit.With(exit.Impossible, err)
	}
	for _, d := range daemon.Drift(c) {
		doc.add(d.Path, d.Running, d.Want.V, d.Known, true, show.Place(d.Want.Origin))
		doc.Differences[len(doc.Differences)-1].Apply = d.Apply.String()
		switch d.Apply {
		case schema.Restart:
			doc.RestartRequired = true
		case schema.SIGHUP:
			doc.ReloadRequired = true
		}
	}
	return doc, nil
}

func text(w io.Writer, doc document) error {
	if len(doc.Differences) == 0 {
		_, err := fmt.Fprintf(w, "no differences between %s and %s\n", doc.Before, doc.After)
		return err
	}
	fmt.Fprintf(w, "- %s\n+ %s\n", doc.Before, doc.After)
	for _, d := range doc.Differences {
		fmt.Fprintf(w, "\n%s\n", d.Key)
		side(w, "-", d.Before, "")
		side(w, "+", d.After, d.Origin)
	}
	switch {
	case doc.RestartRequired:
		fmt.Fprintln(w, "\nrestart needed: \"crioctl-net restart\" makes the daemon take the files over")
	case doc.ReloadRequired:
		fmt.Fprintln(w, "\nreload needed: \"systemctl reload crio\" makes the daemon take the files over")
	}
	return nil
}

func side(w io.Writer, sign string, v any, origin string) {
	switch {
	case v == nil:
		fmt.Fprintf(w, "  %s has no such key\n", sign)
	case origin == "":
		fmt.Fprintf(w, "  %s %s\n", sign, crioconf.FormatValue(v))
	default:
		fmt.Fprintf(w, "  %s %s  # %s\n", sign, crioconf.FormatValue(v), origin)
	}
}
