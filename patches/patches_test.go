package patches

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
)

// sources is a small tree of the shape of CRI-O's.
func sources() map[string]string {
	return map[string]string{
		"pkg/config/config.go":        "package config\n\ntype RuntimeConfig struct {\n\tFirst bool\n}\n",
		"internal/criocli/criocli.go": "package criocli\n\nfunc flags() {\n}\n",
		"README.md":                   "not touched\n",
	}
}

// patched is what the patch of the tests makes of them.
func patched() map[string]string {
	after := sources()
	after["pkg/config/config.go"] = "package config\n\ntype RuntimeConfig struct {\n\tFirst bool\n\tDisableHostPortMapping bool\n}\n\n// The end.\n"
	after["internal/criocli/criocli.go"] = "// Beginning.\npackage criocli\n\nfunc flags() {\n}\n"
	after["server/removal.go"] = "package server\n"
	return after
}

const text = `Read the key.

diff --git a/internal/criocli/criocli.go b/internal/criocli/criocli.go
index 1..2 100644
--- a/internal/criocli/criocli.go
+++ b/internal/criocli/criocli.go
@@ -0,0 +1 @@
+// Beginning.
diff --git a/pkg/config/config.go b/pkg/config/config.go
index 1..2 100644
--- a/pkg/config/config.go
+++ b/pkg/config/config.go
@@ -4,0 +5 @@ type RuntimeConfig struct {
+	DisableHostPortMapping bool
@@ -5,0 +7,2 @@ type RuntimeConfig struct {
+
+// The end.
diff --git a/server/removal.go b/server/removal.go
new file mode 100644
index 0..1
--- /dev/null
+++ b/server/removal.go
@@ -0,0 +1 @@
+package server
`

func manifest(release string, before, after map[string]string, text string) Manifest {
	m := Manifest{Name: release + "-disable-hostport-mapping", Release: release, Tag: "v" + release, Commit: "c", Purpose: DisableHostportMapping, PatchSHA256: digest([]byte(text))}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] == after[name] {
			continue
		}
		f := File{Path: name, After: digest([]byte(after[name]))}
		if old, ok := before[name]; ok {
			f.Before = digest([]byte(old))
		}
		m.Files = append(m.Files, f)
	}
	return m
}

// box is a folder with one patch.
func box(t *testing.T, m Manifest, text string) fstest.MapFS {
	t.Helper()
	about, err := json.Marshal(m)
	require.NoError(t, err)
	return fstest.MapFS{m.Name + ".patch": {Data: []byte(text)}, m.Name + ".json": {Data: about}}
}

func example(t *testing.T) Patch {
	t.Helper()
	all, err := Read(box(t, manifest("1.24.6", sources(), patched(), text), text))
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(data), 0o644))
	}
}

// content is every file of a tree, with links told and not followed.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(name)
			files[rel] = "-> " + to
			return err
		}
		data, err := os.ReadFile(name)
		files[rel] = string(data)
		return err
	}))
	return files
}

// treeOf makes a source tree on disk.
func treeOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, files)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "server"), 0o755))
	return dir
}

func TestApply(t *testing.T) {
	p := example(t)
	dir := treeOf(t, sources())
	script := filepath.Join(dir, "pkg/config/config.go")
	require.NoError(t, os.Chmod(script, 0o751))

	r, err := p.Check(dir)
	require.NoError(t, err)
	require.Equal(t, Fits, r.State)
	require.Empty(t, cmp.Diff(sources(), content(t, dir)), "Check writes nothing")

	r, err = p.Apply(dir)
	require.NoError(t, err)
	require.Equal(t, Fits, r.State, "the state before")
	require.Empty(t, cmp.Diff(patched(), content(t, dir)))
	info, err := os.Stat(script)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o751), info.Mode())

	r, err = p.Apply(dir)
	require.NoError(t, err)
	require.Equal(t, Applied, r.State)
	require.Empty(t, cmp.Diff(patched(), content(t, dir)))
}

// TestApplyEndsWhatWasBegun has the states that a killed run leaves.
func TestApplyEndsWhatWasBegun(t *testing.T) {
	p := example(t)
	for _, done := range []string{"pkg/config/config.go", "internal/criocli/criocli.go", "server/removal.go"} {
		t.Run(done, func(t *testing.T) {
			files := sources()
			files[done] = patched()[done]
			files[staged("pkg/config/config.go")] = "half of"
			r, err := p.Apply(treeOf(t, files))
			require.NoError(t, err)
			require.Equal(t, Partly, r.State)
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	const victim = "pkg/config/config.go"
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, dir string)
		want   string
	}{
		{"another content", func(t *testing.T, dir string) {
			writeFiles(t, dir, map[string]string{victim: "package config\n"})
		}, victim + ": its content is another one"},
		{"one byte more", func(t *testing.T, dir string) {
			writeFiles(t, dir, map[string]string{victim: sources()[victim] + "\n"})
		}, victim + ": its content is another one"},
		{"CR LF", func(t *testing.T, dir string) {
			writeFiles(t, dir, map[string]string{victim: strings.ReplaceAll(sources()[victim], "\n", "\r\n")})
		}, victim + ": its lines end with CR LF"},
		{"missing", func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, victim)))
		}, victim + ": it is missing"},
		{"the new file is there", func(t *testing.T, dir string) {
			writeFiles(t, dir, map[string]string{"server/removal.go": "package other\n"})
		}, "server/removal.go: it is there, and the patch makes it"},
		{"a directory", func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, victim)))
			require.NoError(t, os.Mkdir(filepath.Join(dir, victim), 0o755))
		}, victim + ": it is not a regular file"},
		{"a link to the same content inside", func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, victim), filepath.Join(dir, "real.go")))
			require.NoError(t, os.Symlink("../../real.go", filepath.Join(dir, victim)))
		}, victim + ": it is not a regular file"},
		{"a folder that is a link to outside", func(t *testing.T, dir string) {
			outside := filepath.Join(t.TempDir(), "pkg")
			require.NoError(t, os.Rename(filepath.Join(dir, "pkg"), outside))
			require.NoError(t, os.Symlink(outside, filepath.Join(dir, "pkg")))
		}, victim + ": path escapes from parent"},
		{"too large", func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, victim), 5<<20))
		}, victim + ": it has 5 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := example(t)
			dir := treeOf(t, sources())
			tt.change(t, dir)
			before := content(t, dir)
			r, err := p.Apply(dir)
			var differ *DifferError
			require.ErrorAs(t, err, &differ)
			require.Equal(t, Differs, r.State)
			require.EqualError(t, err, "this is not the source of CRI-O 1.24.6: "+tt.want)
			require.Empty(t, cmp.Diff(before, content(t, dir)), "nothing is touched")
			r, err = p.Check(dir)
			require.NoError(t, err)
			require.Equal(t, Differs, r.State)
		})
	}
	t.Run("no directory", func(t *testing.T) {
		p := example(t)
		_, err := p.Apply(filepath.Join(t.TempDir(), "nowhere"))
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
}

// faulty fails in its nth change.
type faulty struct {
	tree
	left    int
	sticky  bool // and in every one after it
	reached bool
}

var errFault = errors.New("no space left")

func (f *faulty) fault() error {
	f.left--
	if f.left == 0 || f.sticky && f.left < 0 {
		f.reached = true
		return errFault
	}
	return nil
}

func (f *faulty) read(name string) ([]byte, fs.FileMode, error) {
	data, mode, err := f.tree.read(name)
	return data, mode, errors.Join(err)
}

func (f *faulty) stage(name string, data []byte, mode fs.FileMode) error {
	if err := f.fault(); err != nil {
		// As a full disk does: a part is there.
		return errors.Join(f.tree.stage(name, data[:len(data)/2], mode), err)
	}
	return f.tree.stage(name, data, mode)
}

func (f *faulty) rename(from, to string) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.tree.rename(from, to)
}

// TestApplyIsAllOrNothing lets each step fail in turn.
func TestApplyIsAllOrNothing(t *testing.T) {
	p := example(t)
	for step := 1; ; step++ {
		dir := treeOf(t, sources())
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		defer root.Close()
		f := &faulty{tree: rootTree{root}, left: step}
		_, err = p.apply(f)
		if !f.reached {
			require.NoError(t, err)
			require.Equal(t, 7, step, "three files, each written and put in place")
			require.Empty(t, cmp.Diff(patched(), content(t, dir)))
			return
		}
		require.ErrorIs(t, err, errFault, "step %d", step)
		var undo *UndoError
		require.False(t, errors.As(err, &undo))
		require.Empty(t, cmp.Diff(sources(), content(t, dir)), "step %d", step)
	}
}

// TestApplyTellsWhatItCouldNotUndo lets the way back fail as well.
func TestApplyTellsWhatItCouldNotUndo(t *testing.T) {
	p := example(t)
	dir := treeOf(t, sources())
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	_, err = p.apply(&faulty{tree: rootTree{root}, left: 6, sticky: true})
	var undo *UndoError
	require.ErrorAs(t, err, &undo)
	require.ErrorContains(t, err, "put internal/criocli/criocli.go back: no space left")
	require.ErrorContains(t, err, "put pkg/config/config.go back: no space left")
	r, err := p.Apply(dir)
	require.NoError(t, err, "the next run ends it")
	require.Equal(t, Partly, r.State)
	require.Empty(t, cmp.Diff(patched(), content(t, dir)))
}

// meddler changes a file after it was read.
type meddler struct {
	tree
	dir string
}

func (m meddler) stage(name string, data []byte, mode fs.FileMode) error {
	return errors.Join(os.WriteFile(filepath.Join(m.dir, "pkg/config/config.go"), []byte("mine\n"), 0o644), m.tree.stage(name, data, mode))
}

func TestApplyKeepsWhatSomebodyElseWrites(t *testing.T) {
	p := example(t)
	dir := treeOf(t, sources())
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	_, err = p.apply(meddler{rootTree{root}, dir})
	require.ErrorContains(t, err, "pkg/config/config.go was changed by somebody else meanwhile")
	want := sources()
	want["pkg/config/config.go"] = "mine\n"
	require.Empty(t, cmp.Diff(want, content(t, dir)))
}

func TestReadRefuses(t *testing.T) {
	good := func() (Manifest, string) { return manifest("1.24.6", sources(), patched(), text), text }
	replaced := func(old, new string) func() (Manifest, string) {
		return func() (Manifest, string) {
			changed := strings.Replace(text, old, new, 1)
			if changed == text {
				panic(old)
			}
			return manifest("1.24.6", sources(), patched(), changed), changed
		}
	}
	edited := func(edit func(*Manifest)) func() (Manifest, string) {
		return func() (Manifest, string) {
			m, text := good()
			edit(&m)
			return m, text
		}
	}
	for _, tt := range []struct {
		name string
		make func() (Manifest, string)
		want string
	}{
		{"another digest", func() (Manifest, string) { m, _ := good(); return m, text + "\n" }, "its SHA-256 is"},
		{"a removed line", replaced("@@ -4,0 +5 @@ type RuntimeConfig struct {\n", "@@ -4 +5 @@\n-	First bool\n"), "has context or removes lines"},
		{"context", replaced("@@ -4,0 +5 @@ type RuntimeConfig struct {\n", "@@ -4,1 +5,2 @@\n 	First bool\n"), "has context or removes lines"},
		{"a wrong count", replaced("+7,2 @@", "+7,3 @@"), "fewer than 3 added lines"},
		{"a line too many", replaced("+// The end.\n", "+// The end.\n+// And more.\n"), "is no part of a diff"},
		{"a wrong place", replaced("@@ -5,0 +7,2 @@", "@@ -5,0 +6,2 @@"), "begin at 7 and not at 6"},
		{"not in order", replaced("@@ -5,0 +7,2 @@", "@@ -4,0 +6,2 @@"), "not in order"},
		{"a count that is none", replaced("@@ -5,0 +7,2 @@", "@@ -5,0 +99999999999999999999,2 @@"), "out of range"},
		{"outside", replaced("+++ b/server/removal.go", "+++ b/../removal.go"), "no file of the source tree"},
		{"absolute", replaced("+++ b/server/removal.go", "+++ /etc/passwd"), "no file of the source tree"},
		{"a renamed file", replaced("--- a/pkg/config/config.go", "--- a/pkg/config/other.go"), "is not the file of the line before"},
		{"a deleted file", replaced("new file mode 100644", "deleted file mode 100644"), "is no part of a diff"},
		{"an executable", replaced("new file mode 100644", "new file mode 100755"), "is no part of a diff"},
		{"no end of the last line", replaced("+package server\n", "+package server\n\\ No newline at end of file\n"), "is no part of a diff"},
		{"no file", func() (Manifest, string) { m := manifest("1.24.6", nil, nil, "x\n"); return m, "x\n" }, "it changes no file"},
		{"a file that is not told", edited(func(m *Manifest) { m.Files = m.Files[1:] }), "its manifest lists"},
		{"a file too many", edited(func(m *Manifest) { m.Files = append(m.Files, File{"x", digest(nil), digest([]byte("x"))}) }), "its manifest lists"},
		{"no digest", edited(func(m *Manifest) { m.Files[0].After = "x" }), "no SHA-256 of"},
		{"nothing changes", edited(func(m *Manifest) { m.Files[0].Before = m.Files[0].After }), "does not change"},
		{"new or not", edited(func(m *Manifest) { m.Files[0].Before = "" }), "do not agree"},
		{"no patch number", edited(func(m *Manifest) { m.Release = "1.24" }), "without a patch number"},
		{"no release", edited(func(m *Manifest) { m.Release = "x" }), "its manifest: version"},
		{"an odd purpose", edited(func(m *Manifest) { m.Purpose = "other" }), "unknown purpose"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, text := tt.make()
			_, err := Read(box(t, m, text))
			require.ErrorContains(t, err, tt.want)
		})
	}
	m, text := good()
	about, err := json.Marshal(m)
	require.NoError(t, err)
	for _, tt := range []struct {
		name  string
		files fstest.MapFS
		want  string
	}{
		{"no manifest", fstest.MapFS{"a.patch": {Data: []byte(text)}}, "a.patch: open a.json"},
		{"no patch", fstest.MapFS{"a.json": {Data: about}}, "there is no a.patch"},
		{"another name", fstest.MapFS{"a.json": {Data: about}, "a.patch": {Data: []byte(text)}}, "calls it"},
		{"an unknown field", fstest.MapFS{"a.json": {Data: []byte(`{"x":1}`)}, "a.patch": {Data: []byte(text)}}, "unknown field"},
		{"no JSON", fstest.MapFS{"a.json": {Data: []byte(`x`)}, "a.patch": {Data: []byte(text)}}, "its manifest"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(tt.files)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// TestApplyChecksWhatItMakes has a manifest whose "after" is not what the patch
// makes.
func TestApplyChecksWhatItMakes(t *testing.T) {
	m := manifest("1.24.6", sources(), patched(), text)
	m.Files[1].After = digest([]byte("other"))
	all, err := Read(box(t, m, text))
	require.NoError(t, err)
	dir := treeOf(t, sources())
	_, err = all[0].Apply(dir)
	require.ErrorContains(t, err, "would not become what the manifest says")
	require.Empty(t, cmp.Diff(sources(), content(t, dir)))
}

func TestFind(t *testing.T) {
	var all []Patch
	for _, r := range []string{"1.18.2", "1.18.6", "1.24.6"} {
		v, err := schema.ParseVersion(r)
		require.NoError(t, err)
		all = append(all, Patch{Manifest: Manifest{Release: r, Purpose: DisableHostportMapping}, Version: v})
	}
	for _, tt := range []struct{ want, release string }{
		{"1.18", "1.18.6"}, {"1.18.2", "1.18.2"}, {"v1.24.6", "1.24.6"}, {"1.24", "1.24.6"},
	} {
		v, err := schema.ParseVersion(tt.want)
		require.NoError(t, err)
		p, err := Find(all, DisableHostportMapping, v)
		require.NoError(t, err)
		require.Equal(t, tt.release, p.Release)
	}
	for _, tt := range []struct{ want, text string }{
		{"1.18.3", "no patch for this release: disable-hostport-mapping 1.18.3; of this minor there is one for 1.18.2 and 1.18.6"},
		{"1.30", "no patch for this release: disable-hostport-mapping 1.30"},
	} {
		v, err := schema.ParseVersion(tt.want)
		require.NoError(t, err)
		_, err = Find(all, DisableHostportMapping, v)
		require.ErrorIs(t, err, ErrNoPatch)
		require.EqualError(t, err, tt.text)
	}
	_, err := Find(all, RemoveWhileDisabled, all[0].Version)
	require.ErrorIs(t, err, ErrNoPatch)
}

// TestGitWritesTheSame lets git make diffs of random files with random lines
// added, and puts them in.
func TestGitWritesTheSame(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("CI needs git")
		}
		t.Skip("no git")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		var before, after bytes.Buffer
		for line := range r.IntN(30) {
			fmt.Fprintf(&before, "line %d\n", line)
		}
		for line := range bytes.Lines(before.Bytes()) {
			for n := range max(0, r.IntN(8)-5) {
				fmt.Fprintf(&after, "added %d.%d\n", r.IntN(1000), n)
			}
			after.Write(line)
		}
		after.WriteString("the last\n")
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{"a/x.go": before.String(), "b/x.go": after.String()})
		cmd := exec.Command(git, "diff", "--no-index", "-U0", "--no-color", "--no-ext-diff", "--src-prefix=", "--dst-prefix=", "a/x.go", "b/x.go")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		diff, _ := cmd.Output() // 1 says that there is a difference
		files, err := parse(diff)
		require.NoError(t, err, "%s", diff)
		got, err := files[0].apply(before.Bytes())
		require.NoError(t, err)
		require.Equal(t, after.String(), string(got), "round %d:\n%s", i, diff)
	}
}

func TestInsertsKnowTheirLimits(t *testing.T) {
	f := fileInserts{path: "x", inserts: []insert{{after: 2, lines: []byte("new\n")}}}
	_, err := f.apply([]byte("one\n"))
	require.EqualError(t, err, "x has 1 lines and no line 2")
	_, err = f.apply([]byte("one\ntwo"))
	require.EqualError(t, err, "the last line of x has no end")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(text), []byte("a\nb\nc\nd\ne\n"))
	f.Fuzz(func(t *testing.T, diff, old []byte) {
		files, err := parse(diff)
		if err != nil {
			return
		}
		for _, in := range files {
			got, err := in.apply(old)
			if err == nil && len(got) <= len(old) {
				t.Fatalf("nothing was added to %q", old)
			}
		}
	})
}

// TestFolder holds the patches of this folder to their promises. Read, which is
// tested above, refuses what is not added only, does not match its digest, or
// changes a file that its manifest does not list, and the other way round.
func TestFolder(t *testing.T) {
	all, err := All()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	has := map[Purpose]map[string]bool{}
	for i := range all {
		p := &all[i]
		if has[p.Purpose] == nil {
			has[p.Purpose] = map[string]bool{}
		}
		has[p.Purpose][p.Version.Release()] = true
		t.Run(p.Name, func(t *testing.T) {
			require.Equal(t, p.Release+"-"+string(p.Purpose), p.Name)
			require.Equal(t, "v"+p.Release, p.Tag)
			require.Regexp(t, "^[0-9a-f]{40}$", p.Commit)
			sum := sha256.Sum256(p.Text)
			require.Equal(t, p.PatchSHA256, hex.EncodeToString(sum[:]))
			reads := schema.DisableHostportMapping.In(p.Version)
			require.Equal(t, p.Purpose == RemoveWhileDisabled, reads, "the purpose fits the release")
			if p.Purpose == DisableHostportMapping {
				require.Contains(t, string(p.Text), `toml:"disable_hostport_mapping"`)
				require.Contains(t, string(p.Text), "disable-hostport-mapping")
				require.Contains(t, string(p.Text), "DISABLE_HOSTPORT_MAPPING")
			}
			for _, line := range strings.Split(string(p.Text), "\n") {
				// What git puts behind the numbers is a line of CRI-O's.
				require.False(t, strings.HasPrefix(line, "@@") && !strings.HasSuffix(line, "@@"), "%s", line)
				require.False(t, strings.HasPrefix(line, " ") || strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--- "), "%s", line)
			}
		})
	}
	for _, v := range schema.Versions() {
		purpose := DisableHostportMapping
		if schema.DisableHostportMapping.In(v) {
			purpose = RemoveWhileDisabled
		}
		require.Equal(t, schema.DisableHostportMapping.SupportIn(v) != schema.Unsupported, has[purpose][v.Release()], "%s for %s", purpose, v.Release())
	}
}
