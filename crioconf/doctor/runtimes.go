package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// dropsBad is the first release that goes on without a handler that is faulty,
// unless it is the default one (cri-o pkg/config/config.go, ValidateRuntimes).
const dropsBad = 21

// program looks for the program of a handler.
func (n *Node) program(h handler) (program, string) {
	switch {
	case h.inherits && !h.isDefault:
		return program{known: true, found: true}, "" // that of the default handler
	case h.path != "":
		return n.at(h.path), ""
	}
	return n.inPath(h.name), h.name
}

// dropped reports whether CRI-O goes on without the handler, so that nothing
// else of it is looked at. Of a built-in one whose program was not found that is
// assumed. Up to 1.25.0 the monitor is looked at first.
func (n *Node) dropped(h handler) bool {
	p, _ := n.program(h)
	if h.isDefault || p.found || !n.since(25, 1) {
		return false
	}
	return h.builtin || n.whole() && p.missing()
}

func checkRuntimes(_ context.Context, n *Node) (o Outcome) {
	for _, h := range n.handlers() {
		n.handlerProgram(&o, h)
		n.handlerConfig(&o, h)
	}
	n.pinns(&o)
	n.taskset(&o)
	n.hooks(&o)
	return n.conclude(o, "the programs of the runtime handlers")
}

// handlerProgram checks runtime_path, or $PATH where there is none.
func (n *Node) handlerProgram(o *Outcome, h handler) {
	key := schema.HandlerRuntimePath.At(h.name)
	p, searched := n.program(h)
	if searched == "" && n.present(o, p, key, h.pathAt) {
		return
	}
	switch {
	case p.found:
		o.saw("%s: %s in $PATH", key, p.path)
		return
	case p.err != nil:
		o.missed("look for the program of the handler "+h.name, p.err)
		return
	case !p.missing(), h.builtin && !h.isDefault: // nobody asked for that one
		return
	}
	d := n.missingProgram(p, key, h.pathAt)
	if searched != "" {
		d.Summary = fmt.Sprintf("the handler %s has no runtime_path, and %s is not in $PATH", h.name, searched)
		if p.elsewhere != "" {
			d.Summary += fmt.Sprintf("; found one at %s", p.elsewhere)
		}
	}
	d.Detail = n.crio() + " does not start without it."
	if !h.isDefault && n.since(dropsBad, 0) {
		d.Severity, d.Effect, d.Stage = diag.Warning, diag.Ignored, ""
		d.Detail = n.crio() + " goes on without the handler; pods that ask for it fail."
	}
	d.Hint = "Install the program, or correct the path."
	var remedies []Remedy
	if p.elsewhere != "" {
		d.Hint = fmt.Sprintf("Write runtime_path = %s.", keypath.Quote(p.elsewhere))
		remedies = []Remedy{Own("set", key.String(), p.elsewhere)}
	}
	o.add(d, remedies...)
}

// handlerConfig checks runtime_config_path of a handler of type vm.
func (n *Node) handlerConfig(o *Outcome, h handler) {
	if h.configPath == "" || h.isOCI {
		return
	}
	found, err := n.exists(h.configPath)
	key := schema.HandlerRuntimeConfigPath.At(h.name)
	switch {
	case err != nil:
		o.missed("look for "+h.configPath, err)
	case !found && n.whole():
		d := diag.Diagnostic{
			Code: diag.MissingProgram, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Start.String(), Key: key, Range: h.configAt.Range,
			Summary: fmt.Sprintf("%s is %s, which does not exist", key, keypath.Quote(h.configPath)),
			Detail:  n.crio() + " does not start without it.",
			Hint:    "Correct the path.",
		}
		if !h.isDefault && n.since(dropsBad, 0) {
			d.Severity, d.Effect, d.Stage = diag.Warning, diag.Ignored, ""
			d.Detail = n.crio() + " goes on without the handler; pods that ask for it fail."
		}
		o.add(d)
	}
}

// pinns checks pinns_path, which CRI-O needs whatever the pods (cri-o
// pkg/config/config.go, ValidatePinnsPath).
func (n *Node) pinns(o *Outcome) {
	value, at := get(n, schema.PinnsPath)
	if !schema.PinnsPath.In(n.version()) {
		return
	}
	key := schema.PinnsPath.Path
	if value != "" {
		p := n.at(value)
		if !n.present(o, p, key, at) {
			d := n.missingProgram(p, key, at)
			d.Detail = n.crio() + " does not start without pinns, which comes with it."
			d.Hint = "Leave the value empty, so that $PATH is searched, or correct it."
			o.add(d)
		}
		return
	}
	p := n.inPath("pinns")
	switch {
	case p.found:
		o.saw("pinns: %s in $PATH", p.path)
	case p.err != nil:
		o.missed("look for pinns", p.err)
	case p.missing():
		d := diag.Diagnostic{
			Code: diag.MissingProgram, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Start.String(), Key: key,
			Summary: "pinns is not in $PATH, and pinns_path is empty",
			Detail:  n.crio() + " does not start without pinns, which comes with it.",
			Hint:    "Install it.",
		}
		var remedies []Remedy
		if p.elsewhere != "" {
			d.Hint = fmt.Sprintf("Write pinns_path = %s.", keypath.Quote(p.elsewhere))
			remedies = []Remedy{Own("set", key.String(), p.elsewhere)}
		}
		o.add(d, remedies...)
	}
}

// taskset checks for the program that infra_ctr_cpuset needs (cri-o
// pkg/config/config.go, RuntimeConfig.Validate, since 1.21).
func (n *Node) taskset(o *Outcome) {
	value, at := get(n, schema.InfraContainerCPUSet)
	if value == "" {
		return
	}
	if p := n.inPath("taskset"); p.missing() {
		o.add(diag.Diagnostic{
			Code: diag.MissingProgram, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Load.String(),
			Key: schema.InfraContainerCPUSet.Path, Range: at.Range,
			Summary: "infra_ctr_cpuset is set, and taskset is not in $PATH",
			Detail:  n.crio() + " refuses to start.",
			Hint:    "Install util-linux, or delete the key.",
		})
	}
}

// hooks checks hooks_dir. CRI-O passes over what is no directory; since 1.20 it
// makes what is missing.
func (n *Node) hooks(o *Outcome) {
	dirs, at := get(n, schema.HooksDir)
	if !set(at) {
		return
	}
	for _, dir := range dirs {
		info, err := fs.Stat(n.FS, toName(dir))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if n.whole() && !n.since(20, 0) {
				o.add(hookDir(at, dir, "does not exist", "Make it, or take it out of the list."))
			}
		case err != nil:
			o.missed("look at "+dir, err)
		case !info.IsDir():
			o.add(hookDir(at, dir, "is no directory", "Name a directory."))
		}
	}
}

func hookDir(at crioconf.Origin, dir, what, hint string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.MissingDirectory, Severity: diag.Warning, Effect: diag.Ignored, Key: schema.HooksDir.Path, Range: at.Range,
		Summary: fmt.Sprintf("%s of hooks_dir %s", dir, what),
		Detail:  "CRI-O passes over it with a line in its log; hooks that are expected there do not run.",
		Hint:    hint,
	}
}
