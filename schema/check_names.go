package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// ulimitNames are the limits of docker/go-units, ulimit.go.
var ulimitNames = []string{
	"core", "cpu", "data", "fsize", "locks", "memlock", "msgqueue", "nice", "nofile", "nproc", "rss", "rtprio",
	"rttime", "sigpending", "stack",
}

// ulimit follows ParseUlimit of docker/go-units, ulimit.go, which is the same in
// all releases from 1.18 to 1.36.
func ulimit(s string) *ValueError {
	name, limits, ok := strings.Cut(s, "=")
	if !ok {
		return valueErrorf("write it as name=soft:hard")
	}
	if !slices.Contains(ulimitNames, name) {
		near, found := keypath.Near(name, ulimitNames)
		e := valueErrorf("the limit must be %s", choice(ulimitNames))
		if found {
			e.Near = near + "=" + limits
		}
		return e
	}
	numbers := strings.Split(limits, ":")
	if len(numbers) > 2 {
		return valueErrorf("write it as name=soft:hard")
	}
	var soft, hard int64
	for i, to := range []*int64{&soft, &hard}[:len(numbers)] {
		n, err := strconv.ParseInt(numbers[i], 10, 64)
		if err != nil {
			return valueErrorf("%q is no number; -1 means unlimited", numbers[i])
		}
		*to = n
	}
	if len(numbers) == 2 && hard != -1 && (soft == -1 || soft > hard) {
		return valueErrorf("the soft limit must not be above the hard limit")
	}
	return nil
}

// capabilities are the names that every release from 1.18 on knows; newer
// kernels have those of newCapabilities too.
var capabilities = []string{
	"CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP",
	"LINUX_IMMUTABLE", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_ADMIN", "NET_RAW", "IPC_LOCK", "IPC_OWNER",
	"SYS_MODULE", "SYS_RAWIO", "SYS_CHROOT", "SYS_PTRACE", "SYS_PACCT", "SYS_ADMIN", "SYS_BOOT", "SYS_NICE",
	"SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "MKNOD", "LEASE", "AUDIT_WRITE", "AUDIT_CONTROL", "SETFCAP",
	"MAC_OVERRIDE", "MAC_ADMIN", "SYSLOG", "WAKE_ALARM", "BLOCK_SUSPEND", "AUDIT_READ",
}

// newCapabilities came with the capability library that CRI-O vendors since
// 1.22. Two earlier patch releases had it as well.
var newCapabilities = []string{"PERFMON", "BPF", "CHECKPOINT_RESTORE"}

func capabilityNames(v Version) []string {
	v = v.Known()
	if v.Less(Version{1, 22, 0}) && v != (Version{1, 20, 1}) && v != (Version{1, 21, 0}) {
		return capabilities
	}
	return slices.Concat(capabilities, newCapabilities)
}

// capability follows cri-o internal/config/capabilities: the name is turned to
// upper case, and CAP_ is put before it even where it stands already.
func capability(v Version, s string) *ValueError {
	names := capabilityNames(v)
	name := strings.ToUpper(s)
	if slices.Contains(names, name) {
		return nil
	}
	if short, ok := strings.CutPrefix(name, "CAP_"); ok && slices.Contains(names, short) {
		return &ValueError{Text: "write the capability without CAP_", Near: short}
	}
	near, _ := keypath.Near(strings.TrimPrefix(name, "CAP_"), names)
	return &ValueError{Text: "no such capability", Near: near}
}

// annotation is one that a handler or a workload may be allowed to use.
type annotation struct {
	name  string
	since Branches
}

// foreignAnnotations are those that runc and crun act on.
var foreignAnnotations = Branches{{1, 27, 6}, {1, 28, 6}, {1, 29, 4}, {1, 30, 0}}

// annotations is AllAllowedAnnotations of cri-o pkg/annotations, of every tag.
var annotations = []annotation{
	{"cpu-load-balancing.crio.io", Branches{{1, 21, 0}}},
	{"cpu-quota.crio.io", Branches{{1, 21, 0}}},
	{"irq-load-balancing.crio.io", Branches{{1, 21, 0}}},
	{"io.containers.trace-syscall", Branches{{1, 21, 0}}},
	{"io.kubernetes.cri-o.Devices", Branches{{1, 21, 0}}},
	{"io.kubernetes.cri-o.ShmSize", Branches{{1, 21, 0}}},
	{"io.kubernetes.cri-o.UnifiedCgroup", Branches{{1, 21, 0}}},
	{"io.kubernetes.cri-o.userns-mode", Branches{{1, 21, 0}}},
	{"io.kubernetes.cri-o.TrySkipVolumeSELinuxLabel", Branches{{1, 21, 4}, {1, 22, 1}, {1, 23, 0}}},
	{"io.kubernetes.cri.rdt-class", Branches{{1, 22, 0}}},
	{"io.kubernetes.cri-o.cgroup2-mount-hierarchy-rw", Branches{{1, 23, 0}}},
	{"cpu-c-states.crio.io", Branches{{1, 25, 0}}},
	{"cpu-freq-governor.crio.io", Branches{{1, 25, 0}}},
	{"io.kubernetes.cri-o.seccompNotifierAction", Branches{{1, 26, 0}}},
	{"io.kubernetes.cri-o.LinkLogs", Branches{{1, 26, 4}, {1, 27, 1}, {1, 28, 0}}},
	{"io.kubernetes.cri-o.umask", Branches{{1, 27, 0}}},
	{"bundle", foreignAnnotations},
	{"org.systemd.property.", foreignAnnotations},
	{"org.criu.config", foreignAnnotations},
	{"module.wasm.image/variant", foreignAnnotations},
	{"io.kubernetes.cri.container-type", foreignAnnotations},
	{"run.oci.", foreignAnnotations},
	{"io.kubernetes.cri-o.PodLinuxOverhead", Branches{{1, 28, 0}}},
	{"io.kubernetes.cri-o.PodLinuxResources", Branches{{1, 28, 0}}},
	{"cpu-shared.crio.io", Branches{{1, 28, 3}, {1, 29, 0}}},
	{"io.kubernetes.cri-o.DisableFIPS", Branches{{1, 30, 0}}},
	{"seccomp-profile.kubernetes.cri-o.io", Branches{{1, 30, 0}}},
	{"cgroup2-mount-hierarchy-rw.crio.io", Branches{{1, 35, 0}}},
	{"devices.crio.io", Branches{{1, 35, 0}}},
	{"disable-fips.crio.io", Branches{{1, 35, 0}}},
	{"link-logs.crio.io", Branches{{1, 35, 0}}},
	{"platform-runtime-path.crio.io", Branches{{1, 35, 0}}},
	{"pod-linux-overhead.crio.io", Branches{{1, 35, 0}}},
	{"pod-linux-resources.crio.io", Branches{{1, 35, 0}}},
	{"seccomp-notifier-action.crio.io", Branches{{1, 35, 0}}},
	{"seccomp-profile.crio.io", Branches{{1, 35, 0}}},
	{"shm-size.crio.io", Branches{{1, 35, 0}}},
	{"spoofed.crio.io", Branches{{1, 35, 0}}},
	{"org.opencontainers.image.stopSignal", Branches{{1, 35, 0}}},
	{"try-skip-volume-selinux-label.crio.io", Branches{{1, 35, 0}}},
	{"umask.crio.io", Branches{{1, 35, 0}}},
	{"unified-cgroup.crio.io", Branches{{1, 35, 0}}},
	{"userns-mode.crio.io", Branches{{1, 35, 0}}},
	{"io.kubernetes.cri-o.PlatformRuntimePath", Branches{{1, 35, 0}}},
	{"io.kubernetes.cri-o.Spoofed", Branches{{1, 35, 0}}},
}

// Annotations returns the names that allowed_annotations of handlers and
// workloads may list in release v, or nil when the release checks none.
func Annotations(v Version) []string {
	var names []string
	for _, a := range annotations {
		if a.since.Has(v) {
			names = append(names, a.name)
		}
	}
	return names
}

func allowedAnnotation(v Version, s string) *ValueError {
	names := Annotations(v)
	if slices.Contains(names, s) {
		return nil
	}
	near, _ := keypath.Near(s, names)
	e := &ValueError{Text: "CRI-O " + v.Known().String() + " knows no such annotation", Near: near}
	i := slices.IndexFunc(annotations, func(a annotation) bool { return a.name == s })
	if i >= 0 {
		e.Text += ", newer releases do"
	}
	return e
}

// cipherSuites are the names of crypto/tls and two older spellings, which
// k8s.io/component-base/cli/flag accepts.
var cipherSuites = []string{
	"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
	"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
	"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
	"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
	"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
	"TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
	"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
	"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
	"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
	"TLS_ECDHE_RSA_WITH_RC4_128_SHA", "TLS_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_RSA_WITH_AES_128_CBC_SHA",
	"TLS_RSA_WITH_AES_128_CBC_SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_256_CBC_SHA",
	"TLS_RSA_WITH_AES_256_GCM_SHA384", "TLS_RSA_WITH_RC4_128_SHA",
}

func cipherSuite(s string) *ValueError {
	if slices.Contains(cipherSuites, s) {
		return nil
	}
	near, _ := keypath.Near(s, cipherSuites)
	return &ValueError{Text: "no such cipher suite", Near: near}
}

// podMetrics are the groups of cri-o pkg/config/config.go, AvailableMetrics.
var podMetrics = []string{
	"cpu", "disk", "diskIO", "hugetlb", "memory", "network", "oom", "process", "spec", "pressure",
}

// includedPodMetrics accepts known groups, or the word all alone.
func includedPodMetrics(_ Version, value any) error {
	list, _ := value.([]string)
	if len(list) == 1 && list[0] == "all" {
		return nil
	}
	for i, s := range list {
		if s == "all" {
			return valueErrorf(`must hold "all" as its only element`)
		}
		if !slices.Contains(podMetrics, s) {
			near, _ := keypath.Near(s, append(slices.Clone(podMetrics), "all"))
			return &ValueError{
				Text:    fmt.Sprintf("has the element %q: must be %s, or all alone", s, choice(podMetrics)),
				Near:    near,
				Element: i + 1,
			}
		}
	}
	return nil
}
