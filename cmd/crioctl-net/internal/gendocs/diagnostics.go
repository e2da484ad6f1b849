package main

import (
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// diagnosticsPage returns crioctl-net-diagnostics(7): every code with what it
// means and an example before and after.
func diagnosticsPage() []byte {
	p := newPage("crioctl-net-diagnostics", "7", date, source)
	p.macro("Sh", "NAME")
	p.macro("Nm", "crioctl-net-diagnostics")
	p.macro("Nd", "what crioctl-net finds in the configuration of CRI-O, and what to do about it")
	p.macro("Sh", "DESCRIPTION")
	p.paragraphs(`
A finding has a code, a severity, an effect, and mostly a place: file, line and column.
The codes stand below in the order of the alphabet. A code never changes its meaning and
is never used for another, so that programs can go by it. "crioctl-net explain CODE"
prints the same text.

The severity goes by what CRI-O does:`)
	p.list([][2]string{
		{"error", "It does not start, the outcome is random, a value is lost, or a key has no effect in any release."},
		{"warning", "It starts, and ignores or replaces what the file says."},
		{"info", "The rest: what is worth knowing."},
	})
	p.paragraphs(`
The severity given below is that of the plain case; a finding can have another, where the
release or the value makes a difference. The effect says the same in a word:`)
	p.list([][2]string{
		{"refused", "CRI-O does not start. With --fail-on refused nothing else makes a command fail."},
		{"random", "One of two values is used, another one at the next start."},
		{"ignored", "CRI-O passes over the line."},
		{"replaced", "CRI-O uses another value."},
		{"none", "CRI-O does as the line says."},
	})
	p.macro("Sh", "DIAGNOSTICS")
	for _, d := range diag.Catalogue() {
		p.code(d)
	}
	p.seeAlso(reference{"crioctl-net", "5"}, reference{"crioctl-net", "8"}, reference{"crioctl-net-doctor", "8"},
		reference{"crioctl-net-explain", "8"}, reference{"crioctl-net-validate", "8"})
	return p.bytes()
}

func (p *page) code(d diag.Doc) {
	p.macro("Ss", string(d.Code))
	p.text(capital(strings.TrimSuffix(d.Title, ".")) + ".")
	p.raw(".Pq %s, effect: %s", d.Severity, d.Effect)
	if d.Since != "" {
		p.text("It can happen since CRI-O " + d.Since + ".")
	}
	for paragraph := range strings.SplitSeq(d.Text, "\n\n") {
		p.macro("Pp")
		p.text(paragraph)
	}
	p.example("Before", d.Before, d.Version)
	p.example("After", d.After, "")
}

func (p *page) example(title, text, version string) {
	if text == "" {
		return
	}
	if version != "" {
		title += ", in CRI-O " + version
	}
	files := diag.SplitExample(text)
	for i, f := range files {
		p.macro("Pp")
		switch {
		case len(files) == 1:
			p.text(title + ":")
		case i == 0:
			p.text(title + ", in " + f.Name + ":")
		default:
			p.text("and in " + f.Name + ":")
		}
		p.literal(f.Text)
	}
}
