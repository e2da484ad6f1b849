package diag_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	gotoml "github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// declaredCodes reads the constants of codes.go.
func declaredCodes(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	require.NoError(t, err)
	var codes []string
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			typ, ok := spec.Type.(*ast.Ident)
			require.True(t, ok && typ.Name == "Code", "%s has no type Code", spec.Names[0].Name)
			for _, v := range spec.Values {
				code, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				require.NoError(t, err)
				codes = append(codes, code)
			}
		}
	}
	require.NotEmpty(t, codes)
	slices.Sort(codes)
	return codes
}

func TestCatalogueHasEachDeclaredCodeOnce(t *testing.T) {
	var got []string
	for _, d := range diag.Catalogue() {
		got = append(got, string(d.Code))
	}
	if d := cmp.Diff(declaredCodes(t), got); d != "" {
		t.Errorf("codes.go -, catalogue +\n%s", d)
	}
}

func TestCatalogueIsTheCallersOwn(t *testing.T) {
	diag.Catalogue()[0].Title = "changed"
	require.NotEqual(t, "changed", diag.Catalogue()[0].Title)
}

func TestLookup(t *testing.T) {
	for _, want := range diag.Catalogue() {
		got, ok := diag.Lookup(want.Code)
		require.True(t, ok)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	}
	_, ok := diag.Lookup("no-such-code")
	require.False(t, ok)
}

// TestDocs holds every entry to what its readers rely on.
func TestDocs(t *testing.T) {
	effects := []diag.Effect{diag.Refused, diag.Random, diag.Ignored, diag.Replaced, diag.None}
	for _, d := range diag.Catalogue() {
		t.Run(string(d.Code), func(t *testing.T) {
			if d.Code != diag.Code(strings.ToLower(string(d.Code))) || strings.ContainsAny(string(d.Code), "_ ") {
				t.Errorf("code %q is not lower case with hyphens", d.Code)
			}
			if !slices.Contains([]diag.Severity{diag.Error, diag.Warning, diag.Info}, d.Severity) {
				t.Errorf("severity %v", d.Severity)
			}
			if !slices.Contains(effects, d.Effect) {
				t.Errorf("effect %q", d.Effect)
			}
			if bad := d.Effect == diag.Refused || d.Effect == diag.Random; bad && d.Severity != diag.Error {
				t.Errorf("effect %s is only a %s", d.Effect, d.Severity)
			}
			if d.Title == "" || strings.HasSuffix(d.Title, ".") || strings.Contains(d.Title, "\n") {
				t.Errorf("title %q is not one clause", d.Title)
			}
			paragraphs := strings.Split(d.Text, "\n\n")
			if len(paragraphs) < 2 || len(paragraphs) > 3 {
				t.Errorf("%d paragraphs, want what it means and what to do", len(paragraphs))
			}
			for _, p := range paragraphs {
				if !strings.HasSuffix(p, ".") && !strings.HasSuffix(p, `".`) || strings.Contains(p, "\n") || strings.ContainsAny(p, "`*<>") {
					t.Errorf("paragraph does not end as a sentence, or has marks of Markdown or a line break: %q", p)
				}
			}
			if d.Before == "" && d.After != "" {
				t.Error("an After without a Before")
			}
			if d.Before == d.After && d.Before != "" {
				t.Error("After is Before")
			}
		})
	}
}

// refusedBefore says which decoders refuse a Before example. Both take all others,
// and every After.
var refusedBefore = map[diag.Code]struct{ burntSushi, goTOML bool }{
	diag.TOMLSyntax:      {true, true},
	diag.DuplicateKey:    {true, true},
	diag.DuplicateTable:  {true, true},
	diag.TOMLNonstandard: {false, true},
	diag.LostValue:       {false, true},
}

func TestExamplesAgreeWithDecoders(t *testing.T) {
	check := func(t *testing.T, what string, f diag.ExampleFile, wantRefused bool, decode func([]byte, any) error) {
		t.Helper()
		var v map[string]any
		err := decode([]byte(f.Text), &v)
		if (err != nil) != wantRefused {
			t.Errorf("%s of %s: error %v, want refused %v", what, f.Name, err, wantRefused)
		}
	}
	burnt := func(b []byte, v any) error { return toml.Unmarshal(b, v) }
	for _, d := range diag.Catalogue() {
		t.Run(string(d.Code), func(t *testing.T) {
			refused := refusedBefore[d.Code]
			for _, f := range diag.SplitExample(d.Before) {
				check(t, "before", f, refused.burntSushi, burnt)
				check(t, "before", f, refused.goTOML, gotoml.Unmarshal)
			}
			for _, f := range diag.SplitExample(d.After) {
				check(t, "after", f, false, burnt)
				check(t, "after", f, false, gotoml.Unmarshal)
			}
		})
	}
}

func TestLostValueExampleLosesTheValue(t *testing.T) {
	d, ok := diag.Lookup(diag.LostValue)
	require.True(t, ok)
	var got map[string]any
	require.NoError(t, toml.Unmarshal([]byte(d.Before), &got))
	want := map[string]any{"crio": map[string]any{"runtime": map[string]any{"log_level": "debug"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSplitExample(t *testing.T) {
	tests := []struct {
		what, in string
		want     []diag.ExampleFile
	}{
		{"nothing", "", nil},
		{"one file without a name", "a = 1\n", []diag.ExampleFile{{Name: "50-example.conf", Text: "a = 1\n"}}},
		{"several", "-- crio.conf --\na = 1\n-- 10-b.conf~ --\nb = 2\n", []diag.ExampleFile{{Name: "crio.conf", Text: "a = 1\n"}, {Name: "10-b.conf~", Text: "b = 2\n"}}},
		{"an empty file", "-- a --\n-- b --\n", []diag.ExampleFile{{Name: "a"}, {Name: "b"}}},
		{"a line that only begins like a marker", "-- a\n", []diag.ExampleFile{{Name: "50-example.conf", Text: "-- a\n"}}},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			if d := cmp.Diff(tt.want, diag.SplitExample(tt.in)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

func TestDocLayout(t *testing.T) {
	one := diag.Doc{Text: "What.\n\nWhy.", Before: "a = 1\n\nb = 2\n", After: "-- x.conf --\na = 1\n"}
	plain := "What.\n\nWhy.\n\nBefore:\n\n    a = 1\n\n    b = 2\n\nAfter:\n\nx.conf:\n\n    a = 1"
	if d := cmp.Diff(plain, one.Plain()); d != "" {
		t.Errorf("plain: -want +got\n%s", d)
	}
	markdown := "What.\n\nWhy.\n\nBefore:\n\n```toml\na = 1\n\nb = 2\n```\n\nAfter:\n\nx.conf:\n\n```toml\na = 1\n```"
	if d := cmp.Diff(markdown, one.Markdown()); d != "" {
		t.Errorf("markdown: -want +got\n%s", d)
	}
	if got := (diag.Doc{Text: "What."}).Plain(); got != "What." {
		t.Errorf("without examples: %q", got)
	}
}
