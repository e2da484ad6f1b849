package dropin

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	slash := func(name string) string { return "/" + name }
	for _, tt := range []struct {
		behaviour string
		plan      Plan
		display   func(string) string
		want      string
	}{
		{"edit", plan(Change{Path: "etc/a", Before: b("1\n2\n3\n"), After: b("1\nx\n3\n")}), slash,
			"--- /etc/a\n+++ /etc/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3\n"},
		{"new file", plan(Change{Path: "etc/a", After: b("1\n")}), slash,
			"--- /dev/null\n+++ /etc/a\n@@ -0,0 +1,1 @@\n+1\n"},
		{"removed file", plan(Change{Path: "etc/a", Before: b("1\n")}), slash,
			"--- /etc/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1\n"},
		{"final newline comes", plan(Change{Path: "a", Before: b("1"), After: b("1\n")}), nil,
			"--- a\n+++ a\n@@ -1,1 +1,1 @@\n-1\n\\ No newline at end of file\n+1\n"},
		{"empty file comes", plan(Change{Path: "a", After: []byte{}}), nil, "--- /dev/null\n+++ a\n"},
		{"empty file goes", plan(Change{Path: "a", Before: []byte{}}), nil, "--- a\n+++ /dev/null\n"},
		{"order of the plan", plan(Change{Path: "b", After: b("1\n")}, Change{Path: "a", After: b("2\n")}), path.Base,
			"--- /dev/null\n+++ b\n@@ -0,0 +1,1 @@\n+1\n--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+2\n"},
		{"unchanged file is left out", plan(Change{Path: "a", Before: b("1"), After: b("1")}), nil, ""},
		{"name that would break the line", plan(Change{Path: "a\n+++ b", After: b("1\n")}), nil,
			"--- /dev/null\n+++ \"a\\n+++ b\"\n@@ -0,0 +1,1 @@\n+1\n"},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			if d := cmp.Diff(tt.want, string(tt.plan.Diff(tt.display))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
