package crioconf_test

import (
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

func text(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

func loadFS(t *testing.T, v string, fsys fstest.MapFS) *crioconf.Config {
	t.Helper()
	c, _, err := crioconf.Load(fsys, at, crioconf.Options{Version: version(t, v)})
	require.NoError(t, err)
	return c
}

func TestLookup(t *testing.T) {
	c := loadFS(t, "1.36", fstest.MapFS{
		"crio.conf": text("[crio.runtime.runtimes.kata]\nruntime_path = \"/k\"\n\n[crio.runtime.runtimes.\"a.b\".default_annotations]\nx = \"1\"\n"),
	})
	for _, tt := range []struct {
		path string
		want any
		ok   bool
	}{
		{"crio.runtime.log_level", "info", true},
		{"CRIO.runtime.Log_Level", "info", true},
		{"crio.metrics.metrics_port", int64(9090), true},
		{"crio.image.pull_progress_timeout", time.Duration(0), true},
		{"crio.runtime.runtimes", []string{"a.b", "crun", "kata"}, true},
		{"crio.runtime.workloads", []string(nil), true},
		{"crio.runtime.runtimes.kata.runtime_path", "/k", true},
		{"crio.runtime.runtimes.crun.runtime_root", "/run/crun", true},
		{`crio.runtime.runtimes."a.b".default_annotations`, map[string]string{"x": "1"}, true},
		{"crio.runtime.runtimes.Kata.runtime_path", nil, false}, // names of entries are exact
		{"crio.runtime.runtimes.kata", nil, false},
		{"crio.runtime.runtimes.kata.nothing", nil, false},
		{"crio.runtime", nil, false},
		{"crio.runtime.log_level.deeper", nil, false},
		{"crio.runtime.manage_ns_lifecycle", nil, false}, // gone in 1.21
	} {
		t.Run(tt.path, func(t *testing.T) {
			v, ok := c.Lookup(keypath.MustParse(tt.path))
			require.Equal(t, tt.ok, ok)
			if diff := cmp.Diff(tt.want, v.V); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
		})
	}
	_, ok := c.Lookup(nil)
	require.False(t, ok)
}

func TestLookupTellsOrigins(t *testing.T) {
	c := loadFS(t, "1.36", fstest.MapFS{
		"crio.conf":             text("[crio.runtime]\nlog_level = \"warn\"\n\n[crio.runtime.runtimes.crun]\nruntime_root = \"/a\"\n"),
		"crio.conf.d/10-a.conf": text("[crio.runtime]\nlog_level = \"debug\"\n\n[crio.runtime.runtimes.crun]\nruntime_path = \"/p\"\n"),
	})
	show := func(path string) []string {
		v, ok := c.Lookup(keypath.MustParse(path))
		require.True(t, ok)
		var list []string
		for _, o := range append([]crioconf.Origin{v.Origin}, v.Shadowed...) {
			list = append(list, fmt.Sprintf("%s %s %v", o.Kind, o.Range, o.Value))
		}
		return list
	}
	require.Equal(t, []string{"file crio.conf.d/10-a.conf:2:13 debug", "file crio.conf:2:13 warn", "default  info"}, show("crio.runtime.log_level"))
	require.Equal(t, []string{"default  "}, show("crio.runtime.log_filter"))
	require.Equal(t, []string{"file crio.conf.d/10-a.conf:5:16 /p", "default  "}, show("crio.runtime.runtimes.crun.runtime_path"))
	require.Equal(t,
		[]string{"default crio.conf.d/10-a.conf:4:1 ", "file crio.conf:5:16 /a", "default  /run/crun"},
		show("crio.runtime.runtimes.crun.runtime_root"), "a key that the last entry leaves out comes from that entry")
}

func TestAllHasEveryKeyOnce(t *testing.T) {
	c := loadFS(t, "1.30", fstest.MapFS{"crio.conf": text("[crio.runtime.runtimes.b]\n[crio.runtime.runtimes.a]\n")})
	seen := map[string]bool{}
	var handlers []string
	for p, v := range c.All() {
		require.False(t, seen[p.String()], "%s comes twice", p)
		seen[p.String()] = true
		got, ok := c.Lookup(p)
		require.True(t, ok, "%s", p)
		if diff := cmp.Diff(v.V, got.V); diff != "" {
			t.Errorf("%s: All and Lookup differ:\n%s", p, diff)
		}
		if p.Leaf() == "runtime_path" {
			handlers = append(handlers, p[3])
		}
	}
	require.Equal(t, []string{"a", "b", "runc"}, handlers)
	for _, k := range c.Schema().Keys() {
		if k.Kind != schema.Entries && !k.HasNames() {
			require.True(t, seen[k.Path.String()], "%s is missing", k)
		}
	}
	for p := range c.All() { // stops when asked to
		require.Equal(t, "crio.root", p.String())
		break
	}
}

func TestGet(t *testing.T) {
	c := loadFS(t, "1.36", fstest.MapFS{"crio.conf": text("[crio.runtime]\ndisable_hostport_mapping = true\n")})
	on, from := crioconf.Get(c, schema.DisableHostportMapping)
	require.True(t, on)
	require.Equal(t, "crio.conf:2:28", from.Range.String())
	root, from := crioconf.Get(c, schema.HandlerRuntimeRoot, "crun")
	require.Equal(t, "/run/crun", root)
	require.Equal(t, crioconf.Default, from.Kind)
	root, from = crioconf.Get(c, schema.HandlerRuntimeRoot, "none")
	require.Empty(t, root)
	require.Zero(t, from)
}

func TestWith(t *testing.T) {
	base := fstest.MapFS{
		"crio.conf":             text("[crio.runtime]\nlog_level = \"info\"\n"),
		"crio.conf.d/10-a.conf": text("[crio.runtime]\nlog_level = \"warn\"\n"),
		"crio.conf.d/zz.conf":   text("[crio.api]\nlisten = \"/z\"\n"),
	}
	debug := []byte("[crio.runtime]\nlog_level = \"debug\"\n")
	for _, tt := range []struct {
		name, file string
		src        []byte
		level      string
		layers     []string
	}{
		{"replace", "crio.conf.d/10-a.conf", debug, "debug", []string{"crio.conf", "crio.conf.d/10-a.conf", "crio.conf.d/zz.conf"}},
		{"add after", "crio.conf.d/20-b.conf", debug, "debug", []string{"crio.conf", "crio.conf.d/10-a.conf", "crio.conf.d/20-b.conf", "crio.conf.d/zz.conf"}},
		{"add before", "crio.conf.d/05-b.conf", debug, "warn", []string{"crio.conf", "crio.conf.d/05-b.conf", "crio.conf.d/10-a.conf", "crio.conf.d/zz.conf"}},
		{"add below a directory", "crio.conf.d/10-a.conf.d/x", debug, "debug", []string{"crio.conf", "crio.conf.d/10-a.conf", "crio.conf.d/10-a.conf.d/x", "crio.conf.d/zz.conf"}},
		{"add last", "crio.conf.d/zz.d/x", debug, "debug", []string{"crio.conf", "crio.conf.d/10-a.conf", "crio.conf.d/zz.conf", "crio.conf.d/zz.d/x"}},
		{"remove", "crio.conf.d/10-a.conf", nil, "info", []string{"crio.conf", "crio.conf.d/zz.conf"}},
		{"remove the main file", "crio.conf", nil, "warn", []string{"crio.conf.d/10-a.conf", "crio.conf.d/zz.conf"}},
		{"remove what is not there", "crio.conf.d/x", nil, "warn", []string{"crio.conf", "crio.conf.d/10-a.conf", "crio.conf.d/zz.conf"}},
		{"a name that is not read", "elsewhere/x", debug, "warn", []string{"crio.conf", "crio.conf.d/10-a.conf", "crio.conf.d/zz.conf"}},
		{"a name that leads out", "crio.conf.d/../x", debug, "warn", []string{"crio.conf", "crio.conf.d/10-a.conf", "crio.conf.d/zz.conf"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := loadFS(t, "1.36", base)
			next, found := c.With(tt.file, tt.src)
			level, _ := crioconf.Get(next, schema.LogLevel)
			require.Equal(t, tt.level, level)
			if diff := cmp.Diff(tt.layers, names(next)); diff != "" {
				t.Errorf("layers (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(next.Diagnostics(), found); diff != "" {
				t.Errorf("diagnostics:\n%s", diff)
			}
			level, _ = crioconf.Get(c, schema.LogLevel)
			require.Equal(t, "warn", level, "the receiver stays as it is")
		})
	}
}

func TestWithIsLikeLoad(t *testing.T) {
	files := fstest.MapFS{"crio.conf": text("[crio]\nroot = \"/a\"\n")}
	added := "[crio]\nlog_level = \"x\"\n[crio.runtime]\ndefault_runtime = \"none\"\n"
	c, _ := loadFS(t, "1.30", files).With("crio.conf.d/10-a.conf", []byte(added))
	files["crio.conf.d/10-a.conf"] = text(added)
	loaded := loadFS(t, "1.30", files)
	require.NotEmpty(t, loaded.Diagnostics())
	if diff := cmp.Diff(loaded.Diagnostics(), c.Diagnostics()); diff != "" {
		t.Errorf("diagnostics (-Load +With):\n%s", diff)
	}
	require.Empty(t, loaded.Diff(c))
}

func TestWithTakesNamesAsPeopleKnowThem(t *testing.T) {
	fsys := fstest.MapFS{"etc/crio/crio.conf": empty()}
	c, _, err := crioconf.Load(fsys, crioconf.DefaultLayout(), crioconf.Options{
		Version: schema.Newest(), Display: func(name string) string { return "/host/" + name },
	})
	require.NoError(t, err)
	c, _ = c.With("/host/etc/crio/crio.conf.d/60-x.conf", []byte("[crio.runtime]\nlog_level = \"debug\"\n"))
	c, _ = c.With("/host/etc/crio/crio.conf", []byte("[crio.api]\nlisten = \"/x\"\n"))
	require.Equal(t, []string{"/host/etc/crio/crio.conf", "/host/etc/crio/crio.conf.d/60-x.conf"}, names(c))
	_, from := crioconf.Get(c, schema.LogLevel)
	require.Equal(t, "/host/etc/crio/crio.conf.d/60-x.conf:2:13", from.Range.String())
}

func TestLoadFilesKeepsTheGivenOrder(t *testing.T) {
	c, found := crioconf.LoadFiles([]crioconf.Source{
		{Name: "b", Data: []byte("[crio.runtime]\nlog_level = \"debug\"\n"), Role: crioconf.DropIn},
		{Name: "-", Data: []byte("[crio.runtime]\nlog_level = \"warn\"\n"), Role: crioconf.Main},
	}, crioconf.Options{Version: schema.Newest()})
	require.False(t, found.Has(diag.Refused))
	level, from := crioconf.Get(c, schema.LogLevel)
	require.Equal(t, "warn", level)
	require.Equal(t, "-", from.Range.File)
	c, _ = c.With("new", []byte("[crio.runtime]\nlog_level = \"error\"\n"))
	require.Equal(t, []string{"b", "-", "new"}, names(c))
}

func TestDiff(t *testing.T) {
	before := loadFS(t, "1.30", fstest.MapFS{"crio.conf": text("[crio.runtime]\nlog_level = \"warn\"\nhooks_dir = []\n\n[crio.runtime.runtimes.old]\nruntime_path = \"/o\"\n")})
	after := loadFS(t, "1.30", fstest.MapFS{"crio.conf": text("[crio.runtime]\nlog_level = \"debug\"\nhooks_dir = []\n\n[crio.runtime.runtimes.new]\nruntime_path = \"/n\"\n")})
	var got []string
	for _, c := range before.Diff(after) {
		if c.Path.Leaf() == "runtime_path" || !c.Path.HasPrefix(schema.Runtimes.Path) {
			got = append(got, fmt.Sprintf("%s %v %v -> %v %v", c.Path, c.HadBefore, c.Before.V, c.HasAfter, c.After.V))
		}
	}
	want := []string{
		"crio.runtime.log_level true warn -> true debug",
		"crio.runtime.runtimes.old.runtime_path true /o -> false <nil>",
		"crio.runtime.runtimes.new.runtime_path false <nil> -> true /n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	require.Empty(t, before.Diff(before))
}

func TestOverrides(t *testing.T) {
	flag := func(name string, line int) crioconf.Origin {
		return crioconf.Origin{Kind: crioconf.Flag, Name: name, Range: diag.Range{File: "crio.service", Start: diag.Pos{Line: line, Col: 1}}}
	}
	variable := crioconf.Origin{Kind: crioconf.Variable, Name: "CONTAINER_LOG_LEVEL", Range: diag.Range{File: "/etc/default/crio"}}
	c, found, err := crioconf.Load(fstest.MapFS{
		"crio.conf": text("[crio.runtime]\nlog_level = \"warn\"\n\n[crio.runtime.runtimes.kata]\nruntime_type = \"vm\"\n"),
	}, at, crioconf.Options{
		Version: version(t, "1.30"),
		Overrides: []crioconf.Override{
			{Key: schema.LogLevel.Path, Value: "info", Origin: variable},
			{Key: schema.LogLevel.Path, Value: "debug", Origin: flag("--log-level", 1)},
			{Key: schema.StorageOption.Path, Value: []string{"a=1"}, Origin: flag("--storage-opt", 2)},
			{Key: schema.Runtimes.Path.Child("kata"), Value: map[string]any{"runtime_path": "/k"}, Origin: flag("--runtimes", 3)},
			{Key: schema.HandlerMonitorPath.At("runc"), Value: "/m", Origin: flag("--x", 4)},
			{Key: schema.HandlerMonitorPath.At("new"), Value: "/n", Origin: flag("--x", 5)},
			{Key: keypath.MustParse("crio.nothing"), Value: "x", Origin: flag("--y", 6)},
			{Key: keypath.MustParse("crio.runtime"), Value: "x", Origin: flag("--y", 7)},
		},
	})
	require.NoError(t, err)
	level, from := crioconf.Get(c, schema.LogLevel)
	require.Equal(t, "debug", level)
	require.Equal(t, "--log-level", from.Name)
	v, _ := c.Lookup(schema.LogLevel.Path)
	require.Equal(t, crioconf.Variable, v.Shadowed[0].Kind)
	options, _ := crioconf.Get(c, schema.StorageOption)
	require.Equal(t, []string{"a=1"}, options)
	kind, _ := crioconf.Get(c, schema.HandlerRuntimeType, "kata")
	require.Empty(t, kind, "--runtimes replaces the whole entry")
	path, _ := crioconf.Get(c, schema.HandlerRuntimePath, "kata")
	require.Equal(t, "/k", path)
	for handler, want := range map[string]string{"runc": "/m", "new": "/n"} {
		got, _ := crioconf.Get(c, schema.HandlerMonitorPath, handler)
		require.Equal(t, want, got)
	}
	var overridden []string
	for _, d := range found {
		if d.Code == diag.OverriddenByUnit {
			overridden = append(overridden, d.Range.String()+": "+d.Summary)
		}
	}
	require.Equal(t, []string{`crio.conf:2:13: crio.runtime.log_level is "warn" here, and the flag --log-level of the unit makes it "debug"`}, overridden)
}

func TestFormatValue(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
		zero bool
	}{
		{true, "true", false}, {int64(-5), "-5", false}, {uint64(18446744073709551615), "18446744073709551615", false},
		{"a\"b\n", `"a\"b\n"`, false}, {30 * time.Second, `"30s"`, false}, {[]string{"a", "b"}, `["a", "b"]`, false},
		{map[string]string{"b.c": "2", "a": "1"}, `{ a = "1", "b.c" = "2" }`, false},
		{[]string(nil), "[]", true}, {map[string]string{}, "{}", true}, {nil, "[]", true}, {"", `""`, true}, {uint64(0), "0", true},
	} {
		require.Equal(t, tt.want, crioconf.FormatValue(tt.v))
		require.Equal(t, tt.zero, crioconf.IsZero(tt.v))
		require.True(t, crioconf.Equal(tt.v, tt.v))
	}
	require.True(t, crioconf.Equal([]string(nil), []string{}))
	require.True(t, crioconf.Equal(nil, []string{}))
	require.True(t, crioconf.Equal(map[string]string{}, nil))
	require.False(t, crioconf.Equal([]string{"a"}, nil))
	require.False(t, crioconf.Equal(int64(1), uint64(1)))
}

// A node with very many drop-ins is read in one pass.
func TestLoadManyDropIns(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 10000 {
		fsys[fmt.Sprintf("crio.conf.d/%05d.conf", i)] = text(fmt.Sprintf("[crio]\nstorage_option = [\"o%d=1\"]\n\n[crio.runtime]\npids_limit = %d\n", i, i))
	}
	c := loadFS(t, "1.30", fsys)
	options, _ := crioconf.Get(c, schema.StorageOption)
	require.Len(t, options, 10000)
	limit, _ := crioconf.Get(c, schema.PIDsLimit)
	require.Equal(t, int64(9999), limit)
}
