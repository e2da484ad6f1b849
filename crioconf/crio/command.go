package crio

import (
	"path"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// parseCommands reads the value of an ExecStart= line; see systemd.service(5),
// "Command lines". A semicolon of its own parts two commands. A line that
// systemd would drop gives none.
func parseCommands(value text, unit string) []command {
	var (
		all  []command
		cur  []text
		rest = value
	)
	flush := func() {
		if len(cur) > 0 {
			all = append(all, newCommand(cur, value))
		}
		cur = nil
	}
	for len(rest) > 0 {
		switch {
		case standsAlone(rest, ";"):
			flush()
			rest = rest[1:].trim()
			continue
		case len(cur) > 0 && standsAlone(rest, `\;`):
			cur = append(cur, rest[1:2])
			rest = rest[2:].trim()
			continue
		}
		w, after, more, ok := extractWord(rest, strict)
		if !ok {
			return nil
		}
		if !more {
			break
		}
		cur = append(cur, specifiers(w, unit))
		rest = after
	}
	flush()
	return all
}

func standsAlone(t text, s string) bool {
	return len(t) >= len(s) && t[:len(s)].String() == s && (len(t) == len(s) || blank(t[len(s)].b))
}

// newCommand takes the special prefixes off the program. With "@" the second
// word is the name that the program sees for itself, and no argument.
func newCommand(words []text, at text) command {
	c := command{at: at}
	program, named := words[0], false
	for len(program) > 0 && strings.IndexByte("-@:+!|", program[0].b) >= 0 {
		c.literal = c.literal || program[0].b == ':'
		named = named || program[0].b == '@'
		program = program[1:]
	}
	args := words[1:]
	if named && len(args) > 0 {
		args = args[1:]
	}
	c.words = append([]text{program}, args...)
	return c
}

// command chooses the command line that runs crio and puts in the variables.
func (r *unitReader) command() {
	if len(r.commands) == 0 {
		return
	}
	if len(r.commands) > 1 && r.kind != "oneshot" {
		r.twoCommands()
	}
	c := r.commands[len(r.commands)-1]
	words := c.words
	if !c.literal {
		words = append(words[:1:1], expand(words[1:], func(name string) (text, bool) {
			v, ok := r.vars[name]
			return v.value, ok
		})...)
	}
	for _, w := range words {
		r.unit.Command = append(r.unit.Command, Word{w.String(), w.span()})
	}
}

// twoCommands tells of the commonest slip in a drop-in: a second ExecStart=
// without an empty one before it.
func (r *unitReader) twoCommands() {
	first, last := r.commands[0], r.commands[len(r.commands)-1]
	r.unit.findings = append(r.unit.findings, diag.Diagnostic{
		Code: diag.BadValue, Severity: diag.Error, Effect: diag.Refused, Range: last.at.span(),
		Summary: "a second ExecStart= line",
		Detail:  "systemd refuses the unit: a service of this type has one command.",
		Hint:    "Write an empty \"ExecStart=\" above it in the same drop-in to replace the earlier one.",
		Related: []diag.Related{{Range: first.at.span(), Message: "the first one"}},
	})
}

// Program returns the path of the crio binary that the unit runs, and whether
// the unit runs it by itself. A wrapper before it, such as env or nsenter,
// hands its arguments on; with a shell script in its place the path is empty.
func (u Unit) Program() (binary string, ok bool) {
	i := u.program()
	if i < 0 {
		return "", false
	}
	return u.Command[i].Text, true
}

// program returns the index of crio in the command line, or -1.
func (u Unit) program() int {
	for i, w := range u.Command {
		if path.Base(w.Text) == "crio" {
			return i
		}
	}
	return -1
}
