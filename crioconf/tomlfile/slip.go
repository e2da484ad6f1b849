package tomlfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// What follows turns faults into sentences a person can act on, and finds the
// place where reading can go on.

// lineTextEnd returns the end of the text of the line that holds offset: without
// its break and trailing blanks.
func (p *parser) lineTextEnd(offset int) int {
	line := p.text[offset:p.file.lines.lineEnd(offset)]
	return offset + len(strings.TrimRight(line, " \t\r\n"))
}

// rest returns the stretch from offset to the end of its line, without a
// comment.
func (p *parser) rest(offset int) span {
	end := p.lineTextEnd(offset)
	if i := strings.Index(p.text[offset:end], " #"); i >= 0 {
		end = offset + len(strings.TrimRight(p.text[offset:offset+i], " \t"))
	}
	return span{offset, max(end, offset)}
}

func (p *parser) of(s span) string { return p.text[s.start:s.end] }

// skipLine gives up the statement and goes to the end of the line.
func (p *parser) skipLine() {
	if p.atLine {
		p.atLine = false
		return
	}
	if p.pos < len(p.text) {
		p.pos = max(p.pos, p.file.lines.lineEnd(p.pos))
	}
}

// resume goes to the next byte of stops on the line, after a fault in an array
// or inline table.
func (p *parser) resume(stops string) bool {
	if p.atLine || p.giveUp || p.pos >= len(p.text) {
		return false
	}
	i := strings.IndexAny(p.text[p.pos:], stops+"\n")
	if i < 0 {
		return false
	}
	p.pos += i
	return p.text[p.pos] != '\n' || strings.Contains(stops, "]")
}

// strayStatement tells whether a statement of the top level begins here, at the
// start of a line, where a value or a comma is due.
func (p *parser) strayStatement() bool {
	i := p.pos
	for i > 0 && (p.text[i-1] == ' ' || p.text[i-1] == '\t') {
		i--
	}
	return i > 0 && p.text[i-1] == '\n' && p.strayStatementAt(p.pos)
}

func (p *parser) strayStatementAt(pos int) bool {
	line := strings.TrimLeft(p.text[pos:p.lineTextEnd(pos)], " \t")
	if name, ok := strings.CutPrefix(line, "["); ok {
		name = strings.TrimLeft(name, "[ \t")
		end := strings.IndexByte(name, ']')
		if end <= 0 {
			return false
		}
		name = strings.TrimRight(name[:end], " \t")
		return name != "true" && name != "false" && name != "inf" && name != "nan" &&
			!isDigit(name[0]) && name[0] != '-' && strings.IndexFunc(name, func(r rune) bool {
			return r > 0x7f || !isBare(byte(r)) && r != '.'
		}) < 0
	}
	i := 0
	for i < len(line) && (isBare(line[i]) || line[i] == '.') {
		i++
	}
	return i > 0 && strings.HasPrefix(strings.TrimLeft(line[i:], " \t"), "=")
}

// unclosed reports an array or inline table that is still open where the next
// statement begins.
func (p *parser) unclosed(open int, what, closer string, t target) bool {
	p.refuseKey(t.path, open, open+1, what+" is not closed", fmt.Sprintf("Close it with %s.", closer))
	p.atLine = true
	return false
}

func (p *parser) extraComma() {
	p.refuse(p.pos, p.pos+1, "comma without a value before it", "Delete it.")
	p.pos++
}

// missingComma reports that the comma or closer is due here, and goes on as if
// the comma stood there when a value follows.
func (p *parser) missingComma(closer string) bool {
	c := p.text[p.pos]
	if strings.IndexByte("]})=:", c) >= 0 {
		p.refuse(p.pos, p.pos+1, fmt.Sprintf("%s where a comma or %s is due", quote(string(c)), closer), "Close the list before it, or delete it.")
		return p.resume("," + closer)
	}
	p.refuse(p.pos, p.charEnd(p.pos), fmt.Sprintf("comma or %s is missing before %s", closer, quote(p.word(p.pos))),
		"Write a comma between two values; texts need quotes.")
	return true
}

func (p *parser) charEnd(i int) int {
	if i >= len(p.text) {
		return i
	}
	_, size := utf8.DecodeRuneInString(p.text[i:])
	return i + size
}

// word returns what stands at offset up to the next blank or separator.
func (p *parser) word(offset int) string {
	return p.text[offset:max(bareEnd(p.text, offset), p.charEnd(offset))]
}

// trailing reports text after a complete header or value.
func (p *parser) trailing(what string) {
	at := p.rest(p.pos)
	hint := "Put one statement on each line; comments begin with #."
	switch c := p.text[p.pos]; {
	case what == "the header":
		hint = "Write the key on the line below the header."
	case c == ',' || c == ';':
		hint = fmt.Sprintf("Delete the %s: nothing ends a line in TOML.", quote(string(c)))
	case strings.HasPrefix(p.text[p.pos:], "//"):
		hint = "Begin the comment with #."
	}
	if at.empty() {
		at.end = p.charEnd(at.start)
	}
	p.refuse(at.start, at.end, fmt.Sprintf("%s after %s", quote(p.of(at)), what), hint)
	p.skipLine()
}

// badHeader reports a header that is not closed. It tells whether the name is
// good all the same.
func (p *parser) badHeader(start int, array bool, parts []part) bool {
	brackets := [2]string{"[", "]"}
	if array {
		brackets = [2]string{"[[", "]]"}
	}
	right := brackets[0] + pathOf(parts).String() + brackets[1]
	at := p.rest(start)
	if c := p.peek(); p.pos < at.end && c != ' ' && c != '\t' {
		p.refuse(p.pos, p.charEnd(p.pos), fmt.Sprintf("%s in the header %s", quote(string(p.charAt(p.pos))), quote(p.of(at))),
			"Write [name] or [name.name]. A list stands behind a key and an equals sign; other names than words need quotes.")
		return false
	}
	p.refuse(at.start, at.end, fmt.Sprintf("header %s is not closed", quote(p.of(at))), "Write "+right+".")
	return true
}

func (p *parser) charAt(i int) rune {
	r, _ := utf8.DecodeRuneInString(p.text[i:])
	return r
}

func pathOf(parts []part) keypath.Path {
	var path keypath.Path
	for _, part := range parts {
		path = append(path, part.name)
	}
	return path
}

func (p *parser) badHeaderPart(before []part) {
	line := p.file.lines.lineStart(p.pos)
	at := p.rest(line)
	if p.atTemplate() {
		p.reportTemplate(at)
		return
	}
	if len(before) == 0 {
		p.prose = append(p.prose, line)
	}
	p.refuse(p.pos, max(p.charEnd(p.pos), p.pos), fmt.Sprintf("a name is missing in the header %s", quote(strings.TrimSpace(p.of(at)))),
		"Write [table] or [table.subtable]; names with other characters than letters, digits, - and _ need quotes.")
}

// badKeyPart reports a statement that does not begin with a key, or a key that
// ends in a dot.
func (p *parser) badKeyPart(before []part) {
	at := p.rest(p.pos)
	if at.empty() {
		at.end = p.charEnd(at.start)
	}
	text := p.of(at)
	if len(before) > 0 {
		p.refuse(p.pos, p.charEnd(p.pos), fmt.Sprintf("a part is missing in the key after %s", quote(pathOf(before).String()+".")),
			"Write names with one dot between them.")
		return
	}
	if p.atTemplate() {
		p.reportTemplate(at)
		return
	}
	switch {
	case strings.HasPrefix(text, "<<<<<<<") || strings.HasPrefix(text, "=======") || strings.HasPrefix(text, ">>>>>>>"):
		p.refuse(at.start, at.end, "a merge conflict was left in the file", "Choose one side and delete the marker lines.")
	case text[0] == '=':
		p.refuse(at.start, at.start+1, "no key before the equals sign", "Write key = value.")
	case text[0] == ';' || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*"):
		p.refuse(at.start, at.end, fmt.Sprintf("%s is no comment in TOML", quote(text)), "Begin comments with #.")
	default:
		p.prose = append(p.prose, at.start)
		p.refuse(at.start, at.end, fmt.Sprintf("%s is no key and no header", quote(text)),
			"Write key = value or [table]; comments begin with #.")
	}
}

// badSeparator reports what stands where the equals sign is due. A colon is
// taken for it when a value follows.
func (p *parser) badSeparator(start int, parts []part) bool {
	key := pathOf(parts).String()
	switch c := p.peek(); {
	case p.pos >= len(p.text) || c == '\n' || c == '\r' || c == '#':
		p.prose = append(p.prose, start)
		p.refuse(start, parts[len(parts)-1].end, fmt.Sprintf("key %s has no value", quote(p.text[start:parts[len(parts)-1].end])),
			fmt.Sprintf("Write %s = value, or put # before the line.", key))
		return false
	case c == ':':
		return p.colon(start, parts)
	case p.depth > 0:
		p.refuse(start, parts[len(parts)-1].end, fmt.Sprintf("key %s has no value", quote(key)), fmt.Sprintf("Write %s = value.", key))
		return false
	}
	at := p.rest(start)
	text := p.of(at)
	switch first := parts[0].name; {
	case p.atTemplate():
		p.reportTemplate(at)
	case len(parts) == 1 && (first == "export" || first == "set" || first == "echo" || first == "sudo" || first == "cat"):
		p.structure++
		p.refuse(at.start, at.end, fmt.Sprintf("shell command %s", quote(text)), "Write key = value without "+first+".")
	case strings.Contains(text, "="):
		p.structure++
		name := strings.TrimSpace(text[:strings.IndexByte(text, '=')])
		p.refuse(p.pos, p.charEnd(p.pos), fmt.Sprintf("%s after the key %s where = is due", quote(p.word(p.pos)), quote(key)),
			"A key is one word. A name like "+quote(name)+" would have to stand in quotes.")
	default:
		p.prose = append(p.prose, start)
		p.refuse(at.start, at.end, fmt.Sprintf("%s is no key and no header", quote(text)),
			"Write key = value or [table]; comments begin with #.")
	}
	return false
}

// colon reports key: value.
func (p *parser) colon(start int, parts []part) bool {
	at := p.pos
	value := p.of(p.rest(at + 1))
	value = strings.TrimLeft(value, "= \t")
	good := value != "" && valueLike(value, p.d)
	if !good && strings.ContainsAny(value, " \t") || value == "" {
		p.prose = append(p.prose, start)
	} else {
		p.structure++
	}
	right := value
	if !good {
		right = keypath.Quote(value)
	}
	if value == "" {
		right = "value"
	}
	path := p.base
	for _, part := range parts {
		path = path.to(part.name)
	}
	if p.depth > 0 {
		path = nil // the path of the inline table is not known here
	}
	p.refuseKey(path, at, at+1, fmt.Sprintf("colon after the key %s where = is due", quote(p.text[start:parts[len(parts)-1].end])),
		fmt.Sprintf("Write: %s = %s", pathOf(parts), right))
	if !good {
		return false
	}
	p.structure-- // counted as a statement
	p.pos++
	if p.peek() == '=' {
		p.pos++
	}
	return true
}

// valueLike tells whether text begins as a value does.
func valueLike(text string, d Dialect) bool {
	switch text[0] {
	case '"', '\'', '[', '{':
		return !strings.HasPrefix(text, "{{") && !strings.HasPrefix(text, "{%")
	}
	return readLiteral(text, d).typ != Invalid
}

// dottedForm notes a dotted key, with the header that does the same.
func (p *parser) dottedForm(parts []part) {
	if formDottedKey.in(p.d) {
		return
	}
	above := append(p.file.heads[len(p.file.heads)-1].path(), pathOf(parts[:len(parts)-1])...)
	p.useAs(formDottedKey, parts[0].start, parts[len(parts)-1].end,
		fmt.Sprintf("dotted key %s", pathOf(parts)), fmt.Sprintf(forms[formDottedKey].hint, above))
}

// atTemplate tells whether a marker of a template language stands here.
func (p *parser) atTemplate() bool {
	rest := p.text[p.pos:]
	return strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "{%") || strings.HasPrefix(rest, "<%")
}

const unrendered = "the file is a template that was not rendered: "

// reportTemplate reports the first template line of a file; the others say no
// more.
func (p *parser) reportTemplate(at span) {
	p.structure++
	p.templates++
	if p.templates > 1 {
		return
	}
	p.refuse(at.start, at.end, unrendered+quote(p.of(at)),
		"Render the template and install the result.")
}

func (p *parser) badString(q quoted, key *trail) *Node {
	var in dialectSet
	var v *Node
	for d := oldest; d <= newest; d++ {
		if other := lexQuoted(p.text, q.start, d, key == nil); other.fault == nil {
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
