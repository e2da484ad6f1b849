package migrate_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
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
	"github.com/crioctl/crioctl-net/migrate"
	"github.com/crioctl/crioctl-net/schema"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden plans the migration of every testdata/NAME.in, a txtar archive whose
// first line says what is asked for, and compares files and report with
// NAME.golden. Running it again on the result must change nothing more.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.in")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".in"), func(t *testing.T) {
			in, err := txtar.ParseFile(name)
			require.NoError(t, err)
			q := parseQuestion(t, in)
			r, err := q.plan(q.files)
			require.NoError(t, err)
			got := golden(r)
			file := strings.TrimSuffix(name, ".in") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(file, got, 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			q.again(t, r)
		})
	}
}

// A question is what a test file asks for.
type question struct {
	from, to schema.Version
	options  migrate.Options
	files    fstest.MapFS
}

func parseQuestion(t *testing.T, in *txtar.Archive) question {
	q := question{files: fstest.MapFS{}}
	first, _, _ := strings.Cut(string(in.Comment), "\n")
	for _, word := range strings.Fields(first) {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "from":
			q.from, err = schema.ParseVersion(value)
		case "to":
			q.to, err = schema.ParseVersion(value)
		case "accept":
			q.options.Accept = strings.Split(value, ",")
		case "pinned":
			q.options.Pinned = map[string]migrate.Pinned{"keep": migrate.KeepPinned, "drop": migrate.DropDefaults}[value]
		case "write-registries":
			q.options.WriteRegistries = true
		case "pin-runtime":
			q.options.PinRuntime = true
		case "minimize":
			q.options.Minimize = true
		case "to-drop-in":
			q.options.ToDropIn = true
		case "main-named":
			q.options.Host.MainNamed = true
		case "storage-driver":
			q.options.Host.StorageDriver = value
		case "missing":
			q.options.Host.Exists = func(path string) bool { return path != value }
		default:
			t.Fatalf("%s: what is that?", word)
		}
		require.NoError(t, err)
	}
	for _, f := range in.Files {
		data := f.Data
		if strings.Contains(string(in.Comment), "\ncrlf\n") {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		if f.Name == migrate.RegistriesName {
			q.options.Host.Registries = data
			continue
		}
		q.files["etc/crio/"+f.Name] = &fstest.MapFile{Data: data}
	}
	return q
}

func (q question) plan(files fstest.MapFS) (*migrate.Result, error) {
	newer := q.to
	if q.to.Less(q.from) {
		newer = q.from
	}
	c, _, err := crioconf.Load(files, crioconf.DefaultLayout(), crioconf.Options{Version: newer, Display: func(name string) string { return strings.TrimPrefix(name, "etc/crio/") }})
	if err != nil {
		return nil, err
	}
	return migrate.Plan(c, q.from, q.to, q.options)
}

// again asks the same of the result: nothing is left to do.
func (q question) again(t *testing.T, r *migrate.Result) {
	files := applied(q.files, r)
	second, err := q.plan(files)
	require.NoError(t, err)
	for _, f := range second.Files {
		t.Errorf("a second run changes %s:\n%s", f.Name, cmp.Diff(string(f.Before), string(f.After)))
	}
}

func golden(r *migrate.Result) []byte {
	var a txtar.Archive
	var b strings.Builder
	for _, s := range r.Steps {
		place := s.Range.String()
		if place != "" {
			place += ": "
		}
		fmt.Fprintf(&b, "%s[%s] %s%s\n", s.Outcome, s.Code, place, s.Text)
		if s.Hint != "" {
			fmt.Fprintf(&b, "  %s\n", s.Hint)
		}
	}
	for _, d := range r.Blocking() {
		fmt.Fprintf(&b, "blocking: %s: %s\n", d.Range, d.Summary)
	}
	for _, n := range r.Behaviours {
		fmt.Fprintf(&b, "behaviour: %s\n", n.Code)
	}
	a.Comment = []byte(b.String())
	for _, f := range append(slices.Clone(r.Files), r.Others...) {
		data := f.After
		if data == nil {
			data = []byte("(removed)\n")
		}
		a.Files = append(a.Files, txtar.File{Name: strings.TrimPrefix(f.Name, "etc/crio/"), Data: bytes.ReplaceAll(data, []byte("\r\n"), []byte("$CRLF\n"))})
	}
	if r.Registries != nil {
		a.Files = append(a.Files, txtar.File{Name: "registries", Data: r.Registries})
	}
	b.Reset()
	for _, row := range r.Table {
		if !row.HadBefore && crioconf.IsZero(row.After.V) || !row.HasAfter && crioconf.IsZero(row.Before.V) {
			continue
		}
		if strings.HasPrefix(row.Code, "new-key") || strings.HasPrefix(row.Code, "default-") && row.Before.Origin.Kind == crioconf.Default {
			continue // what every migration between the two has
		}
		fmt.Fprintf(&b, "%s: %s -> %s (%s)\n", row.Key, row.BeforeText(), row.AfterText(), row.Code)
	}
	a.Files = append(a.Files, txtar.File{Name: "account", Data: []byte(b.String())})
	return txtar.Format(&a)
}

func asUnannounced(err error) *migrate.UnannouncedError {
	var u *migrate.UnannouncedError
	errors.As(err, &u)
	return u
}
