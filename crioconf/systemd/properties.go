package systemd

import (
	"encoding/hex"

	"github.com/crioctl/crioctl-net/crioconf/apply"
)

// Properties are what systemd knows about the unit at one moment: one reply, so
// that the fields belong together. A unit that systemd does not know has
// LoadState "not-found" and ActiveState "inactive".
type Properties struct {
	ID            string // the name that aliases lead to: crio.service
	LoadState     string // loaded, not-found, masked, bad-setting, error
	LoadError     string // why it could not be loaded, "" when it was
	UnitFileState string // enabled, disabled, masked, …
	ActiveState   string // active, activating, deactivating, failed, inactive, reloading
	SubState      string // running, auto-restart, start, dead, …
	Result        string // how the last run ended: success, exit-code, timeout, start-limit-hit, …

	InvocationID   string // changes with every start, "" when it never ran
	NRestarts      uint32 // starts by Restart= since the last start by a person
	MainPID        uint32
	ExecMainCode   int32 // si_code of waitid(2): 1 exited, 2 killed, 3 dumped core
	ExecMainStatus int32 // exit status, or signal
	StatusText     string

	// NeedDaemonReload says that the unit's files are newer than what systemd
	// loaded. systemd does not notice a unit's first drop-in folder.
	NeedDaemonReload bool

	FragmentPath     string
	DropInPaths      []string
	Environment      []string // NAME=value, without the environment files
	EnvironmentFiles []EnvironmentFile
	ExecStart        [][]string // arguments of every command, program first, variables not yet put in
}

// An EnvironmentFile is one EnvironmentFile= of the loaded unit.
type EnvironmentFile struct {
	Path     string
	Optional bool // written with a leading "-"
}

// Running reports whether the service is up: active, with its main process
// running.
func (p Properties) Running() bool { return p.ActiveState == "active" && p.SubState == "running" }

// Known reports whether systemd found files for the unit.
func (p Properties) Known() bool { return p.LoadState != "not-found" && p.LoadState != "" }

// State returns the part that says how the service fares.
func (p Properties) State() apply.State {
	return apply.State{
		Active:       p.ActiveState,
		Sub:          p.SubState,
		Result:       p.Result,
		MainPID:      p.MainPID,
		NRestarts:    p.NRestarts,
		InvocationID: p.InvocationID,
	}
}

func newProperties(p map[string]any) Properties {
	s := Properties{
		ID:               property[string](p, "Id"),
		LoadState:        property[string](p, "LoadState"),
		UnitFileState:    property[string](p, "UnitFileState"),
		ActiveState:      property[string](p, "ActiveState"),
		SubState:         property[string](p, "SubState"),
		Result:           property[string](p, "Result"),
		InvocationID:     hex.EncodeToString(property[[]byte](p, "InvocationID")),
		NRestarts:        property[uint32](p, "NRestarts"),
		MainPID:          property[uint32](p, "MainPID"),
		ExecMainCode:     property[int32](p, "ExecMainCode"),
		ExecMainStatus:   property[int32](p, "ExecMainStatus"),
		StatusText:       property[string](p, "StatusText"),
		NeedDaemonReload: property[bool](p, "NeedDaemonReload"),
		FragmentPath:     property[string](p, "FragmentPath"),
		DropInPaths:      property[[]string](p, "DropInPaths"),
		Environment:      property[[]string](p, "Environment"),
	}
	// (ss): name and message of the error, both empty when there is none.
	if e := property[[]any](p, "LoadError"); len(e) == 2 {
		s.LoadError, _ = e[1].(string)
	}
	// a(sb): path, and whether a missing file is no failure.
	for _, f := range property[[][]any](p, "EnvironmentFiles") {
		if len(f) == 2 {
			path, _ := f[0].(string)
			optional, _ := f[1].(bool)
			s.EnvironmentFiles = append(s.EnvironmentFiles, EnvironmentFile{path, optional})
		}
	}
	// a(sasbttttuii): path, arguments, and what became of the last run.
	for _, c := range property[[][]any](p, "ExecStart") {
		if len(c) > 1 {
			args, _ := c[1].([]string)
			s.ExecStart = append(s.ExecStart, args)
		}
	}
	return s
}

// property returns the property of that name, or the zero value when the unit
// has none or it is of another type: units of other kinds lack some of them.
func property[T any](p map[string]any, name string) T {
	v, _ := p[name].(T)
	return v
}
