package tomlfile

import (
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A slip is an explanation of text that stands where a value should.
type slip struct {
	summary string
	right   string // the value as it should be, "" when we cannot tell
	hint    string // what to do, or what to add to right
	width   int    // how much of the text to point at, 0 for all
}

var booleans = map[string]string{
	"true": "true", "yes": "true", "on": "true", "enabled": "true",
	"false": "false", "no": "false", "off": "false", "disabled": "false",
}

// explain says what is wrong with text, which is no value. fault is what the
// reader of numbers and dates says of it, if it came that far.
func explain(text, fault string) slip {
	lower := strings.ToLower(text)
	if right := booleans[lower]; right != "" {
		return slip{summary: fmt.Sprintf("%s is no TOML boolean", quote(text)), right: right,
			hint: fmt.Sprintf(", or %s if it is meant as text.", keypath.Quote(text))}
	}
	switch {
	case lower == "none" || lower == "null" || lower == "nil" || lower == "~":
		return slip{summary: fmt.Sprintf("%s is no TOML value: TOML has no null", quote(text)),
			hint: `Put # before the line to leave the key unset, or write "" for an empty string.`}
	case strings.HasPrefix(text, `\"`) || strings.HasPrefix(text, `\'`):
		return slip{summary: "backslash before a quote", right: keypath.Quote(strings.Trim(text, `\"'`)), width: 1,
			hint: " without the backslashes: they were left over from a shell or a program."}
	case len(text) > 2 && (text[0] == 'u' || text[0] == 'b' || text[0] == 'r') && (text[1] == '\'' || text[1] == '"'):
		return slip{summary: fmt.Sprintf("%s is a Python string", quote(text)), right: text[1:], hint: " without the letter before the quote."}
	}
	if value := strings.TrimRight(text, "; \t"); value != text && value != "" && readLiteral(value, newest).typ != Invalid {
		return slip{summary: `";" after the value`, right: value, hint: " without the semicolon."}
	}
	if inner, ok := curly(text); ok {
		return slip{summary: "typographic quotes around " + quote(inner), right: keypath.Quote(inner), hint: " with straight quotes."}
	}
	switch {
	case strings.HasPrefix(text, "$"):
		return slip{summary: fmt.Sprintf("variable %s was not replaced by its value", quote(text)),
			hint: "TOML knows no variables. Write the value, in quotes if it is text."}
	case text[0] == '=' || text[0] == '>':
		return slip{summary: fmt.Sprintf("%s after the equals sign", quote(text[:1])), width: 1, hint: "Write one equals sign and then the value."}
	case text[0] == ',' || text[0] == ']' || text[0] == '}' || text[0] == ')':
		return slip{summary: fmt.Sprintf("%s where a value is due", quote(text[:1])), width: 1, hint: "Write the value before it."}
	case text[0] == '(':
		return slip{summary: "parenthesis where a value is due", hint: "Write lists in square brackets.", width: 1}
	case text[0] == '.' && len(text) > 1 && isDigit(text[1]):
		return slip{summary: fmt.Sprintf("number %s begins with its point", quote(text)), right: "0" + text}
	case fault != "" && fault != "not a number" && !strings.Contains(text, " "):
		kind := "number"
		if strings.ContainsAny(text[1:], "-:") && !strings.ContainsAny(text, "eE") {
			kind = "date or time"
		}
		return slip{summary: fmt.Sprintf("%s %s: %s", kind, quote(text), fault),
			hint: "Correct it, or put it in quotes if it is meant as text."}
	}
	return slip{summary: fmt.Sprintf("value %s has no quotes", quote(text)), right: keypath.Quote(strings.Trim(text, `"'`)), hint: ""}
}

// curly takes typographic quotes off a text.
func curly(text string) (string, bool) {
	const quotes = "“”„‟‘’‚‛«»"
	inner := strings.Trim(text, quotes)
	return inner, len(inner) < len(text)
}
