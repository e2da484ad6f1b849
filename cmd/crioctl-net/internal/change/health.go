package change

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/crio"
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

// probes ask the daemon itself whether it runs, and with which value of the
// key.
func (j *Job) probes(c *crioconf.Config, v crioconf.Value, want bool) []apply.Probe {
	client := crio.Client{Socket: socket(c)}
	list := []apply.Probe{patient(func(ctx context.Context) error {
		_, err := client.Info(ctx)
		return err
	})}
	if !want {
		return list
	}
	return append(list, patient(func(ctx context.Context) error {
		r, err := client.Config(ctx)
		if err != nil {
			return err
		}
		return j.compare(r, c, v)
	}))
}

func socket(c *crioconf.Config) string {
	listen, _ := crioconf.Get(c, schema.Listen)
	return strings.TrimPrefix(listen, "unix://")
}

// compare reports when the daemon serves another value of the key than the
// files give.
func (j *Job) compare(r crio.Running, c *crioconf.Config, v crioconf.Value) error {
	key := v.Key
	if key == schema.PluginDir.Key {
		return nil // folded into plugin_dirs at the start
	}
	got, ok := r.Lookup(j.Request.Key, key.KindIn(j.Node.Version))
	if !ok {
		got = key.KindIn(j.Node.Version).Zero() // a nil list is not served
	}
	if crioconf.Equal(got, v.V) {
		return nil
	}
	if list, isList := got.([]string); isList && key == schema.PluginDirs.Key {
		// CRI-O appends the old key plugin_dir (cri-o pkg/config/config.go,
		// NetworkConfig.Validate).
		if more, _ := crioconf.Get(c, schema.PluginDir); more != "" && slices.Equal(list, append(slices.Clone(v.V.([]string)), more)) {
			return nil
		}
	}
	return fmt.Errorf("the daemon runs with %s = %s, the files say %s", j.Request.Key, crioconf.FormatValue(got), crioconf.FormatValue(v.V))
}

// patient asks again until the answer is good or the context is done; then it
// returns the last answer.
func patient(ask apply.Probe) apply.Probe {
	return func(ctx context.Context) error {
		for {
			err := ask(ctx)
			if err == nil {
				return nil
			}
			select {
			case <-ctx.Done():
				return err
			case <-time.After(probePause):
			}
		}
	}
}
