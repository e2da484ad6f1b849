// Package output is what crioctl-net says and how: the streams of one run, the
// documents that machines read, and the same facts as text for people.
//
// Results go to standard output, everything else to standard error. Documents
// have a fixed field order, so the same run gives the same bytes.
package output

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are the standard streams of one run and what is known about them.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	Color   bool // the person wants escape codes on Out
	Quiet   bool // no notes, only errors
	Verbose bool
}

// System returns the process's own streams.
func System() *Streams { return &Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr} }

// SetColor decides about colour: "always", "never", or "auto", which means a
// terminal and no NO_COLOR in the environment (no-color.org).
func (s *Streams) SetColor(mode string, getenv func(string) string) error {
	switch mode {
	case "always":
		s.Color = true
	case "never":
		s.Color = false
	case "auto", "":
		s.Color = isTerminal(s.Out) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
	default:
		return fmt.Errorf("--color is auto, always or never, not %q", mode)
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// ErrIsTerminal reports whether a person sees standard error as it is written.
func (s *Streams) ErrIsTerminal() bool { return isTerminal(s.Err) }

// Notef writes a line for the person to standard error, unless --quiet.
func (s *Streams) Notef(format string, args ...any) {
	if !s.Quiet {
		fmt.Fprintf(s.Err, format+"\n", args...)
	}
}

// Verbosef writes a line to standard error under --verbose.
func (s *Streams) Verbosef(format string, args ...any) {
	if s.Verbose && !s.Quiet {
		fmt.Fprintf(s.Err, format+"\n", args...)
	}
}
