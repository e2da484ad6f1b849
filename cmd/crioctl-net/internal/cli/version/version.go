// Package version is the command "crioctl-net version".
package version

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/schema"
)

// Number is the version of this program.
const Number = "0.1.0"

type document struct {
	output.Header
	Version     string `json:"version"`
	Revision    string `json:"revision,omitempty"`
	Go          string `json:"go"`
	Platform    string `json:"platform"`
	CRIOOldest  string `json:"crioOldest"`
	CRIONewest  string `json:"crioNewest"`
	SchemaCount int    `json:"keys"`
}

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of crioctl-net and the CRI-O releases it knows",
		Long: `Prints the version of crioctl-net, what it was built with, and the range of CRI-O
releases whose configuration it knows exactly.`,
		Example: `  crioctl-net version
  crioctl-net version -o json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			return run(s)
		},
	}
}

func run(s *session.Session) error {
	versions := schema.Versions()
	doc := document{
		Header:      output.NewHeader("Version"),
		Version:     Number,
		Revision:    revision(),
		Go:          runtime.Version(),
		Platform:    runtime.GOOS + "/" + runtime.GOARCH,
		CRIOOldest:  versions[0].Release(),
		CRIONewest:  schema.Newest().Release(),
		SchemaCount: len(schema.All()),
	}
	return s.Emit(doc, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "crioctl-net %s\nknows CRI-O %s to %s\n", doc.Version, doc.CRIOOldest, doc.CRIONewest)
		return err
	})
}

// revision returns the commit that the program was built from, where the Go
// command recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, kv := range info.Settings {
		if kv.Key == "vcs.revision" {
			return kv.Value
		}
	}
	return ""
}
