package crio

import (
	"slices"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// A Drift is a key whose value in the running daemon is not that of the
// configuration.
type Drift struct {
	Path    keypath.Path
	Running any            // what the daemon has; meaningless when it is not Known
	Known   bool           // the daemon serves the key
	Want    crioconf.Value // what the configuration says
	Apply   schema.Reload  // what the daemon needs to take it over
}

// Drift lists the keys of c that the daemon runs with another value of, in the
// order of the schema.
func (r Running) Drift(c *crioconf.Config) []Drift {
	var all []Drift
	for path, v := range c.All() {
		if r.Serves(c, path, v) {
			continue
		}
		got, known := r.Lookup(path, v.Key.KindIn(c.Version()))
		all = append(all, Drift{path, got, known, v, v.Key.ReloadIn(c.Version())})
	}
	return all
}

// Serves reports whether the daemon runs with the value that c gives to the key.
// Keys that it fills in itself at its start, from the storage library or by
// searching for programs, say nothing and pass. So do those of old releases that
// it folds into others.
func (r Running) Serves(c *crioconf.Config, key keypath.Path, v crioconf.Value) bool {
	kind := v.Key.KindIn(c.Version())
	got, ok := r.Lookup(key, kind)
	if !ok {
		got = kind.Zero() // a nil list is not served
	}
	if crioconf.Equal(got, v.V) || filledIn(v) {
		return true
	}
	if v.Key == schema.PluginDirs.Key {
		// CRI-O appends the old key plugin_dir (cri-o pkg/config/config.go,
		// NetworkConfig.Validate).
		more, _ := crioconf.Get(c, schema.PluginDir)
		list, _ := v.V.([]string)
		return more != "" && crioconf.Equal(got, append(slices.Clone(list), more))
	}
	return false
}

// filledIn reports whether the daemon puts something of its own in place of the
// value (cri-o pkg/config/config.go, RootConfig.Validate, RuntimeConfig.Validate,
// RuntimeHandler.Validate).
func filledIn(v crioconf.Value) bool {
	switch v.Key {
	case schema.PluginDir.Key, schema.Root.Key, schema.RunRoot.Key, schema.StorageDriver.Key, schema.StorageOption.Key,
		schema.HooksDir.Key, schema.SELinux.Key:
		return true
	}
	s, isString := v.V.(string)
	return isString && s == ""
}
