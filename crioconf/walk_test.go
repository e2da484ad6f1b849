package crioconf_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

func version(t *testing.T, s string) schema.Version {
	t.Helper()
	v, err := schema.ParseVersion(s)
	require.NoError(t, err)
	return v
}

func names(c *crioconf.Config) []string {
	var list []string
	for _, f := range c.Layers() {
		list = append(list, f.Name())
	}
	return list
}

// codes writes diagnostics as "code file effect".
func codes(list diag.List) []string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s %s %s", d.Code, d.Range.File, d.Effect))
	}
	return out
}

func empty() *fstest.MapFile { return &fstest.MapFile{Mode: 0o644} }

func link(target string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
}

func TestLoadReadsInTheOrderOfTheWalk(t *testing.T) {
	fsys := fstest.MapFS{}
	want := []string{
		"crio.conf",
		"crio.conf.d/.hidden",
		"crio.conf.d/10-a.conf",
		"crio.conf.d/50-b",
		"crio.conf.d/9-c.conf",
		"crio.conf.d/a~",
		"crio.conf.d/sub.d/deep/er/x",
		"crio.conf.d/sub.d/x.conf",
		"crio.conf.d/zz.conf",
		"crio.conf.d/zz.d/a.conf",
	}
	for _, name := range want {
		fsys[name] = empty()
	}
	c, _, err := crioconf.Load(fsys, at, crioconf.Options{Version: schema.Newest()})
	require.NoError(t, err)
	if diff := cmp.Diff(want, names(c)); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
}

func TestLoadMeetsOddThings(t *testing.T) {
	for _, tt := range []struct {
		name   string
		files  fstest.MapFS
		layout crioconf.Layout
		want   []string
		layers []string
	}{
		{name: "nothing at all", files: fstest.MapFS{}, layout: at},
		{
			name: "named main file missing", files: fstest.MapFS{},
			layout: crioconf.Layout{Main: "crio.conf", MainExplicit: true},
			want:   []string{"missing-file crio.conf refused"},
		},
		{name: "main file skipped", files: fstest.MapFS{"crio.conf": empty()}, layout: crioconf.Layout{DropInDir: "crio.conf.d"}},
		{name: "drop-ins skipped", files: fstest.MapFS{"crio.conf.d/a": empty()}, layout: crioconf.Layout{Main: "crio.conf"}},
		{
			name: "main file leads nowhere", files: fstest.MapFS{"crio.conf": link("gone")}, layout: at,
			want: []string{"dangling-symlink crio.conf ignored"},
		},
		{
			name: "main file is a link", files: fstest.MapFS{"crio.conf": link("real"), "real": empty()}, layout: at,
			layers: []string{"crio.conf"},
		},
		{
			name: "main file is a directory", files: fstest.MapFS{"crio.conf/x": empty()}, layout: at,
			want: []string{"not-a-regular-file crio.conf refused"},
		},
		{
			name: "drop-in directory is a file", files: fstest.MapFS{"crio.conf.d": empty()}, layout: at,
			layers: []string{"crio.conf.d"},
		},
		{
			name:   "drop-in directory is a link",
			files:  fstest.MapFS{"crio.conf.d": link("real"), "real/10-a.conf": empty()},
			layout: at,
			want:   []string{"symlink-to-directory crio.conf.d refused"},
		},
		{
			name:   "drop-in directory is a link with a slash",
			files:  fstest.MapFS{"crio.conf.d": link("real"), "real/10-a.conf": empty()},
			layout: crioconf.Layout{DropInDir: "crio.conf.d/"},
			layers: []string{"crio.conf.d/10-a.conf"},
		},
		{
			name: "drop-in directory leads nowhere", files: fstest.MapFS{"crio.conf.d": link("gone")}, layout: at,
		},
		{
			name: "FIFO, socket and device",
			files: fstest.MapFS{
				"crio.conf.d/a": {Mode: fs.ModeNamedPipe}, "crio.conf.d/b": {Mode: fs.ModeSocket},
				"crio.conf.d/c": {Mode: fs.ModeDevice | fs.ModeCharDevice}, "crio.conf.d/d": empty(),
			},
			layout: at,
			want: []string{
				"not-a-regular-file crio.conf.d/a refused", "not-a-regular-file crio.conf.d/b refused",
				"not-a-regular-file crio.conf.d/c refused",
			},
			layers: []string{"crio.conf.d/d"},
		},
		{
			name:   "too large",
			files:  fstest.MapFS{"crio.conf.d/a": {Data: make([]byte, 16<<20+1), Mode: 0o644}},
			layout: at,
			want:   []string{"too-large crio.conf.d/a refused"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, found, err := crioconf.Load(tt.files, tt.layout, crioconf.Options{Version: schema.Newest()})
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, codes(found)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.layers, names(c)); diff != "" {
				t.Errorf("layers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLoadOnDisk meets what only a real file system has.
func TestLoadOnDisk(t *testing.T) {
	dir := t.TempDir()
	drops := filepath.Join(dir, "crio.conf.d")
	require.NoError(t, os.Mkdir(drops, 0o755))
	require.NoError(t, syscall.Mkfifo(filepath.Join(drops, "10-fifo"), 0o600))
	require.NoError(t, os.Symlink("20-circle", filepath.Join(drops, "20-circle")))
	require.NoError(t, os.WriteFile(filepath.Join(drops, "30-a.conf"), []byte("[crio.runtime]\nlog_level = \"debug\"\n"), 0o600))
	c, found, err := crioconf.Load(os.DirFS(dir), at, crioconf.Options{Version: schema.Newest()})
	require.NoError(t, err)
	want := []string{"not-a-regular-file crio.conf.d/10-fifo refused", "dangling-symlink crio.conf.d/20-circle refused"}
	if diff := cmp.Diff(want, codes(found)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	level, _ := crioconf.Get(c, schema.LogLevel)
	require.Equal(t, "debug", level)
}

// refusing is a file system in which some names cannot be opened.
type refusing struct {
	fstest.MapFS
	names map[string]bool
}

func (r refusing) Open(name string) (fs.File, error) {
	if r.names[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return r.MapFS.Open(name)
}

func (r refusing) ReadDir(name string) ([]fs.DirEntry, error) {
	if r.names[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return r.MapFS.ReadDir(name)
}

func TestLoadGoesOnAfterWhatItCannotRead(t *testing.T) {
	fsys := refusing{
		MapFS: fstest.MapFS{
			"crio.conf": empty(), "crio.conf.d/10-a": empty(), "crio.conf.d/20-b": empty(), "crio.conf.d/sub/x": empty(),
		},
		names: map[string]bool{"crio.conf": true, "crio.conf.d/10-a": true, "crio.conf.d/sub": true},
	}
	c, found, err := crioconf.Load(fsys, at, crioconf.Options{
		Version: schema.Newest(), Display: func(name string) string { return "/" + name },
	})
	require.ErrorIs(t, err, fs.ErrPermission)
	require.EqualError(t, err, "read /crio.conf: permission denied\nread /crio.conf.d/10-a: permission denied\nread /crio.conf.d/sub: permission denied")
	require.False(t, errors.Is(err, fs.ErrNotExist))
	want := []string{"unreadable /crio.conf none", "unreadable /crio.conf.d/10-a none", "unreadable /crio.conf.d/sub none"}
	if diff := cmp.Diff(want, codes(found)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	require.Equal(t, []string{"/crio.conf.d/20-b"}, names(c))
}

// A fading file system lists a file that is gone when it is opened, as it happens
// when another program removes one in between.
type fading struct {
	fstest.MapFS
	gone string
}

func (f fading) Open(name string) (fs.File, error) {
	if name == f.gone {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.MapFS.Open(name)
}

func TestLoadMeetsAFileThatGoesAway(t *testing.T) {
	fsys := fading{fstest.MapFS{
		"crio.conf.d/10-a": &fstest.MapFile{Data: []byte("[crio.runtime]\nlog_level = \"warn\"\n")},
		"crio.conf.d/20-b": &fstest.MapFile{Data: []byte("[crio.runtime]\nlog_level = \"debug\"\n")},
	}, "crio.conf.d/20-b"}
	c, findings, err := crioconf.Load(fsys, crioconf.Layout{DropInDir: "crio.conf.d"}, crioconf.Options{Version: schema.Newest()})
	require.NoError(t, err)
	require.Empty(t, findings)
	level, _ := crioconf.Get(c, schema.LogLevel)
	require.Equal(t, "warn", level)
}
