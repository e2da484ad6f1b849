package render

import (
	"slices"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/apply"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// judge collects what is wrong with the rendered files, and with the whole where
// CRI-O would not start with it. Under --fail-on it refuses them.
func (sub *subject) judge() error {
	sub.findings = nil
	all := sub.config.Diagnostics()
	if sub.base {
		all = append(all, sub.node.UnitFindings()...)
	}
	for _, d := range all {
		if d.Effect == diag.Refused || d.Effect == diag.Random || sub.renders(d.Range.File) {
			sub.findings = append(sub.findings, sub.relabelled(d))
		}
	}
	if err := sub.print(); err != nil {
		return err
	}
	switch code := sub.session.Verdict(sub.findings); {
	case code == exit.OK:
		return nil
	case sub.findings.Has(diag.Refused):
		return exit.Errorf(code, "CRI-O would not start with this; nothing was rendered")
	default:
		return exit.Errorf(code, "CRI-O would not do what this says; nothing was rendered")
	}
}

// print shows the findings to a person. Standard output is for what is rendered.
func (sub *subject) print() error {
	if sub.session.Format().Machine() || sub.session.Quiet && sub.session.Verdict(sub.findings) == exit.OK {
		return nil
	}
	p := diag.Printer{Color: sub.session.Color, Sources: func(file string) []byte {
		for shown, from := range sub.from {
			if from == file {
				file = shown
				break
			}
		}
		if src := node.SourceOf(sub.config)(file); src != nil || !sub.base {
			return src
		}
		return sub.node.Source(file)
	}}
	return p.Text(sub.session.Err, sub.findings)
}

func (sub *subject) renders(file string) bool {
	return slices.ContainsFunc(sub.rendered, func(name string) bool { return sub.display(name) == file })
}

// relabelled points to the files that the person gave.
func (sub *subject) relabelled(d diag.Diagnostic) diag.Diagnostic {
	relabel := func(r *diag.Range) {
		if from, ok := sub.from[r.File]; ok {
			r.File = from
		}
	}
	relabel(&d.Range)
	d.Related = slices.Clone(d.Related)
	for i := range d.Related {
		relabel(&d.Related[i].Range)
	}
	return d
}

// shadowed tells which rendered keys have no effect, since a later file of the
// base or of those that are rendered sets them too.
func (sub *subject) shadowed() []string { return apply.Shadowed(sub.config, sub.renders) }
