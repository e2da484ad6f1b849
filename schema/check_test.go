package schema_test

import (
	"crypto/tls"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

func TestRules(t *testing.T) {
	tests := []struct {
		key, version string
		value        any
		stage        schema.Stage // zero: accepted
		message      string
		near         string
	}{
		{"crio.image.image_volumes", "1.18", "bind", 0, "", ""},
		{"crio.image.image_volumes", "1.36", "bnd", schema.Load, `must be mkdir, bind or ignore, not "bnd"`, "bind"},
		{"crio.image.short_name_mode", "1.36", "", 0, "", ""},
		{"crio.image.short_name_mode", "1.36", "enforcin", schema.Load, `must be enforcing, disabled or empty, not "enforcin"`, "enforcing"},
		{"crio.image.signature_policy_dir", "1.27.1", "policies", schema.Load, `must be an absolute path, not "policies"`, ""},
		{"crio.image.pause_image", "1.28", "UPPER/x", 0, "", ""},
		{"crio.image.pause_image", "1.29", "registry.k8s.io/pause:3.10", 0, "", ""},
		{"crio.image.pause_image", "1.29", "pause", 0, "", ""},
		{"crio.image.pause_image", "1.29", "Pause", schema.Load, "must be an image in lower case", "pause"},
		{"crio.image.pause_image", "1.29", "localhost:5000/pause", 0, "", ""},
		{"crio.image.pause_image", "1.29", "a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", 0, "", ""},
		{"crio.image.pause_image", "1.29", "UPPER/x", schema.Load, "must be an image in lower case", "upper/x"},
		{"crio.image.pause_image", "1.29", "", schema.Load, `must be an image such as registry.k8s.io/pause:3.10, not ""`, ""},
		{"crio.image.pause_image", "1.29", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", schema.Load, "must be the name of an image, not an id", ""},
		{"crio.image.pause_image", "1.29", "a@sha256:0123456789abcdef0123456789abcdef", schema.Load, "has a digest that is no sha256, sha384 or sha512 in lower case", ""},
		{"crio.api.tls_min_version", "1.35.1", "", 0, "", ""},
		{"crio.api.tls_min_version", "1.36", "VersionTLS11", schema.Load, `must be VersionTLS12, VersionTLS13 or empty, not "VersionTLS11"`, "VersionTLS12"},
		{"crio.api.tls_cipher_suites", "1.36", []string{"TLS_AES_128_GCM_SHA256"}, 0, "", ""},
		{"crio.api.tls_cipher_suites", "1.36", []string{"TLS_AES_128_GCM_SHA265"}, schema.Load, `has the element "TLS_AES_128_GCM_SHA265": no such cipher suite`, "TLS_AES_128_GCM_SHA256"},
		{"crio.api.stream_port", "1.30", "0", 0, "", ""},
		{"crio.api.stream_port", "1.30", "", 0, "", ""},
		{"crio.api.stream_port", "1.30", "my-service", 0, "", ""},
		{"crio.api.stream_port", "1.30", "65536", schema.Server, `must be a TCP port from 0 to 65535 or the name of a service, not "65536"`, ""},
		{"crio.api.stream_port", "1.30", "-1", schema.Server, `must be a TCP port from 0 to 65535 or the name of a service, not "-1"`, ""},
		{"crio.api.stream_port", "1.30", "10 010", schema.Server, `must be a TCP port from 0 to 65535 or the name of a service, not "10 010"`, ""},
		{"crio.api.stream_idle_timeout", "1.30", "4h30m", 0, "", ""},
		{"crio.api.stream_idle_timeout", "1.30", "", 0, "", ""},
		{"crio.api.stream_idle_timeout", "1.30", "30", schema.Server, `must be a duration such as 30s, 5m or 4h, or empty, not "30"`, "30s"},
		{"crio.log_dir", "1.30", "/var/log/pods", 0, "", ""},
		{"crio.log_dir", "1.30", "logs", schema.Start, `must be an absolute path, not "logs"`, ""},
		{"crio.network.network_dir", "1.30", "", schema.Start, "must not be empty: CRI-O creates the directory and needs a name", ""},
		{"crio.network.plugin_dirs", "1.30", []string{"/opt/cni/bin", ""}, schema.Start, `has the element "": must not be empty: CRI-O creates the directory and needs a name`, ""},
		{"crio.network.cni_status_grace_period", "1.36", time.Second, 0, "", ""},
		{"crio.network.cni_status_grace_period", "1.36", -3 * time.Second, schema.Load, "must not be negative, not -3s", ""},
		{"crio.stats.included_pod_metrics", "1.34", []string{"nonsense"}, 0, "", ""},
		{"crio.stats.included_pod_metrics", "1.35", []string{"all"}, 0, "", ""},
		{"crio.stats.included_pod_metrics", "1.35", []string{"cpu", "all"}, schema.Load, `must hold "all" as its only element`, ""},
		{"crio.stats.included_pod_metrics", "1.35", []string{"netwrk"}, schema.Load, `has the element "netwrk": must be cpu, disk, diskIO, hugetlb, memory, network, oom, process, spec or pressure, or all alone`, "network"},
		{"crio.runtime.additional_artifact_stores", "1.36", []string{"x"}, schema.Load, `has the element "x": must be an absolute path, not "x"`, ""},
		{"crio.runtime.additional_devices", "1.18", []string{"/dev/fuse:/dev/fuse:rwm", "/dev/a:rw", "/dev/b:/dev/c"}, 0, "", ""},
		{"crio.runtime.additional_devices", "1.18", []string{"/dev/a:r:w"}, schema.Load, `has the element "/dev/a:r:w": ` + deviceForm, ""},
		{"crio.runtime.additional_devices", "1.18", []string{""}, schema.Load, `has the element "": ` + deviceForm, ""},
		{"crio.runtime.additional_devices", "1.20", []string{"", "/dev/a:r:w"}, 0, "", ""},
		{"crio.runtime.additional_devices", "1.28", []string{"/dev/a::rw"}, schema.Load, `has the element "/dev/a::rw": ` + deviceForm, ""},
		{"crio.runtime.additional_devices", "1.29", []string{"/dev/a::rw"}, 0, "", ""},
		{"crio.runtime.additional_devices", "1.36", []string{"/dev/a:/dev/b:rr"}, schema.Load, `has the element "/dev/a:/dev/b:rr": ` + deviceForm, ""},
		{"crio.runtime.additional_devices", "1.36", []string{"/dev/a:/b"}, schema.Load, `has the element "/dev/a:/b": ` + deviceForm, ""},
		{"crio.runtime.cgroup_manager", "1.18", "systemD", 0, "", ""},
		{"crio.runtime.cgroup_manager", "1.19", "systemD", schema.Start, `must be systemd or cgroupfs, not "systemD"`, "systemd"},
		{"crio.runtime.conmon_cgroup", "1.23", "kube", schema.Load, `must be "pod" or the name of a systemd slice, ending in .slice, not "kube"`, ""},
		{"crio.runtime.conmon_cgroup", "1.24", "kube", 0, "", ""},
		{"crio.runtime.default_capabilities", "1.30", []string{"chown", "Net_Raw"}, 0, "", ""},
		{"crio.runtime.default_capabilities", "1.30", []string{"CAP_NET_RAW"}, schema.Load, `has the element "CAP_NET_RAW": write the capability without CAP_`, "NET_RAW"},
		{"crio.runtime.default_capabilities", "1.30", []string{"NET_RWA"}, schema.Load, `has the element "NET_RWA": no such capability`, "NET_RAW"},
		{"crio.runtime.default_capabilities", "1.21", []string{"BPF"}, schema.Load, `has the element "BPF": no such capability`, ""},
		{"crio.runtime.default_capabilities", "1.22", []string{"BPF"}, 0, "", ""},
		{"crio.runtime.default_sysctls", "1.36", []string{"", "net.ipv4.ping_group_range=0 1"}, 0, "", ""},
		{"crio.runtime.default_sysctls", "1.18", []string{"novalue"}, schema.Load, `has the element "novalue": write it as key=value`, ""},
		{"crio.runtime.default_sysctls", "1.23.1", []string{"a = b"}, 0, "", ""},
		{"crio.runtime.default_sysctls", "1.23.2", []string{"a = b"}, schema.Load, `has the element "a = b": no blanks are allowed around it or its equals sign`, "a=b"},
		{"crio.runtime.default_ulimits", "1.24", []string{"nofile=1024:-1", "nproc=5", "core=-1"}, 0, "", ""},
		{"crio.runtime.default_ulimits", "1.33", []string{"noproc=1:2"}, schema.Load, `has the element "noproc=1:2": the limit must be core, cpu, data, fsize, locks, memlock, msgqueue, nice, nofile, nproc, rss, rtprio, rttime, sigpending or stack`, "nproc=1:2"},
		{"crio.runtime.default_ulimits", "1.33", []string{"nofile=5:2"}, schema.Load, `has the element "nofile=5:2": the soft limit must not be above the hard limit`, ""},
		{"crio.runtime.default_ulimits", "1.33", []string{"nofile=-1:2"}, schema.Load, `has the element "nofile=-1:2": the soft limit must not be above the hard limit`, ""},
		{"crio.runtime.default_ulimits", "1.33", []string{"nofile=unlimited"}, schema.Load, `has the element "nofile=unlimited": "unlimited" is no number; -1 means unlimited`, ""},
		{"crio.runtime.default_ulimits", "1.33", []string{"nofile"}, schema.Load, `has the element "nofile": write it as name=soft:hard`, ""},
		{"crio.runtime.default_ulimits", "1.33", []string{"nofile=1:2:3"}, schema.Load, `has the element "nofile=1:2:3": write it as name=soft:hard`, ""},
		{"crio.runtime.infra_ctr_cpuset", "1.36", "0-3,6", 0, "", ""},
		{"crio.runtime.infra_ctr_cpuset", "1.36", "x", schema.Load, `must be a list of CPUs such as 0-3,6, not "x"`, ""},
		{"crio.runtime.infra_ctr_cpuset", "1.21", "3-0,1-2-3", 0, "", ""},
		{"crio.runtime.infra_ctr_cpuset", "1.22", "3-0", schema.Load, `has the range "3-0", which runs backwards`, ""},
		{"crio.runtime.infra_ctr_cpuset", "1.22", "1-2-3", schema.Load, `must be a list of CPUs such as 0-3,6, not "1-2-3"`, ""},
		{"crio.runtime.infra_ctr_cpuset", "1.36", "0-9999999999", 0, "", ""},
		{"crio.runtime.log_filter", "1.36", "^a.*$", 0, "", ""},
		{"crio.runtime.log_filter", "1.36", "([", schema.Load, "must be a regular expression of Go: error parsing regexp: missing closing ]: `[`", ""},
		{"crio.runtime.log_level", "1.36", "WARNING", 0, "", ""},
		{"crio.runtime.log_level", "1.36", "debgu", schema.Load, `must be panic, fatal, error, warn, info, debug or trace, not "debgu"`, "debug"},
		{"crio.runtime.log_level", "1.36", "", schema.Load, `must be panic, fatal, error, warn, info, debug or trace, not ""`, ""},
		{"crio.runtime.log_size_max", "1.36", int64(-5), 0, "", ""},
		{"crio.runtime.log_size_max", "1.36", int64(8192), 0, "", ""},
		{"crio.runtime.log_size_max", "1.36", int64(0), schema.Load, "must be 8192 bytes or more, or negative for no limit, not 0", ""},
		{"crio.runtime.min_injected_gomaxprocs", "1.33.12", int64(-1), schema.Load, "must be 0 or more, not -1", ""},
		{"crio.runtime.namespaces_dir", "1.36", "", schema.Start, "must not be empty: CRI-O creates the directory and needs a name", ""},
		{"crio.runtime.timezone", "1.36", "LOCAL", 0, "", ""},
		{"crio.runtime.timezone", "1.36", "Europe/Berlin", 0, "", ""},
		{"crio.runtime.timezone", "1.36", "posix/UTC", 0, "", ""},
		{"crio.runtime.timezone", "1.36", "Europe/Berln", schema.Load, `must be empty, Local or a time zone such as Europe/Berlin, not "Europe/Berln"`, "Europe/Berlin"},
		{"crio.runtime.timezone", "1.36", "Europe", schema.Load, `must be empty, Local or a time zone such as Europe/Berlin, not "Europe"`, ""},
		{"crio.runtime.runtimes.*.runtime_type", "1.23", "pod", schema.Start, `must be oci, vm or empty, not "pod"`, ""},
		{"crio.runtime.runtimes.*.runtime_type", "1.24", "pod", 0, "", ""},
		{"crio.runtime.runtimes.*.allowed_annotations", "1.20", []string{"x"}, 0, "", ""},
		{"crio.runtime.runtimes.*.allowed_annotations", "1.34", []string{"devices.crio.io"}, schema.Start, `has the element "devices.crio.io": CRI-O 1.34.11 knows no such annotation, newer releases do`, ""},
		{"crio.runtime.runtimes.*.allowed_annotations", "1.35", []string{"devices.crio.io", "io.kubernetes.cri-o.Devices"}, 0, "", ""},
		{"crio.runtime.runtimes.*.exec_cpu_affinity", "1.36", "last", schema.Start, `must be first or empty, not "last"`, ""},
		{"crio.runtime.workloads.*.activation_annotation", "1.30", "", schema.Load, "must name the annotation that switches the workload on", ""},
		{"crio.runtime.workloads.*.allowed_annotations", "1.30", []string{"io.kubernetes.cri-o.ShmSiz"}, schema.Load, `has the element "io.kubernetes.cri-o.ShmSiz": CRI-O 1.30.14 knows no such annotation`, "io.kubernetes.cri-o.ShmSize"},
		{"crio.runtime.workloads.*.resources", "1.21.0", map[string]string{"cpuset": "0", "cpushares": "x"}, 0, "", ""},
		{"crio.runtime.workloads.*.resources", "1.21.0", map[string]string{"cpusets": "0"}, schema.Load, `must hold cpushares and cpuset only, not "cpusets"`, "cpuset"},
		{"crio.runtime.workloads.*.resources", "1.21.0", map[string]string{"cpuset": "a"}, schema.Load, `has the CPU list "a": must be a list of CPUs such as 0-3,6, not "a"`, ""},
		{"crio.runtime.workloads.*.resources.cpuset", "1.30", "0-", schema.Load, `must be a list of CPUs such as 0-3,6, not "0-"`, ""},
		{"crio.runtime.workloads.*.resources.cpuperiod", "1.30", uint64(0), 0, "", ""},
		{"crio.runtime.workloads.*.resources.cpuperiod", "1.30", uint64(42), schema.Load, "must be 1000 microseconds or more, or 0, not 42", ""},
	}
	for _, tt := range tests {
		t.Run(tt.key+" "+tt.version, func(t *testing.T) {
			k := schema.Find(keypath.MustParse(tt.key))
			require.True(t, k.In(v(t, tt.version)))
			broken := k.Check(v(t, tt.version), tt.value, nil)
			if tt.stage == 0 {
				require.Empty(t, broken)
				return
			}
			require.Len(t, broken, 1)
			require.Equal(t, tt.stage, broken[0].Stage)
			var e *schema.ValueError
			require.True(t, errors.As(broken[0].Err, &e))
			require.Equal(t, tt.message, e.Error())
			require.Equal(t, tt.near, e.Near)
		})
	}
}

const deviceForm = "write it as /dev/HOST:/dev/CONTAINER:MODE with a mode of r, w and m; the last two may be left out"

func TestEveryRuleOfTheTableHasBothOutcomes(t *testing.T) {
	// A value of another kind breaks no rule: the decoder stops before.
	for _, k := range schema.All() {
		for _, r := range k.Rules {
			require.NoError(t, r.Check(schema.Newest(), struct{}{}), k.String())
			require.Contains(t, []schema.Stage{schema.Load, schema.Start, schema.Server}, r.Stage, k.String())
		}
		d, ok := k.Default(schema.Newest())
		if ok && !k.HasNames() {
			require.Empty(t, k.Check(schema.Newest(), d, nil), k.String())
		}
	}
}

func TestRulesThatDependOnAnotherKey(t *testing.T) {
	tests := []struct {
		what, key string
		value     any
		other     string
		is        any
		refused   bool
	}{
		{"TLS 1.2 looks at the suites", "crio.api.tls_cipher_suites", []string{"FOO"}, "crio.api.tls_min_version", "VersionTLS12", true},
		{"TLS 1.3 does not", "crio.api.tls_cipher_suites", []string{"FOO"}, "crio.api.tls_min_version", "VersionTLS13", false},
		{"metrics need a port", "crio.metrics.metrics_port", int64(99999), "crio.metrics.enable_metrics", true, true},
		{"no metrics, no port", "crio.metrics.metrics_port", int64(99999), "crio.metrics.enable_metrics", false, false},
		{"both mappings are read", "crio.runtime.uid_mappings", "x", "crio.runtime.gid_mappings", "0:1:2", true},
		{"one alone is not", "crio.runtime.uid_mappings", "x", "crio.runtime.gid_mappings", "", false},
		{"and the other way round", "crio.runtime.gid_mappings", "0:1", "crio.runtime.uid_mappings", "0:1:2", true},
		{"a right one passes", "crio.runtime.gid_mappings", "0:1:2,5:6:7", "crio.runtime.uid_mappings", "0:1:2", false},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			k := schema.Find(keypath.MustParse(tt.key))
			broken := k.Check(schema.Newest(), tt.value, func(p keypath.Path) any {
				require.Equal(t, tt.other, p.String())
				return tt.is
			})
			require.Equal(t, tt.refused, len(broken) > 0)
		})
	}
}

func TestMappingsOfOldReleases(t *testing.T) {
	set := func(keypath.Path) any { return "0:1:2" }
	require.Empty(t, schema.UIDMappings.Check(v(t, "1.19"), "0-1-2", set), "only digits count")
	require.NotEmpty(t, schema.UIDMappings.Check(v(t, "1.19"), "0:1", set))
	require.NotEmpty(t, schema.UIDMappings.Check(v(t, "1.20"), "0-1-2", set))
}

func TestNormalizations(t *testing.T) {
	tests := []struct {
		key, version string
		stage        schema.Stage
		in, out      any
	}{
		{"crio.runtime.ctr_stop_timeout", "1.18", schema.Load, int64(5), int64(30)},
		{"crio.runtime.ctr_stop_timeout", "1.36", schema.Load, int64(31), int64(31)},
		{"crio.runtime.ctr_stop_timeout", "1.13", schema.Server, int64(0), int64(10)},
		{"crio.runtime.ctr_stop_timeout", "1.17", schema.Load, int64(0), int64(0)},
		{"crio.runtime.ctr_stop_timeout", "1.17", schema.Server, int64(0), int64(30)},
		{"crio.api.grpc_max_recv_msg_size", "1.22", schema.Load, int64(0), int64(16777216)},
		{"crio.api.grpc_max_send_msg_size", "1.23", schema.Load, int64(-1), int64(83886080)},
		{"crio.api.grpc_max_send_msg_size", "1.23", schema.Load, int64(7), int64(7)},
		{"crio.runtime.default_runtime", "1.30", schema.Load, "", "runc"},
		{"crio.runtime.default_runtime", "1.31", schema.Load, "", "crun"},
		{"crio.runtime.default_runtime", "1.31", schema.Load, "kata", "kata"},
		{"crio.image.registries", "1.20", schema.Load, []string{"a"}, []string{"a"}},
		{"crio.image.registries", "1.21", schema.Load, []string{"a"}, []string(nil)},
		{"crio.runtime.runtimes.*.container_min_memory", "1.36", schema.Load, "xx", "xx"},
		{"crio.runtime.runtimes.*.container_min_memory", "1.36", schema.Start, "xx", "12MiB"},
		{"crio.runtime.runtimes.*.container_min_memory", "1.36", schema.Start, "", "12MiB"},
		{"crio.runtime.runtimes.*.container_min_memory", "1.36", schema.Start, "1.5 gib", "1.5 gib"},
		{"crio.runtime.runtimes.*.container_min_memory", "1.36", schema.Start, "-1MB", "12MiB"},
		{"crio.runtime.runtimes.*.container_min_memory", "1.36", schema.Start, "7bb", "12MiB"},
		{"crio.runtime.runtimes.*.container_create_timeout", "1.36", schema.Start, int64(0), int64(240)},
		{"crio.runtime.runtimes.*.container_create_timeout", "1.36", schema.Start, int64(-1), int64(30)},
		{"crio.runtime.runtimes.*.container_create_timeout", "1.36", schema.Start, int64(31), int64(31)},
	}
	for _, tt := range tests {
		t.Run(tt.key+" "+tt.version, func(t *testing.T) {
			got, changed := schema.Find(keypath.MustParse(tt.key)).Normal(v(t, tt.version), tt.in, tt.stage)
			require.Equal(t, tt.out, got)
			_, isList := tt.in.([]string)
			require.Equal(t, isList && len(tt.out.([]string)) == 0 || !isList && tt.in != tt.out, changed)
		})
	}
}

func TestMonitorCgroup(t *testing.T) {
	tests := []struct {
		version, manager, value string
		refused                 bool
	}{
		{"1.36", "systemd", "", false},
		{"1.36", "systemd", "pod", false},
		{"1.36", "systemd", "a.slice", false},
		{"1.36", "systemd", "a", true},
		{"1.23", "systemd", "", true},
		{"1.36", "cgroupfs", "pod", false},
		{"1.36", "cgroupfs", "", false},
		{"1.36", "cgroupfs", "system.slice", false},
		{"1.36", "cgroupfs", "other.slice", true},
		{"1.32", "cgroupfs", "system.slice", true},
		{"1.32", "cgroupfs", "", true},
		{"1.25.0", "cgroupfs", "", false},
		{"1.23", "cgroupfs", "pod", false},
	}
	for _, tt := range tests {
		t.Run(tt.version+" "+tt.manager+" "+tt.value, func(t *testing.T) {
			err := schema.MonitorCgroup(v(t, tt.version), tt.manager, tt.value)
			require.Equal(t, tt.refused, err != nil)
		})
	}
}

func TestPredicatesForRulesOfSeveralKeys(t *testing.T) {
	require.True(t, schema.ShimPath("/usr/bin/containerd-shim-kata-v2"))
	require.False(t, schema.ShimPath("/usr/bin/containerd-shim-kata-v1"))
	require.False(t, schema.ShimPath("/containerd-shim-kata-v2/x"))
	require.True(t, schema.QuotaBelowShares(v(t, "1.30"), 5, 6))
	require.False(t, schema.QuotaBelowShares(v(t, "1.30"), 0, 6))
	require.False(t, schema.QuotaBelowShares(v(t, "1.29.2"), 5, 6))
}

func TestAnnotationsOfARelease(t *testing.T) {
	require.Empty(t, schema.Annotations(v(t, "1.20")))
	require.Len(t, schema.Annotations(v(t, "1.21.0")), 8)
	require.NotContains(t, schema.Annotations(v(t, "1.22.0")), "io.kubernetes.cri-o.TrySkipVolumeSELinuxLabel")
	require.Contains(t, schema.Annotations(v(t, "1.22.1")), "io.kubernetes.cri-o.TrySkipVolumeSELinuxLabel")
	require.NotContains(t, schema.Annotations(v(t, "1.28.5")), "run.oci.")
	require.Contains(t, schema.Annotations(v(t, "1.28.6")), "run.oci.")
}

func TestCipherSuitesOfTheLibraryAreAccepted(t *testing.T) {
	for _, suite := range slices.Concat(tls.CipherSuites(), tls.InsecureCipherSuites()) {
		require.Empty(t, schema.TLSCipherSuites.Check(schema.Newest(), []string{suite.Name}, nil), suite.Name)
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"", "0-3", "a=b", "/dev/a:b:c", "x@sha256:00", "nofile=1:2", "UTC", "\x00", "é/É"} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, s string, which uint8) {
		releases := schema.Versions()
		r := releases[int(which)%len(releases)]
		for _, k := range schema.For(r).Keys() {
			var x any = s
			if k.KindIn(r) == schema.Strings {
				x = []string{s}
			}
			k.Normal(r, x, schema.Server)
			for _, broken := range k.Check(r, x, func(keypath.Path) any { return s }) {
				if broken.Err.Error() == "" {
					t.Errorf("%s = %q in %s: no message", k, s, r)
				}
			}
		}
	})
}
