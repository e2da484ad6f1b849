package keypath_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in, out string
		want    keypath.Path
	}{
		{"a", "a", keypath.Path{"a"}},
		{"crio.runtime.log_level", "crio.runtime.log_level", keypath.Path{"crio", "runtime", "log_level"}},
		{` a . "b.c" . 'd e' `, `a."b.c"."d e"`, keypath.Path{"a", "b.c", "d e"}},
		{`a."x\"y"`, `a."x\"y"`, keypath.Path{"a", `x"y`}},
		{"crio.runtime.runtimes.*.runtime_path", "crio.runtime.runtimes.*.runtime_path", keypath.Path{"crio", "runtime", "runtimes", "*", "runtime_path"}},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := keypath.Parse(tt.in)
			require.NoError(t, err)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if got.String() != tt.out {
				t.Errorf("String: want %s, got %s", tt.out, got)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, in := range []string{"", " ", ".", "a.", ".a", "a..b", `a."b`, "a.'b", "a b", `a"b"`, "a$b", `"\q"`} {
		t.Run(in, func(t *testing.T) {
			if p, err := keypath.Parse(in); err == nil {
				t.Errorf("accepted as %v", p)
			}
		})
	}
}

func TestCompareAsCRIO(t *testing.T) {
	p := keypath.MustParse("crio.Runtime.LOG_level")
	q := keypath.MustParse("crio.runtime.log_level")
	require.False(t, p.Equal(q))
	require.True(t, p.EqualFold(q))
	require.True(t, q.HasPrefix(keypath.MustParse("crio.runtime")))
	require.False(t, p.HasPrefix(keypath.MustParse("crio.runtime")))
	require.True(t, keypath.MustParse("a.b.c").Match(keypath.MustParse("a.*.c")))
	require.False(t, keypath.MustParse("a.b").Match(keypath.MustParse("a.*.c")))
}

func TestChildDoesNotShareMemory(t *testing.T) {
	base := make(keypath.Path, 1, 4)
	base[0] = "a"
	x, y := base.Child("x"), base.Child("y")
	require.Equal(t, keypath.Path{"a", "x"}, x)
	require.Equal(t, keypath.Path{"a", "y"}, y)
}

func FuzzQuote(f *testing.F) {
	f.Add("plain", "with.dot")
	f.Add("", "\x00\"\\\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		p := keypath.Path{a, b}
		got, err := keypath.Parse(p.String())
		if err != nil {
			t.Skip() // text that is not UTF-8 cannot be a key
		}
		if !got.Equal(keypath.Path{toUTF8(a), toUTF8(b)}) {
			t.Errorf("%q became %q", p, got)
		}
	})
}

func toUTF8(s string) string { return string([]rune(s)) }
