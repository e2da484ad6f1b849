package crioconf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// The examples of the catalogue are judged by the loader itself: each Before has
// its code, with the severity and effect that the entry tells, and no After has.
func TestCatalogueExamples(t *testing.T) {
	for _, d := range diag.Catalogue() {
		if d.Before == "" {
			continue
		}
		t.Run(string(d.Code), func(t *testing.T) {
			version := d.Version
			if version == "" {
				version = schema.Newest().Release()
			}
			v, err := schema.ParseVersion(version)
			require.NoError(t, err)
			judge := func(example string) diag.List {
				var sources []crioconf.Source
				for _, f := range diag.SplitExample(example) {
					role := crioconf.DropIn
					if f.Name == "crio.conf" {
						role = crioconf.Main
					}
					sources = append(sources, crioconf.Source{Name: f.Name, Data: []byte(f.Text), Role: role})
				}
				_, l := crioconf.LoadFiles(sources, crioconf.Options{Version: v})
				return l
			}
			found := false
			before := judge(d.Before)
			for _, got := range before {
				found = found || got.Code == d.Code && got.Severity == d.Severity && got.Effect == d.Effect
			}
			if !found {
				t.Errorf("no %s %s with effect %s in %v", d.Severity, d.Code, d.Effect, before)
			}
			for _, got := range judge(d.After) {
				if got.Severity != diag.Info {
					t.Errorf("after: %s %s: %s", got.Severity, got.Code, got.Summary)
				}
			}
		})
	}
}
