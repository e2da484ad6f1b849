package crio

import (
	"io"
	"strings"
	"testing"

	"github.com/crioctl/crioctl-net/schema"
)

func TestParseVersion(t *testing.T) {
	v := func(major, minor, patch int) schema.Version {
		return schema.Version{Major: major, Minor: minor, Patch: patch}
	}
	for _, tt := range []struct {
		name, out string
		want      schema.Version
		raw       string
	}{
		{"crio --version to 1.34", "crio version 1.24.6\nVersion:          1.24.6\nGitCommit:        4bfe15a9feb74ffc95e66a21c04b15fa7bbc2b90\nGitTreeState:     clean\nGoVersion:        go1.18.7\n", v(1, 24, 6), "1.24.6"},
		{"crio --version since 1.35", "crio version 1.36.3\n   GitCommit:      9f5f8a1\n   GoVersion:      go1.26.1\n", v(1, 36, 3), "1.36.3"},
		{"crio version", "Version:        1.30.0\nGitCommit:      abc\nBuildTags:\n  apparmor\n", v(1, 30, 0), "1.30.0"},
		{"crio version of 1.18", "Version:    1.18.6\nGitCommit:  unknown\nGoVersion:  go1.13\n", v(1, 18, 6), "1.18.6"},
		{"behind log lines", "time=\"2026-12-01T00:00:00Z\" level=info msg=\"Starting CRI-O, version: 1.2.3, git: x\"\nVersion:  1.28.4\n", v(1, 28, 4), "1.28.4"},
		{"a package with a commit", "crio version 1.24.1-11.rhaos4.11.gitb0d2ef3.el8\nVersion: 1.24.1-11.rhaos4.11.gitb0d2ef3.el8\n", v(1, 24, 1), "1.24.1-11.rhaos4.11.gitb0d2ef3.el8"},
		{"development", "crio version 1.31.0-dev+git\n", v(1, 31, 0), "1.31.0-dev+git"},
		{"release candidate", "crio version 1.19.0~rc.1\n", v(1, 19, 0), "1.19.0~rc.1"},
		{"CRLF", "crio version 1.24.6\r\n", v(1, 24, 6), "1.24.6"},
		{"another program", "podman version 4.3.1\n", schema.Version{}, ""},
		{"the version of something else", "GoVersion: 1.30.0\nLinkmode: dynamic\n", schema.Version{}, ""},
		{"no number", "crio version unknown\n", schema.Version{}, "unknown"},
		{"nothing", "", schema.Version{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, raw, err := parseVersion(tt.out)
			if (err != nil) != tt.want.IsZero() {
				t.Errorf("err = %v", err)
			}
			if got != tt.want || raw != tt.raw {
				t.Errorf("got %v, %q; want %v, %q", got, raw, tt.want, tt.raw)
			}
		})
	}
}

func TestOutputIsLimited(t *testing.T) {
	var l limited
	n, err := io.Copy(&l, strings.NewReader(strings.Repeat("x", outputLimit+100)))
	if err != nil || n != outputLimit+100 {
		t.Errorf("copied %d bytes, %v: the program must not notice", n, err)
	}
	if got := len(l.String()); got != outputLimit {
		t.Errorf("kept %d bytes", got)
	}
}
