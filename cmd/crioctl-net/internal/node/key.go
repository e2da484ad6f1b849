package node

import (
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// Key finds the key that a person named, in this node's release. The path has
// the release's own spelling.
func (n *Node) Key(name string) (keypath.Path, *schema.Key, error) {
	p, err := keypath.Parse(name)
	if err != nil {
		return nil, nil, exit.With(exit.Usage, err)
	}
	k, _ := n.Schema.Lookup(p)
	if k != nil {
		canonical, _ := n.Schema.Canonical(p)
		return canonical, k, nil
	}
	if n.Schema.Table(p) {
		return nil, nil, NotAKey(name)
	}
	if k := schema.Find(p); k != nil {
		return nil, nil, unread(k, n.Schema)
	}
	return nil, nil, UnknownKey(name, p, n.Schema, "CRI-O "+n.Version.String()+" has no key %s")
}

// unread says that another release reads the key.
func unread(k *schema.Key, s *schema.Schema) error {
	e := &exit.Error{Code: exit.Refused}
	if !k.Removed.IsZero() && !s.Release().Less(k.Removed) {
		e.Err = fmt.Errorf("CRI-O %s does not read %s any more: it was removed in %s", s.Version(), k, k.Removed)
		if k.ReplacedBy != "" {
			e.Hint = "Use " + k.ReplacedBy + "."
		}
		return e
	}
	var since []string
	for _, v := range k.Since {
		since = append(since, v.String())
	}
	e.Err = fmt.Errorf("CRI-O %s does not read %s, which came with %s", s.Version(), k, strings.Join(since, ", "))
	return e
}

// NotAKey says that the name is that of a table.
func NotAKey(name string) error {
	return &exit.Error{
		Code: exit.Usage,
		Err:  fmt.Errorf("%s is a table, not a key", name),
		Hint: `Name one of its keys; "crioctl-net show" lists them.`,
	}
}

// UnknownKey says that nobody reads the key, with the near names.
func UnknownKey(name string, p keypath.Path, s *schema.Schema, format string) error {
	e := &exit.Error{Code: exit.Usage, Err: fmt.Errorf(format, name)}
	var near []string
	for _, q := range s.Suggest(p) {
		near = append(near, q.String())
	}
	if len(near) > 0 {
		e.Hint = "Did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}
