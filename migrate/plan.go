package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// Pinned says what becomes of a line that gives a key the built-in value of an
// older release.
type Pinned uint8

// ByRule drops the values that went stale and keeps those that shape how
// containers run, each as its entry in Defaults says. KeepPinned keeps all of
// them, DropDefaults drops all of them.
const (
	ByRule Pinned = iota
	KeepPinned
	DropDefaults
)

// Options are what a migration depends on besides files and releases.
type Options struct {
	Pinned          Pinned
	WriteRegistries bool     // write the registries.conf drop-in that takes over registries
	PinRuntime      bool     // keep runc as the default runtime where 1.31 would make it crun
	Accept          []string // codes of steps that need no further decision
	Minimize        bool     // leave out what equals the built-in value of the new release
	ToDropIn        bool     // turn the main file into the smallest drop-in; includes Minimize of it

	// Overrides are what flags and variables of the unit say to the new release.
	// Nil takes those that the configuration was loaded with.
	Overrides []crioconf.Override
	// Patched is what one of the two releases reads where it was patched to read
	// more than others of its number. Nil means that neither was.
	Patched *schema.Schema
	Host    Host
}

// A Host is what is known of the node. The zero Host knows nothing.
type Host struct {
	Exists        func(path string) bool // nil: not known
	StorageDriver string                 // what storage.conf says, "" when it is not known
	Registries    []byte                 // the registries.conf drop-in that is there already
	MainNamed     bool                   // the unit names the main file, so it has to exist
}

// A Result is a migration that was worked out and not yet made.
type Result struct {
	From, To schema.Version
	Before   *crioconf.Config // the files as they are, read by From
	Start    *crioconf.Config // the files as they are, read by To
	After    *crioconf.Config // the files as they become, read by To

	Files    []crioconf.FileChange // that CRI-O reads
	Others   []crioconf.FileChange // outside its sight
	SetAside string                // where the former main file goes, "" when it stays

	Steps      []Taken     // in the order in which they were taken
	Table      []Row       // every key whose effective value differs
	Behaviours []Behaviour // what changes without a key that shows it
	Registries []byte      // the registries.conf drop-in that would take over registries, nil when none is needed
}

// Open returns the steps that a person has to decide.
func (r *Result) Open() []Taken { return r.with(Decide) }

// Refused returns what the new release cannot do.
func (r *Result) Refused() []Taken { return r.with(Refused) }

func (r *Result) with(o Outcome) []Taken {
	var list []Taken
	for _, t := range r.Steps {
		if t.Outcome == o {
			list = append(list, t)
		}
	}
	return list
}

// Changed reports whether files are to be written.
func (r *Result) Changed() bool { return len(r.Files) > 0 || len(r.Others) > 0 }

// An UnannouncedError says that the effective configuration would differ in keys
// that no step and no list accounts for. It is a fault of this package.
type UnannouncedError struct{ Rows []Row }

// Error names the keys.
func (e *UnannouncedError) Error() string {
	var keys []string
	for _, r := range e.Rows {
		keys = append(keys, fmt.Sprintf("%s (%s to %s)", r.Key, r.text(r.HadBefore, r.Before), r.text(r.HasAfter, r.After)))
	}
	return "the migration would change keys for a reason that is not known: " + strings.Join(keys, ", ")
}

// Plan works out the migration of c, which was loaded for either release, from
// one to the other. Where only one of them reads drop-ins, load for that one. It
// changes nothing; c stays as it is. The Result is complete when the error is an
// *UnannouncedError; it is nil with any other.
func Plan(c *crioconf.Config, from, to schema.Version, o Options) (*Result, error) {
	if o.Overrides == nil {
		o.Overrides = c.Overrides()
	}
	w := &work{
		options: o, from: from, to: to,
		before: c.Under(o.view(from), c.Overrides()),
		start:  c.Under(o.view(to), o.Overrides),
		claims: map[string]claim{},
	}
	w.now = w.start
	steps := Steps()
	for i := range steps {
		if err := w.take(&steps[i]); err != nil {
			return nil, err
		}
	}
	if err := w.reduce(); err != nil {
		return nil, err
	}
	r := w.result()
	if rows := r.unannounced(); len(rows) > 0 {
		return r, &UnannouncedError{rows}
	}
	return r, nil
}

// view returns the schema of a release.
func (o Options) view(v schema.Version) *schema.Schema {
	if o.Patched != nil && o.Patched.Version() == v {
		return o.Patched
	}
	return schema.For(v)
}

func (w *work) result() *Result {
	r := &Result{
		From: w.from, To: w.to,
		Before: w.before, Start: w.start, After: w.now,
		Files:    w.start.FileChanges(w.now),
		Others:   w.others,
		SetAside: w.setAside,
		Steps:    w.taken, Registries: w.registries,
	}
	r.Table = w.account()
	r.Behaviours = behavioursOf(r)
	return r
}

// Blocking returns the findings for which the new release would not start, or
// would take a value at random.
func (r *Result) Blocking() diag.List {
	var out diag.List
	for _, d := range r.After.Diagnostics() {
		if d.Effect == diag.Refused || d.Effect == diag.Random {
			out = append(out, d)
		}
	}
	return out
}

// accepted reports whether a person has decided the step.
func (o Options) accepted(code string) bool { return slices.Contains(o.Accept, code) }
