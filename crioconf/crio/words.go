package crio

import (
	"strings"
	"unicode/utf8"
)

// splitMode says how extractWord treats quotes and escapes that are not closed
// or not known: strict for unit files, where systemd drops the whole line, and
// relaxed for the value of a $VARIABLE.
type splitMode bool

const (
	strict  splitMode = false // C escapes
	relaxed splitMode = true  // a backslash takes the next byte as it is
)

// extractWord takes the first word off t, as systemd's command lines have it:
// quotes may stand anywhere in a word. More is false at the end of t, and ok is
// false when the rest cannot be read.
func extractWord(t text, mode splitMode) (word, rest text, more, ok bool) {
	for len(t) > 0 && blank(t[0].b) {
		t = t[1:]
	}
	if len(t) == 0 {
		return nil, nil, false, true
	}
	word = text{}
	quote := byte(0)
	for len(t) > 0 {
		c := t[0]
		switch {
		case quote != 0 && c.b == quote:
			quote = 0
		case quote == 0 && (c.b == '"' || c.b == '\''):
			quote = c.b
		case c.b == '\\':
			n, out, good := unescape(t[1:], c, mode)
			if !good {
				return nil, nil, false, false
			}
			word = append(word, out...)
			t = t[1+n:]
			continue
		case quote == 0 && blank(c.b):
			return word, t.trim(), true, true
		default:
			word = append(word, c)
		}
		t = t[1:]
	}
	return word, nil, true, quote == 0 || mode == relaxed
}

// simpleEscapes are the escapes of one letter; see systemd.syntax(7).
const simpleEscapes = "a\ab\bf\fn\nr\rt\tv\v\\\\\"\"''s "

// unescape reads the escape sequence after a backslash and returns how many
// bytes it has.
func unescape(t text, at char, mode splitMode) (n int, out text, ok bool) {
	if len(t) == 0 {
		return 0, nil, mode == relaxed
	}
	if mode == relaxed {
		return 1, t[:1], true
	}
	emit := func(n int, s string) (int, text, bool) {
		for i := range len(s) {
			out = append(out, char{s[i], at.src, at.off})
		}
		return n, out, true
	}
	b := t[0].b
	for i := 0; i < len(simpleEscapes); i += 2 {
		if simpleEscapes[i] == b {
			return emit(1, simpleEscapes[i+1:i+2])
		}
	}
	// base, digits, and whether the letter before the digits is none of them
	forms := map[byte][3]int{'x': {16, 2, 1}, 'u': {16, 4, 1}, 'U': {16, 8, 1}}
	form, known := forms[b]
	if !known {
		form = [3]int{8, 3, 0}
	}
	v, good := number(t[form[2]:], form[0], form[1])
	if !good || v == 0 {
		return 0, nil, false
	}
	n = form[1] + form[2]
	if b == 'u' || b == 'U' {
		if !utf8.ValidRune(rune(v)) {
			return 0, nil, false
		}
		return emit(n, string(rune(v)))
	}
	if v > 255 {
		return 0, nil, false
	}
	return emit(n, string([]byte{byte(v)}))
}

func number(t text, base, digits int) (v int64, ok bool) {
	if len(t) < digits {
		return 0, false
	}
	for _, c := range t[:digits] {
		d := strings.IndexByte("0123456789abcdef", c.b|0x20)
		if c.b >= '0' && c.b <= '9' {
			d = int(c.b - '0')
		}
		if d < 0 || d >= base {
			return 0, false
		}
		v = v*int64(base) + int64(d)
	}
	return v, true
}

// splitWords returns all words of t, and false when systemd would drop the
// line.
func splitWords(t text, mode splitMode) ([]text, bool) {
	var words []text
	for {
		w, rest, more, ok := extractWord(t, mode)
		if !ok || !more {
			return words, ok
		}
		words, t = append(words, w), rest
	}
}

// specifiers puts in the specifiers that follow from the unit's name alone.
// The others depend on the machine and stay as they are.
func specifiers(t text, unit string) text {
	base, _, _ := strings.Cut(unit, ".")
	known := map[byte]string{'%': "%", 'n': unit, 'N': base, 'p': base, 'i': "", 'I': ""}
	var out text
	for i := 0; i < len(t); i++ {
		if t[i].b == '%' && i+1 < len(t) {
			if s, ok := known[t[i+1].b]; ok {
				for j := range len(s) {
					out = append(out, char{s[j], t[i].src, t[i].off})
				}
				i++
				continue
			}
		}
		out = append(out, t[i])
	}
	return out
}

// expand puts the variables into the words of a command line: a word $NAME
// becomes the words of the value, or nothing when it is not set; ${NAME} within
// a word becomes the value; $$ is a dollar sign. See systemd.service(5).
func expand(words []text, lookup func(name string) (text, bool)) []text {
	var out []text
	for _, w := range words {
		if len(w) > 0 && w[0].b == '$' && (len(w) == 1 || w[1].b != '{' && w[1].b != '$') {
			if v, ok := lookup(w[1:].String()); ok {
				more, _ := splitWords(v, relaxed)
				out = append(out, more...)
			}
			continue
		}
		out = append(out, substitute(w, lookup))
	}
	return out
}

func substitute(w text, lookup func(name string) (text, bool)) text {
	out := text{}
	for i := 0; i < len(w); i++ {
		if w[i].b != '$' || i+1 == len(w) {
			out = append(out, w[i])
			continue
		}
		switch w[i+1].b {
		case '$':
			out = append(out, w[i])
			i++
		case '{':
			end := w[i:].index('}')
			if end < 0 {
				return append(out, w[i:]...)
			}
			v, _ := lookup(w[i+2 : i+end].String())
			out = append(out, v...)
			i += end
		default:
			out = append(out, w[i])
		}
	}
	return out
}
