// Package runtimepatch is the command "crioctl-net runtime-patch": the patches
// that make a release of CRI-O read the hostport toggle, or remove mappings while
// it is set, for those who build it.
package runtimepatch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/patches"
	"github.com/crioctl/crioctl-net/schema"
)

// NewCmd returns the command and those below it.
func NewCmd(s *session.Session) *cobra.Command {
	var c choice
	var file string
	cmd := &cobra.Command{
		Use:   "runtime-patch",
		Short: "Print the patch that makes an older CRI-O read the hostport toggle",
		Long: `Prints the patch for the source of one release of CRI-O, to be built with it.

For 1.18 to 1.27 it lets CRI-O read crio.runtime.disable_hostport_mapping, its
flag --disable-hostport-mapping and its variable DISABLE_HOSTPORT_MAPPING, as 1.28
and later do. Mappings that were made before the key was set are removed with
their pods.

For 1.28 to 1.36, which read the key as released, --purpose remove-while-disabled
names an optional patch: as released, they leave such mappings behind.

A patch fits the release that it was made for, byte by byte. It adds lines and has
no context, so "git apply" needs --unidiff-zero; "runtime-patch apply" checks every
file first and needs no tool.

Here -o names the FILE to write to. The words text, json and yaml choose a format,
as elsewhere.`,
		Example: `  crioctl-net runtime-patch --for 1.24
  crioctl-net runtime-patch --for 1.24 -o 1.24.6-hostport.patch
  crioctl-net runtime-patch --for 1.30 --purpose remove-while-disabled
  crioctl-net runtime-patch list`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f := cmd.Flags().Lookup("output"); f.Changed {
				if slices.Contains([]string{string(output.Text), string(output.JSON), string(output.YAML)}, file) {
					s.SetFormat(output.Format(file))
					file = ""
				} else if file == "" {
					return exit.Errorf(exit.Usage, "--output needs the name of a file")
				}
			}
			if err := s.Check(false); err != nil {
				return err
			}
			p, err := c.find()
			if err != nil {
				return err
			}
			return show(s, p, file)
		},
	}
	c.addFlags(cmd)
	// It takes the place of the global flag of this name.
	cmd.Flags().StringVarP(&file, "output", "o", "", "write the patch to `FILE`; or one of the formats text, json and yaml")
	cmd.AddCommand(newListCmd(s), newApplyCmd(s), newVerifyCmd(s))
	return cmd
}

// choice are the flags that name a patch.
type choice struct {
	release, purpose string
}

func (c *choice) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.release, "for", "", "the `RELEASE` of CRI-O, X.Y for its last one, or X.Y.Z")
	cmd.Flags().StringVar(&c.purpose, "purpose", string(patches.DisableHostportMapping), "what the patch is for (`NAME`): "+purposeNames(" or "))
	// Both flags are registered just above.
	_ = cmd.RegisterFlagCompletionFunc("for", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return c.releases(), cobra.ShellCompDirectiveNoFileComp
	})
	_ = cmd.RegisterFlagCompletionFunc("purpose", cobra.FixedCompletions(strings.Split(purposeNames(" "), " "), cobra.ShellCompDirectiveNoFileComp))
}

func purposeNames(between string) string {
	var names []string
	for _, p := range patches.Purposes() {
		names = append(names, string(p))
	}
	return strings.Join(names, between)
}

// releases lists the minor releases for which there is a patch.
func (c *choice) releases() []cobra.Completion {
	all, err := patches.All()
	if err != nil {
		return nil
	}
	var names []cobra.Completion
	for _, p := range all {
		if string(p.Purpose) == c.purpose && !slices.Contains(names, p.Version.Release()) {
			names = append(names, p.Version.Release())
		}
	}
	return names
}

// find returns the patch that the flags name.
func (c *choice) find() (patches.Patch, error) {
	if c.release == "" {
		return patches.Patch{}, exit.Errorf(exit.Usage, "say which release of CRI-O with --for, for instance --for 1.24")
	}
	v, err := schema.ParseVersion(c.release)
	if err != nil {
		return patches.Patch{}, exit.Errorf(exit.Usage, "--for: %w", err)
	}
	purpose := patches.Purpose(c.purpose)
	if !slices.Contains(patches.Purposes(), purpose) {
		return patches.Patch{}, exit.Errorf(exit.Usage, "--purpose %s: want %s", c.purpose, purposeNames(" or "))
	}
	all, err := patches.All()
	if err != nil {
		return patches.Patch{}, exit.With(exit.Impossible, err)
	}
	p, err := patches.Find(all, purpose, v)
	if err != nil {
		return patches.Patch{}, &exit.Error{Code: exit.Refused, Err: err, Hint: hint(purpose, v)}
	}
	return p, nil
}

// hint says what to do where there is no patch.
func hint(purpose patches.Purpose, v schema.Version) string {
	key := schema.DisableHostportMapping.Key
	reads := key.In(v)
	switch {
	case purpose == patches.DisableHostportMapping && reads:
		return fmt.Sprintf("It needs none: CRI-O %s reads %s as released. An optional patch has --purpose %s.", v, key, patches.RemoveWhileDisabled)
	case purpose == patches.RemoveWhileDisabled && !reads:
		return fmt.Sprintf("The patch that makes CRI-O %s read %s removes such mappings too; leave --purpose out.", v, key)
	}
	return `"crioctl-net runtime-patch list" names the releases that have one. Those that differ little need other line numbers: take the nearest as a model.`
}

type patchDocument struct {
	output.Header
	patches.Manifest
	Patch   string `json:"patch"`
	Written string `json:"written,omitempty"` // the file
}

func show(s *session.Session, p patches.Patch, file string) error {
	doc := patchDocument{Header: output.NewHeader("RuntimePatch"), Manifest: p.Manifest, Patch: string(p.Text)}
	if file != "" {
		if err := writeFile(file, p.Text); err != nil {
			return exit.With(exit.Impossible, err)
		}
		doc.Written = file
		s.Notef("wrote %s: the patch for CRI-O %s\n  apply it with: git apply --unidiff-zero %s", file, p.Release, filepath.Base(file))
		return nil
	}
	return s.Emit(doc, func(w io.Writer) error {
		_, err := w.Write(p.Text)
		return err
	})
}

// writeFile writes the file in full or not at all. One that is there is replaced.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".crioctl-net-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
