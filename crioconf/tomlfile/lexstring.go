package tomlfile

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A fault is what is wrong with a token: where, and in what way.
type fault struct {
	span
	summary string
	hint    string
}

// A quoted is one string token.
type quoted struct {
	span
	multi  bool
	closed bool
	value  string
	fault  *fault
}

// lexQuoted reads the string that begins at text[pos] as dialect d does. The
// result has a fault when d refuses it; its end is then where reading goes on.
// A string of single quotes on one line is all that a key may be from 0.4.1 on,
// so keys give single = true.
func lexQuoted(text string, pos int, d Dialect, single bool) quoted {
	quote := text[pos]
	triple := strings.Repeat(string(quote), 3)
	if !single && strings.HasPrefix(text[pos:], triple) {
		if quote == '\'' {
			return lexTriple(text, pos, d, triple, false)
		}
		return lexTriple(text, pos, d, triple, true)
	}
	return lexSimple(text, pos, d, quote)
}

// lexSimple reads 'text' or "text", which ends on its line.
func lexSimple(text string, pos int, d Dialect, quote byte) quoted {
	q := quoted{span: span{pos, pos}}
	escapes := false
	for i := pos + 1; i < len(text); {
		switch c := text[i]; {
		case c == quote:
			q.end, q.closed = i+1, true
			body := text[pos+1 : i]
			if q.fault == nil && quote == '"' && (escapes || d == V0_3_1) {
				body = q.unescape(body, pos+1, d)
			}
			q.value = body
			return q
		case c == '\n' || c == '\r':
			return q.unclosed(text, i)
		case c == '\\' && quote == '"':
			escapes = true
			i += q.escape(text, i, d, false)
		default:
			q.control(text, i, d)
			i++
		}
	}
	return q.unclosed(text, len(text))
}

func (q *quoted) unclosed(text string, end int) quoted {
	q.end = end
	q.value = text[q.start+1 : end]
	quote := text[q.start : q.start+1]
	q.fault = &fault{span{q.start, end}, "string is not closed on its line",
		"Close it with " + quote + ", or use " + quote + quote + quote + " for text of several lines."}
	return *q
}

func (q *quoted) blame(start, end int, summary, hint string) {
	if q.fault == nil {
		q.fault = &fault{span{start, end}, summary, hint}
	}
}

// control notes a control character that d refuses inside strings. From 1.1.0
// on the whole file is searched for them before.
func (q *quoted) control(text string, i int, d Dialect) {
	c := text[i]
	if c == 0 && d.stopsAtNUL() || isControl(c) && d == V0_4_1 {
		q.blame(i, i+1, "control character "+charName(rune(c))+" in a string",
			`Write it as \u00`+strings.ToUpper(strconv.FormatInt(int64(c)+0x100, 16)[1:])+" in a double-quoted string.")
	}
}

func isControl(c byte) bool {
	return c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f
}

// escape checks the escape sequence at text[i] and returns its length.
func (q *quoted) escape(text string, i int, d Dialect, multi bool) int {
	if i+1 >= len(text) {
		return 1
	}
	c := text[i+1]
	switch c {
	case 'b', 't', 'n', 'f', 'r', '"', '\\':
		return 2
	case 'u', 'U', 'x':
		if c == 'x' && d < V1_6_0 {
			break
		}
		n := escapeDigits(c)
		for k := range n {
			if j := i + 2 + k; j >= len(text) || !isHex(text[j]) {
				q.blame(i, min(j, len(text)), `\`+string(c)+" needs "+strconv.Itoa(n)+" hexadecimal digits",
					"Write the code of the character with leading zeros.")
				return 2 + k
			}
		}
		return 2 + n
	case 'e':
		if d >= V1_6_0 {
			return 2
		}
	case '\n', '\r':
		if multi {
			return 2
		}
		return 1
	case ' ', '\t':
		if multi && d > V0_3_1 {
			return 2 // judged when lines are folded
		}
	}
	r, size := utf8.DecodeRuneInString(text[i+1:])
	hint := `Write \\ for a backslash, or put the string in single quotes, which know no escapes.`
	switch c {
	case 'e':
		hint = `Write \u001B.`
	case 'x':
		hint = `Write \u00 and the two digits.`
	}
	q.blame(i, i+1+size, "unknown escape "+`\`+shown(r)+" in a string", hint)
	return 1 + size
}

func escapeDigits(c byte) int {
	switch c {
	case 'x':
		return 2
	case 'u':
		return 4
	}
	return 8
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// lexTriple reads a string in three quotes.
func lexTriple(text string, pos int, d Dialect, triple string, escapes bool) quoted {
	q := quoted{span: span{pos, pos}, multi: true}
	quote := triple[0]
	begin := pos + 3
	for i := begin; i < len(text); {
		c := text[i]
		switch {
		case c == quote && strings.HasPrefix(text[i:], triple):
			if d.countsQuotes() && strings.HasPrefix(text[i+3:], triple[:1]) {
				if tooManyQuotes(text[begin:i+3], quote, d) {
					q.blame(i-2, i+4, "six quotes in a row in a multi-line string",
						"Escape some of them, or break the row.")
				}
				i++
				continue
			}
			q.end, q.closed = i+3, true
			q.finish(text[begin:i], begin, d, escapes)
			return q
		case c == '\\' && escapes:
			i += q.escape(text, i, d, true)
		case c == '\r' && d == V0_4_1 && (i+1 >= len(text) || text[i+1] != '\n'):
			q.blame(i, i+1, "carriage return without line feed in a string", `Write \r.`)
			i++
		default:
			q.control(text, i, d)
			i++
		}
	}
	q.end = len(text)
	q.value = text[begin:]
	q.fault = &fault{span{pos, pos + 3}, "multi-line string is never closed", "Close it with " + triple + "."}
	return q
}

// tooManyQuotes tells whether the body read so far, which ends in three quotes
// and is followed by a fourth, ends in five. An escaped quote before them counts
// too until 1.2.1.
func tooManyQuotes(body string, quote byte, d Dialect) bool {
	five := strings.Repeat(string(quote), 5)
	if !strings.HasSuffix(body, five) {
		return false
	}
	return quote != '"' || d < V1_2_1 || !strings.HasSuffix(body, `\`+five)
}

// finish makes the value of a multi-line string from its body.
func (q *quoted) finish(body string, begin int, d Dialect, escapes bool) {
	q.value = body
	if q.fault != nil {
		return
	}
	cut := cutFirstBreak
	if d == V0_3_1 {
		cut = func(s string) string { return strings.TrimPrefix(s, "\n") }
	}
	if !escapes {
		q.value = cut(body)
		return
	}
	switch {
	case d == V0_3_1:
		body = cut(foldAtBackslash(body))
	case d.foldsOldLines():
		folded, ok := foldLineByLine(body, d)
		if !ok {
			q.blame(begin+len(body)-1, begin+len(body), "backslash at the end of a multi-line string", `Write \\ for a backslash.`)
			return
		}
		body = cut(folded)
	default:
		body = foldRuns(cut(body))
	}
	q.value = q.unescape(body, begin, d)
}

func cutFirstBreak(s string) string {
	if rest, ok := strings.CutPrefix(s, "\n"); ok {
		return rest
	}
	return strings.TrimPrefix(s, "\r\n")
}

// foldAtBackslash is the folding of 0.3.1: each backslash right before a line
// feed goes, with all white space after it, be the backslash escaped or not.
func foldAtBackslash(s string) string {
	first, rest, more := strings.Cut(s, "\\\n")
	if !more {
		return s
	}
	var b strings.Builder
	b.WriteString(first)
	for more {
		first, rest, more = strings.Cut(rest, "\\\n")
		b.WriteString(strings.TrimLeftFunc(first, unicode.IsSpace))
	}
	return b.String()
}

// foldLineByLine is the folding of 0.4.1 to 1.2.1. Line breaks become \n. After
// a line that ends in a backslash, further lines lose their breaks until one
// ends in an escaped backslash, which gets a break even when it is the last.
func foldLineByLine(s string, d Dialect) (string, bool) {
	const blank = " \t\r"
	lines := strings.Split(s, "\n")
	var b strings.Builder
	joining, cutLeft := false, false
	for i, line := range lines {
		last := i == len(lines)-1
		if cutLeft {
			line = strings.TrimLeft(line, blank)
			cutLeft = false
		}
		bare := strings.TrimRight(line, blank)
		slashes := len(bare) - len(strings.TrimRight(bare, `\`))
		switch {
		case slashes == 0:
			b.WriteString(strings.TrimRight(line, "\r"))
			if !joining && !last {
				b.WriteByte('\n')
			}
		case slashes%2 == 0:
			joining = false
			b.WriteString(line)
			b.WriteByte('\n')
		default:
			if last && d > V0_4_1 {
				return "", false
			}
			if joining {
				bare = strings.TrimLeft(bare, blank)
			}
			joining, cutLeft = true, true
			b.WriteString(bare[:len(bare)-1])
		}
	}
	return b.String(), true
}

// foldRuns is the folding from 1.3.2 on: an unescaped backslash goes with the
// white space after it when that holds a line feed.
func foldRuns(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		rest := strings.TrimLeft(s[i+1:], " \t\r\n")
		gap := s[i+1 : len(s)-len(rest)]
		switch {
		case strings.Contains(gap, "\n"):
			b.WriteString(s[:i])
			s = rest
		default:
			n := i + 1
			if s[n] == '\\' {
				n++
			}
			b.WriteString(s[:n])
			s = s[n:]
		}
	}
}

// unescape replaces the escapes of a body. Folding can have left sequences that
// are no escapes; the library refuses or crashes on them.
func (q *quoted) unescape(s string, begin int, d Dialect) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			r, size := utf8.DecodeRuneInString(s[i:])
			b.WriteRune(r)
			i += size
			continue
		}
		if i+1 >= len(s) {
			q.badEscape(begin, `\`)
			return b.String()
		}
		c := s[i+1]
		switch c {
		case 'u', 'U', 'x':
			n := escapeDigits(c)
			if c == 'x' && d < V1_6_0 || i+2+n > len(s) {
				q.badEscape(begin, s[i:i+2])
				return b.String()
			}
			code, err := strconv.ParseUint(s[i+2:i+2+n], 16, 32)
			if err != nil || !utf8.ValidRune(rune(code)) {
				q.badEscape(begin, s[i:i+2+n])
				return b.String()
			}
			b.WriteRune(rune(code))
			i += 2 + n
		default:
			r, ok := simpleEscapes[c]
			if !ok || c == 'e' && d < V1_6_0 {
				q.badEscape(begin, `\`+shown(rune(c)))
				return b.String()
			}
			b.WriteByte(r)
			i += 2
		}
	}
	return b.String()
}

var simpleEscapes = map[byte]byte{'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r', 'e': 0x1b, '"': '"', '\\': '\\'}

// badEscape blames an escape that only shows when the value is made. The body
// may have been folded by then, so the place is that of the whole string.
func (q *quoted) badEscape(_ int, esc string) {
	if strings.HasPrefix(esc, `\u`) || strings.HasPrefix(esc, `\U`) {
		q.blame(q.start, q.end, esc+" is no character", "Write the code of a Unicode character; surrogates are none.")
		return
	}
	q.blame(q.start, q.end, "unknown escape "+esc+" in a string",
		`Write \\ for a backslash, or put the string in single quotes, which know no escapes.`)
}
