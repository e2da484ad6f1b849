package crio_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// node makes a file system of a txtar archive. A file named "A -> B" is a
// symbolic link.
func node(archive string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if name, target, ok := strings.Cut(f.Name, " -> "); ok {
			fsys[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
			continue
		}
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return fsys
}

func read(t *testing.T, archive string) crio.Unit {
	t.Helper()
	u, err := crio.ReadUnit(node(archive), nil)
	require.NoError(t, err)
	return u
}

// lines prints what a unit says, each with its place.
func lines(u crio.Unit) []string {
	var out []string
	for _, w := range u.Command {
		out = append(out, fmt.Sprintf("%s @ %s", w.Text, w.Range))
	}
	for _, v := range u.Env {
		out = append(out, fmt.Sprintf("%s=%s @ %s", v.Name, v.Value, v.Range))
	}
	return out
}

// upstream is the unit that CRI-O ships, as packages install it.
const upstream = `
-- usr/lib/systemd/system/crio.service --
[Unit]
Description=Container Runtime Interface for OCI (CRI-O)
[Service]
Type=notify
EnvironmentFile=-/etc/sysconfig/crio
Environment=GOTRACEBACK=crash
ExecStart=/usr/bin/crio \
          $CRIO_CONFIG_OPTIONS \
          $CRIO_RUNTIME_OPTIONS
ExecReload=/bin/kill -s HUP $MAINPID
[Install]
Alias=cri-o.service
-- etc/systemd/system/cri-o.service -> /usr/lib/systemd/system/crio.service --
`

func TestReadUnit(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		want        []string
	}{
		{"as shipped", upstream, []string{
			"/usr/bin/crio @ /usr/lib/systemd/system/crio.service:7:11",
			"GOTRACEBACK=crash @ /usr/lib/systemd/system/crio.service:6:13",
		}},
		{"flags in the environment file", upstream + `
-- etc/sysconfig/crio --
# options
CRIO_RUNTIME_OPTIONS="--log-level debug"
DISABLE_HOSTPORT_MAPPING=true
`, []string{
			"/usr/bin/crio @ /usr/lib/systemd/system/crio.service:7:11",
			"--log-level @ /etc/sysconfig/crio:2:23",
			"debug @ /etc/sysconfig/crio:2:35",
			"CRIO_RUNTIME_OPTIONS=--log-level debug @ /etc/sysconfig/crio:2:1",
			"DISABLE_HOSTPORT_MAPPING=true @ /etc/sysconfig/crio:3:1",
			"GOTRACEBACK=crash @ /usr/lib/systemd/system/crio.service:6:13",
		}},
		{"drop-ins by name over all folders", upstream + `
-- run/systemd/system/crio.service.d/20-b.conf --
[Service]
Environment=A=run B=run
-- etc/systemd/system/crio.service.d/10-a.conf --
[Service]
Environment=A=etc
-- etc/systemd/system/crio.service.d/30-c.conf --
[Service]
Environment="B=etc 30"
-- etc/systemd/system/crio.service.d/README --
Environment=A=readme
`, []string{
			"/usr/bin/crio @ /usr/lib/systemd/system/crio.service:7:11",
			"A=run @ /run/systemd/system/crio.service.d/20-b.conf:2:13",
			"B=etc 30 @ /etc/systemd/system/crio.service.d/30-c.conf:2:14",
			"GOTRACEBACK=crash @ /usr/lib/systemd/system/crio.service:6:13",
		}},
		{"a drop-in of one name in two folders", upstream + `
-- usr/lib/systemd/system/crio.service.d/10-a.conf --
[Service]
Environment=A=usr
-- etc/systemd/system/crio.service.d/10-a.conf --
[Service]
Environment=B=etc
`, []string{
			"/usr/bin/crio @ /usr/lib/systemd/system/crio.service:7:11",
			"B=etc @ /etc/systemd/system/crio.service.d/10-a.conf:2:13",
			"GOTRACEBACK=crash @ /usr/lib/systemd/system/crio.service:6:13",
		}},
		{"a masked drop-in", upstream + `
-- usr/lib/systemd/system/crio.service.d/10-a.conf --
[Service]
Environment=A=usr
-- etc/systemd/system/crio.service.d/10-a.conf -> /dev/null --
`, []string{
			"/usr/bin/crio @ /usr/lib/systemd/system/crio.service:7:11",
			"GOTRACEBACK=crash @ /usr/lib/systemd/system/crio.service:6:13",
		}},
		{"drop-ins of the alias and of all services", upstream + `
-- etc/systemd/system/cri-o.service.d/a.conf --
[Service]
Environment=A=alias
-- etc/systemd/system/service.d/b.conf --
[Service]
Environment=B=all
-- etc/systemd/system/cri-.service.d/c.conf --
[Service]
Environment=C=prefix
`, []string{
			"/usr/bin/crio @ /usr/lib/systemd/system/crio.service:7:11",
			"A=alias @ /etc/systemd/system/cri-o.service.d/a.conf:2:13",
			"B=all @ /etc/systemd/system/service.d/b.conf:2:13",
			"C=prefix @ /etc/systemd/system/cri-.service.d/c.conf:2:13",
			"GOTRACEBACK=crash @ /usr/lib/systemd/system/crio.service:6:13",
		}},
		{"a replaced command line", upstream + `
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
ExecStart=
ExecStart=-/usr/local/bin/crio --log-level=debug "--listen" '/run/x y.sock' %% %n $$A
`, []string{
			"/usr/local/bin/crio @ /etc/systemd/system/crio.service.d/a.conf:3:12",
			"--log-level=debug @ /etc/systemd/system/crio.service.d/a.conf:3:32",
			"--listen @ /etc/systemd/system/crio.service.d/a.conf:3:51",
			"/run/x y.sock @ /etc/systemd/system/crio.service.d/a.conf:3:62",
			"% @ /etc/systemd/system/crio.service.d/a.conf:3:77",
			"crio.service @ /etc/systemd/system/crio.service.d/a.conf:3:80",
			"$A @ /etc/systemd/system/crio.service.d/a.conf:3:83",
			"GOTRACEBACK=crash @ /usr/lib/systemd/system/crio.service:6:13",
		}},
		{"the unit file of the administrator", upstream + `
-- etc/systemd/system/crio.service --
[Service]
ExecStart=/opt/crio
`, []string{"/opt/crio @ /etc/systemd/system/crio.service:2:11"}},
		{"no variables are put in behind a colon", `
-- etc/systemd/system/crio.service --
[Service]
Environment=A=b
ExecStart=:/usr/bin/crio $A
`, []string{
			"/usr/bin/crio @ /etc/systemd/system/crio.service:3:12",
			"$A @ /etc/systemd/system/crio.service:3:26",
			"A=b @ /etc/systemd/system/crio.service:2:13",
		}},
		{"a name of its own for the program", `
-- etc/systemd/system/crio.service --
[Service]
ExecStart=@/usr/bin/crio daemon --log-level debug
`, []string{
			"/usr/bin/crio @ /etc/systemd/system/crio.service:2:12",
			"--log-level @ /etc/systemd/system/crio.service:2:33",
			"debug @ /etc/systemd/system/crio.service:2:45",
		}},
		{"lists are emptied and variables unset", upstream + `
-- etc/sysconfig/crio --
A=1
-- etc/default/crio --
B=2
C=3
D=4
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
EnvironmentFile=
EnvironmentFile=/etc/default/crio
Environment=
Environment=C=unit E=5
UnsetEnvironment=B D=x
`, []string{
			"/usr/bin/crio @ /usr/lib/systemd/system/crio.service:7:11",
			"C=3 @ /etc/default/crio:2:1",
			"D=4 @ /etc/default/crio:3:1",
			"E=5 @ /etc/systemd/system/crio.service.d/a.conf:5:20",
		}},
		{"a pattern of environment files", `
-- etc/systemd/system/crio.service --
[Service]
EnvironmentFile=/etc/crio.d/*.env
ExecStart=/usr/bin/crio
-- etc/crio.d/2.env --
A=2
-- etc/crio.d/1.env --
A=1
B=1
`, []string{
			"/usr/bin/crio @ /etc/systemd/system/crio.service:3:11",
			"A=2 @ /etc/crio.d/2.env:1:1",
			"B=1 @ /etc/crio.d/1.env:2:1",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(read(t, tt.files))); diff != "" {
				t.Errorf("unit (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadUnitNames(t *testing.T) {
	t.Run("an alias leads to the unit", func(t *testing.T) {
		u, err := crio.ReadUnit(node(upstream), nil, "cri-o.service")
		require.NoError(t, err)
		require.Equal(t, "crio.service", u.Name)
		require.Equal(t, []string{"cri-o.service"}, u.Aliases)
		require.Equal(t, "usr/lib/systemd/system/crio.service", u.Fragment)
	})
	t.Run("a package that ships another name", func(t *testing.T) {
		u := read(t, "-- usr/lib/systemd/system/cri-o.service --\n[Service]\nExecStart=/usr/bin/crio\n")
		require.Equal(t, "cri-o.service", u.Name)
	})
	t.Run("none", func(t *testing.T) {
		_, err := crio.ReadUnit(node("-- etc/hostname --\nn\n"), nil)
		require.ErrorIs(t, err, crio.ErrNoUnit)
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
	t.Run("aliases in a circle", func(t *testing.T) {
		_, err := crio.ReadUnit(node("-- etc/systemd/system/crio.service -> cri-o.service --\n-- etc/systemd/system/cri-o.service -> crio.service --\n"), nil)
		require.ErrorIs(t, err, crio.ErrNoUnit)
	})
	t.Run("masked by a link", func(t *testing.T) {
		require.True(t, read(t, upstream+"-- etc/systemd/system/crio.service -> /dev/null --\n").Masked)
	})
	t.Run("masked by an empty file", func(t *testing.T) {
		require.True(t, read(t, upstream+"-- etc/systemd/system/crio.service --\n").Masked)
	})
	t.Run("names in messages", func(t *testing.T) {
		u, err := crio.ReadUnit(node(upstream), func(name string) string { return "/mnt/" + name })
		require.NoError(t, err)
		require.Equal(t, "/mnt/usr/lib/systemd/system/crio.service", u.Command[0].Range.File)
	})
}

// broken fails to read one file.
type broken struct {
	fstest.MapFS
	name string
}

var errBroken = errors.New("input/output error")

func (b broken) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errBroken}
	}
	return b.MapFS.Open(name)
}

func (b broken) ReadFile(name string) ([]byte, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errBroken}
	}
	return b.MapFS.ReadFile(name)
}

func (b broken) Stat(name string) (fs.FileInfo, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: errBroken}
	}
	return b.MapFS.Stat(name)
}

func (b broken) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errBroken}
	}
	return b.MapFS.ReadDir(name)
}

func TestReadUnitTellsWhatItCouldNotRead(t *testing.T) {
	files := upstream + `
-- etc/sysconfig/crio --
A=1
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
Environment=B=2
`
	for _, name := range []string{
		"usr/lib/systemd/system/crio.service", "etc/sysconfig/crio", "etc/systemd/system/crio.service.d/a.conf",
		"etc/systemd/system",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := crio.ReadUnit(broken{node(files), name}, nil)
			require.ErrorIs(t, err, errBroken)
			require.ErrorContains(t, err, name)
		})
	}
}

func TestOverrides(t *testing.T) {
	v36 := schema.Version{Major: 1, Minor: 36, Patch: schema.Latest}
	v18 := schema.Version{Major: 1, Minor: 18, Patch: schema.Latest}
	v24 := schema.Version{Major: 1, Minor: 24, Patch: schema.Latest}
	unit := func(flags, env string) string {
		return "-- etc/systemd/system/crio.service --\n[Service]\nExecStart=/usr/bin/crio " + flags +
			"\nEnvironmentFile=-/etc/crio.env\n-- etc/crio.env --\n" + env + "\n"
	}
	for _, tt := range []struct {
		name, flags, env string
		version          schema.Version
		want             []string // overrides
		refused          []string // diagnostics
	}{
		{name: "nothing", version: v36},
		{name: "bool flag", flags: "--disable-hostport-mapping", version: v36,
			want: []string{"crio.runtime.disable_hostport_mapping = true by flag --disable-hostport-mapping at 2:25"}},
		{name: "bool flag with a value", flags: "--disable-hostport-mapping=F", version: v36,
			want: []string{"crio.runtime.disable_hostport_mapping = false by flag --disable-hostport-mapping at 2:25"}},
		{name: "one dash", flags: "-log-level=debug -listen /run/x.sock", version: v36,
			want: []string{
				`crio.runtime.log_level = "debug" by flag -log-level at 2:25`,
				`crio.api.listen = "/run/x.sock" by flag -listen at 2:42`,
			}},
		{name: "short names", flags: "-l debug -r=/srv -c /x", version: v36,
			want: []string{`crio.runtime.log_level = "debug" by flag -l at 2:25`, `crio.root = "/srv" by flag -r at 2:34`}},
		{name: "the last of several counts", flags: "--log-level debug --log-level warn", version: v36,
			want: []string{`crio.runtime.log_level = "warn" by flag --log-level at 2:43`}},
		{name: "flags win over variables", flags: "--log-level debug", env: "CONTAINER_LOG_LEVEL=warn", version: v36,
			want: []string{
				`crio.runtime.log_level = "warn" by variable CONTAINER_LOG_LEVEL at 1:1`,
				`crio.runtime.log_level = "debug" by flag --log-level at 2:25`,
			}},
		{name: "lists are repeated or parted by commas", flags: "--hooks-dir /a --hooks-dir=/b,/c", version: v36,
			want: []string{`crio.runtime.hooks_dir = ["/a", "/b", "/c"] by flag --hooks-dir at 2:25`}},
		{name: "old releases part only a single value", flags: "--hooks-dir /a --hooks-dir=/b,/c", version: v24,
			want: []string{`crio.runtime.hooks_dir = ["/a", "/b,/c"] by flag --hooks-dir at 2:25`}},
		{name: "a list in a variable", env: "CONTAINER_CNI_PLUGIN_DIR=/a, /b", version: v24,
			want: []string{`crio.network.plugin_dirs = ["/a", "/b"] by variable CONTAINER_CNI_PLUGIN_DIR at 1:1`}},
		{name: "numbers and durations", flags: "--pids-limit 0x10 --pull-progress-timeout=1m30s", version: v36,
			want: []string{
				"crio.runtime.pids_limit = 16 by flag --pids-limit at 2:25",
				`crio.image.pull_progress_timeout = "1m30s" by flag --pull-progress-timeout at 2:43`,
			}},
		{name: "an empty variable of a bool is false", env: "DISABLE_HOSTPORT_MAPPING=", version: v36,
			want: []string{"crio.runtime.disable_hostport_mapping = false by variable DISABLE_HOSTPORT_MAPPING at 1:1"}},
		{name: "but not set for old releases", env: "CONTAINER_READ_ONLY=", version: v24},
		{name: "an empty variable of a number is not set", env: "CONTAINER_PIDS_LIMIT=", version: v36},
		{name: "an empty variable of a string is empty", env: "CONTAINER_APPARMOR_PROFILE=", version: v36,
			want: []string{`crio.runtime.apparmor_profile = "" by variable CONTAINER_APPARMOR_PROFILE at 1:1`}},
		{name: "yes is no bool", env: "DISABLE_HOSTPORT_MAPPING=yes", version: v36,
			refused: []string{`/etc/crio.env:1:1: DISABLE_HOSTPORT_MAPPING: "yes" is no boolean`}},
		{name: "no number", flags: "--pids-limit many", version: v36,
			refused: []string{`/etc/systemd/system/crio.service:2:25: --pids-limit: "many" is no integer`}},
		{name: "a variable of a newer release", env: "DISABLE_HOSTPORT_MAPPING=true", version: v24},
		{name: "a flag of a newer release", flags: "--disable-hostport-mapping --log-level debug", version: v24,
			refused: []string{"/etc/systemd/system/crio.service:2:25: unknown flag --disable-hostport-mapping"}},
		{name: "the value of a bool as a word of its own", flags: "--disable-hostport-mapping false", version: v36,
			want:    []string{"crio.runtime.disable_hostport_mapping = true by flag --disable-hostport-mapping at 2:25"},
			refused: []string{`/etc/systemd/system/crio.service:2:52: argument "false" on crio's command line`}},
		{name: "a bool flag that was a string", flags: "--nri-disable-connections true --log-level debug",
			version: schema.Version{Major: 1, Minor: 30, Patch: 0},
			want: []string{
				"crio.nri.nri_disable_connections = true by flag --nri-disable-connections at 2:25",
				`crio.runtime.log_level = "debug" by flag --log-level at 2:56`,
			}},
		{name: "of which what is no bool counts as false", flags: "--nri-disable-connections perhaps", env: "", version: schema.Version{Major: 1, Minor: 30, Patch: 0},
			want: []string{"crio.nri.nri_disable_connections = false by flag --nri-disable-connections at 2:25"}},
		{name: "a runtime with parts of a newer release", flags: "--runtimes k:/p:/r:vm:true:/c:1MiB", version: v24,
			refused: []string{`/etc/systemd/system/crio.service:2:25: --runtimes: "k:/p:/r:vm:true:/c:1MiB" is no runtime: write NAME:PATH:ROOT`}},
		{name: "so for an older one", flags: "--runtimes k:/p:/r:vm:true", version: schema.Version{Major: 1, Minor: 20, Patch: schema.Latest},
			refused: []string{`/etc/systemd/system/crio.service:2:25: --runtimes: "k:/p:/r:vm:true" is no runtime: write NAME:PATH:ROOT`}},
		{name: "an empty argument", flags: "${NONE} --log-level debug", version: v36,
			refused: []string{`: argument "" on crio's command line`}},
		{name: "no value", flags: "--log-level", version: v36,
			refused: []string{"/etc/systemd/system/crio.service:2:25: flag --log-level has no value"}},
		{name: "two dashes end the flags", flags: "--log-level debug --", version: v36,
			want: []string{`crio.runtime.log_level = "debug" by flag --log-level at 2:25`}},
		{name: "an argument behind two dashes", flags: "-- --log-level", version: v36,
			refused: []string{`/etc/systemd/system/crio.service:2:28: argument "--log-level" on crio's command line`}},
		{name: "flags that set no key", flags: "--log /x --profile --profile-port 6060 --registries-conf=/y", version: v36},
		{name: "a runtime", flags: "--runtimes kata:/usr/bin/kata:/run/kata", version: v18,
			want: []string{
				`crio.runtime.runtimes.kata.runtime_path = "/usr/bin/kata" by flag --runtimes at 2:25`,
				`crio.runtime.runtimes.kata.runtime_type = "" by flag --runtimes at 2:25`,
				`crio.runtime.runtimes.kata.runtime_root = "/run/kata" by flag --runtimes at 2:25`,
				"crio.runtime.runtimes.kata.privileged_without_host_devices = false by flag --runtimes at 2:25",
			}},
		{name: "a runtime with too many parts", flags: "--runtimes kata:/usr/bin/kata:/run/kata:vm", version: v18,
			refused: []string{`/etc/systemd/system/crio.service:2:25: --runtimes: "kata:/usr/bin/kata:/run/kata:vm" is no runtime: write NAME:PATH:ROOT`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all, l := read(t, unit(tt.flags, tt.env)).Overrides(schema.For(tt.version))
			var got []string
			for _, o := range all {
				got = append(got, fmt.Sprintf("%s = %s by %s %s at %d:%d", o.Key, crioconf.FormatValue(o.Value),
					o.Origin.Kind, o.Origin.Name, o.Origin.Range.Start.Line, o.Origin.Range.Start.Col))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("overrides (-want +got):\n%s", diff)
			}
			var refused []string
			for _, d := range l {
				require.Equal(t, diag.Refused, d.Effect)
				require.NotEmpty(t, d.Hint)
				refused = append(refused, fmt.Sprintf("%s: %s", d.Range, d.Summary))
			}
			if diff := cmp.Diff(tt.refused, refused); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRuntimeFlagSetsTheWholeEntry(t *testing.T) {
	u := read(t, "-- etc/systemd/system/crio.service --\n[Service]\nExecStart=/usr/bin/crio --runtimes k:/p:/r:vm:true:/c:1MiB\n")
	s := schema.For(schema.Newest())
	all, l := u.Overrides(s)
	require.Empty(t, l)
	got := map[string]any{}
	for _, o := range all {
		require.True(t, o.Key.HasPrefix([]string{"crio", "runtime", "runtimes", "k"}), o.Key)
		got[o.Key.Leaf()] = o.Value
	}
	want := map[string]any{
		"runtime_path": "/p", "runtime_root": "/r", "runtime_type": "vm",
		"privileged_without_host_devices": true, "runtime_config_path": "/c", "container_min_memory": "1MiB",
	}
	for _, k := range s.Keys() {
		if len(k.Path) == 5 && k.Path.HasPrefix([]string{"crio", "runtime", "runtimes"}) {
			if _, ok := want[k.Path.Leaf()]; !ok {
				want[k.Path.Leaf()] = k.KindIn(schema.Newest()).Zero()
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
}

func TestUnitFindings(t *testing.T) {
	for _, tt := range []struct{ name, files, want string }{
		{"environment file missing", "-- etc/systemd/system/crio.service --\n[Service]\nEnvironmentFile=/etc/none\nExecStart=/usr/bin/crio\n",
			"/etc/systemd/system/crio.service:2:17: error missing-file: environment file /etc/none does not exist"},
		{"two command lines", upstream + "-- etc/systemd/system/crio.service.d/a.conf --\n[Service]\nExecStart=/usr/bin/crio -l debug\n",
			"/etc/systemd/system/crio.service.d/a.conf:2:11: error bad-value: a second ExecStart= line"},
		{"a script", "-- etc/systemd/system/crio.service --\n[Service]\nExecStart=/opt/start-crio.sh\n",
			"/etc/systemd/system/crio.service:2:11: warning overridden-by-unit: crio.service starts CRI-O through /opt/start-crio.sh"},
		{"no command", "-- etc/systemd/system/crio.service --\n[Service]\nExecStart=\"open\n",
			": warning overridden-by-unit: crio.service has no command that can be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, l := read(t, tt.files).Overrides(schema.For(schema.Newest()))
			require.Len(t, l, 1)
			require.Equal(t, tt.want, fmt.Sprintf("%s: %s %s: %s", l[0].Range, l[0].Severity, l[0].Code, l[0].Summary))
		})
	}
}

func TestProgram(t *testing.T) {
	for _, tt := range []struct{ command, want string }{
		{"/usr/bin/crio --log-level debug", "/usr/bin/crio"},
		{"/usr/bin/env A=b /opt/crio", "/opt/crio"},
		{"/usr/bin/nsenter --mount=/run/ns crio", "crio"},
		{"/bin/sh -c 'exec crio'", ""},
	} {
		t.Run(tt.command, func(t *testing.T) {
			got, ok := read(t, "-- etc/systemd/system/crio.service --\n[Service]\nExecStart="+tt.command+"\n").Program()
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.want != "", ok)
		})
	}
}
