package crioconf_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestJudge loads the files of each archive in testdata/judge for the versions
// that its comment names and compares what is said of them. The comment has
// lines "version: 1.30 1.31"; a file "X -> Y" is a symbolic link. The sections
// "want VERSION" hold the diagnostics, and after an empty line the keys that
// differ from the defaults, each with its origin.
func TestJudge(t *testing.T) {
	archives, err := filepath.Glob("testdata/judge/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			require.NoError(t, err)
			files, wants := split(t, a)
			got := &txtar.Archive{Comment: a.Comment, Files: files}
			for _, v := range versions(t, a) {
				section := "want " + v
				said := judge(t, tree(files), v)
				if diff := cmp.Diff(wants[section], said); diff != "" && !*update {
					t.Errorf("%s (-want +got):\n%s", section, diff)
				}
				delete(wants, section)
				got.Files = append(got.Files, txtar.File{Name: section, Data: []byte(said)})
			}
			if *update {
				require.NoError(t, os.WriteFile(name, txtar.Format(got), 0o644))
				return
			}
			require.Empty(t, wants, "sections for versions that the comment does not name")
		})
	}
}

func split(t *testing.T, a *txtar.Archive) (files []txtar.File, wants map[string]string) {
	t.Helper()
	wants = map[string]string{}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "want ") {
			wants[f.Name] = string(f.Data)
			continue
		}
		files = append(files, f)
	}
	return files, wants
}

func versions(t *testing.T, a *txtar.Archive) []string {
	t.Helper()
	for line := range strings.Lines(string(a.Comment)) {
		if rest, ok := strings.CutPrefix(line, "version:"); ok {
			return strings.Fields(rest)
		}
	}
	t.Fatal("no line version: in the comment")
	return nil
}

func tree(files []txtar.File) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range files {
		if link, target, ok := strings.Cut(f.Name, " -> "); ok {
			fsys[link] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
			continue
		}
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return fsys
}

// at is the layout of the tests.
var at = crioconf.Layout{Main: "crio.conf", DropInDir: "crio.conf.d"}

func judge(t *testing.T, fsys fs.FS, version string) string {
	t.Helper()
	v, err := schema.ParseVersion(version)
	require.NoError(t, err)
	c, found, err := crioconf.Load(fsys, at, crioconf.Options{Version: v})
	require.NoError(t, err)
	var b strings.Builder
	for _, d := range found {
		b.WriteString(said(d))
	}
	b.WriteString("\n")
	defaults, none := crioconf.LoadFiles(nil, crioconf.Options{Version: v})
	for _, d := range none {
		require.Equal(t, diag.VersionOlder, d.Code, "nothing else can be said of no files")
	}
	for _, change := range defaults.Diff(c) {
		if !change.HasAfter {
			fmt.Fprintf(&b, "%s is gone\n", change.Path)
			continue
		}
		fmt.Fprintf(&b, "%s = %s (%s)\n", change.Path, crioconf.FormatValue(change.After.V), origin(change.After))
	}
	return b.String()
}

// said writes a diagnostic with all its words.
func said(d diag.Diagnostic) string {
	var b strings.Builder
	place := d.Range.String()
	if place == "" {
		place = "(no place)"
	}
	fmt.Fprintf(&b, "%s[%s] %s %s", d.Severity, d.Code, place, d.Effect)
	if d.Stage != "" {
		fmt.Fprintf(&b, " at %s", d.Stage)
	}
	fmt.Fprintf(&b, "\n\t%s\n\t%s %s\n", d.Summary, d.Detail, d.Hint)
	for _, x := range []struct{ name, value string }{
		{"key", d.Key.String()}, {"suggest", d.Suggest}, {"since", d.Since}, {"until", d.Until},
	} {
		if x.value != "" {
			fmt.Fprintf(&b, "\t%s: %s\n", x.name, x.value)
		}
	}
	for _, r := range d.Related {
		fmt.Fprintf(&b, "\t%s: %s\n", r.Range, r.Message)
	}
	return b.String()
}

func origin(v crioconf.Value) string {
	text := v.Origin.Kind.String()
	if place := v.Origin.Range.String(); place != "" {
		text += " " + place
	}
	if v.Adjusted {
		text += ", adjusted"
	}
	for _, s := range v.Shadowed {
		if s.Kind == crioconf.File {
			text += ", over " + s.Range.String()
		}
	}
	return text
}
