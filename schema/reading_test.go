package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
)

func TestReadingAddsKeysToOneView(t *testing.T) {
	toggle := schema.DisableHostportMapping.Key
	for _, release := range []string{"1.18.2", "1.24.6", "1.27"} {
		v, err := schema.ParseVersion(release)
		require.NoError(t, err)
		plain := schema.For(v)
		patched := plain.Reading(toggle)

		k, match := patched.Lookup(toggle.Path)
		require.Equal(t, schema.Exact, match)
		require.True(t, k.In(v))
		require.Equal(t, false, patched.Default(k))
		require.Equal(t, schema.Restart, k.ReloadIn(v))
		require.Len(t, patched.Keys(), len(plain.Keys())+1)

		// The release itself, and the shared declaration, stay as they are.
		require.False(t, toggle.In(v))
		k, _ = schema.For(v).Lookup(toggle.Path)
		require.Nil(t, k)
	}
}

func TestReadingKeepsWhatTheReleaseReads(t *testing.T) {
	s := schema.For(schema.Newest())
	require.Len(t, s.Reading(schema.DisableHostportMapping.Key).Keys(), len(s.Keys()))
}

func TestSupport(t *testing.T) {
	toggle := schema.DisableHostportMapping.Key
	for release, want := range map[string]schema.Support{
		"1.17": schema.Unsupported, "1.17.5": schema.Unsupported, "1.18.0": schema.ByPatch, "1.18": schema.ByPatch,
		"1.24.6": schema.ByPatch, "1.27": schema.ByPatch, "1.28.0": schema.AsReleased, "1.36": schema.AsReleased,
	} {
		v, err := schema.ParseVersion(release)
		require.NoError(t, err)
		require.Equal(t, want, toggle.SupportIn(v), release)
	}
	require.Equal(t, schema.Unsupported, schema.Timezone.SupportIn(schema.Version{Major: 1, Minor: 24, Patch: schema.Latest}))
	require.Equal(t, "no by-patch as-released", schema.Unsupported.String()+" "+schema.ByPatch.String()+" "+schema.AsReleased.String())
}
