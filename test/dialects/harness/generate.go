package harness

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes documents that are mostly TOML. Names are few, so that
// keys and tables collide; forms that releases treat differently are frequent.
type generator struct {
	*rand.Rand
	nl string
}

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

// chance is true in one of n cases.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

var names = []string{"a", "b", "c", "a", "b", "ab", "1", "-", `"a"`, `'b'`, `"a.b"`, `""`, `''`, `"\u0061"`, `"x\ty"`, "'a.'", `"."`, `"é"`}

var literals = []string{
	"0", "1", "-1", "+2", "007", "1_000", "0_1", "-0", "00", "1__0", "_1", "1_", "0x1F", "0o17", "0b10", "0xg", "-0x1", "0x_1", "0_8",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "0xffffffffffffffff",
	"1.5", "-0.0", "1.", ".5", "1e5", "1e+5", "1e-05", "1.5e3", "1e999", "0_1.5", "01.5", "1.5.5", "1e", "1e+_5", "1_0.5_0", "0e1", "6e-10",
	"inf", "+inf", "-inf", "nan", "+nan", "-nan", "infx", "nn", "nnf", "ian", "inan", "+i", "-n",
	"true", "false", "True", "tru", "falsey", "true1", "ture é",
	"1979-05-27", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "1979-05-27t07:32:00z", "1979-05-27T07:32:00.5+01:00",
	"1979-05-27T07:32:00", "1979-05-27T07:32", "1979-05-27T07:32Z", "07:32:00", "07:32", "7:32:00", "0:00:00", "1979-05-27T7:32:00Z", "1979-5-27",
	"1979-05-27   ", "1979-05-27  07:32:00", "1979-13-01", "1979-02-30", "24:00:00", "1979-05-27T07:32:00,5Z", "1979-05-27T07:32:00-00:00", "9-", "1:",
	"1979-05-27T07:32:60Z", "0001-01-01", "00:00:00.123456789012", "1979-05-27T07:32:00.Z", "12:30:00z", "1979-05-27_1", "1-",
}

var pieces = []string{
	"x", "yz", " ", "\t", "é", "日本", `\n`, `\t`, `\"`, `\\`, `\u00e9`, `\U0001F600`, `\e`, `\x41`, `\uD800`, `\ `, `\q`, `\u12`, `\U00110000`, `\b\f\r`,
	"'", `"`, `""`, "''", "#", "=", "]", "}", "\ufffd", "\x01", "\x7f", "\xff", "u0041", "\u00a0", "n",
}

var breaks = []string{"\n", "\r\n", "\n  ", "\\\n", "\\\n  ", "\\  \n\t", "\\\r\n", "\n\n", "\\\n\n", "\\\\\n", "\\\r", "\r", "\\\\\\\n", "\\ \n \n"}

func (g *generator) text(most int, list []string) string {
	var b strings.Builder
	for range g.IntN(most) {
		b.WriteString(g.pick(list))
	}
	return b.String()
}

// plain pieces of strings are most of them, so that documents are accepted.
func (g *generator) inside() string {
	if g.chance(3) {
		return g.text(5, pieces)
	}
	return g.text(4, pieces[:12])
}

func (g *generator) str() string {
	switch g.IntN(8) {
	case 0:
		return "'" + g.inside() + "'"
	case 1, 2:
		return `"""` + g.lines() + `"""` + g.pick([]string{"", "", "", `"`, `""`, `"""`})
	case 3:
		return "'''" + g.lines() + "'''" + g.pick([]string{"", "", "", "'", "''", "'''"})
	}
	return `"` + g.inside() + `"`
}

func (g *generator) lines() string {
	var b strings.Builder
	for range g.IntN(4) {
		b.WriteString(g.inside())
		b.WriteString(g.pick(breaks))
	}
	b.WriteString(g.inside())
	return b.String()
}

func (g *generator) blank() string { return g.pick([]string{"", "", "", " ", "  ", "\t"}) }

func (g *generator) key() string {
	if g.chance(60) {
		return g.pick([]string{"", "a b", "a.", ".a", "a..b", `"""a"""`, "é", "a$", `"a`, "'''a\nb'''"})
	}
	parts := []string{g.pick(names)}
	for g.chance(4) {
		parts = append(parts, g.pick(names))
	}
	dot := "."
	if g.chance(8) {
		dot = g.blank() + "." + g.blank()
	}
	return strings.Join(parts, dot)
}

func (g *generator) comment() string {
	return "#" + g.pick([]string{"", " x", " é", " a = 1", "\t", " \x01", " \xff", " \ufffd", " \x7f", " \r"}[:g.of(4, 10)])
}

// of returns rare in one of twelve cases, else usual.
func (g *generator) of(usual, rare int) int {
	if g.chance(12) {
		return rare
	}
	return usual
}

func (g *generator) value(depth int) string {
	switch n := g.IntN(10); {
	case n < 3:
		return g.str()
	case n < 6 && g.chance(2):
		return g.pick([]string{"1", "2.5", "true", `"s"`, "-7"})
	case n < 6:
		return g.pick(literals)
	case depth > 3:
		return "1"
	case n < 8:
		return g.array(depth + 1)
	}
	return g.inline(depth + 1)
}

func (g *generator) array(depth int) string {
	var b strings.Builder
	b.WriteString("[")
	gap := func() {
		b.WriteString(g.blank())
		if g.chance(6) {
			b.WriteString(g.nl)
		}
		if g.chance(12) {
			b.WriteString(g.comment() + g.nl)
		}
	}
	kind := g.IntN(4)
	for i := range g.IntN(4) {
		if i > 0 {
			b.WriteString(g.pick([]string{",", ",", ",", ",", ",", ",", ",", ",,", " ", ";"}[:g.of(6, 10)]))
		}
		gap()
		switch kind {
		case 0:
			b.WriteString(g.inline(depth))
		case 1:
			b.WriteString(g.str())
		case 2:
			b.WriteString("1")
		default:
			b.WriteString(g.value(depth))
		}
		gap()
	}
	b.WriteString(g.pick([]string{"]", "]", "]", ",]", "]]", ""}[:g.of(4, 6)]))
	return b.String()
}

func (g *generator) inline(depth int) string {
	var b strings.Builder
	b.WriteString("{" + g.blank())
	for i := range g.IntN(4) {
		if i > 0 {
			b.WriteString("," + g.blank())
			if g.chance(20) {
				b.WriteString(g.pick([]string{g.nl, g.comment() + g.nl, ","}))
			}
		}
		fmt.Fprintf(&b, "%s%s=%s%s%s", g.key(), g.blank(), g.blank(), g.value(depth), g.blank())
	}
	if g.chance(15) {
		b.WriteString(g.pick([]string{",", ", ", "," + g.nl, g.nl, g.comment() + g.nl, ",,"}))
	}
	b.WriteString(g.pick([]string{"}", "}", "}", "}}", ""}[:g.of(3, 5)]))
	return b.String()
}

func (g *generator) statement() string {
	lead := g.blank()
	tail := g.blank()
	if g.chance(6) {
		tail += g.comment()
	}
	if g.chance(80) {
		tail += g.pick([]string{"x", "\x00", "\x00=", "\r", "]", ", b = 1"})
	}
	switch n := g.IntN(10); {
	case n < 3:
		return lead + "[" + g.blank() + g.key() + g.blank() + g.pick([]string{"]", "]", "", "]]"}[:g.of(2, 4)]) + tail
	case n < 4:
		return lead + "[[" + g.key() + g.pick([]string{"]]", "]]", "]", "] ]"}[:g.of(2, 4)]) + tail
	case n == 4 && g.chance(4):
		return g.comment()
	}
	return lead + g.key() + g.blank() + g.pick([]string{"=", "=", "=", ":", "==", ""}[:g.of(3, 6)]) + g.blank() + g.value(0) + tail
}

func (g *generator) document() string {
	g.nl = "\n"
	if g.chance(6) {
		g.nl = "\r\n"
	}
	var b strings.Builder
	if g.chance(40) {
		b.WriteString(g.pick([]string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", "\x00", "a\x00"}))
	}
	for range 1 + g.IntN(6) {
		b.WriteString(g.statement())
		b.WriteString(g.pick([]string{g.nl, g.nl, g.nl, g.nl + g.nl, "", "\r"}[:g.of(4, 6)]))
	}
	return b.String()
}

// tokens are what mutations put in.
var tokens = []string{
	"[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\"", "'", `"""`, "'''", "#", "\n", "\r\n", "\r", " ", "\t", "\\", "\x00", "\xff", "\ufffd", "\x1f",
	"a", "b", "1", "-", "_", "true", "a = 1\n", "[a]\n", "a.b = 1\n", "\xef\xbb\xbf", ":", "0", "e", "inf", "1979-05-27", "\u2028", "\u0085",
}

// mutate makes n small changes.
func (g *generator) mutate(doc string, n int) string {
	for range n {
		i := g.IntN(len(doc) + 1)
		j := min(len(doc), i+1+g.IntN(6))
		switch g.IntN(6) {
		case 0:
			doc = doc[:i] + doc[j:]
		case 1, 2:
			doc = doc[:i] + g.pick(tokens) + doc[i:]
		case 3:
			doc = doc[:i] + g.pick(tokens) + doc[j:]
		case 4:
			doc = doc[:j] + doc[i:]
		default:
			lines := strings.SplitAfter(doc, "\n")
			k, l := g.IntN(len(lines)), g.IntN(len(lines))
			lines[k], lines[l] = lines[l], lines[k]
			doc = strings.Join(lines, "")
		}
	}
	return doc
}
