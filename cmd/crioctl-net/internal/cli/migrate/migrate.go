// Package migrate is the command "crioctl-net migrate": the configuration of one
// CRI-O release becomes that of another.
package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/migrate"
	"github.com/crioctl/crioctl-net/schema"
)

type options struct {
	change.Options
	from, to        string
	plan            bool
	listSteps       bool
	toDropIn        bool
	minimize        bool
	writeRegistries bool
	keepPinned      bool
	dropDefaults    bool
	pinRuntime      bool
	accept          []string
}

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "migrate [PATH]",
		Short: "Turn the configuration of one CRI-O release into that of another",
		Long: `Edits main file and drop-ins, in one transaction, so that CRI-O of the release
--to does with them what CRI-O of the release --from does: keys get their new
names and places, those that are gone are deleted, values their new form. All
other bytes stay, and comments stay with their key.

The account names every key whose effective value differs between the releases,
built-in values included, with the reason. A difference that nothing accounts for
stops the command.

Where a person has to decide, the line stays as it is, the step says so, and the
exit code is 1; --accept CODE goes on without it. What the release --to cannot do
at all is refused with exit 7, above all on the way to an older one.

A line that pins the built-in value of an older release goes when the value went
stale, such as an old pause image, and stays when it shapes how containers run.

Without --to the files are fitted to the CRI-O of the node. --from auto takes the
release of the node, or where that is the one of --to already, the one that the
files were most likely written for.

PATH is a node root, the same as --root. Of a single file, or of a folder with a
crio.conf or with drop-ins, the plan is printed and nothing is written; --diff
makes a patch of it.`,
		Example: `  crioctl-net migrate --from 1.26 --to 1.31 --plan
  crioctl-net migrate --from 1.26 --to 1.31 --dry-run --diff
  crioctl-net migrate --to 1.34 --to-drop-in
  crioctl-net migrate --from 1.20 --to 1.34 ./crio.conf --diff
  crioctl-net migrate --minimize
  crioctl-net migrate --list-steps`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if err := o.Check(s); err != nil {
				return err
			}
			if o.keepPinned && o.dropDefaults {
				return exit.Errorf(exit.Usage, "--keep-pinned contradicts --drop-defaults")
			}
			if len(args) == 1 {
				only, err := subject(cmd, s, args[0])
				if err != nil {
					return err
				}
				o.plan = o.plan || only
			}
			if o.listSteps {
				return listSteps(s)
			}
			return run(cmd.Context(), s, o)
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *options) addFlags(cmd *cobra.Command) {
	o.AddFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "auto", "the CRI-O `RELEASE` that the files were written for, or auto")
	f.StringVar(&o.to, "to", "auto", "the CRI-O `RELEASE` that they are to fit, or auto for that of the node")
	f.BoolVar(&o.plan, "plan", false, "print steps and account, and write nothing")
	f.BoolVar(&o.listSteps, "list-steps", false, "print every step that there is, and write nothing")
	f.BoolVar(&o.toDropIn, "to-drop-in", false, "turn the main file into the smallest drop-in with the same effect")
	f.BoolVar(&o.minimize, "minimize", false, "delete what says the same as the built-in value")
	f.BoolVar(&o.writeRegistries, "write-registries", false, "write the registries.conf drop-in that takes over registries of CRI-O")
	f.BoolVar(&o.keepPinned, "keep-pinned", false, "keep every line that pins an older built-in value")
	f.BoolVar(&o.dropDefaults, "drop-defaults", false, "drop every line that pins an older built-in value")
	f.BoolVar(&o.pinRuntime, "pin-runtime", false, "keep the default runtime where the new release has another one built in")
	f.StringSliceVar(&o.accept, "accept", nil, "go on without the decision about the step `CODE`; may be repeated")
	// The flags are registered just above.
	_ = cmd.RegisterFlagCompletionFunc("accept", cobra.FixedCompletions(codes(), cobra.ShellCompDirectiveNoFileComp))
}

func codes() []cobra.Completion {
	var list []cobra.Completion
	for _, s := range migrate.Steps() {
		list = append(list, cobra.CompletionWithDesc(s.Code, s.Title))
	}
	return list
}

func run(ctx context.Context, s *session.Session, o options) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	rel, err := settle(n, o)
	if err != nil {
		return err
	}
	m := migration{session: s, node: n, options: o, releases: rel, own: n.Schema}
	installed := n.VersionKnown && n.Version.Release() == rel.to.Release()
	n.Under(rel.to, "--to")
	m.releases.to = n.Version
	if !installed {
		m.note = fmt.Sprintf("install CRI-O %s before the next start: the files are for it", rel.to)
		// The CRI-O that runs reads the files by other rules.
		if o.Restart == "always" {
			return exit.Errorf(exit.Usage, "--restart always: CRI-O %s is not the one that is installed", rel.to)
		}
		m.options.Restart = "never"
	}
	if o.plan {
		return m.print()
	}
	job := change.Job{
		Session: s, Node: n, Options: m.options.Options,
		Title: fmt.Sprintf("migrate %s to %s", m.releases.from, m.releases.to),
		Propose: func(j *change.Job, _ *crioconf.Config, _ diag.List, _ *dropin.Store) (*change.Proposal, error) {
			return m.propose(j)
		},
	}
	return job.Run(ctx)
}

// A migration is what the command works out.
type migration struct {
	session  *session.Session
	node     *node.Node
	options  options
	releases releases
	own      *schema.Schema // of the CRI-O that the node has
	note     string         // a remark once the files have changed
}

func (m migration) work() (*migrate.Result, error) {
	from, to := m.schemaOf(m.releases.from), m.node.Schema
	newer := to // which reads all that the older one reads of the layout
	if to.Release().Less(from.Release()) {
		newer = from
	}
	c, err := m.node.LoadUnder(newer, from)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	r, err := migrate.Plan(c, m.releases.from, m.releases.to, m.planOptions())
	var fault *migrate.UnannouncedError
	switch {
	case errors.As(err, &fault):
		return nil, &exit.Error{
			Code: exit.Impossible,
			Err:  fmt.Errorf("%w; nothing was written", err),
			Hint: "This is a fault of crioctl-net. Please report it with the files.",
		}
	case err != nil:
		return nil, exit.With(exit.Impossible, err)
	}
	return r, nil
}

func (m migration) schemaOf(v schema.Version) *schema.Schema {
	if v == m.own.Version() {
		return m.own
	}
	return schema.For(v)
}

func (m migration) planOptions() migrate.Options {
	o := migrate.Options{
		WriteRegistries: m.options.writeRegistries,
		PinRuntime:      m.options.pinRuntime,
		Accept:          m.options.accept,
		Minimize:        m.options.minimize,
		ToDropIn:        m.options.toDropIn,
		Overrides:       m.node.Overrides(),
		Patched:         m.own,
		Host:            host(m.node),
	}
	switch {
	case m.options.keepPinned:
		o.Pinned = migrate.KeepPinned
	case m.options.dropDefaults:
		o.Pinned = migrate.DropDefaults
	}
	if o.Overrides == nil {
		o.Overrides = []crioconf.Override{}
	}
	return o
}

// propose makes the migration a change of files.
func (m migration) propose(j *change.Job) (*change.Proposal, error) {
	r, err := m.work()
	if err != nil {
		return nil, err
	}
	if err := m.refused(r); err != nil {
		return nil, err
	}
	p := &change.Proposal{Before: r.Start, After: r.After, Files: r.Files, Changes: r.Start.Diff(r.After)}
	for _, f := range r.Files {
		if owner := crio.OwnerOf(m.node.FS, f.Name, f.Before); f.Before != nil && owner != nil {
			return nil, &exit.Error{
				Code: exit.Refused,
				Err:  fmt.Errorf("%s belongs to %s", m.node.Display(f.Name), owner.Name),
				Hint: owner.Way,
			}
		}
	}
	for _, f := range r.Others {
		p.Records = append(p.Records, dropin.Change{Path: f.Name, Before: f.Before, After: f.After})
	}
	ways := fmt.Sprintf("from CRI-O %s to %s", r.From, r.To)
	p.Done = "migrated " + ways
	p.WouldDo = "would migrate " + ways
	p.Unchanged = "unchanged: no file has to change " + ways
	if m.note != "" {
		p.Notes = append(p.Notes, m.note)
	}
	p.Report = m.report(r)
	p.Verdict = verdict(r)
	if p.Verdict != nil && j.Options.Restart == "auto" {
		j.Options.Restart = "never" // not before somebody has decided
	}
	return p, nil
}

// refused ends the command where the new release cannot do what the files ask
// for.
func (m migration) refused(r *migrate.Result) error {
	list := r.Refused()
	if len(list) == 0 {
		return nil
	}
	var reasons, accept []string
	for _, t := range list {
		reasons = append(reasons, fmt.Sprintf("\n  %s: %s", t.Range, t.Text))
		accept = append(accept, t.Code)
	}
	return &exit.Error{
		Code: exit.Refused,
		Err:  fmt.Errorf("CRI-O %s cannot do what the files ask for; nothing was written%s", r.To, strings.Join(reasons, "")),
		Hint: fmt.Sprintf("Change the files, or go on without with --accept %s.", unique(accept)),
	}
}

func unique(list []string) string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return strings.Join(out, ",")
}

func verdict(r *migrate.Result) error {
	if len(r.Open()) > 0 {
		return exit.Silently(exit.Findings)
	}
	return nil
}
