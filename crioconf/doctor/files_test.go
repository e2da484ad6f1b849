package doctor_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/doctor"
	"github.com/crioctl/crioctl-net/schema"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestChecksOfFiles makes the checks that need nothing but files on the roots in
// testdata. The comment of an archive has lines "check: NAME..." and "version:
// 1.30...". A file "X -> Y" is a symbolic link, "X [x]" can be executed, "X [fail]"
// cannot be read, "X/" is a directory. The sections "want VERSION" hold what the
// checks say.
func TestChecksOfFiles(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			require.NoError(t, err)
			files := slices.DeleteFunc(slices.Clone(a.Files), func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want ") })
			got := &txtar.Archive{Comment: a.Comment, Files: files}
			for _, version := range words(a, "version:") {
				n := node(t, root(files), version)
				said := makeChecks(t, n, words(a, "check:")...)
				section := "want " + version
				i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == section })
				want := ""
				if i >= 0 {
					want = string(a.Files[i].Data)
				}
				if diff := cmp.Diff(want, said); diff != "" && !*update {
					t.Errorf("%s (-want +got):\n%s", section, diff)
				}
				got.Files = append(got.Files, txtar.File{Name: section, Data: []byte(said)})
			}
			require.Greater(t, len(got.Files), len(files), "no line version: in the comment")
			if *update {
				require.NoError(t, os.WriteFile(name, txtar.Format(got), 0o644))
			}
		})
	}
}

func words(a *txtar.Archive, prefix string) []string {
	for line := range strings.Lines(string(a.Comment)) {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.Fields(rest)
		}
	}
	return nil
}

// errDisk is what a file that cannot be read gives.
var errDisk = errors.New("input/output error")

// A rootFS is a tree in which some files cannot be read.
type rootFS struct {
	fstest.MapFS
	bad map[string]error
}

func (r rootFS) Open(name string) (fs.File, error) {
	if err := r.bad[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: "/" + name, Err: err}
	}
	return r.MapFS.Open(name)
}

func (r rootFS) ReadFile(name string) ([]byte, error) {
	if err := r.bad[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: "/" + name, Err: err}
	}
	return r.MapFS.ReadFile(name)
}

func (r rootFS) Stat(name string) (fs.FileInfo, error) {
	if err := r.bad[name]; err != nil && errors.Is(err, fs.ErrPermission) {
		return nil, &fs.PathError{Op: "stat", Path: "/" + name, Err: err}
	}
	return r.MapFS.Stat(name)
}

func root(files []txtar.File) rootFS {
	r := rootFS{fstest.MapFS{}, map[string]error{}}
	for _, f := range files {
		name, mark, _ := strings.Cut(f.Name, " ")
		switch {
		case strings.HasPrefix(mark, "-> "):
			r.MapFS[name] = &fstest.MapFile{Data: []byte(strings.TrimPrefix(mark, "-> ")), Mode: fs.ModeSymlink | 0o777}
		case mark == "[x]":
			r.MapFS[name] = &fstest.MapFile{Data: f.Data, Mode: 0o755}
		case mark == "[fail]":
			r.MapFS[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
			r.bad[name] = errDisk
		case strings.HasSuffix(name, "/"):
			r.MapFS[strings.TrimSuffix(name, "/")] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		default:
			r.MapFS[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return r
}

// node loads the root as the root of another node.
func node(t *testing.T, fsys fs.FS, version string) *doctor.Node {
	t.Helper()
	v, err := schema.ParseVersion(version)
	require.NoError(t, err)
	n := &doctor.Node{FS: fsys, VersionSource: "--crio-version", VersionKnown: true}
	n.Unit, n.UnitErr = crio.ReadUnit(fsys, nil)
	if errors.Is(n.UnitErr, crio.ErrNoUnit) {
		n.UnitErr = nil
	}
	s := schema.For(v)
	var overrides []crioconf.Override
	if n.Unit.Name != "" {
		overrides, n.UnitFindings = n.Unit.Overrides(s)
	}
	display := func(name string) string { return "/" + name }
	n.Config, n.Findings, n.LoadErr = crioconf.Load(fsys, n.Unit.Layout(crioconf.DefaultLayout()),
		crioconf.Options{Schema: s, Overrides: overrides, Display: display})
	return n
}

// makeChecks makes the checks and returns what they say, as text.
func makeChecks(t *testing.T, n *doctor.Node, names ...string) string {
	t.Helper()
	var checks []doctor.Check
	for _, c := range doctor.Checks() {
		if slices.Contains(names, c.Name) {
			checks = append(checks, c)
		}
	}
	require.Len(t, checks, len(names), "unknown name in %v", names)
	results, err := doctor.Run(context.Background(), n, checks)
	require.NoError(t, err)
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s: %s\n", r.Check.Name, r.Verdict)
		if r.Skipped != "" {
			fmt.Fprintf(&b, "  skipped: %s\n", r.Skipped)
		}
		for _, e := range r.Evidence {
			fmt.Fprintf(&b, "  saw: %s\n", e)
		}
		for _, f := range r.Findings {
			stage := ""
			if f.Stage != "" {
				stage = " at " + f.Stage
			}
			fmt.Fprintf(&b, "  %s[%s] %s %s%s\n    %s\n    %s\n    %s\n", f.Severity, f.Code, f.Range, f.Effect, stage, f.Summary, f.Detail, f.Hint)
			for _, rel := range f.Related {
				fmt.Fprintf(&b, "    see %s: %s\n", rel.Range, rel.Message)
			}
			for _, m := range f.Remedies {
				fmt.Fprintf(&b, "    run %q\n", []string(m))
			}
		}
	}
	return b.String()
}
