package crio

import (
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// A flag is one flag of crio's command line.
type flag struct {
	name  string      // long name without dashes
	kind  schema.Kind // Bool takes no separate value
	key   *schema.Key // nil for a flag that sets no key
	env   []string    // variables that stand for it
	wordy bool        // a bool whose value is a word of its own
	since int         // first minor release of CRI-O 1 that has it, 0 for all
	until int         // first minor release without it, 0 for open
}

// plainFlags are the flags that set no key of the configuration.
// cri-o internal/criocli/criocli.go, getCrioFlags, 1.18 to 1.36.
var plainFlags = []flag{
	{name: "config", kind: schema.String, env: []string{"CONTAINER_CONFIG"}},
	{name: "config-dir", kind: schema.String, env: []string{"CONTAINER_CONFIG_DIR"}},
	{name: "log", kind: schema.String, env: []string{"CONTAINER_LOG"}},
	{name: "log-format", kind: schema.String, env: []string{"CONTAINER_LOG_FORMAT"}},
	{name: "profile", kind: schema.Bool, env: []string{"CONTAINER_PROFILE"}},
	{name: "profile-port", kind: schema.Int, env: []string{"CONTAINER_PROFILE_PORT"}},
	{name: "profile-cpu", kind: schema.String, env: []string{"CONTAINER_PROFILE_CPU"}, since: 23},
	{name: "profile-mem", kind: schema.String, env: []string{"CONTAINER_PROFILE_MEM"}, since: 23},
	{name: "enable-profile-unix-socket", kind: schema.Bool, env: []string{"ENABLE_PROFILE_UNIX_SOCKET"}, since: 20},
	{name: "manage-network-ns-lifecycle", kind: schema.Bool, env: []string{"CONTAINER_MANAGE_NETWORK_NS_LIFECYCLE"}, until: 19},
	{name: "registries-conf", kind: schema.String, env: []string{"CONTAINER_REGISTRIES_CONF"}},
	{name: "registries-conf-dir", kind: schema.String, env: []string{"CONTAINER_REGISTRIES_CONF_DIR"}, since: 21},
	{name: "help", kind: schema.Bool},
	{name: "version", kind: schema.Bool},
}

// shortFlags are other names of flags.
var shortFlags = map[string]string{
	"c": "config", "d": "config-dir", "l": "log-level", "r": "root", "s": "storage-driver",
	"tz": "timezone", "h": "help", "v": "version",
}

// wordyBools are the flags of bool keys that some releases declare as strings,
// so that the next argument is the value; what is no bool counts as false.
var wordyBools = map[string]schema.Span{
	"seccomp-use-default-when-empty": {Until: schema.Version{Major: 1, Minor: 24}},
	"nri-disable-connections":        {Until: schema.Version{Major: 1, Minor: 32}},
}

// flagsOf returns the flags of one release by name.
func flagsOf(s *schema.Schema) map[string]flag {
	v := s.Version().Known()
	all := map[string]flag{}
	for _, f := range plainFlags {
		if v.Minor >= f.since && (f.until == 0 || v.Minor < f.until) {
			all[f.name] = f
		}
	}
	for _, k := range s.Keys() {
		name := strings.TrimLeft(k.Flag(v), "-")
		env := k.EnvIn(v)
		if name == "" {
			continue
		}
		f := flag{name: name, kind: k.KindIn(v), key: k, env: env}
		if span, ok := wordyBools[name]; ok && span.Has(v) {
			f.wordy = true
		}
		all[name] = f
	}
	return all
}

// A given is a flag as it was given: on the command line, or by a variable.
type given struct {
	flag
	spelled  string // "--log-level", "-l", "CONTAINER_LOG_LEVEL"
	variable bool
	values   []string // none for a bool flag without a value
	at       diag.Range
}

// parseFlags reads the arguments of crio as its library does (Go's flag
// package): one dash or two, "=value" or the next argument, a bool only with
// "="; the first argument that is no flag ends it. What crio refuses is told.
func parseFlags(args []Word, flags map[string]flag) ([]given, diag.List) {
	var (
		all []given
		l   diag.List
	)
	for len(args) > 0 {
		w := args[0]
		args = args[1:]
		if len(w.Text) < 2 || w.Text[0] != '-' {
			return all, append(l, argument(w, all))
		}
		if w.Text == "--" {
			if len(args) > 0 {
				l = append(l, argument(args[0], nil))
			}
			return all, l
		}
		name := strings.TrimPrefix(w.Text[1:], "-")
		name, value, hasValue := strings.Cut(name, "=")
		g := given{spelled: w.Text, at: w.Range}
		if hasValue {
			g.spelled = strings.TrimSuffix(w.Text, "="+value)
			g.values = []string{value}
		}
		long := name
		if s, ok := shortFlags[name]; ok {
			long = s
		}
		f, known := flags[long]
		if !known {
			return all, append(l, unknownFlag(g, w))
		}
		g.flag = f
		if !hasValue && (f.kind != schema.Bool || f.wordy) {
			if len(args) == 0 {
				return all, append(l, refused(w.Range, fmt.Sprintf("flag %s has no value", g.spelled),
					"CRI-O refuses to start.", "Give it a value or take it away."))
			}
			g.values = []string{args[0].Text}
			g.at = join(w.Range, args[0].Range)
			args = args[1:]
		}
		all = append(all, g)
	}
	return all, l
}

func join(a, b diag.Range) diag.Range {
	if a.File == b.File && b.End.Offset > a.End.Offset {
		a.End = b.End
	}
	return a
}

func refused(at diag.Range, summary, detail, hint string) diag.Diagnostic {
	return diag.Diagnostic{Code: diag.BadValue, Severity: diag.Error, Effect: diag.Refused, Range: at,
		Summary: summary, Detail: detail, Hint: hint}
}

// argument tells of a word that is no flag: the daemon takes none.
// cri-o cmd/crio/main.go, app.Action.
func argument(w Word, before []given) diag.Diagnostic {
	d := refused(w.Range, fmt.Sprintf("argument %q on crio's command line", w.Text),
		"CRI-O refuses to start: it takes flags only.", "Take it away.")
	if n := len(before); n > 0 && before[n-1].kind == schema.Bool && len(before[n-1].values) == 0 {
		d.Hint = fmt.Sprintf("Write %s=%s.", before[n-1].spelled, w.Text)
	}
	if w.Text == "" {
		d.Hint = "A variable written ${NAME} in ExecStart= gives an empty argument when it is empty or not set; write $NAME."
	}
	return d
}

func unknownFlag(g given, w Word) diag.Diagnostic {
	return refused(w.Range, fmt.Sprintf("unknown flag %s", g.spelled),
		"This CRI-O does not have the flag and refuses to start.", "Take it away, or correct its name.")
}
