package crioconf_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// node is a node as they are: a main file with everything written out, and
// three drop-ins.
func node(v schema.Version) fstest.MapFS {
	defaults, _ := crioconf.LoadFiles(nil, crioconf.Options{Version: v})
	return fstest.MapFS{
		"crio.conf":                  text(written(defaults)),
		"crio.conf.d/10-crio.conf":   text("[crio.image]\nsignature_policy = \"/etc/crio/policy.json\"\n\n[crio.runtime]\ndefault_runtime = \"crun\"\n\n[crio.runtime.runtimes.crun]\nruntime_path = \"/usr/libexec/crio/crun\"\nruntime_root = \"/run/crun\"\nmonitor_path = \"/usr/libexec/crio/conmon\"\nallowed_annotations = [\n    \"io.containers.trace-syscall\",\n]\n"),
		"crio.conf.d/20-net.conf":    text("[crio.network]\nplugin_dirs = [\"/opt/cni/bin\", \"/usr/libexec/cni\"]\n"),
		"crio.conf.d/60-toggle.conf": text("[crio.runtime]\ndisable_hostport_mapping = true\n"),
	}
}

func BenchmarkLoad(b *testing.B) {
	v := schema.Newest()
	fsys := node(v)
	size := 0
	for _, f := range fsys {
		size += len(f.Data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := crioconf.Load(fsys, at, crioconf.Options{Version: v}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWith(b *testing.B) {
	v := schema.Newest()
	c, _, err := crioconf.Load(node(v), at, crioconf.Options{Version: v})
	if err != nil {
		b.Fatal(err)
	}
	src := []byte("[crio.runtime]\nlog_level = \"debug\"\n")
	b.ReportAllocs()
	for b.Loop() {
		c.With("crio.conf.d/60-toggle.conf", src)
	}
}

func BenchmarkLoadDropIns(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			fsys := fstest.MapFS{}
			for i := range n {
				fsys[fmt.Sprintf("crio.conf.d/%05d.conf", i)] = text(fmt.Sprintf("[crio.runtime]\npids_limit = %d\n", i))
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := crioconf.Load(fsys, at, crioconf.Options{Version: schema.Newest()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
