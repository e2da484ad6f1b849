package tomlfile

// array reads [ … ].
func (p *parser) array(t target) (*Node, bool) {
	v := &Node{Type: Array}
	if p.tooDeep() {
		return v, false
	}
	open := p.pos
	p.depth++
	p.arrays++
	ok := p.elements(t, v, open)
	p.depth--
	p.arrays--
	return v, ok
}

func (p *parser) elements(t target, v *Node, open int) bool {
	t.entry, t.element = -1, true
	if t.at.note != nil {
		p.tree.setArray(t.at, t.leaf.name, true)
	}
	p.pos++
	for {
		if p.refusals > maxProblems {
			p.giveUp = true
		}
		if p.giveUp || !p.arrayGap(open, t) {
			return false
		}
		switch p.text[p.pos] {
		case ']':
			p.pos++
			p.checkMixed(v, open)
			return true
		case ',':
			p.extraComma()
			continue
		}
		if p.strayStatement() {
			return p.unclosed(open, "array", "]", t)
		}
		e, ok := p.value(t)
		v.Elems = append(v.Elems, e)
		if !ok && !p.resume(",]") {
			return false
		}
		if !p.arrayGap(open, t) {
			return false
		}
		switch p.text[p.pos] {
		case ',':
			p.pos++
		case ']':
		default:
			if p.strayStatement() {
				return p.unclosed(open, "array", "]", t)
			}
			if !p.missingComma("]") {
				return false
			}
		}
	}
}

// arrayGap reads blanks, line breaks and comments in an array. At the end of
// the text it reports that the array is not closed.
func (p *parser) arrayGap(open int, t target) bool {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t':
			p.pos++
		case '\n', '\r':
			p.lineBreak()
		case '#':
			p.comment()
		default:
			return true
		}
	}
	return p.unclosed(open, "array", "]", t)
}

// checkMixed notes an array whose values have several types.
func (p *parser) checkMixed(v *Node, open int) {
	if len(v.Elems) < 2 || formMixedArray.in(p.d) {
		return
	}
	for _, e := range v.Elems[1:] {
		if e.Type != v.Elems[0].Type && e.Type != Invalid && v.Elems[0].Type != Invalid {
			p.use(formMixedArray, open, p.pos)
			return
		}
	}
}

// inline reads { … }. What it returns holds the keys as an array would show
// them; outside of arrays the tree's own table counts.
func (p *parser) inline(t target) (*Node, bool) {
	if p.atTemplate() {
		return p.badValue(t)
	}
	v := &Node{Type: Table, made: byInline}
	if p.tooDeep() {
		return v, false
	}
	inner := scope{node: v} // without notes: 0.3.1 keeps none
	if p.d.checksInline() {
		inner = p.enterInline(t)
	}
	p.depth++
	ok := p.members(inner, v, t)
	p.depth--
	return v, ok
}

// enterInline makes the table that the keys of an inline table go to.
func (p *parser) enterInline(t target) scope {
	p.tree.child(t.at.note, t.leaf.name).implicit = true
	made := p.tableNode(t.leaf.span, span{p.pos, p.pos}, byInline)
	s, o, old := p.tree.enter(t.at, t.leaf.name, made, t.element)
	switch o {
	case duplicate, blocked:
		if t.element { // otherwise the table itself is reported when it is stored
			p.duplicateKey(t.path, t.leaf.span, old)
		}
		s.node = &Node{Type: Table}
	}
	return s
}

// members reads the keys of an inline table.
func (p *parser) members(inner scope, v *Node, t target) bool {
	open, broken := p.pos, -1
	p.pos++
	for {
		if p.refusals > maxProblems {
			p.giveUp = true
		}
		if p.giveUp || !p.inlineGap(open, &broken, t) {
			return false
		}
		switch p.text[p.pos] {
		case '}':
			p.pos++
			return true
		case ',':
			p.extraComma()
			continue
		}
		if inner.node.table() == nil { // the name has a value already
			p.duplicateKey(t.path, t.leaf.span, inner.node)
			inner.node = &Node{Type: Table}
		}
		if !p.member(inner, v, t) && !p.resume(",}") {
			return false
		}
		if !p.inlineGap(open, &broken, t) {
			return false
		}
		switch p.text[p.pos] {
		case '}':
		case ',':
			comma := p.pos
			p.pos++
			if !p.inlineGap(open, &broken, t) {
				return false
			}
			if p.text[p.pos] == '}' {
				p.use(formInlineComma, comma, comma+1)
			}
		default:
			if p.strayStatement() {
				return p.unclosed(open, "inline table", "}", t)
			}
			if !p.missingComma("}") {
				return false
			}
		}
	}
}

// member reads one key and value of an inline table.
func (p *parser) member(inner scope, v *Node, t target) bool {
	start := p.pos
	parts, ok := p.key(false)
	if !ok || !p.separator(start, parts) {
		return false
	}
	i := -1
	if p.arrays == 0 && t.entry >= 0 {
		i = len(p.file.entries)
		p.file.entries = append(p.file.entries, entry{
			head: len(p.file.heads) - 1, outer: t.entry, parts: parts,
		})
	}
	m, ok := p.assign(inner, parts, t.path, i)
	if inner.note != nil {
		p.show(v, parts, m, t)
	}
	return ok
}

// show adds a member to what the library returns for an inline table, which is
// what counts in arrays.
func (p *parser) show(v *Node, parts []part, m *Node, t target) {
	leaf := parts[len(parts)-1]
	if p.d.flattensInline() {
		if len(parts) > 1 && p.arrays > 0 {
			p.shortened(t.path, parts)
		}
		v.put(leaf.name, m)
		return
	}
	for _, part := range parts[:len(parts)-1] {
		next := v.Get(part.name)
		if next == nil {
			next = p.tableNode(part.span, part.span, byDots)
			v.put(part.name, next)
		}
		if next.Type != Table {
			p.notTable(t.path.to(part.name), part.span, next)
			return
		}
		v = next
	}
	v.put(leaf.name, m)
}

// inlineGap reads the space between the parts of an inline table. Line breaks
// and comments are for the newest releases; broken is the index of the problem
// that says so for this table, or -1.
func (p *parser) inlineGap(open int, broken *int, t target) bool {
	for p.pos < len(p.text) {
		at := p.pos
		switch p.text[p.pos] {
		case ' ', '\t':
			p.pos++
		case '\n', '\r':
			p.lineBreak()
			p.refuseOnce(formInlineNewline, at, p.pos, broken)
			if p.strayStatementAt(p.pos) && !formInlineNewline.in(p.d) {
				return p.unclosedInline(open, *broken, t)
			}
		case '#':
			p.comment()
			p.refuseOnce(formInlineComment, at, p.pos, broken)
		default:
			return true
		}
	}
	return p.unclosedInline(open, *broken, t)
}

func (p *parser) refuseOnce(f form, start, end int, broken *int) {
	if f.in(p.d) || *broken >= 0 {
		return
	}
	*broken = len(p.problems)
	p.use(f, start, end)
}

// unclosedInline reports an inline table that is not closed, in place of the
// line break in it.
func (p *parser) unclosedInline(open, broken int, t target) bool {
	if broken >= 0 && broken < len(p.problems) {
		p.problems = append(p.problems[:broken], p.problems[broken+1:]...)
		p.refusals--
	}
	return p.unclosed(open, "inline table", "}", t)
}
