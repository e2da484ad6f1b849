package crioconf

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// An OriginKind says what kind of layer a value comes from. The zero value is
// invalid.
type OriginKind uint8

// The kinds, from the lowest to the highest precedence.
const (
	Default  OriginKind = iota + 1 // built into CRI-O
	File                           // the main file or a drop-in
	Variable                       // an environment variable of the unit
	Flag                           // a command line flag of the unit
)

// String returns the lower-case name.
func (k OriginKind) String() string {
	switch k {
	case Default:
		return "default"
	case File:
		return "file"
	case Variable:
		return "variable"
	case Flag:
		return "flag"
	}
	return fmt.Sprintf("origin(%d)", uint8(k))
}

// An Origin is a place that gives a key a value.
//
// A Default has no Range, with one exception: the keys that a runtimes or
// workloads entry leaves out have the Range of the entry, for CRI-O gives them
// the zero value as soon as a file names the entry.
type Origin struct {
	Kind  OriginKind
	Range diag.Range // the value as written
	Name  string     // of the flag or variable: "--log-level", "CONTAINER_LOG_LEVEL"
	Value any        // what this place says
}

// A Value is the value of a key after all layers.
type Value struct {
	V        any // bool, int64, uint64, string, []string, map[string]string or time.Duration
	Key      *schema.Key
	Origin   Origin
	Shadowed []Origin // what lower layers say, nearest first, the built-in default last

	// Adjusted is true when CRI-O puts V in place of what Origin says.
	Adjusted bool
}

// An Override is a value that a flag or a variable of the unit gives to a key.
// It is applied after all files and replaces the whole value.
type Override struct {
	Key    keypath.Path
	Value  any
	Origin Origin
}

// A Change is a key whose value differs between two configurations.
type Change struct {
	Path      keypath.Path
	Before    Value
	After     Value
	HadBefore bool
	HasAfter  bool
}

// Equal reports whether two values of the same key are the same to CRI-O. A
// list without elements equals no list, a table without keys no table.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case []string:
		y, ok := b.([]string)
		return (ok || b == nil) && slices.Equal(x, y)
	case map[string]string:
		y, ok := b.(map[string]string)
		return (ok || b == nil) && maps.Equal(x, y)
	case nil:
		return b == nil || Equal(b, a)
	}
	return a == b
}

// IsZero reports whether v is the zero value of its kind: false, 0, the empty
// string, a list or table without elements.
func IsZero(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Slice, reflect.Map:
		return r.Len() == 0
	}
	return r.IsZero()
}

// FormatValue returns v as TOML that every release of CRI-O reads. Durations
// are written as strings with units.
func FormatValue(v any) string {
	switch x := v.(type) {
	case bool:
		return strconv.FormatBool(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case uint64:
		return strconv.FormatUint(x, 10)
	case string:
		return keypath.Quote(x)
	case time.Duration:
		return keypath.Quote(x.String())
	case []string:
		parts := make([]string, len(x))
		for i, s := range x {
			parts[i] = keypath.Quote(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]string:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			parts = append(parts, keypath.QuotePart(k)+" = "+keypath.Quote(x[k]))
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case nil:
		return "[]"
	}
	return fmt.Sprint(v)
}
