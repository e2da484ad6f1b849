package diag

import (
	"cmp"
	"slices"
	"strings"
)

// A Doc explains a code: the source of the explain command, the man page and
// the rules of SARIF reports.
//
// Before is an example that has the finding, judged for Version, and After the
// same put right; codes that no TOML shows have neither. An example is one
// drop-in, or several files behind lines "-- NAME --" as in a txtar archive;
// SplitExample takes it apart.
type Doc struct {
	Code          Code
	Severity      Severity // that of the plain case; a finding's own can differ
	Effect        Effect   // likewise
	Title         string   // one clause
	Text          string   // paragraphs, a blank line between two, each one line
	Before, After string
	Since         string // first CRI-O version it can happen in, "" for all
	Version       string // CRI-O version of the examples, "" for the newest
}

// Catalogue returns the entry of every code, sorted by code. The caller owns the
// slice.
func Catalogue() []Doc {
	docs := slices.Concat(textDocs(), keyDocs(), valueDocs(), wholeDocs(), fileDocs(), nodeDocs(), versionDocs())
	for i, d := range docs {
		docs[i].Text = unwrap(d.Text)
		docs[i].Before = strings.TrimPrefix(d.Before, "\n")
		docs[i].After = strings.TrimPrefix(d.After, "\n")
	}
	slices.SortFunc(docs, func(a, b Doc) int { return cmp.Compare(a.Code, b.Code) })
	return docs
}

// unwrap makes one line of each paragraph, so that every renderer can break
// lines where it likes.
func unwrap(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// Lookup returns the entry of a code.
func Lookup(c Code) (Doc, bool) {
	docs := Catalogue()
	i := slices.IndexFunc(docs, func(d Doc) bool { return d.Code == c })
	if i < 0 {
		return Doc{}, false
	}
	return docs[i], true
}

// An ExampleFile is one file of an example. The name "crio.conf" is the main file's;
// all others are drop-ins.
type ExampleFile struct{ Name, Text string }

// exampleName is the drop-in of an example that names none.
const exampleName = "50-example.conf"

// SplitExample returns the files of an example in the order in which they stand there.
func SplitExample(example string) []ExampleFile {
	var files []ExampleFile
	for line := range strings.Lines(example) {
		if name, ok := fileMarker(line); ok {
			files = append(files, ExampleFile{Name: name})
			continue
		}
		if len(files) == 0 {
			files = append(files, ExampleFile{Name: exampleName})
		}
		files[len(files)-1].Text += line
	}
	return files
}

func fileMarker(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.TrimSpace(line), "-- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, " --")
}

// Plain returns text and examples for a terminal, without the title.
func (d Doc) Plain() string {
	return d.layout(func(toml string) string {
		lines := strings.Split(strings.TrimSuffix(toml, "\n"), "\n")
		for i, line := range lines {
			if line != "" {
				lines[i] = "    " + line
			}
		}
		return strings.Join(lines, "\n")
	})
}

// Markdown returns text and examples as Markdown, without the title.
func (d Doc) Markdown() string {
	return d.layout(func(toml string) string { return "```toml\n" + toml + "```" })
}

func (d Doc) layout(code func(toml string) string) string {
	parts := []string{d.Text}
	for _, example := range []struct{ head, text string }{{"Before:", d.Before}, {"After:", d.After}} {
		if example.text == "" {
			continue
		}
		parts = append(parts, example.head)
		files := SplitExample(example.text)
		for _, f := range files {
			if len(files) > 1 || f.Name != exampleName {
				parts = append(parts, f.Name+":")
			}
			parts = append(parts, code(f.Text))
		}
	}
	return strings.Join(parts, "\n\n")
}
