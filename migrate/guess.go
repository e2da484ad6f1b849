package migrate

import (
	"fmt"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// enough is how many built-in values more a file must repeat of an older release
// to be taken for a copy of its default file.
const enough = 3

// Guess returns the release, to or an older one, that the files were most likely
// written for, and what speaks for it: the newest one that reads most of their
// keys, or an older such one whose built-in values they repeat.
func Guess(c *crioconf.Config, to schema.Version) (schema.Version, string) {
	best := score{version: to}
	for i, v := range append([]schema.Version{to}, older(to)...) {
		s := scoreOf(c, v)
		if i == 0 || s.betterThan(best) {
			best = s
		}
	}
	if best.version == to {
		return to, "the files hold nothing that only older releases read"
	}
	if best.pinned >= enough {
		return best.version, fmt.Sprintf("the files read like its default file: %d keys have its built-in value", best.pinned)
	}
	return best.version, "the newest release that reads all their keys"
}

// older returns the newest patch releases of all minors before v, newest first.
func older(v schema.Version) []schema.Version {
	var list []schema.Version
	for minor := v.Known().Minor - 1; minor >= 8; minor-- {
		w := schema.Version{Major: 1, Minor: minor, Patch: schema.Latest}
		if w.Known().Minor == minor {
			list = append(list, w)
		}
	}
	return list
}

type score struct {
	version schema.Version
	unread  int // keys that some release reads and this one does not
	pinned  int // keys with the built-in value of this release, where that has changed
}

// betterThan compares with the score of a newer release.
func (s score) betterThan(newer score) bool {
	if s.unread != newer.unread {
		return s.unread < newer.unread
	}
	return s.pinned >= newer.pinned+enough
}

func scoreOf(c *crioconf.Config, v schema.Version) score {
	s := score{version: v}
	under := c.Under(schema.For(v), nil)
	for _, f := range c.Layers() {
		for e := range f.Entries() {
			k := schema.Find(e.Path)
			if k == nil {
				continue
			}
			if !k.In(v) {
				s.unread++
				continue
			}
			value, ok := under.Lookup(e.Path)
			d, _ := k.Default(v)
			if ok && len(k.Defaults) > 1 && value.Origin.Range == e.Value && crioconf.Equal(value.V, d) {
				s.pinned++
			}
		}
	}
	return s
}
