// Package render is the command "crioctl-net render": drop-ins for nodes that are
// yet to be made, or that somebody else manages, in the form that provisioning
// tools take.
package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/render"
)

// NewCmd returns the command and one below it for each format.
func NewCmd(s *session.Session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "render",
		Short: "Print drop-ins as Ignition, MachineConfig, cloud-init and the like",
		Long: `Prints what a provisioning tool needs to give nodes a setting of CRI-O. What to
set is one of these:

  hostport disable    CRI-O leaves hostPorts alone
  KEY=VALUE...        any keys, with values as "crioctl-net set" takes them; a
                      list is one argument: KEY='["a", "b"]'
  --file FILE...      whole drop-ins, which keep their names

The result is judged for the CRI-O of the nodes, named by --crio-version; without
it, for the one that is installed here. A key that it does not read is refused
with exit 7, a mistake with exit 1 and the findings, and nothing is printed.

With --root DIR the files of that node, or that image, count too: a drop-in, flag
or variable that would win over the rendered one is told, and --in names a drop-in
that is there already, to be rendered with the change in it.

The same input gives the same bytes. With -o json or -o yaml they come within a
document, with the findings and the digests of the files.`,
		Example: `  crioctl-net render ignition hostport disable --crio-version 1.30
  crioctl-net render machineconfig hostport disable --crio-version 1.30 --role worker
  crioctl-net render cloud-init crio.runtime.log_level=warn crio.metrics.enable_metrics=true
  crioctl-net render butane --file 20-network.conf --file 30-metrics.conf`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, f := range formats() {
		cmd.AddCommand(newFormatCmd(s, f))
	}
	return cmd
}

// options are the flags of one format. Each format has those it needs.
type options struct {
	format   format
	files    []string
	in       string
	encoding string

	spec       string
	variant    string
	role       string
	name       string
	tryRestart bool
	outDir     string
	daemonSet  daemonSetOptions
}

func newFormatCmd(s *session.Session, f format) *cobra.Command {
	o := &options{format: f}
	cmd := &cobra.Command{
		Use:               f.name + " [hostport disable | KEY=VALUE...]",
		Short:             f.short,
		Long:              f.long,
		Example:           f.example,
		ValidArgsFunction: completeInput(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			return run(cmd.Context(), s, o, args)
		},
	}
	cmd.Flags().StringArrayVar(&o.files, "file", nil, "take the drop-in `FILE`, those of a directory, or - for standard input; may be repeated")
	cmd.Flags().StringVar(&o.in, "in", "", "the `NAME` of the drop-in, "+crioconf.DropInName+" unless given")
	f.flags(cmd, o)
	return cmd
}

// encodingFlag adds the flag of the formats that can hold the bytes in two ways.
func encodingFlag(cmd *cobra.Command, o *options) {
	cmd.Flags().StringVar(&o.encoding, "encoding", "plain", "how the bytes of a file stand there: `plain` or base64")
	complete(cmd, "encoding", "plain", "base64")
}

func complete(cmd *cobra.Command, flag string, values ...string) {
	list := make([]cobra.Completion, len(values))
	copy(list, values)
	// The flag was registered just before.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
}

func (o *options) encoded() (render.Encoding, error) {
	switch o.encoding {
	case "", "plain":
		return render.Plain, nil
	case "base64":
		return render.Base64, nil
	}
	return 0, exit.Errorf(exit.Usage, "--encoding %s: want plain or base64", o.encoding)
}

// A document is what is rendered, with what there is to say about it.
type document struct {
	output.Header
	Format      string        `json:"format"`
	Target      output.Target `json:"target"`
	Base        bool          `json:"base"` // the files of target.root were taken into account
	Spec        string        `json:"spec,omitempty"`
	Files       []file        `json:"files"`
	Content     string        `json:"content"`
	Manifests   []manifest    `json:"manifests,omitempty"`
	Written     []string      `json:"written"`
	Diagnostics []diag.Record `json:"diagnostics"`
	Notes       []string      `json:"notes"`
	Error       string        `json:"error,omitempty"`
	Hint        string        `json:"hint,omitempty"`
	ExitCode    int           `json:"exitCode"`
}

// A file is one that the nodes will have.
type file struct {
	Path   string `json:"path"`
	Mode   string `json:"mode"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

// A manifest is one file of a kustomize base.
type manifest struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

func run(ctx context.Context, s *session.Session, o *options, args []string) error {
	sub, err := open(ctx, s, o)
	if err != nil {
		return err
	}
	defer sub.node.Close()
	doc := &document{
		Header: output.NewHeader("Rendering"), Format: o.format.name, Target: sub.target(), Base: sub.base,
		Files: []file{}, Written: []string{}, Notes: []string{},
	}
	err = doc.fill(ctx, sub, o, args)
	doc.Diagnostics = sub.findings.Records()
	if err != nil {
		if len(doc.Diagnostics) == 0 || !s.Format().Machine() {
			return err
		}
		doc.Error, doc.ExitCode = err.Error(), exit.Code(err)
	}
	for _, n := range doc.Notes {
		s.Notef("note: %s", n)
	}
	if werr := s.Emit(doc, doc.text); werr != nil {
		return werr
	}
	return err
}

// target says which CRI-O the result is for, and whose files count.
func (sub *subject) target() output.Target {
	t := sub.node.Target()
	if !sub.base {
		t.Root, t.Config = "", ""
		t.ConfigDir = "/" + sub.dir()
	}
	return t
}

// fill plans, judges and renders.
func (d *document) fill(ctx context.Context, sub *subject, o *options, args []string) error {
	if err := sub.read(ctx, o, args); err != nil {
		return err
	}
	if err := sub.judge(); err != nil {
		return err
	}
	files, err := render.Files(sub.plan())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	d.Notes = append(append(d.Notes, sub.notes...), sub.shadowed()...)
	d.list(files)
	return o.format.render(d, sub, o, files)
}

// read takes what the person wants, in one of the three forms.
func (sub *subject) read(ctx context.Context, o *options, args []string) error {
	in := o.in
	if in == "" {
		in = crioconf.DropInName
	}
	switch {
	case len(o.files) > 0 && len(args) > 0:
		return exit.Errorf(exit.Usage, "--file takes no other argument, not %q", args[0])
	case len(o.files) > 0:
		return sub.files(o.files, o.in)
	case len(args) == 0:
		return exit.Errorf(exit.Usage, "render %s: nothing to render; want hostport disable, KEY=VALUE, or --file FILE", o.format.name)
	case slices.Equal(args, []string{"hostport", "disable"}):
		return sub.disableHostport(ctx, in)
	case args[0] == "hostport":
		return &exit.Error{
			Code: exit.Usage,
			Err:  fmt.Errorf("render %s: want hostport disable, not %q", o.format.name, strings.Join(args, " ")),
			Hint: "What was rendered is undone where it was brought in. To say the contrary: crio.runtime.disable_hostport_mapping=false",
		}
	}
	return sub.values(args, in)
}

func (d *document) list(files []render.File) {
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		d.Files = append(d.Files, file{f.Path, fmt.Sprintf("%04o", f.Permissions()), len(f.Data), hex.EncodeToString(sum[:])})
	}
}

// text writes what was rendered, or where it was written.
func (d *document) text(w io.Writer) error {
	if len(d.Written) == 0 {
		_, err := io.WriteString(w, d.Content)
		return err
	}
	for _, name := range d.Written {
		if _, err := fmt.Fprintf(w, "wrote %s\n", name); err != nil {
			return err
		}
	}
	return nil
}
