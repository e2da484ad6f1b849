// Package hostport holds the commands for the toggle that this project is
// about: whether CRI-O itself maps the hostPorts of pods.
package hostport

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// NewCmd returns the command "hostport" and those below it.
func NewCmd(s *session.Session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hostport",
		Short: "Say who maps hostPorts, and let CRI-O do it or not",
		Long: `CRI-O maps every hostPort of a pod with rules of its own, unless the key
crio.runtime.disable_hostport_mapping is true. A data path that serves hostPorts
itself, such as Cilium without kube-proxy, needs it to keep its hands off.

CRI-O reads the key from 1.28 on, and only when it starts. CRI-O hands no port to
CNI plugins, so with the mapping disabled the portmap plugin does not serve
hostPort either.`,
		Example: `  crioctl-net hostport status
  crioctl-net hostport disable
  crioctl-net hostport disable --root /mnt/node --crio-version 1.30 --dry-run --diff`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newStatusCmd(s), newDisableCmd(s), newEnableCmd(s))
	return cmd
}

func newDisableCmd(s *session.Session) *cobra.Command {
	var o change.KeyOptions
	cmd := &cobra.Command{
		Use:   "disable",
		Short: "Make CRI-O leave hostPorts alone",
		Long: `Makes crio.runtime.disable_hostport_mapping = true the effective value and
restarts CRI-O, which reads the key only then. When it is true already, nothing
is written and nothing is restarted.

Nothing is written either when this CRI-O does not read the key, or when a file
that is read later, a flag or a variable of the unit would still win: exit 7.

Mappings that CRI-O made before stay in the kernel. They work until their pod is
removed, and then stay behind: drain the pods with hostPorts first.`,
		Example: `  crioctl-net hostport disable
  crioctl-net hostport disable --dry-run --diff
  crioctl-net hostport disable --in 99-site.conf --restart never
  crioctl-net hostport disable --root /mnt/node --crio-version 1.30 -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return disable(cmd.Context(), s, o) },
	}
	o.AddFlags(cmd)
	return cmd
}

func newEnableCmd(s *session.Session) *cobra.Command {
	var o change.KeyOptions
	cmd := &cobra.Command{
		Use:   "enable",
		Short: "Let CRI-O map hostPorts again",
		Long: `Undoes "hostport disable": takes back what it wrote, and sets the key to false
where another file still says true. CRI-O is restarted, as it reads the key only
then.

Pods that were made while the mapping was disabled get none until they are made
anew.`,
		Example: `  crioctl-net hostport enable
  crioctl-net hostport enable --dry-run --diff`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return enable(cmd.Context(), s, o) },
	}
	o.AddFlags(cmd)
	return cmd
}

// toggle is the key that all of this is about.
var toggle = schema.DisableHostportMapping

func disable(ctx context.Context, s *session.Session, o change.KeyOptions) error {
	n, err := o.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	if err := DemandKey(ctx, s, n); err != nil {
		return err
	}
	job := change.Job{
		Session: s, Node: n, Options: o.Options, Title: "hostport disable",
		Propose: change.ForKey(crioconf.Request{Op: crioconf.Set, Key: toggle.Path, Value: true}, o.In, change.Phrases{
			Done:    func(crioconf.Value) string { return "CRI-O's hostport mapping is disabled" },
			WouldDo: func(crioconf.Value) string { return "would disable CRI-O's hostport mapping" },
			Unchanged: func(v crioconf.Value) string {
				return fmt.Sprintf("unchanged: CRI-O's hostport mapping is already disabled (%s)", show.Place(v.Origin))
			},
			Notes: []string{
				"Mappings made before stay until their pod is removed, and then stay behind.",
			},
		}),
	}
	return job.Run(ctx)
}

func enable(ctx context.Context, s *session.Session, o change.KeyOptions) error {
	n, err := o.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	if key, _ := n.Schema.Lookup(toggle.Path); key == nil {
		return change.Nothing(s, n, o.Options, fmt.Sprintf("unchanged: CRI-O %s always maps hostPorts, it has no key for it", n.Version))
	}
	job := change.Job{
		Session: s, Node: n, Options: o.Options, Title: "hostport enable",
		Propose: change.ForKey(crioconf.Request{Op: crioconf.Release, Key: toggle.Path, Value: false}, o.In, change.Phrases{
			Done:    func(crioconf.Value) string { return "CRI-O's hostport mapping is enabled" },
			WouldDo: func(crioconf.Value) string { return "would enable CRI-O's hostport mapping" },
			Unchanged: func(v crioconf.Value) string {
				return fmt.Sprintf("unchanged: CRI-O's hostport mapping is already enabled (%s)", show.Place(v.Origin))
			},
			Notes: []string{
				"Pods made while the mapping was disabled get none until they are made anew.",
			},
		}),
	}
	return job.Run(ctx)
}

// DemandKey refuses a CRI-O that does not read the toggle. On this host the
// installed binary has the last word, for its number says nothing about patches.
func DemandKey(ctx context.Context, s *session.Session, n *node.Node) error {
	key, _ := n.Schema.Lookup(toggle.Path)
	if key != nil && n.BinaryReads(ctx, s, toggle.Key) {
		return nil
	}
	if key != nil {
		return unread(fmt.Sprintf("the installed %s, CRI-O %s,", n.Binary.Path, n.Binary.Version), n.Binary.Version)
	}
	return DemandRelease(n)
}

// DemandRelease refuses a release of CRI-O that does not read the toggle, whatever
// is installed here.
func DemandRelease(n *node.Node) error {
	if key, _ := n.Schema.Lookup(toggle.Path); key != nil {
		return nil
	}
	return unread(fmt.Sprintf("CRI-O %s (%s)", n.Version, n.VersionSource), n.Version)
}

func unread(what string, version schema.Version) error {
	first := toggle.Since[0]
	return &exit.Error{
		Code: exit.Refused,
		Err: fmt.Errorf("%s does not read %s and would ignore it without a word; the first release that does is %s",
			what, toggle.Key, first),
		Hint: fmt.Sprintf(`Ways out: upgrade CRI-O to %s or later; give this one the patch that "crioctl-net runtime-patch --for %s" prints; or let CRI-O map hostPorts and switch hostPort off in the data path.`,
			first.Release(), version.Release()),
	}
}
