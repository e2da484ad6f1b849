package crio

import "strings"

// parseEnvFile reads an environment file as systemd does (systemd.exec(5),
// EnvironmentFile=): shell-like, but nothing is expanded. Values may be quoted,
// quoted parts and bare parts may follow each other, a backslash at the end of
// a line joins it with the next one. A line without "=" is skipped.
//
// systemd before 254 also joins a comment that ends in a backslash with the
// line after it. That line is taken as live here, so that a variable which may
// be set is not missed.
func parseEnvFile(src *source) []variable {
	p := envParser{rest: src.text(0, len(src.data))}
	for len(p.rest) > 0 {
		p.line()
	}
	return p.all
}

// A variable is one assignment of an environment variable.
type variable struct {
	name, value text
}

type envParser struct {
	rest text
	all  []variable
}

func (p *envParser) next() (c char) {
	c, p.rest = p.rest[0], p.rest[1:]
	return c
}

func newline(b byte) bool { return b == '\n' || b == '\r' }

// line reads one assignment, comment or faulty line.
func (p *envParser) line() {
	c := p.next()
	if blank(c.b) {
		return
	}
	if c.b == '#' || c.b == ';' {
		for len(p.rest) > 0 && !newline(p.next().b) {
		}
		return
	}
	name := text{c}
	for len(p.rest) > 0 {
		c := p.next()
		if newline(c.b) {
			return
		}
		if c.b == '=' {
			p.add(name.trim(), p.value())
			return
		}
		name = append(name, c)
	}
}

// add keeps the assignment unless its name could not be one of a variable:
// systemd skips "export A=b", whose name is "export A".
func (p *envParser) add(name, value text) {
	if validName(name.String()) {
		p.all = append(p.all, variable{name, value})
	}
}

// value reads up to the end of the line. A backslash counts outside of quotes
// and inside of double ones.
func (p *envParser) value() text {
	v := text{}
	for len(p.rest) > 0 {
		c := p.next()
		switch {
		case newline(c.b):
			return v
		case blank(c.b):
		case c.b == '\'':
			v = append(v, p.quoted('\'')...)
		case c.b == '"':
			v = append(v, p.quoted('"')...)
		default:
			bare, end := p.bare(c)
			v = append(v, bare...)
			if end {
				return v
			}
		}
	}
	return v
}

// bare reads an unquoted part from c on. Once a bare part has begun, quotes are
// plain characters, and it goes on to the end of the line.
func (p *envParser) bare(c char) (v text, end bool) {
	keep := 0 // what follows are blanks at the end so far
	for {
		switch {
		case newline(c.b):
			return v[:keep], true
		case c.b == '\\':
			if len(p.rest) == 0 {
				return v, true
			}
			if e := p.next(); !newline(e.b) {
				v = append(v, e)
			}
			keep = len(v)
		default:
			v = append(v, c)
			if !blank(c.b) {
				keep = len(v)
			}
		}
		if len(p.rest) == 0 {
			return v[:keep], true
		}
		c = p.next()
	}
}

// quoted reads up to the closing quote, which may be on a later line.
func (p *envParser) quoted(quote byte) text {
	v := text{}
	for len(p.rest) > 0 {
		c := p.next()
		switch {
		case c.b == quote:
			return v
		case c.b == '\\' && quote == '"' && len(p.rest) > 0:
			e := p.next()
			switch {
			case strings.IndexByte("\"\\`$", e.b) >= 0:
				v = append(v, e)
			case e.b != '\n':
				v = append(v, c, e)
			}
		default:
			v = append(v, c)
		}
	}
	return v
}

// validName reports whether a variable may have that name.
func validName(s string) bool {
	for i, r := range s {
		switch {
		case r == '_', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		case '0' <= r && r <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != ""
}
