package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func parsed(t *testing.T) (*token.FileSet, []*ast.File) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		require.NoError(t, err)
		files = append(files, f)
	}
	return fset, files
}

// All lists the declarations a second time. This proves that none is missing.
func TestAllListsEveryDeclaration(t *testing.T) {
	_, files := parsed(t)
	var declared, listed []string
	for _, file := range files {
		for _, decl := range file.Decls {
			declared = append(declared, handles(decl)...)
			listed = append(listed, allOf(decl)...)
		}
	}
	require.NotEmpty(t, declared)
	slices.Sort(declared)
	slices.Sort(listed)
	if d := cmp.Diff(declared, listed); d != "" {
		t.Errorf("-declared +listed\n%s", d)
	}
}

// handles returns the names of the variables that hold a Setting or a *Key.
func handles(decl ast.Decl) []string {
	d, ok := decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return nil
	}
	var names []string
	for _, spec := range d.Specs {
		vs := spec.(*ast.ValueSpec)
		for i, value := range vs.Values {
			if unary, ok := value.(*ast.UnaryExpr); ok {
				value = unary.X
			}
			lit, ok := value.(*ast.CompositeLit)
			if !ok {
				continue
			}
			if index, ok := lit.Type.(*ast.IndexExpr); ok && index.X.(*ast.Ident).Name == "Setting" {
				names = append(names, vs.Names[i].Name)
			}
			if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "Key" {
				names = append(names, vs.Names[i].Name)
			}
		}
	}
	return names
}

// allOf returns the names in the list that All returns.
func allOf(decl ast.Decl) []string {
	f, ok := decl.(*ast.FuncDecl)
	if !ok || f.Name.Name != "All" || f.Recv != nil {
		return nil
	}
	var names []string
	for _, e := range f.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.CompositeLit).Elts {
		if sel, ok := e.(*ast.SelectorExpr); ok {
			e = sel.X
		}
		names = append(names, e.(*ast.Ident).Name)
	}
	return names
}

func TestDeclarationsAreWellFormed(t *testing.T) {
	for _, k := range All() {
		t.Run(k.String(), func(t *testing.T) {
			require.Equal(t, "crio", k.Path[0])
			require.NotEmpty(t, k.Since)
			require.True(t, slices.IsSortedFunc(k.Since, Version.Compare))
			require.True(t, k.In(k.Since[0]))
			for i, d := range k.Defaults {
				kind := k.KindIn(d.Since)
				require.Equal(t, reflect.TypeOf(kind.Zero()), reflect.TypeOf(d.Value))
				require.True(t, i == 0 || k.Defaults[i-1].Since.Less(d.Since), "defaults out of order")
			}
			for i := 1; i < len(k.Flags); i++ {
				require.True(t, k.Flags[i-1].Since.Less(k.Flags[i].Since))
			}
			for i := 1; i < len(k.Env); i++ {
				require.True(t, k.Env[i-1].Since.Less(k.Env[i].Since))
			}
			require.False(t, !k.OmitEmpty.IsZero() && !k.HasNames(), "only entries are printed by parts")
		})
	}
}

func TestTextsReadAsSentences(t *testing.T) {
	seen := map[string]string{}
	for _, k := range All() {
		require.NotEmpty(t, k.Text, k.String())
		require.True(t, strings.HasSuffix(k.Text, "."), k.String())
		require.NotContains(t, k.Text, "  ", k.String())
		require.Empty(t, seen[k.Text], "%s has the text of %s", k, seen[k.Text])
		seen[k.Text] = k.String()
	}
}

func TestTypedHandlesHaveTheirKind(t *testing.T) {
	// The compiler knows T, the table knows Kind; they must agree.
	fset, files := parsed(t)
	kinds := map[string]string{
		"Bool": "bool", "Int": "int64", "Uint": "uint64", "String": "string", "Strings": "[]string",
		"StringMap": "map[string]string", "Duration": "time.Duration",
	}
	checked := 0
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			index, ok := lit.Type.(*ast.IndexExpr)
			if !ok || index.X.(*ast.Ident).Name != "Setting" {
				return true
			}
			key := lit.Elts[0].(*ast.UnaryExpr).X.(*ast.CompositeLit)
			for _, e := range key.Elts {
				kv := e.(*ast.KeyValueExpr)
				if kv.Key.(*ast.Ident).Name == "Kind" {
					require.Equal(t, kinds[kv.Value.(*ast.Ident).Name], typeName(index.Index), fset.Position(lit.Pos()))
					checked++
				}
			}
			return true
		})
	}
	entries := 0
	for _, k := range All() {
		if k.Kind == Entries {
			entries++
		}
	}
	require.Equal(t, len(All())-entries, checked)
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ArrayType:
		return "[]" + typeName(e.Elt)
	case *ast.MapType:
		return "map[" + typeName(e.Key) + "]" + typeName(e.Value)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	}
	return ""
}

func TestZoneNames(t *testing.T) {
	names := zoneNames()
	require.True(t, slices.IsSorted(names))
	require.Len(t, slices.Compact(slices.Clone(names)), 598)
	for _, name := range names {
		_, err := time.LoadLocation(name)
		require.NoError(t, err)
	}
}
