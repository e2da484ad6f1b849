package tomlfile

import (
	"fmt"
	"strings"
	"unicode"
)

// shown returns a character as a message shows it.
func shown(r rune) string {
	if r < 0x20 || r == 0x7f || r == unicode.ReplacementChar || !unicode.IsPrint(r) && r != ' ' {
		return charName(r)
	}
	return string(r)
}

func charName(r rune) string { return fmt.Sprintf("U+%04X", r) }

// quote puts a piece of source into a message: cut to a sensible length, in
// the kind of quotes that it does not hold itself.
func quote(s string) string {
	const most = 40
	if r := []rune(s[:min(len(s), 4*most)]); len(r) > most {
		s = string(r[:most]) + "…"
	}
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	if strings.Contains(s, `"`) {
		return "'" + s + "'"
	}
	return `"` + s + `"`
}
