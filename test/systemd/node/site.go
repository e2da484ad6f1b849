package node

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/stretchr/testify/require"
)

// Site is a drop-in of an administrator, with an owner and a mode of its own.
const (
	Site     = DropIns + "/50-site.conf"
	SiteText = "# ours\n[crio.runtime]\ndisable_hostport_mapping = false # for now\n"
	siteUID  = 1234
)

// WriteSite makes the administrator's drop-in.
func (n *Node) WriteSite() {
	n.t.Helper()
	n.Write(Site, SiteText)
	require.NoError(n.t, os.Chmod(Site, 0o640))
	require.NoError(n.t, os.Chown(Site, siteUID, siteUID))
}

// RequireAsBefore makes sure that the administrator's drop-in is the only one,
// with its former bytes, owner and mode, and that the daemon is well and runs
// with it.
func (n *Node) RequireAsBefore() {
	n.t.Helper()
	require.Equal(n.t, []string{filepath.Base(Site)}, n.Files())
	data, err := os.ReadFile(Site)
	require.NoError(n.t, err)
	require.Equal(n.t, SiteText, string(data))
	st, err := os.Stat(Site)
	require.NoError(n.t, err)
	require.Equal(n.t, os.FileMode(0o640), st.Mode())
	sys := st.Sys().(*syscall.Stat_t)
	require.Equal(n.t, []uint32{siteUID, siteUID}, []uint32{sys.Uid, sys.Gid})
	require.Equal(n.t, "active", n.ActiveState())
	require.Equal(n.t, false, n.Toggle())
}
