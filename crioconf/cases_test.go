package crioconf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// TestCases holds the loader to the cases that are about it. Each lists all
// errors and warnings, and nothing else may be one.
func TestCases(t *testing.T) {
	for _, tt := range []struct {
		name    string
		version string
		want    []string
	}{
		{"B02", "1.27", []string{"warning future-key crio.conf:2"}},
		{"B02", "1.30", nil},
		{"B03", "1.26", nil},
		{"B11", "1.25", []string{"warning stray-file crio.conf.d/10-log.conf~:0"}},
		{"B12", "1.18", []string{"warning stray-file crio.conf.d/README:0", "error toml-syntax crio.conf.d/README:1"}},
		{"B14", "1.29", []string{"error wrong-table crio.conf.d/100-debug:2"}},
		{"B17", "1.13", []string{"error duplicate-table crio.conf:6", "error duplicate-key crio.conf:7"}},
		{"B21", "1.30", []string{"error toml-syntax crio.conf.d/10-pleg.conf:2"}},
		{"B22", "1.16", []string{"error wrong-type crio.conf:2"}},
		{"B22", "1.17", []string{"warning removed-key crio.conf:2"}},
		{"B24", "1.24", []string{
			"error wrong-table crio.conf:3", "error toml-syntax crio.conf:3",
			"error wrong-table crio.conf:4", "error toml-syntax crio.conf:4",
		}},
		{"B25", "1.31", []string{"error bad-value crio.conf.d/99-ulimits.conf:4"}},
		{"B27", "1.24", []string{"error unknown-key crio.conf.d/01-workload-partitioning:4"}},
		{"B29", "1.30", []string{"error wrong-type crio.conf.d/50-workload.conf:6"}},
		{"B30", "1.31", []string{"warning deprecated-key crio.conf:2"}},
		{"B35", "1.30", nil},
		{"B37", "1.30", []string{"error duplicate-table crio.conf:4", "error unknown-key crio.conf:5", "error lost-value crio.conf:6"}},
		{"B38", "1.21", []string{"error cgroup-mismatch crio.conf:3"}},
		{"B38", "1.34", nil},
		{"B47", "1.22", []string{"error missing-runtime crio.conf:2", "error unknown-table crio.conf:3"}},
		{"B50", "1.29", nil},
		{"B51", "1.25", []string{"warning replaced-list crio.conf.d/50-site.conf:2"}},
		{"B54", "1.18", []string{"warning replaced-value crio.conf:2"}},
		{"B56", "1.21", []string{"error no-table crio.conf:1", "error no-table crio.conf:4"}},
		{"B57", "1.33", []string{"warning future-key crio.conf.d/20-short.conf:2"}},
		{"B69", "1.30", []string{"error toml-syntax crio.conf.d/20-bad.conf:2"}},
		{"B70", "1.33", []string{"error unknown-key crio.conf.d/99-cdi.conf:2", "error unknown-key crio.conf.d/99-cdi.conf:3"}},
	} {
		t.Run(tt.name+"/"+tt.version, func(t *testing.T) {
			root := filepath.Join("..", "test", "cases", tt.name)
			_, err := os.Stat(root)
			require.NoError(t, err)
			_, found, err := crioconf.Load(os.DirFS(root), crioconf.DefaultLayout(), crioconf.Options{
				Version: version(t, tt.version),
				Display: func(name string) string {
					short, err := filepath.Rel("etc/crio", name)
					require.NoError(t, err)
					return short
				},
			})
			require.NoError(t, err)
			var got []string
			for _, d := range found {
				if d.Severity != diag.Info {
					got = append(got, fmt.Sprintf("%s %s %s:%d", d.Severity, d.Code, d.Range.File, d.Range.Start.Line))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}
