package tomlfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// What follows reports text that is no value.

// badString reports a string that p.d refuses, as a matter of dialect when
// another reads it.
func (p *parser) badString(q quoted, key *trail) *Node {
	var in dialectSet
	var v *Node
	for d := oldest; d <= newest; d++ {
		other := lexQuoted(p.text, q.start, d, key == nil)
		if other.fault == nil && p.endsHere(other.end) && allowedBytes(p.of(other.span), d) {
			in |= 1 << d
			v = &Node{Type: String, Str: other.value}
		}
	}
	if v == nil {
		p.refuseKey(key, q.fault.start, q.fault.end, q.fault.summary, q.fault.hint)
		return &Node{}
	}
	p.foreign(in, key, q.fault.span, q.fault.summary, q.fault.hint)
	return v
}

// endsHere tells whether a token can end at offset.
func (p *parser) endsHere(offset int) bool {
	rest := strings.TrimLeft(p.text[offset:], " \t")
	return rest == "" || strings.IndexByte("\r\n#,]}=.", rest[0]) >= 0
}

// allowedBytes tells whether d lets the bytes of a string pass that it searches
// the whole file for.
func allowedBytes(s string, d Dialect) bool {
	if d == V0_3_1 {
		return true
	}
	if !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) && !formReplacement.in(d) {
		return false
	}
	return !d.checksBytes() || strings.IndexFunc(s, func(r rune) bool { return r < utf8.RuneSelf && isControl(byte(r)) }) < 0
}

func (p *parser) noValue(t target) (*Node, bool) {
	at := max(t.leaf.start, 0)
	end := min(p.pos, p.lineTextEnd(at))
	if t.element {
		at, end = p.pos, p.charEnd(p.pos)
	}
	p.refuseKey(t.path, at, max(end, at), fmt.Sprintf("%s has no value", t.path.path()),
		`Write the value behind the equals sign, "" for an empty string; or put # before the line.`)
	return &Node{}, false
}

// bareValue returns the stretch that was meant as one unquoted value.
func (p *parser) bareValue(t target) span {
	stops := "\n\r"
	switch {
	case t.element:
		stops = ",]\n\r"
	case p.depth > 0:
		stops = ",}\n\r"
	}
	end := len(p.text)
	if i := strings.IndexAny(p.text[p.pos:], stops); i >= 0 {
		end = p.pos + i
	}
	if i := strings.Index(p.text[p.pos:end], " #"); i >= 0 {
		end = p.pos + i
	}
	end = p.pos + len(strings.TrimRight(p.text[p.pos:end], " \t"))
	return span{p.pos, max(end, p.charEnd(p.pos))}
}

// badLiteral reports a word or number that p.d does not read.
func (p *parser) badLiteral(t target, l literal) (*Node, bool) {
	var in dialectSet
	var v *Node
	end := p.pos
	for d := oldest; d <= newest; d++ {
		e := literalEnd(p.text, p.pos, d)
		if other := readLiteral(p.text[p.pos:e], d); other.typ != Invalid {
			in |= 1 << d
			v, end = other.node(), e
		}
	}
	if v == nil {
		return p.badValueBecause(t, l.fault)
	}
	at := span{p.pos, end}
	p.foreign(in, t.path, at, fmt.Sprintf("%s %s in a form that this CRI-O's decoder does not read", v.Type, quote(p.of(at))), literalHint(p.of(at), v, l))
	p.pos = end
	return v, true
}

func literalHint(tok string, v *Node, l literal) string {
	switch {
	case l.fault == "leading zeros":
		return "Write the number without leading zeros."
	case v.Type == Datetime:
		return "Put " + quote(tok) + " in quotes if it is meant as text."
	}
	return "Write a decimal number, or put " + quote(tok) + " in quotes if it is meant as text."
}

func (p *parser) badValue(t target) (*Node, bool) { return p.badValueBecause(t, "") }

// badValueBecause reports what is no value, and reads over it.
func (p *parser) badValueBecause(t target, fault string) (*Node, bool) {
	at := p.bareValue(t)
	text := p.of(at)
	if p.atTemplate() {
		p.reportTemplate(p.rest(p.pos))
		p.pos = p.rest(p.pos).end
		p.atLine = false
		return &Node{}, false
	}
	s := explain(text, fault)
	if s.width > 0 {
		at.end = at.start + s.width
	}
	p.refuseKey(t.path, at.start, at.end, s.summary, p.corrected(t, s))
	p.pos = max(at.end, p.bareValue(t).end)
	return &Node{}, true
}

// corrected makes the hint of a slip: the right line where there is one.
func (p *parser) corrected(t target, s slip) string {
	if s.right == "" {
		return s.hint
	}
	if t.element || p.depth > 0 {
		return "Write " + s.right + s.hint
	}
	return fmt.Sprintf("Write: %s = %s%s", keypath.QuotePart(t.leaf.name), s.right, s.hint)
}
