package change

import (
	"context"
	"fmt"
	"time"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
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
			if v, ok := c.Lookup(k); ok && !running.Serves(c, k, v) {
				got, _ := running.Lookup(k, v.Key.KindIn(c.Version()))
				return fmt.Errorf("the daemon runs with %s = %s, the files say %s", k, crioconf.FormatValue(got), crioconf.FormatValue(v.V))
			}
		}
		return nil
	}))
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
