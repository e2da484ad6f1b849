package crio_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crioctl/crioctl-net/crioconf"
)

func TestLayout(t *testing.T) {
	def := crioconf.Layout{Main: "etc/crio/crio.conf", DropInDir: "etc/crio/crio.conf.d"}
	for _, tt := range []struct {
		name, flags, env string
		want             crioconf.Layout
	}{
		{"as built", "", "", def},
		{"flags", "--config /a/crio.conf -d /b/", "", crioconf.Layout{Main: "a/crio.conf", DropInDir: "b/", MainExplicit: true}},
		{"variables", "", "CONTAINER_CONFIG=/a\nCONTAINER_CONFIG_DIR=/b", crioconf.Layout{Main: "a", DropInDir: "b", MainExplicit: true}},
		{"flags win", "-c=/f", "CONTAINER_CONFIG=/a", crioconf.Layout{Main: "f", DropInDir: "etc/crio/crio.conf.d", MainExplicit: true}},
		{"empty means none", "--config '' --config-dir=", "", crioconf.Layout{}},
		{"relative to the root", "--config etc/../c", "", crioconf.Layout{Main: "c", DropInDir: "etc/crio/crio.conf.d", MainExplicit: true}},
		{"behind a flag that is gone", "--manage-ns-lifecycle --config /a", "", crioconf.Layout{Main: "a", DropInDir: "etc/crio/crio.conf.d", MainExplicit: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := read(t, "-- etc/systemd/system/crio.service --\n[Service]\nExecStart=/usr/bin/crio "+tt.flags+
				"\nEnvironmentFile=-/e\n-- e --\n"+tt.env+"\n")
			if diff := cmp.Diff(tt.want, u.Layout(def)); diff != "" {
				t.Errorf("layout (-want +got):\n%s", diff)
			}
		})
	}
}
