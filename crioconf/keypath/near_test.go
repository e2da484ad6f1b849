package keypath_test

import (
	"strings"
	"testing"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

func TestNear(t *testing.T) {
	keys := []string{"log_level", "log_filter", "disable_hostport_mapping", "cni_default_network", "network_dir", "plugin_dirs", "plugin_dir", "root"}
	tests := []struct {
		what, name string
		candidates []string
		want       string
	}{
		{"a missing letter", "log_levl", keys, "log_level"},
		{"a letter too many", "log_levell", keys, "log_level"},
		{"a wrong letter", "log_lavel", keys, "log_level"},
		{"neighbours swapped cost one", "orot", []string{"root"}, "root"},
		{"two swaps in a short name are too many", "orto", []string{"root"}, ""},
		{"letter case", "LOG_LEVEL", keys, "log_level"},
		{"the flag's dashes", "log-level", keys, "log_level"},
		{"two wrong letters in a long name", "disabel_hostport_maping", keys, "disable_hostport_mapping"},
		{"the nearest of two", "plugin_di", keys, "plugin_dir"},
		{"equally near: the bytewise first", "abcx", []string{"abce", "abcd"}, "abcd"},
		{"equally near in the other order", "abcx", []string{"abcd", "abce"}, "abcd"},
		{"another word", "selinux", keys, ""},
		{"too short to guess from", "ab", []string{"ac"}, ""},
		{"the name itself", "root", []string{"root"}, ""},
		{"a wide letter counts once", "rööt", []string{"rööd"}, "rööd"},
		{"no candidates", "root", nil, ""},
		{"no name", "", keys, ""},
		{"an empty candidate", "abcd", []string{""}, ""},
		{"longer than any key", strings.Repeat("a", 129), []string{strings.Repeat("a", 128)}, ""},
		{"a candidate longer than any key", strings.Repeat("a", 128), []string{strings.Repeat("a", 129)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			got, ok := keypath.Near(tt.name, tt.candidates)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("Near(%q) = %q, %v; want %q", tt.name, got, ok, tt.want)
			}
		})
	}
}
