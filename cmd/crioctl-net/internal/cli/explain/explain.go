// Package explain is the command "crioctl-net explain": all that is known about
// a key, or about a diagnostic code.
package explain

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/show"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// NewCmd returns the command.
func NewCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "explain KEY|CODE",
		Short: "Explain a key, a diagnostic code or a step of a migration",
		Long: `For a key: what it does, its kind, default and history, how several files combine,
what makes a change count, and its value here with every place that sets it.

For the code of a diagnostic: what it means, what CRI-O does, what to do, with an
example before and after. For the code of a migration step: what changed in CRI-O
and what becomes of the files.`,
		Example: `  crioctl-net explain crio.runtime.disable_hostport_mapping
  crioctl-net explain log_level
  crioctl-net explain misplaced-toggle`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			if d, ok := diag.Lookup(diag.Code(args[0])); ok {
				return explainCode(s, d)
			}
			if doc, ok := findStep(args[0]); ok {
				return explainStep(s, doc)
			}
			return explainKey(cmd.Context(), s, args[0])
		},
	}
}

func complete(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	if len(args) == 0 {
		for _, k := range schema.All() {
			if !k.HasNames() {
				names = append(names, k.String())
			}
		}
		for _, d := range diag.Catalogue() {
			names = append(names, cobra.CompletionWithDesc(string(d.Code), d.Title))
		}
		names = append(names, completeSteps()...)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

type codeDocument struct {
	output.Header
	Code     diag.Code   `json:"code"`
	Severity string      `json:"severity"`
	Effect   diag.Effect `json:"effect"`
	Title    string      `json:"title"`
	Text     string      `json:"text"`
	Before   string      `json:"before,omitempty"`
	After    string      `json:"after,omitempty"`
	Since    string      `json:"since,omitempty"`
}

func explainCode(s *session.Session, d diag.Doc) error {
	doc := codeDocument{
		output.NewHeader("CodeExplanation"), d.Code, d.Severity.String(), d.Effect,
		d.Title, d.Text, d.Before, d.After, d.Since,
	}
	return s.Emit(doc, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s (%s, effect on CRI-O: %s)\n%s\n\n%s", d.Code, d.Severity, d.Effect, d.Title, ensureNewline(d.Plain()))
		return err
	})
}

func ensureNewline(s string) string { return strings.TrimRight(s, "\n") + "\n" }

type keyDocument struct {
	output.Header
	Target     output.Target   `json:"target"`
	Key        string          `json:"key"`
	Text       string          `json:"text"`
	Type       string          `json:"type"`
	Supported  bool            `json:"supported"`
	Support    string          `json:"support"` // as-released, by-patch or no
	Since      []string        `json:"since"`
	ByPatch    string          `json:"byPatch,omitempty"` // oldest release with a patch
	Removed    string          `json:"removed,omitempty"`
	Deprecated string          `json:"deprecated,omitempty"`
	ReplacedBy string          `json:"replacedBy,omitempty"`
	Defaults   []defaultSince  `json:"defaults"`
	Default    any             `json:"default"`
	Merge      string          `json:"merge"`
	Apply      string          `json:"apply"`
	Flag       string          `json:"flag,omitempty"`
	Variables  []string        `json:"variables,omitempty"`
	Value      any             `json:"value"`
	Origins    []output.Origin `json:"origins"`
	Also       []diag.Record   `json:"diagnostics"`
}

type defaultSince struct {
	Since string `json:"since"`
	Value any    `json:"value"`
}

func explainKey(ctx context.Context, s *session.Session, name string) error {
	n, err := node.Open(ctx, s)
	if err != nil {
		return err
	}
	defer n.Close()
	path, key, err := find(name)
	if err != nil {
		return err
	}
	c, findings, err := n.Load()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	n.NoteVersion(s)
	doc := describe(n, path, key)
	v, here := c.Lookup(path)
	if here {
		doc.Value = output.Plain(v.V)
		doc.Origins = output.Origins(path.String(), v)
	}
	about := aboutKey(findings, path)
	doc.Also = about.Records()
	return s.Emit(doc, func(w io.Writer) error {
		text(w, n, key, doc, v, here)
		if len(about) == 0 {
			return nil
		}
		fmt.Fprintln(w)
		return diag.Printer{Sources: n.Source, Color: s.Color}.Text(w, about)
	})
}

// find returns the key of any release with that path, or with that last part
// where only one key has it.
func find(name string) (keypath.Path, *schema.Key, error) {
	path, err := keypath.Parse(name)
	if err != nil {
		return nil, nil, exit.With(exit.Usage, err)
	}
	if k := schema.Find(path); k != nil {
		return canonical(path, k), k, nil
	}
	if len(path) == 1 {
		var same []*schema.Key
		for _, k := range schema.All() {
			if strings.EqualFold(k.Path.Leaf(), path[0]) {
				same = append(same, k)
			}
		}
		if len(same) == 1 {
			return same[0].Path, same[0], nil
		}
		if len(same) > 1 {
			var names []string
			for _, k := range same {
				names = append(names, k.String())
			}
			return nil, nil, &exit.Error{
				Code: exit.Usage,
				Err:  fmt.Errorf("%s is the name of several keys", name),
				Hint: "Say which: " + strings.Join(names, " or ") + ".",
			}
		}
	}
	newest := schema.For(schema.Newest())
	if newest.Table(path) {
		return nil, nil, node.NotAKey(name)
	}
	return nil, nil, node.UnknownKey(name, path, newest, "no CRI-O release reads %s, and it is no diagnostic code")
}

// canonical spells the path as CRI-O does; free names stay.
func canonical(p keypath.Path, k *schema.Key) keypath.Path {
	out := slices.Clone(p)
	for i, part := range k.Path {
		if part != "*" {
			out[i] = part
		}
	}
	return out
}

func describe(n *node.Node, path keypath.Path, key *schema.Key) keyDocument {
	doc := keyDocument{
		Header:     output.NewHeader("KeyExplanation"),
		Target:     n.Target(),
		Key:        path.String(),
		Text:       key.Text,
		Type:       key.KindIn(n.Version).String(),
		Since:      []string{},
		ReplacedBy: key.ReplacedBy,
		Defaults:   []defaultSince{},
		Merge:      mergeText(key, n.Version),
		Apply:      key.ReloadIn(n.Version).String(),
		Origins:    []output.Origin{},
	}
	read, _ := n.Schema.Lookup(path)
	doc.Supported = read != nil
	if read != nil {
		doc.Default = output.Plain(n.Schema.Default(read))
		doc.Flag, doc.Variables = read.Flag(n.Version), read.EnvIn(n.Version)
	}
	doc.Support = key.SupportIn(n.Version).String()
	if !key.ByPatch.IsZero() {
		doc.ByPatch = key.ByPatch.Release()
	}
	for _, v := range key.Since {
		doc.Since = append(doc.Since, v.String())
	}
	if !key.Removed.IsZero() {
		doc.Removed = key.Removed.String()
	}
	if !key.Deprecated.IsZero() {
		doc.Deprecated = key.Deprecated.String()
	}
	for _, d := range key.Defaults {
		doc.Defaults = append(doc.Defaults, defaultSince{d.Since.String(), output.Plain(d.Value)})
	}
	return doc
}

// mergeText says how several files combine. A key of an entry has no rule of
// its own: it comes and goes with the entry.
func mergeText(key *schema.Key, v schema.Version) string {
	if key.HasNames() {
		return "none of its own: a later file that names the entry again replaces it whole, with every key in it"
	}
	m := key.MergeIn(v)
	switch m {
	case schema.Replace:
		return "the last file that sets it wins as a whole"
	case schema.ReplaceEntry:
		return "names of all files are collected; an entry that a later file names again is replaced whole"
	case schema.PerKey:
		return "merged name by name"
	case schema.AppendUnique:
		return "lists of all files are put together; of equal elements the last stays"
	case schema.KeepIfEmpty:
		return "the last file that sets it wins; an empty string leaves the earlier value"
	}
	return m.String()
}

func applyText(apply string) string {
	switch apply {
	case schema.Restart.String():
		return "restart: a reload (SIGHUP) does not apply it"
	case schema.SIGHUP.String():
		return "reload (SIGHUP) is enough"
	}
	return "none: CRI-O accepts the key and does nothing with it"
}

// aboutKey picks the findings about the key, about a line elsewhere that was
// meant for it, and about files that this release does not read.
func aboutKey(l diag.List, path keypath.Path) diag.List {
	var out diag.List
	for _, d := range l {
		if d.Key.EqualFold(path) || d.Suggest == path.String() || d.Code == diag.DropInsUnread ||
			d.Code == diag.MisplacedToggle && d.Key.Leaf() == path.Leaf() {
			out = append(out, d)
		}
	}
	return out
}

func text(w io.Writer, n *node.Node, key *schema.Key, doc keyDocument, v crioconf.Value, here bool) {
	fmt.Fprintf(w, "%s\n", doc.Key)
	for _, line := range wrap(doc.Text, 76) {
		fmt.Fprintf(w, "  %s\n", line)
	}
	fmt.Fprintln(w)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("kind", "%s", doc.Type)
	row("since", "%s", strings.Join(doc.Since, ", "))
	if doc.ByPatch != "" {
		row("by patch", "from %s on, see \"crioctl-net runtime-patch\"", doc.ByPatch)
	}
	if doc.Deprecated != "" {
		row("deprecated", "since %s%s", doc.Deprecated, instead(doc.ReplacedBy))
	}
	if doc.Removed != "" {
		row("removed", "in %s: ignored without a word from then on%s", doc.Removed, instead(doc.ReplacedBy))
	}
	for i, d := range doc.Defaults {
		name := ""
		if i == 0 {
			name = "default"
			if key.HasNames() {
				name = "built in" // of the entry that CRI-O comes with
			}
		}
		row(name, "%s since %s", crioconf.FormatValue(d.Value), d.Since)
	}
	if len(doc.Defaults) == 0 && key.Kind != schema.Entries && !key.HasNames() {
		row("default", "%s", crioconf.FormatValue(key.KindIn(n.Version).Zero()))
	}
	row("merge", "%s", doc.Merge)
	row("apply", "%s", applyText(doc.Apply))
	if doc.Flag != "" {
		row("flag", "%s, wins over every file", doc.Flag)
	}
	if len(doc.Variables) > 0 {
		row("variable", "%s, wins over every file", strings.Join(doc.Variables, ", "))
	}
	fmt.Fprintln(w)
	switch {
	case !doc.Supported:
		fmt.Fprintf(w, "here: CRI-O %s (%s) does not read it\n", n.Version, n.VersionSource)
	case !here:
		fmt.Fprintf(w, "here: CRI-O %s (%s), no such entry\n", n.Version, n.VersionSource)
	default:
		fmt.Fprintf(w, "here: %s with CRI-O %s (%s)\n", crioconf.FormatValue(v.V), n.Version, n.VersionSource)
		fmt.Fprintf(w, "  %s %s\n", mark(true), show.Place(v.Origin)+says(v, v.Origin))
		for _, o := range v.Shadowed {
			fmt.Fprintf(w, "  %s %s: %s\n", mark(false), show.Place(o), crioconf.FormatValue(o.Value))
		}
	}
}

func says(v crioconf.Value, o crioconf.Origin) string {
	if v.Adjusted {
		return fmt.Sprintf(": %s, CRI-O takes %s", crioconf.FormatValue(o.Value), crioconf.FormatValue(v.V))
	}
	return ": " + crioconf.FormatValue(v.V)
}

func mark(active bool) string {
	if active {
		return "in force"
	}
	return "shadowed"
}

func instead(by string) string {
	if by == "" {
		return ""
	}
	return "; use " + by
}

// wrap breaks text into lines of at most width columns.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
