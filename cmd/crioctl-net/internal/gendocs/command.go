package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/version"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/doctor"
)

// date is that of the manual, not of the run, so that the pages are the same
// bytes on every machine.
const date = "December 1, 2026"

const source = "crioctl-net " + version.Number

// A reference names a page in SEE ALSO.
type reference struct{ name, section string }

// manual returns the name of a command's page.
func manual(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// commandPage returns the page of one command.
func commandPage(cmd *cobra.Command) []byte {
	p := newPage(manual(cmd), "8", date, source)
	p.macro("Sh", "NAME")
	p.macro("Nm", manual(cmd))
	p.macro("Nd", uncapital(cmd.Short))
	p.macro("Sh", "SYNOPSIS")
	for _, line := range synopses(cmd) {
		p.raw("%s", line)
	}
	p.macro("Sh", "DESCRIPTION")
	p.paragraphs(orElse(cmd.Long, cmd.Short+"."))
	p.commands(cmd)
	p.options("OPTIONS", cmd.NonInheritedFlags(), cmd.HasParent())
	if cmd.HasParent() {
		p.options("GLOBAL OPTIONS", cmd.InheritedFlags(), true)
	}
	switch cmd.CommandPath() {
	case "crioctl-net":
		p.files()
	case "crioctl-net doctor":
		p.checks()
	}
	p.exitStatus()
	if cmd.Example != "" {
		p.macro("Sh", "EXAMPLES")
		p.literal(dedent(cmd.Example))
	}
	if cmd.CommandPath() == "crioctl-net" {
		p.codes()
	}
	p.seeAlso(references(cmd)...)
	return p.bytes()
}

func orElse(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}

// uncapital writes the first word small, unless it is a name.
func uncapital(s string) string {
	r := []rune(s)
	if len(r) > 1 && unicode.IsUpper(r[0]) && !unicode.IsUpper(r[1]) {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	r := []rune(s)
	if len(r) > 0 && word == strings.ToLower(word) && !strings.ContainsAny(word, "-.=/_") {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// synopses returns the lines of the synopsis: the uses that a command gives are
// parted by "| NAME".
func synopses(cmd *cobra.Command) []string {
	var lines []string
	use := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	rest := strings.TrimPrefix(use, cmd.CommandPath())
	for _, one := range strings.Split(rest, " | "+cmd.Name()+" ") {
		lines = append(lines, ".Nm "+cmd.CommandPath())
		if cmd.HasAvailableSubCommands() {
			lines = append(lines, ".Ar command")
		}
		lines = append(lines, ".Op Ar options")
		lines = append(lines, arguments(one)...)
	}
	return lines
}

var useToken = regexp.MustCompile(`\[|\]|\||[^\s\[\]|]+`)

// arguments turns "[hostport disable | KEY=VALUE...]" into macros.
func arguments(use string) []string {
	var lines []string
	for _, token := range useToken.FindAllString(use, -1) {
		switch name, value, pair := strings.Cut(token, "="); {
		case token == "[":
			lines = append(lines, ".Oo")
		case token == "]":
			lines = append(lines, ".Oc")
		case token == "|":
			lines = append(lines, `\&|`)
		case strings.HasPrefix(token, "--"):
			lines = append(lines, ".Fl "+token[1:])
		case pair:
			lines = append(lines, ".Ar "+name+" Ns = Ns Ar "+value)
		case token == strings.ToUpper(token):
			lines = append(lines, ".Ar "+token)
		default:
			lines = append(lines, ".Cm "+token)
		}
	}
	return lines
}

// commands lists the commands below a command.
func (p *page) commands(cmd *cobra.Command) {
	var items [][2]string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			items = append(items, [2]string{c.Name(), c.Short + "."})
		}
	}
	if len(items) == 0 {
		return
	}
	p.macro("Pp")
	p.text("Each of these commands has a page of its own:")
	p.raw(".Bl -tag -width Ds")
	for _, item := range items {
		p.raw(".It Cm %s", item[0])
		p.text(item[1])
	}
	p.raw(".El")
}

// options lists flags. That every command takes --help is said once.
func (p *page) options(title string, flags *pflag.FlagSet, leaf bool) {
	var all []*pflag.Flag
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !(leaf && f.Name == "help") {
			all = append(all, f)
		}
	})
	if len(all) == 0 {
		return
	}
	p.macro("Sh", title)
	p.raw(".Bl -tag -width Ds")
	for _, f := range all {
		p.option(f)
	}
	p.raw(".El")
}

func (p *page) option(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	line := ".It "
	if f.Shorthand != "" {
		line += "Fl " + f.Shorthand + " , "
	}
	line += "Fl -" + f.Name
	if f.Value.Type() != "bool" {
		line += " Ns = Ns Ar " + value
	}
	p.raw("%s", line)
	if f.Name == "help" {
		usage = "say how to use the command"
	}
	text := capital(usage) + "."
	if d := f.DefValue; d != "" && d != "false" && d != "[]" && d != "0" && d != "0s" {
		text += fmt.Sprintf(" The default is %s.", d)
	}
	p.text(text)
}

func (p *page) exitStatus() {
	p.macro("Sh", "EXIT STATUS")
	var items [][2]string
	for _, e := range cli.ExitCodes() {
		items = append(items, [2]string{fmt.Sprint(e.Code), e.Meaning})
	}
	p.list(items)
}

func (p *page) files() {
	p.macro("Sh", "ENVIRONMENT")
	p.raw(".Bl -tag -width Ds")
	for _, v := range [][2]string{
		{"NO_COLOR", "When set and not empty, no colour is used."},
		{"DBUS_SYSTEM_BUS_ADDRESS", "The address of the system bus."},
	} {
		p.raw(".It Ev %s", v[0])
		p.text(v[1])
	}
	p.raw(".El")
	p.macro("Sh", "FILES")
	p.raw(".Bl -tag -width Ds")
	for _, f := range [][2]string{
		{"/etc/crio/crio.conf", "The main file. Every drop-in wins over it."},
		{"/etc/crio/crio.conf.d", "The drop-in directory. CRI-O reads every file in it and below it, whatever its name, in bytewise order."},
		{"/etc/crio/crio.conf.d/60-crioctl-net.conf", "What crioctl-net writes where no file of the administrator's holds the key."},
		{"/var/lib/crioctl-net", "The lock, and the former bytes, owner, mode and label of every changed file."},
	} {
		p.raw(".It Pa %s", f[0])
		p.text(f[1])
	}
	p.raw(".El")
}

// codes says in one line each what can be found.
func (p *page) codes() {
	p.macro("Sh", "DIAGNOSTICS")
	p.text("Findings have codes, which")
	p.raw(".Nm crioctl-net explain")
	p.text("and")
	p.raw(".Xr crioctl-net-diagnostics 7")
	p.text("explain:")
	p.raw(".Bl -tag -width Ds")
	for _, d := range diag.Catalogue() {
		p.raw(".It Sy %s Pq %s", d.Code, d.Severity)
		p.text(capital(strings.TrimSuffix(d.Title, ".")) + ".")
	}
	p.raw(".El")
}

// checks describes the checks of "doctor".
func (p *page) checks() {
	p.macro("Sh", "CHECKS")
	p.text("Each with what it needs, and the codes of its own findings, which crioctl-net explain explains.")
	p.raw(".Bl -tag -width Ds")
	for _, c := range doctor.Checks() {
		p.raw(".It Cm %s Pq %s", c.Name, c.Needs)
		p.text(capital(c.Title) + "? " + c.Text)
		if len(c.Codes) > 0 {
			codes := make([]string, len(c.Codes))
			for i, code := range c.Codes {
				codes[i] = string(code)
			}
			p.text("Codes: " + strings.Join(codes, ", ") + ".")
		}
	}
	p.raw(".El")
}

// references are the pages that the one of a command leads to: the command above
// it, those below it or beside it, and the ones about its subject.
func references(cmd *cobra.Command) []reference {
	refs := []reference{{"crioctl-net", "5"}, {"crioctl-net-diagnostics", "7"}}
	if cmd.CommandPath() == "crioctl-net" || strings.HasPrefix(cmd.CommandPath(), "crioctl-net hostport") {
		refs = append(refs, reference{"crioctl-net-hostport", "7"})
	}
	near := cmd.Commands()
	if parent := cmd.Parent(); parent != nil {
		refs = append(refs, reference{manual(parent), "8"})
		if parent.HasParent() {
			near = append(near, parent.Commands()...)
		}
	}
	for _, c := range near {
		if c != cmd && c.IsAvailableCommand() && c.Name() != "help" {
			refs = append(refs, reference{manual(c), "8"})
		}
	}
	return refs
}

func (p *page) seeAlso(refs ...reference) {
	slices.SortFunc(refs, func(a, b reference) int {
		return strings.Compare(a.section+" "+a.name, b.section+" "+b.name)
	})
	p.macro("Sh", "SEE ALSO")
	for i, r := range refs {
		comma := " ,"
		if i == len(refs)-1 {
			comma = ""
		}
		p.raw(".Xr %s %s%s", r.name, r.section, comma)
	}
}
