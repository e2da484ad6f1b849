package tomlfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// What follows turns faults of statements into sentences a person can act on.

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
