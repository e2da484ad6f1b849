// Package ignition holds what package render writes to Ignition's own types. It
// is a module of its own, so that Ignition stays out of the go.mod of the product.
package ignition

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/coreos/ignition/v2/config/v3_0"
	"github.com/coreos/ignition/v2/config/v3_1"
	"github.com/coreos/ignition/v2/config/v3_2"
	"github.com/coreos/ignition/v2/config/v3_3"
	"github.com/coreos/ignition/v2/config/v3_4"
	"github.com/coreos/ignition/v2/config/v3_5"
	"github.com/coreos/ignition/v2/config/v3_5/types"
	"github.com/coreos/vcontext/report"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"github.com/vincent-petithory/dataurl"
	"sigs.k8s.io/yaml"

	"github.com/crioctl/crioctl-net/crioconf/render"
)

// parsers are those of each spec version. One parses its own version and those
// before it.
var parsers = map[string]func([]byte) (report.Report, error){
	"3.0.0": func(b []byte) (report.Report, error) { _, r, err := v3_0.Parse(b); return r, err },
	"3.1.0": func(b []byte) (report.Report, error) { _, r, err := v3_1.ParseCompatibleVersion(b); return r, err },
	"3.2.0": func(b []byte) (report.Report, error) { _, r, err := v3_2.ParseCompatibleVersion(b); return r, err },
	"3.3.0": func(b []byte) (report.Report, error) { _, r, err := v3_3.ParseCompatibleVersion(b); return r, err },
	"3.4.0": func(b []byte) (report.Report, error) { _, r, err := v3_4.ParseCompatibleVersion(b); return r, err },
	"3.5.0": func(b []byte) (report.Report, error) { _, r, err := v3_5.ParseCompatibleVersion(b); return r, err },
}

const dir = "/etc/crio/crio.conf.d/"

// files have contents and names that a careless writer spoils.
func files() map[string][]render.File {
	all := []render.File{
		{Path: dir + "60-crioctl-net.conf", Data: []byte("# a\n[crio.runtime]\ndisable_hostport_mapping = true\n")},
		{Path: dir + "10 with space & 100%,#?+.conf", Data: []byte("a = \"+ & % , # ? = ; 100%25\"\n")},
		{Path: dir + "grün-日本.conf", Data: []byte("a = \"grün 日本 \\u2028\"\r\n\ta = 1\n\n")},
		{Path: dir + "bom", Data: []byte("\ufeffa = 1\n")},
		{Path: dir + "no-utf8", Data: []byte("# \xff\xfe\x00\x01\n")},
		{Path: dir + "empty", Data: nil},
		{Path: dir + "sub/no-newline", Data: []byte("a = 1"), Mode: 0o600},
		{Path: dir + "large", Data: []byte(strings.Repeat("# a long line of a large file\n", 1<<10))},
	}
	sets := map[string][]render.File{"all": all}
	for _, f := range all {
		sets[f.Path] = []render.File{f}
	}
	return sets
}

func TestIgnition(t *testing.T) {
	require.Len(t, parsers, len(render.IgnitionSpecs()))
	for _, spec := range render.IgnitionSpecs() {
		for name, list := range files() {
			for _, encoding := range []render.Encoding{render.Plain, render.Base64} {
				config, err := render.Ignition(list, spec, encoding)
				require.NoError(t, err)
				requireConfig(t, name, config, spec, list)
			}
		}
	}
}

func TestMachineConfig(t *testing.T) {
	for _, spec := range render.IgnitionSpecs() {
		for name, list := range files() {
			out, err := render.MachineConfig(list, render.MachineConfigOptions{Role: "infra", Spec: spec})
			require.NoError(t, err)
			var mc struct {
				APIVersion string
				Kind       string
				Metadata   struct {
					Name   string
					Labels map[string]string
				}
				Spec struct{ Config json.RawMessage }
			}
			require.NoError(t, yaml.UnmarshalStrict(out, &mc))
			require.Equal(t, "machineconfiguration.openshift.io/v1", mc.APIVersion)
			require.Equal(t, "MachineConfig", mc.Kind)
			require.Equal(t, "99-infra-crioctl-net", mc.Metadata.Name)
			require.Equal(t, map[string]string{"machineconfiguration.openshift.io/role": "infra"}, mc.Metadata.Labels)
			requireConfig(t, name, mc.Spec.Config, spec, list)
		}
	}
}

// requireConfig demands that Ignition has nothing to say about the config, and
// that it would write the files.
func requireConfig(t *testing.T, name string, config []byte, spec string, want []render.File) {
	t.Helper()
	for _, of := range render.IgnitionSpecs() {
		r, err := parsers[of](config)
		if of < spec {
			require.Error(t, err, "a reader of %s takes %s", of, spec)
			continue
		}
		require.NoError(t, err, "%s: %s read by %s", name, spec, of)
		require.Empty(t, r.Entries, "%s: %s read by %s: %s", name, spec, of, r)
	}
	c, _, err := v3_5.ParseCompatibleVersion(config)
	require.NoError(t, err)
	got := map[string][2]string{}
	for _, f := range c.Storage.Files {
		got[f.Path] = [2]string{contents(t, f), modeOf(f)}
	}
	expect := map[string][2]string{}
	for _, f := range want {
		expect[f.Path] = [2]string{string(f.Data), f.Permissions().String()}
	}
	if d := cmp.Diff(expect, got); d != "" {
		t.Errorf("%s: -want +got\n%s", name, d)
	}
}

func contents(t *testing.T, f types.File) string {
	t.Helper()
	u, err := dataurl.DecodeString(*f.Contents.Source) // as Ignition's fetcher does
	require.NoError(t, err)
	return string(u.Data)
}

func modeOf(f types.File) string {
	root := f.User.ID != nil && *f.User.ID == 0 && f.Group.ID != nil && *f.Group.ID == 0
	if !root || f.Overwrite == nil || !*f.Overwrite {
		return "not root's, or not to be overwritten"
	}
	return fileMode(*f.Mode)
}

// TestAReportIsNotAlwaysEmpty shows that the demand above can fail: an unknown
// key is only a warning to Ignition.
func TestAReportIsNotAlwaysEmpty(t *testing.T) {
	config, err := render.Ignition(files()["all"], "3.2.0", render.Plain)
	require.NoError(t, err)
	for name, spoil := range map[string]*strings.Replacer{
		"unknown key":   strings.NewReplacer(`"overwrite"`, `"overwrites"`),
		"relative path": strings.NewReplacer(`"path": "/`, `"path": "`),
		"same path":     strings.NewReplacer("60-crioctl-net.conf", "bom"),
	} {
		r, err := parsers["3.2.0"]([]byte(spoil.Replace(string(config))))
		require.True(t, err != nil || len(r.Entries) > 0, name)
	}
}

// fileMode is the mode as fs.FileMode writes it.
func fileMode(mode int) string { return fs.FileMode(mode).String() }
