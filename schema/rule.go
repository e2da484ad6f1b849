package schema

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
	return "stage(0)"
}

// A Rule is a condition on the value of one key. A value that breaks it makes
// CRI-O refuse to start, at the given stage.
type Rule struct {
	Stage Stage
	Since Branches
	Until Version // first release without the rule; zero: open
	Check func(v Version, value any) error
}

// In reports whether the rule holds in release v.
func (r Rule) In(v Version) bool {
	return r.Since.Has(v) && (r.Until.IsZero() || v.Known().Less(r.Until))
}

// A Normalization is a value that CRI-O puts in place of another one while it
// validates.
type Normalization struct {
	Since Branches
	Until Version // zero: open
	// Apply returns the value that CRI-O goes on with, and whether it is
	// another one.
	Apply func(v Version, value any) (any, bool)
}

// In reports whether the normalization happens in release v.
func (n Normalization) In(v Version) bool {
	return n.Since.Has(v) && (n.Until.IsZero() || v.Known().Less(n.Until))
}

// A Violation is a rule that a value breaks. Err is a sentence about the value
// without the key's name.
type Violation struct {
	Stage Stage
	Err   error
}

// Check returns the rules of release v that value breaks. The value must be of
// the key's kind.
func (k *Key) Check(v Version, value any) []Violation {
	var broken []Violation
	for _, r := range k.Rules {
		if !r.In(v) {
			continue
		}
		if err := r.Check(v, value); err != nil {
			broken = append(broken, Violation{r.Stage, err})
		}
	}
	return broken
}

// Normal returns the value that release v goes on with after validation, and
// whether it is another one than value.
func (k *Key) Normal(v Version, value any) (any, bool) {
	changed := false
	for _, n := range k.Normalize {
		if !n.In(v) {
			continue
		}
		if next, ok := n.Apply(v, value); ok {
			value, changed = next, true
		}
	}
	return value, changed
}
