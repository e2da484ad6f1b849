package crio

import "bytes"

// An assignment is one Key=value of a unit file.
type assignment struct {
	section, key string
	at           text // the key
	value        text // without the blanks around it
}

// parseUnitFile reads a unit file as systemd.syntax(7) has it: a backslash at
// the end of a line joins it with the next one, comment lines in between are
// skipped, and a faulty section header ends the file.
func parseUnitFile(src *source) []assignment {
	var (
		all     []assignment
		section string
		pending text
		joined  bool
	)
	flush := func(line text) bool {
		line = line.trim()
		if len(line) == 0 {
			return true
		}
		if line[0].b == '[' {
			if line[len(line)-1].b != ']' {
				return false
			}
			section = line[1 : len(line)-1].String()
			return true
		}
		if eq := line.index('='); eq > 0 && section != "" {
			key := line[:eq].trim()
			all = append(all, assignment{section, key.String(), key, line[eq+1:].trim()})
		}
		return true
	}
	off := 0
	if bytes.HasPrefix(src.data, bom) {
		off = len(bom)
	}
	for off < len(src.data) {
		end := len(src.data)
		next := end
		if i := bytes.IndexByte(src.data[off:], '\n'); i >= 0 {
			end, next = off+i, off+i+1
		}
		line := src.text(off, end)
		off = next
		if start := line.trim(); len(start) > 0 && (start[0].b == '#' || start[0].b == ';') {
			continue
		}
		if len(line) > 0 && line[len(line)-1].b == '\r' {
			line = line[:len(line)-1]
		}
		if continues(line) {
			last := line[len(line)-1]
			pending = append(append(pending, line[:len(line)-1]...), char{' ', last.src, last.off})
			joined = true
			continue
		}
		if joined {
			line = append(pending, line...)
		}
		pending, joined = nil, false
		if !flush(line) {
			return all
		}
	}
	flush(pending)
	return all
}

// continues reports whether the line ends in a backslash that is not itself
// escaped.
func continues(line text) bool {
	n := 0
	for i := len(line) - 1; i >= 0 && line[i].b == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
