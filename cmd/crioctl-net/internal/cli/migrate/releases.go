package migrate

import (
	"fmt"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/migrate"
	"github.com/crioctl/crioctl-net/schema"
)

// releases are what the migration leads from and to.
type releases struct {
	from, to schema.Version
	why      string // how from was found, "" when it was given
}

// settle finds out the two releases. A release that nothing tells is not
// assumed.
func settle(n *node.Node, o options) (releases, error) {
	var r releases
	var err error
	switch {
	case o.to != "auto":
		if r.to, err = schema.ParseVersion(o.to); err != nil {
			return r, exit.Errorf(exit.Usage, "--to: %w", err)
		}
	case n.VersionKnown:
		r.to = n.Version
	default:
		return r, &exit.Error{
			Code: exit.Refused,
			Err:  fmt.Errorf("no CRI-O was found in %s, so it is not known what the files have to fit", n.Root),
			Hint: "Give the release with --to, for instance --to 1.34.",
		}
	}
	if o.from != "auto" {
		if r.from, err = schema.ParseVersion(o.from); err != nil {
			return r, exit.Errorf(exit.Usage, "--from: %w", err)
		}
		return r, nil
	}
	if n.VersionKnown && n.Version.Release() != r.to.Release() {
		r.from, r.why = n.Version, n.VersionSource
		return r, nil
	}
	c, err := n.LoadUnder(schema.For(schema.Newest()), n.Schema)
	if err != nil {
		return r, exit.With(exit.Impossible, err)
	}
	r.from, r.why = migrate.Guess(c, r.to)
	return r, nil
}
