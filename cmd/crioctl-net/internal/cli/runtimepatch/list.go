package runtimepatch

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/patches"
)

type listDocument struct {
	output.Header
	Patches []patches.Manifest `json:"patches"`
}

func newListCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the patches, with release and purpose",
		Long: `Lists the patches that come with crioctl-net: the release that each is for and its
purpose. As JSON or YAML each has its manifest: the commit of CRI-O, and the SHA-256
of the patch and of every file before and after it.`,
		Example: `  crioctl-net runtime-patch list
  crioctl-net runtime-patch list -o json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			all, err := patches.All()
			if err != nil {
				return exit.With(exit.Impossible, err)
			}
			doc := listDocument{Header: output.NewHeader("RuntimePatchList"), Patches: []patches.Manifest{}}
			for _, p := range all {
				doc.Patches = append(doc.Patches, p.Manifest)
			}
			return s.Emit(doc, func(w io.Writer) error {
				t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				fmt.Fprintln(t, "RELEASE\tPURPOSE\tFILES")
				for _, m := range doc.Patches {
					fmt.Fprintf(t, "%s\t%s\t%d\n", m.Release, m.Purpose, len(m.Files))
				}
				return t.Flush()
			})
		},
	}
}
