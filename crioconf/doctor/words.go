package doctor

import (
	"unicode"
	"unicode/utf8"
)

// capital makes an error the beginning of a sentence. Names such as GET stay.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
