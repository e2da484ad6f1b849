package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

func v(t *testing.T, s string) schema.Version {
	t.Helper()
	version, err := schema.ParseVersion(s)
	require.NoError(t, err)
	return version
}

func TestLookup(t *testing.T) {
	tests := []struct {
		version, path string
		want          string // path of the key, "" for none
		match         schema.Match
	}{
		{"1.36", "crio.runtime.log_level", "crio.runtime.log_level", schema.Exact},
		{"1.36", "CRIO.Runtime.LOG_LEVEL", "crio.runtime.log_level", schema.Folded},
		{"1.36", "crio.runtime.log-level", "", schema.NoMatch},
		{"1.36", "crio.runtime", "", schema.NoMatch},
		{"1.36", "crio.runtime.runtimes", "crio.runtime.runtimes", schema.Exact},
		{"1.36", "crio.runtime.runtimes.kata.runtime_path", "crio.runtime.runtimes.*.runtime_path", schema.Exact},
		{"1.36", "crio.runtime.runtimes.*.Runtime_Path", "crio.runtime.runtimes.*.runtime_path", schema.Folded},
		{"1.36", "crio.runtime.runtimes.kata", "", schema.NoMatch},
		{"1.36", "crio.runtime.workloads.w.resources.CPUSet", "crio.runtime.workloads.*.resources.cpuset", schema.Folded},
		{"1.36", "crio.runtime.workloads.w.resources", "", schema.NoMatch},
		{"1.21.0", "crio.runtime.workloads.w.resources", "crio.runtime.workloads.*.resources", schema.Exact},
		{"1.27", "crio.runtime.disable_hostport_mapping", "", schema.NoMatch},
		{"1.28.0", "crio.runtime.disable_hostport_mapping", "crio.runtime.disable_hostport_mapping", schema.Exact},
		{"1.29.1", "crio.metrics.metrics_host", "", schema.NoMatch},
		{"1.29.2", "crio.metrics.metrics_host", "crio.metrics.metrics_host", schema.Exact},
		{"1.99", "crio.network.cni_status_grace_period", "crio.network.cni_status_grace_period", schema.Exact},
	}
	for _, tt := range tests {
		t.Run(tt.version+" "+tt.path, func(t *testing.T) {
			got, match := schema.For(v(t, tt.version)).Lookup(keypath.MustParse(tt.path))
			name := ""
			if got != nil {
				name = got.String()
			}
			if d := cmp.Diff(tt.want, name); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if match != tt.match {
				t.Errorf("want match %v, got %v", tt.match, match)
			}
		})
	}
}
