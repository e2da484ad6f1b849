package doctor

import (
	"context"
	"fmt"
	"slices"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// A handler is one entry of crio.runtime.runtimes.
type handler struct {
	name       string
	isDefault  bool
	builtin    bool // no file names it
	isOCI      bool
	inherits   bool
	path       string
	pathAt     crioconf.Origin
	monitor    string
	monitorAt  crioconf.Origin
	configPath string
	configAt   crioconf.Origin
}

// handlers returns the handlers by name. In releases before 1.24 they have no
// monitor of their own.
func (n *Node) handlers() []handler {
	v, ok := n.Config.Lookup(schema.Runtimes.Path)
	if !ok {
		return nil
	}
	names, _ := v.V.([]string)
	def, _ := get(n, schema.DefaultRuntime)
	var all []handler
	for _, name := range names {
		h := handler{name: name, isDefault: name == def}
		kind, _ := get(n, schema.HandlerRuntimeType, name)
		h.isOCI = kind == "oci" || kind == ""
		h.inherits, _ = get(n, schema.HandlerInheritDefaultRuntime, name)
		h.path, h.pathAt = get(n, schema.HandlerRuntimePath, name)
		h.builtin = !set(h.pathAt) && h.pathAt.Range.IsZero()
		h.monitor, h.monitorAt = get(n, schema.HandlerMonitorPath, name)
		h.configPath, h.configAt = get(n, schema.HandlerRuntimeConfigPath, name)
		all = append(all, h)
	}
	return all
}

// perHandler is the first release whose handlers have monitors of their own.
const perHandler = 24

func checkMonitor(_ context.Context, n *Node) (o Outcome) {
	global, at := get(n, schema.Conmon)
	switch {
	case global != "":
		n.globalMonitor(&o, global, at)
	case !n.since(perHandler, 0):
		n.noMonitor(&o, schema.Conmon.Path, at, "conmon is empty, and there is none in $PATH", "")
	default:
		for _, h := range n.handlers() {
			if h.isOCI && !n.dropped(h) {
				n.handlerMonitor(&o, h)
			}
		}
	}
	return n.conclude(o, "conmon")
}

// conclude skips a check that found nothing to look at.
func (n *Node) conclude(o Outcome, what string) Outcome {
	if len(o.Findings) == 0 && len(o.Evidence) == 0 {
		return skipped("%s", n.partly(what))
	}
	return o
}

// globalMonitor checks crio.runtime.conmon, which wins over all handlers.
func (n *Node) globalMonitor(o *Outcome, value string, at crioconf.Origin) {
	p := n.at(value)
	if n.present(o, p, schema.Conmon.Path, at) {
		return
	}
	d := n.missingProgram(p, schema.Conmon.Path, at)
	d.Detail = fmt.Sprintf("%s does not start without its monitor.", n.crio())
	var remedies []Remedy
	switch {
	case n.inPath("conmon").found && !n.since(perHandler, 0):
		d.Hint = fmt.Sprintf("The safest is an empty value, so that $PATH is searched; %s is there.", p.elsewhere)
		remedies = []Remedy{Own("set", schema.Conmon.String(), "")}
	case !n.since(perHandler, 0):
		d.Hint = "Install conmon, or correct the path."
		if p.elsewhere != "" {
			d.Hint = fmt.Sprintf("Write %s, or put it into $PATH and leave the value empty.", keypath.Quote(p.elsewhere))
			remedies = []Remedy{Own("set", schema.Conmon.String(), p.elsewhere)}
		}
	default:
		d.Hint = "Install conmon. Delete the key, which is deprecated since 1.24, and use monitor_path of the handler."
		if p.elsewhere != "" {
			key := schema.HandlerMonitorPath.At(n.defaultHandler())
			d.Hint = fmt.Sprintf("Delete the key, which is deprecated since 1.24 and wins over the handlers, and write %s = %s; or leave both empty, so that $PATH is searched.", key, keypath.Quote(p.elsewhere))
			remedies = []Remedy{Own("unset", schema.Conmon.String()), Own("set", key.String(), p.elsewhere)}
		}
	}
	o.add(d, remedies...)
}

func (n *Node) defaultHandler() string {
	name, _ := get(n, schema.DefaultRuntime)
	return name
}

// handlerMonitor checks monitor_path of a handler.
func (n *Node) handlerMonitor(o *Outcome, h handler) {
	key := schema.HandlerMonitorPath.At(h.name)
	if h.monitor == "" {
		n.noMonitor(o, key, h.monitorAt, fmt.Sprintf("the handler %s has no monitor_path, and conmon is not in $PATH", h.name), h.name)
		return
	}
	p := n.at(h.monitor)
	if n.present(o, p, key, h.monitorAt) {
		return
	}
	d := n.missingProgram(p, key, h.monitorAt)
	d.Detail = fmt.Sprintf("%s does not start without the monitor of a handler.", n.crio())
	remedies := n.propose(&d, key, h.name, p.elsewhere)
	o.add(d, remedies...)
}

// noMonitor checks a place without a path: then CRI-O searches $PATH.
func (n *Node) noMonitor(o *Outcome, key keypath.Path, at crioconf.Origin, summary, name string) {
	p := n.inPath("conmon")
	switch {
	case p.found:
		o.saw("%s: %s in $PATH", key, p.path)
	case p.err != nil:
		o.missed("look for conmon", p.err)
	case p.missing():
		d := diag.Diagnostic{
			Code: diag.MissingProgram, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Start.String(),
			Key: key, Range: at.Range, Summary: summary,
			Detail: fmt.Sprintf("%s does not start without its monitor.", n.crio()),
		}
		remedies := n.propose(&d, key, name, p.elsewhere)
		o.add(d, remedies...)
	}
}

// propose writes the way out for a monitor path: the one that another handler
// has, the default one first, or else a conmon that was found.
func (n *Node) propose(d *diag.Diagnostic, key keypath.Path, name, found string) []Remedy {
	all := n.handlers()
	slices.SortStableFunc(all, func(a, b handler) int { return b.rank() - a.rank() })
	for _, h := range all {
		if h.name != name && h.monitor != "" && n.at(h.monitor).found {
			d.Hint = fmt.Sprintf("Write monitor_path = %s, as the handler %s has it.", keypath.Quote(h.monitor), h.name)
			return []Remedy{Own("set", key.String(), h.monitor)}
		}
	}
	switch {
	case found == "":
		d.Hint = "Install conmon."
		return nil
	case n.searched(found):
		d.Hint = fmt.Sprintf("The safest is an empty value, so that $PATH is searched; %s is there.", found)
		return []Remedy{Own("set", key.String(), "")}
	}
	d.Hint = fmt.Sprintf("Write %s = %s.", key.Leaf(), keypath.Quote(found))
	return []Remedy{Own("set", key.String(), found)}
}

// rank puts the default handler first.
func (h handler) rank() int {
	if h.isDefault {
		return 1
	}
	return 0
}

// present tells of a program that is there, or that nothing can be said of.
func (n *Node) present(o *Outcome, p program, key keypath.Path, at crioconf.Origin) bool {
	switch {
	case p.err != nil:
		o.missed("look for "+p.path, p.err)
	case p.plain:
		o.add(diag.Diagnostic{
			Code: diag.MissingProgram, Severity: diag.Error, Key: key, Range: at.Range,
			Summary: fmt.Sprintf("%s is %s, which cannot be executed", key, keypath.Quote(p.path)),
			Detail:  "CRI-O asks only whether something is there. It starts, and makes no container.",
			Hint:    "Name a program, or make the file executable.",
		})
	case p.found:
		o.saw("%s: %s", key, p.path)
	case !p.missing():
	default:
		return false
	}
	return true
}

func (n *Node) missingProgram(p program, key keypath.Path, at crioconf.Origin) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: diag.MissingProgram, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Start.String(), Key: key, Range: at.Range,
		Summary: fmt.Sprintf("%s is %s, which does not exist", key, keypath.Quote(p.path)),
	}
	if p.elsewhere != "" {
		d.Summary += fmt.Sprintf("; found one at %s", p.elsewhere)
	}
	return d
}
