// Package cli is the command tree of crioctl-net. Each command has a package of
// its own below; this one puts them together, runs the one that was asked for
// and turns its error into a message and an exit code.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/apply"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/diff"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/doctor"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/explain"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/history"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/hold"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/hostport"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/migrate"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/render"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/restart"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/runtimepatch"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/set"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/try"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/validate"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/version"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/schema"
)

// Main runs the program with the arguments after its name and returns the exit
// code. SIGINT, SIGTERM and the loss of the terminal end the context that every
// command works under.
func Main(args []string, streams *output.Streams, getenv func(string) string) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	s := session.New(streams, getenv)
	root := NewRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	report(s, err)
	return exit.Code(err)
}

// NewRoot returns the whole command tree.
func NewRoot(s *session.Session) *cobra.Command {
	root := &cobra.Command{
		Use:   "crioctl-net",
		Short: "Manage CRI-O's network configuration, above all the hostport toggle",
		Long: `crioctl-net changes CRI-O's settings and makes sure of the result: the change is
legal for the CRI-O that runs there, the value is the one that CRI-O really uses,
and nothing but the bytes that have to change is touched.`,
		Example: `  crioctl-net hostport disable
  crioctl-net hostport status
  crioctl-net validate /etc/crio/crio.conf.d
  crioctl-net show --origin --non-default`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.CompletionOptions.HiddenDefaultCmd = false
	s.AddGlobalFlags(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return exit.With(exit.Usage, usageError{cmd, err})
	})
	root.AddCommand(
		hostport.NewCmd(s),
		set.NewGetCmd(s),
		set.NewSetCmd(s),
		set.NewUnsetCmd(s),
		show.NewCmd(s),
		explain.NewCmd(s),
		validate.NewCmd(s),
		doctor.NewCmd(s),
		diff.NewCmd(s),
		migrate.NewCmd(s),
		render.NewCmd(s),
		runtimepatch.NewCmd(s),
		apply.NewCmd(s),
		try.NewCmd(s),
		try.NewConfirmCmd(s),
		restart.NewCmd(s),
		history.NewRollbackCmd(s),
		history.NewCmd(s),
		hold.NewCmd(s),
		version.NewCmd(s),
	)
	var versions []string
	for _, v := range schema.Versions() {
		versions = append(versions, v.Release())
	}
	// Cobra adds these two when it runs, too late for explainArgs.
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	explainArgs(root)
	// The flags are registered above; a failure is a slip of ours.
	if err := s.CompleteFlags(root, versions); err != nil {
		panic(err)
	}
	return root
}

func report(s *session.Session, err error) {
	if err == nil {
		return
	}
	e := &exit.Error{Code: exit.Code(err), Err: err}
	var carried *exit.Error
	if errors.As(err, &carried) {
		e.Hint = carried.Hint
		if carried.Err == nil {
			return
		}
	}
	if werr := s.EmitFailure(e); werr != nil {
		fmt.Fprintf(s.Err, "crioctl-net: %s\n", werr)
	}
	for _, one := range parts(err) {
		fmt.Fprintf(s.Err, "crioctl-net: %s\n", one)
	}
	if e.Hint == "" && errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0 {
		e.Hint = "Run it as root."
	}
	if e.Hint != "" {
		fmt.Fprintf(s.Err, "  %s\n", e.Hint)
		return
	}
	var u usageError
	switch {
	case errors.As(err, &u):
		fmt.Fprintf(s.Err, "  See \"%s --help\".\n", u.cmd.CommandPath())
	case exit.Code(err) == exit.Usage:
		fmt.Fprintf(s.Err, "  See \"crioctl-net --help\".\n")
	}
}

// parts returns the errors that errors.Join put together, so that each gets a
// line of its own.
func parts(err error) []error {
	var carried *exit.Error
	inner := err
	if errors.As(err, &carried) && error(carried) == err {
		inner = carried.Err
	}
	if joined, ok := inner.(interface{ Unwrap() []error }); ok {
		all := joined.Unwrap()
		if inner.Error() == errors.Join(all...).Error() {
			return all
		}
	}
	return []error{err}
}
