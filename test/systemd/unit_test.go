package systemd_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/hostfs"
	"github.com/crioctl/crioctl-net/test/systemd/node"
)

// base is a unit whose program writes down what it was started with.
const base = `
-- usr/lib/systemd/system/crio.service --
[Service]
Type=oneshot
EnvironmentFile=-/etc/sysconfig/crio
Environment=BASE=unit
ExecStart=/usr/local/bin/crio $A ${B} x${C}y $$D
`

// TestReadUnitAgreesWithSystemd reads units as a library and has systemd start
// them, and compares arguments and environment.
func TestReadUnitAgreesWithSystemd(t *testing.T) {
	for _, tt := range []struct{ name, files string }{
		{"as it is", base},
		{"variables in the environment file", base + `
-- etc/sysconfig/crio --
A=--one "two words" 'three words' four\ words
B=--one "two words"
C=c
D=d
`},
		{"empty and open values", base + `
-- etc/sysconfig/crio --
A=
B=""
C="open
`},
		{"syntax of environment files", base + `
-- etc/sysconfig/crio --
# comment
; comment
  # comment
  LEADING = blanks  
DOUBLE="a b\"\\\$\` + "`" + `\n"
SINGLE='a\"b$x'
PARTS='a' "b" c
BARE=a"b c"'d'
ESCAPED=a\ b\"c\\d\n
TRAILING=a\ 
JOINED=a\
b
OVER="a
b"
OVERJOINED="a\
b"
export EXPORTED=1
1BAD=1
BAD-NAME=1
=NONE
NOEQUALS
HASH=a#b
DOLLAR=$A ${B}
TWICE=1
TWICE=2
A="--flag=a b" '--x=y z' c"d e"f g\
h
`},
		{"CRLF in the environment file", base + "-- etc/sysconfig/crio --\nA=1\r\nB=\"2\"\r\nC=3\r\n"},
		{"several environment files", base + `
-- etc/crio/2.env --
A=two
B=two
-- etc/crio/1.env --
A=one
C=one
-- etc/crio/x/a.env --
A=last
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
EnvironmentFile=/etc/crio/*.env
EnvironmentFile=-/etc/crio/%n.none
EnvironmentFile=-/etc/crio/x/a.env
Environment=C=unit
`},
		{"words of the command line", base + `
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
ExecStart=
ExecStart=-/usr/local/bin/crio "a b" 'c d' e"f g"h i\x41\102\tj \
    # a comment within
    ; and another
    second\sline "%%" %n %N %p '$A' "\"q\"" \; \u00e9 --x="y z" ''
`},
		{"variables are put into the words", base + `
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
Environment="A=one two" 'B=three "four five"' C= D=$A "E=back\\slash six"
ExecStart=
ExecStart=/usr/local/bin/crio $A $B $C $D $E ${A} ${B} ${C} ${D} ${NONE} $NONE x${A}y x$Ay $$A $${A} ${A a$ $
`},
		{"no variables behind a colon", base + `
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
Environment=A=1
ExecStart=
ExecStart=:/usr/local/bin/crio $A ${A} $$A
`},
		{"Environment lines", base + `
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
Environment=A=1 "B=two words" 'C=it"s' D=x=y 1E=no F
Environment=A=2 G=\x41%%n%n H="quoted value"
-- etc/systemd/system/crio.service.d/b.conf --
[Service]
Environment=
Environment=B=after
`},
		{"a line that cannot be read counts as far as it can", base + `
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
Environment=A=1 "B=open
Environment=C=\q D=1
Environment=E=1
`},
		{"variables are unset", base + `
-- etc/sysconfig/crio --
A=1
B=2
C=3
-- etc/systemd/system/crio.service.d/a.conf --
[Service]
UnsetEnvironment=A B=2 C=other BASE
`},
		{"drop-ins by name over all folders", base + `
-- etc/systemd/system/crio.service.d/50-a.conf --
[Service]
Environment=A=etc
-- run/systemd/system/crio.service.d/60-b.conf --
[Service]
Environment=A=run B=run
-- usr/local/lib/systemd/system/crio.service.d/55-c.conf --
[Service]
Environment=B=local C=local
-- usr/lib/systemd/system/crio.service.d/70-d.conf --
[Service]
Environment=C=usr
-- etc/systemd/system/crio.service.d/99-e.txt --
[Service]
Environment=A=text
-- etc/systemd/system/crio.service.d/.99-f.conf --
[Service]
Environment=A=hidden
`},
		{"one name in several folders", base + `
-- etc/systemd/system/crio.service.d/50-a.conf --
[Service]
Environment=A=etc
-- run/systemd/system/crio.service.d/50-a.conf --
[Service]
Environment=B=run
-- run/systemd/system/crio.service.d/60-b.conf --
[Service]
Environment=C=run
-- usr/lib/systemd/system/crio.service.d/60-b.conf --
[Service]
Environment=D=usr
`},
		{"masked drop-ins", base + `
-- usr/lib/systemd/system/crio.service.d/50-a.conf --
[Service]
Environment=A=usr
-- etc/systemd/system/crio.service.d/50-a.conf -> /dev/null --
-- usr/lib/systemd/system/crio.service.d/60-b.conf --
[Service]
Environment=B=usr
-- etc/systemd/system/crio.service.d/60-b.conf --
`},
		{"drop-ins of the alias, of prefixes and of the type", base + `
-- etc/systemd/system/cri-o.service -> /usr/lib/systemd/system/crio.service --
-- etc/systemd/system/cri-o.service.d/50-a.conf --
[Service]
Environment=A=alias
-- etc/systemd/system/cri-.service.d/60-b.conf --
[Service]
Environment=A=prefix B=prefix
-- etc/systemd/system/service.d/55-c.conf --
[Service]
Environment=A=type C=type
`},
		{"one name in the folders of the unit, the type and the prefix", base + `
-- etc/systemd/system/cri-o.service -> /usr/lib/systemd/system/crio.service --
-- etc/systemd/system/service.d/50-a.conf --
[Service]
Environment=A=type
-- usr/lib/systemd/system/crio.service.d/50-a.conf --
[Service]
Environment=A=unit
`},
		{"one name in the folders of the prefix and of the type", base + `
-- etc/systemd/system/cri-o.service -> /usr/lib/systemd/system/crio.service --
-- etc/systemd/system/service.d/50-a.conf --
[Service]
Environment=A=type
-- usr/lib/systemd/system/cri-.service.d/50-a.conf --
[Service]
Environment=A=prefix
`},
		{"the unit file of the administrator", base + `
-- etc/systemd/system/crio.service --
[Service]
Type=oneshot
ExecStart=/usr/local/bin/crio mine
-- usr/lib/systemd/system/crio.service.d/50-a.conf --
[Service]
Environment=A=usr
`},
		{"a unit file that is a link to elsewhere", `
-- etc/crio/elsewhere.service --
[Service]
Type=oneshot
ExecStart=/usr/local/bin/crio elsewhere
-- etc/systemd/system/crio.service -> /etc/crio/elsewhere.service --
`},
		{"odd unit files", "-- usr/lib/systemd/system/crio.service --\n\ufeff[Unit]\nX=1\n\n[X-Mine]\nExecStart=/bin/false\n[Service]\nType = oneshot\nnonsense\n=x\n" +
			"  ExecStart = /usr/local/bin/crio a\\\\ b \\\n\\\n\n   # c\nEnvironment = A=1 \\\n   B=2\n  [Service]\nEnvironment=C=3\n"},
		{"CRLF in the unit file", "-- usr/lib/systemd/system/crio.service --\n[Service]\r\nType=oneshot\r\nExecStart=/usr/local/bin/crio a \\\r\n  b\r\nEnvironment=A=1\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := node.New(t)
			require.NoError(t, os.Remove(node.UnitFile))
			require.NoError(t, os.Remove(node.Alias))
			for _, f := range txtar.Parse([]byte(tt.files)).Files {
				name, target, link := strings.Cut(f.Name, " -> ")
				n.Write("/"+name, string(f.Data))
				if link {
					require.NoError(t, os.Remove("/"+name))
					require.NoError(t, os.Symlink(target, "/"+name))
				}
			}
			n.Systemctl("daemon-reload")
			root, err := hostfs.Open("/")
			require.NoError(t, err)
			defer root.Close()
			u, err := crio.ReadUnit(root, root.Path)
			require.NoError(t, err)

			p := properties(t, n, open(t, n, "crio.service"))
			require.Equal(t, real(t, p.FragmentPath), real(t, "/"+u.Fragment))
			var got, want []string
			for _, d := range u.DropIns {
				got = append(got, real(t, "/"+d))
			}
			for _, d := range p.DropInPaths {
				want = append(want, real(t, d))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("drop-ins (-systemd +got):\n%s", diff)
			}

			started := n.Dump()
			got, want = nil, started.Args
			for _, w := range u.Command[1:] {
				got = append(got, w.Text)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("arguments (-systemd +got):\n%s", diff)
			}
			env := map[string]string{}
			for _, v := range u.Env {
				env[v.Name] = v.Value
			}
			if diff := cmp.Diff(ofUnit(started.Env), env); diff != "" {
				t.Errorf("environment (-systemd +got):\n%s", diff)
			}
		})
	}
}

// real returns the path without symbolic links in its folder: /lib and
// /usr/lib are one on most systems.
func real(t *testing.T, path string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	require.NoError(t, err)
	return filepath.Join(dir, filepath.Base(path))
}

// ofUnit leaves out the variables that systemd sets by itself.
func ofUnit(environ []string) map[string]string {
	own := []string{
		"PATH", "LANG", "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_EXEC_PID", "NOTIFY_SOCKET", "STANDIN_DUMP",
		"MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", "container",
	}
	all := map[string]string{}
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		all[name] = value
	}
	maps.DeleteFunc(all, func(name, _ string) bool { return slices.Contains(own, name) })
	return all
}
