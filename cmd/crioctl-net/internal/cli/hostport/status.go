package hostport

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
)

func newStatusCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say whether CRI-O maps hostPorts, and what decides it",
		Long: `Prints the effective value of the toggle, the place that sets it and the places
that it shadows; on a live node also what the running daemon has, and whether a
restart is outstanding. Lines that look like the toggle and are none are named.`,
		Example: `  crioctl-net hostport status
  crioctl-net hostport status --root /mnt/node -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			return status(cmd.Context(), s)
		},
	}
}

// Status is the document of "hostport status".
type Status struct {
	output.Header
	Target    output.Target `json:"target"`
	Supported bool          `json:"supported"` // this CRI-O reads the key
	Mapping   string        `json:"mapping"`   // enabled, disabled: by the files, flags and variables
	Key       string        `json:"key"`
	// Running is what the daemon has now: enabled, disabled, or unknown.
	Running         string          `json:"running"`
	RunningDetail   string          `json:"runningDetail,omitempty"`
	RestartRequired bool            `json:"restartRequired"`
	Origins         []output.Origin `json:"origins"`
	Diagnostics     []diag.Record   `json:"diagnostics"`
}

func status(ctx context.Context, s *session.Session) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	change.NoteTrial(ctx, s, n.FS, n.Live)
	c, findings, err := n.Load()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	doc := Status{
		Header:  output.NewHeader("HostportStatus"),
		Target:  n.Target(),
		Key:     toggle.String(),
		Mapping: "enabled",
		Running: "unknown",
		Origins: []output.Origin{},
	}
	v, ok := c.Lookup(toggle.Path)
	doc.Supported = ok
	if ok {
		doc.Mapping = mapping(v.V == true)
		doc.Origins = output.Origins(toggle.String(), v)
	}
	about := aboutToggle(findings)
	doc.Diagnostics = about.Records()
	ask(ctx, n, c, &doc)
	n.NoteVersion(s)
	return s.Emit(doc, func(w io.Writer) error {
		text(w, n, v, &doc)
		if len(about) == 0 {
			return nil
		}
		fmt.Fprintln(w)
		return diag.Printer{Sources: n.Source, Color: s.Color}.Text(w, about)
	})
}

func mapping(disabled bool) string {
	if disabled {
		return "disabled"
	}
	return "enabled"
}

// aboutToggle picks the findings about lines that are or look like the toggle,
// and those that keep CRI-O from starting at all.
func aboutToggle(l diag.List) diag.List {
	var out diag.List
	for _, d := range l {
		if d.Key.Leaf() == toggle.Path.Leaf() || d.Effect == diag.Refused {
			out = append(out, d)
		}
	}
	return out
}

// ask compares with the running daemon. That it cannot be asked is a fact of
// the status and no failure.
func ask(ctx context.Context, n *node.Node, c *crioconf.Config, doc *Status) {
	if !n.Live {
		doc.RunningDetail = "not asked, with --root"
		return
	}
	running, err := n.Running(ctx, c)
	if err != nil {
		doc.RunningDetail = err.Error()
		return
	}
	if value, known := running.Lookup(toggle.Path, toggle.Kind); known {
		doc.Running = mapping(value == true)
	} else {
		doc.Running = "enabled"
		doc.RunningDetail = "the daemon does not know the key"
	}
	doc.RestartRequired = doc.Running != doc.Mapping
}

func text(w io.Writer, n *node.Node, v crioconf.Value, doc *Status) {
	fmt.Fprintf(w, "hostport mapping by CRI-O: %s\n", doc.Mapping)
	if doc.Supported {
		fmt.Fprintf(w, "  key      %s = %s\n", doc.Key, crioconf.FormatValue(v.V))
		fmt.Fprintf(w, "  set by   %s\n", show.Provenance(v))
	} else {
		fmt.Fprintf(w, "  key      CRI-O %s does not read %s, it always maps hostPorts\n", n.Version, doc.Key)
	}
	fmt.Fprintf(w, "  crio     %s (%s)\n", n.Version, n.VersionSource)
	daemon := doc.Running
	if doc.RunningDetail != "" {
		daemon += " (" + doc.RunningDetail + ")"
	}
	fmt.Fprintf(w, "  running  %s\n", daemon)
	if doc.RestartRequired {
		fmt.Fprintf(w, "  restart  required: the daemon runs with another value than the files say; \"crioctl-net hostport %s --restart always\" restarts it\n", map[string]string{"disabled": "disable", "enabled": "enable"}[doc.Mapping])
	}
}
