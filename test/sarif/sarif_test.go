// Package sarif holds the SARIF report to the published schema. It is a module
// of its own, so that the schema and its validator stay out of the go.mod of the
// product.
package sarif

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

const source = "[crio.runtime]\nlog_levl = \"debug\"\n"

func at(file string, line, col, endLine, endCol int) diag.Range {
	return diag.Range{File: file, Start: diag.Pos{Line: line, Col: col}, End: diag.Pos{Line: endLine, Col: endCol}}
}

func lists() map[string]diag.List {
	each := diag.List{}
	for _, doc := range diag.Catalogue() {
		each = append(each, diag.Diagnostic{Code: doc.Code, Severity: doc.Severity, Effect: doc.Effect, Summary: doc.Title})
	}
	return map[string]diag.List{
		"no findings":   nil,
		"every code":    each,
		"an odd code":   {{Code: "other", Severity: diag.Info, Summary: "s"}},
		"no end":        {{Code: diag.UnknownKey, Severity: diag.Error, Summary: "s", Range: diag.Range{File: "f", Start: diag.Pos{Line: 1, Col: 1}}}},
		"a whole file":  {{Code: diag.FileMode, Severity: diag.Info, Summary: "s", Range: diag.Range{File: "sub folder/9%:\xff.conf"}}},
		"several lines": {{Code: diag.WrongType, Severity: diag.Error, Summary: "s", Range: at("/etc/crio/crio.conf", 1, 2, 2, 1)}},
		"everything set": {{
			Code: diag.UnknownKey, Severity: diag.Warning, Effect: diag.Refused, Key: keypath.MustParse("crio.runtime.log_levl"),
			Summary: "s\x1b\n", Detail: "d", Hint: "h", Suggest: "log_level", Since: "1.18", Until: "1.40", Stage: "load", Range: at("nodes/a.conf", 2, 1, 2, 9),
			Related: []diag.Related{{Range: at("nodes/b.conf", 1, 1, 1, 3), Message: "m"}, {Message: "nowhere"}, {Range: diag.Range{File: "c"}}},
		}},
	}
}

func write(t *testing.T, l diag.List) []byte {
	t.Helper()
	var b bytes.Buffer
	s := diag.NewSARIF(&b, diag.SARIFOptions{Tool: "crioctl-net", Version: "1.2.3", Sources: func(string) []byte { return []byte(source) }})
	require.NoError(t, s.Add(l))
	require.NoError(t, s.Close())
	return b.Bytes()
}

// schema compiles the schema that the reader's module carries. It does not
// export it, and its own validation judges what it made of a report and not the
// report, so the text is taken from its source.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const reader = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	pkg, err := build.Import(reader, ".", build.FindOnly)
	require.NoError(t, err)
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, "schema.go"), nil, 0)
	require.NoError(t, err)
	require.Len(t, f.Decls, 1, "one constant")
	spec := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	require.Equal(t, "schema", spec.Names[0].Name)
	text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("sarif.json", doc))
	compiled, err := c.Compile("sarif.json")
	require.NoError(t, err)
	return compiled
}

func validate(t *testing.T, s *jsonschema.Schema, report []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	require.NoError(t, err)
	return s.Validate(doc)
}

func TestReportsFollowTheSchema(t *testing.T) {
	s := schema(t)
	for name, l := range lists() {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, validate(t, s, write(t, l)))
		})
	}
}

// TestSchemaRefusesWhatIsWrong shows that the test above can fail.
func TestSchemaRefusesWhatIsWrong(t *testing.T) {
	s := schema(t)
	good := write(t, lists()["everything set"])
	require.NoError(t, validate(t, s, good))
	for _, change := range []struct{ from, to string }{
		{`"level": "warning"`, `"level": "dreadful"`},
		{`"startColumn": 1`, `"startColumn": 0`},
		{`"ruleIndex"`, `"ruleNumber"`},
		{`"uri": "nodes/a.conf"`, `"uri": "nodes/a b%.conf"`},
		{`"columnKind": "unicodeCodePoints"`, `"columnKind": "bytes"`},
	} {
		bad := bytes.ReplaceAll(good, []byte(change.from), []byte(change.to))
		require.NotEqual(t, good, bad, "the report has no %s", change.from)
		require.Error(t, validate(t, s, bad), "%s", change.to)
	}
}

// TestAnotherReaderSeesTheSame reads a report with the types of another project.
func TestAnotherReaderSeesTheSame(t *testing.T) {
	for name, l := range lists() {
		t.Run(name, func(t *testing.T) {
			report, err := sarif.FromBytes(write(t, l))
			require.NoError(t, err)
			require.Len(t, report.Runs, 1)
			run := report.Runs[0]
			require.Len(t, run.Tool.Driver.Rules, len(diag.Catalogue()))
			var want, got []string
			for _, d := range l {
				want = append(want, string(d.Code)+": "+d.Message())
			}
			for _, r := range run.Results {
				got = append(got, *r.RuleID+": "+*r.Message.Text)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("-written +read\n%s", d)
			}
		})
	}
}
