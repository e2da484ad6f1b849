package schema

import "github.com/crioctl/crioctl-net/crioconf/tomlfile"

// dialectOf returns the release of BurntSushi/toml that CRI-O vendors (cri-o
// go.mod of every tag, vendor.conf before 1.15). 1.25.0 and 1.25.1 have 1.2.0,
// which accepts what 1.2.1 does.
func dialectOf(v Version) tomlfile.Dialect {
	d := tomlfile.V0_3_1
	for _, c := range []struct {
		since Version
		is    tomlfile.Dialect
	}{
		{Version{1, 22, 0}, tomlfile.V0_4_1},
		{Version{1, 24, 0}, tomlfile.V1_1_0},
		{Version{1, 25, 0}, tomlfile.V1_2_1},
		{Version{1, 28, 0}, tomlfile.V1_3_2},
		{Version{1, 31, 0}, tomlfile.V1_4_0},
		{Version{1, 33, 0}, tomlfile.V1_5_0},
		{Version{1, 35, 1}, tomlfile.V1_6_0},
	} {
		if !v.Less(c.since) {
			d = c.is
		}
	}
	return d
}
