package schema

import (
	"reflect"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// A Stage is when CRI-O looks at a value. The zero Stage is invalid.
type Stage uint8

// The stages. Load is what "crio config" checks as well; Start is checked when
// the daemon starts, Server while it builds its servers, before it is ready.
const (
	Load Stage = iota + 1
	Start
	Server
)

// String names the stage.
func (s Stage) String() string {
	switch s {
	case Load:
		return "load"
	case Start:
		return "start"
	case Server:
		return "server"
	}
	return "invalid stage"
}

// A Rule is a condition on the value of one key that can be judged without the
// host. A value that breaks it makes CRI-O refuse, at the given stage: at Load
// every command, later the daemon.
//
// The exception are the Start rules of crio.runtime.runtimes.*. Since 1.21 only
// the default runtime's entry makes the daemon refuse; another entry that breaks
// a rule is left out with a warning (cri-o pkg/config/config.go,
// ValidateRuntimes).
type Rule struct {
	Stage Stage
	Since Branches   // nil: every release that reads the key
	Until Version    // first release without the rule; zero: open
	When  *Condition // nil: always
	Check func(v Version, value any) error
}

// A Condition is about the effective value of another key.
type Condition struct {
	Path keypath.Path
	Is   any
	Not  bool // the value is another one than Is
}

// Holds reports whether the condition holds for a value of its key.
func (c *Condition) Holds(value any) bool {
	return c == nil || reflect.DeepEqual(value, c.Is) != c.Not
}

// In reports whether the rule holds in release v.
func (r Rule) In(v Version) bool { return inReleases(v, r.Since, r.Until) }

func inReleases(v Version, since Branches, until Version) bool {
	return (since == nil || since.Has(v)) && (until.IsZero() || v.Known().Less(until))
}

// A Normalization is a value that CRI-O puts in place of another one while it
// validates, at the given stage.
type Normalization struct {
	Stage Stage
	Since Branches // nil: every release that reads the key
	Until Version  // zero: open
	// Apply returns the value that CRI-O goes on with, and whether it is
	// another one.
	Apply func(v Version, value any) (any, bool)
}

// In reports whether the normalization happens in release v.
func (n Normalization) In(v Version) bool { return inReleases(v, n.Since, n.Until) }

// A ValueError tells what is wrong with a value. It reads on from the name of
// the key: "must be mkdir, bind or ignore, not \"bnd\"".
type ValueError struct {
	Text    string
	Near    string // what was likely meant, "" when there is no guess
	Element int    // the element of a list that it is about, counted from 1; 0 for the whole value
}

// Error returns the text.
func (e *ValueError) Error() string { return e.Text }

// A Violation is a rule that a value breaks.
type Violation struct {
	Stage Stage
	Err   error // a *ValueError
}

// Check returns the rules of release v that value breaks. A value of another
// kind than the key's breaks none, as CRI-O does not get so far. The function
// other returns the effective value of another key, for rules with a condition;
// when it is nil, the other keys have their built-in values.
func (k *Key) Check(v Version, value any, other func(keypath.Path) any) []Violation {
	if other == nil {
		other = func(p keypath.Path) any { return For(v).defaultAt(p) }
	}
	var broken []Violation
	for _, r := range k.Rules {
		if !r.In(v) || r.When != nil && !r.When.Holds(other(r.When.Path)) {
			continue
		}
		if err := r.Check(v, value); err != nil {
			broken = append(broken, Violation{r.Stage, err})
		}
	}
	return broken
}

func (s *Schema) defaultAt(p keypath.Path) any {
	k, _ := s.Lookup(p)
	if k == nil {
		return nil
	}
	return s.Default(k)
}

// Normal returns the value that release v goes on with after validating value
// up to and with stage, and whether it is another one.
func (k *Key) Normal(v Version, value any, stage Stage) (any, bool) {
	changed := false
	for _, n := range k.Normalize {
		if n.Stage > stage || !n.In(v) {
			continue
		}
		if next, ok := n.Apply(v, value); ok {
			value, changed = next, true
		}
	}
	return value, changed
}
