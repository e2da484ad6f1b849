package tomlfile

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// A literal is a number, a date or a boolean as dialect d reads it.
type literal struct {
	typ   Type
	i     int64
	f     float64
	b     bool
	fault string // why d refuses it, "" when it does not
}

// literalEnd returns the end of the token that begins at text[pos] with a digit
// or a sign. Dates may hold blanks from 0.4.1 on; trailing ones do not belong to
// the token.
func literalEnd(text string, pos int, d Dialect) int {
	end := bareEnd(text, pos)
	if d == V0_3_1 || !isDigit(text[pos]) {
		return end
	}
	i := pos
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	if i == len(text) || text[i] != '-' && text[i] != ':' || text[pos] == '0' && i == pos+1 {
		return end
	}
	for i < len(text) && isDateByte(text[i]) {
		i++
	}
	return max(end, pos+len(strings.TrimRight(text[pos:i], " ")))
}

// bareEnd returns the end of the run of bytes at pos that can belong to one
// unquoted word.
func bareEnd(text string, pos int) int {
	if i := strings.IndexAny(text[pos:], " \t\r\n#,]}\x00"); i >= 0 {
		return pos + i
	}
	return len(text)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isDateByte(c byte) bool { return isDigit(c) || strings.IndexByte("-:Tt .Zz+", c) >= 0 }

// readLiteral reads a whole token that begins with a digit, a sign or a letter.
func readLiteral(tok string, d Dialect) literal {
	switch tok {
	case "true", "false":
		return literal{typ: Bool, b: tok == "true"}
	case "inf", "+inf", "-inf", "nan", "+nan", "-nan":
		if d == V0_3_1 {
			return literal{fault: "inf and nan are no numbers to this release"}
		}
		return readSpecial(tok)
	}
	body := strings.TrimLeft(tok, "+-")
	signed := len(body) < len(tok)
	if len(tok)-len(body) > 1 || body == "" || !isDigit(body[0]) {
		return literal{fault: "not a number"}
	}
	if !signed && isDate(tok, d) {
		return readDate(tok, d)
	}
	if d > V0_3_1 && len(body) > 1 && body[0] == '0' && strings.IndexByte("box", body[1]) >= 0 {
		return readBased(tok, body, signed)
	}
	i := strings.IndexFunc(body, func(r rune) bool { return r != '_' && (r < '0' || r > '9') })
	if i < 0 {
		return readInteger(tok, d)
	}
	if c := body[i]; c != '.' && c != 'e' && c != 'E' {
		return literal{fault: "not a number"}
	}
	if strings.Trim(body[i:], "0123456789_.-+eE") != "" {
		return literal{fault: "not a number"}
	}
	return readFloat(tok, d)
}

func readSpecial(tok string) literal {
	switch strings.TrimLeft(tok, "+-") {
	case "inf":
		if tok[0] == '-' {
			return literal{typ: Float, f: math.Inf(-1)}
		}
		return literal{typ: Float, f: math.Inf(1)}
	}
	return literal{typ: Float, f: math.NaN()}
}

// isDate tells whether an unsigned token is lexed as a date: digits and then a
// dash, or from 0.4.1 on a colon too.
func isDate(tok string, d Dialect) bool {
	i := strings.IndexFunc(tok, func(r rune) bool { return r < '0' || r > '9' })
	if i < 0 {
		return false
	}
	if d == V0_3_1 {
		return tok[i] == '-' && strings.Trim(tok[i:], "0123456789-T:.Z+") == ""
	}
	return (tok[i] == '-' || tok[i] == ':') && (tok[0] != '0' || i > 1) &&
		strings.Trim(tok[i:], "0123456789-:Tt .Zz+") == ""
}

// readBased reads 0x, 0o and 0b integers.
func readBased(tok, body string, signed bool) literal {
	digits := map[byte]string{'b': "01", 'o': "01234567", 'x': "0123456789abcdefABCDEF"}[body[1]]
	switch {
	case signed:
		return literal{fault: "a sign before a number that is not decimal"}
	case len(body) < 3 || strings.IndexByte(digits, body[2]) < 0 || strings.Trim(body[2:], digits+"_") != "":
		return literal{fault: "not a number"}
	case !hexUnderscores(tok):
		return literal{fault: "an underscore that is not between digits"}
	}
	return parseInteger(tok, 0)
}

func readInteger(tok string, d Dialect) literal {
	if d == V0_3_1 {
		if !oldUnderscores(tok) {
			return literal{fault: "an underscore that is not between digits"}
		}
		return parseInteger(strings.ReplaceAll(tok, "_", ""), 10)
	}
	switch {
	case !hexUnderscores(tok):
		return literal{fault: "an underscore that is not between digits"}
	case leadingZero(tok, d):
		return literal{fault: "leading zeros"}
	}
	return parseInteger(tok, 0)
}

func parseInteger(tok string, base int) literal {
	i, err := strconv.ParseInt(tok, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return literal{fault: "beyond 64 bits"}
	case err != nil:
		return literal{fault: "not a number"}
	}
	return literal{typ: Integer, i: i}
}

func readFloat(tok string, d Dialect) literal {
	parts := strings.FieldsFunc(tok, func(r rune) bool { return r == '.' || r == 'e' || r == 'E' })
	for _, p := range parts {
		if d == V0_3_1 && !oldUnderscores(p) || d > V0_3_1 && !hexUnderscores(p) {
			return literal{fault: "an underscore or a sign that has no digit after it"}
		}
	}
	if d > V0_3_1 && leadingZero(parts[0], d) {
		return literal{fault: "leading zeros"}
	}
	for i := range len(tok) {
		if tok[i] == '.' && (i+1 == len(tok) || !isDigit(tok[i+1])) {
			return literal{fault: "no digit after the point"}
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(tok, "_", ""), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return literal{fault: "beyond the range of 64-bit floats"}
	case err != nil:
		return literal{fault: "not a number"}
	}
	return literal{typ: Float, f: f}
}

// oldUnderscores is the rule of 0.3.1: something other than an underscore
// stands before each one and at the end.
func oldUnderscores(s string) bool {
	return s != "" && s[0] != '_' && s[len(s)-1] != '_' && !strings.Contains(s, "__")
}

// hexUnderscores is the rule from 0.4.1 on: a hexadecimal digit stands before
// each underscore and at the end.
func hexUnderscores(s string) bool {
	digit := false
	for i := range len(s) {
		if s[i] == '_' && !digit {
			return false
		}
		digit = isHex(s[i])
	}
	return digit
}

// leadingZero tells whether d takes s for a number with leading zeros. 0.4.1
// lets 0_1 pass, and reads it as an octal number.
func leadingZero(s string, d Dialect) bool {
	switch {
	case len(s) > 1 && s[0] == '0':
		return d > V0_4_1 || isDigit(s[1])
	case len(s) > 2 && (s[0] == '+' || s[0] == '-'):
		return s[1] == '0'
	}
	return false
}

var (
	oldDates = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02"}
	newDates = []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02", "15:04:05.999999999",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "15:04",
	}
	upperDate = strings.NewReplacer("z", "Z", "t", "T", " ", "T")
)

// readDate reads a date or time. The library relies on the time package, which
// is lenient: until 1.3.2 an hour of one digit passes.
func readDate(tok string, d Dialect) literal {
	layouts := oldDates
	if d > V0_3_1 {
		tok = upperDate.Replace(tok)
		layouts = newDates[:4]
	}
	if d >= V1_6_0 {
		layouts = newDates
	}
	for _, layout := range layouts {
		if _, err := time.Parse(layout, tok); err != nil {
			continue
		}
		if d >= V1_4_0 && !aligned(tok, layout) {
			return literal{fault: "a date or time with a missing digit"}
		}
		return literal{typ: Datetime}
	}
	return literal{fault: "there is none like it"}
}

// aligned tells whether the separators of tok stand where those of layout do.
func aligned(tok, layout string) bool {
	for i := range len(layout) {
		c := layout[i]
		if c == '.' || c == 'Z' {
			return true
		}
		if !isDigit(c) && (i >= len(tok) || tok[i] != c) {
			return false
		}
	}
	return true
}
