package schema

import (
	"fmt"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// ValueType is the Go types of values.
type ValueType interface {
	bool | int64 | uint64 | string | time.Duration | []string | map[string]string
}

// A Setting is a key whose values have the Go type T. The Settings of this
// package are all keys but the tables of entries.
type Setting[T ValueType] struct{ *Key }

// An Assignment is a key of a configuration with the value it shall have.
type Assignment struct {
	Key   *Key
	Path  keypath.Path // without free names
	Value any          // of the key's kind
}

// Set returns the assignment of value. Names take the place of the free names
// of the path, in order: HandlerRuntimePath.Set("/usr/bin/crun", "crun"). Set
// panics when their number is wrong.
func (s Setting[T]) Set(value T, names ...string) Assignment {
	return Assignment{Key: s.Key, Path: s.At(names...), Value: value}
}

// At returns the path with the free names filled in. It panics when their
// number is wrong.
func (s Setting[T]) At(names ...string) keypath.Path {
	return s.Key.At(names...)
}

// Default returns the built-in value in release v, and whether v reads the key.
func (s Setting[T]) Default(v Version) (T, bool) {
	d, ok := s.Key.Default(v)
	value, _ := d.(T)
	return value, ok
}

// Of converts a value of the key, as configurations hold it, to its type. It
// returns false when the value is of another kind, as plugin_dir was in 1.14.0.
func (s Setting[T]) Of(value any) (T, bool) {
	t, ok := value.(T)
	return t, ok
}

// At returns the path with the free names filled in. It panics when their
// number is wrong.
func (k *Key) At(names ...string) keypath.Path {
	p := make(keypath.Path, len(k.Path))
	rest := names
	for i, part := range k.Path {
		if part == "*" && len(rest) > 0 {
			part, rest = rest[0], rest[1:]
		} else if part == "*" {
			panic(fmt.Sprintf("schema: %s: %d names are too few", k, len(names)))
		}
		p[i] = part
	}
	if len(rest) > 0 {
		panic(fmt.Sprintf("schema: %s: %d names are too many", k, len(names)))
	}
	return p
}
