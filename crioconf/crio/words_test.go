package crio

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func words(ts []text) []string {
	var out []string
	for _, t := range ts {
		out = append(out, t.String())
	}
	return out
}

func whole(s string) text {
	src := newSource("f", []byte(s))
	return src.text(0, len(s))
}

func TestSplitWords(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		mode     splitMode
		want     []string
		bad      bool
	}{
		{name: "plain", in: "a  b\tc ", want: []string{"a", "b", "c"}},
		{name: "nothing", in: " \t "},
		{name: "quotes", in: `"a b" 'c d'`, want: []string{"a b", "c d"}},
		{name: "quotes inside a word", in: `a"b c"d e'f g'`, want: []string{"ab cd", "ef g"}},
		{name: "empty quotes", in: `"" a`, want: []string{"", "a"}},
		{name: "the other quote inside", in: `"it's" 'a"b'`, want: []string{"it's", `a"b`}},
		{name: "escapes", in: `a\tb \x41\102 \u00e9 \U0001f600 \s\\\"\'`, want: []string{"a\tb", "AB", "é", "😀", ` \"'`}},
		{name: "an escape in quotes", in: `"a\nb" 'a\tb'`, want: []string{"a\nb", "a\tb"}},
		{name: "unknown escape", in: `a \q b`, want: []string{"a"}, bad: true},
		{name: "escape cut short", in: `\x4`, bad: true},
		{name: "escape of no rune", in: `\ud800`, bad: true},
		{name: "NUL", in: `\x00`, bad: true},
		{name: "octal beyond a byte", in: `\777`, bad: true},
		{name: "open quote", in: `a "b`, want: []string{"a"}, bad: true},
		{name: "backslash at the end", in: `a\`, bad: true},
		{name: "relaxed: open quote", in: `a "b c`, mode: relaxed, want: []string{"a", "b c"}},
		{name: "relaxed: backslash takes the next byte", in: `a\ b \n\"`, mode: relaxed, want: []string{"a b", `n"`}},
		{name: "relaxed: backslash at the end", in: `a\`, mode: relaxed, want: []string{"a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := splitWords(whole(tt.in), tt.mode)
			if ok == tt.bad {
				t.Errorf("ok = %v", ok)
			}
			if diff := cmp.Diff(tt.want, words(got)); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExpand(t *testing.T) {
	vars := map[string]string{"ONE": "x", "TWO": "a 'b c'", "EMPTY": "", "OPEN": `"a b`}
	lookup := func(name string) (text, bool) {
		v, ok := vars[name]
		return whole(v), ok
	}
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"a word of its own is split", "$TWO", []string{"a", "b c"}},
		{"braces are not split", "${TWO}", []string{"a 'b c'"}},
		{"within a word", "-${ONE}-", []string{"-x-"}},
		{"without braces only as a word of its own", "-$ONE", []string{"-$ONE"}},
		{"not set gives nothing", "a $NONE b", []string{"a", "b"}},
		{"empty gives nothing", "$EMPTY", nil},
		{"not set in braces gives an empty word", "a ${NONE}", []string{"a", ""}},
		{"open quote in the value", "$OPEN", []string{"a b"}},
		{"doubled dollar", "$$ONE a$$b", []string{"$ONE", "a$b"}},
		{"dollar at the end", "a$", []string{"a$"}},
		{"dollar alone", "a $ b", []string{"a", "b"}},
		{"brace not closed", "a${ONE", []string{"a${ONE"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, _ := splitWords(whole(tt.in), strict)
			if diff := cmp.Diff(tt.want, words(expand(in, lookup))); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseUnitFile(t *testing.T) {
	type a struct{ Section, Key, Value string }
	for _, tt := range []struct {
		name, in string
		want     []a
	}{
		{"sections and values", "[Unit]\nA=1\n[Service]\n B = two words \n", []a{{"Unit", "A", "1"}, {"Service", "B", "two words"}}},
		{"comments and blank lines", "[S]\n# A=1\n; B=1\n\nC=1\n", []a{{"S", "C", "1"}}},
		{"a continuation becomes a blank", "[S]\nA=b\\\nc\n", []a{{"S", "A", "b c"}}},
		{"a comment within a continuation is skipped", "[S]\nA=b \\\n# no\n  ; no \\\nc\nB=1", []a{{"S", "A", "b  c"}, {"S", "B", "1"}}},
		{"a blank line ends a continuation", "[S]\nA=b \\\n\nB=1", []a{{"S", "A", "b"}, {"S", "B", "1"}}},
		{"an escaped backslash is none", "[S]\nA=b\\\\\nB=1\n", []a{{"S", "A", `b\\`}, {"S", "B", "1"}}},
		{"a continuation at the end of the file", "[S]\nA=b \\", []a{{"S", "A", "b"}}},
		{"before any section", "A=1\n[S]\nB=2\n", []a{{"S", "B", "2"}}},
		{"no equals sign", "[S]\nA\n=3\nB=2\n", []a{{"S", "B", "2"}}},
		{"a bad header ends the file", "[S]\nA=1\n[T\nB=2\n", []a{{"S", "A", "1"}}},
		{"byte order mark", "\ufeff[S]\nA=1\n", []a{{"S", "A", "1"}}},
		{"CRLF", "[S]\r\nA=b \\\r\nc\r\n", []a{{"S", "A", "b  c"}}},
		{"empty value", "[S]\nA=\nB=1", []a{{"S", "A", ""}, {"S", "B", "1"}}},
		{"value with equals signs", "[S]\nA=b=c\n", []a{{"S", "A", "b=c"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []a
			for _, x := range parseUnitFile(newSource("f", []byte(tt.in))) {
				got = append(got, a{x.section, x.key, x.value.String()})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("assignments (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseEnvFile(t *testing.T) {
	type v struct{ Name, Value string }
	for _, tt := range []struct {
		name, in string
		want     []v
	}{
		{"plain", "A=1\nB=two words  \n", []v{{"A", "1"}, {"B", "two words"}}},
		{"blanks around the name and the value", "  A = 1\n", []v{{"A", "1"}}},
		{"comments", "#A=1\n;B=1\n  # C=1\nD=1#2\n", []v{{"D", "1#2"}}},
		{"comment that ends in a backslash", "# no \\\nA=1\n", []v{{"A", "1"}}},
		{"double quotes", `A="a b"` + "\n" + `B="\"\\\$\` + "`" + `"` + "\n", []v{{"A", "a b"}, {"B", "\"\\$`"}}},
		{"other escapes in double quotes stay", `A="a\nb"`, []v{{"A", `a\nb`}}},
		{"single quotes take all", `A='a\"b'`, []v{{"A", `a\"b`}}},
		{"quoted over lines", "A=\"a\nb\"\nB='c\nd'\n", []v{{"A", "a\nb"}, {"B", "c\nd"}}},
		{"joined line in double quotes", "A=\"a\\\nb\"\n", []v{{"A", "ab"}}},
		{"parts follow each other", `A='a' "b" c` + "\n", []v{{"A", "abc"}}},
		{"quotes after a bare part are plain", `A=a"b c"` + "\n", []v{{"A", `a"b c"`}}},
		{"backslash outside of quotes", `A=a\ \n` + "\n", []v{{"A", "a n"}}},
		{"escaped blank at the end stays", `A=a\ ` + "\n", []v{{"A", "a "}}},
		{"joined lines", "A=a\\\nb\nB=1\n", []v{{"A", "ab"}, {"B", "1"}}},
		{"nothing is expanded", "A=$B ${C} `d`\n", []v{{"A", "$B ${C} `d`"}}},
		{"export is not known", "export A=1\nB=2\n", []v{{"B", "2"}}},
		{"no equals sign", "A\nB=2\n", []v{{"B", "2"}}},
		{"bad names", "1A=1\nA-B=1\n=x\nC=3\n", []v{{"C", "3"}}},
		{"empty value", "A=\nB=\"\"\n", []v{{"A", ""}, {"B", ""}}},
		{"no final newline", "A=1", []v{{"A", "1"}}},
		{"open quote at the end", `A="a b`, []v{{"A", "a b"}}},
		{"backslash at the end", `A=a\`, []v{{"A", "a"}}},
		{"CRLF", "A=1\r\nB=2\r\n", []v{{"A", "1"}, {"B", "2"}}},
		{"twice", "A=1\nA=2\n", []v{{"A", "1"}, {"A", "2"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []v
			for _, x := range parseEnvFile(newSource("f", []byte(tt.in))) {
				got = append(got, v{x.name.String(), x.value.String()})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("variables (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseCommands(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     [][]string
	}{
		{"one", "/a b 'c d'", [][]string{{"/a", "b", "c d"}}},
		{"two, parted by a semicolon", "/a b ; /c d", [][]string{{"/a", "b"}, {"/c", "d"}}},
		{"semicolons around", "; /a ; ; /b ;", [][]string{{"/a"}, {"/b"}}},
		{"an escaped semicolon is an argument", `/a \; b`, [][]string{{"/a", ";", "b"}}},
		{"a quoted semicolon too", `/a ";" b`, [][]string{{"/a", ";", "b"}}},
		{"a semicolon within a word too", "/a b;c", [][]string{{"/a", "b;c"}}},
		{"prefixes", "-+!!@/a name b", [][]string{{"/a", "b"}}},
		{"a line that cannot be read is dropped", `/a "b`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got [][]string
			for _, c := range parseCommands(whole(tt.in), "crio.service") {
				got = append(got, words(c.words))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("[Service]\nExecStart=-/usr/bin/crio \\\n $A ${B} \"c d\" \\x41\nEnvironment=A=1 'B=2 3'\nEnvironmentFile=-/e\n", "A=\"x\\\ny\" z\n")
	f.Fuzz(func(t *testing.T, unit, env string) {
		for _, a := range parseUnitFile(newSource("u", []byte(unit))) {
			for _, c := range parseCommands(a.value, "crio.service") {
				for _, w := range c.words {
					w.span()
				}
			}
		}
		for _, v := range parseEnvFile(newSource("e", []byte(env))) {
			v.value.span()
			splitWords(v.value, relaxed)
		}
	})
}
