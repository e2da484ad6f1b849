package schema_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
)

func ExampleSetting_Set() {
	toggle := schema.DisableHostportMapping.Set(true) // Set("true") does not compile
	path := schema.HandlerRuntimePath.Set("/usr/bin/kata", "kata")
	fmt.Println(toggle.Path, "=", toggle.Value)
	fmt.Println(path.Path, "=", path.Value)
	// Output:
	// crio.runtime.disable_hostport_mapping = true
	// crio.runtime.runtimes.kata.runtime_path = /usr/bin/kata
}

func ExampleSetting_Default() {
	old, _ := schema.ParseVersion("1.30")
	level, _ := schema.LogLevel.Default(old)
	_, known := schema.TLSMinVersion.Default(old)
	fmt.Println(level, known)
	// Output: info false
}

func ExampleSchema_Suggest() {
	s := schema.For(schema.Newest())
	for _, p := range s.Suggest([]string{"crio", "network", "disable_hostport_mapping"}) {
		fmt.Println(p)
	}
	// Output: crio.runtime.disable_hostport_mapping
}

func ExampleKey_Check() {
	for _, broken := range schema.ImageVolumes.Check(schema.Newest(), "bnd", nil) {
		fmt.Println(schema.ImageVolumes, broken.Err)
	}
	// Output: crio.image.image_volumes must be mkdir, bind or ignore, not "bnd"
}

func TestSettingsHaveTypes(t *testing.T) {
	// These lines compile because the handles have these types.
	var (
		_ schema.Setting[bool]              = schema.DisableHostportMapping
		_ schema.Setting[int64]             = schema.MetricsPort
		_ schema.Setting[uint64]            = schema.WorkloadCPUShares
		_ schema.Setting[string]            = schema.StreamPort
		_ schema.Setting[time.Duration]     = schema.CNIStatusGracePeriod
		_ schema.Setting[[]string]          = schema.PluginDirs
		_ schema.Setting[map[string]string] = schema.HandlerDefaultAnnotations
	)
	d, ok := schema.PullProgressTimeout.Default(v(t, "1.32.3"))
	require.True(t, ok)
	require.Equal(t, 10*time.Second, d)
}

func TestSettingOf(t *testing.T) {
	s, ok := schema.PluginDir.Of("/opt")
	require.True(t, ok)
	require.Equal(t, "/opt", s)
	_, ok = schema.PluginDir.Of([]string{"/opt"})
	require.False(t, ok)
	_, ok = schema.PluginDir.Default(v(t, "1.14.0"))
	require.True(t, ok, "the key is read, as a list")
}

func TestAtNeedsEveryName(t *testing.T) {
	require.Panics(t, func() { schema.HandlerRuntimePath.At() })
	require.Panics(t, func() { schema.HandlerRuntimePath.At("a", "b") })
	require.Panics(t, func() { schema.LogLevel.At("a") })
	require.Equal(t, `crio.runtime.runtimes."a.b".runtime_path`, schema.HandlerRuntimePath.At("a.b").String())
	require.Equal(t, "crio.runtime.runtimes.a", schema.Runtimes.Path.Child("a").String())
}
