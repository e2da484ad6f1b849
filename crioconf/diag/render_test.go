package diag_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s: -want +got\n%s", file, d)
	}
}

// The files that the findings below point into.
const (
	mainFile = "/etc/crio/crio.conf"
	dropIn   = "/etc/crio/crio.conf.d/10-site.conf"
)

func source(file string) []byte {
	switch file {
	case mainFile:
		return []byte("[crio.runtime]\nlog_level = \"info\"\n\n[crio.network]\n")
	case dropIn:
		return []byte("[crio.runtime]\r\nlog_levl = \"debug\"\r\n\r\nctr_stop_timeout = \"x\"\r\n")
	}
	return nil
}

// at is the stretch of a line; offsets are those of no real file, renderers do
// without.
func at(file string, line, col, endCol int) diag.Range {
	return diag.Range{File: file, Start: diag.Pos{Line: line, Col: col}, End: diag.Pos{Line: line, Col: endCol}}
}

// findings has one of everything: each severity, each effect, places in two
// files, in a whole file and nowhere.
func findings() diag.List {
	return diag.List{
		{
			Code: diag.OverriddenByUnit, Severity: diag.Warning, Effect: diag.Replaced, Key: keypath.MustParse("crio.runtime.log_level"),
			Summary: "--log-level of crio.service wins over the files", Range: at(mainFile, 2, 1, 10),
			Related: []diag.Related{{Range: diag.Range{File: "crio.service"}, Message: "ExecStart has --log-level=warn"}},
		},
		{
			Code: diag.UnknownKey, Severity: diag.Error, Effect: diag.Ignored, Key: keypath.MustParse("crio.runtime.log_levl"),
			Summary: "no CRI-O version knows crio.runtime.log_levl", Detail: "CRI-O passes over the line without a word.",
			Suggest: "log_level", Range: at(dropIn, 2, 1, 9),
		},
		{
			Code: diag.WrongType, Severity: diag.Error, Effect: diag.Refused, Key: keypath.MustParse("crio.runtime.ctr_stop_timeout"),
			Summary: "crio.runtime.ctr_stop_timeout is an integer, not a string", Hint: "Write the number without quotes:\nctr_stop_timeout = 30",
			Since: "1.12", Until: "1.40", Stage: "load", Range: at(dropIn, 4, 20, 23),
			Related: []diag.Related{{Range: at(mainFile, 4, 1, 15), Message: "the next table"}, {Message: "nowhere in particular"}},
		},
		{Code: diag.KeyCase, Severity: diag.Error, Effect: diag.Random, Summary: "two spellings of log_level", Range: at(mainFile, 99, 1, 2)},
		{Code: diag.BadValue, Severity: diag.Error, Effect: diag.Refused, Stage: "start", Summary: "cgroup_manager is neither systemd nor cgroupfs", Range: diag.Range{File: "gone.conf", Start: diag.Pos{Line: 3, Col: 1}, End: diag.Pos{Line: 3, Col: 2}}},
		{Code: diag.FileMode, Severity: diag.Info, Effect: diag.None, Summary: "everybody may write the file", Range: diag.Range{File: "sub folder/9%.conf"}},
		{Code: diag.VersionUnknown, Severity: diag.Info, Summary: "1.36 is assumed"},
	}
}

func TestText(t *testing.T) {
	render := func(p diag.Printer, l diag.List) []byte {
		var b bytes.Buffer
		require.NoError(t, p.Text(&b, l))
		return b.Bytes()
	}
	t.Run("with sources", func(t *testing.T) {
		golden(t, "text.golden", render(diag.Printer{Sources: source}, findings()))
	})
	t.Run("without sources", func(t *testing.T) {
		golden(t, "text-no-sources.golden", render(diag.Printer{}, findings()))
	})
	t.Run("in colour, on a narrow terminal", func(t *testing.T) {
		golden(t, "text-colour.golden", render(diag.Printer{Sources: source, Color: true, Width: 44}, findings()))
	})
	t.Run("no findings", func(t *testing.T) {
		require.Empty(t, render(diag.Printer{}, nil))
	})
}

// TestSnippet shows what becomes of a source line: want is the line and the
// carets below it.
func TestSnippet(t *testing.T) {
	long := strings.Repeat("x", 30)
	tests := []struct {
		what, source string
		r            diag.Range
		line, carets string
	}{
		{"a whole line", "a = 1\n", at("f", 1, 1, 6), "a = 1", "^^^^^"},
		{"no end", "a = 1\n", at("f", 1, 5, 0), "a = 1", "    ^"},
		{"an empty stretch", "a = 1\n", at("f", 1, 3, 3), "a = 1", "  ^"},
		{"an end before the start", "a = 1\n", at("f", 1, 3, 1), "a = 1", "  ^"},
		{"behind the end of the line", "a = 1\n", at("f", 1, 6, 7), "a = 1", "     ^"},
		{"far behind the end of the line", "a = 1\n", at("f", 1, 60, 70), "a = 1", "     ^"},
		{"column zero", "a = 1\n", at("f", 1, 0, 0), "a = 1", "^"},
		{"an empty line", "\n\n", at("f", 2, 1, 1), "", "^"},
		{"the last line without an ending", "a = 1\nb = 2", at("f", 2, 5, 6), "b = 2", "    ^"},
		{"several lines: the first", "a = [\n1,\n]\n", diag.Range{File: "f", Start: diag.Pos{Line: 1, Col: 5}, End: diag.Pos{Line: 3, Col: 2}}, "a = [", "    ^"},
		{"a byte order mark is not counted", "\ufeffa = 1\n", at("f", 1, 1, 2), "a = 1", "^"},
		{"CRLF", "a = 1\r\nb = 2\r\n", at("f", 1, 5, 6), "a = 1", "    ^"},
		{"tabs are four columns", "\ta\t= 1\n", at("f", 1, 4, 5), "    a    = 1", "         ^"},
		{"a tab is meant", "\ta\n", at("f", 1, 1, 2), "    a", "^^^^"},
		{"columns are code points", "ä = \"ö\" # é\n", at("f", 1, 5, 8), "ä = \"ö\" # é", "    ^^^"},
		{"wide characters take two columns", "k = \"漢字\" #\n", at("f", 1, 6, 8), "k = \"漢字\" #", "     ^^^^"},
		{"emoji take two columns", "k = \"🐳\" #\n", at("f", 1, 8, 9), "k = \"🐳\" #", "        ^"},
		{"combining marks take none", "k = \"e\u0301\" #\n", at("f", 1, 8, 9), "k = \"e\u0301\" #", "      ^"},
		{"a combining mark alone: what it stands on", "k = \"e\u0301\"\n", at("f", 1, 7, 8), "k = \"e\u0301\"", "     ^"},
		{"a combining mark with nothing below", "\u0301\n", at("f", 1, 1, 2), "\u0301", "^"},
		{"escape sequences are pictured", "a = \"\x1b[31m\"\n", at("f", 1, 6, 7), "a = \"␛[31m\"", "     ^"},
		{"NUL, DEL and a lone CR", "\x00\x7f\rx\n", at("f", 1, 4, 5), "␀␡␍x", "   ^"},
		{"C1 controls are numbered", "a\u009bb\n", at("f", 1, 3, 4), "a<U+009B>b", "         ^"},
		{"direction overrides are numbered", "a\u202eb\n", at("f", 1, 2, 3), "a<U+202E>b", " ^^^^^^^^"},
		{"a no-break space is numbered", "a\u00a0= 1\n", at("f", 1, 2, 3), "a<U+00A0>= 1", " ^^^^^^^^"},
		{"bytes that are not UTF-8", "a = \xff\xfe1\n", at("f", 1, 7, 8), "a = \ufffd\ufffd1", "      ^"},
		{"long: the end is cut", long + "y" + long, at("f", 1, 1, 3), long + "yxxxx…", "^^"},
		{"long: both ends are cut", strings.Repeat("a", 50) + "bb" + strings.Repeat("c", 50), at("f", 1, 51, 53), "…aaaaaaaaaaaabb" + strings.Repeat("c", 20) + "…", "             ^^"},
		{"long: the beginning is cut", strings.Repeat("a", 50) + "b", at("f", 1, 51, 52), "…aaaaaaaaaaaab", "             ^"},
		{"long: the stretch is longer than the line may be", "k = " + strings.Repeat("v", 90), at("f", 1, 5, 95), "k = " + strings.Repeat("v", 31) + "…", "    " + strings.Repeat("^", 31)},
		{"as long as may be", strings.Repeat("z", 36), at("f", 1, 1, 2), strings.Repeat("z", 36), "^"},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			var b bytes.Buffer
			p := diag.Printer{Width: 41, Sources: func(string) []byte { return []byte(tt.source) }}
			require.NoError(t, p.Text(&b, diag.List{{Code: "c", Severity: diag.Error, Summary: "s", Range: tt.r}}))
			lines := strings.Split(b.String(), "\n")
			require.Len(t, lines, 6, "%q", b.String())
			want := []string{strings.TrimRight(" "+strings.TrimPrefix(tt.r.String(), "f:")[:1]+" | "+tt.line, " "), "   | " + tt.carets}
			if d := cmp.Diff(want, lines[3:5]); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

func TestTextOfMessagesIsSafe(t *testing.T) {
	var b bytes.Buffer
	d := diag.Diagnostic{
		Code: "c\x1b", Severity: diag.Warning, Effect: diag.None, Summary: "a\x1b[2Jb\nc", Detail: "d\x07", Hint: "h\u202e", Suggest: "s\r",
		Range: diag.Range{File: "x\x1b.conf"}, Related: []diag.Related{{Range: diag.Range{File: "y\x07"}, Message: "m\x1b\nn"}},
	}
	require.NoError(t, diag.Printer{}.Text(&b, diag.List{d}))
	want := `warning[c␛]: a␛[2Jb c
  --> x␛.conf
  see y␇: m␛ n
   = d␇
   = h<U+202E>
   = did you mean s␍?
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestTally(t *testing.T) {
	tests := []struct {
		tally diag.Tally
		want  string
	}{
		{diag.Tally{}, "no findings in 0 files"},
		{diag.Tally{Files: 1}, "no findings in 1 file"},
		{diag.Tally{Errors: 2, Warnings: 1, Files: 3}, "2 errors, 1 warning in 3 files"},
		{diag.Tally{Errors: 1, Warnings: 2, Infos: 3, Files: 1}, "1 error, 2 warnings, 3 info in 1 file"},
	}
	for _, tt := range tests {
		if got := tt.tally.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	var sum diag.Tally
	sum.Add(2, findings())
	sum.Add(1, nil)
	if d := cmp.Diff(diag.Tally{Errors: 4, Warnings: 1, Infos: 2, Files: 3}, sum); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// fullDisk fails once room bytes are written.
type fullDisk struct{ room int }

var errFull = errors.New("no space left on device")

func (f *fullDisk) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteErrorsAreReported lets every write of every renderer fail once.
func TestWriteErrorsAreReported(t *testing.T) {
	renderers := map[string]func(w *fullDisk) error{
		"text":   func(w *fullDisk) error { return diag.Printer{}.Text(w, findings()) },
		"github": func(w *fullDisk) error { return diag.GitHub(w, findings()) },
		"junit": func(w *fullDisk) error {
			j := diag.NewJUnit(w, diag.JUnitOptions{})
			return errors.Join(j.Add(nil, findings()), j.Close())
		},
		"junit, empty": func(w *fullDisk) error { return diag.NewJUnit(w, diag.JUnitOptions{}).Close() },
		"sarif": func(w *fullDisk) error {
			s := diag.NewSARIF(w, diag.SARIFOptions{})
			return errors.Join(s.Add(findings()), s.Close())
		},
		"sarif, empty": func(w *fullDisk) error { return diag.NewSARIF(w, diag.SARIFOptions{}).Close() },
	}
	for name, render := range renderers {
		t.Run(name, func(t *testing.T) {
			const plenty = 1 << 20
			all := &fullDisk{room: plenty}
			require.NoError(t, render(all))
			size := plenty - all.room
			for _, room := range []int{0, size / 3, size / 2, size - 1} {
				require.ErrorIs(t, render(&fullDisk{room: room}), errFull, "room for %d of %d bytes", room, size)
			}
			require.NoError(t, render(&fullDisk{room: size}))
		})
	}
}
