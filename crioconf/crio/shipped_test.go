package crio_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/schema"
)

func TestReadShippedTakesTheEnvironmentFile(t *testing.T) {
	fsys := fstest.MapFS{"etc/sysconfig/crio": {Data: []byte("CRIO_RUNTIME_OPTIONS=\"--log-level debug\"\nDISABLE_HOSTPORT_MAPPING=true\n")}}
	u, err := crio.ReadShipped(fsys, nil)
	require.NoError(t, err)
	all, l := u.Overrides(schema.For(schema.Version{Major: 1, Minor: 30, Patch: schema.Latest}))
	require.Empty(t, l)
	require.Len(t, all, 2)
	require.Equal(t, []any{true, crioconf.Variable, "/etc/sysconfig/crio:2:1"}, []any{all[0].Value, all[0].Origin.Kind, all[0].Origin.Range.String()})
	require.Equal(t, []any{"debug", crioconf.Flag, "/etc/sysconfig/crio:1:23"}, []any{all[1].Value, all[1].Origin.Kind, all[1].Origin.Range.String()})
}

func TestReadShippedWithoutAnEnvironmentFileSaysNothing(t *testing.T) {
	u, err := crio.ReadShipped(fstest.MapFS{}, nil)
	require.NoError(t, err)
	all, l := u.Overrides(schema.For(schema.Newest()))
	require.Empty(t, all)
	require.Empty(t, l)
}

func TestReadShippedTellsOfAFileThatCannotBeRead(t *testing.T) {
	_, err := crio.ReadShipped(fstest.MapFS{"etc/sysconfig/crio/x": {}}, nil)
	require.ErrorContains(t, err, "/etc/sysconfig/crio")
}
