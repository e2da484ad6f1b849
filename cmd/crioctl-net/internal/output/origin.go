package output

import (
	"time"

	"github.com/crioctl/crioctl-net/crioconf"
)

// Origins returns the places that give the key its value, the one in force
// first.
func Origins(key string, v crioconf.Value) []Origin {
	out := []Origin{origin(key, v.Origin, true)}
	for _, o := range v.Shadowed {
		out = append(out, origin(key, o, false))
	}
	return out
}

func origin(key string, o crioconf.Origin, active bool) Origin {
	return Origin{
		Key:    key,
		Kind:   o.Kind.String(),
		Name:   o.Name,
		File:   o.Range.File,
		Line:   o.Range.Start.Line,
		Column: o.Range.Start.Col,
		Value:  Plain(o.Value),
		Active: active,
	}
}

// Plain returns the value as documents show it: durations as text, an empty
// list or table instead of null.
func Plain(v any) any {
	switch x := v.(type) {
	case time.Duration:
		return x.String()
	case []string:
		if x == nil {
			return []string{}
		}
	case map[string]string:
		if x == nil {
			return map[string]string{}
		}
	}
	return v
}
