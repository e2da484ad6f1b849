package diag

import (
	"cmp"
	"slices"
	"strings"
)

// A Doc explains a code: the source of the explain command, the man page and
// the rules of SARIF reports.
type Doc struct {
	Code     Code
	Severity Severity // the one it has nearly always
	Effect   Effect   // likewise
	Title    string   // one clause
	Text     string   // paragraphs with a blank line between; `code` in backquotes
	Before   string   // a TOML document that has it, "" where none can
	After    string   // the same put right, "" where Before is
	Since    string   // first CRI-O version it can happen in, "" for all
}

// Catalogue returns the entry of every code, sorted by code. The caller owns the
// slice.
func Catalogue() []Doc {
	docs := slices.Concat(textDocs(), keyDocs(), valueDocs(), wholeDocs(), fileDocs(), versionDocs())
	slices.SortFunc(docs, func(a, b Doc) int { return cmp.Compare(a.Code, b.Code) })
	return docs
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

// Plain returns text and examples for a terminal, without the title.
func (d Doc) Plain() string {
	return d.layout(func(head, toml string) string {
		return head + "\n\n    " + strings.ReplaceAll(strings.TrimSuffix(toml, "\n"), "\n", "\n    ")
	})
}

// Markdown returns text and examples as Markdown, without the title.
func (d Doc) Markdown() string {
	return d.layout(func(head, toml string) string {
		return head + "\n\n```toml\n" + strings.TrimSuffix(toml, "\n") + "\n```"
	})
}

func (d Doc) layout(example func(head, toml string) string) string {
	parts := []string{d.Text}
	if d.Before != "" {
		parts = append(parts, example("Before:", d.Before))
	}
	if d.After != "" {
		parts = append(parts, example("After:", d.After))
	}
	return strings.Join(parts, "\n\n")
}
