package tomlfile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A Value is what an edit writes: its text, in forms that every dialect reads,
// and what a decoder must make of it. The zero Value is invalid.
type Value struct {
	text  string
	items []string          // the elements of a list of strings, as text
	list  bool              // it is a list, and may take several lines
	table map[string]string // the members of a string map
	want  *Node             // nil for raw text, which is read when it is written
	err   error
}

// StringValue returns a string value. It is written in double quotes.
func StringValue(s string) Value {
	return Value{text: quoteString(s), want: &Node{Type: String, Str: s}, err: checkUTF8(s)}
}

// BoolValue returns true or false.
func BoolValue(b bool) Value {
	return Value{text: strconv.FormatBool(b), want: &Node{Type: Bool, Bool: b}}
}

// IntValue returns a decimal integer.
func IntValue(i int64) Value {
	return Value{text: strconv.FormatInt(i, 10), want: &Node{Type: Integer, Int: i}}
}

// FloatValue returns a decimal number with a point. Infinities and NaN are not
// known to every dialect and make Set fail.
func FloatValue(f float64) Value {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return Value{err: fmt.Errorf("%v cannot be written for every CRI-O version", f)}
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return Value{text: text, want: &Node{Type: Float, Float: f}}
}

// StringsValue returns a list of strings. It is written on one line, or on
// several where it replaces a list on several.
func StringsValue(list []string) Value {
	v := Value{list: true, want: &Node{Type: Array}}
	for _, s := range list {
		v.items = append(v.items, quoteString(s))
		v.want.Elems = append(v.want.Elems, &Node{Type: String, Str: s})
		if err := checkUTF8(s); err != nil {
			v.err = err
		}
	}
	v.text = "[" + strings.Join(v.items, ", ") + "]"
	return v
}

// StringMapValue returns a table of strings. Where the table has a header its
// keys are edited there; else it is written as an inline table, in the order of
// its keys.
func StringMapValue(m map[string]string) Value {
	v := Value{table: maps.Clone(m), want: &Node{Type: Table}}
	if v.table == nil {
		v.table = map[string]string{}
	}
	var members []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		members = append(members, quotePart(k)+" = "+quoteString(m[k]))
		v.want.put(k, &Node{Type: String, Str: m[k]})
		for _, s := range []string{k, m[k]} {
			if err := checkUTF8(s); err != nil {
				v.err = err
			}
		}
	}
	v.text = "{ " + strings.Join(members, ", ") + " }"
	if len(members) == 0 {
		v.text = "{}"
	}
	return v
}

// RawValue returns text as it is to be written, such as "5_000" or "'x'". Set
// fails when it is not one value to the file's dialect.
func RawValue(text string) Value {
	if text == "" {
		return Value{err: fmt.Errorf("empty value")}
	}
	return Value{text: text}
}

// String returns the text of the value.
func (v Value) String() string { return v.text }

func checkUTF8(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("%q is not UTF-8", s)
	}
	return nil
}

// quoteString writes a string so that every dialect reads it: some refuse the
// replacement character as such.
func quoteString(s string) string {
	return strings.ReplaceAll(keypath.Quote(s), "\ufffd", `\uFFFD`)
}

func quotePart(s string) string {
	return strings.ReplaceAll(keypath.QuotePart(s), "\ufffd", `\uFFFD`)
}

// read completes a raw value: it must be one value and nothing else.
func (v Value) read(d Dialect) (Value, error) {
	if v.err != nil {
		return v, v.err
	}
	if v.want != nil {
		return v, nil
	}
	if v.text == "" {
		return v, fmt.Errorf("no value given")
	}
	f, problems := Parse("value", []byte("v = "+v.text), d)
	if f.refusal != nil {
		return v, fmt.Errorf("%s is no TOML value: %s", quote(v.text), f.refusal.Summary)
	}
	if len(f.entries) == 0 || f.entries[0].value != (span{4, len(f.text)}) || len(f.heads) > 1 || len(problems) > 0 {
		return v, fmt.Errorf("%s is not one TOML value", quote(v.text))
	}
	v.want = f.root.Get("v")
	return v, nil
}
