package migrate

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// toHandlers moves an old key for all handlers into each of those that it
// governs.
type toHandlers struct{ From, To *schema.Key }

func (t toHandlers) apply(w *work, s *Step) error {
	places := w.places(t.From.Path)
	if len(places) == 0 {
		return nil
	}
	v, _ := w.now.Lookup(t.From.Path)
	if v.Origin.Kind != crioconf.File {
		w.say(s, Noted, t.From.Path, places[0].at(), fmt.Sprintf("%s stays: %s of the unit sets it", t.From, v.Origin.Name), "")
		return nil
	}
	last := places[len(places)-1]
	if w.open("builtin-handler") {
		// It goes to the handlers that there will be, and still counts till then.
		w.say(s, Noted, t.From.Path, last.at(), fmt.Sprintf("%s stays until the default runtime is decided", t.From), "")
		return nil
	}
	w.claim(s, t.From.Path)
	for _, p := range places {
		comment := p.entry.Value == last.entry.Value && p.file == last.file
		if err := t.drop(w, s, p, comment); err != nil {
			return err
		}
	}
	if crioconf.IsZero(v.V) || t.isStale(w, v.V) {
		return nil
	}
	for _, name := range w.governed() {
		if err := t.carry(w, s, name, v.V, last); err != nil {
			return err
		}
	}
	return nil
}

// open reports whether somebody has to decide a step that was taken.
func (w *work) open(code string) bool {
	return slices.ContainsFunc(w.taken, func(t Taken) bool { return t.Code == code && t.Outcome == Decide })
}

func (t toHandlers) drop(w *work, s *Step, p place, last bool) error {
	text := fmt.Sprintf("%s moves to %s of the handlers of type oci", t.From, t.To.Path.Leaf())
	switch {
	case !last:
		text = fmt.Sprintf("%s is deleted: a later file sets it", t.From)
	case len(stringsOf(p.entry.Node)) == 0:
		text = fmt.Sprintf("%s is deleted: an empty value does nothing", t.From)
	case t.isStale(w, plain(p.entry.Node)):
		text = fmt.Sprintf("%s is deleted: it repeats what CRI-O %s has built in", t.From, w.from)
	}
	w.say(s, Done, t.From.Path, p.at(), text, "")
	return w.remove(p)
}

// isStale reports whether the value is what the old release has built in, so
// that nobody chose it.
func (t toHandlers) isStale(w *work, v any) bool {
	d := defaultsByKey()[t.From]
	return w.from.Known().Less(rel(24, 0)) && w.drops(d) && w.isOldDefault(d, v)
}

// governed returns the handlers that run under conmon, by name (cri-o
// pkg/config/config.go, TranslateMonitorFields).
func (w *work) governed() []string {
	var names []string
	for _, name := range handlersOf(w.now) {
		if kind, _ := crioconf.Get(w.now, schema.HandlerRuntimeType, name); kind == "oci" || kind == "" {
			names = append(names, name)
		}
	}
	return names
}

func handlersOf(c *crioconf.Config) []string {
	v, _ := c.Lookup(schema.Runtimes.Path)
	names, _ := v.V.([]string)
	return names
}

// carry gives one handler the value. A handler that no file names is written out
// where the old key stood.
func (t toHandlers) carry(w *work, s *Step, name string, value any, from place) error {
	key := t.To.At(name)
	w.claim(s, key)
	have, ok := w.now.Lookup(key)
	if !ok || crioconf.Equal(have.V, value) {
		return nil
	}
	file := have.Origin.Range.File
	if file == "" {
		file = from.file
		w.claim(s, key.Parent())
	}
	w.say(s, Done, key, from.at(), fmt.Sprintf("%s = %s", key, crioconf.FormatValue(value)), "")
	return w.assign(s, key, value, file)
}

// assign makes a value effective, in the file with that name, and says so where
// something later wins.
func (w *work) assign(s *Step, p keypath.Path, value any, file string) error {
	planned, err := w.now.Plan(crioconf.Request{Op: crioconf.Set, Key: p, Value: value, In: w.now.Name(file)})
	var refusal *crioconf.Refusal
	switch {
	case errors.As(err, &refusal):
		w.say(s, Decide, p, diag.Range{}, fmt.Sprintf("%s should become %s, but %s", p, crioconf.FormatValue(value), refusal.Summary), refusal.Hint)
		return nil
	case err != nil:
		return err
	}
	w.now = planned.Config
	return nil
}

// runtimePath turns the runtime of old releases into a handler.
type runtimePath struct {
	Key     *schema.Key
	Name    string // of the handler, "" for the name of the program
	Default bool   // the handler becomes the default one
}

func (r runtimePath) apply(w *work, s *Step) error {
	for _, p := range w.places(r.Key.Path) {
		w.claim(s, r.Key.Path)
		comment := w.commentOf(p)
		if err := w.remove(p); err != nil {
			return err
		}
		program := p.entry.Node.Str
		if !w.inForceBefore(p) || program == "" {
			w.say(s, Done, r.Key.Path, p.at(), fmt.Sprintf("%s is deleted: it had no effect", r.Key), "")
			continue
		}
		name := r.Name
		if name == "" {
			name = path.Base(program)
		}
		if err := r.handler(w, s, p, name, program, comment); err != nil {
			return err
		}
	}
	return nil
}

func (r runtimePath) handler(w *work, s *Step, p place, name, program, comment string) error {
	entry := schema.Runtimes.Path.Child(name)
	w.claim(s, entry)
	key := schema.HandlerRuntimePath.At(name)
	if have, ok := w.now.Lookup(key); ok && !have.Origin.Range.IsZero() {
		w.say(s, Done, r.Key.Path, p.at(), fmt.Sprintf("%s is deleted: the files have [%s]", r.Key, entry), "")
	} else {
		w.say(s, Done, r.Key.Path, p.at(), fmt.Sprintf("%s becomes [%s] with runtime_path = %s", r.Key, entry, keypath.Quote(program)), "")
		if err := r.write(w, s, p.file, name, program); err != nil {
			return err
		}
		if err := w.comment(p.file, entry, comment); err != nil {
			return err
		}
	}
	if now, _ := crioconf.Get(w.now, schema.DefaultRuntime); !r.Default || now == name {
		return nil
	}
	w.claim(s, schema.DefaultRuntime.Path)
	return w.assign(s, schema.DefaultRuntime.Path, name, p.file)
}

func (r runtimePath) write(w *work, s *Step, file, name, program string) error {
	builtin := name == w.now.Schema().BuiltinRuntime()
	if err := w.assign(s, schema.HandlerRuntimePath.At(name), program, file); err != nil || builtin {
		return err // the built-in entry is written out with all it has
	}
	if w.reads(schema.HandlerRuntimeType.Key) {
		if err := w.assign(s, schema.HandlerRuntimeType.At(name), "oci", file); err != nil {
			return err
		}
	}
	if (name == "runc" || name == "crun") && w.reads(schema.HandlerRuntimeRoot.Key) {
		return w.assign(s, schema.HandlerRuntimeRoot.At(name), "/run/"+name, file)
	}
	return nil
}

// builtinHandler deals with the built-in handler, which is another one since
// 1.31: runc before, crun after.
type builtinHandler struct{}

func (builtinHandler) apply(w *work, s *Step) error {
	was, is := w.before.Schema().BuiltinRuntime(), w.now.Schema().BuiltinRuntime()
	if was == is || was == "" || is == "" {
		return nil
	}
	w.claim(s, schema.Runtimes.Path.Child(was))
	before, _ := w.before.Lookup(schema.DefaultRuntime.Path)
	now, _ := w.now.Lookup(schema.DefaultRuntime.Path)
	_, there := w.now.Lookup(schema.HandlerRuntimePath.At(was))
	switch {
	case now.Origin.Kind != crioconf.Default && now.V == was && !there:
		w.claim(s, schema.DefaultRuntime.Path)
		w.say(s, Done, schema.DefaultRuntime.Path, now.Origin.Range,
			fmt.Sprintf("[%s] is written out: default_runtime names it, and CRI-O %s does not have it built in", schema.Runtimes.Path.Child(was), w.to), "")
		return w.writeBuiltin(s, was, now.Origin.Range.File)
	case before.V == was && now.V == is && now.Origin.Kind == crioconf.Default:
		return w.flip(s, was, is, there)
	case !there && handlerIsBuiltin(w.before, was):
		w.say(s, Noted, schema.Runtimes.Path.Child(was), diag.Range{},
			fmt.Sprintf("the handler %s is no longer built in", was),
			fmt.Sprintf("Where a RuntimeClass names it, write [%s] into a file.", schema.Runtimes.Path.Child(was)))
	}
	return nil
}

func handlerIsBuiltin(c *crioconf.Config, name string) bool {
	v, ok := c.Lookup(schema.HandlerRuntimePath.At(name))
	return ok && v.Origin.Kind == crioconf.Default && v.Origin.Range.IsZero()
}

// flip deals with a default runtime that nobody names and that becomes another.
func (w *work) flip(s *Step, was, is string, there bool) error {
	w.claim(s, schema.DefaultRuntime.Path)
	what := fmt.Sprintf("the default runtime becomes %s, where CRI-O %s has %s, and no file names one", is, w.from, was)
	drain := "Drain the node before the restart: containers that run under the old runtime cannot be stopped with the new one."
	switch {
	case w.options.PinRuntime:
		w.say(s, Done, schema.DefaultRuntime.Path, diag.Range{}, fmt.Sprintf("default_runtime = %s is written, so that it stays", keypath.Quote(was)), "")
		if !there {
			if err := w.writeBuiltin(s, was, ""); err != nil {
				return err
			}
		}
		return w.assign(s, schema.DefaultRuntime.Path, was, "")
	case w.options.accepted(s.Code):
		w.say(s, Noted, schema.DefaultRuntime.Path, diag.Range{}, what, drain)
	default:
		w.say(s, Decide, schema.DefaultRuntime.Path, diag.Range{}, what, drain+fmt.Sprintf(" Then say --accept %s; or keep %s with --pin-runtime.", s.Code, was))
	}
	return nil
}

// writeBuiltin writes the handler that the old release has built in.
func (w *work) writeBuiltin(s *Step, name, file string) error {
	entry := schema.Runtimes.Path.Child(name)
	first := true
	for _, k := range w.now.Schema().Keys() {
		if !k.Path.HasPrefix(schema.Runtimes.Path.Child("*")) || k.Kind == schema.StringMap || k.ReloadIn(w.to) == schema.NoEffect {
			continue
		}
		value := w.builtinValue(k)
		if crioconf.IsZero(value) || w.outvoted(k) {
			continue
		}
		if err := w.assign(s, entry.Child(k.Path.Leaf()), value, file); err != nil {
			return err
		}
		if v, ok := w.now.Lookup(entry.Child(k.Path.Leaf())); first && ok {
			file, first = v.Origin.Range.File, false
		}
	}
	return nil
}

// outvoted reports whether an old key for all handlers wins over the handler's
// own, so that another step will write it.
func (w *work) outvoted(k *schema.Key) bool {
	old := map[*schema.Key]*schema.Key{
		schema.HandlerMonitorPath.Key: schema.Conmon.Key, schema.HandlerMonitorCgroup.Key: schema.ConmonCgroup.Key, schema.HandlerMonitorEnv.Key: schema.ConmonEnv.Key,
	}[k]
	if old == nil {
		return false
	}
	v, ok := w.now.Lookup(old.Path)
	return ok && !crioconf.IsZero(v.V)
}

// builtinValue returns what the built-in handler has: in the old release, or in
// the new one for what only that knows of its monitor.
func (w *work) builtinValue(k *schema.Key) any {
	if w.readBefore(k) {
		v, _ := k.Default(w.from)
		return v
	}
	switch k {
	case schema.HandlerMonitorCgroup.Key, schema.HandlerMonitorEnv.Key, schema.HandlerAllowedAnnotations.Key:
		v, _ := k.Default(w.to)
		return v
	}
	return nil
}

// podCgroup puts conmon into the cgroup of the pod where the manager of cgroups
// is cgroupfs, which allows no other.
type podCgroup struct{}

func (podCgroup) apply(w *work, s *Step) error {
	manager, _ := w.now.Lookup(schema.CgroupManager.Path)
	if manager.V != "cgroupfs" || !mismatched(w.now) {
		return nil
	}
	at, file := manager.Origin.Range, manager.Origin.Range.File
	if manager.Origin.Kind != crioconf.File {
		at, file = diag.Range{}, ""
	}
	if !w.reads(schema.HandlerMonitorCgroup.Key) {
		return w.pod(s, schema.ConmonCgroup.Path, at, file)
	}
	for _, name := range w.governed() {
		if err := w.pod(s, schema.HandlerMonitorCgroup.At(name), at, file); err != nil {
			return err
		}
	}
	return nil
}

func mismatched(c *crioconf.Config) bool {
	for _, d := range c.Diagnostics() {
		if d.Code == diag.CgroupMismatch && d.Effect == diag.Refused {
			return true
		}
	}
	return false
}

func (w *work) pod(s *Step, p keypath.Path, at diag.Range, file string) error {
	w.claim(s, p)
	have, ok := w.now.Lookup(p)
	if !ok || have.V == "pod" {
		return nil
	}
	switch {
	case !have.Origin.Range.IsZero() && have.Origin.Kind != crioconf.Flag && have.Origin.Kind != crioconf.Variable:
		file = have.Origin.Range.File
	case p.HasPrefix(schema.Runtimes.Path):
		w.claim(s, p.Parent()) // the built-in entry is written out
	}
	w.say(s, Done, p, at, fmt.Sprintf(`%s becomes "pod": CRI-O %s allows no other with cgroup_manager = "cgroupfs"`, p, w.to), "")
	return w.assign(s, p, "pod", file)
}
