package schema

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// deviceMode reports whether s is made of r, w and m, each at most once.
func deviceMode(s string) bool {
	for i, r := range s {
		if !strings.ContainsRune("rwm", r) || strings.ContainsRune(s[:i], r) {
			return false
		}
	}
	return s != ""
}

const deviceForm = "write it as /dev/HOST:/dev/CONTAINER:MODE with a mode of r, w and m; the last two may be left out"

// device follows cri-o internal/config/device (devicesFromStrings) since 1.20
// and the checks of pkg/config/config.go before. Since 1.20 CRI-O also looks
// whether the device exists, already at load; only the host can tell that.
func device(v Version, s string) *ValueError {
	ok := deviceSince120(v, s)
	if v.Less(Version{1, 20, 0}) {
		ok = deviceBefore120(s)
	}
	if ok {
		return nil
	}
	return valueErrorf(deviceForm)
}

func deviceSince120(v Version, s string) bool {
	if s == "" {
		return true
	}
	parts := strings.Split(s, ":")
	if len(parts) > 3 || len(parts) == 3 && !deviceMode(parts[2]) {
		return false
	}
	target := parts[0]
	if len(parts) > 1 && !deviceMode(parts[1]) {
		switch {
		case parts[1] != "":
			target = parts[1]
		case v.Less(Version{1, 29, 0}):
			// The loader looks at the first letter of the empty part and crashes.
			return false
		}
	}
	return strings.HasPrefix(target, "/dev/")
}

func deviceBefore120(s string) bool {
	parts := strings.Split(s, ":")
	if len(parts) > 3 || !strings.HasPrefix(parts[0], "/dev/") {
		return false
	}
	if len(parts) == 3 {
		return deviceMode(parts[2]) && strings.HasPrefix(parts[1], "/dev/")
	}
	return len(parts) == 1 || deviceMode(parts[1]) || strings.HasPrefix(parts[1], "/dev/")
}

// cpuList follows cpuset.Parse of Kubernetes, but does not expand ranges. Up to
// 1.21 it accepted ranges that run backwards, and skipped parts with two dashes.
func cpuList(v Version, s string) *ValueError {
	if s == "" {
		return nil
	}
	old := v.Less(Version{1, 22, 0})
	for part := range strings.SplitSeq(s, ",") {
		if old && strings.Count(part, "-") > 1 {
			continue
		}
		first, last, isRange := strings.Cut(part, "-")
		a, err := strconv.Atoi(first)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(last)
		}
		if err != nil {
			return valueErrorf("must be a list of CPUs such as 0-3,6, not %q", s)
		}
		if a > b && !old {
			return valueErrorf("has the range %q, which runs backwards", part)
		}
	}
	return nil
}

// workloadResources follows cri-o pkg/config/workloads.go of 1.21.0, where
// resources is a table of strings.
func workloadResources(v Version, value any) error {
	resources, _ := value.(map[string]string)
	for name := range resources {
		if name != "cpushares" && name != "cpuset" {
			near, _ := keypath.Near(name, []string{"cpushares", "cpuset"})
			return &ValueError{Text: "must hold cpushares and cpuset only, not " + strconv.Quote(name), Near: near}
		}
	}
	if err := cpuList(v, resources["cpuset"]); err != nil {
		return &ValueError{Text: "has the CPU list " + strconv.Quote(resources["cpuset"]) + ": " + err.Text}
	}
	return nil
}

// minQuotaPeriod is the shortest period of the kernel, in microseconds.
const minQuotaPeriod = 1000

func cpuPeriod(_ Version, value any) error {
	if n, ok := value.(uint64); ok && n != 0 && n < minQuotaPeriod {
		return valueErrorf("must be %d microseconds or more, or 0, not %d", minQuotaPeriod, n)
	}
	return nil
}

// QuotaBelowShares reports whether release v refuses a workload with these CPU
// values (cri-o pkg/config/workloads.go, ValidateDefaults).
func QuotaBelowShares(v Version, quota int64, shares uint64) bool {
	// CRI-O converts the shares, so absurdly many turn negative there as here.
	return WorkloadCPUQuota.In(v) && quota != 0 && quota < int64(shares)
}

var shimName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`containerd-shim-[a-zA-Z0-9+-]+-v2`)
})

// ShimPath reports whether a runtime_path has the name that CRI-O demands of a
// handler with runtime_type "vm", as it does since 1.21.
func ShimPath(p string) bool { return shimName().MatchString(path.Base(p)) }

// MonitorCgroup returns what release v refuses in the monitor_cgroup of an oci
// handler, once conmon_cgroup has been taken over, under the given cgroup
// manager. It is nil when the value is accepted (cri-o pkg/config/config.go,
// TranslateMonitorFieldsForHandler, since 1.24; RuntimeConfig.Validate for
// conmon_cgroup before).
func MonitorCgroup(v Version, manager, value string) error {
	if manager == "systemd" {
		if value == "" && !v.Less(Version{1, 24, 0}) {
			return nil // becomes system.slice
		}
		if err := sliceOrPod(value); err != nil {
			return err
		}
		return nil
	}
	switch {
	case value == "pod":
		return nil
	case value == "":
		// 1.25.1 to 1.32 put system.slice in place of the empty value first,
		// and then refuse it.
		if v.Less(Version{1, 25, 1}) || !v.Less(Version{1, 33, 0}) {
			return nil
		}
	case value == "system.slice" && !v.Less(Version{1, 33, 0}):
		return nil
	}
	if value == "" {
		return valueErrorf(`must be "pod" under the cgroup manager cgroupfs`)
	}
	return valueErrorf(`must be "pod" or empty under the cgroup manager cgroupfs, not %q`, value)
}

// zone follows time.LoadLocation: CRI-O reads the zones of the host, which are
// those of the IANA list. The host may also have them below posix and right.
func zone(s string) *ValueError {
	if s == "" || strings.EqualFold(s, "local") {
		return nil
	}
	name := s
	for _, folder := range []string{"posix/", "right/"} {
		name = strings.TrimPrefix(name, folder)
	}
	names := zoneNames()
	if _, ok := slices.BinarySearch(names, name); ok {
		return nil
	}
	near, _ := keypath.Near(name, names)
	return &ValueError{Text: "must be empty, Local or a time zone such as Europe/Berlin, not " + strconv.Quote(s), Near: near}
}
