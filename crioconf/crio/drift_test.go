package crio_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/schema"
)

func TestDrift(t *testing.T) {
	tests := map[string]struct {
		file    string
		running string // what it serves besides the defaults
		want    []string
	}{
		"nothing differs": {"[crio.runtime]\nlog_level = \"debug\"\n", "[crio.runtime]\nlog_level = \"debug\"\n", nil},
		"a key that a restart takes over": {
			"[crio.runtime]\ndisable_hostport_mapping = true\n", "[crio.runtime]\ndisable_hostport_mapping = false\n",
			[]string{"crio.runtime.disable_hostport_mapping false->true restart"},
		},
		"a key that a reload takes over": {
			"[crio.runtime]\nlog_level = \"debug\"\n", "[crio.runtime]\nlog_level = \"warn\"\n",
			[]string{`crio.runtime.log_level "warn"->"debug" reload`},
		},
		"a list that is not served is empty": {
			"[crio.runtime]\ndefault_sysctls = [\"a.b=1\"]\n", "[crio.runtime]\n",
			[]string{`crio.runtime.default_sysctls unknown->["a.b=1"] restart`},
		},
		"an empty path is filled in": {"[crio.runtime]\npinns_path = \"\"\n", "[crio.runtime]\npinns_path = \"/usr/bin/pinns\"\n", nil},
		"plugin_dir is added to plugin_dirs": {
			"[crio.network]\nplugin_dir = \"/opt/b\"\nplugin_dirs = [\"/opt/a\"]\n", "[crio.network]\nplugin_dirs = [\"/opt/a\", \"/opt/b\"]\n", nil,
		},
	}
	v := schema.Version{Major: 1, Minor: 30, Patch: 5}
	for what, tt := range tests {
		t.Run(what, func(t *testing.T) {
			c, _ := crioconf.LoadFiles([]crioconf.Source{{Name: "crio.conf", Data: []byte(tt.file), Role: crioconf.Main}}, crioconf.Options{Version: v})
			defaults, _ := crioconf.LoadFiles(nil, crioconf.Options{Version: v})
			r, err := crio.ParseRunning([]byte("[crio]\n" + tt.running))
			require.NoError(t, err)
			var got []string
			for _, d := range r.Drift(c) {
				// The daemon of the test serves nothing but the keys in question.
				if was, _ := defaults.Lookup(d.Path); crioconf.Equal(was.V, d.Want.V) && !d.Known {
					continue
				}
				running := "unknown"
				if d.Known {
					running = crioconf.FormatValue(d.Running)
				}
				got = append(got, d.Path.String()+" "+running+"->"+crioconf.FormatValue(d.Want.V)+" "+d.Apply.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestParseRunningTakesNothingElse(t *testing.T) {
	for _, text := range []string{"<html>", "", "[other]\n", "crio = 1\n"} {
		_, err := crio.ParseRunning([]byte(text))
		require.ErrorIs(t, err, crio.ErrNotCRIO, "%q", text)
	}
}
