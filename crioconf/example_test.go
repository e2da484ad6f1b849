package crioconf_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// The example of README.md, which a test compares. On a host, hostfs.Open("/")
// takes the place of the files in memory.
func Example() {
	node := fstest.MapFS{"etc/crio/crio.conf.d/50-cilium.conf": {
		Data: []byte("[crio]\ndisable_hostport_mapping = true\n"),
	}}

	config, findings, err := crioconf.Load(node, crioconf.DefaultLayout(), crioconf.Options{
		Version: schema.Version{Major: 1, Minor: 30, Patch: schema.Latest},
	})
	if err != nil {
		log.Fatal(err) // a file could not be read
	}
	disabled, origin := crioconf.Get(config, schema.DisableHostportMapping)
	fmt.Printf("%v, from the %v\n", disabled, origin.Kind)
	for _, d := range findings {
		fmt.Printf("%v: %v[%s]: %s\n", d.Range, d.Severity, d.Code, d.Summary)
	}

	planned, err := config.Plan(crioconf.Request{
		Op: crioconf.Set, Key: schema.DisableHostportMapping.Path, Value: true,
	})
	if err != nil {
		log.Fatal(err) // something later wins; the error names the place
	}
	for _, f := range planned.Files {
		fmt.Printf("%s:\n%s", f.Name, f.After)
	}
	// Output:
	// false, from the default
	// etc/crio/crio.conf.d/50-cilium.conf:2:1: error[wrong-table]: disable_hostport_mapping stands in [crio], and CRI-O reads it in [crio.runtime]
	// etc/crio/crio.conf.d/60-crioctl-net.conf:
	// # Written by crioctl-net. CRI-O reads every file of this directory;
	// # run "crioctl-net show --origin" to see which of them sets a key.
	//
	// [crio.runtime]
	// disable_hostport_mapping = true
}
