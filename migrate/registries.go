package migrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// RegistriesName is the drop-in of registries.conf that takes over registries, a
// name in the file system.
const RegistriesName = "etc/containers/registries.conf.d/60-crioctl-net.conf"

// registries moves the registries of CRI-O to registries.conf, which the image
// library reads.
type registries struct{}

// A registryKey is one of the two keys.
type registryKey struct {
	key   *schema.Key
	until schema.Version // the first release that does nothing with it
}

func registryKeys() []registryKey {
	return []registryKey{
		{schema.Registries.Key, schema.Registries.Inert},
		{schema.InsecureRegistries.Key, schema.InsecureRegistries.Inert},
	}
}

func (registries) apply(w *work, s *Step) error {
	found := map[*schema.Key]*registryValue{}
	for _, r := range registryKeys() {
		found[r.key] = w.registryValue(r)
	}
	search, insecure := found[schema.Registries.Key], found[schema.InsecureRegistries.Key]
	if len(search.places)+len(insecure.places) == 0 {
		return nil
	}
	drop, networks := registriesDropIn(search.list, insecure.list)
	w.registries = drop
	written := w.options.WriteRegistries && drop != nil && w.writeRegistries(s, drop)
	accepted := w.options.accepted(s.Code)
	if insecure.live && len(networks) > 0 && !accepted {
		insecure.keep = true
		w.say(s, Decide, schema.InsecureRegistries.Path, insecure.places[0].at(), fmt.Sprintf("registries.conf takes no networks: %s cannot move", strings.Join(networks, ", ")), "Name the registries of that network one by one.")
	}
	for _, v := range []*registryValue{search, insecure} {
		v.keep = v.keep || v.live && !written && !accepted
		if err := w.dropRegistries(s, v, written); err != nil {
			return err
		}
	}
	return nil
}

// A registryValue is what the files say of one of the keys.
type registryValue struct {
	places []place // that are to go
	list   []string
	live   bool // it was in force
	keep   bool // until somebody has decided
}

func (w *work) registryValue(r registryKey) *registryValue {
	v := &registryValue{places: w.registryPlaces(r.key, !w.to.Known().Less(r.until))}
	for _, p := range v.places {
		list, _ := plain(p.entry.Node).([]string)
		if len(list) == 0 {
			continue
		}
		v.list = list // of several places the last one counts
		v.live = v.live || w.inForceBefore(p) && w.from.Known().Less(r.until)
	}
	return v
}

// writeRegistries adds the drop-in of registries.conf, and reports whether it
// will be there.
func (w *work) writeRegistries(s *Step, drop []byte) bool {
	have := w.options.Host.Registries
	switch {
	case have == nil:
		w.others = append(w.others, crioconf.FileChange{Name: RegistriesName, After: drop})
	case !bytes.Equal(have, drop):
		w.say(s, Decide, nil, diag.Range{File: "/" + RegistriesName}, "the file exists and says something else", "Put the two together, or delete the file.")
		return false
	}
	return true
}

// registryPlaces returns the places of a key that are to go: those that the new
// release does nothing with, and those above the first table, where no release
// looks.
func (w *work) registryPlaces(k *schema.Key, dead bool) []place {
	list := w.places(keypath.Path{k.Path.Leaf()})
	if dead {
		list = append(list, w.places(k.Path)...)
	}
	return list
}

func (w *work) dropRegistries(s *Step, v *registryValue, written bool) error {
	for _, p := range v.places {
		name := p.entry.Path.String()
		w.claim(s, p.entry.Path)
		switch inForce := w.inForceBefore(p) && v.live; {
		case len(p.entry.Path) == 1:
			w.say(s, Done, p.entry.Path, p.at(), name+" is deleted: above the first table it has no effect in any release", "")
		case inForce && v.keep:
			w.say(s, Decide, p.entry.Path, p.at(), fmt.Sprintf("%s has no effect in CRI-O %s; registries.conf takes its place", name, w.to),
				fmt.Sprintf("Give --write-registries, or --accept %s to go without.", s.Code))
			continue
		case inForce && written:
			w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("%s moves to /%s", name, RegistriesName), "")
		default:
			w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("%s is deleted: it has no effect in CRI-O %s", name, w.to), "")
		}
		if err := w.remove(p); err != nil {
			return err
		}
	}
	return nil
}

// registriesDropIn writes registries.conf (containers-registries.conf.d(5)). It
// takes names of registries only; networks are returned.
func registriesDropIn(search, insecure []string) (drop []byte, networks []string) {
	var b strings.Builder
	if len(search) > 0 {
		fmt.Fprintf(&b, "\nunqualified-search-registries = %s\n", crioconf.FormatValue(search))
	}
	for _, r := range slices.Compact(slices.Sorted(slices.Values(insecure))) {
		if strings.Contains(r, "/") {
			networks = append(networks, r)
			continue
		}
		fmt.Fprintf(&b, "\n[[registry]]\nlocation = %s\ninsecure = true\n", keypath.Quote(r))
	}
	if b.Len() == 0 {
		return nil, networks
	}
	return []byte("# Written by crioctl-net, from registries and insecure_registries of CRI-O.\n" + b.String()), networks
}
