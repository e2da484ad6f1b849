package tomlfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// entries prints the entries of a file, one on a line, with the text that each
// range covers.
func entries(f *tomlfile.File) string {
	var b strings.Builder
	of := func(r diag.Range) string { return string(f.Source()[r.Start.Offset:r.End.Offset]) }
	for e := range f.Entries() {
		fmt.Fprintf(&b, "%s %s key %q value %q %s", e.Key, e.Path, of(e.Key), of(e.Value), e.Node.Type)
		if !e.Lead.IsZero() {
			fmt.Fprintf(&b, " lead %q", of(e.Lead))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestEntries(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"values and comments",
			"# head\n\n# about x\n# more\nx = 1 # c\n  y = [ 1,\n 2 ]\n[a.\"b c\"] # t\n# s\ns = 'é'\n",
			"f:5:1 x key \"x\" value \"1\" integer lead \"# about x\\n# more\\n\"\n" +
				"f:6:3 y key \"y\" value \"[ 1,\\n 2 ]\" array\n" +
				"f:10:1 a.\"b c\".s key \"s\" value \"'é'\" string lead \"# s\\n\"\n"},
		{"columns count characters and not the byte order mark",
			"\xef\xbb\xbf\"é\" = { \"日本\" = 1, z = {} }\n",
			"f:1:1 \"é\" key \"\\\"é\\\"\" value \"{ \\\"日本\\\" = 1, z = {} }\" table\n" +
				"f:1:9 \"é\".\"日本\" key \"\\\"日本\\\"\" value \"1\" integer\n" +
				"f:1:19 \"é\".z key \"z\" value \"{}\" table\n"},
		{"dotted keys", "[t]\na . b.c = 1\n", "f:2:1 t.a.b.c key \"a . b.c\" value \"1\" integer\n"},
		{"inline tables in arrays are one value", "a = [ { b = 1 } ]\n", "f:1:1 a key \"a\" value \"[ { b = 1 } ]\" array\n"},
		{"dates end before blanks", "a = 1979-05-27 07:32:00   # c\n", "f:1:1 a key \"a\" value \"1979-05-27 07:32:00\" datetime\n"},
		{"value that cannot be read", "a = yes\nb = 1\n", "f:1:1 a key \"a\" value \"yes\" invalid\nf:2:1 b key \"b\" value \"1\" integer\n"},
		{"below a header that cannot be read", "[a b]\nx = 1\n[c]\ny = 1\n", "f:4:1 c.y key \"y\" value \"1\" integer\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, _ := tomlfile.Parse("f", []byte(tt.in), tomlfile.V1_6_0)
			if diff := cmp.Diff(tt.want, entries(f)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestTables(t *testing.T) {
	f, _ := tomlfile.Parse("f", []byte("x = 1\n# about a\n  [a . 'b']\n[[c]]\n"), tomlfile.V1_6_0)
	var got []string
	for _, h := range f.Tables() {
		got = append(got, fmt.Sprintf("%s %s %v %q", h.Range, h.Path, h.Array, f.Source()[h.Lead.Start.Offset:h.Lead.End.Offset]))
	}
	require.Equal(t, []string{`f:3:3 a.b false "# about a\n"`, `f:4:1 c true ""`}, got)
}

func TestLookup(t *testing.T) {
	f, _ := tomlfile.Parse("f", []byte("[A]\nX = 1\n[a]\nx = 2\nX.y = 3\n[b]\nKey = { In = 4 }\n[[l]]\nz = 1\n"), tomlfile.V1_6_0)
	tests := []struct {
		path  string
		raw   string
		match tomlfile.Match
	}{
		{"a.x", "2", tomlfile.Exact},
		{"A.X", "1", tomlfile.Exact},
		{"A.x", "1", tomlfile.Folded},
		{"a.x.Y", "3", tomlfile.Folded},
		{"b.key.in", "4", tomlfile.Folded},
		{"b.Key.In", "4", tomlfile.Exact},
		{"b", "", tomlfile.NoMatch},
		{"l.z", "", tomlfile.NoMatch},
		{"nothing", "", tomlfile.NoMatch},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			e, match := f.Lookup(key(tt.path))
			require.Equal(t, tt.match, match)
			if match != tomlfile.NoMatch {
				require.Equal(t, tt.raw, e.Raw)
			}
		})
	}
	_, match := f.Lookup(nil)
	require.Equal(t, tomlfile.NoMatch, match)
}

func TestLine(t *testing.T) {
	f, _ := tomlfile.Parse("f", []byte("\xef\xbb\xbfa = 1\r\nb = 2"), tomlfile.V1_6_0)
	require.Equal(t, []string{"", "a = 1", "b = 2", ""}, []string{f.Line(0), f.Line(1), f.Line(2), f.Line(3)})
	require.Equal(t, diag.Pos{Line: 2, Col: 6, Offset: 15}, f.Pos(1000))
}

// The column of a place far to the right must not depend on how it is counted.
func TestColumnsOfLongLines(t *testing.T) {
	in := "a = [" + strings.Repeat("\"é\", ", 5000) + "]\n"
	f, _ := tomlfile.Parse("f", []byte(in), tomlfile.V1_6_0)
	elems := f.Root().At(key("a")).Elems
	require.Len(t, elems, 5000)
	for i, e := range elems {
		if e.Range.Start.Col != 6+5*i || e.Range.End.Col != 9+5*i {
			t.Fatalf("element %d: columns %d to %d", i, e.Range.Start.Col, e.Range.End.Col)
		}
	}
}

// Forms that not every dialect accepts, and what a person with one that does not
// is told.
func TestDialects(t *testing.T) {
	tests := []struct {
		name, in string
		accepted []tomlfile.Dialect
		since    string // what 1.5.0 or, if that accepts it, 0.3.1 is told
		until    string
	}{
		{"dotted key", "a.b = 1\n", from(tomlfile.V0_4_1), "0.4.1", ""},
		{"byte order mark", "\xef\xbb\xbfa = 1\n", from(tomlfile.V1_3_2), "1.3.2", ""},
		{"hexadecimal", "a = 0x1F\n", from(tomlfile.V0_4_1), "0.4.1", ""},
		{"infinity", "a = inf\n", from(tomlfile.V0_4_1), "0.4.1", ""},
		{"local time", "a = 07:32:00\n", from(tomlfile.V0_4_1), "0.4.1", ""},
		{"mixed array", "a = [1, 'x']\n", from(tomlfile.V0_4_1), "0.4.1", ""},
		{"leading zeros", "a = 007\n", []tomlfile.Dialect{tomlfile.V0_3_1}, "0.3.1", "0.4.1"},
		{"octal by an underscore", "a = 0_7\n", []tomlfile.Dialect{tomlfile.V0_3_1, tomlfile.V0_4_1}, "0.3.1", "1.1.0"},
		{"bytes in a comment", "# \xff\na = 1\n", []tomlfile.Dialect{tomlfile.V0_3_1}, "0.3.1", "0.4.1"},
		{"control character in a comment", "# \x01\na = 1\n", []tomlfile.Dialect{tomlfile.V0_3_1}, "0.3.1", "0.4.1"},
		{"carriage return", "a = 1\rb = 2\n", []tomlfile.Dialect{tomlfile.V0_3_1, tomlfile.V0_4_1}, "0.3.1", "1.1.0"},
		{"replacement character", "a = '\ufffd'\n", append([]tomlfile.Dialect{tomlfile.V0_3_1}, from(tomlfile.V1_4_0)...), "", ""},
		{"comma in an inline table", "a = { b = 1, }\n", []tomlfile.Dialect{tomlfile.V0_3_1, tomlfile.V1_6_0}, "1.6.0", ""},
		{"inline table on two lines", "a = { b = 1\n}\n", from(tomlfile.V1_6_0), "1.6.0", ""},
		{"comment in an inline table", "a = { # c\n}\n", from(tomlfile.V1_6_0), "1.6.0", ""},
		{"escape of TOML 1.1", `a = "\e\x41"`, from(tomlfile.V1_6_0), "1.6.0", ""},
		{"time without seconds", "a = 07:32\n", from(tomlfile.V1_6_0), "1.6.0", ""},
		{"hour of one digit", "a = 7:32:00\n", []tomlfile.Dialect{tomlfile.V0_4_1, tomlfile.V1_1_0, tomlfile.V1_2_1, tomlfile.V1_3_2}, "0.4.1", "1.4.0"},
		{"array defined twice", "a = [1]\na = [2]\n", []tomlfile.Dialect{tomlfile.V0_4_1, tomlfile.V1_1_0, tomlfile.V1_2_1, tomlfile.V1_3_2, tomlfile.V1_4_0, tomlfile.V1_5_0}, "", ""},
		{"quote before the closing ones", `a = """x""""`, from(tomlfile.V0_4_1), "", ""},
		{"multi-line string as key", `"""a""" = 1`, []tomlfile.Dialect{tomlfile.V0_3_1}, "0.3.1", "0.4.1"},
		{"NUL after a statement", "abcdefg = 1\x00 junk", []tomlfile.Dialect{tomlfile.V0_3_1, tomlfile.V0_4_1}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var accepted []tomlfile.Dialect
			for _, d := range tomlfile.Dialects() {
				f, _ := tomlfile.Parse("f", []byte(tt.in), d)
				if f.Refused() == nil {
					accepted = append(accepted, d)
				}
			}
			require.Equal(t, tt.accepted, accepted)
			if tt.since == "" {
				return
			}
			d := tomlfile.V1_5_0
			if slices.Contains(accepted, d) {
				d = tomlfile.V0_3_1
			}
			f, _ := tomlfile.Parse("f", []byte(tt.in), d)
			r := f.Refused()
			require.Equal(t, []string{string(diag.TOMLDialect), tt.since, tt.until}, []string{string(r.Code), r.Since, r.Until})
		})
	}
}

func from(first tomlfile.Dialect) []tomlfile.Dialect {
	return slices.DeleteFunc(tomlfile.Dialects(), func(d tomlfile.Dialect) bool { return d < first })
}

func TestParseDialect(t *testing.T) {
	for _, d := range tomlfile.Dialects() {
		for _, s := range []string{d.String(), "v" + d.String()} {
			got, err := tomlfile.ParseDialect(s)
			require.NoError(t, err)
			require.Equal(t, d, got)
		}
	}
	_, err := tomlfile.ParseDialect("2.0.0")
	require.EqualError(t, err, `no known release of BurntSushi/toml: "2.0.0"`)
}

// After a fault the rest is read, so that one run shows everything and the keys
// that are good can be judged.
func TestReadingGoesOn(t *testing.T) {
	tests := []struct {
		name, in string
		problems []string
		keys     string
	}{
		{"faults of several kinds",
			"a = yes\n[t\nb: 1\nc = \"x\n[u]\nd = [1, True, 2]\ne = 1\n[u]\nf = 2\n",
			[]string{"1:5", "2:1", "3:2", "4:5", "6:9", "8:1"},
			"a t.b t.c u.d u.e u.f"},
		{"array that is not closed",
			"a = [\n  'x',\n  'y'\n\nb = 1\n[t]\nc = 2\n", []string{"1:5"}, "a b t.c"},
		{"array that is not closed before a header",
			"a = [\n  'x',\n[t.u]\nc = 2\n", []string{"1:5"}, "a t.u.c"},
		{"inline table that is not closed",
			"a = { b = 1\nc = 2\n", []string{"1:5"}, "a a.b c"},
		{"nested arrays on several lines are none of these",
			"a = [\n[1],\n['x'],\n[true],\n]\n", nil, "a"},
		{"string that is not closed in an array",
			"a = [ \"x, 'y' ]\nb = 1\n", []string{"1:5", "1:7"}, "a b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, problems := tomlfile.Parse("", []byte(tt.in), tomlfile.V1_6_0)
			var at, keys []string
			for _, p := range problems {
				at = append(at, fmt.Sprintf("%d:%d", p.Range.Start.Line, p.Range.Start.Col))
			}
			for e := range f.Entries() {
				keys = append(keys, e.Path.String())
			}
			require.Equal(t, tt.problems, at)
			require.Equal(t, tt.keys, strings.Join(keys, " "))
		})
	}
}

// Hostile files must neither overflow the stack nor flood the list.
func TestLimits(t *testing.T) {
	const n = 20_000
	for name, in := range map[string]string{
		"open brackets":   "a = " + strings.Repeat("[", n),
		"closed brackets": "a = " + strings.Repeat("[", n) + strings.Repeat("]", n),
		"inline tables":   "a = " + strings.Repeat("{a=", n),
		"bad lines":       strings.Repeat("a = b\n", n),
		"bad elements":    "a = [" + strings.Repeat("b, ", n) + "]",
		"control bytes":   strings.Repeat("\x01\n", n),
		"duplicates":      strings.Repeat("a = 1\n", n),
		"templates":       strings.Repeat("a = {{ b }}\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			for _, d := range []tomlfile.Dialect{tomlfile.V0_3_1, tomlfile.V0_4_1, tomlfile.V1_6_0} {
				f, problems := tomlfile.Parse("f", []byte(in), d)
				require.NotNil(t, f.Refused())
				require.LessOrEqual(t, len(problems), 2100)
			}
		})
	}
	t.Run("long keys are none", func(t *testing.T) {
		f, _ := tomlfile.Parse("f", []byte(strings.Repeat("a.", n)+"a = 1"), tomlfile.V1_6_0)
		require.Nil(t, f.Refused())
	})
	t.Run("nesting that is allowed", func(t *testing.T) {
		f, _ := tomlfile.Parse("f", []byte("a = "+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)), tomlfile.V1_6_0)
		require.Nil(t, f.Refused())
	})
}
