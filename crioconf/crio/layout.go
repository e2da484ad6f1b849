package crio

import (
	"path"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// Layout returns where the unit tells crio to look for its files; what the unit
// does not say stays as in def. cri-o internal/criocli/criocli.go, mergeConfig.
func (u Unit) Layout(def crioconf.Layout) crioconf.Layout {
	given, _ := u.given(allFlags())
	for _, g := range given {
		if len(g.values) == 0 {
			continue
		}
		switch name := fsName(g.values[0]); g.name {
		case "config":
			def.Main, def.MainExplicit = name, name != ""
		case "config-dir":
			def.DropInDir = name
		}
	}
	return def
}

// fsName turns a path on the node into a name of its file system. A path that
// is not absolute starts at the root too, where systemd starts a service. A
// slash at the end stays, for it makes CRI-O follow a link.
func fsName(p string) string {
	if p == "" {
		return ""
	}
	name := strings.TrimPrefix(path.Clean("/"+p), "/")
	if strings.HasSuffix(p, "/") && name != "" {
		name += "/"
	}
	return name
}

// allFlags returns the flags of all releases. Where CRI-O looks for its files
// does not depend on the release, and the release may not be known.
func allFlags() map[string]flag {
	all := map[string]flag{}
	for _, f := range plainFlags {
		all[f.name] = f
	}
	for _, k := range schema.All() {
		for _, f := range k.Flags {
			if name := strings.TrimLeft(f.Name, "-"); name != "" {
				all[name] = flag{name: name, kind: k.Kind, key: k}
			}
		}
	}
	return all
}
