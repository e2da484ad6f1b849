package set

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
)

func TestParseValue(t *testing.T) {
	tests := []struct {
		name string
		kind schema.Kind
		args []string
		want any // nil: refused
	}{
		{"true", schema.Bool, []string{"true"}, true},
		{"yes is no boolean", schema.Bool, []string{"yes"}, nil},
		{"True is no boolean", schema.Bool, []string{"True"}, nil},
		{"integer", schema.Int, []string{"-1"}, int64(-1)},
		{"hexadecimal", schema.Int, []string{"0x10"}, nil},
		{"too large", schema.Int, []string{"9223372036854775808"}, nil},
		{"unsigned", schema.Uint, []string{"5"}, uint64(5)},
		{"unsigned below zero", schema.Uint, []string{"-5"}, nil},
		{"unsigned that TOML cannot hold", schema.Uint, []string{"9223372036854775808"}, nil},
		{"duration", schema.Duration, []string{"1m30s"}, 90 * time.Second},
		{"duration without a unit", schema.Duration, []string{"30"}, nil},
		{"string", schema.String, []string{"a b"}, "a b"},
		{"empty string", schema.String, []string{""}, ""},
		{"two strings for one", schema.String, []string{"a", "b"}, nil},
		{"list of arguments", schema.Strings, []string{"/a", "/b"}, []string{"/a", "/b"}},
		{"list of one", schema.Strings, []string{"/a"}, []string{"/a"}},
		{"TOML array", schema.Strings, []string{`["/a", '/b']`}, []string{"/a", "/b"}},
		{"empty TOML array", schema.Strings, []string{"[]"}, []string{}},
		{"empty list", schema.Strings, []string{""}, []string{}},
		{"array of numbers", schema.Strings, []string{"[1]"}, nil},
		{"array that does not end", schema.Strings, []string{`["a"`}, nil},
		{"two keys in an array", schema.Strings, []string{"[]\nX = 1"}, nil},
		{"table of arguments", schema.StringMap, []string{"a=1", "b=c=d"}, map[string]string{"a": "1", "b": "c=d"}},
		{"TOML table", schema.StringMap, []string{`{ a = "1" }`}, map[string]string{"a": "1"}},
		{"table without =", schema.StringMap, []string{"a"}, nil},
		{"table of numbers", schema.StringMap, []string{"{ a = 1 }"}, nil},
		{"entries", schema.Entries, []string{"x"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseValue(tt.kind, tt.args)
			if tt.want == nil {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}
