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

func TestCanonical(t *testing.T) {
	s := schema.For(v(t, "1.36"))
	p, ok := s.Canonical(keypath.MustParse("CRIO.runtime.Runtimes.Kata.RUNTIME_path"))
	require.True(t, ok)
	require.Equal(t, "crio.runtime.runtimes.Kata.runtime_path", p.String())
	_, ok = s.Canonical(keypath.MustParse("crio.cni"))
	require.False(t, ok)
	p, ok = s.Canonical(nil)
	require.True(t, ok)
	require.Empty(t, p)
}

func TestTablesAndChildren(t *testing.T) {
	tests := []struct {
		version, path string
		table         bool
		children      []string
	}{
		{"1.18", "crio.network", true, []string{"cni_default_network", "network_dir", "plugin_dirs", "plugin_dir"}},
		{"1.36", "crio.Runtime.runtimes", true, []string{"*"}},
		{"1.18", "crio.runtime.runtimes.x", true, []string{"runtime_path", "runtime_type", "runtime_root", "privileged_without_host_devices"}},
		{"1.21.0", "crio.runtime.workloads.w.resources", false, nil},
		{"1.21.1", "crio.runtime.workloads.w.resources", true, []string{"cpuset", "cpushares"}},
		{"1.36", "crio.runtime.runtimes.x.default_annotations", false, nil},
		{"1.33", "crio.nri.default_validator", false, nil},
		{"1.25", "crio.nri", false, nil},
		{"1.36", "crio.network.network_dir", false, nil},
		{"1.36", "", true, []string{"crio"}},
	}
	for _, tt := range tests {
		t.Run(tt.version+" "+tt.path, func(t *testing.T) {
			s := schema.For(v(t, tt.version))
			var p keypath.Path
			if tt.path != "" {
				p = keypath.MustParse(tt.path)
			}
			require.Equal(t, tt.table, s.Table(p))
			if d := cmp.Diff(tt.children, s.Children(p)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

func TestHistory(t *testing.T) {
	since, removed, ok := schema.History(keypath.MustParse("crio.runtime.Manage_NS_lifecycle"))
	require.True(t, ok)
	require.Equal(t, "1.17.0", since.String())
	require.Equal(t, "1.21.0", removed.String())
	_, removed, ok = schema.History(keypath.MustParse("crio.runtime.runtimes.kata.runtime_path"))
	require.True(t, ok)
	require.True(t, removed.IsZero())
	_, _, ok = schema.History(keypath.MustParse("crio.runtime.enable_cdi"))
	require.False(t, ok)
}

func TestMergeRules(t *testing.T) {
	tests := []struct {
		key, version string
		want         schema.Merge
	}{
		{"crio.storage_option", "1.20.6", schema.Replace},
		{"crio.storage_option", "1.20.7", schema.AppendUnique},
		{"crio.storage_option", "1.21.4", schema.Replace},
		{"crio.storage_option", "1.21.5", schema.AppendUnique},
		{"crio.storage_option", "1.22.1", schema.Replace},
		{"crio.storage_option", "1.22.2", schema.AppendUnique},
		{"crio.storage_option", "1.23.0", schema.AppendUnique},
		{"crio.root", "1.23", schema.Replace},
		{"crio.root", "1.24.0", schema.KeepIfEmpty},
		{"crio.runroot", "1.24.0", schema.KeepIfEmpty},
		{"crio.storage_driver", "1.36", schema.KeepIfEmpty},
		{"crio.imagestore", "1.36", schema.Replace},
		{"crio.runtime.runtimes", "1.18", schema.ReplaceEntry},
		{"crio.runtime.workloads", "1.36", schema.ReplaceEntry},
		{"crio.runtime.runtimes.*.default_annotations", "1.36", schema.PerKey},
		{"crio.network.plugin_dirs", "1.36", schema.Replace},
	}
	for _, tt := range tests {
		t.Run(tt.key+" "+tt.version, func(t *testing.T) {
			require.Equal(t, tt.want, schema.Find(keypath.MustParse(tt.key)).MergeIn(v(t, tt.version)))
		})
	}
}

// The struct tags of RuntimeHandler and WorkloadConfig of every tag say which
// fields the encoder leaves out when they are empty. It never leaves out a
// number for that reason.
func TestZeroValuesThatAreLeftOut(t *testing.T) {
	always := map[string]bool{
		"runtime_path": true, "runtime_type": true, "runtime_root": true, "runtime_config_path": true,
		"no_sync_log": true, "container_create_timeout": true, "activation_annotation": true,
		"annotation_prefix": true, "cpushares": true, "cpuset": true, "cpuquota": true, "cpuperiod": true,
		"cpulimit": true, "disallowedannotations": true,
	}
	for _, minor := range schema.Versions() {
		for _, k := range schema.For(minor).Keys() {
			if !k.HasNames() {
				continue
			}
			want := !always[k.Path.Leaf()]
			if k.Path.Leaf() == "privileged_without_host_devices" {
				want = minor.Minor >= 20
			}
			require.Equal(t, want, k.OmitsEmpty(minor), "%s in %s", k, minor)
		}
	}
}

func TestNamesAsPrinted(t *testing.T) {
	require.Equal(t, "CPUShares", schema.WorkloadCPUShares.PrintedName())
	require.Equal(t, "DisallowedAnnotations", schema.HandlerDisallowedAnnotations.PrintedName())
	require.Equal(t, "log_level", schema.LogLevel.PrintedName())
}

func TestReloadIn(t *testing.T) {
	require.Equal(t, schema.Restart, schema.DisableHostportMapping.ReloadIn(schema.Newest()))
	require.Equal(t, schema.SIGHUP, schema.LogLevel.ReloadIn(v(t, "1.18")))
	require.Equal(t, schema.Restart, schema.DefaultRuntime.ReloadIn(v(t, "1.25.0")))
	require.Equal(t, schema.SIGHUP, schema.DefaultRuntime.ReloadIn(v(t, "1.25.1")))
	require.Equal(t, schema.Restart, schema.InsecureRegistries.ReloadIn(v(t, "1.34")))
	require.Equal(t, schema.NoEffect, schema.InsecureRegistries.ReloadIn(v(t, "1.35")))
}

func TestDefaultsAreCopies(t *testing.T) {
	d, ok := schema.PluginDirs.Default(schema.Newest())
	require.True(t, ok)
	d[0] = "/elsewhere"
	again, _ := schema.PluginDirs.Default(schema.Newest())
	require.Equal(t, []string{"/opt/cni/bin/"}, again)
}

func TestBuiltinRuntime(t *testing.T) {
	for version, want := range map[string]string{"1.11": "", "1.12": "runc", "1.30": "runc", "1.31.0": "crun", "1.40": "crun"} {
		require.Equal(t, want, schema.For(v(t, version)).BuiltinRuntime(), version)
	}
}

func TestWordsOfTheVocabulary(t *testing.T) {
	require.Equal(t, "list of strings", schema.Strings.String())
	require.Equal(t, "kind(0)", schema.Kind(0).String())
	require.Equal(t, "keep if empty", schema.KeepIfEmpty.String())
	require.Equal(t, "merge(99)", schema.Merge(99).String())
	require.Equal(t, "reload", schema.SIGHUP.String())
	require.Equal(t, "reload(99)", schema.Reload(99).String())
	require.Equal(t, "server", schema.Server.String())
	require.Equal(t, "invalid stage", schema.Stage(0).String())
}

func TestSuccessors(t *testing.T) {
	require.Equal(t, schema.PluginDirs.Key, schema.PluginDir.Successor())
	require.Equal(t, []*schema.Key{schema.PluginDir.Key}, schema.PluginDirs.Replaces())
	require.Nil(t, schema.InsecureRegistries.Successor(), "another file took its place")
	require.Nil(t, schema.LogLevel.Successor())
	require.Empty(t, schema.LogLevel.Replaces())
}
