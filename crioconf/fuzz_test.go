package crioconf_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// FuzzLoad throws pairs of files at the loader, for a release chosen by a byte.
// Whatever they are, it must end, every finding must be whole, and a file added
// with With must be judged as one that was there from the start.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "[crio.runtime]\nlog_level = \"debug\"\n", "[crio.runtime.runtimes]\n", "crio = 1\n", "[[crio]]\n",
		"[crio.runtime]\ndefault_runtime = \"kata\"\nDefault_Runtime = \"\"\nruntimes = \"x\"\n",
		"[crio.runtime.runtimes.\"\"]\ndefault_annotations = {a = \"1\"}\n[CRIO.runtime.workloads.w.resources]\ncpushares = -1\n",
		"stray = 1\n[crio.netwrk]\nx = 1\n[crio.runtime]\ncgroup_manager = \"cgroupfs\"\nconmon_cgroup = \"\"\n",
	} {
		f.Add(seed, "[crio]\nroot = \"\"\nstorage_option = [\"a\"]\n", byte(0))
		f.Add("[crio.runtime.runtimes.runc]\nruntime_path = \"/r\"\n", seed, byte(12))
	}
	versions := schema.Versions()
	f.Fuzz(func(t *testing.T, main, dropIn string, n byte) {
		o := crioconf.Options{Version: versions[int(n)%len(versions)]}
		sources := []crioconf.Source{
			{Name: "crio.conf", Data: []byte(main), Role: crioconf.Main},
			{Name: "x", Data: []byte(dropIn), Role: crioconf.DropIn},
		}
		c, found := crioconf.LoadFiles(sources, o)
		for _, d := range found {
			if d.Code == "" || d.Severity < diag.Info || d.Severity > diag.Error || d.Effect == "" || d.Summary == "" {
				t.Errorf("incomplete: %+v", d)
			}
			if (d.Effect == diag.Refused) != (d.Stage != "") {
				t.Errorf("stage %q with effect %q: %+v", d.Stage, d.Effect, d)
			}
		}
		for p, v := range c.All() {
			if got, ok := c.Lookup(p); !ok || !crioconf.Equal(got.V, v.V) {
				t.Errorf("%s: All has %v, Lookup %v, %v", p, v.V, got.V, ok)
			}
		}
		first, _ := crioconf.LoadFiles(sources[:1], o)
		added, again := first.With("x", []byte(dropIn))
		if changes := c.Diff(added); len(changes) > 0 {
			t.Errorf("With and LoadFiles differ in %v", changes)
		}
		var a, b []string
		for _, d := range found {
			a = append(a, said(d))
		}
		for _, d := range again {
			b = append(b, said(d))
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("With and LoadFiles say other things:\n%s", diff)
		}
	})
}
