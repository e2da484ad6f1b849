package crioconf

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// advise reports values that CRI-O accepts and that do not do what they seem to.
func (j *judgement) advise() {
	j.lostHandler()
	j.eachKey(func(k keyed) {
		for _, set := range k.slot.sets {
			if set.Kind == File {
				j.aged(k, set)
			}
		}
	})
	for _, k := range j.state.kept {
		j.keptEmpty(k)
	}
	j.streamAddress()
	j.metrics()
	j.samePort()
	j.collectors()
	j.pluginDirs()
	j.storageDriver()
	for _, e := range sorted(j.state.handlers()) {
		j.runtimeRoot(e)
	}
}

// lostHandler reports a handler that an old release drops.
func (j *judgement) lostHandler() {
	lost, name := j.state.lost, j.state.schema.BuiltinRuntime()
	if lost == nil || j.state.handlers()[name] != nil {
		return
	}
	path := schema.Runtimes.Path.Child(name)
	d := diag.Diagnostic{
		Code: diag.LostHandler, Severity: diag.Info, Effect: diag.None, Key: path, Range: lost.at,
		Summary: fmt.Sprintf("the built-in handler %s is dropped", name),
		Detail:  j.lostBecause(),
		Hint:    fmt.Sprintf("Define [%s] in a file that is read later, if pods ask for it.", path),
	}
	if !lost.entry.builtin {
		d.Severity, d.Effect = diag.Warning, diag.Ignored
		d.Summary = fmt.Sprintf("the handler %s is dropped, although a file defines it", name)
		d.Related = []diag.Related{{Range: lost.entry.at, Message: "it is defined here"}}
	}
	j.add(d)
}

// aged reports a deprecated key, or one that no longer does anything.
func (j *judgement) aged(k keyed, set setting) {
	key, release := k.field.key, j.release()
	d := diag.Diagnostic{Key: k.path(), Range: set.Range, Severity: diag.Warning, Effect: diag.None}
	switch {
	case key.ReloadIn(release) == schema.NoEffect:
		d.Code, d.Effect = diag.InertValue, diag.Ignored
		d.Summary = fmt.Sprintf("%s has no effect", k.path())
		d.Detail = fmt.Sprintf("CRI-O accepts it since %s and does nothing with it.", shortVersion(key.Inert))
		d.Since = shortVersion(key.Inert)
	case key.DeprecatedIn(release):
		d.Code = diag.DeprecatedKey
		d.Summary = fmt.Sprintf("%s is deprecated since CRI-O %s", k.path(), shortVersion(key.Deprecated))
		d.Detail = fmt.Sprintf("%s still reads it.", j.crio())
		d.Since = shortVersion(key.Deprecated)
	default:
		return
	}
	d.Hint = "Delete the line."
	if key.ReplacedBy != "" {
		d.Hint = fmt.Sprintf("Use %s.", key.ReplacedBy)
		if p, err := keypath.Parse(key.ReplacedBy); err == nil {
			d.Suggest = p.String()
		}
	}
	if key == schema.PluginDir.Key {
		d.Detail = fmt.Sprintf("%s still reads it and adds the directory to the end of plugin_dirs when it starts.", j.crio())
	}
	if key == schema.ConmonCgroup.Key {
		// The only short way to this setting for all handlers at once.
		d.Severity = diag.Info
	}
	if d.Code == diag.DeprecatedKey && key.Deprecated.Minor == release.Minor {
		// The release that says so first; nothing is lost yet.
		d.Severity = diag.Info
	}
	if IsZero(set.Value) || Equal(set.Value, j.state.schema.Default(key)) {
		d.Severity = diag.Info
		d.Detail += " The value is the default."
	}
	j.add(d)
}

// keptEmpty tells of an empty string that does not count.
func (j *judgement) keptEmpty(k keyed) {
	j.add(diag.Diagnostic{
		Code: diag.InertValue, Severity: diag.Info, Effect: diag.Ignored, Key: k.path(), Range: k.at(),
		Summary: fmt.Sprintf("%s is empty, which leaves %s", k.path(), FormatValue(k.slot.value)),
		Detail:  "Since 1.24 an empty string does not replace this key's earlier value.",
		Hint:    "Delete the line.",
	})
}

// replaces adds that CRI-O goes on with something else than what is written.
func (j *judgement) replaces(k keyed, effect diag.Effect, summary, detail, hint string) {
	code := diag.ReplacedValue
	if effect == diag.Ignored {
		code = diag.InertValue
	}
	j.add(diag.Diagnostic{
		Code: code, Severity: diag.Warning, Effect: effect, Key: k.path(), Range: k.at(),
		Summary: summary, Detail: detail, Hint: hint,
	})
}

// streamAddress reports an address that the stream server does not listen on
// (cri-o server/server.go, New).
func (j *judgement) streamAddress() {
	k, ok := j.key(schema.StreamAddress.Key)
	if !ok || !k.isSet() || j.before(17, 0) {
		return
	}
	if _, err := netip.ParseAddr(k.text()); err == nil {
		return
	}
	severity := diag.Warning
	if k.text() == "" {
		severity = diag.Info // an old way to say all interfaces
	}
	j.replaces(k, diag.Replaced,
		fmt.Sprintf("stream_address is %s, which is no IP address", keypath.Quote(k.text())),
		j.crio()+" listens on all interfaces instead: exec, attach and port forwarding can be reached from outside.",
		`Write an IP address, "127.0.0.1" for the node alone.`)
	j.list[len(j.list)-1].Severity = severity
}

// metrics reports half of a pair of certificate and key (cri-o
// server/metrics/metrics.go, Start).
func (j *judgement) metrics() {
	cert, ok := j.key(schema.MetricsCert.Key)
	key, found := j.key(schema.MetricsKey.Key)
	if !ok || !found || (cert.text() == "") == (key.text() == "") {
		return
	}
	have, missing := cert, key
	if have.text() == "" {
		have, missing = key, cert
	}
	j.replaces(have, diag.Ignored,
		fmt.Sprintf("%s is set, and %s is empty", have.path().Leaf(), missing.path().Leaf()),
		j.crio()+" serves the metrics as plain HTTP, without a word.",
		"Set both, or neither.")
}

// samePort reports two servers on one port.
func (j *judgement) samePort() {
	on, ok := j.key(schema.EnableMetrics.Key)
	stream, _ := j.key(schema.StreamPort.Key)
	port, found := j.key(schema.MetricsPort.Key)
	if !ok || !found || on.slot.value != true {
		return
	}
	n, err := strconv.ParseInt(stream.text(), 10, 64)
	if err != nil || n == 0 || port.slot.value != n || !j.sameHost() {
		return
	}
	at := port.at()
	if !port.isSet() {
		at = stream.at()
	}
	j.refuse(schema.Server, port.path(), at,
		fmt.Sprintf("metrics_port and stream_port are both %d", n), "Choose another port for one of them.")
}

// sameHost reports whether the servers of streams and of metrics listen on a
// common address.
func (j *judgement) sameHost() bool {
	all := func(s string) bool {
		a, err := netip.ParseAddr(s)
		return err != nil || a.IsUnspecified()
	}
	stream := j.state.text(schema.StreamAddress.Key)
	metrics := ""
	if k, ok := j.key(schema.MetricsHost.Key); ok {
		metrics = k.text()
	}
	return all(stream) || metrics == "" || all(metrics) && metrics != "localhost" || stream == metrics ||
		metrics == "localhost" && stream == "127.0.0.1"
}

// collectors reports names of metrics that the release does not have (cri-o
// server/metrics/collectors/collectors.go, Contains).
func (j *judgement) collectors() {
	k, ok := j.key(schema.MetricsCollectors.Key)
	if !ok || !k.isSet() {
		return
	}
	known, _ := j.state.schema.Default(k.field.key).([]string)
	list, _ := k.slot.value.([]string)
	var unknown []string
	for _, name := range list {
		bare := strings.TrimPrefix(strings.TrimPrefix(name, "container_runtime_"), "crio_")
		if !slices.Contains(known, bare) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return
	}
	j.replaces(k, diag.Ignored,
		fmt.Sprintf("metrics_collectors names what %s does not have: %s", j.crio(), FormatValue(unknown)),
		"It passes over those names without a word.",
		"Delete them from the list, or the whole line to get all collectors.")
}

// pluginDirs tells that the common directory is left out, where what installs
// itself puts its plugins.
func (j *judgement) pluginDirs() {
	k, ok := j.key(schema.PluginDirs.Key)
	if !ok || !k.isSet() {
		return
	}
	list, _ := k.slot.value.([]string)
	if old, ok := j.key(schema.PluginDir.Key); ok && old.text() != "" {
		list = append(slices.Clone(list), old.text())
	}
	usual, _ := j.state.schema.Default(k.field.key).([]string)
	for _, dir := range usual {
		if slices.ContainsFunc(list, func(s string) bool { return strings.TrimRight(s, "/") == strings.TrimRight(dir, "/") }) {
			return
		}
	}
	j.add(diag.Diagnostic{
		Code: diag.ReplacedList, Severity: diag.Info, Effect: diag.None, Key: k.path(), Range: k.at(),
		Summary: fmt.Sprintf("plugin_dirs leaves out the default %s", strings.Join(usual, ", ")),
		Detail:  "Network add-ons that install themselves put their plugins there; CRI-O does not find them.",
		Hint:    "Add the directory to the list, unless all plugins are elsewhere.",
	})
}

// storageDriver reports the name that the driver overlay had for some time.
func (j *judgement) storageDriver() {
	k, ok := j.key(schema.StorageDriver.Key)
	if !ok || !k.isSet() || k.text() != "overlay2" {
		return
	}
	j.replaces(k, diag.Replaced, `storage_driver is "overlay2", an old name of "overlay"`,
		"Where storage.conf says overlay, CRI-O and other programs do not find each other's images, nor CRI-O its own after a reboot.",
		`Write "overlay".`)
}

// runtimeRoot tells that a handler without runtime_root keeps its state below
// the root of another one (cri-o internal/oci/runtime_oci.go, newRuntimeOCI).
func (j *judgement) runtimeRoot(e *entry) {
	k, ok := j.inEntry(e, schema.HandlerRuntimeRoot.Key)
	builtin := j.state.schema.BuiltinRuntime()
	if !ok || e.builtin || k.text() != "" || e.name == builtin || e.name != "crun" && e.name != "runc" || j.inherits(e) {
		return
	}
	if t := j.textIn(e, schema.HandlerRuntimeType.Key); t != typeOCI && t != "" {
		return
	}
	j.add(diag.Diagnostic{
		Code: diag.ReplacedValue, Severity: diag.Info, Effect: diag.Replaced, Key: k.path(), Range: k.at(),
		Summary: fmt.Sprintf("the handler %s has no runtime_root and uses /run/%s", e.name, builtin),
		Detail:  fmt.Sprintf("%s keeps the state of its containers there, where %s itself does not look.", j.crio(), e.name),
		Hint:    fmt.Sprintf(`Write runtime_root = "/run/%s", on a drained node: containers that run lose their state.`, e.name),
	})
}
