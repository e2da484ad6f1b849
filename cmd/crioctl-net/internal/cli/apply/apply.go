// Package apply is the command "crioctl-net apply": drop-ins given as files are
// installed as one transaction.
package apply

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

type options struct {
	change.Options
	name  string
	prune bool
}

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "apply FILE...",
		Short: "Install drop-ins as one transaction",
		Long: `Copies each FILE into the drop-in directory under its own name, all or none, and
restarts CRI-O where a changed key needs it. A directory stands for the files in
it, - for standard input under the name given with --name.

The result is checked as a whole before anything is written. A file that somebody
else generates is not overwritten: exit 7.

With --prune, drop-ins that an earlier apply installed and that are not given any
more are removed in the same transaction.`,
		Example: `  crioctl-net apply 20-network.conf 30-metrics.conf
  crioctl-net apply --prune ./crio.conf.d --dry-run --diff
  crioctl-net apply - --name 20-network.conf < network.toml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if err := o.Check(s); err != nil {
				return err
			}
			return run(cmd.Context(), s, o, args)
		},
	}
	o.AddFlags(cmd)
	cmd.Flags().StringVar(&o.name, "name", "", "the `NAME` of the drop-in that standard input becomes")
	cmd.Flags().BoolVar(&o.prune, "prune", false, "remove drop-ins that an earlier apply installed and that are not given any more")
	return cmd
}

func run(ctx context.Context, s *session.Session, o options, args []string) error {
	sources, err := Read(s, args, o.name, "--name")
	if err != nil {
		return err
	}
	if o.name != "" && !slices.Contains(args, "-") {
		return exit.Errorf(exit.Usage, "--name is for standard input: give - as FILE")
	}
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	if n.Layout.DropInDir == "" {
		return exit.Errorf(exit.Refused, "CRI-O is told to read no drop-in directory")
	}
	n.NoteVersion(s)
	job := change.Job{
		Session: s, Node: n, Options: o.Options, Title: title(sources),
		Propose: func(_ *change.Job, c *crioconf.Config, _ diag.List, store *dropin.Store) (*change.Proposal, error) {
			return propose(n, c, store, sources, o.prune)
		},
	}
	return job.Run(ctx)
}

func title(sources []Source) string {
	names := make([]string, len(sources))
	for i, f := range sources {
		names[i] = f.Name
	}
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("and %d more", len(sources)-3))
	}
	return "apply " + strings.Join(names, " ")
}

// propose installs the sources, and with prune removes what is no longer given.
func propose(n *node.Node, c *crioconf.Config, store *dropin.Store, sources []Source, prune bool) (*change.Proposal, error) {
	had, old, err := readRecord(store)
	if err != nil {
		return nil, err
	}
	p := &change.Proposal{Before: c, After: c}
	given := map[string]bool{}
	now := old.clone()
	for _, f := range sources {
		name := path.Join(n.Layout.DropInDir, f.Name)
		given[name] = true
		if err := install(n, p, name, f.Data); err != nil {
			return nil, err
		}
		now.Files[name] = digest(f.Data)
	}
	if prune {
		if err := removeOthers(n, p, old, now, given); err != nil {
			return nil, err
		}
	}
	if err := now.propose(p, had); err != nil {
		return nil, err
	}
	p.Changes = c.Diff(p.After)
	p.Done = fmt.Sprintf("%s applied", drops(len(sources)))
	p.WouldDo = fmt.Sprintf("would apply %s", drops(len(sources)))
	p.Unchanged = fmt.Sprintf("unchanged: %s in place", drops(len(sources)))
	p.Notes = Shadowed(p.After, func(file string) bool { return given[p.After.Name(file)] })
	return p, nil
}

func drops(n int) string {
	if n == 1 {
		return "1 drop-in"
	}
	return fmt.Sprintf("%d drop-ins", n)
}

func install(n *node.Node, p *change.Proposal, name string, data []byte) error {
	before, err := change.Current(n.FS, name)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	if before != nil && string(before) == string(data) {
		return nil
	}
	if owner := crio.OwnerOf(n.FS, name, before); before != nil && owner != nil {
		return &exit.Error{
			Code: exit.Refused,
			Err:  fmt.Errorf("%s belongs to %s", n.Display(name), owner.Name),
			Hint: owner.Way,
		}
	}
	p.Add(n.Layout, name, before, data)
	return nil
}

// removeOthers takes away what an earlier apply installed. A file that somebody
// has changed since is not ours to delete.
func removeOthers(n *node.Node, p *change.Proposal, old, now record, given map[string]bool) error {
	for _, name := range old.names() {
		if given[name] {
			continue
		}
		data, err := change.Current(n.FS, name)
		switch {
		case err != nil:
			return exit.With(exit.Impossible, err)
		case data == nil:
		case digest(data) != old.Files[name]:
			return &exit.Error{
				Code: exit.Refused,
				Err:  fmt.Errorf("--prune: %s was changed after it was applied", n.Display(name)),
				Hint: "Delete it, or give it again.",
			}
		default:
			p.Add(n.Layout, name, data, nil)
		}
		delete(now.Files, name)
	}
	return nil
}

// Shadowed tells which keys of the given files, named as people know them, have
// no effect since something that is read later sets them too.
func Shadowed(c *crioconf.Config, given func(file string) bool) []string {
	var notes []string
	for _, f := range c.Layers() {
		if !given(f.Name()) {
			continue
		}
		for e := range f.Entries() {
			v, ok := c.Lookup(e.Path)
			if ok && v.Origin.Range != e.Value && v.Origin.Kind != crioconf.Default {
				notes = append(notes, fmt.Sprintf("%s: %s has no effect, %s wins", e.Key, e.Path, show.Place(v.Origin)))
			}
		}
	}
	return notes
}
