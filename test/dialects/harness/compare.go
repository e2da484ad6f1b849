package harness

import (
	"fmt"
	"math"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// compare says where a node and a decoded value differ, or "".
func compare(n *tomlfile.Node, v any, at string) string {
	switch v := v.(type) {
	case map[string]any:
		return compareTable(n, v, at)
	case []any:
		if n.Type != tomlfile.Array {
			break
		}
		return compareElems(n, len(v), func(i int) any { return v[i] }, at)
	case []map[string]any:
		if n.Type != tomlfile.ArrayOfTables {
			break
		}
		return compareElems(n, len(v), func(i int) any { return v[i] }, at)
	case string:
		if n.Type == tomlfile.String && n.Str == v {
			return ""
		}
	case int64:
		if n.Type == tomlfile.Integer && n.Int == v {
			return ""
		}
	case float64:
		if n.Type == tomlfile.Float && (n.Float == v || math.IsNaN(v) && math.IsNaN(n.Float)) {
			return ""
		}
	case bool:
		if n.Type == tomlfile.Bool && n.Bool == v {
			return ""
		}
	case time.Time:
		if n.Type == tomlfile.Datetime {
			return ""
		}
	default:
		return fmt.Sprintf("%s: the library gives a %T", at, v)
	}
	return fmt.Sprintf("%s: we have %s %q, the library %#v", at, n.Type, n.Raw, v)
}

func compareTable(n *tomlfile.Node, v map[string]any, at string) string {
	if n.Type != tomlfile.Table {
		return fmt.Sprintf("%s: we have %s %q, the library a table", at, n.Type, n.Raw)
	}
	names := map[string]bool{}
	for _, m := range n.Members {
		if names[m.Name] {
			return fmt.Sprintf("%s: we have %q twice", at, m.Name)
		}
		names[m.Name] = true
		w, ok := v[m.Name]
		if !ok {
			return fmt.Sprintf("%s: we have %q too many", at, m.Name)
		}
		if diff := compare(m.Node, w, fmt.Sprintf("%s.%q", at, m.Name)); diff != "" {
			return diff
		}
	}
	for name := range v {
		if !names[name] {
			return fmt.Sprintf("%s: we lack %q", at, name)
		}
	}
	return ""
}

func compareElems(n *tomlfile.Node, length int, elem func(int) any, at string) string {
	if len(n.Elems) != length {
		return fmt.Sprintf("%s: we have %d elements, the library %d", at, len(n.Elems), length)
	}
	for i, e := range n.Elems {
		if diff := compare(e, elem(i), fmt.Sprintf("%s[%d]", at, i)); diff != "" {
			return diff
		}
	}
	return ""
}
