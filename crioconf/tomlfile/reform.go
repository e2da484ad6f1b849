package tomlfile

import "strings"

// reform returns the text of a new value in the form of the one it replaces: a
// list that stood on several lines does so again, and elements that stay keep
// their lines and comments.
func (f *File) reform(at span, old *Node, v Value) string {
	was := f.text[at.start:at.end]
	if !v.list || len(v.items) == 0 || was[0] != '[' || !strings.Contains(was, "\n") {
		return v.text
	}
	if f.linePerElement(at, old) {
		return f.reuseLines(at, old, v)
	}
	open, closing := f.arrayIndents(at)
	var b strings.Builder
	b.WriteString("[" + f.newline())
	comma := f.endsInComma(old, at)
	for i, item := range v.items {
		b.WriteString(open + item)
		if comma || i < len(v.items)-1 {
			b.WriteByte(',')
		}
		b.WriteString(f.newline())
	}
	return b.String() + closing + "]"
}

// arrayIndents returns the blanks before the elements of an array on several
// lines, and those before its closing bracket.
func (f *File) arrayIndents(at span) (inner, closing string) {
	inner = f.indent(at.start) + "\t"
	for i := f.lines.lineEnd(at.start); i < at.end; i = f.lines.lineEnd(i) {
		body := strings.TrimLeft(f.text[i:at.end], " \t")
		if body != "" && strings.IndexByte("\r\n]", body[0]) < 0 {
			inner = f.indent(i)
			break
		}
	}
	return inner, f.indent(at.end - 1)
}

// endsInComma tells whether a comma stands behind the last element.
func (f *File) endsInComma(old *Node, at span) bool {
	if len(old.Elems) == 0 {
		return true
	}
	return f.commaAfter(old.Elems[len(old.Elems)-1]) >= 0
}

// commaAfter returns the offset of the comma right behind an element, or -1.
func (f *File) commaAfter(e *Node) int {
	end := e.Range.End.Offset
	n := end + len(f.text[end:]) - len(strings.TrimLeft(f.text[end:], " \t"))
	if n < len(f.text) && f.text[n] == ',' {
		return n
	}
	return -1
}

// linePerElement tells whether each element is a string with a line of its own,
// between the lines of the brackets.
func (f *File) linePerElement(at span, old *Node) bool {
	line := f.lines.line(at.start)
	for i, e := range old.Elems {
		if e.Type != String || e.Range.Start.Line-1 <= line || e.Range.End.Line != e.Range.Start.Line {
			return false
		}
		line = e.Range.Start.Line - 1
		if i < len(old.Elems)-1 && f.commaAfter(e) < 0 {
			return false // the comma stands on another line
		}
	}
	return len(old.Elems) > 0 && f.lines.line(at.end-1) > line
}

// reuseLines writes a list with the lines of the elements that stay. Comment
// lines between elements stay in any case.
func (f *File) reuseLines(at span, old *Node, v Value) string {
	indent := f.indent(old.Elems[0].Range.Start.Offset)
	comma := f.endsInComma(old, at)
	var b strings.Builder
	b.WriteString(f.text[at.start:f.lines.lineStart(old.Elems[0].Range.Start.Offset)])
	next := 0 // the first old element that is not dealt with yet
	drop := func(to int) {
		for ; next < to; next++ {
			_, after := f.elementLines(at, old, next)
			b.WriteString(f.text[after.start:after.end])
		}
	}
	stays := align(old.Elems, v.want.Elems)
	for i, item := range v.items {
		needComma := comma || i < len(v.items)-1
		if k := stays[i]; k >= 0 {
			drop(k)
			line, after := f.elementLines(at, old, k)
			b.WriteString(f.withComma(line, old.Elems[k], needComma))
			b.WriteString(f.text[after.start:after.end])
			next = k + 1
			continue
		}
		drop(nextStay(stays[i+1:], len(old.Elems)))
		b.WriteString(indent + item)
		if needComma {
			b.WriteByte(',')
		}
		b.WriteString(f.newline())
	}
	drop(len(old.Elems))
	b.WriteString(f.text[f.lines.lineStart(at.end-1):at.end])
	return b.String()
}

// nextStay returns the first old element that stays, or end.
func nextStay(stays []int, end int) int {
	for _, k := range stays {
		if k >= 0 {
			return k
		}
	}
	return end
}

// elementLines returns the line of an element, and what stands between it and
// the next element's line or the closing bracket's.
func (f *File) elementLines(at span, old *Node, k int) (line, after span) {
	start := f.lines.lineStart(old.Elems[k].Range.Start.Offset)
	end := f.lines.lineEnd(start)
	stop := f.lines.lineStart(at.end - 1)
	if k+1 < len(old.Elems) {
		stop = f.lines.lineStart(old.Elems[k+1].Range.Start.Offset)
	}
	return span{start, end}, span{end, stop}
}

// withComma returns the line of an element with or without the comma behind it.
func (f *File) withComma(line span, e *Node, need bool) string {
	end := e.Range.End.Offset
	comma := f.commaAfter(e)
	switch {
	case need && comma < 0:
		return f.text[line.start:end] + "," + f.text[end:line.end]
	case !need && comma >= 0:
		return f.text[line.start:comma] + f.text[comma+1:line.end]
	}
	return f.text[line.start:line.end]
}

// align finds a longest common subsequence of two lists of strings. For each
// new element it returns the old one that stays for it, or -1.
func align(old, new []*Node) []int {
	stays := make([]int, len(new))
	for i := range stays {
		stays[i] = -1
	}
	const most = 1 << 20 // beyond this many pairs all lines are written anew
	if len(old)*len(new) > most {
		return stays
	}
	width := len(new) + 1
	best := make([]int, (len(old)+1)*width) // best[k*width+i] is for old[k:] and new[i:]
	for k := len(old) - 1; k >= 0; k-- {
		for i := len(new) - 1; i >= 0; i-- {
			if old[k].Str == new[i].Str {
				best[k*width+i] = best[(k+1)*width+i+1] + 1
			} else {
				best[k*width+i] = max(best[(k+1)*width+i], best[k*width+i+1])
			}
		}
	}
	for k, i := 0, 0; k < len(old) && i < len(new); {
		switch {
		case old[k].Str == new[i].Str:
			stays[i] = k
			k++
			i++
		case best[(k+1)*width+i] >= best[k*width+i+1]:
			k++
		default:
			i++
		}
	}
	return stays
}
