package crio

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/crioctl/crioctl-net/schema"
)

// versionLine matches the line of "crio --version" and "crio version" that has
// the version:
//
//	crio version 1.24.6                                    crio --version, first line
//	Version:          1.30.14                              both, to 1.34; crio version, later
//	crio version 1.24.1-11.rhaos4.11.gitb0d2ef3.el8        as packages patch it
var versionLine = regexp.MustCompile(`(?m)^\s*(?:crio version|Version:)\s+(\S+)\s*$`)

// parseVersion finds CRI-O's version in what the binary printed. Log lines
// before it do not matter.
func parseVersion(out string) (v schema.Version, raw string, err error) {
	m := versionLine.FindStringSubmatch(out)
	if m == nil {
		return v, "", fmt.Errorf("no version in %q", shorten(out))
	}
	raw = m[1]
	v, err = schema.ParseVersion(upstream(raw))
	return v, raw, err
}

// upstream returns the part of a package's version that upstream gave it:
// 1.24.6 for 100:1.24.6~3-1.
func upstream(version string) string {
	if _, after, ok := strings.Cut(version, ":"); ok {
		version = after
	}
	version, _, _ = strings.Cut(version, "~")
	version, _, _ = strings.Cut(version, "-")
	version, _, _ = strings.Cut(version, "+")
	return version
}

// shorten returns the start of a program's output for a message.
func shorten(s string) string {
	s = strings.TrimSpace(s)
	if s, _, cut := strings.Cut(s, "\n"); cut {
		return s + " …"
	}
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + " …"
	}
	return s
}
