// Package diag is the vocabulary of findings: a diagnostic says one thing about
// one place of a configuration.
//
// Checks return diagnostics as values and go on; a renderer of this package
// prints a list of them as text for people or in one of the formats that
// machines read. A diagnostic is about the user's configuration. That we could
// not do our work (unreadable file, no D-Bus) is a Go error and never a
// diagnostic.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A Pos is one place in a file. Line and Col count from 1, Col in code points;
// Offset counts bytes from 0. The zero Pos is no place.
type Pos struct{ Line, Col, Offset int }

// A Range is the half-open stretch of bytes [Start, End) of a file. File alone,
// with a zero Start, means the file as a whole.
type Range struct {
	File       string
	Start, End Pos
}

// IsZero reports whether r names no place at all.
func (r Range) IsZero() bool { return r == Range{} }

// String returns file:line:col, or as much of it as is known.
func (r Range) String() string {
	if r.Start.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s:%d:%d", r.File, r.Start.Line, r.Start.Col)
}

// Severity ranks diagnostics by what CRI-O does. The zero value is invalid.
type Severity uint8

// An Error means that CRI-O refuses to start, that the outcome is random, that
// a value is lost, or that a key has no effect in any version. A Warning means
// that CRI-O starts and ignores or replaces what the file says. An Info is the
// rest.
const (
	Info Severity = iota + 1
	Warning
	Error
)

// String returns the lower-case name.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// MarshalText makes severities readable in JSON and YAML.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Effect is what CRI-O does with the configuration because of the finding.
type Effect string

// The effects, from worst to none. Refused: the daemon does not start. Random:
// the value changes from start to start. Ignored: the line does nothing.
// Replaced: CRI-O uses another value than the file's.
const (
	Refused  Effect = "refused"
	Random   Effect = "random"
	Ignored  Effect = "ignored"
	Replaced Effect = "replaced"
	None     Effect = "none"
)

// Related is a further place that explains a diagnostic: the first definition
// of a duplicate, the layer that shadows.
type Related struct {
	Range   Range
	Message string
}

// A Diagnostic is one finding.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Effect   Effect
	Key      keypath.Path // nil when it is about no key
	Summary  string       // one clause that names the thing, without the place
	Detail   string       // what CRI-O will do with it
	Hint     string       // what to do
	Suggest  string       // a near name, "" when there is none
	Since    string       // first CRI-O version it holds for or that knows the key, "" when not versioned
	Until    string       // first CRI-O version that no longer does, "" when open
	Stage    string       // when CRI-O refuses: "load", "start" or "server"; "" for other effects
	Range    Range        // zero when there is no place
	Related  []Related
}

// A List is a list of diagnostics.
type List []Diagnostic

// Max returns the highest severity in the list, or zero for an empty list.
func (l List) Max() Severity {
	var m Severity
	for _, d := range l {
		m = max(m, d.Severity)
	}
	return m
}

// Has reports whether one of the diagnostics has the effect.
func (l List) Has(e Effect) bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Effect == e })
}

// Count returns how many diagnostics have the severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Err returns nil unless one of the diagnostics is an Error; then an error that
// names the first of them and how many more there are.
func (l List) Err() error {
	i := slices.IndexFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
	if i < 0 {
		return nil
	}
	msg := l[i].Summary
	if p := l[i].Range.String(); p != "" {
		msg = p + ": " + msg
	}
	if n := l.Count(Error); n > 1 {
		msg += fmt.Sprintf(" (and %d more)", n-1)
	}
	return fmt.Errorf("%s", msg)
}

// Sort orders the list by file, then place, then code. Files keep the order in
// files, which is the order in which CRI-O reads them; others come after, by
// name.
func (l List) Sort(files []string) {
	rank := make(map[string]int, len(files))
	for i, f := range files {
		if _, ok := rank[f]; !ok {
			rank[f] = i
		}
	}
	of := func(f string) int {
		if i, ok := rank[f]; ok {
			return i
		}
		return len(files)
	}
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(of(a.Range.File), of(b.Range.File)),
			strings.Compare(a.Range.File, b.Range.File),
			cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset),
			strings.Compare(string(a.Code), string(b.Code)),
			keypath.Compare(a.Key, b.Key),
		)
	})
}
