package set

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// ParseValue reads the arguments of "set" as a value of the kind. Everything
// but lists and tables takes exactly one argument.
func ParseValue(kind schema.Kind, args []string) (any, error) {
	switch kind {
	case schema.Strings:
		return parseList(args)
	case schema.StringMap:
		return parseMap(args)
	case schema.Entries:
		return nil, fmt.Errorf("it is a table; set one of its keys, such as NAME.runtime_path")
	}
	if len(args) != 1 {
		return nil, fmt.Errorf("want one %s, not %d arguments", kind, len(args))
	}
	arg := args[0]
	switch kind {
	case schema.Bool:
		switch arg {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("want true or false, not %q", arg)
	case schema.Int:
		n, err := strconv.ParseInt(arg, 10, 64)
		if errors.Is(err, strconv.ErrRange) {
			return nil, fmt.Errorf("%s is more than the key can hold", arg)
		}
		if err != nil {
			return nil, fmt.Errorf("want a whole number, not %q", arg)
		}
		return n, nil
	case schema.Uint:
		n, err := strconv.ParseUint(arg, 10, 63)
		if err != nil {
			return nil, fmt.Errorf("want a whole number from 0 on, not %q", arg)
		}
		return n, nil
	case schema.Duration:
		d, err := time.ParseDuration(arg)
		if err != nil {
			return nil, fmt.Errorf("want a time with a unit, such as 30s or 2m, not %q", arg)
		}
		return d, nil
	case schema.String:
		return arg, nil
	}
	return nil, fmt.Errorf("has a kind that cannot be set: %s", kind)
}

// parseList takes one TOML array, or every argument as an element. One empty
// argument is the empty list.
func parseList(args []string) (any, error) {
	if len(args) == 1 && args[0] == "" {
		return []string{}, nil
	}
	if len(args) != 1 || !strings.HasPrefix(strings.TrimSpace(args[0]), "[") {
		return args, nil
	}
	var doc struct{ V []string }
	if err := unmarshal(args[0], &doc); err != nil {
		return nil, fmt.Errorf("want a list of strings such as [\"a\", \"b\"], not %s", args[0])
	}
	if doc.V == nil {
		doc.V = []string{}
	}
	return doc.V, nil
}

// unmarshal reads one TOML value, and nothing after it, into the field V.
func unmarshal(value string, doc any) error {
	return toml.NewDecoder(strings.NewReader("V = " + value)).DisallowUnknownFields().Decode(doc)
}

func parseMap(args []string) (any, error) {
	if len(args) == 1 && strings.HasPrefix(strings.TrimSpace(args[0]), "{") {
		var doc struct{ V map[string]string }
		if err := unmarshal(args[0], &doc); err != nil {
			return nil, fmt.Errorf("want a table of strings such as { a = \"b\" }, not %s", args[0])
		}
		return doc.V, nil
	}
	m := map[string]string{}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if !ok {
			return nil, fmt.Errorf("want NAME=VALUE, not %q", a)
		}
		m[name] = value
	}
	return m, nil
}

func mustPath(s string) keypath.Path {
	p, err := keypath.Parse(s)
	if err != nil {
		return nil
	}
	return p
}
