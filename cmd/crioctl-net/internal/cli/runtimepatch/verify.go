package runtimepatch

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/schema"
)

type verifyDocument struct {
	output.Header
	Binary   string `json:"binary"`
	Version  string `json:"version"`
	Key      string `json:"key"`
	File     bool   `json:"file"`
	Flag     bool   `json:"flag"`
	Variable bool   `json:"variable"`
	Template bool   `json:"template"`
}

func newVerifyCmd(s *session.Session) *cobra.Command {
	var binary string
	cmd := &cobra.Command{
		Use:   "verify --binary PATH",
		Short: "Ask a built crio whether it reads the hostport toggle",
		Long: `Runs the crio at PATH and has it print the configuration that it makes of a drop-in
that sets crio.runtime.disable_hostport_mapping, of the flag and of the variable.
The node's files play no part, and no daemon is started.

Exit 0 says that it takes the key on each of these ways, exit 1 that it does not.
Whether the file that crio prints has the key where it is read from is told and no
part of the verdict: CRI-O 1.28 and later print it after the runtimes, so that it has
no effect in a file that has one of their headers.

It cannot be seen from outside whether crio heeds the key. For that, give a pod a
hostPort on a node that runs it and look for its rules.`,
		Example: `  crioctl-net runtime-patch verify --binary bin/crio
  crioctl-net runtime-patch verify --binary bin/crio -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if binary == "" {
				return exit.Errorf(exit.Usage, "say which crio with --binary")
			}
			return verify(cmd.Context(), s, binary)
		},
	}
	cmd.Flags().StringVar(&binary, "binary", "", "the crio to ask, `PATH`")
	return cmd
}

func verify(ctx context.Context, s *session.Session, binary string) error {
	path, err := filepath.Abs(binary) // never looked up in PATH
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	b, err := crio.ProbeBinary(ctx, path)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	key := schema.DisableHostportMapping.Key
	e, err := b.Examine(ctx, key)
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	doc := verifyDocument{
		Header: output.NewHeader("RuntimePatchVerification"), Binary: binary, Version: b.Raw, Key: key.String(),
		File: e.File, Flag: e.Flag, Variable: e.Variable, Template: e.Template,
	}
	err = s.Emit(doc, func(w io.Writer) error {
		reads := map[bool]string{true: "reads", false: "does not fully read"}[e.Reads()]
		if e == (crio.Examination{}) {
			reads = "does not read"
		}
		fmt.Fprintf(w, "%s, CRI-O %s, %s %s\n", binary, b.Raw, reads, key)
		for _, row := range []struct {
			what string
			ok   bool
		}{
			{"a drop-in that sets it", e.File},
			{"the flag " + key.Flag(schema.Newest()), e.Flag},
			{"the variable " + key.EnvIn(schema.Newest())[0], e.Variable},
			{"printed where it is read from", e.Template},
		} {
			fmt.Fprintf(w, "  %-3s  %s\n", map[bool]string{true: "yes", false: "no"}[row.ok], row.what)
		}
		return nil
	})
	if err == nil && !e.Reads() {
		err = exit.Silently(exit.Findings)
	}
	return err
}
