package crioconf_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

const (
	dir  = "etc/crio/crio.conf.d/"
	ours = dir + crioconf.DropInName
)

// load reads the files as a node root.
func load(t *testing.T, version string, files map[string]string, overrides ...crioconf.Override) *crioconf.Config {
	t.Helper()
	v, err := schema.ParseVersion(version)
	require.NoError(t, err)
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	c, _, err := crioconf.Load(fsys, crioconf.DefaultLayout(), crioconf.Options{Version: v, Overrides: overrides})
	require.NoError(t, err)
	return c
}

func body(text string) string { return crioconf.DropInHeader + "\n" + text }

func TestPlan(t *testing.T) {
	toggle := schema.DisableHostportMapping.Path
	level := schema.LogLevel.Path
	foreign := func(names ...string) func(string, []byte) *crioconf.Owner {
		return func(name string, _ []byte) *crioconf.Owner {
			for _, n := range names {
				if n == name {
					return &crioconf.Owner{Name: "a generator", Way: "Ask it."}
				}
			}
			return nil
		}
	}
	tests := []struct {
		name    string
		version string
		files   map[string]string
		req     crioconf.Request
		want    map[string]string // changed files; "" for one that is removed
		value   any
	}{
		{
			name:  "no file sets it: our drop-in is made",
			files: map[string]string{dir + "10-crio.conf": "[crio.runtime]\nlog_level = \"warn\"\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: toggle, Value: true},
			want:  map[string]string{ours: body("[crio.runtime]\ndisable_hostport_mapping = true\n")},
			value: true,
		},
		{
			name:  "already in force: nothing to do",
			files: map[string]string{dir + "10-crio.conf": "[crio.runtime]\ndisable_hostport_mapping = true\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: toggle, Value: true},
			want:  map[string]string{},
			value: true,
		},
		{
			name:  "always: written though it is in force already",
			files: map[string]string{dir + "10-crio.conf": "[crio.runtime]\ndisable_hostport_mapping = true\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: toggle, Value: true, Always: true, In: ours},
			want:  map[string]string{ours: body("[crio.runtime]\ndisable_hostport_mapping = true\n")},
			value: true,
		},
		{
			name:  "always: the built-in default is written too",
			req:   crioconf.Request{Op: crioconf.Set, Key: level, Value: "info", Always: true, In: ours},
			want:  map[string]string{ours: body("[crio.runtime]\nlog_level = \"info\"\n")},
			value: "info",
		},
		{
			name:  "always: the same bytes are no change",
			files: map[string]string{ours: "[crio.runtime]\nlog_level = \"warn\"\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: level, Value: "warn", Always: true, In: ours},
			want:  map[string]string{},
			value: "warn",
		},
		{
			name:  "in force in an administrator's file: edited there",
			files: map[string]string{dir + "90-site": "[crio.runtime]\ndisable_hostport_mapping = false # so far\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: toggle, Value: true},
			want:  map[string]string{dir + "90-site": "[crio.runtime]\ndisable_hostport_mapping = true # so far\n"},
			value: true,
		},
		{
			name:  "of two files the one in force is edited",
			files: map[string]string{"etc/crio/crio.conf": "[crio.runtime]\nlog_level = \"warn\"\n", dir + "90-site": "[crio.runtime]\nlog_level = \"error\"\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: level, Value: "debug"},
			want:  map[string]string{dir + "90-site": "[crio.runtime]\nlog_level = \"debug\"\n"},
			value: "debug",
		},
		{
			name:  "a generated file before ours: ours wins over it",
			files: map[string]string{dir + "10-gen": "[crio.runtime]\nlog_level = \"warn\"\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: level, Value: "debug", Owner: foreign(dir + "10-gen")},
			want:  map[string]string{ours: body("[crio.runtime]\nlog_level = \"debug\"\n")},
			value: "debug",
		},
		{
			name:  "the drop-in holds several keys",
			files: map[string]string{ours: body("[crio.runtime]\nlog_level = \"debug\"\n")},
			req:   crioconf.Request{Op: crioconf.Set, Key: toggle, Value: true},
			want:  map[string]string{ours: body("[crio.runtime]\nlog_level = \"debug\"\ndisable_hostport_mapping = true\n")},
			value: true,
		},
		{
			name:  "another spelling is edited where it stands",
			files: map[string]string{dir + "20-a": "[crio.Runtime]\nLog_Level = \"warn\"\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: level, Value: "debug"},
			want:  map[string]string{dir + "20-a": "[crio.Runtime]\nLog_Level = \"debug\"\n"},
			value: "debug",
		},
		{
			name:  "a handler's key goes into the file that has the handler",
			files: map[string]string{dir + "20-kata": "[crio.runtime.runtimes.kata]\nruntime_path = \"/k\"\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: schema.HandlerRuntimeType.At("kata"), Value: "vm"},
			want:  map[string]string{dir + "20-kata": "[crio.runtime.runtimes.kata]\nruntime_path = \"/k\"\nruntime_type = \"vm\"\n"},
			value: "vm",
		},
		{
			name:    "a handler of a generated file is taken over whole",
			version: "1.30",
			files:   map[string]string{dir + "10-gen": "[crio.runtime.runtimes.kata]\nruntime_path = \"/k\"\nmonitor_env = [\"A=b\"]\n"},
			req:     crioconf.Request{Op: crioconf.Set, Key: schema.HandlerRuntimeType.At("kata"), Value: "vm", Owner: foreign(dir + "10-gen")},
			want: map[string]string{ours: body("[crio.runtime.runtimes.kata]\n" +
				"runtime_path = \"/k\"\nmonitor_env = [\"A=b\"]\nruntime_type = \"vm\"\n")},
			value: "vm",
		},
		{
			name:  "--in names the file",
			files: map[string]string{dir + "70-mine": "# mine\n"},
			req:   crioconf.Request{Op: crioconf.Set, Key: level, Value: "debug", In: dir + "70-mine"},
			want:  map[string]string{dir + "70-mine": "# mine\n\n[crio.runtime]\nlog_level = \"debug\"\n"},
			value: "debug",
		},
		{
			name:    "a release without drop-ins: the main file",
			version: "1.16",
			files:   map[string]string{},
			req:     crioconf.Request{Op: crioconf.Set, Key: level, Value: "debug"},
			want:    map[string]string{"etc/crio/crio.conf": body("[crio.runtime]\nlog_level = \"debug\"\n")},
			value:   "debug",
		},
		{
			name:  "release takes our drop-in away",
			files: map[string]string{ours: body("[crio.runtime]\ndisable_hostport_mapping = true\n")},
			req:   crioconf.Request{Op: crioconf.Release, Key: toggle, Value: false},
			want:  map[string]string{ours: ""},
			value: false,
		},
		{
			name:  "release keeps what else stands in our drop-in",
			files: map[string]string{ours: body("[crio.runtime]\nlog_level = \"debug\"\ndisable_hostport_mapping = true\n")},
			req:   crioconf.Request{Op: crioconf.Release, Key: toggle, Value: false},
			want:  map[string]string{ours: body("[crio.runtime]\nlog_level = \"debug\"\n")},
			value: false,
		},
		{
			name:  "release keeps a person's comment in our drop-in",
			files: map[string]string{ours: "# why: ticket 42\n\n[crio.runtime]\ndisable_hostport_mapping = true\n"},
			req:   crioconf.Request{Op: crioconf.Release, Key: toggle, Value: false},
			want:  map[string]string{ours: "# why: ticket 42\n\n[crio.runtime]\n"},
			value: false,
		},
		{
			name: "release sets false where another file says true",
			files: map[string]string{
				dir + "20-a": "[crio.runtime]\ndisable_hostport_mapping = true\n",
				ours:         body("[crio.runtime]\ndisable_hostport_mapping = true\n"),
			},
			req: crioconf.Request{Op: crioconf.Release, Key: toggle, Value: false},
			want: map[string]string{
				ours:         "",
				dir + "20-a": "[crio.runtime]\ndisable_hostport_mapping = false\n",
			},
			value: false,
		},
		{
			name:  "unset takes it out of our drop-in first",
			files: map[string]string{ours: body("[crio.runtime]\nlog_level = \"debug\"\n"), dir + "90-x": "[crio.runtime]\nlog_level = \"warn\"\n"},
			req:   crioconf.Request{Op: crioconf.Unset, Key: level},
			want:  map[string]string{ours: ""},
			value: "warn",
		},
		{
			name:  "unset takes it out of the file in force, comments stay",
			files: map[string]string{dir + "90-x": "[crio.runtime]\n# loud\nlog_level = \"debug\"\npids_limit = 9\n"},
			req:   crioconf.Request{Op: crioconf.Unset, Key: level},
			want:  map[string]string{dir + "90-x": "[crio.runtime]\n# loud\npids_limit = 9\n"},
			value: "info",
		},
		{
			name:    "unset never removes a main file",
			version: "1.16",
			files:   map[string]string{"etc/crio/crio.conf": "[crio.runtime]\nlog_level = \"debug\"\n"},
			req:     crioconf.Request{Op: crioconf.Unset, Key: level},
			want:    map[string]string{"etc/crio/crio.conf": "[crio.runtime]\n"},
			value:   "error",
		},
		{
			name:  "unset of what no file sets",
			files: map[string]string{},
			req:   crioconf.Request{Op: crioconf.Unset, Key: level},
			want:  map[string]string{},
			value: "info",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			version := tt.version
			if version == "" {
				version = "1.36"
			}
			c := load(t, version, tt.files)
			p, err := c.Plan(tt.req)
			require.NoError(t, err)
			got := map[string]string{}
			for _, f := range p.Files {
				require.Equal(t, tt.files[f.Name], string(f.Before))
				got[f.Name] = string(f.After)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("files -want +got\n%s", d)
			}
			require.Equal(t, tt.value, p.After.V)
			require.Equal(t, len(tt.want) > 0, p.Changed())

			// The plan is what a fresh look at the new files gives.
			after := map[string]string{}
			for name, text := range tt.files {
				after[name] = text
			}
			for name, text := range got {
				after[name] = text
				if text == "" {
					delete(after, name)
				}
			}
			require.Empty(t, p.Config.Diff(load(t, version, after)))
		})
	}
}

func TestPlanChangesNothingElse(t *testing.T) {
	c := load(t, "1.31", map[string]string{
		dir + "10-crio.conf": "[crio.runtime.runtimes.crun]\nruntime_path = \"/c\"\nmonitor_path = \"/m\"\nallowed_annotations = [\"io.containers.trace-syscall\"]\n",
	})
	p, err := c.Plan(crioconf.Request{
		Op: crioconf.Set, Key: schema.HandlerMonitorCgroup.At("crun"), Value: "pod",
		Owner: func(string, []byte) *crioconf.Owner { return &crioconf.Owner{Name: "x"} },
	})
	require.NoError(t, err)
	require.Len(t, p.Changes, 1)
	require.Equal(t, "crio.runtime.runtimes.crun.monitor_cgroup", p.Changes[0].Path.String())
}

func TestPlanRefuses(t *testing.T) {
	flag := crioconf.Override{
		Key: schema.LogLevel.Path, Value: "warn",
		Origin: crioconf.Origin{Kind: crioconf.Flag, Name: "--log-level", Value: "warn",
			Range: diag.Range{File: "/usr/lib/systemd/system/crio.service", Start: diag.Pos{Line: 5, Col: 20}}},
	}
	variable := flag
	variable.Origin.Kind, variable.Origin.Name = crioconf.Variable, "CONTAINER_LOG_LEVEL"
	owner := func(name string, _ []byte) *crioconf.Owner {
		return &crioconf.Owner{Name: "a generator", Way: "Ask it."}
	}
	tests := []struct {
		name      string
		files     map[string]string
		overrides []crioconf.Override
		req       crioconf.Request
		reason    error
		says      string
	}{
		{
			name: "a flag wins", overrides: []crioconf.Override{flag},
			req:    crioconf.Request{Op: crioconf.Set, Key: schema.LogLevel.Path, Value: "debug"},
			reason: crioconf.ErrLaterWins, says: "/usr/lib/systemd/system/crio.service:5:20: the flag --log-level",
		},
		{
			name: "a variable wins", overrides: []crioconf.Override{variable},
			req:    crioconf.Request{Op: crioconf.Set, Key: schema.LogLevel.Path, Value: "debug"},
			reason: crioconf.ErrLaterWins, says: "the variable CONTAINER_LOG_LEVEL",
		},
		{
			name:   "a later file wins over --in",
			files:  map[string]string{dir + "90-x": "[crio.runtime]\nlog_level = \"warn\"\n"},
			req:    crioconf.Request{Op: crioconf.Set, Key: schema.LogLevel.Path, Value: "debug", In: dir + "20-y"},
			reason: crioconf.ErrLaterWins, says: dir + "90-x:2:13 sets crio.runtime.log_level = \"warn\" and is read later",
		},
		{
			name:   "a generated file after ours",
			files:  map[string]string{dir + "90-x": "[crio.runtime]\nlog_level = \"warn\"\n"},
			req:    crioconf.Request{Op: crioconf.Set, Key: schema.LogLevel.Path, Value: "debug", Owner: owner},
			reason: crioconf.ErrForeignFile, says: dir + "90-x belongs to a generator",
		},
		{
			name:   "a generated file named by --in",
			files:  map[string]string{dir + "20-x": "[crio.runtime]\nlog_level = \"warn\"\n"},
			req:    crioconf.Request{Op: crioconf.Unset, Key: schema.LogLevel.Path, In: dir + "20-x", Owner: owner},
			reason: crioconf.ErrForeignFile, says: "belongs to a generator",
		},
		{
			name:   "a file that CRI-O does not read",
			req:    crioconf.Request{Op: crioconf.Set, Key: schema.LogLevel.Path, Value: "debug", In: "etc/crio.conf"},
			reason: crioconf.ErrFileUnread, says: "CRI-O does not read etc/crio.conf",
		},
		{
			name:   "a key that this release does not read",
			req:    crioconf.Request{Op: crioconf.Set, Key: keypath.MustParse("crio.runtime.manage_ns_lifecycle"), Value: true},
			reason: crioconf.ErrKeyUnread, says: "CRI-O 1.36 does not read",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := load(t, "1.36", tt.files, tt.overrides...).Plan(tt.req)
			require.Nil(t, p)
			require.ErrorIs(t, err, tt.reason)
			var r *crioconf.Refusal
			require.True(t, errors.As(err, &r))
			if !strings.Contains(r.Summary, tt.says) {
				t.Errorf("want %q in %q", tt.says, r.Summary)
			}
		})
	}
}

func TestPlanOnAFileThatIsNotTOML(t *testing.T) {
	c := load(t, "1.36", map[string]string{ours: "[crio.runtime\n"})
	_, err := c.Plan(crioconf.Request{Op: crioconf.Set, Key: schema.LogLevel.Path, Value: "debug"})
	require.ErrorContains(t, err, "edit "+ours)
}

func TestReleasesThatAreNotKnownExactlyAreTold(t *testing.T) {
	for version, want := range map[string]diag.List{
		"1.99": {{Code: diag.VersionNewer, Severity: diag.Info, Effect: diag.None,
			Summary: "CRI-O 1.99 is newer than the newest known release, 1.36", Detail: "It is judged by the rules of that one."}},
		"1.17": {{Code: diag.VersionOlder, Severity: diag.Info, Effect: diag.None,
			Summary: "CRI-O 1.17 is older than 1.18, the oldest release that is known exactly",
			Detail:  "Its rules were read in its sources and not compared with its loader."}},
		"1.18": {}, "1.18.0": {}, "1.36": {}, "1.36.3": {},
	} {
		got := load(t, version, nil).Diagnostics()
		if d := cmp.Diff(want, append(diag.List{}, got...)); d != "" {
			t.Errorf("%s: -want +got\n%s", version, d)
		}
	}
}
