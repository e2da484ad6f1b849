package runtimepatch

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/patches"
)

type applyDocument struct {
	output.Header
	Patch   string              `json:"patch"`
	Release string              `json:"release"`
	Source  string              `json:"source"`
	State   patches.State       `json:"state"` // before
	Changed bool                `json:"changed"`
	DryRun  bool                `json:"dryRun"`
	Files   []patches.FileState `json:"files"`
}

func newApplyCmd(s *session.Session) *cobra.Command {
	var c choice
	var source string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "apply --for RELEASE --source DIR",
		Short: "Patch a source tree of CRI-O, all of it or nothing",
		Long: `Puts the patch into the source tree of CRI-O in DIR.

Before the first byte is written, every file is compared with the manifest of the
patch. A tree in which one file differs is that of another release, or was changed,
and is refused as a whole with exit 7. A tree that has the patch is left alone. One
that a killed run left half patched is brought to its end.`,
		Example: `  crioctl-net runtime-patch apply --for 1.24 --source cri-o --dry-run
  crioctl-net runtime-patch apply --for 1.24.6 --source cri-o`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if source == "" {
				return exit.Errorf(exit.Usage, "say where the source of CRI-O is with --source")
			}
			p, err := c.find()
			if err != nil {
				return err
			}
			return apply(s, p, source, dryRun)
		},
	}
	c.addFlags(cmd)
	cmd.Flags().StringVar(&source, "source", "", "the source tree of CRI-O, `DIR`")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say whether the patch fits; write nothing")
	cmd.Flags().BoolVar(&dryRun, "check", false, "the same as --dry-run")
	// The flag is registered just above.
	_ = cmd.MarkFlagDirname("source")
	return cmd
}

func apply(s *session.Session, p patches.Patch, source string, dryRun bool) error {
	work := p.Apply
	if dryRun {
		work = p.Check
	}
	r, err := work(source)
	if err == nil {
		err = r.Err(&p)
	}
	doc := applyDocument{
		Header: output.NewHeader("RuntimePatchReport"), Patch: p.Name, Release: p.Release, Source: source,
		State: r.State, DryRun: dryRun, Files: r.Files, Changed: err == nil && r.State != patches.Applied,
	}
	var differs *patches.DifferError
	switch {
	case errors.As(err, &differs):
		if s.Format().Machine() {
			if err := s.Emit(doc, nil); err != nil {
				return err
			}
		}
		return &exit.Error{
			Code: exit.Refused,
			Err:  fmt.Errorf("%s: %w; nothing was changed", source, err),
			Hint: fmt.Sprintf("The patch is for %s, commit %s.", p.Tag, p.Commit),
		}
	case err != nil:
		return exit.With(exit.Impossible, fmt.Errorf("%s: %w", source, err))
	}
	return s.Emit(doc, func(w io.Writer) error {
		if !doc.Changed {
			_, err := fmt.Fprintf(w, "unchanged: %s has the patch for CRI-O %s\n", source, p.Release)
			return err
		}
		verb, fit := "patched", "is patched for CRI-O"
		if dryRun {
			verb, fit = "would patch", "is the source of CRI-O"
		}
		fmt.Fprintf(w, "%s %s %s\n", source, fit, p.Release)
		for _, f := range r.Files {
			if f.State == patches.Fits {
				fmt.Fprintf(w, "  %s %s\n", verb, f.Path)
			}
		}
		return nil
	})
}
