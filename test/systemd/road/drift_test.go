package road_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
	"github.com/crioctl/crioctl-net/test/systemd/node"
)

// drift is the part of the document of "diff" that this test looks at. The
// stand-in serves few keys, so that others may differ too.
type drift struct {
	Differences []struct {
		Key           string
		Before, After any
		Apply         string
	}
	RestartRequired bool
}

func TestDriftIsNamedKeyByKey(t *testing.T) {
	n := node.New(t)
	n.Start()
	n.Document("hostport", "disable", "--restart", "never")

	toggle := func() (before, after any, apply string) {
		r := n.Run("diff", "--running", "-o", "json")
		require.Equal(t, 1, r.Code, r.Stderr)
		var d drift
		require.NoError(t, json.Unmarshal([]byte(r.Stdout), &d))
		for _, one := range d.Differences {
			if one.Key == schema.DisableHostportMapping.String() {
				require.True(t, d.RestartRequired)
				return one.Before, one.After, one.Apply
			}
		}
		return nil, nil, ""
	}
	before, after, apply := toggle()
	require.Equal(t, []any{false, true, "restart"}, []any{before, after, apply})
	require.Contains(t, n.Run("diff").Stdout, "restart needed: \"crioctl-net restart\"")
	require.Contains(t, n.Run("show", "--running").Stdout, "disable_hostport_mapping = false")

	require.Equal(t, 0, n.Run("restart").Code)
	before, _, _ = toggle()
	require.Nil(t, before, "the daemon has taken the file over")
	require.Contains(t, n.Run("show", "--running").Stdout, "disable_hostport_mapping = true")
}

func TestDriftNeedsADaemon(t *testing.T) {
	n := node.New(t)
	r := n.Run("diff")
	require.Equal(t, 6, r.Code)
	require.Contains(t, r.Stderr, "it is not running")
	require.Equal(t, 6, n.Run("show", "--running").Code)
}
