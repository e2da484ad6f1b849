package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/schema"
)

// answerTime bounds a question to the running daemon.
const answerTime = 3 * time.Second

// findVersion settles which CRI-O the node has: the flag, the installed binary,
// the list of installed packages, else the newest known.
func (n *Node) findVersion(ctx context.Context, s *session.Session) error {
	toggle := schema.DisableHostportMapping.Key
	if s.CRIOVersion != "auto" {
		v, err := schema.ParseVersion(s.CRIOVersion)
		if err != nil {
			return exit.Errorf(exit.Usage, "--crio-version: %w", err)
		}
		n.use(v, "--crio-version")
		switch support := toggle.SupportIn(v); {
		case s.Patched && support == schema.Unsupported:
			return exit.Errorf(exit.Usage, "--patched: there is no patch that makes CRI-O %s read %s", v, toggle)
		case s.Patched && support == schema.ByPatch:
			n.VersionSource += ", --patched"
			n.Schema = n.Schema.Reading(toggle)
		default:
			n.readPatched(ctx, s)
		}
		return nil
	}
	if n.Live {
		if b := n.probe(ctx, s); b != nil {
			n.use(b.Version, b.Path)
			n.readPatched(ctx, s)
			return nil
		}
	}
	p, err := crio.FindPackage(n.FS)
	switch {
	case err == nil:
		n.use(p.Version, fmt.Sprintf("package %s %s", p.Name, p.Raw))
		n.readPatched(ctx, s)
		return nil
	case !errors.Is(err, crio.ErrNoPackage):
		s.Notef("note: %v", err)
	}
	newest := schema.Newest()
	newest.Patch = schema.Latest
	n.use(newest, "newest known")
	n.VersionKnown = false
	return nil
}

func (n *Node) use(v schema.Version, source string) {
	n.Version, n.VersionSource, n.VersionKnown = v, source, true
	n.Schema = schema.For(v)
}

// probe runs the installed binary, once. A binary that does not answer is told
// and then treated as missing.
func (n *Node) probe(ctx context.Context, s *session.Session) *crio.Binary {
	if n.Binary != nil {
		return n.Binary
	}
	name, err := crio.FindBinary(n.FS, n.Unit)
	if err != nil {
		if !errors.Is(err, crio.ErrNoBinary) {
			s.Notef("note: %v", err)
		}
		return nil
	}
	b, err := crio.ProbeBinary(ctx, "/"+name)
	if err != nil {
		s.Notef("note: %v", err)
		return nil
	}
	n.Binary = &b
	return n.Binary
}

// readPatched lets a release that is older than the toggle read it where the
// CRI-O that is there does so: distributions and operators patch older ones.
// This host's binary is asked, that of another root only looked into.
func (n *Node) readPatched(ctx context.Context, s *session.Session) {
	toggle := schema.DisableHostportMapping.Key
	if toggle.In(n.Version) {
		return
	}
	reads := false
	if n.Live {
		if b := n.probe(ctx, s); b != nil && b.Version.Release() == n.Version.Release() {
			reads, _ = b.Reads(ctx, toggle)
		}
	} else if name, err := crio.FindBinary(n.FS, n.Unit); err == nil {
		reads, _ = crio.Mentions(n.FS, name, toggle)
	}
	if reads {
		n.VersionSource += ", patched to read " + toggle.Path.Leaf()
		n.Schema = n.Schema.Reading(toggle)
	}
}

// BinaryReads asks this host's binary whether it reads the key. It returns true
// when there is no binary to ask: then the release decides.
func (n *Node) BinaryReads(ctx context.Context, s *session.Session, k *schema.Key) bool {
	if !n.Live {
		return true
	}
	b := n.probe(ctx, s)
	if b == nil {
		return true
	}
	reads, err := b.Reads(ctx, k)
	return err != nil || reads
}
