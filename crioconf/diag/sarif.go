package diag

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"
)

// SARIF writes findings in the Static Analysis Results Interchange Format
// 2.1.0, with every code of the Catalogue as a rule. Make one with NewSARIF, Add
// to it, then Close it; findings are written as they come and not kept.
type SARIF struct {
	w       io.Writer
	options SARIFOptions
	rules   map[Code]int
	started bool
	results int
}

// SARIFOptions say who reports, and give the sources that snippets are cut from.
type SARIFOptions struct {
	Tool    string // name of the program
	Version string // its version, "" if not known
	Sources func(file string) []byte
}

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// maxSnippet is the longest stretch of a source that goes into a report, in
	// bytes.
	maxSnippet = 1024
)

// NewSARIF returns a report that is written to w. Nothing is written before the
// first Add or Close.
func NewSARIF(w io.Writer, o SARIFOptions) *SARIF {
	s := &SARIF{w: w, options: o, rules: make(map[Code]int)}
	for i, doc := range Catalogue() {
		s.rules[doc.Code] = i
	}
	return s
}

// Add writes one result per diagnostic. All diagnostics of one file belong into
// one call, or their fingerprints may be equal.
func (s *SARIF) Add(l List) error {
	if err := s.start(); err != nil {
		return err
	}
	src := newSources(s.options.Sources)
	seen := make(map[string]int)
	for _, d := range l {
		b, err := marshal(s.result(src, seen, d), "        ")
		if err != nil {
			return err
		}
		sep := ",\n        "
		if s.results == 0 {
			sep = "\n        "
		}
		s.results++
		if _, err := fmt.Fprintf(s.w, "%s%s", sep, b); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the end of the report. It does not close the writer below.
func (s *SARIF) Close() error {
	if err := s.start(); err != nil {
		return err
	}
	end := "\n      ]\n    }\n  ]\n}\n"
	if s.results == 0 {
		end = strings.TrimLeft(end, "\n ")
	}
	_, err := io.WriteString(s.w, end)
	return err
}

func (s *SARIF) start() error {
	if s.started {
		return nil
	}
	s.started = true
	tool, err := marshal(sarifTool{Driver: s.driver()}, "      ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.w, `{
  "$schema": %q,
  "version": %q,
  "runs": [
    {
      "tool": %s,
      "columnKind": "unicodeCodePoints",
      "results": [`, sarifSchema, sarifVersion, tool)
	return err
}

func marshal(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func (s *SARIF) driver() sarifDriver {
	d := sarifDriver{Name: s.options.Tool, Version: s.options.Version}
	for _, doc := range Catalogue() {
		d.Rules = append(d.Rules, sarifRule{
			ID:                   doc.Code,
			ShortDescription:     sarifText{Text: doc.Title},
			FullDescription:      sarifText{Text: doc.Text},
			Help:                 sarifText{Text: doc.Plain(), Markdown: doc.Markdown()},
			DefaultConfiguration: sarifConfiguration{Level: sarifLevel(doc.Severity)},
		})
	}
	return d
}

func sarifLevel(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "note"
}

func (s *SARIF) result(src *sources, seen map[string]int, d Diagnostic) sarifResult {
	r := sarifResult{
		RuleID: d.Code, Level: sarifLevel(d.Severity), Message: sarifText{Text: d.Message()},
		Fingerprints: map[string]string{"crioctlNet/v1": fingerprint(src, seen, d)},
		Properties:   sarifProperties{Effect: d.Record().Effect, Key: d.Key.String(), Suggest: d.Suggest, Since: d.Since, Until: d.Until, Stage: d.Stage},
	}
	if i, ok := s.rules[d.Code]; ok {
		r.RuleIndex = &i
	}
	if d.Range.File != "" {
		r.Locations = []sarifLocation{location(src, d.Range, "")}
	}
	for i, n := range d.Related {
		if n.Range.File == "" {
			continue
		}
		l := location(src, n.Range, n.Message)
		l.ID = i + 1
		r.Related = append(r.Related, l)
	}
	return r
}

func location(src *sources, r Range, message string) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = fileURI(r.File)
	if r.Start.Line > 0 {
		l.Physical.Region = &sarifRegion{
			StartLine: r.Start.Line, StartColumn: r.Start.Col,
			EndLine: r.End.Line, EndColumn: r.End.Col, Snippet: regionText(src, r),
		}
	}
	if message != "" {
		l.Message = &sarifText{Text: message}
	}
	return l
}

// regionText returns the text of a region within one line, nil when it is not
// known, longer than a line, or too long for a report.
func regionText(src *sources, r Range) *sarifText {
	line, ok := src.line(r.File, r.Start.Line)
	if !ok || r.End.Line != r.Start.Line {
		return nil
	}
	start, end := stretch(r, line)
	if start == end || end-start > maxSnippet || !utf8.Valid(line[start:end]) {
		return nil
	}
	return &sarifText{Text: string(line[start:end])}
}

// fileURI returns a path as the URI of RFC 3986: file:// for absolute ones, a
// relative reference otherwise.
func fileURI(file string) string {
	if path.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: file}).String()
	}
	return (&url.URL{Path: file}).String()
}

// fingerprint names the finding in a way that outlives lines which come and go
// above it: by code, key and text of the line, and by number where these are
// the same twice in a file.
func fingerprint(src *sources, seen map[string]int, d Diagnostic) string {
	line, _ := src.line(d.Range.File, d.Range.Start.Line)
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q", d.Code, d.Range.File, d.Key, bytes.TrimSpace(line))
	sum := hex.EncodeToString(h.Sum(nil)[:16])
	seen[sum]++
	return fmt.Sprintf("%s:%d", sum, seen[sum])
}
