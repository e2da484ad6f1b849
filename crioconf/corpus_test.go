package crioconf_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// corpus holds configurations of other people with verdicts; it lies beside the
// project and is no part of it.
const corpus = "../../shared/corpus"

// A verdict is one line of a file that the index speaks of.
type verdict struct {
	file string
	line int
	kind string
}

// TestCorpus compares with the verdicts of the index, as far as they can be
// read by a program: each must be met by a diagnostic of a fitting code on that
// line, and a configuration that the index calls clean must have no error and
// no warning.
func TestCorpus(t *testing.T) {
	index, err := os.Open(filepath.Join(corpus, "INDEX.tsv"))
	if errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("CI") == "true" {
			t.Fatal("the corpus is missing")
		}
		t.Skip("the corpus is not here")
	}
	require.NoError(t, err)
	defer index.Close()
	r := csv.NewReader(index)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	rows, err := r.ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		dirs, err := filepath.Glob(filepath.Join(corpus, row[0]+"-*"))
		require.NoError(t, err)
		require.Len(t, dirs, 1, row[0])
		t.Run(filepath.Base(dirs[0]), func(t *testing.T) {
			c, found, err := crioconf.Load(os.DirFS(dirs[0]), at, crioconf.Options{Version: version(t, row[2])})
			require.NoError(t, err)
			if row[4] == "clean" {
				clean(t, filepath.Base(dirs[0]), found)
				return
			}
			for _, v := range verdicts(row[4]) {
				if !met(v, c, found) {
					t.Errorf("%s:%d [%s]: not met by\n%s", v.file, v.line, v.kind, strings.Join(brief(found), "\n"))
				}
			}
		})
	}
}

// disputed names the configurations that the index calls clean although CRI-O
// loses something of them, which the recorded answers of its loaders prove.
func disputed() map[string]diag.Code {
	return map[string]diag.Code{
		"092-nvidia-jetson": diag.LostHandler,    // runc, defined in 01-crio-runc.conf, is gone in 1.21
		"095-kata-old-ns":   diag.MissingRuntime, // 1.18 drops runc, which stays the default
	}
}

func clean(t *testing.T, name string, found diag.List) {
	t.Helper()
	for _, d := range found {
		if d.Severity == diag.Info || d.Code == diag.DeprecatedKey || d.Code == disputed()[name] {
			continue
		}
		t.Errorf("%s %s: %s", d.Range, d.Code, d.Summary)
	}
}

func brief(found diag.List) []string {
	var list []string
	for _, d := range found {
		list = append(list, fmt.Sprintf("%s %s", d.Range, d.Code))
	}
	return list
}

var verdictForm = regexp.MustCompile(`([\w./~-]+):(\d+) \[([\w-]+)\]`)

func verdicts(text string) []verdict {
	var list []verdict
	for _, m := range verdictForm.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(m[2])
		list = append(list, verdict{m[1], line, m[3]})
	}
	return list
}

// fitting lists the codes that meet a kind of the index; none means that the
// kind is not about what this package judges.
func fitting() map[string][]diag.Code {
	deprecated := []diag.Code{diag.DeprecatedKey, diag.InertValue, diag.RemovedKey, diag.WrongType}
	return map[string][]diag.Code{
		"syntax":             {diag.TOMLSyntax, diag.TOMLDialect, diag.DuplicateTable, diag.DuplicateKey},
		"template":           {diag.TOMLSyntax},
		"type":               {diag.WrongType},
		"value":              {diag.BadValue, diag.ReplacedValue, diag.MissingRuntime},
		"semantic":           {diag.CgroupMismatch, diag.MissingRuntime, diag.BadValue},
		"wrong-table":        {diag.WrongTable, diag.OldTemplate, diag.MisplacedToggle, diag.UnknownTable},
		"no-table":           {diag.NoTable},
		"unknown-key":        {diag.UnknownKey},
		"unknown-table":      {diag.UnknownTable},
		"removed":            {diag.RemovedKey},
		"too-new":            {diag.FutureKey},
		"deprecated":         deprecated,
		"deprecated-empty":   deprecated,
		"deprecated-default": deprecated,
		"net":                {diag.ReplacedList},
		"order":              {diag.DropInOrder},
		"merge":              {diag.ShadowedEntry},
	}
}

func met(v verdict, c *crioconf.Config, found diag.List) bool {
	codes, judged := fitting()[v.kind]
	if !judged || skipped(v) {
		return true
	}
	for _, d := range found {
		same := d.Range.File == v.file && (d.Range.Start.Line == v.line || v.line <= 1 || v.kind == "template" || keyLine(c, d) == v.line)
		for _, c := range codes {
			if same && d.Code == c {
				return true
			}
		}
	}
	return false
}

// keyLine returns the line of the key that a finding is about. The index names
// it where the finding points to an element of the key's list.
func keyLine(c *crioconf.Config, d diag.Diagnostic) int {
	for _, f := range c.Layers() {
		if f.Name() != d.Range.File {
			continue
		}
		if e, _ := f.Lookup(d.Key); e != nil {
			return e.Key.Start.Line
		}
	}
	return 0
}

// skipped tells of verdicts that hold for another release, or for a value that a
// later file replaces.
func skipped(v verdict) bool {
	switch v.kind {
	case "merge":
		return v.line == 24 // "from 1.31 on", judged as 1.28
	case "net":
		return true // told for the list in force only, see TestJudge/plugin_dirs
	}
	return strings.HasPrefix(v.file, "sysconfig/") // not a file that the loader reads
}
