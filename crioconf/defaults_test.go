package crioconf_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// quiet requires that there is no error and no warning but for deprecations.
func quiet(t *testing.T, found diag.List) {
	t.Helper()
	for _, d := range found {
		if d.Severity != diag.Info && d.Code != diag.DeprecatedKey {
			t.Errorf("%s: %s [%s] %s", d.Range, d.Severity, d.Code, d.Summary)
		}
	}
}

// A file that says what CRI-O says without it changes nothing and alarms nobody.
func TestDefaultsWrittenOut(t *testing.T) {
	for _, v := range schema.Versions() {
		t.Run(v.Release(), func(t *testing.T) {
			defaults, none := crioconf.LoadFiles(nil, crioconf.Options{Version: v})
			require.Empty(t, none)
			c, found := crioconf.LoadFiles([]crioconf.Source{
				{Name: "crio.conf", Role: crioconf.Main, Data: []byte(written(defaults))},
			}, crioconf.Options{Version: v})
			quiet(t, found)
			for _, change := range defaults.Diff(c) {
				t.Errorf("%s: %v, written out %v", change.Path, change.Before.V, change.After.V)
			}
		})
	}
}

// written writes all values of a configuration as a file.
func written(c *crioconf.Config) string {
	var b strings.Builder
	table := ""
	for p, v := range c.All() {
		if m, ok := v.V.(map[string]string); ok && len(m) == 0 {
			continue
		}
		if t := p.Parent().String(); t != table {
			table = t
			fmt.Fprintf(&b, "\n[%s]\n", t)
		}
		fmt.Fprintf(&b, "%s = %s\n", p.Leaf(), crioconf.FormatValue(v.V))
	}
	return b.String()
}

// The same with the files that the releases themselves print.
func TestDefaultsPrintedByCRIO(t *testing.T) {
	const dir = "../../shared/facts/defaults"
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("CI") == "true" {
			t.Fatal("the printed defaults are missing")
		}
		t.Skip("the printed defaults are not here")
	}
	for _, v := range schema.Versions() {
		t.Run(v.Release(), func(t *testing.T) {
			src, err := os.ReadFile(fmt.Sprintf("%s/crio-%s.toml", dir, v.Release()))
			require.NoError(t, err)
			_, found := crioconf.LoadFiles([]crioconf.Source{
				{Name: "crio.conf", Role: crioconf.Main, Data: src},
			}, crioconf.Options{Version: v})
			quiet(t, found)
		})
	}
}
