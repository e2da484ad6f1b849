package diag_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// addSeeds gives a fuzz target sources, file names, messages and places that
// are hard to print.
func addSeeds(f *testing.F) {
	f.Add([]byte("a = 1\n"), "f", "summary", 1, 1, 1, 2, 0)
	f.Add([]byte("\xef\xbb\xbf\t\x1b[31m\xff\u202e漢e\u0301\r\n"), "x\x1b", "a\nb\x00", 1, 3, 2, 1, 80)
	f.Add([]byte(strings.Repeat("漢", 300)), "", "", 1, 150, 1, 290, 41)
	f.Add([]byte(strings.Repeat("\u0301", 300)), "-", "%", -1, -5, 7, 1<<30, -3)
}

// finding says text everywhere, about one place and as related to another.
func finding(file, text string, line, col, endLine, endCol int) diag.List {
	r := diag.Range{File: file, Start: diag.Pos{Line: line, Col: col}, End: diag.Pos{Line: endLine, Col: endCol}}
	return diag.List{{
		Code: diag.Code(text), Severity: diag.Severity(line & 3), Effect: diag.Effect(text),
		Summary: text, Detail: text, Hint: text, Suggest: text, Range: r, Related: []diag.Related{{Range: r, Message: text}},
	}}
}

// FuzzText prints for people: whatever the files hold, the output is text that
// steers no terminal, and an annotation stays one line.
func FuzzText(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src []byte, file, text string, line, col, endLine, endCol, width int) {
		l := finding(file, text, line, col, endLine, endCol)
		var plain, annotations bytes.Buffer
		p := diag.Printer{Sources: func(string) []byte { return src }, Width: width}
		if err := p.Text(&plain, l); err != nil {
			t.Fatal(err)
		}
		if err := diag.GitHub(&annotations, l); err != nil {
			t.Fatal(err)
		}
		for name, out := range map[string]string{"text": plain.String(), "github": annotations.String()} {
			if !utf8.ValidString(out) {
				t.Errorf("%s: not UTF-8: %q", name, out)
			}
			if i := strings.IndexFunc(out, steers); i >= 0 {
				t.Errorf("%s: byte %d steers a terminal: %q", name, i, out)
			}
		}
		if n := strings.Count(annotations.String(), "\n"); n != 1 {
			t.Errorf("one annotation has %d lines: %q", n, annotations.String())
		}
	})
}

// steers reports whether r does anything on a terminal but show itself.
func steers(r rune) bool {
	return r != '\n' && !unicode.IsGraphic(r)
}

// FuzzDocuments writes for programs: the documents stay well-formed.
func FuzzDocuments(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src []byte, file, text string, line, col, endLine, endCol, _ int) {
		l := finding(file, text, line, col, endLine, endCol)
		read := func(string) []byte { return src }
		readJUnit(t, junit(t, diag.JUnitOptions{Name: text, Sources: read}, []string{file}, l))
		if b := sarif(t, diag.SARIFOptions{Tool: text, Sources: read}, l); !json.Valid(b) {
			t.Errorf("SARIF is no JSON: %s", b)
		}
		if _, err := json.Marshal(l.Records()); err != nil {
			t.Error(err)
		}
	})
}
