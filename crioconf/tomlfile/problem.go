package tomlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

const refusedDetail = "CRI-O refuses the file and does not start."

// note adds a problem and returns it for further filling.
func (p *parser) note(c diag.Code, s diag.Severity, e diag.Effect, key keypath.Path, at span, summary, hint string) *diag.Diagnostic {
	if e == diag.Refused {
		p.refusals++
	}
	p.counts[c]++
	if p.counts[c] > maxProblems {
		return &diag.Diagnostic{} // enough of them
	}
	p.problems = append(p.problems, diag.Diagnostic{
		Code: c, Severity: s, Effect: e, Key: key, Summary: summary, Hint: hint, Range: p.file.rangeOf(at),
	})
	d := &p.problems[len(p.problems)-1]
	if e == diag.Refused {
		d.Detail = refusedDetail
	}
	return d
}

// refuse adds a syntax error. Where the byte itself is one that the whole file
// is searched for, that search reports it.
func (p *parser) refuse(start, end int, summary, hint string) {
	if p.d.checksBytes() && p.illegalAt(start) {
		p.refusals++
		return
	}
	p.note(diag.TOMLSyntax, diag.Error, diag.Refused, nil, span{start, end}, summary, hint)
}

// refuseKey is refuse for the value of a key.
func (p *parser) refuseKey(key *trail, start, end int, summary, hint string) {
	n := len(p.problems)
	p.refuse(start, end, summary, hint)
	if len(p.problems) > n {
		p.problems[n].Key = key.path()
	}
}

// use notes a form that p.d may not accept, or that TOML forbids although p.d
// accepts it. It reports whether it added a problem.
func (p *parser) use(f form, start, end int) bool {
	return p.useAs(f, start, end, forms[f].summary, forms[f].hint)
}

func (p *parser) useAs(f form, start, end int, summary, hint string) bool {
	at := span{start, end}
	switch {
	case !f.in(p.d):
		p.foreign(forms[f].in, nil, at, summary, hint)
	case !forms[f].standard:
		p.note(diag.TOMLNonstandard, diag.Warning, diag.None, nil, at, summary, hint).Detail =
			"CRI-O accepts it with this release of its decoder, other releases do not."
	default:
		return false
	}
	return true
}

// foreign adds the problem of a text that other dialects accept.
func (p *parser) foreign(in dialectSet, key *trail, at span, summary, hint string) {
	d := p.note(diag.TOMLDialect, diag.Error, diag.Refused, key.path(), at, summary, hint)
	d.Since, d.Until = in.window(p.d)
}

// lost reports a value that the decoder drops without an error. at is where it
// happens; old is the value that is concerned, if there is one.
func (p *parser) lost(key *trail, at span, old *Node, why string) {
	d := p.note(diag.LostValue, diag.Error, diag.Ignored, key.path(), at,
		fmt.Sprintf("%s is defined twice, and one value is lost without an error", key.path()),
		"Keep one of the two.")
	d.Detail = strings.ToUpper(why[:1]) + why[1:] + "."
	if old != nil {
		d.Related = p.first(old)
	}
}

// shortened reports a dotted key whose first parts the decoder drops.
func (p *parser) shortened(table *trail, parts []part) {
	leaf := parts[len(parts)-1]
	at := span{parts[0].start, leaf.end}
	p.note(diag.LostValue, diag.Error, diag.Ignored, table.path(), at,
		fmt.Sprintf("dotted key %s in an array is read as %s", pathOf(parts), keypath.QuotePart(leaf.name)),
		"Write an inline table for each dot.").Detail = "The decoder drops all but the last part of the key."
}

// first points to the earlier of two definitions.
func (p *parser) first(old *Node) []diag.Related {
	at := old.Key
	if at.IsZero() || old.made == byHeader {
		at = old.Range
	}
	if at.IsZero() {
		return nil
	}
	return []diag.Related{{Range: at, Message: "first defined here"}}
}

// nonstandard warns of what TOML forbids and the decoder accepts.
func (p *parser) nonstandard(key *trail, at span, what string, old *Node) {
	d := p.note(diag.TOMLNonstandard, diag.Warning, diag.None, key.path(), at,
		fmt.Sprintf("%s: %s", key.path(), what), "Write each table in one way only.")
	d.Detail = "CRI-O accepts it, but TOML forbids it and other programs refuse the file."
	d.Related = p.first(old)
}

// duplicateKey reports the second definition of a key.
func (p *parser) duplicateKey(key *trail, at span, old *Node) {
	p.note(diag.DuplicateKey, diag.Error, diag.Refused, key.path(), at,
		fmt.Sprintf("%s is defined twice", key.path()), "Delete one of the two.").Related = p.first(old)
}

// duplicateTable reports the second header of a table.
func (p *parser) duplicateTable(key *trail, h head, old *Node) {
	path := key.path()
	summary := fmt.Sprintf("table %s is defined twice", path)
	hint := fmt.Sprintf("Move these keys below the first [%s] and delete this header.", path)
	switch {
	case h.array && old.Type == Table:
		summary = fmt.Sprintf("[[%s]] stands for a list, but %s is a table already", path, path)
		hint = "Write the header with single brackets, once."
	case old.table() == nil:
		summary = fmt.Sprintf("%s has a value and cannot be a table as well", path)
		hint = "Delete the key or the header."
	case old.Type == ArrayOfTables:
		summary = fmt.Sprintf("[%s] is a table, but [[%s]] has made it a list", path, path)
		hint = "Write both headers in the same way."
	case old.made == byInline:
		hint = "Delete the inline table or the header."
	}
	p.note(diag.DuplicateTable, diag.Error, diag.Refused, path, h.span, summary, hint).Related = p.first(old)
}

// notTable reports a key or header that needs a table where a value stands.
func (p *parser) notTable(key *trail, at span, old *Node) {
	d := p.note(diag.DuplicateKey, diag.Error, diag.Refused, key.path(), at,
		fmt.Sprintf("%s has a value and cannot hold keys", key.path()), "Delete the value, or move the keys elsewhere.")
	if old != nil {
		d.Related = p.first(old)
	}
}

// checkSuper warns when a header reaches through a table that TOML has closed.
func (p *parser) checkSuper(key *trail, at span, n *Node) {
	if n.Type == Table && n.made == byInline {
		p.nonstandard(key, at, "a header adds to an inline table", n)
	}
}

// checkDotted warns when a dotted key adds to a table that was made otherwise.
func (p *parser) checkDotted(key *trail, at span, n *Node) {
	switch {
	case n.Type == ArrayOfTables:
		p.nonstandard(key, at, "a dotted key adds to an array of tables", n)
	case n.Type == Table && n.made == byInline:
		p.nonstandard(key, at, "a dotted key adds to an inline table", n)
	case n.Type == Table && n.made != byDots:
		p.nonstandard(key, at, "a dotted key adds to a table that has a header", n)
	}
}

func (p *parser) illegalAt(i int) bool {
	if i >= len(p.text) {
		return false
	}
	c := p.text[i]
	switch {
	case isControl(c):
		return true
	case c == '\r':
		return i+1 >= len(p.text) || p.text[i+1] != '\n'
	case c < utf8.RuneSelf:
		return false
	}
	r, size := utf8.DecodeRuneInString(p.text[i:])
	return r == utf8.RuneError && (size == 1 || !formReplacement.in(p.d))
}

// checkBytes reports what the decoder looks for in the file as a whole: bytes
// that are not UTF-8, and from 1.1.0 on control characters and stray carriage
// returns. Of each kind one is reported per line.
func (p *parser) checkBytes() {
	if p.d == V0_3_1 {
		return
	}
	last := map[form]int{}
	for i := p.file.lines.begin; i < p.limit; {
		c := p.text[i]
		if c < utf8.RuneSelf {
			if p.d.checksBytes() && p.illegalAt(i) {
				f := formControl
				if c == '\r' {
					f = formLoneReturn
				}
				p.illegal(f, i, i+1, last)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(p.text[i:])
		switch {
		case r != utf8.RuneError:
		case size == 1:
			end := i + 1
			for end < p.limit && p.text[end] >= utf8.RuneSelf && !utf8.FullRuneInString(p.text[end:]) {
				end++
			}
			p.illegal(formBadUTF8, i, i+1, last)
		default:
			p.illegal(formReplacement, i, i+size, last)
		}
		i += size
	}
}

func (p *parser) illegal(f form, start, end int, last map[form]int) {
	line := p.file.lines.line(start) + 1
	if last[f] == line {
		return
	}
	last[f] = line
	summary := forms[f].summary
	if f == formControl {
		summary += " " + charName(rune(p.text[start]))
	}
	p.useAs(f, start, end, summary, forms[f].hint)
}

// finish puts the problems in the order of the file and remembers the first
// that refuses it.
func (p *parser) finish() {
	slices.SortStableFunc(p.problems, func(a, b diag.Diagnostic) int {
		return cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset)
	})
	p.problems = slices.CompactFunc(p.problems, func(a, b diag.Diagnostic) bool {
		return a.Code == b.Code && a.Range == b.Range && a.Summary == b.Summary
	})
	for i := range p.problems {
		if p.problems[i].Effect == diag.Refused {
			p.file.refusal = &p.problems[i]
			break
		}
	}
	p.file.lost = p.counts[diag.LostValue]
	for i := range p.file.entries {
		if p.file.entries[i].node == nil {
			p.file.entries[i].node = &Node{}
		}
	}
}

// condense replaces many errors by one where the file as a whole is no TOML.
func (p *parser) condense() {
	if p.refusals == 0 {
		return
	}
	first := slices.IndexFunc(p.problems, func(d diag.Diagnostic) bool { return strings.HasPrefix(d.Summary, unrendered) })
	if p.templates > 1 && first >= 0 {
		// What else is wrong with it is not known before it is rendered.
		p.problems = p.problems[first : first+1]
		return
	}
	if strings.Count(p.text, "\x00") > 1 || p.gibberish() {
		hint := "Look at what wrote the file; restore it from a copy."
		if p.wide() {
			hint = "It looks like UTF-16: save it as UTF-8."
		}
		first := max(strings.IndexByte(p.text, 0), 0)
		p.replace(span{first, min(first+1, len(p.text))}, "the file is binary data, not TOML", hint)
		return
	}
	if n := len(p.prose); n >= 3 && n > p.structure {
		at := p.prose[0]
		p.replace(span{at, p.lineTextEnd(at)}, fmt.Sprintf("the file is not TOML: %d of its lines are no keys and no headers", n),
			"CRI-O reads every file in the drop-in directory; move this one elsewhere.")
	}
}

// wide tells whether the text looks like UTF-16: a mark, or every other byte
// zero.
func (p *parser) wide() bool {
	var zeros [2]int
	head := p.text[:min(len(p.text), 4096)]
	for i := range len(head) {
		if head[i] == 0 {
			zeros[i%2]++
		}
	}
	return p.file.lines.begin == 2 || min(zeros[0], zeros[1])*10 < max(zeros[0], zeros[1]) && max(zeros[0], zeros[1]) > len(head)/3
}

// gibberish tells whether more than one byte in ten at the start is of no text.
func (p *parser) gibberish() bool {
	head := p.text[p.file.lines.begin:]
	head = head[:min(len(head), 4096)]
	bad := 0
	for i, r := range head {
		if r == utf8.RuneError || r < utf8.RuneSelf && isControl(head[i]) {
			bad++
		}
	}
	return bad > 8 && bad*10 > len(head)
}

// replace leaves one problem, and a document without keys.
func (p *parser) replace(at span, summary, hint string) {
	p.problems, p.counts = nil, map[diag.Code]int{}
	p.note(diag.TOMLSyntax, diag.Error, diag.Refused, nil, at, summary, hint)
	f := p.file
	f.root, f.heads, f.entries = &Node{Type: Table}, make([]head, 1), nil
}
