package migrate_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/migrate"
	"github.com/crioctl/crioctl-net/schema"
)

// pairs are all neighbouring releases in both directions, and some far ones.
func pairs() [][2]schema.Version {
	var list [][2]schema.Version
	v := func(minor int) schema.Version { return schema.Version{Major: 1, Minor: minor, Patch: schema.Latest} }
	for minor := 14; minor < 36; minor++ {
		list = append(list, [2]schema.Version{v(minor), v(minor + 1)}, [2]schema.Version{v(minor + 1), v(minor)})
	}
	for _, far := range [][2]int{{10, 16}, {12, 36}, {14, 36}, {18, 36}, {20, 31}, {24, 34}, {28, 33}, {36, 14}, {36, 18}, {31, 26}, {34, 28}, {24, 24}, {36, 36}} {
		list = append(list, [2]schema.Version{v(far[0]), v(far[1])})
	}
	return list
}

var all = flag.Bool("all", false, "migrate every file between all releases, not a part of them")

// TestAccountOfCorpus migrates other people's files between all those releases.
// Every key that changes must be announced.
func TestAccountOfCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "corpus")
	sets, err := os.ReadDir(root)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for i, set := range sets {
		if !set.IsDir() {
			continue
		}
		files := fstest.MapFS{}
		dir := os.DirFS(filepath.Join(root, set.Name()))
		require.NoError(t, fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(dir, name)
			files["etc/crio/"+strings.TrimPrefix(name, "etc/crio/")] = &fstest.MapFile{Data: data}
			return err
		}))
		t.Run(set.Name(), func(t *testing.T) { accounted(t, i, files) })
	}
}

func accounted(t *testing.T, n int, files fstest.MapFS) {
	for i, p := range pairs() {
		if !*all && (i+n)%4 > 0 {
			continue
		}
		q := question{from: p[0], to: p[1]}
		_, err := q.plan(files)
		if u := asUnannounced(err); u != nil {
			t.Errorf("%s to %s: %v", p[0], p[1], u)
		} else if err != nil && !strings.Contains(err.Error(), "the file has an error") {
			t.Errorf("%s to %s: %v", p[0], p[1], err)
		}
	}
}

// TestAccountOfRandomFiles does the same with files put together at random from
// the keys of all releases.
func TestAccountOfRandomFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 14))
	for n := range 40 {
		files := fstest.MapFS{"etc/crio/crio.conf": {Data: randomFile(r, anyKey)}}
		for i := range r.IntN(3) {
			files[fmt.Sprintf("etc/crio/crio.conf.d/%d0-x.conf", i)] = &fstest.MapFile{Data: randomFile(r, anyKey)}
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			accounted(t, n, files)
			if t.Failed() {
				for name, f := range files {
					t.Logf("%s:\n%s", name, f.Data)
				}
			}
		})
	}
}

func anyKey(*schema.Key) bool { return true }

// randomFile writes some keys with values that are built in somewhere, or not.
func randomFile(r *rand.Rand, takes func(*schema.Key) bool) []byte {
	tables := map[string][]string{}
	var order []string
	for _, k := range schema.All() {
		if k.Kind == schema.Entries || r.IntN(8) > 0 || !takes(k) || k.Path.HasPrefix([]string{"crio", "runtime", "hooks"}) || k == schema.WorkloadResources.Key {
			continue
		}
		p := k.Path
		if k.HasNames() {
			p = k.At([]string{"runc", "crun", "kata"}[r.IntN(3)])
		}
		table := p.Parent().String()
		if tables[table] == nil {
			order = append(order, table)
		}
		tables[table] = append(tables[table], p.Leaf()+" = "+randomValue(r, k))
	}
	var b strings.Builder
	for _, table := range order {
		fmt.Fprintf(&b, "[%s]\n# about the first key\n%s\n\n", table, strings.Join(tables[table], "\n"))
	}
	return []byte(b.String())
}

func randomValue(r *rand.Rand, k *schema.Key) string {
	if n := len(k.Defaults); n > 0 && r.IntN(3) > 0 {
		return crioconf.FormatValue(k.Defaults[r.IntN(n)].Value)
	}
	switch k.Kind {
	case schema.Bool:
		return []string{"true", "false"}[r.IntN(2)]
	case schema.Int, schema.Uint:
		return []string{"0", "50", "9000"}[r.IntN(3)]
	case schema.Duration:
		return `"30s"`
	case schema.Strings:
		return []string{"[]", `["a", "b=c"]`, `["registry.example.com"]`}[r.IntN(3)]
	case schema.StringMap:
		return `{ a = "b" }`
	}
	return []string{`""`, `"pod"`, `"runc"`, `"crun"`, `"/usr/bin/x"`, `"cgroupfs"`, `"overlay2"`, `"system.slice"`}[r.IntN(8)]
}

// acceptAll decides every step.
func acceptAll() []string {
	var codes []string
	for _, s := range migrate.Steps() {
		codes = append(codes, s.Code)
	}
	return codes
}

// TestDefaultFiles migrates the whole default file of a release, turned into a
// drop-in: nothing is left of it.
func TestDefaultFiles(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "facts", "defaults")
	names, err := filepath.Glob(filepath.Join(root, "crio-1.*.toml"))
	require.NoError(t, err)
	if len(names) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("no default files")
		}
		t.Skip("no default files")
	}
	for _, name := range names {
		from, err := schema.ParseVersion(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "crio-"), ".toml"))
		require.NoError(t, err)
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		for minor := from.Minor; minor <= 36; minor++ {
			to := schema.Version{Major: 1, Minor: minor, Patch: schema.Latest}
			t.Run(fmt.Sprintf("%s to %s", from, to), func(t *testing.T) {
				q := question{from: from, to: to, options: migrate.Options{Pinned: migrate.DropDefaults, ToDropIn: true, Accept: acceptAll()}}
				r, err := q.plan(fstest.MapFS{"etc/crio/crio.conf": {Data: src}})
				require.NoError(t, err)
				for _, f := range r.Files {
					if f.After != nil {
						t.Errorf("%s:\n%s", f.Name, f.After)
					}
				}
			})
		}
	}
}

// TestChains goes from one release to another at once and over a third: the
// effective configuration is the same. The files hold what the first release
// reads, for a key that it passes over may count in the third. They say nothing
// about handlers, which are written out with what each stop has built in.
func TestChains(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := range 20 {
		for _, c := range [][3]int{{18, 24, 31}, {20, 26, 36}, {22, 30, 34}, {28, 31, 35}, {17, 21, 28}} {
			var v [3]schema.Version
			for i, minor := range c {
				v[i] = schema.Version{Major: 1, Minor: minor, Patch: schema.Latest}
			}
			reads := func(k *schema.Key) bool {
				switch k {
				case schema.Conmon.Key, schema.ConmonCgroup.Key, schema.ConmonEnv.Key, schema.CgroupManager.Key, schema.DefaultRuntime.Key:
					return false
				}
				return k.In(v[0]) && !k.Path.HasPrefix(schema.Runtimes.Path)
			}
			files := fstest.MapFS{
				"etc/crio/crio.conf":             {Data: randomFile(r, reads)},
				"etc/crio/crio.conf.d/10-x.conf": {Data: randomFile(r, reads)},
			}
			o := migrate.Options{Pinned: migrate.KeepPinned, Accept: acceptAll()}
			direct, err := question{from: v[0], to: v[2], options: o}.plan(files)
			require.NoError(t, err)
			first, err := question{from: v[0], to: v[1], options: o}.plan(files)
			require.NoError(t, err)
			second, err := question{from: v[1], to: v[2], options: o}.plan(applied(files, first))
			require.NoError(t, err)
			for _, d := range direct.After.Diff(second.After) {
				t.Errorf("%d, %v: %s is %s at once and %s over a third", n, c, d.Path, crioconf.FormatValue(d.Before.V), crioconf.FormatValue(d.After.V))
			}
		}
	}
}

func applied(files fstest.MapFS, r *migrate.Result) fstest.MapFS {
	next := maps.Clone(files)
	for _, f := range r.Files {
		if f.After == nil {
			delete(next, f.Name)
		} else {
			next[f.Name] = &fstest.MapFile{Data: f.After}
		}
	}
	return next
}
