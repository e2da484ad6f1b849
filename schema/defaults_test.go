package schema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// The files of testdata/defaults are what DefaultConfig of each minor's last
// release holds, printed with its own encoder.
func TestDefaultsAreCRIOs(t *testing.T) {
	for _, minor := range schema.Versions() {
		t.Run(minor.Release(), func(t *testing.T) {
			s := schema.For(minor)
			want := recorded(t, s)
			got := map[string]any{}
			for _, k := range s.Keys() {
				if k.Kind == schema.Entries || strings.HasPrefix(k.String(), "crio.runtime.workloads.") {
					continue
				}
				p := k.Path
				if k.HasNames() {
					p = k.At(s.BuiltinRuntime())
				}
				if _, printed := want[p.String()]; !printed && leftOut(k, s.Default(k), minor) {
					continue
				}
				got[p.String()] = s.Default(k)
			}
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

// leftOut reports whether the encoder leaves out a key with its default.
func leftOut(k *schema.Key, value any, r schema.Version) bool {
	switch k.Path.Leaf() {
	case "plugin_dir", "platform_runtime_paths", "default_annotations", "disallowedannotations", "registries":
		return cmp.Equal(k.KindIn(r).Zero(), value, cmpopts.EquateEmpty())
	}
	return false
}

func recorded(t *testing.T, s *schema.Schema) map[string]any {
	t.Helper()
	src, err := os.ReadFile("testdata/defaults/crio-" + s.Release().Release() + ".toml")
	require.NoError(t, err)
	var doc map[string]any
	_, err = toml.Decode(string(src), &doc)
	require.NoError(t, err)
	flat := map[string]any{}
	flatten(t, s, nil, doc, flat)
	return flat
}

func flatten(t *testing.T, s *schema.Schema, at keypath.Path, table map[string]any, to map[string]any) {
	for name, x := range table {
		p := at.Child(name)
		if sub, ok := x.(map[string]any); ok {
			require.True(t, s.Table(p), "%s is no table", p)
			flatten(t, s, p, sub, to)
			continue
		}
		k, match := s.Lookup(p)
		require.Equal(t, schema.Exact, match, "%s", p)
		if n, ok := x.(int64); ok {
			x = float64(n)
		}
		to[p.String()] = value(t, k.KindIn(s.Release()), x, s.Release())
	}
}
