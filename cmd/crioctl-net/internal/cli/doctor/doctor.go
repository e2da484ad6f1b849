// Package doctor is the command "crioctl-net doctor": named checks of the whole
// node in one run.
package doctor

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/doctor"
)

type options struct {
	only []string
	skip []string
	list bool
}

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look the node over: files, unit, daemon, network, programs",
		Long: `Makes every check of the node and says for each what it has seen, what is wrong and
what to do. With --root it makes those that need no daemon and no kernel, and names
the others as skipped, with the reason. Nothing is changed. "doctor --list" names the
checks, the manual page describes them.

Exit codes are those of "validate": 1 for errors, 3 for warnings under --strict. A
check that cannot look at something says so with a warning.`,
		Example: `  crioctl-net doctor
  crioctl-net doctor --only kubelet,monitor
  crioctl-net doctor --skip daemon,drift -o junit > doctor.xml
  crioctl-net doctor --root /mnt/node --crio-version 1.30
  crioctl-net doctor --list`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.Check(true); err != nil {
				return err
			}
			for flag, names := range map[string][]string{"only": o.only, "skip": o.skip} {
				if cmd.Flags().Changed(flag) && len(names) == 0 {
					return exit.Errorf(exit.Usage, "--%s needs the name of a check", flag)
				}
			}
			return run(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.only, "only", nil, "make these checks alone (`NAME`[,NAME])")
	f.StringSliceVar(&o.skip, "skip", nil, "leave these checks out (`NAME`[,NAME])")
	f.BoolVar(&o.list, "list", false, "list the checks, a line each, and make none")
	for _, flag := range []string{"only", "skip"} {
		// The flags are registered just above.
		_ = cmd.RegisterFlagCompletionFunc(flag, completeNames)
	}
	return cmd
}

func run(ctx context.Context, s *session.Session, o options) error {
	checks, err := o.choose(doctor.Checks())
	if err != nil {
		return err
	}
	if o.list {
		return list(s, checks)
	}
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	patient := gather(ctx, s, n)
	results, err := doctor.Run(ctx, patient, checks)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	r := report{session: s, node: n, results: results}
	if err := r.write(); err != nil {
		return err
	}
	var all diag.List
	for _, one := range results {
		all = append(all, one.List()...)
	}
	if code := s.Verdict(all); code != exit.OK {
		return exit.Silently(code)
	}
	return nil
}
