package crioconf

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// The values of runtime_type.
const (
	typeOCI = "oci" // also meant by the empty string
	typeVM  = "vm"
	typePod = "pod"
)

const (
	podCgroup     = "pod"
	defaultCgroup = "system.slice"
)

// monitors hands the old settings of conmon down to the handlers, as CRI-O does
// since 1.24 (cri-o pkg/config/config.go, TranslateMonitorFields). Up to 1.25.0
// it does so only at the start of the daemon, so that "crio config" shows the
// handlers as the files have them.
func (j *judgement) monitors() {
	if j.before(24, 0) {
		return
	}
	for _, e := range sorted(j.state.handlers()) {
		if t := j.textIn(e, schema.HandlerRuntimeType.Key); t != typeOCI && t != "" {
			continue
		}
		j.inherit(e, schema.ConmonCgroup.Key, schema.HandlerMonitorCgroup.Key)
		j.inherit(e, schema.Conmon.Key, schema.HandlerMonitorPath.Key)
		j.inherit(e, schema.ConmonEnv.Key, schema.HandlerMonitorEnv.Key)
		if k, ok := j.inEntry(e, schema.HandlerMonitorCgroup.Key); ok && k.text() == "" && !j.before(25, 1) {
			adjust(k.slot, defaultCgroup)
		}
	}
}

// inherit gives a key of a handler the value of the older key of crio.runtime,
// which wins even over what the handler says.
func (j *judgement) inherit(e *entry, from, to *schema.Key) {
	old, ok := j.key(from)
	k, found := j.inEntry(e, to)
	if !ok || !found || IsZero(old.slot.value) || Equal(old.slot.value, k.slot.value) {
		return
	}
	if k.isSet() {
		j.add(diag.Diagnostic{
			Code: diag.ReplacedValue, Severity: diag.Warning, Effect: diag.Replaced, Key: k.path(), Range: k.at(),
			Summary: fmt.Sprintf("%s wins over %s", old.path(), k.path()),
			Detail:  fmt.Sprintf("%s uses %s for every handler of type oci, whatever the handler says.", j.crio(), FormatValue(old.slot.value)),
			Hint:    fmt.Sprintf("Delete %s, which is deprecated since 1.24.", old.path().Leaf()),
			Related: []diag.Related{{Range: old.at(), Message: old.path().Leaf() + " is set here"}},
		})
	}
	if !j.before(25, 1) {
		adjust(k.slot, old.slot.value)
	}
}

// startRules checks what only the start of the daemon does, as far as it can be
// told without the host.
func (j *judgement) startRules() {
	j.cgroups()
	for _, e := range sorted(j.state.handlers()) {
		j.handler(e)
	}
}

// cgroups checks that the manager of cgroups and the cgroup of conmon fit.
func (j *judgement) cgroups() {
	manager, ok := j.key(schema.CgroupManager.Key)
	if !ok {
		return
	}
	if j.before(24, 0) {
		j.conmonCgroup(manager)
		return
	}
	for _, e := range sorted(j.state.handlers()) {
		if t := j.textIn(e, schema.HandlerRuntimeType.Key); t == typeOCI || t == "" {
			j.monitorCgroup(manager, e)
		}
	}
}

// conmonCgroup checks crio.runtime.conmon_cgroup, which is part of loading up
// to 1.23 as far as its form goes (cri-o pkg/config/config.go,
// RuntimeConfig.Validate).
func (j *judgement) conmonCgroup(manager keyed) {
	k, ok := j.key(schema.ConmonCgroup.Key)
	if !ok {
		return
	}
	cgroup := k.text()
	switch {
	case cgroup != podCgroup && !strings.HasSuffix(cgroup, ".slice"):
		j.mismatch(schema.Load, k, manager, cgroup)
	case manager.text() == "cgroupfs" && cgroup != podCgroup && !j.before(19, 0):
		j.mismatch(schema.Start, k, manager, cgroup)
	}
}

// monitorCgroup checks the cgroup of a handler's monitor (cri-o
// pkg/config/config.go, TranslateMonitorFieldsForHandler).
func (j *judgement) monitorCgroup(manager keyed, e *entry) {
	k, ok := j.inEntry(e, schema.HandlerMonitorCgroup.Key)
	if !ok {
		return
	}
	cgroup := k.text()
	if old, ok := j.key(schema.ConmonCgroup.Key); ok && old.text() != "" {
		k, cgroup = old, old.text()
	}
	switch manager.text() {
	case "systemd":
		// An empty one means the default.
		if cgroup != "" && cgroup != podCgroup && !strings.HasSuffix(cgroup, ".slice") {
			j.mismatch(schema.Start, k, manager, cgroup)
		}
	case "cgroupfs":
		// Since 1.33 the default gives way to the manager; from 1.25.1 to 1.32
		// it is put in the place of an empty one first, and then refused.
		if cgroup == podCgroup || cgroup == "" && j.before(25, 1) || !j.before(33, 0) && (cgroup == "" || cgroup == defaultCgroup) {
			return
		}
		j.mismatch(schema.Start, k, manager, cgroup)
	}
}

func (j *judgement) mismatch(stage schema.Stage, k, manager keyed, cgroup string) {
	d := diag.Diagnostic{
		Code: diag.CgroupMismatch, Severity: diag.Error, Effect: diag.Refused, Stage: stage.String(),
		Key: k.path(), Range: k.at(), Detail: j.refuses(stage),
	}
	d.Summary = fmt.Sprintf("%s is %s, which cgroup_manager = %s does not allow", k.path(), keypath.Quote(cgroup), keypath.Quote(manager.text()))
	d.Hint = fmt.Sprintf(`Write %s = "pod", or the name of a systemd slice.`, k.path().Leaf())
	if manager.text() == "cgroupfs" {
		d.Hint = `Write conmon_cgroup = "pod" in [crio.runtime].`
		if at := manager.at(); !at.IsZero() {
			d.Related = []diag.Related{{Range: at, Message: "cgroup_manager is set here"}}
		}
	} else if stage == schema.Load {
		d.Summary = fmt.Sprintf("%s is %s, which is neither \"pod\" nor a slice", k.path(), keypath.Quote(cgroup))
	}
	if !k.isSet() {
		// The value comes from a default: the manager is what somebody wrote.
		if at := manager.at(); !at.IsZero() {
			d.Range, d.Related = at, nil
		}
	}
	for _, have := range j.list {
		if have.Code == d.Code && have.Range == d.Range && have.Summary == d.Summary {
			return
		}
	}
	j.add(d)
}

// shimName is the name that the binary of a handler of type vm must contain
// (cri-o pkg/config/config.go, RuntimeTypeVMBinaryPattern).
const shimName = `containerd-shim-([a-zA-Z0-9\-\+])+-v2`

// handler checks what spans several keys of a handler (cri-o
// pkg/config/config.go, RuntimeHandler.Validate). Faults of one key are rules of
// the schema.
func (j *judgement) handler(e *entry) {
	if e.builtin || j.inherits(e) {
		return
	}
	kind := j.textIn(e, schema.HandlerRuntimeType.Key)
	if k, ok := j.inEntry(e, schema.HandlerRuntimeConfigPath.Key); ok && k.text() != "" && kind != typeVM {
		j.handlerFault(k, fmt.Sprintf("%s works with runtime_type = \"vm\" only", k.path()))
	}
	if k, ok := j.inEntry(e, schema.HandlerRuntimePath.Key); ok && kind == typeVM && k.text() != "" && !j.before(21, 0) {
		// MatchString looks for the pattern anywhere in the name.
		if found, err := regexp.MatchString(shimName, path.Base(k.text())); err == nil && !found {
			j.handlerFault(k, fmt.Sprintf("%s = %s does not end in a name like containerd-shim-kata-v2", k.path(), keypath.Quote(k.text())))
		}
	}
	if k, ok := j.inEntry(e, schema.HandlerNoSyncLog.Key); ok && k.slot.value == true && kind != typeOCI && kind != "" {
		j.handlerFault(k, fmt.Sprintf("%s works with runtime_type = \"oci\" only", k.path()))
	}
	if k, ok := j.inEntry(e, schema.HandlerStreamWebsockets.Key); ok && k.slot.value == true && kind != typePod {
		j.handlerFault(k, fmt.Sprintf("%s works with runtime_type = \"pod\" only", k.path()))
	}
}

// inherits reports whether the handler takes its path and type from the default
// one, so that what it says itself counts for nothing.
func (j *judgement) inherits(e *entry) bool {
	k, ok := j.inEntry(e, schema.HandlerInheritDefaultRuntime.Key)
	return ok && k.slot.value == true
}

func (j *judgement) handlerFault(k keyed, summary string) {
	if j.dropsHandler(k, schema.Start) {
		j.dropped(k.entry, k.path(), k.at(), summary)
		return
	}
	j.refuse(schema.Start, k.path(), k.at(), summary, "")
}

// dropsHandler reports whether a fault found at the given stage costs only the
// handler. Since 1.21 CRI-O goes on without a faulty handler that is not the
// default one (cri-o pkg/config/config.go, ValidateRuntimes).
func (j *judgement) dropsHandler(k keyed, stage schema.Stage) bool {
	return k.entry != nil && stage == schema.Start && !j.before(21, 0) &&
		k.path().HasPrefix(schema.Runtimes.Path) && k.entry.name != j.state.text(schema.DefaultRuntime.Key)
}

func (j *judgement) dropped(e *entry, path keypath.Path, at diag.Range, summary string) {
	j.add(diag.Diagnostic{
		Code: diag.BadValue, Severity: diag.Warning, Effect: diag.Ignored, Key: path, Range: at, Summary: summary,
		Detail: fmt.Sprintf("%s starts without the handler %s and logs a warning. Pods that ask for it fail.", j.crio(), keypath.Quote(e.name)),
		Hint:   "Correct it, or delete the handler.",
	})
}
