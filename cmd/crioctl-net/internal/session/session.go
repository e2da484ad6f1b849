// Package session is one run of crioctl-net: its streams, the flags that mean
// the same in every command, and the verdict that becomes the exit code.
package session

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// A Session is what every command gets: streams, environment and the global
// flags as given.
type Session struct {
	*output.Streams
	Getenv func(string) string

	Root        string
	CRIOVersion string
	Patched     bool
	Config      string
	ConfigDir   string
	Timeout     time.Duration
	Strict      bool
	// ConfirmWithin is not a flag: the command "try" sets it. What changes is
	// undone unless it is confirmed in this time, zero for no such condition.
	ConfirmWithin time.Duration

	failOn string
	format string
	color  string
	flags  *pflag.FlagSet

	emitted bool // a document is on its way
}

// New returns a session that writes to the streams.
func New(streams *output.Streams, getenv func(string) string) *Session {
	return &Session{Streams: streams, Getenv: getenv}
}

// AddGlobalFlags adds the flags that mean the same in every command.
func (s *Session) AddGlobalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	s.flags = f
	f.StringVar(&s.Root, "root", "/", "work on the node root `DIR`; nothing outside it is read or written, and no daemon is asked")
	f.StringVar(&s.CRIOVersion, "crio-version", "auto", "judge for this CRI-O release, `X.Y` or X.Y.Z; auto asks the node")
	f.BoolVar(&s.Patched, "patched", false, "that release was built with the patch of \"crioctl-net runtime-patch\"")
	f.StringVar(&s.Config, "config", "/etc/crio/crio.conf", "main `FILE`, as crio spells it")
	f.StringVar(&s.ConfigDir, "config-dir", "/etc/crio/crio.conf.d", "drop-in `DIR`, as crio spells it")
	f.DurationVar(&s.Timeout, "timeout", 90*time.Second, "give up on the daemon, or on another run, after this `TIME`")
	f.BoolVar(&s.Strict, "strict", false, "fail on warnings too; the same as --fail-on warning")
	f.StringVar(&s.failOn, "fail-on", "error", "fail on findings of this `RANK` and worse: refused, error or warning")
	f.StringVarP(&s.format, "output", "o", "text", "output `FORMAT`: text, json or yaml; for findings also sarif, github or junit")
	f.StringVar(&s.color, "color", "auto", "colour the text: auto, always or never (`WHEN`)")
	f.BoolVarP(&s.Quiet, "quiet", "q", false, "no notes, only results and errors")
	f.BoolVarP(&s.Verbose, "verbose", "v", false, "say each step on standard error")
}

// CompleteFlags registers the values that shells offer for the global flags.
func (s *Session) CompleteFlags(root *cobra.Command, versions []string) error {
	for name, values := range map[string][]string{
		"output":       {"text", "json", "yaml", "sarif", "github", "junit"},
		"color":        {"auto", "always", "never"},
		"fail-on":      {"refused", "error", "warning"},
		"crio-version": append([]string{"auto"}, versions...),
	} {
		if err := root.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(cobraStrings(values), cobra.ShellCompDirectiveNoFileComp)); err != nil {
			return fmt.Errorf("complete --%s: %w", name, err)
		}
	}
	return nil
}

func cobraStrings(values []string) []cobra.Completion { return values }

// Check settles the global flags after parsing. findings says whether the
// command reports findings and so knows the formats made for them.
func (s *Session) Check(findings bool) error {
	known := []string{"text", "json", "yaml"}
	if findings {
		known = append(known, "sarif", "github", "junit")
	}
	if !slices.Contains(known, s.format) {
		return exit.Errorf(exit.Usage, "--output %s: this command knows %s", s.format, strings.Join(known, ", "))
	}
	if !slices.Contains([]string{"refused", "error", "warning"}, s.failOn) {
		return exit.Errorf(exit.Usage, "--fail-on %s: want refused, error or warning", s.failOn)
	}
	if s.Strict && s.flags.Changed("fail-on") && s.failOn != "warning" {
		return exit.Errorf(exit.Usage, "--strict means --fail-on warning, which contradicts --fail-on %s", s.failOn)
	}
	if s.Strict {
		s.failOn = "warning"
	}
	if s.Patched && s.CRIOVersion == "auto" {
		return exit.Errorf(exit.Usage, "--patched needs --crio-version: an installed CRI-O is asked")
	}
	if s.Root == "" {
		return exit.Errorf(exit.Usage, "--root needs a directory")
	}
	if s.Timeout <= 0 {
		return exit.Errorf(exit.Usage, "--timeout %s: want a positive time, for instance 90s", s.Timeout)
	}
	if err := s.SetColor(s.color, s.Getenv); err != nil {
		return exit.With(exit.Usage, err)
	}
	return nil
}

// SetFormat chooses the output format in a command whose --output also takes
// something else.
func (s *Session) SetFormat(f output.Format) { s.format = string(f) }

// Format returns the output format.
func (s *Session) Format() output.Format { return output.Format(s.format) }

// FailOn returns the rank of the findings that make the command fail.
func (s *Session) FailOn() string { return s.failOn }

// Given reports whether the person gave the global flag.
func (s *Session) Given(flag string) bool { return s.flags.Changed(flag) }

// Emit writes the result: the document in a machine's format, else what text
// writes.
func (s *Session) Emit(doc any, text func(w io.Writer) error) error {
	s.emitted = true
	if s.Format().Machine() {
		return output.WriteDocument(s.Out, s.Format(), doc)
	}
	return text(s.Out)
}

// EmitFailure writes the document of an error where the command wrote none, so
// that a program that reads JSON or YAML always has one to read.
func (s *Session) EmitFailure(e *exit.Error) error {
	if s.emitted || s.Format() != output.JSON && s.Format() != output.YAML {
		return nil
	}
	return output.WriteDocument(s.Out, s.Format(), output.Failure{
		Header:   output.NewHeader("Failure"),
		Error:    e.Error(),
		Hint:     e.Hint,
		ExitCode: e.Code,
	})
}

// Verdict returns the exit code that the findings deserve under --fail-on and
// --strict.
func (s *Session) Verdict(l diag.List) int {
	switch {
	case s.failOn == "refused":
		if l.Has(diag.Refused) {
			return exit.Findings
		}
	case l.Max() == diag.Error:
		return exit.Findings
	case s.failOn == "warning" && l.Max() == diag.Warning:
		return exit.Warnings
	}
	return exit.OK
}
