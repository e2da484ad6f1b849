package schema

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Latest as the patch number means the newest known patch release of a minor.
const Latest = -1

// A Version is a CRI-O release. A negative Patch stands for the newest known
// patch release of the minor. The zero Version is no release.
type Version struct{ Major, Minor, Patch int }

// ParseVersion reads "1.31", "1.31.4" or "v1.31.4", with an optional suffix as
// builds carry it ("1.31.4-dev", "1.31.4+git"). Without a patch number the
// Version means the newest patch release.
func ParseVersion(s string) (Version, error) {
	core := strings.TrimPrefix(s, "v")
	if i := strings.IndexAny(core, "-+"); i >= 0 {
		if i == len(core)-1 {
			return Version{}, fmt.Errorf("version %q: nothing after %q", s, core[i:])
		}
		core = core[:i]
	}
	parts := strings.Split(core, ".")
	if len(parts) != 2 && len(parts) != 3 {
		return Version{}, fmt.Errorf("version %q: want MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 1.31 or 1.31.4", s)
	}
	v := Version{Patch: Latest}
	for i, to := range []*int{&v.Major, &v.Minor, &v.Patch}[:len(parts)] {
		n, err := strconv.ParseUint(parts[i], 10, 16)
		if err != nil || parts[i] != strconv.FormatUint(n, 10) {
			return Version{}, fmt.Errorf("version %q: %q is not a version number", s, parts[i])
		}
		*to = int(n)
	}
	if v.Major == 0 {
		return Version{}, fmt.Errorf("version %q: CRI-O starts at 1.0", s)
	}
	return v, nil
}

// String returns "1.31.4", or "1.31" when the newest patch release is meant.
func (v Version) String() string {
	if v.Patch < 0 {
		return v.Release()
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// Release returns the minor release, "1.31".
func (v Version) Release() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// MarshalText writes the version as String does.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// IsZero reports whether v is no release.
func (v Version) IsZero() bool { return v == Version{} }

// Compare returns -1, 0 or +1 as v is older than, the same as or newer than w.
// The newest patch release of a minor compares as its number does, if the minor
// is known, else above all numbered ones.
func (v Version) Compare(w Version) int {
	return cmp.Or(
		cmp.Compare(v.Major, w.Major),
		cmp.Compare(v.Minor, w.Minor),
		cmp.Compare(v.patch(), w.patch()),
	)
}

// Less reports whether v is older than w.
func (v Version) Less(w Version) bool { return v.Compare(w) < 0 }

func (v Version) patch() int {
	if v.Patch >= 0 {
		return v.Patch
	}
	if last, ok := v.lastPatch(); ok {
		return last
	}
	return 1 << 16
}

// lastPatches has the newest patch release of every minor, -1 for those that
// CRI-O never released. Patch numbers have no gaps but for 1.20.8, which was
// never tagged.
var lastPatches = [...]int{
	0: 9, 1: -1, 2: -1, 3: -1, 4: -1, 5: -1, 6: -1, 7: -1, 8: 5, 9: 16,
	10: 6, 11: 15, 12: 10, 13: 12, 14: 12, 15: 4, 16: 6, 17: 5, 18: 6, 19: 6,
	20: 9, 21: 7, 22: 5, 23: 5, 24: 6, 25: 5, 26: 4, 27: 8, 28: 11, 29: 13,
	30: 14, 31: 13, 32: 13, 33: 13, 34: 11, 35: 6, 36: 3,
}

func (v Version) lastPatch() (int, bool) {
	if v.Major != 1 || v.Minor < 0 || v.Minor >= len(lastPatches) || lastPatches[v.Minor] < 0 {
		return 0, false
	}
	return lastPatches[v.Minor], true
}

// Newest returns the newest known release, with its patch number.
func Newest() Version {
	return Version{1, len(lastPatches) - 1, lastPatches[len(lastPatches)-1]}
}

// OldestExact returns the first release whose behaviour was recorded from the
// real loader. What is known of older releases was read in their sources.
func OldestExact() Version { return Version{1, 18, 0} }

// Versions returns the newest patch release of every minor that is known
// exactly, oldest first.
func Versions() []Version {
	var exact []Version
	for minor := OldestExact().Minor; minor < len(lastPatches); minor++ {
		exact = append(exact, Version{1, minor, lastPatches[minor]})
	}
	return exact
}

// Patches returns every known patch release of v's minor, oldest first.
func (v Version) Patches() []Version {
	last, ok := v.lastPatch()
	if !ok {
		return nil
	}
	var all []Version
	for n := range last + 1 {
		p := Version{v.Major, v.Minor, n}
		if p != (Version{1, 20, 8}) {
			all = append(all, p)
		}
	}
	return all
}

// Exact reports whether v is a release between OldestExact and Newest whose
// minor is known. A higher patch number than the newest known one counts as
// known: it reads what its minor's newest release reads.
func (v Version) Exact() bool {
	_, known := v.lastPatch()
	return known && !v.Less(OldestExact())
}

// Known returns the known release that stands for v: the newest one for newer
// versions, the newest patch release for higher patch numbers, the minor before
// for one that was never released, the oldest release for older ones. Its patch
// number is never negative.
func (v Version) Known() Version {
	if last, ok := v.lastPatch(); ok {
		if v.Patch >= 0 && v.Patch < last {
			return v
		}
		return Version{v.Major, v.Minor, last}
	}
	if Newest().Less(v) {
		return Newest()
	}
	for v.Minor > 0 {
		v.Minor--
		if last, ok := v.lastPatch(); ok {
			return Version{v.Major, v.Minor, last}
		}
	}
	return Version{1, 0, 0}
}
