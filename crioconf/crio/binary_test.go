package crio_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/schema"
)

// script makes an executable of a shell script.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crio")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755))
	return path
}

const (
	versionOf24 = `--version) echo "crio version 1.24.6"; echo "Version: 1.24.6";;` + "\n"
	helpWith    = `--help) echo "   --disable-hostport-mapping  If true (default: false) [\$DISABLE_HOSTPORT_MAPPING]";;` + "\n"
	helpWithout = `--help) echo "   --disable-hostport-mapping-twice   no"; echo "   --log-level";;` + "\n"
)

func TestProbeBinary(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		reads      bool
		err        string // of Reads
	}{
		{"a flag in the help text", `case $1 in ` + versionOf24 + helpWith + `*) exit 9;; esac`, true, ""},
		{"a key in the configuration", `case $1 in ` + versionOf24 + helpWithout +
			`--config) [ "$*" = "--config  --config-dir  config --default" ] || exit 8; echo "[crio.runtime]"; echo "# disable_hostport_mapping = false";; esac`, true, ""},
		{"neither", `case $1 in ` + versionOf24 + helpWithout +
			`--config) echo "# text about disable_hostport_mapping"; echo "disable_hostport_mapping_twice = true";; esac`, false, ""},
		{"no configuration", `case $1 in ` + versionOf24 + helpWithout + `*) echo "no such thing" >&2; exit 1;; esac`, false,
			"for its configuration: exit status 1: no such thing"},
		{"its own variables do not reach it", `[ -z "$CONTAINER_CONFIG$DISABLE_HOSTPORT_MAPPING" ] || exit 7; case $1 in ` + versionOf24 + helpWith + `esac`, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("CONTAINER_CONFIG", "/x")
			t.Setenv("DISABLE_HOSTPORT_MAPPING", "yes")
			path := script(t, tt.body)
			b, err := crio.ProbeBinary(t.Context(), path)
			require.NoError(t, err)
			require.Equal(t, path, b.Path)
			require.Equal(t, schema.Version{Major: 1, Minor: 24, Patch: 6}, b.Version)
			require.Equal(t, "1.24.6", b.Raw)
			reads, err := b.Reads(t.Context(), schema.DisableHostportMapping.Key)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.reads, reads)
		})
	}
}

func TestProbeBinaryFails(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"another program", `echo "podman version 4.3.1"`, `ask %s for its version: no version in "podman version 4.3.1"`},
		{"nothing printed", `exit 0`, `ask %s for its version: no version in ""`},
		{"an error", "echo 'cannot load library' >&2\nexit 127", "ask %s for its version: exit status 127: cannot load library"},
		{"no help", `case $1 in ` + versionOf24 + `*) exit 3;; esac`, "ask %s for its flags: exit status 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := script(t, tt.body)
			_, err := crio.ProbeBinary(t.Context(), path)
			require.EqualError(t, err, strings.ReplaceAll(tt.want, "%s", path))
		})
	}
	t.Run("no such file", func(t *testing.T) {
		_, err := crio.ProbeBinary(t.Context(), "/nonexistent/crio")
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
	t.Run("it hangs, and so does its child", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := crio.ProbeBinary(ctx, script(t, "sleep 3 &\nsleep 3"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "no answer in time")
	})
	t.Run("it prints without end", func(t *testing.T) {
		_, err := crio.ProbeBinary(t.Context(), script(t, "head -c 3000000 /dev/zero | tr '\\0' x"))
		require.ErrorContains(t, err, "no version in")
		require.Less(t, len(err.Error()), 500)
	})
}

func TestFindBinary(t *testing.T) {
	exe := &fstest.MapFile{Mode: 0o755}
	unit := "-- etc/systemd/system/crio.service --\n[Service]\nExecStart=%s\n"
	for _, tt := range []struct {
		name  string
		files fstest.MapFS
		exec  string
		want  string
	}{
		{"the one that the unit runs", fstest.MapFS{"opt/crio": exe, "usr/bin/crio": exe}, "/opt/crio", "opt/crio"},
		{"the unit's is missing", fstest.MapFS{"usr/bin/crio": exe}, "/opt/crio", "usr/bin/crio"},
		{"the unit looks in the path", fstest.MapFS{"usr/bin/crio": exe, "usr/local/bin/crio": exe}, "crio", "usr/local/bin/crio"},
		{"not executable", fstest.MapFS{"usr/local/bin/crio": {Mode: 0o644}, "usr/bin/crio": exe}, "crio", "usr/bin/crio"},
		{"a folder", fstest.MapFS{"usr/local/bin/crio/x": exe, "usr/bin/crio": exe}, "crio", "usr/bin/crio"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := read(t, strings.Replace(unit, "%s", tt.exec, 1))
			got, err := crio.FindBinary(tt.files, u)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	t.Run("none", func(t *testing.T) {
		_, err := crio.FindBinary(fstest.MapFS{}, crio.Unit{})
		require.ErrorIs(t, err, crio.ErrNoBinary)
	})
	t.Run("a folder that cannot be searched", func(t *testing.T) {
		_, err := crio.FindBinary(broken{fstest.MapFS{}, "usr/bin/crio"}, crio.Unit{})
		require.ErrorIs(t, err, errBroken)
	})
}

func TestFindPackage(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		want        crio.Package
		err         string
	}{
		{"dpkg", "-- var/lib/dpkg/status --\nPackage: cri-o-runc\nStatus: install ok installed\nVersion: 1.0.1~2\n\nPackage: cri-o\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.28.4-1.1\nDescription: x\n Package: cri-o\n\nPackage: z\nVersion: 3\n",
			crio.Package{Name: "cri-o", Version: schema.Version{Major: 1, Minor: 28, Patch: 4}, Raw: "1.28.4-1.1", File: "var/lib/dpkg/status"}, ""},
		{"the last stanza, with an epoch", "-- var/lib/dpkg/status --\nPackage: cri-o-1.24\nStatus: hold ok installed\nVersion: 100:1.24.6~3\n",
			crio.Package{Name: "cri-o-1.24", Version: schema.Version{Major: 1, Minor: 24, Patch: 6}, Raw: "100:1.24.6~3", File: "var/lib/dpkg/status"}, ""},
		{"removed, its configuration left", "-- var/lib/dpkg/status --\nPackage: cri-o\nStatus: deinstall ok config-files\nVersion: 1.28.4-1.1\n",
			crio.Package{}, "no package of CRI-O: file does not exist"},
		{"apk", "-- lib/apk/db/installed --\nC:Q1\nP:musl\nV:1.2.4-r2\n\nC:Q1\nP:cri-o\nV:1.29.1-r4\nA:x86_64\n\n",
			crio.Package{Name: "cri-o", Version: schema.Version{Major: 1, Minor: 29, Patch: 1}, Raw: "1.29.1-r4", File: "lib/apk/db/installed"}, ""},
		{"no number", "-- var/lib/dpkg/status --\nPackage: cri-o\nStatus: install ok installed\nVersion: git\n",
			crio.Package{Name: "cri-o", Raw: "git", File: "var/lib/dpkg/status"}, "package cri-o: version \"git\""},
		{"no list", "-- etc/hostname --\nn\n", crio.Package{}, "no package of CRI-O: file does not exist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := crio.FindPackage(node(tt.files))
			require.Equal(t, tt.want, got)
			if tt.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.err)
		})
	}
	t.Run("a list that cannot be read", func(t *testing.T) {
		_, err := crio.FindPackage(broken{fstest.MapFS{}, "var/lib/dpkg/status"})
		require.ErrorIs(t, err, errBroken)
	})
}
