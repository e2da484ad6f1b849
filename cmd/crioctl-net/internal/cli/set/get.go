package set

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
)

// NewGetCmd returns the command "get".
func NewGetCmd(s *session.Session) *cobra.Command {
	var origin bool
	cmd := &cobra.Command{
		Use:   "get KEY",
		Short: "Print the effective value of one key",
		Long: `Prints the value that CRI-O runs with. Strings and times are printed without
quotes, list elements one a line, other values as TOML.`,
		Example: `  crioctl-net get crio.runtime.disable_hostport_mapping
  crioctl-net get crio.network.plugin_dirs
  crioctl-net get crio.runtime.log_level --origin`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: CompleteKeys(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			return get(cmd.Context(), s, args[0], origin)
		},
	}
	cmd.Flags().BoolVar(&origin, "origin", false, "name the place of the value and the places it shadows")
	return cmd
}

type getDocument struct {
	output.Header
	Target  output.Target   `json:"target"`
	Key     string          `json:"key"`
	Value   any             `json:"value"`
	Origins []output.Origin `json:"origins"`
}

func get(ctx context.Context, s *session.Session, name string, origin bool) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	path, _, err := n.Key(name)
	if err != nil {
		return err
	}
	c, _, err := n.Load()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	n.NoteVersion(s)
	v, ok := c.Lookup(path)
	if !ok {
		return &exit.Error{
			Code: exit.Usage,
			Err:  fmt.Errorf("%s: there is no such entry in the configuration", path),
			Hint: `"crioctl-net show" lists the entries.`,
		}
	}
	doc := getDocument{output.NewHeader("Value"), n.Target(), path.String(), output.Plain(v.V), output.Origins(path.String(), v)}
	return s.Emit(doc, func(w io.Writer) error {
		if origin {
			_, err := fmt.Fprintf(w, "%s  # %s\n", crioconf.FormatValue(v.V), show.Provenance(v))
			return err
		}
		return bare(w, v.V)
	})
}

func bare(w io.Writer, v any) error {
	switch x := v.(type) {
	case string:
		_, err := fmt.Fprintln(w, x)
		return err
	case time.Duration:
		_, err := fmt.Fprintln(w, x)
		return err
	case []string:
		for _, s := range x {
			if _, err := fmt.Fprintln(w, s); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := fmt.Fprintln(w, crioconf.FormatValue(v))
	return err
}
