package tomlfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// An editCase is a file, what is done to it, and the file that must come out.
// The files of both sides are whole, so that every byte counts.
type editCase struct {
	name string
	in   string
	do   func(*tomlfile.Edit) error
	want string
}

func key(s string) keypath.Path { return keypath.MustParse(s) }

func set(path string, v tomlfile.Value) func(*tomlfile.Edit) error {
	return func(e *tomlfile.Edit) error { return e.Set(key(path), v) }
}

func setTrue(path string) func(*tomlfile.Edit) error { return set(path, tomlfile.BoolValue(true)) }

func remove(path string, how tomlfile.DeleteMode) func(*tomlfile.Edit) error {
	return func(e *tomlfile.Edit) error { return e.Delete(key(path), how) }
}

func removeTable(path string, how tomlfile.DeleteMode) func(*tomlfile.Edit) error {
	return func(e *tomlfile.Edit) error { return e.DeleteTable(key(path), how) }
}

func list(s ...string) tomlfile.Value { return tomlfile.StringsValue(s) }

var setCases = []editCase{
	{"existing scalar keeps its comment and spacing",
		"[a]\n  x   =  1   # why\ny = 2\n", setTrue("a.x"),
		"[a]\n  x   =  true   # why\ny = 2\n"},
	{"equal value stays as it is written",
		"[a]\nx = 'v'\n", set("a.x", tomlfile.StringValue("v")),
		"[a]\nx = 'v'\n"},
	{"spelling of the file wins over letter case",
		"[Crio.Runtime]\nLog_Level = \"info\"\n", set("crio.runtime.log_level", tomlfile.StringValue("debug")),
		"[Crio.Runtime]\nLog_Level = \"debug\"\n"},
	{"exact spelling wins over a folded one",
		"X = 1\nx = 2\n", set("x", tomlfile.IntValue(3)),
		"X = 1\nx = 3\n"},
	{"array on several lines keeps its form",
		"x = [\n    \"a\", # first\n    \"b\",\n]\ny = 1\n", set("x", list("c", "d", "e")),
		"x = [\n    \"c\",\n    \"d\",\n    \"e\",\n]\ny = 1\n"},
	{"elements that stay keep their lines",
		"x = [ # all\n  # one\n  'a', # first\n\n  # two\n  \"b\", # second\n  \"c\" # third\n  # end\n] # c\n", set("x", list("a", "n", "c", "d")),
		"x = [ # all\n  # one\n  'a', # first\n\n  # two\n  \"n\",\n  \"c\", # third\n  # end\n  \"d\"\n] # c\n"},
	{"last element goes",
		"x = [\n  \"a\",\n  \"b\" # b\n]\n", set("x", list("a")),
		"x = [\n  \"a\"\n]\n"},
	{"first element goes",
		"x = [\n  \"a\",\n  \"b\", # b\n]\n", set("x", list("b")),
		"x = [\n  \"b\", # b\n]\n"},
	{"several elements on a line",
		"x = [\n  \"a\", \"b\",\n  \"c\",\n]\n", set("x", list("a", "c")),
		"x = [\n  \"a\",\n  \"c\",\n]\n"},
	{"array on several lines without a last comma",
		"x = [\n\t\"a\",\n\t\"b\"\n  ]\n", set("x", list("c")),
		"x = [\n\t\"c\"\n  ]\n"},
	{"array on several lines becomes empty",
		"x = [\n\t\"a\",\n]\n", set("x", list()),
		"x = []\n"},
	{"array on one line stays there",
		"x = ['a']\n", set("x", list("a", `b"c`)),
		"x = [\"a\", \"b\\\"c\"]\n"},
	{"multi-line string",
		"x = \"\"\"\na\nb\"\"\" # c\n", set("x", tomlfile.StringValue("a\nb\tc\x01\ufffd")),
		"x = \"a\\nb\\tc\\u0001\\uFFFD\" # c\n"},
	{"new key below the last of its table",
		"[a]\nx = 1\n# z = 3\n\n[b]\ny = 2\n", setTrue("a.n"),
		"[a]\nx = 1\nn = true\n# z = 3\n\n[b]\ny = 2\n"},
	{"new key takes the indentation of its sibling",
		"[a]\n\tx = [\n\t1,\n\t]\n[b]\n", setTrue("a.n"),
		"[a]\n\tx = [\n\t1,\n\t]\n\tn = true\n[b]\n"},
	{"new key in an empty table",
		"[a]\n# nothing\n\n[b]\n", setTrue("a.n"),
		"[a]\nn = true\n# nothing\n\n[b]\n"},
	{"table out of order",
		"[a.b]\nx = 1\n\n[c]\n\n[a]\ny = 2\n", setTrue("a.n"),
		"[a.b]\nx = 1\n\n[c]\n\n[a]\ny = 2\nn = true\n"},
	{"absent table goes to the end",
		"[a]\nx = 1\n", setTrue("c.d.n"),
		"[a]\nx = 1\n\n[c.d]\nn = true\n"},
	{"absent table after a blank line",
		"[a]\nx = 1\n\n", setTrue("c.n"),
		"[a]\nx = 1\n\n[c]\nn = true\n"},
	{"absent table below one that has a header",
		"[crio.runtime]\nx = 1\n\n[crio.image]\n", setTrue("crio.runtime.runtimes.crun.n"),
		"[crio.runtime]\nx = 1\n\n[crio.image]\n\n[crio.runtime.runtimes.crun]\nn = true\n"},
	{"empty file", "", setTrue("a.n"), "[a]\nn = true\n"},
	{"file of comments", "# nothing here\n", setTrue("a.n"), "# nothing here\n\n[a]\nn = true\n"},
	{"missing final line break stays missing", "[a]\nx = 1", setTrue("a.n"), "[a]\nx = 1\nn = true"},
	{"missing final line break with a new table", "[a]\nx = 1", setTrue("b.n"), "[a]\nx = 1\n\n[b]\nn = true"},
	{"missing final line break after a header", "[a]", setTrue("a.n"), "[a]\nn = true"},
	{"root key after the last root key", "x = 1\n\n[a]\n", setTrue("n"), "x = 1\nn = true\n\n[a]\n"},
	{"root key before the first header and its comments",
		"# license\n\n# about a\n[a]\n", setTrue("n"),
		"# license\n\nn = true\n\n# about a\n[a]\n"},
	{"root key in an empty file", "", setTrue("n"), "n = true\n"},
	{"dotted siblings at the root", "a.x = 1\na.y = 2\nb = 3\n", setTrue("a.n"), "a.x = 1\na.y = 2\na.n = true\nb = 3\n"},
	{"dotted siblings in a table",
		"[t]\n  \"a\" . b.x = 1\nc = 2\n", setTrue("t.a.b.n"),
		"[t]\n  \"a\" . b.x = 1\n  \"a\" . b.n = true\nc = 2\n"},
	{"new table below a dotted one", "a.b.x = 1\n", setTrue("a.c.n"), "a.b.x = 1\n\n[a.c]\nn = true\n"},
	{"inline table that is filled", "a = { x = 1, y = [2] } # c\n", setTrue("a.n"), "a = { x = 1, y = [2], n = true } # c\n"},
	{"inline table that is empty", "a = {}\n", setTrue("a.n"), "a = { n = true }\n"},
	{"inline table in an inline table", "a = {b = {x = 1}, c = 2}\n", setTrue("a.b.n"), "a = {b = {x = 1, n = true}, c = 2}\n"},
	{"dotted keys in an inline table", "a = { b.x = 1, c = 2 }\n", setTrue("a.b.n"), "a = { b.x = 1, b.n = true, c = 2 }\n"},
	{"absent table below an inline one", "a = { x = 1 }\n", setTrue("a.b.c.n"), "a = { x = 1, b = { c = { n = true } } }\n"},
	{"member of an inline table", "a = { x = 1, y = 2 }\n", setTrue("a.x"), "a = { x = true, y = 2 }\n"},
	{"implicit super-table",
		"x = 1\n\n# about\n[a.b]\ny = 2\n", setTrue("a.n"),
		"x = 1\n\n[a]\nn = true\n\n# about\n[a.b]\ny = 2\n"},
	{"CRLF stays", "[a]\r\nx = 1\r\n\r\n[b]\r\n", setTrue("a.n"), "[a]\r\nx = 1\r\nn = true\r\n\r\n[b]\r\n"},
	{"CRLF with a new table", "[a]\r\nx = [\r\n  1,\r\n]\r\n", setTrue("b.n"), "[a]\r\nx = [\r\n  1,\r\n]\r\n\r\n[b]\r\nn = true\r\n"},
	{"CRLF in a list on several lines", "x = [\r\n  \"a\",\r\n]\r\n", set("x", list("b")), "x = [\r\n  \"b\",\r\n]\r\n"},
	{"byte order mark stays first", "\xef\xbb\xbf[a]\n", setTrue("n"), "\xef\xbb\xbfn = true\n\n[a]\n"},
	{"byte order mark alone", "\xef\xbb\xbf", setTrue("a.n"), "\xef\xbb\xbf[a]\nn = true\n"},
	{"quoted and spaced keys",
		"[ \"a b\" . 'c.d' ]\nx = 1\n", setTrue(`"a b"."c.d"."e f"`),
		"[ \"a b\" . 'c.d' ]\nx = 1\n\"e f\" = true\n"},
	{"map in a table with a header",
		"[t]\na = \"1\" # one\nb = \"2\"\nc = \"3\"\n", set("t", tomlfile.StringMapValue(map[string]string{"a": "1", "c": "4", "d": "5"})),
		"[t]\na = \"1\" # one\nc = \"4\"\nd = \"5\"\n"},
	{"map as a new key", "[t]\n", set("t.m", tomlfile.StringMapValue(map[string]string{"b": "2", "a.c": "1"})),
		"[t]\nm = { \"a.c\" = \"1\", b = \"2\" }\n"},
	{"map in place of an inline table", "m = {a = \"1\"}\n", set("m", tomlfile.StringMapValue(nil)), "m = {}\n"},
	{"float always has a point", "x = 1\n", set("x", tomlfile.FloatValue(3)), "x = 3.0\n"},
	{"raw value as given", "x = 1\n", set("x", tomlfile.RawValue("[ 1,\n 2 ]")), "x = [ 1,\n 2 ]\n"},
	{"several changes at once",
		"[a]\nx = 1\n", func(e *tomlfile.Edit) error {
			for _, p := range []string{"b.m", "b.n", "a.x", "a.y", "r"} {
				if err := e.Set(key(p), tomlfile.BoolValue(true)); err != nil {
					return err
				}
			}
			return nil
		},
		"r = true\n\n[a]\nx = true\ny = true\n\n[b]\nm = true\nn = true\n"},
}

var removeCases = []editCase{
	{"only key leaves its header", "[a]\nx = 1\n[b]\n", remove("a.x", tomlfile.KeepComment), "[a]\n[b]\n"},
	{"comment above stays", "# about\nx = 1 # c\ny = 2\n", remove("x", tomlfile.KeepComment), "# about\ny = 2\n"},
	{"comment above goes along", "y = 2\n\n# about\n# x\nx = 1\n", remove("x", tomlfile.WithComment), "y = 2\n\n"},
	{"key commented out belongs to nobody",
		"# y sets\n# y = 1\n# x sets\nx = 1\n", remove("x", tomlfile.WithComment),
		"# y sets\n# y = 1\n"},
	{"value on several lines", "a = 1\nx = [\n  1, # [\n]\nb = 2\n", remove("x", tomlfile.KeepComment), "a = 1\nb = 2\n"},
	{"last line without a break", "a = 1\nx = 1", remove("x", tomlfile.KeepComment), "a = 1"},
	{"last line without a break, CRLF", "a = 1\r\nx = 1", remove("x", tomlfile.KeepComment), "a = 1"},
	{"only line", "x = 1", remove("x", tomlfile.KeepComment), ""},
	{"first of an inline table", "a = { x = 1, y = 2 }\n", remove("a.x", tomlfile.KeepComment), "a = { y = 2 }\n"},
	{"middle of an inline table", "a = { x = 1, y = 2 , z = 3 }\n", remove("a.y", tomlfile.KeepComment), "a = { x = 1, z = 3 }\n"},
	{"last of an inline table", "a = { x = 1, y = 2 }\n", remove("a.y", tomlfile.KeepComment), "a = { x = 1 }\n"},
	{"only one of an inline table", "a = { x = 1 } # c\n", remove("a.x", tomlfile.KeepComment), "a = {} # c\n"},
	{"dotted key", "a.x = 1\na.y = 2\n", remove("a.x", tomlfile.KeepComment), "a.y = 2\n"},
	{"spelling of the file", "Log_Level = 1\n", remove("log_level", tomlfile.KeepComment), ""},
	{"table with its sub-tables, wherever they are",
		"[a.x.y]\nk = 1\n\n[a]\ny = 3\n\n# about x\n[a.x]\n# z\nz2 = 2\n\n[b]\n", removeTable("a.x", tomlfile.WithComment),
		"[a]\ny = 3\n\n[b]\n"},
	{"table keeps its comments",
		"[a]\n\n# about x\n[a.x]\n# y is\ny = 2\n# z = 3\n", removeTable("a.x", tomlfile.KeepComment),
		"[a]\n\n# about x\n# y is\n# z = 3\n"},
	{"table at the end", "[a]\nx = 1\n\n[b]\ny = 1\n", removeTable("b", tomlfile.KeepComment), "[a]\nx = 1\n"},
	{"table at the start", "[a]\nx = 1\n\n[b]\ny = 1\n", removeTable("a", tomlfile.KeepComment), "[b]\ny = 1\n"},
	{"table at the end without a break", "[a]\nx = 1\n\n[b]\ny = 1", removeTable("b", tomlfile.KeepComment), "[a]\nx = 1"},
	{"inline table", "a = {}\nb = { c = 1 }\n", removeTable("b", tomlfile.KeepComment), "a = {}\n"},
	{"table made by dotted keys", "a.x = 1\nb = 2\na.y = 3\n", removeTable("a", tomlfile.KeepComment), "b = 2\n"},
}

var otherCases = []editCase{
	{"rename a key", "[a]\nx = 1 # c\n", func(e *tomlfile.Edit) error { return e.Rename(key("a.x"), "y z") }, "[a]\n\"y z\" = 1 # c\n"},
	{"rename to another letter case", "X = 1\n", func(e *tomlfile.Edit) error { return e.Rename(key("X"), "x") }, "x = 1\n"},
	{"rename a table everywhere",
		"a.b.x = 1\n[a.b.c]\n[a.b.'d']\n[e]\n", func(e *tomlfile.Edit) error { return e.Rename(key("a.b"), "n") },
		"a.n.x = 1\n[a.n.c]\n[a.n.'d']\n[e]\n"},
	{"comment above a key", "[a]\n  x = 1\n", func(e *tomlfile.Edit) error { return e.Comment(key("a.x"), "one\n\ntwo") }, "[a]\n  # one\n  #\n  # two\n  x = 1\n"},
	{"comment above a header, CRLF", "[a]\r\n", func(e *tomlfile.Edit) error { return e.Comment(key("a"), "one") }, "# one\r\n[a]\r\n"},
	{"comment behind a byte order mark", "\xef\xbb\xbfx = 1\n", func(e *tomlfile.Edit) error { return e.Comment(key("x"), "one") }, "\xef\xbb\xbf# one\nx = 1\n"},
}

func runEditCases(t *testing.T, cases []editCase) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			f, problems := tomlfile.Parse("in.toml", []byte(tt.in), tomlfile.V1_6_0)
			require.Nil(t, f.Refused(), "%v", problems)
			e := f.Edit()
			require.NoError(t, tt.do(e))
			g, err := e.Apply()
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, string(g.Source())); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if string(f.Source()) != tt.in {
				t.Error("the edit changed the file it began with")
			}
		})
	}
}

func TestSet(t *testing.T)    { runEditCases(t, setCases) }
func TestDelete(t *testing.T) { runEditCases(t, removeCases) }
func TestEdit(t *testing.T)   { runEditCases(t, otherCases) }

func TestEditRefuses(t *testing.T) {
	tests := []struct {
		name string
		in   string
		do   func(*tomlfile.Edit) error
		want string
	}{
		{"file with an error", "a = 1\nb = yes\n", setTrue("a"), `edit in.toml: the file has an error: in.toml:2:5: "yes" is no TOML boolean`},
		{"scalar on a table", "[a]\nx = 1\n", setTrue("a"), "set a: it is a table (in.toml:1:1)"},
		{"scalar on an inline table", "a = { x = 1 }\n", setTrue("a"), "set a: it is a table (in.toml:1:5)"},
		{"scalar on a dotted table", "a.x = 1\n", setTrue("a"), "set a: it is a table (in.toml:1:1)"},
		{"key below a value", "a = 1\n", setTrue("a.b"), "set a.b: a has a value and cannot hold keys (in.toml:1:5)"},
		{"key below an array of tables", "[[a]]\nx = 1\n", setTrue("a.x"), "set a.x: a is an array of tables (in.toml:1:1)"},
		{"table below an array of tables", "[[a]]\n[a.b]\n", setTrue("a.b.x"), "set a.b.x: a is an array of tables (in.toml:1:1)"},
		{"key in an array of tables", "[[a]]\n", removeTable("a.b", tomlfile.KeepComment), "delete table a.b: a is an array of tables (in.toml:1:1)"},
		{"no key", "a = 1\n", func(e *tomlfile.Edit) error { return e.Set(nil, tomlfile.BoolValue(true)) }, "edit in.toml: no key given"},
		{"no value", "a = 1\n", set("a", tomlfile.Value{}), "set a: no value given"},
		{"infinite number", "a = 1\n", set("a", tomlfile.FloatValue(inf)), "set a: +Inf cannot be written for every CRI-O version"},
		{"text that is not UTF-8", "a = 1\n", set("a", tomlfile.StringValue("\xff")), `set a: "\xff" is not UTF-8`},
		{"raw text that is no value", "a = 1\n", set("a", tomlfile.RawValue("yes")), `set a: "yes" is no TOML value: "yes" is no TOML boolean`},
		{"raw text that is more than a value", "a = 1\n", set("a", tomlfile.RawValue("1\nb = 2")), `set a: "1 b = 2" is not one TOML value`},
		{"raw text with a comment", "a = 1\n", set("a", tomlfile.RawValue("1 # c")), `set a: "1 # c" is not one TOML value`},
		{"same key twice", "a = 1\n", func(e *tomlfile.Edit) error {
			if err := e.Set(key("a"), tomlfile.IntValue(2)); err != nil {
				return err
			}
			return e.Delete(key("A"), tomlfile.KeepComment)
		}, "edit in.toml: a and A are changed in one batch"},
		{"delete of an absent key", "a = 1\n", remove("b", tomlfile.KeepComment), "delete b: the file does not have it"},
		{"delete of a table", "[a]\n", remove("a", tomlfile.KeepComment), "delete a: it is a table (in.toml:1:1)"},
		{"delete table of a value", "a = 1\n", removeTable("a", tomlfile.KeepComment), "delete table a: it is no table but a value (in.toml:1:5)"},
		{"delete table of a list", "[[a]]\n", removeTable("a", tomlfile.KeepComment), "delete table a: it is an array of tables (in.toml:1:1)"},
		{"rename onto another key", "a = 1\nb = 2\n", func(e *tomlfile.Edit) error { return e.Rename(key("a"), "b") }, "rename a: b exists already (in.toml:2:5)"},
		{"comment in an inline table", "a = { b = 1 }\n", func(e *tomlfile.Edit) error { return e.Comment(key("a.b"), "c") }, "comment a.b: it stands in an inline table"},
		{"comment with a control character", "a = 1\n", func(e *tomlfile.Edit) error { return e.Comment(key("a"), "c\x01") }, "comment a: U+0001 cannot stand in a comment"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, _ := tomlfile.Parse("in.toml", []byte(tt.in), tomlfile.V1_6_0)
			err := tt.do(f.Edit())
			require.Error(t, err)
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// Some releases read an array that is defined twice; which one to edit is not
// ours to say.
func TestEditRefusesKeysDefinedTwice(t *testing.T) {
	f, _ := tomlfile.Parse("in.toml", []byte("a = [1]\na = [2]\n"), tomlfile.V1_5_0)
	require.EqualError(t, f.Edit().Set(key("a"), list("x")), "set a: it is defined 2 times")
	require.EqualError(t, f.Edit().Delete(key("a"), tomlfile.KeepComment), "delete a: it is defined 2 times")
}

// An edit that fails must leave the batch usable and without its change.
func TestFailedEditLeavesTheBatch(t *testing.T) {
	f, _ := tomlfile.Parse("in.toml", []byte("[a]\nx = 1\n"), tomlfile.V1_6_0)
	e := f.Edit()
	require.NoError(t, e.Set(key("a.x"), tomlfile.IntValue(2)))
	require.Error(t, e.Set(key("a"), tomlfile.IntValue(2)))
	require.ErrorIs(t, e.Delete(key("b"), tomlfile.KeepComment), tomlfile.ErrNoKey)
	g, err := e.Apply()
	require.NoError(t, err)
	require.Equal(t, "[a]\nx = 2\n", string(g.Source()))
}

// What an edit writes must be read by every release, whichever the file is for.
func TestEditsAreReadByEveryDialect(t *testing.T) {
	f, _ := tomlfile.Parse("in.toml", []byte("[a]\nx = 1\n"), tomlfile.V1_6_0)
	e := f.Edit()
	require.NoError(t, e.Set(key("a.s"), tomlfile.StringValue("é\x00\x1b\x7f\ufffd\u2028\\\"'\r\n")))
	require.NoError(t, e.Set(key("a.l"), list("a", "b\tc")))
	require.NoError(t, e.Set(key("a.m"), tomlfile.StringMapValue(map[string]string{"k.é\ufffd": "v"})))
	require.NoError(t, e.Set(key("a.f"), tomlfile.FloatValue(1e21)))
	require.NoError(t, e.Set(key("b.c.d"), tomlfile.IntValue(-5)))
	g, err := e.Apply()
	require.NoError(t, err)
	for _, d := range tomlfile.Dialects() {
		h, problems := tomlfile.Parse("in.toml", g.Source(), d)
		require.Empty(t, problems, "%s", d)
		require.Equal(t, "é\x00\x1b\x7f\ufffd\u2028\\\"'\r\n", h.Root().At(key("a.s")).Str, "%s", d)
	}
}

func TestEditOfALongFileTouchesOneLine(t *testing.T) {
	in := strings.Repeat("# filler\n", 1000) + "[a]\nx = 1\n" + strings.Repeat("# filler\n", 1000)
	f, _ := tomlfile.Parse("in.toml", []byte(in), tomlfile.V1_6_0)
	e := f.Edit()
	require.NoError(t, e.Set(key("a.y"), tomlfile.IntValue(2)))
	g, err := e.Apply()
	require.NoError(t, err)
	require.Equal(t, strings.Replace(in, "x = 1\n", "x = 1\ny = 2\n", 1), string(g.Source()))
}
