package crioconf

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// A judgement does what CRI-O does once all files are read: it checks the whole
// and puts values of its own in some places. CRI-O stops at the first fault;
// here all are collected.
type judgement struct {
	layers []*layer
	state  *state
	list   diag.List
}

// settle checks the state and adjusts it as CRI-O's validation at load does
// (cri-o pkg/config/config.go, Validate). What only the start of the daemon
// checks is reported as well, but changes no values.
func (j *judgement) settle() diag.List {
	for _, f := range j.state.shape.merging {
		if f.key.MergeIn(j.release()) == schema.AppendUnique {
			s := &j.state.keys[f.slot]
			list, _ := s.value.([]string)
			s.value = lastOfEach(list)
		}
	}
	j.defaultRuntime()
	j.namespaces()
	j.eachKey(j.check)
	j.eachKey(j.normalize)
	j.workloads()
	j.transport()
	j.monitors()
	j.startRules()
	j.advise()
	return j.list
}

func (j *judgement) release() schema.Version { return j.state.schema.Release() }

// before reports whether the release is older than 1.minor.patch.
func (j *judgement) before(minor, patch int) bool {
	return j.release().Less(schema.Version{Major: 1, Minor: minor, Patch: patch})
}

func (j *judgement) crio() string { return "CRI-O " + j.state.schema.Version().String() }

func (j *judgement) add(d diag.Diagnostic) { j.list = append(j.list, d) }

// refuse adds that CRI-O refuses a value.
func (j *judgement) refuse(stage schema.Stage, path keypath.Path, at diag.Range, summary, hint string) {
	j.add(diag.Diagnostic{
		Code: diag.BadValue, Severity: diag.Error, Effect: diag.Refused, Stage: stage.String(),
		Key: path, Range: at, Summary: summary, Detail: j.refuses(stage), Hint: hint,
	})
}

// refuses says what happens at a stage.
func (j *judgement) refuses(stage schema.Stage) string {
	switch stage {
	case schema.Load:
		return j.crio() + ` refuses to start, and every crio command that reads the configuration fails.`
	case schema.Start:
		return j.crio() + ` refuses to start. "crio config" does not check it.`
	}
	return j.crio() + ` starts, then exits while it builds its servers, before it is ready. "crio config" does not check it.`
}

// A keyed is the slot of a key, and the entry it is in, if any.
type keyed struct {
	field *field
	slot  *slot
	entry *entry
}

// path returns the path of the key, with the name of the entry.
func (k keyed) path() keypath.Path {
	if k.entry == nil {
		return k.field.path
	}
	return k.field.key.At(k.entry.name)
}

// at returns the place that is in force: the value as written, else the entry
// that leaves the key out. It is zero for a built-in value.
func (k keyed) at() diag.Range {
	if n := len(k.slot.sets); n > 0 {
		return k.slot.sets[n-1].Range
	}
	if k.entry != nil {
		return k.entry.at
	}
	return diag.Range{}
}

// element returns the place of the n-th element of a list, counted from 1, and
// that of the whole value where n is 0 or the list stands in no file.
func (j *judgement) element(k keyed, n int) diag.Range {
	at := k.at()
	for _, l := range j.layers {
		if n == 0 || l.file.Name() != at.File {
			continue
		}
		for e := range l.file.Entries() {
			if e.Value == at && n <= len(e.Node.Elems) {
				return e.Node.Elems[n-1].Range
			}
		}
	}
	return at
}

// isSet reports whether a file, a flag or a variable sets the key.
func (k keyed) isSet() bool { return len(k.slot.sets) > 0 }

func (k keyed) text() string {
	s, _ := k.slot.value.(string)
	return s
}

// key returns the slot of a key outside entries, and whether the release reads
// it.
func (j *judgement) key(k *schema.Key) (keyed, bool) {
	f := j.state.shape.byKey[k]
	if f == nil {
		return keyed{}, false
	}
	return keyed{field: f, slot: &j.state.keys[f.slot]}, true
}

// inEntry returns the slot of a key of an entry, and whether the release reads
// it.
func (j *judgement) inEntry(e *entry, k *schema.Key) (keyed, bool) {
	f := j.state.shape.byKey[k]
	if f == nil {
		return keyed{}, false
	}
	return keyed{field: f, slot: &e.slots[f.slot], entry: e}, true
}

// textIn returns a string of an entry, "" where the release does not read it.
func (j *judgement) textIn(e *entry, k *schema.Key) string {
	if at, ok := j.inEntry(e, k); ok {
		return at.text()
	}
	return ""
}

// eachKey calls do for every key, entries by name.
func (j *judgement) eachKey(do func(keyed)) {
	for i, f := range j.state.shape.keys {
		do(keyed{field: f, slot: &j.state.keys[i]})
	}
	for i, in := range j.state.shape.maps {
		for _, e := range sorted(j.state.maps[i]) {
			for n, f := range j.state.shape.entries[in] {
				do(keyed{f, &e.slots[n], e})
			}
		}
	}
}

// sorted returns entries by name.
func sorted(entries map[string]*entry) []*entry {
	var list []*entry
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		list = append(list, entries[name])
	}
	return list
}

// check applies the rules of one key.
func (j *judgement) check(k keyed) {
	if !k.isSet() && (k.entry == nil || k.entry.builtin) {
		return
	}
	if k.field.key == schema.ConmonCgroup.Key {
		return // judged together with cgroup_manager
	}
	for _, broken := range k.field.key.Check(j.release(), k.slot.value, j.effective) {
		summary, near, at := fmt.Sprintf("%s %v", k.path(), broken.Err), "", k.at()
		if e, ok := errors.AsType[*schema.ValueError](broken.Err); ok {
			near, at = e.Near, j.element(k, e.Element)
		}
		if j.dropsHandler(k, broken.Stage) {
			j.dropped(k.entry, k.path(), at, summary)
		} else {
			j.refuse(broken.Stage, k.path(), at, summary, "")
		}
		last := &j.list[len(j.list)-1]
		last.Suggest = near
		if near != "" {
			last.Hint = fmt.Sprintf("Write %s, if that is meant.", keypath.Quote(near))
		}
	}
}

// effective returns the value of a key that belongs to no entry, nil when the
// release has none.
func (j *judgement) effective(p keypath.Path) any {
	f, _ := j.state.shape.locate(p)
	if f == nil || f.key == nil || f.key.HasNames() {
		return nil
	}
	return j.state.keys[f.slot].value
}

// normalize puts the value in place that CRI-O goes on with after loading, and
// reports one that it changes then or later.
func (j *judgement) normalize(k keyed) {
	if k.field.key == schema.DefaultRuntime.Key {
		return // an empty one names a handler, if there is one of that name
	}
	was := k.slot.value
	value, changed := k.field.key.Normal(j.release(), was, schema.Load)
	if changed {
		adjust(k.slot, value)
	}
	value, changed = k.field.key.Normal(j.release(), was, schema.Server)
	if !changed || Equal(value, was) || !k.isSet() || k.field.key.ReloadIn(j.release()) == schema.NoEffect {
		return
	}
	j.add(diag.Diagnostic{
		Code: diag.ReplacedValue, Severity: diag.Warning, Effect: diag.Replaced, Key: k.path(), Range: k.at(),
		Summary: fmt.Sprintf("%s is %s, and %s uses %s", k.path(), FormatValue(was), j.crio(), FormatValue(value)),
		Detail:  "CRI-O puts that value in place of this one and starts.",
		Hint:    "Write the value that is meant, or delete the line.",
	})
}

// adjust stores the value that CRI-O puts in the place of another one.
func adjust(s *slot, value any) {
	if !Equal(s.value, value) {
		s.value, s.adjusted = value, true
	}
}

// defaultRuntime checks that the default handler exists (cri-o
// pkg/config/config.go, RuntimeConfig.Validate, since 1.25.1
// ValidateDefaultRuntime).
func (j *judgement) defaultRuntime() {
	k, ok := j.key(schema.DefaultRuntime.Key)
	handlers := j.state.handlers()
	if !ok || handlers == nil {
		return
	}
	name, builtin := k.text(), j.state.schema.BuiltinRuntime()
	if handlers[name] != nil {
		return
	}
	if name != "" {
		j.missingRuntime(k, name)
		return
	}
	if handlers[builtin] == nil {
		handlers[builtin] = j.restored(builtin)
	}
	adjust(k.slot, builtin)
}

// restored returns the handler that CRI-O makes when it needs the built-in one
// and it is gone. Until 1.23 it has less than the one it had at first.
func (j *judgement) restored(name string) *entry {
	f := j.state.shape.byKey[schema.Runtimes]
	e := j.state.builtin(f, name)
	if !j.before(24, 0) {
		return e
	}
	for i, f := range j.state.shape.entries[f] {
		if f.key != schema.HandlerRuntimeType.Key && f.key != schema.HandlerRuntimeRoot.Key {
			e.slots[i].value = f.kind.Zero()
		}
	}
	return e
}

func (j *judgement) missingRuntime(k keyed, name string) {
	table := "[" + schema.Runtimes.Path.Child(name).String() + "]"
	d := diag.Diagnostic{
		Code: diag.MissingRuntime, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Load.String(),
		Key: k.path(), Range: k.at(),
		Summary: fmt.Sprintf("default_runtime is %s, and there is no %s", keypath.Quote(name), table),
		Detail:  j.refuses(schema.Load),
	}
	builtin := j.state.schema.BuiltinRuntime()
	others := slices.Sorted(maps.Keys(j.state.handlers()))
	switch lost := j.state.lost; {
	case lost != nil && name == builtin:
		d.Detail += " " + j.lostBecause()
		d.Related = append(d.Related, diag.Related{Range: lost.at, Message: "for this, CRI-O drops the built-in handler"})
		if d.Range.IsZero() {
			d.Range = lost.at
		}
	case name == "runc" || name == "crun":
		d.Detail += fmt.Sprintf(" The handler that it has without any table is %s: runc up to CRI-O 1.30, crun since 1.31.", keypath.Quote(builtin))
	}
	d.Hint = fmt.Sprintf("Add %s with its runtime_path", table)
	if near, ok := keypath.Near(name, others); ok {
		d.Suggest = near
	}
	if len(others) > 0 {
		d.Hint += fmt.Sprintf(", or set default_runtime to a handler that exists: %s", strings.Join(others, ", "))
	}
	d.Hint += "."
	j.add(d)
}

// lostBecause explains the rule by which a release drops its built-in handler.
func (j *judgement) lostBecause() string {
	if j.before(19, 0) {
		return "CRI-O 1.18 drops the built-in handler when a file has a table of handlers without it."
	}
	return "CRI-O 1.19.0 to 1.25.0 drops the handler runc after each file that sets default_runtime to another one, even if the same file defines it."
}

// namespaces applies the rules of the releases that managed namespaces on
// request (cri-o pkg/config/config.go, RuntimeConfig.Validate, up to 1.20).
func (j *judgement) namespaces() {
	manage, ok := j.key(schema.ManageNamespaceLifecycle.Key)
	network, old := j.key(schema.ManageNetworkNamespaceLifecycle.Key)
	if !ok {
		manage, ok = network, old
	} else if old && network.slot.value == true {
		adjust(manage.slot, true)
	}
	if !ok {
		return
	}
	on := manage.slot.value == true
	if on && j.before(20, 0) {
		for _, key := range []*schema.Key{schema.UIDMappings.Key, schema.GIDMappings.Key} {
			if k, ok := j.key(key); ok && k.text() != "" {
				j.refuse(schema.Load, k.path(), k.at(),
					fmt.Sprintf("%s together with %s = true", k.path().Leaf(), manage.path().Leaf()),
					fmt.Sprintf("Set %s = false, or delete the mappings.", manage.path().Leaf()))
			}
		}
	}
	if k, ok := j.key(schema.DropInfraContainer.Key); ok && k.slot.value == true && !on {
		j.refuse(schema.Load, k.path(), k.at(), "drop_infra_ctr = true without manage_ns_lifecycle",
			"Set manage_ns_lifecycle = true, or drop_infra_ctr = false.")
	}
}

// transport checks the TLS settings of the stream server. Since 1.32 that is
// done at load (cri-o pkg/config/config.go, APIConfig.Validate); before, the
// pair fails to load when the server is built.
func (j *judgement) transport() {
	on, ok := j.key(schema.StreamEnableTLS.Key)
	if !ok || on.slot.value != true {
		return
	}
	stage := schema.Load
	if j.before(32, 0) {
		stage = schema.Server
	}
	for _, key := range []*schema.Key{schema.StreamTLSCert.Key, schema.StreamTLSKey.Key} {
		if k, ok := j.key(key); ok && k.text() == "" {
			at := on.at()
			if k.isSet() {
				at = k.at()
			}
			j.refuse(stage, k.path(), at,
				fmt.Sprintf("stream_enable_tls = true, and %s is empty", k.path().Leaf()),
				"Set stream_tls_cert and stream_tls_key, or stream_enable_tls = false.")
		}
	}
}

// workloads checks the rules that span several keys of a workload (cri-o
// pkg/config/workloads.go, WorkloadConfig.Validate and ValidateDefaults).
func (j *judgement) workloads() {
	for _, e := range sorted(j.state.named(schema.Workloads)) {
		path := schema.Workloads.Path.Child(e.name)
		if len(e.tables) == 0 && !j.before(21, 1) && j.before(22, 0) {
			d := diag.Diagnostic{
				Code: diag.BadValue, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Load.String(),
				Key: path, Range: e.at,
				Summary: fmt.Sprintf("[%s] has no resources", path),
				Detail:  j.crio() + " crashes on a workload without a resources table, and does not start.",
				Hint:    fmt.Sprintf("Add an empty table [%s.resources].", path),
			}
			j.add(d)
		}
		quota, ok := j.inEntry(e, schema.WorkloadCPUQuota.Key)
		shares, _ := j.inEntry(e, schema.WorkloadCPUShares.Key)
		if !ok || !quota.isSet() {
			continue
		}
		q, _ := quota.slot.value.(int64)
		s, _ := shares.slot.value.(uint64)
		if q != 0 && q < int64(s) {
			j.refuse(schema.Load, quota.path(), quota.at(),
				fmt.Sprintf("cpuquota %d is less than cpushares %d", q, s),
				"Write a cpuquota of at least cpushares, or 0 for none.")
		}
	}
}
