// Package set holds the commands that read and change one key: get, set and
// unset.
package set

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// NewSetCmd returns the command "set".
func NewSetCmd(s *session.Session) *cobra.Command {
	var o change.KeyOptions
	cmd := &cobra.Command{
		Use:   "set KEY VALUE...",
		Short: "Make VALUE the effective value of a key",
		Long: `Changes the file where the key is in force, or writes 60-crioctl-net.conf in the
drop-in directory, so that CRI-O runs with VALUE. Nothing is written when CRI-O
would not start with the result, or when something that is read later, a flag or
a variable of the unit would still win.

A list takes its elements as further arguments, or as one TOML array. A table of
strings takes NAME=VALUE arguments. A duration has a unit: 30s.`,
		Example: `  crioctl-net set crio.runtime.log_level debug
  crioctl-net set crio.network.plugin_dirs /opt/cni/bin /usr/libexec/cni
  crioctl-net set crio.metrics.enable_metrics true --dry-run --diff`,
		Args:              cobra.MinimumNArgs(2),
		ValidArgsFunction: CompleteKeys(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return set(cmd.Context(), s, o, args[0], args[1:])
		},
	}
	o.AddFlags(cmd)
	return cmd
}

// NewUnsetCmd returns the command "unset".
func NewUnsetCmd(s *session.Session) *cobra.Command {
	var o change.KeyOptions
	cmd := &cobra.Command{
		Use:   "unset KEY",
		Short: "Take a key out of the file that sets it",
		Long: `Takes the key out of 60-crioctl-net.conf where it stands there, else out of the
file where it is in force, or out of the file named by --in. What earlier files
say, or the built-in default, is in force afterwards. Comments stay. A drop-in of
ours with nothing left in it is removed.`,
		Example: `  crioctl-net unset crio.runtime.log_level
  crioctl-net unset crio.runtime.log_level --in 20-site.conf --diff`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: CompleteKeys(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return unset(cmd.Context(), s, o, args[0])
		},
	}
	o.AddFlags(cmd)
	return cmd
}

func set(ctx context.Context, s *session.Session, o change.KeyOptions, name string, args []string) error {
	n, err := o.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	path, key, err := n.Key(name)
	if err != nil {
		return err
	}
	value, err := ParseValue(key.KindIn(n.Version), args)
	if err != nil {
		return exit.Errorf(exit.Usage, "%s: %w", path, err)
	}
	job := change.Job{
		Session: s, Node: n, Options: o.Options, Title: "set " + path.String(),
		Propose: change.ForKey(crioconf.Request{Op: crioconf.Set, Key: path, Value: value}, o.In, change.Phrases{
			Done:      func(v crioconf.Value) string { return fmt.Sprintf("%s is now %s", path, crioconf.FormatValue(v.V)) },
			WouldDo:   func(v crioconf.Value) string { return fmt.Sprintf("would make %s %s", path, crioconf.FormatValue(v.V)) },
			Unchanged: func(v crioconf.Value) string { return already(path.String(), v) },
		}),
	}
	return job.Run(ctx)
}

func already(key string, v crioconf.Value) string {
	return fmt.Sprintf("unchanged: %s is already %s (%s)", key, crioconf.FormatValue(v.V), show.Place(v.Origin))
}

func unset(ctx context.Context, s *session.Session, o change.KeyOptions, name string) error {
	n, err := o.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	path, _, err := n.Key(name)
	if err != nil {
		return err
	}
	job := change.Job{
		Session: s, Node: n, Options: o.Options, Title: "unset " + path.String(),
		Propose: change.ForKey(crioconf.Request{Op: crioconf.Unset, Key: path}, o.In, change.Phrases{
			Done:    func(v crioconf.Value) string { return fmt.Sprintf("%s is unset; %s", path, inForce(v)) },
			WouldDo: func(v crioconf.Value) string { return fmt.Sprintf("would unset %s; %s", path, inForce(v)) },
			Unchanged: func(v crioconf.Value) string {
				return fmt.Sprintf("unchanged: no file sets %s; %s", path, inForce(v))
			},
		}),
	}
	return job.Run(ctx)
}

// inForce says which value is in force now. A Value without a key means that
// the entry it belonged to is gone.
func inForce(v crioconf.Value) string {
	if v.Key == nil {
		return "its entry is gone"
	}
	return fmt.Sprintf("%s is in force (%s)", crioconf.FormatValue(v.V), show.Place(v.Origin))
}

// CompleteKeys offers the keys of the schema for the first argument, and the
// values of a boolean for the second.
func CompleteKeys(s *session.Session) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		v := schema.Newest()
		if parsed, err := schema.ParseVersion(s.CRIOVersion); err == nil {
			v = parsed
		}
		view := schema.For(v)
		switch len(args) {
		case 0:
			var names []cobra.Completion
			for _, k := range view.Keys() {
				if !k.HasNames() && k.Kind != schema.Entries {
					text, _, _ := strings.Cut(k.Text, ". ")
					names = append(names, cobra.CompletionWithDesc(k.String(), strings.TrimSuffix(text, ".")))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		case 1:
			if k := schema.Find(mustPath(args[0])); k != nil && k.Kind == schema.Bool {
				return []cobra.Completion{"true", "false"}, cobra.ShellCompDirectiveNoFileComp
			}
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}
