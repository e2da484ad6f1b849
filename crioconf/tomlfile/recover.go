package tomlfile

import "strings"

// What follows finds the place where reading can go on after a fault.

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
