package doctor

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/doctor"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/hostfs"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
	"github.com/crioctl/crioctl-net/schema"
)

// systemdTime bounds a question to systemd.
const systemdTime = 5 * time.Second

// gather brings together what the checks look at. Whatever waits for others is
// asked only when a check wants it, and once.
func gather(ctx context.Context, s *session.Session, n *node.Node) *doctor.Node {
	c, findings, err := n.LoadFiles()
	p := &doctor.Node{
		FS: n.FS, Display: n.FS.Path, Live: n.Live,
		Config: c, Findings: findings, LoadErr: err,
		Unit: n.Unit, UnitFindings: n.UnitFindings(), UnitErr: n.UnitErr(),
		VersionSource: n.VersionSource, VersionKnown: n.VersionKnown,
		ReadOnly: func(dir string) (bool, bool) { return readOnly(n, dir) },
		Trial:    func(ctx context.Context) (string, error) { return change.DescribeTrial(ctx, s, n.FS, n.Live) },
		Pending:  func(context.Context) ([]string, error) { return interrupted(n.Root) },
	}
	askBinary(n, p)
	if n.Live {
		running := sync.OnceValues(func() (crio.Running, error) { return n.Running(ctx, c) })
		unit := sync.OnceValues(func() (systemd.Properties, error) { return unitState(ctx, s) })
		p.Running = func(context.Context) (crio.Running, error) { return running() }
		p.Systemd = func(context.Context) (systemd.Properties, error) { return unit() }
		p.Addresses = addresses
	}
	return p
}

// askBinary lets the checks ask the crio that is there: this host's is run, that
// of another root only looked into.
func askBinary(n *node.Node, p *doctor.Node) {
	if b := n.Binary; b != nil {
		p.Binary, p.Reads = b.Path, b.Reads
		return
	}
	name, err := crio.FindBinary(n.FS, n.Unit)
	if err != nil {
		return
	}
	p.Binary = n.Display(name)
	if !n.Live {
		p.Reads = func(_ context.Context, k *schema.Key) (bool, error) { return crio.Mentions(n.FS, name, k) }
	}
}

func unitState(ctx context.Context, s *session.Session) (systemd.Properties, error) {
	ctx, cancel := context.WithTimeout(ctx, systemdTime)
	defer cancel()
	svc, err := change.OpenService(ctx, s)
	if err != nil {
		return systemd.Properties{}, err
	}
	defer svc.Close()
	return svc.Properties(ctx)
}

func addresses() ([]netip.Addr, error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var out []netip.Addr
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			out = append(out, p.Addr())
		}
	}
	return out, nil
}

// readOnly asks the kernel about the file system of a directory. Of another
// node's root that says something only where the root itself can be written:
// else it is the way in which it was mounted here.
func readOnly(n *node.Node, dir string) (ro, known bool) {
	if !n.Live {
		if root, err := mountedReadOnly(n.FS, "."); err != nil || root {
			return false, false
		}
	}
	ro, err := mountedReadOnly(n.FS, dir)
	return ro, err == nil
}

func mountedReadOnly(fsys *hostfs.FS, dir string) (bool, error) {
	d, err := fsys.OpenDir(dir)
	if err != nil {
		return false, err
	}
	defer d.Close()
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(d.Fd()), &st); err != nil {
		return false, err
	}
	return st.Flags&unix.ST_RDONLY != 0, nil
}

// interrupted lists the changes that were interrupted.
func interrupted(root string) ([]string, error) {
	store, err := dropin.Open(root)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	txs, err := store.Unfinished()
	var titles []string
	for _, tx := range txs {
		titles = append(titles, fmt.Sprintf("%s, %s", tx.Title(), tx.Time().UTC().Format(time.RFC3339)))
	}
	return titles, err
}
