package tomlfile

import "fmt"

// A Dialect is the language that one release of BurntSushi/toml accepts. CRI-O
// decodes its files with that library, so its release decides what is TOML.
// Later releases compare greater. The zero value is invalid.
type Dialect uint8

// The releases that CRI-O has vendored.
const (
	V0_3_1 Dialect = iota + 1
	V0_4_1
	V1_1_0
	V1_2_1
	V1_3_2
	V1_4_0
	V1_5_0
	V1_6_0
)

const (
	oldest = V0_3_1
	newest = V1_6_0
)

var dialectNames = [...]string{
	V0_3_1: "0.3.1",
	V0_4_1: "0.4.1",
	V1_1_0: "1.1.0",
	V1_2_1: "1.2.1",
	V1_3_2: "1.3.2",
	V1_4_0: "1.4.0",
	V1_5_0: "1.5.0",
	V1_6_0: "1.6.0",
}

// Dialects returns all dialects, oldest first.
func Dialects() []Dialect {
	var all []Dialect
	for d := oldest; d <= newest; d++ {
		all = append(all, d)
	}
	return all
}

// ParseDialect returns the dialect of a release, written as "1.5.0" or "v1.5.0".
func ParseDialect(release string) (Dialect, error) {
	for d := oldest; d <= newest; d++ {
		if release == dialectNames[d] || release == "v"+dialectNames[d] {
			return d, nil
		}
	}
	return 0, fmt.Errorf("no known release of BurntSushi/toml: %q", release)
}

// String returns the release without a leading v.
func (d Dialect) String() string {
	if d < oldest || d > newest {
		return fmt.Sprintf("dialect(%d)", uint8(d))
	}
	return dialectNames[d]
}

// A dialectSet is a set of dialects, one bit each.
type dialectSet uint16

func between(first, last Dialect) dialectSet {
	var s dialectSet
	for d := first; d <= last; d++ {
		s |= 1 << d
	}
	return s
}

func since(first Dialect) dialectSet { return between(first, newest) }

func (s dialectSet) has(d Dialect) bool { return s&(1<<d) != 0 }

// window returns the stretch of dialects that is most use to a person who has
// d: the next one that begins after d, else the last one before it. until is
// empty when the stretch is open.
func (s dialectSet) window(d Dialect) (first, until string) {
	start := Dialect(0)
	for e := d + 1; e <= newest && start == 0; e++ {
		if s.has(e) {
			start = e
		}
	}
	for e := d; e >= oldest && start == 0; e-- {
		if s.has(e) {
			start = e
			for start > oldest && s.has(start-1) {
				start--
			}
		}
	}
	if start == 0 {
		return "", ""
	}
	for e := start; e <= newest; e++ {
		if !s.has(e) {
			return start.String(), e.String()
		}
	}
	return start.String(), ""
}

// A form is a way of writing that not every dialect accepts.
type form uint8

const (
	formDottedKey form = iota
	formMark
	formWideMark
	formInlineNewline
	formInlineComment
	formInlineComma
	formMixedArray
	formTripleKey
	formLoneReturn
	formReplacement
	formBadUTF8
	formControl
)

// forms tells for each form which dialects accept it, whether TOML 1.0 or 1.1
// allows it, and what to say to a person.
var forms = [...]struct {
	in       dialectSet
	standard bool
	summary  string
	hint     string
}{
	formDottedKey: {since(V0_4_1), true, "dotted key", "Write the key below a header: [%s]"},
	formMark:      {since(V1_3_2), true, "the file begins with a UTF-8 byte order mark", "Save the file as UTF-8 without byte order mark."},
	formWideMark:  {since(V0_4_1), false, "the file begins with a UTF-16 byte order mark", "Save the file as UTF-8 without byte order mark."},
	formInlineNewline: {since(V1_6_0), true, "line break inside an inline table",
		"Put the inline table on one line, or use a [table] header."},
	formInlineComment: {since(V1_6_0), true, "comment inside an inline table",
		"Move the comment above the line."},
	formInlineComma: {between(V0_3_1, V0_3_1) | since(V1_6_0), true, "comma after the last key of an inline table",
		"Delete the comma before }."},
	formMixedArray: {since(V0_4_1), true, "values of several types in one array", "Give all values of the array one type."},
	formTripleKey:  {between(V0_3_1, V0_3_1), false, "multi-line string as a key", "Write the key with single quotes around it."},
	formLoneReturn: {between(V0_3_1, V0_4_1), false, "carriage return without line feed", "Use \\n or \\r\\n as line ending."},
	formReplacement: {between(V0_3_1, V0_3_1) | since(V1_4_0), true, "replacement character U+FFFD",
		"It usually stands for a character that was lost in a conversion: write the right one."},
	formBadUTF8: {between(V0_3_1, V0_3_1), false, "bytes that are not UTF-8", "Save the file as UTF-8."},
	formControl: {between(V0_3_1, V0_3_1), false, "control character", "Delete it, or write it as \\uXXXX in a double-quoted string."},
}

// What follows are the differences in meaning: the text is accepted, but the
// decoded tree is another.

// joinsNames: the decoder remembers tables by their names joined with dots, so
// that ["a.b"] and [a.b] share one memory.
func (d Dialect) joinsNames() bool { return d <= V0_4_1 }

// checksInline: keys of inline tables enter the document's tree one by one, so
// that a duplicate is noticed. 0.3.1 keeps the last.
func (d Dialect) checksInline() bool { return d >= V0_4_1 }

// flattensInline: a dotted key of an inline table in an array loses all but its
// last part.
func (d Dialect) flattensInline() bool { return d <= V1_3_2 }

// replacesArrays: a second definition of an array replaces the first without an
// error.
func (d Dialect) replacesArrays() bool { return d >= V0_4_1 && d <= V1_5_0 }

// checksBytes: control characters and stray carriage returns are refused
// everywhere in the file, not only where the grammar looks.
func (d Dialect) checksBytes() bool { return d >= V1_1_0 }

// stopsAtNUL: a NUL byte after a statement ends the file, and what follows is
// never read.
func (d Dialect) stopsAtNUL() bool { return d <= V0_4_1 }

// looksForNUL: the first six bytes are searched for NUL before all else.
func (d Dialect) looksForNUL() bool { return d >= V0_4_1 }

// foldsOldLines: line-ending backslashes of multi-line strings are taken out
// line by line, before the first line break is.
func (d Dialect) foldsOldLines() bool { return d >= V0_4_1 && d <= V1_2_1 }

// countsQuotes: up to two quotes may stand right before the closing three.
func (d Dialect) countsQuotes() bool { return d >= V0_4_1 }

func (f form) in(d Dialect) bool { return forms[f].in.has(d) }
