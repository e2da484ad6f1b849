package crio_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/schema"
)

// crioThat behaves as crio does on the ways that are named. Files are read with
// the shell's means: what counts is what comes back.
func crioThat(t *testing.T, file, flag, variable bool, print string) crio.Binary {
	t.Helper()
	yes := map[bool]string{true: "true", false: "false"}
	path := script(t, `
case $1 in
--version) echo "crio version 1.24.6"; exit;;
--help) echo "--log-level"; exit;;
esac
test "$1 $3" = "--config --config-dir" || exit 7
value=false
if `+yes[file]+` && test -n "$4"; then
	grep -qx '\[crio.runtime\]' "$4"/*.conf && grep -qx 'disable_hostport_mapping = true' "$4"/*.conf && value=true
fi
shift 4
if test "$1" = --disable-hostport-mapping; then
	`+yes[flag]+` || { echo "flag provided but not defined: -disable-hostport-mapping" >&2; exit 1; }
	value=true
fi
if `+yes[variable]+` && test "$DISABLE_HOSTPORT_MAPPING" = true; then value=true; fi
`+print)
	b, err := crio.ProbeBinary(context.Background(), path)
	require.NoError(t, err)
	return b
}

const (
	prints  = "echo '[crio]'; echo '[crio.runtime]'; echo '# a comment'; test $value = true && echo 'disable_hostport_mapping = true' || echo '# disable_hostport_mapping = false'\n"
	printsB = "echo '[crio.runtime]'; echo '[crio.runtime.runtimes.crun]'; test $value = true && echo 'disable_hostport_mapping = true'; exit 0\n"
)

func TestExamine(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		file, flag, variable bool
		print                string
		want                 crio.Examination
	}{
		{"patched", true, true, true, prints, crio.Examination{File: true, Flag: true, Variable: true, Template: true}},
		{"as released from 1.28 on", true, true, true, printsB, crio.Examination{File: true, Flag: true, Variable: true}},
		{"unpatched", false, false, false, "echo '[crio.runtime]'\n", crio.Examination{}},
		{"a flag without the key", false, true, false, prints, crio.Examination{Flag: true}},
		{"a key without the flag", true, false, false, prints, crio.Examination{File: true, Template: true}},
		{"the default alone", false, false, false, prints, crio.Examination{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := crioThat(t, tt.file, tt.flag, tt.variable, tt.print)
			// The node's own variable plays no part.
			t.Setenv("DISABLE_HOSTPORT_MAPPING", "true")
			got, err := b.Examine(context.Background(), schema.DisableHostportMapping.Key)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.file && tt.flag && tt.variable, got.Reads())
		})
	}
}

func TestExamineFails(t *testing.T) {
	for name, body := range map[string]string{
		"it refuses any configuration": "echo 'no storage' >&2; exit 1\n",
		"a signal":                     "kill -9 $$\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := crioThat(t, false, false, false, body)
			_, err := b.Examine(context.Background(), schema.DisableHostportMapping.Key)
			require.ErrorContains(t, err, "for its configuration")
		})
	}
	b := crioThat(t, true, true, true, prints)
	_, err := b.Examine(context.Background(), schema.LogLevel.Key)
	require.ErrorContains(t, err, "not a key that is true or false")
	ended, stop := context.WithCancel(context.Background())
	stop()
	_, err = b.Examine(ended, schema.DisableHostportMapping.Key)
	require.ErrorIs(t, err, context.Canceled)
}
