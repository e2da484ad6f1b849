package tomlfile

import "strings"

func isBare(c byte) bool {
	return c == '_' || c == '-' || isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// key reads a key with its dots, up to the byte that ends it. After a fault, the
// parts before it are returned.
func (p *parser) key(header bool) ([]part, bool) {
	var parts []part
	for {
		p.blanks()
		part, ok := p.keyPart(parts, header)
		if !ok {
			return parts, false
		}
		parts = append(parts, part)
		p.blanks()
		if p.peek() != '.' {
			return parts, true
		}
		p.pos++
	}
}

func (p *parser) keyPart(before []part, header bool) (part, bool) {
	start := p.pos
	if c := p.peek(); c == '"' || c == '\'' {
		return p.quotedPart()
	}
	for p.pos < len(p.text) && isBare(p.text[p.pos]) {
		p.pos++
	}
	if p.pos == start {
		if header {
			p.badHeaderPart(before)
		} else {
			p.badKeyPart(before)
		}
		return part{}, false
	}
	return part{p.text[start:p.pos], span{start, p.pos}}, true
}

func (p *parser) quotedPart() (part, bool) {
	start := p.pos
	if strings.HasPrefix(p.text[start:], `"""`) || strings.HasPrefix(p.text[start:], `'''`) {
		p.use(formTripleKey, start, start+3)
		q := lexQuoted(p.text, start, V0_3_1, false)
		p.pos = q.end
		if q.fault != nil {
			p.refuse(q.fault.start, q.fault.end, q.fault.summary, q.fault.hint)
		}
		return part{q.value, q.span}, q.closed
	}
	q := lexQuoted(p.text, start, p.d, true)
	p.pos = q.end
	if q.fault != nil {
		p.badString(q, nil)
	}
	return part{q.value, q.span}, q.closed
}

// separator reads the equals sign.
func (p *parser) separator(start int, parts []part) bool {
	if p.peek() == '=' {
		p.pos++
		return true
	}
	return p.badSeparator(start, parts)
}
