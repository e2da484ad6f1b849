package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

func TestSuggest(t *testing.T) {
	tests := []struct {
		what, version, path string
		want                []string
	}{
		{"a known key in the wrong table", "1.36", "crio.log_level", []string{"crio.runtime.log_level"}},
		{"the toggle where people expect it", "1.36", "crio.network.disable_hostport_mapping", []string{"crio.runtime.disable_hostport_mapping"}},
		{"the toggle below a handler's header", "1.36", "crio.runtime.runtimes.crun.disable_hostport_mapping", []string{"crio.runtime.disable_hostport_mapping"}},
		{"a key without a table", "1.36", "pause_image", []string{"crio.image.pause_image"}},
		{"a table without its parent", "1.36", "runtime.log_level", []string{"crio.runtime.log_level"}},
		{"a missing letter", "1.36", "crio.runtime.log_levl", []string{"crio.runtime.log_level"}},
		{"a wrong letter in the table", "1.36", "crio.runtim.log_level", []string{"crio.runtime.log_level"}},
		{"a wrong letter in both", "1.36", "crio.runtim.log_levl", []string{"crio.runtime.log_level"}},
		{"a wrong letter in the wrong table", "1.36", "crio.network.pause_imge", []string{"crio.image.pause_image"}},
		{"dashes as in the flag", "1.36", "crio.runtime.log-level", []string{"crio.runtime.log_level"}},
		{"the name of a flag", "1.30", "crio.network.cni_config_dir", []string{"crio.network.network_dir"}},
		{"the flag of a list", "1.36", "crio.storage_opt", []string{"crio.storage_option"}},
		{"a key of a handler outside of one", "1.36", "crio.runtime.runtime_path", []string{"crio.runtime.runtimes.*.runtime_path"}},
		{"a slip in a handler keeps its name", "1.26", "crio.runtime.runtimes.kata.monitor_exec_group", []string{"crio.runtime.runtimes.kata.monitor_exec_cgroup"}},
		{"several tables have the key", "1.36", "crio.seccomp_profile", []string{"crio.runtime.seccomp_profile", "crio.runtime.runtimes.*.seccomp_profile"}},
		{"containerd's key", "1.33", "crio.runtime.enable_cdi", []string{"crio.runtime.cdi_spec_dirs"}},
		{"a key that never shipped", "1.36", "crio.runtime.inject_gomaxprocs", []string{"crio.runtime.min_injected_gomaxprocs"}},
		{"nor did it when this was released", "1.30", "crio.runtime.inject_gomaxprocs", nil},
		{"workload resources of Kubernetes", "1.36", "crio.runtime.workloads.w.resources.cpu", []string{"crio.runtime.workloads.w.resources.cpuset", "crio.runtime.workloads.w.resources.cpushares"}},
		{"a table at the root", "1.36", "network", []string{"crio.network"}},
		{"a near table", "1.36", "crio.netwrok", []string{"crio.network"}},
		{"nothing like it", "1.36", "crio.runtime.rootless", nil},
		{"a key that is read", "1.36", "crio.runtime.LOG_LEVEL", nil},
		{"a table that is read", "1.36", "crio.runtime", nil},
		{"a newer key is not offered", "1.27", "crio.network.disable_hostport_mapping", nil},
		{"the root", "1.36", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			var p keypath.Path
			if tt.path != "" {
				p = keypath.MustParse(tt.path)
			}
			var got []string
			for _, q := range schema.For(v(t, tt.version)).Suggest(p) {
				got = append(got, q.String())
			}
			if d := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

func TestLookupForeign(t *testing.T) {
	f, ok := schema.LookupForeign("ENABLE_CDI")
	require.True(t, ok)
	require.Equal(t, "containerd", f.Of)
	require.NotEmpty(t, f.Note)
	_, ok = schema.LookupForeign("log_level")
	require.False(t, ok)
}

func TestForeignNamesAreNoKeys(t *testing.T) {
	for _, k := range schema.All() {
		_, ok := schema.LookupForeign(k.Path.Leaf())
		require.False(t, ok, k.String())
	}
}
