// Package cli is the command tree of crioctl-net. Each command has a package of
// its own below; this one puts them together, runs the one that was asked for
// and turns its error into a message and an exit code.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/explain"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/hostport"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/set"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/validate"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/version"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/schema"
)

// Main runs the program with the arguments after its name and returns the exit
// code. SIGINT and SIGTERM end the context that every command works under.
func Main(args []string, streams *output.Streams, getenv func(string) string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := session.New(streams, getenv)
	root := NewRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	report(s, err)
	return code(err)
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
		version.NewCmd(s),
	)
	var versions []string
	for _, v := range schema.Versions() {
		versions = append(versions, v.String())
	}
	// The flags are registered two lines above; a failure is a slip of ours.
	if err := s.CompleteFlags(root, versions); err != nil {
		panic(err)
	}
	return root
}

// usageError is wrong use of one command.
type usageError struct {
	cmd *cobra.Command
	err error
}

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// code returns the exit code. Errors that cobra itself makes (an unknown
// command, a wrong number of arguments) carry none of ours: wrong use.
func code(err error) int {
	var e *exit.Error
	if err != nil && !errors.As(err, &e) && isCobraUsage(err) {
		return exit.Usage
	}
	return exit.Code(err)
}

func isCobraUsage(err error) bool {
	msg := err.Error()
	for _, start := range []string{"unknown command", "accepts ", "requires at least", "requires at most", "if any flags in the group", "required flag", "invalid argument"} {
		if strings.HasPrefix(msg, start) {
			return true
		}
	}
	return false
}

func report(s *session.Session, err error) {
	if err == nil {
		return
	}
	var e *exit.Error
	if errors.As(err, &e) && e.Err == nil {
		return
	}
	fmt.Fprintf(s.Err, "crioctl-net: %s\n", err)
	if e != nil && e.Hint != "" {
		fmt.Fprintf(s.Err, "  %s\n", e.Hint)
	}
	if code(err) == exit.Usage {
		help := "crioctl-net --help"
		var u usageError
		if errors.As(err, &u) {
			help = u.cmd.CommandPath() + " --help"
		}
		fmt.Fprintf(s.Err, "  See %q.\n", help)
	}
}
