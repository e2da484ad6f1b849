// Package keypath names a key of a CRI-O configuration and says whether two
// names are the same to CRI-O.
//
// A path is a list of parts, written with dots: crio.runtime.log_level. A part
// that TOML could not write bare is quoted: crio.runtime.runtimes."my.name".
package keypath

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Path is the list of parts from the root table to a key. The empty path is
// the root table.
type Path []string

// Parse reads a dotted path. Parts may be quoted as in TOML, with "basic" or
// 'literal' quotes; blanks around dots are ignored.
func Parse(s string) (Path, error) {
	var p Path
	rest := strings.TrimSpace(s)
	if rest == "" {
		return nil, fmt.Errorf("empty key path")
	}
	for {
		part, after, err := parsePart(rest)
		if err != nil {
			return nil, fmt.Errorf("key path %q: %w", s, err)
		}
		p = append(p, part)
		rest = strings.TrimLeft(after, " \t")
		if rest == "" {
			return p, nil
		}
		if rest[0] != '.' {
			return nil, fmt.Errorf("key path %q: unexpected %q after %q", s, rest, part)
		}
		rest = strings.TrimLeft(rest[1:], " \t")
	}
}

// MustParse is Parse for paths that stand in the program's text. It panics on
// a bad path.
func MustParse(s string) Path {
	p, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return p
}

func parsePart(s string) (part, rest string, err error) {
	switch {
	case s == "":
		return "", "", fmt.Errorf("a part is missing at the end")
	case s[0] == '\'':
		end := strings.IndexByte(s[1:], '\'')
		if end < 0 {
			return "", "", fmt.Errorf("unclosed quote")
		}
		return s[1 : 1+end], s[end+2:], nil
	case s[0] == '"':
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", fmt.Errorf("unclosed quote")
		}
		u, err := strconv.Unquote(q)
		if err != nil || !utf8.ValidString(u) {
			return "", "", fmt.Errorf("bad quoted part %s", q)
		}
		return u, s[len(q):], nil
	}
	end := strings.IndexAny(s, ". \t\"'")
	if end < 0 {
		end = len(s)
	}
	if end == 0 {
		return "", "", fmt.Errorf("a part is empty")
	}
	for _, r := range s[:end] {
		// The star stands for a free name in the paths of the schema.
		if !bare(r) && r != '*' {
			return "", "", fmt.Errorf("%q needs quotes", s[:end])
		}
	}
	return s[:end], s[end:], nil
}

func bare(r rune) bool {
	return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// QuotePart returns part as TOML writes it: bare where it can be.
func QuotePart(part string) string {
	if part == "" || part != "*" && strings.IndexFunc(part, func(r rune) bool { return !bare(r) }) >= 0 {
		return Quote(part)
	}
	return part
}

// Quote returns s as a TOML basic string: double quotes, control characters as
// \uXXXX but for the short escapes that every TOML release knows.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// String returns the path with dots between its parts, quoting those that need
// it. Parse(p.String()) gives p back.
func (p Path) String() string {
	parts := make([]string, len(p))
	for i, part := range p {
		parts[i] = QuotePart(part)
	}
	return strings.Join(parts, ".")
}

// Equal reports whether p and q have the same parts, letter by letter.
func (p Path) Equal(q Path) bool { return slices.Equal(p, q) }

// EqualFold reports whether p and q are the same key to CRI-O's decoder, which
// falls back to a comparison that ignores letter case.
func (p Path) EqualFold(q Path) bool { return slices.EqualFunc(p, q, strings.EqualFold) }

// HasPrefix reports whether q is p or a table above p.
func (p Path) HasPrefix(q Path) bool { return len(p) >= len(q) && p[:len(q)].Equal(q) }

// Match reports whether p is named by the pattern q, in which a part "*" stands
// for any name. Letter case counts.
func (p Path) Match(q Path) bool {
	return slices.EqualFunc(p, q, func(a, b string) bool { return b == "*" || a == b })
}

// Child returns a new path: p and the further parts.
func (p Path) Child(parts ...string) Path { return append(slices.Clip(slices.Clone(p)), parts...) }

// Parent returns the path of the table that p stands in. The parent of the
// empty path is the empty path.
func (p Path) Parent() Path { return p[:max(0, len(p)-1)] }

// Leaf returns the last part, or "" for the empty path.
func (p Path) Leaf() string {
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1]
}

// Compare orders paths part by part, bytewise.
func Compare(p, q Path) int { return slices.Compare(p, q) }
