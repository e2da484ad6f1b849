package change

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

const (
	// settle is how long the daemon must stay up before the change stands: a
	// daemon that its manager starts again and again is up whenever one looks.
	settle = 2 * time.Second
	// probePause lies between two questions to a daemon that does not answer yet.
	// CRI-O tells systemd that it is ready before its socket serves.
	probePause = 100 * time.Millisecond
)

// probes ask the daemon itself whether it runs, and with the values that the
// configuration gives to the keys.
func (r Road) probes(c *crioconf.Config, keys []keypath.Path) []apply.Probe {
	client := crio.Client{Socket: r.Node.Socket(c)}
	list := []apply.Probe{patient(func(ctx context.Context) error {
		_, err := client.Info(ctx)
		return err
	})}
	if len(keys) == 0 {
		return list
	}
	return append(list, patient(func(ctx context.Context) error {
		running, err := client.Config(ctx)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if v, ok := c.Lookup(k); ok && !Serves(running, c, k, v) {
				got, _ := running.Lookup(k, v.Key.KindIn(c.Version()))
				return fmt.Errorf("the daemon runs with %s = %s, the files say %s", k, crioconf.FormatValue(got), crioconf.FormatValue(v.V))
			}
		}
		return nil
	}))
}

// Serves reports whether the daemon runs with the value. Keys that it fills in
// itself at its start, from the storage library or by searching for programs,
// say nothing and pass. So do those of old releases that it folds into others.
func Serves(running crio.Running, c *crioconf.Config, key keypath.Path, v crioconf.Value) bool {
	kind := v.Key.KindIn(c.Version())
	got, ok := running.Lookup(key, kind)
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

// patient asks again until the answer is good or the context is done; then it
// returns the last answer that was not cut short by that.
func patient(ask apply.Probe) apply.Probe {
	return func(ctx context.Context) error {
		var last error
		for {
			err := ask(ctx)
			if err == nil {
				return nil
			}
			if last == nil || ctx.Err() == nil {
				last = err
			}
			select {
			case <-ctx.Done():
				return last
			case <-time.After(probePause):
			}
		}
	}
}
