package schema

import (
	"fmt"
	"net"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

func valueErrorf(format string, args ...any) *ValueError {
	return &ValueError{Text: fmt.Sprintf(format, args...)}
}

// text makes a check of values that are strings.
func text(check func(string) *ValueError) func(Version, any) error {
	return textIn(func(_ Version, s string) *ValueError { return check(s) })
}

func textIn(check func(Version, string) *ValueError) func(Version, any) error {
	return func(v Version, value any) error {
		if s, ok := value.(string); ok {
			if err := check(v, s); err != nil {
				return err
			}
		}
		return nil
	}
}

// each makes a check of the elements of lists; it names the first bad one.
func each(check func(string) *ValueError) func(Version, any) error {
	return eachIn(func(_ Version, s string) *ValueError { return check(s) })
}

func eachIn(check func(Version, string) *ValueError) func(Version, any) error {
	return func(v Version, value any) error {
		list, _ := value.([]string)
		for i, s := range list {
			if err := check(v, s); err != nil {
				return &ValueError{Text: fmt.Sprintf("has the element %q: %s", s, err.Text), Near: err.Near, Element: i + 1}
			}
		}
		return nil
	}
}

// atLeast makes a check of integers.
func atLeast(limit int64) func(Version, any) error {
	return func(_ Version, value any) error {
		if n, ok := value.(int64); ok && n < limit {
			return valueErrorf("must be %d or more, not %d", limit, n)
		}
		return nil
	}
}

// oneOf makes a check for a fixed list of words. The empty word is named last.
func oneOf(words ...string) func(string) *ValueError {
	return func(s string) *ValueError {
		if slices.Contains(words, s) {
			return nil
		}
		near, _ := keypath.Near(s, words)
		return &ValueError{Text: fmt.Sprintf("must be %s, not %q", choice(words), s), Near: near}
	}
}

// choice writes words as "a, b or c".
func choice(words []string) string {
	shown := make([]string, len(words))
	for i, w := range words {
		shown[i] = w
		if w == "" {
			shown[i] = "empty"
		}
	}
	if len(shown) < 2 {
		return strings.Join(shown, "")
	}
	last := len(shown) - 1
	return strings.Join(shown[:last], ", ") + " or " + shown[last]
}

func absolutePath(s string) *ValueError {
	if path.IsAbs(s) {
		return nil
	}
	return valueErrorf("must be an absolute path, not %q", s)
}

// notEmpty is for folders that CRI-O creates where they are missing: creating a
// folder without a name fails.
func notEmpty(s string) *ValueError {
	if s != "" {
		return nil
	}
	return valueErrorf("must not be empty: CRI-O creates the directory and needs a name")
}

func activation(s string) *ValueError {
	if s != "" {
		return nil
	}
	return valueErrorf("must name the annotation that switches the workload on")
}

func notNegative(_ Version, value any) error {
	if d, ok := value.(time.Duration); ok && d < 0 {
		return valueErrorf("must not be negative, not %s", d)
	}
	return nil
}

func duration(s string) *ValueError {
	if s == "" {
		return nil
	}
	if _, err := time.ParseDuration(s); err != nil {
		e := valueErrorf("must be a duration such as 30s, 5m or 4h, or empty, not %q", s)
		if _, err := strconv.ParseUint(s, 10, 64); err == nil {
			e.Near = s + "s"
		}
		return e
	}
	return nil
}

// serviceName reports whether s can be the name of a service. Which names the
// host knows, only the host can tell.
func serviceName(s string) bool {
	bad := strings.ContainsFunc(s, func(r rune) bool { return !isLetter(r) && !isDigit(r) && !strings.ContainsRune("._-", r) })
	return !bad && strings.ContainsFunc(s, isLetter)
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// tcpPort follows net.LookupPort, which cri-o server/server.go asks.
func tcpPort(s string) *ValueError {
	digits := s
	if s != "" && strings.ContainsRune("+-", rune(s[0])) {
		digits = s[1:]
	}
	ok := serviceName(s)
	if strings.TrimLeft(digits, "0123456789") == "" {
		// A number is never looked up, so this asks nobody.
		_, err := net.LookupPort("tcp", s)
		ok = err == nil
	}
	if ok {
		return nil
	}
	return valueErrorf("must be a TCP port from 0 to 65535 or the name of a service, not %q", s)
}

func portNumber(_ Version, value any) error {
	if n, ok := value.(int64); ok && (n < 0 || n > 65535) {
		return valueErrorf("must be a TCP port from 0 to 65535, not %d", n)
	}
	return nil
}

// logLevel follows logrus.ParseLevel, which ignores letter case.
func logLevel(s string) *ValueError {
	words := []string{"panic", "fatal", "error", "warn", "info", "debug", "trace"}
	word := strings.ToLower(s)
	if word == "warning" || slices.Contains(words, word) {
		return nil
	}
	near, _ := keypath.Near(word, append(words, "warning"))
	return &ValueError{Text: fmt.Sprintf("must be %s, not %q", choice(words), s), Near: near}
}

func expression(s string) *ValueError {
	if _, err := regexp.Compile(s); err != nil {
		return valueErrorf("must be a regular expression of Go: %v", err)
	}
	return nil
}

// logSizeMax is the size that conmon needs for one read (cri-o
// pkg/config/config.go, OCIBufSize).
const logSizeMax = 8192

func logSize(_ Version, value any) error {
	if n, ok := value.(int64); ok && n >= 0 && n < logSizeMax {
		return valueErrorf("must be %d bytes or more, or negative for no limit, not %d", logSizeMax, n)
	}
	return nil
}

func sliceOrPod(s string) *ValueError {
	if s == "pod" || strings.HasSuffix(s, ".slice") {
		return nil
	}
	return valueErrorf(`must be "pod" or the name of a systemd slice, ending in .slice, not %q`, s)
}

// sysctl follows cri-o pkg/config/sysctl.go, Sysctls. Empty elements are
// skipped there.
func sysctl(s string) *ValueError {
	if s != "" && !strings.Contains(s, "=") {
		return valueErrorf("write it as key=value")
	}
	return nil
}

func sysctlBlanks(s string) *ValueError {
	key, value, ok := strings.Cut(s, "=")
	if !ok {
		return nil
	}
	tight := strings.TrimSpace(key) + "=" + strings.TrimSpace(value)
	if tight != s {
		return &ValueError{Text: "no blanks are allowed around it or its equals sign", Near: tight}
	}
	return nil
}

// idMappings follows ParseIDMap of the storage library. Up to 1.19 it looked at
// the digits alone.
func idMappings(v Version, s string) *ValueError {
	for spec := range strings.SplitSeq(s, ",") {
		numbers := strings.Split(spec, ":")
		if v.Less(Version{1, 20, 0}) {
			numbers = strings.FieldsFunc(spec, func(r rune) bool { return r < '0' || r > '9' })
		} else if spec == "" {
			continue
		}
		bad := slices.ContainsFunc(numbers, func(n string) bool {
			_, err := strconv.ParseUint(n, 10, 32)
			return err != nil
		})
		if bad || len(numbers)%3 != 0 {
			return valueErrorf("must be ranges CONTAINER:HOST:SIZE with commas between them, not %q", s)
		}
	}
	return nil
}

// containerCreateTimeout is the range of cri-o pkg/config/config.go,
// ValidateContainerCreateTimeout, in seconds.
const (
	defaultCreateTimeout = 240
	minimumCreateTimeout = 30
)

func createTimeout(_ Version, value any) (any, bool) {
	n, ok := value.(int64)
	switch {
	case !ok || n >= minimumCreateTimeout:
		return value, false
	case n == 0:
		return int64(defaultCreateTimeout), true
	}
	return int64(minimumCreateTimeout), true
}

// minimumMemory follows cri-o pkg/config/config.go, ValidateContainerMinMemory:
// what is empty or no size becomes 12 MiB, whatever the built-in entry has.
func minimumMemory(_ Version, value any) (any, bool) {
	const fallback = "12MiB"
	if s, ok := value.(string); ok && s != fallback && !isSize(s) {
		return fallback, true
	}
	return value, false
}

// isSize follows RAMInBytes of docker/go-units 0.5.0.
func isSize(s string) bool {
	end := strings.LastIndexAny(s, "01234567890. ")
	if end < 0 {
		return false
	}
	size, err := strconv.ParseFloat(strings.TrimSuffix(s[:end+1], " "), 64)
	if err != nil || size < 0 {
		return false
	}
	unit := strings.ToLower(s[end+1:])
	if unit == "" || unit == "b" {
		return true
	}
	rest := unit[1:]
	return strings.Contains("kmgtp", unit[:1]) && (rest == "" || rest == "b" || rest == "ib")
}

// dropped empties a list, as cri-o pkg/config/config.go, UpdateFromFile, does
// with registries.
func dropped(_ Version, value any) (any, bool) {
	list, _ := value.([]string)
	return []string(nil), len(list) > 0
}

// raised makes a normalization of integers below a limit.
func raised(limit int64) func(Version, any) (any, bool) {
	return func(_ Version, value any) (any, bool) {
		if n, ok := value.(int64); ok && n < limit {
			return limit, true
		}
		return value, false
	}
}

// messageSize puts the built-in size in place of one that is not positive.
func messageSize(v Version, value any) (any, bool) {
	n, ok := value.(int64)
	if !ok || n > 0 {
		return value, false
	}
	// cri-o pkg/config/config.go, defaultGRPCMaxMsgSize.
	size := int64(16 << 20)
	if !v.Less(Version{1, 23, 0}) {
		size = 80 << 20
	}
	return size, size != n
}

// builtinRuntime puts the built-in handler in place of an empty name.
func builtinRuntime(v Version, value any) (any, bool) {
	if value != "" {
		return value, false
	}
	if v.Less(Version{1, 31, 0}) {
		return "runc", true
	}
	return "crun", true
}
