package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
)

func TestParseVersion(t *testing.T) {
	latest := schema.Latest
	tests := []struct {
		in   string
		want schema.Version
	}{
		{"1.31", schema.Version{Major: 1, Minor: 31, Patch: latest}},
		{"v1.31", schema.Version{Major: 1, Minor: 31, Patch: latest}},
		{"1.31.4", schema.Version{Major: 1, Minor: 31, Patch: 4}},
		{"v1.31.0", schema.Version{Major: 1, Minor: 31}},
		{"1.31.4-dev", schema.Version{Major: 1, Minor: 31, Patch: 4}},
		{"1.31.4-rc.1+foo", schema.Version{Major: 1, Minor: 31, Patch: 4}},
		{"1.31+git", schema.Version{Major: 1, Minor: 31, Patch: latest}},
		{"2.0", schema.Version{Major: 2, Patch: latest}},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := schema.ParseVersion(tt.in)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestParseVersionRefuses(t *testing.T) {
	for _, in := range []string{"", "1", "v", "1.", ".31", "1.31.", "1.31.4.5", "1.x", "1.-1", "01.2", "1.031", "vv1.31", " 1.31", "1.31 ", "0.3", "1.31-", "1.70000", "crio version 1.24.6", "latest"} {
		t.Run(in, func(t *testing.T) {
			got, err := schema.ParseVersion(in)
			require.Error(t, err, "accepted as %v", got)
			require.Contains(t, err.Error(), "version")
		})
	}
}

func FuzzParseVersion(f *testing.F) {
	for _, s := range []string{"1.31", "v1.31.4-dev+x", "1.", "1.2.3.4", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := schema.ParseVersion(s)
		if err != nil {
			return
		}
		again, err := schema.ParseVersion(got.String())
		if err != nil || again != got {
			t.Errorf("%q: %v became %v, %v", s, got, again, err)
		}
		schema.For(got)
	})
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"1.0.0", "1.18", "1.29.0", "1.29.2", "1.29.12", "1.30.0", "1.36.3", "1.37.0", "1.37.99", "1.37", "2.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			want := min(1, max(-1, i-j))
			require.Equal(t, want, v(t, a).Compare(v(t, b)), "%s and %s", a, b)
			require.Equal(t, want < 0, v(t, a).Less(v(t, b)))
		}
	}
	require.Zero(t, v(t, "1.29").Compare(v(t, "1.29.13")), "the newest patch release has its number")
}

func TestKnownReleases(t *testing.T) {
	tests := []struct {
		in, known string
		exact     bool
	}{
		{"1.29", "1.29.13", true},
		{"1.29.1", "1.29.1", true},
		{"1.29.77", "1.29.13", true},
		{"1.36", "1.36.3", true},
		{"1.37", "1.36.3", false},
		{"2.0.1", "1.36.3", false},
		{"1.17", "1.17.5", false},
		{"1.18.0", "1.18.0", true},
		{"1.4", "1.0.9", false},
		{"1.0.3", "1.0.3", false},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			require.Equal(t, tt.known, v(t, tt.in).Known().String())
			require.Equal(t, tt.exact, v(t, tt.in).Exact())
			s := schema.For(v(t, tt.in))
			require.Equal(t, tt.in, s.Version().String())
			require.Equal(t, tt.known, s.Release().String())
		})
	}
}

func TestVersionTexts(t *testing.T) {
	text, err := v(t, "1.31.4").MarshalText()
	require.NoError(t, err)
	require.Equal(t, "1.31.4", string(text))
	require.Equal(t, "1.31", v(t, "1.31.4").Release())
	require.True(t, schema.Version{}.IsZero())
	require.Nil(t, v(t, "1.37").Patches())
	require.Len(t, schema.Versions(), 19)
	require.Equal(t, "1.18.0", schema.OldestExact().String())
}
