package schema_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// fact is what was read of one key in the sources of all release tags,
// independently of the declarations.
type fact struct {
	Path       string            `json:"path"`
	Type       string            `json:"type"`
	First      string            `json:"introduced_tag"`
	FullSince  string            `json:"full_since_minor"`
	Backports  map[string]string `json:"patch_introductions"`
	Removed    string            `json:"removed_tag"`
	Types      []typeFact        `json:"type_history"`
	Defaults   []defaultFact     `json:"defaults"`
	Hidden     bool              `json:"cli_hidden"`
	Flag       string            `json:"cli_flag"`
	FlagSince  string            `json:"cli_since_tag"`
	Flags      []flagFact        `json:"cli_history"`
	Env        []string          `json:"env"`
	Envs       []envFact         `json:"env_history"`
	Reload     bool              `json:"live_reload"`
	Reloads    string            `json:"live_reload_since"`
	Deprecated string            `json:"deprecated_since"`
	ReplacedBy string            `json:"replaced_by"`
	Misplaced  *misplacedFact    `json:"misplaced_in_generated_file"`
}

type typeFact struct {
	Since string `json:"since"`
	Type  string `json:"type"`
}

type defaultFact struct {
	Since string `json:"since"`
	Value any    `json:"value"`
}

type flagFact struct {
	Since string  `json:"since"`
	Flag  *string `json:"flag"`
}

type envFact struct {
	Since string   `json:"since"`
	Env   []string `json:"env"`
}

type misplacedFact struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Under string `json:"appears_under"`
}

type releaseFact struct {
	Minor     string   `json:"minor"`
	Tags      []string `json:"tags"`
	Runtime   string   `json:"default_runtime"`
	FirstTOML string   `json:"toml_library_first_tag"`
	LastTOML  string   `json:"toml_library_last_tag"`
	FirstKeys int      `json:"keys_first_tag"`
	LastKeys  int      `json:"keys_last_tag"`
}

func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer f.Close()
	var all []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var one T
		require.NoError(t, json.Unmarshal(s.Bytes(), &one))
		all = append(all, one)
	}
	require.NoError(t, s.Err())
	require.NotEmpty(t, all)
	return all
}

// everyRelease returns every known patch release.
func everyRelease(t *testing.T) []schema.Version {
	var all []schema.Version
	for _, r := range lines[releaseFact](t, "releases.jsonl") {
		for _, tag := range r.Tags {
			all = append(all, v(t, tag))
		}
	}
	return all
}

var kinds = map[string]schema.Kind{
	"bool": schema.Bool, "int": schema.Int, "int64": schema.Int, "uint64": schema.Uint, "string": schema.String,
	"[]string": schema.Strings, "map of string": schema.StringMap, "duration-string": schema.Duration,
	"map of table": schema.Entries,
}

func TestEveryKeyIsDeclaredOnce(t *testing.T) {
	var want, got []string
	for _, f := range lines[fact](t, "keys.jsonl") {
		want = append(want, f.Path)
	}
	for _, k := range schema.All() {
		got = append(got, k.String())
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestReleasesThatReadAKey(t *testing.T) {
	all := everyRelease(t)
	for _, f := range lines[fact](t, "keys.jsonl") {
		k := schema.Find(keypath.MustParse(f.Path))
		require.NotNil(t, k, f.Path)
		for _, r := range all {
			if want := f.in(t, r); want != k.In(r) {
				t.Errorf("%s in %s: want %v", f.Path, r, want)
			}
		}
		require.Equal(t, v(t, f.First), k.Since[0], f.Path)
	}
}

// in works out from the facts whether release r reads the key.
func (f fact) in(t *testing.T, r schema.Version) bool {
	if f.Removed != "" && !r.Less(v(t, f.Removed)) {
		return false
	}
	if tag, ok := f.Backports[r.Release()]; ok {
		return !r.Less(v(t, tag))
	}
	first := v(t, f.First)
	if _, ok := f.Backports[first.Release()]; !ok && first.Release() == r.Release() {
		return !r.Less(first)
	}
	return f.FullSince != "" && !r.Less(v(t, f.FullSince+".0"))
}

func TestNumberOfKeysPerRelease(t *testing.T) {
	for _, r := range lines[releaseFact](t, "releases.jsonl") {
		first, last := v(t, r.Tags[0]), v(t, r.Tags[len(r.Tags)-1])
		if got := len(schema.For(first).Keys()); got != r.FirstKeys {
			t.Errorf("%s: want %d keys, got %d", first, r.FirstKeys, got)
		}
		if got := len(schema.For(last).Keys()); got != r.LastKeys {
			t.Errorf("%s: want %d keys, got %d", last, r.LastKeys, got)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, f := range lines[fact](t, "keys.jsonl") {
		k := schema.Find(keypath.MustParse(f.Path))
		require.Equal(t, kinds[f.Type], k.Kind, f.Path)
		for _, h := range f.Types {
			require.Equal(t, kinds[h.Type], k.KindIn(v(t, h.Since)), "%s since %s", f.Path, h.Since)
		}
	}
}

func TestDefaultsSince(t *testing.T) {
	for _, f := range lines[fact](t, "keys.jsonl") {
		k := schema.Find(keypath.MustParse(f.Path))
		for _, d := range f.Defaults {
			since := v(t, first(d.Since))
			got, ok := k.Default(since)
			if !ok {
				// A default of the minor, for a key that came with a later patch.
				require.Truef(t, k.In(v(t, since.Release())), "%s in %s", f.Path, since)
				got, _ = k.Default(v(t, since.Release()))
			}
			want := value(t, k.KindIn(since), d.Value, since)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s in %s: -want +got\n%s", f.Path, since, diff)
			}
		}
		if len(f.Defaults) == 0 && k.In(k.Since[0]) {
			got, _ := k.Default(k.Since[0])
			if diff := cmp.Diff(k.KindIn(k.Since[0]).Zero(), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: -want +got\n%s", f.Path, diff)
			}
		}
	}
}

// first turns a minor into its first release.
func first(s string) string {
	if strings.Count(s, ".") == 1 {
		return s + ".0"
	}
	return s
}

// value converts a JSON value to the Go type of a kind.
func value(t *testing.T, kind schema.Kind, x any, at schema.Version) any {
	t.Helper()
	switch x := x.(type) {
	case nil:
		return kind.Zero()
	case float64:
		if kind == schema.Uint {
			return uint64(x)
		}
		return int64(x)
	case []any:
		list := []string{}
		for _, e := range x {
			list = append(list, e.(string))
		}
		return list
	case map[string]any:
		if kind == schema.Entries {
			return []string{}
		}
		table := map[string]string{}
		for name, e := range x {
			table[name] = e.(string)
		}
		return table
	case string:
		switch kind {
		case schema.Duration:
			d, err := time.ParseDuration(x)
			require.NoError(t, err)
			return d
		case schema.Bool:
			require.Contains(t, x, "host-dependent")
			return false
		}
		return strings.ReplaceAll(x, "<crio version>", at.String())
	}
	return x
}

func TestFlagsAndVariables(t *testing.T) {
	all := everyRelease(t)
	for _, f := range lines[fact](t, "keys.jsonl") {
		k := schema.Find(keypath.MustParse(f.Path))
		require.Equal(t, f.Hidden && f.Flag != "", k.FlagHidden, f.Path)
		for _, r := range all {
			if !k.In(r) {
				require.Emptyf(t, k.Flag(r), "%s in %s", f.Path, r)
				require.Emptyf(t, k.EnvIn(r), "%s in %s", f.Path, r)
				continue
			}
			require.Equalf(t, f.flagIn(t, r), k.Flag(r), "%s in %s", f.Path, r)
			if d := cmp.Diff(f.envIn(t, r), k.EnvIn(r), cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%s in %s: -want +got\n%s", f.Path, r, d)
			}
		}
	}
}

func (f fact) flagIn(t *testing.T, r schema.Version) string {
	flag := ""
	if f.FlagSince != "" && !r.Less(v(t, f.FlagSince)) {
		flag = f.Flag
	}
	for _, h := range f.Flags {
		if !r.Less(v(t, h.Since)) {
			flag = ""
			if h.Flag != nil {
				flag = *h.Flag
			}
		}
	}
	return flag
}

func (f fact) envIn(t *testing.T, r schema.Version) []string {
	if len(f.Envs) == 0 && f.FlagSince != "" && !r.Less(v(t, f.FlagSince)) {
		return f.Env
	}
	var env []string
	for _, h := range f.Envs {
		if !r.Less(v(t, h.Since)) {
			env = h.Env
		}
	}
	return env
}

func TestReloadClasses(t *testing.T) {
	all := everyRelease(t)
	for _, f := range lines[fact](t, "keys.jsonl") {
		k := schema.Find(keypath.MustParse(f.Path))
		require.Equal(t, f.Reload, !k.ReloadSince.IsZero(), f.Path)
		if !f.Reload {
			continue
		}
		since := v(t, f.Reloads+".0")
		if f.Reloads == "1.25" {
			// SIGHUP takes over handlers since 1.25.1 (cri-o pkg/config/reload.go).
			since = v(t, "1.25.1")
		}
		for _, r := range all {
			want := schema.Restart
			if !r.Less(since) {
				want = schema.SIGHUP
			}
			require.Equalf(t, want, k.ReloadIn(r), "%s in %s", f.Path, r)
		}
	}
}

func TestDeprecationsAndSuccessors(t *testing.T) {
	for _, f := range lines[fact](t, "keys.jsonl") {
		k := schema.Find(keypath.MustParse(f.Path))
		want := schema.Version{}
		if f.Deprecated != "" {
			want = v(t, f.Deprecated+".0")
			require.True(t, k.DeprecatedIn(want), f.Path)
		}
		require.Equal(t, want, k.Deprecated, f.Path)
		require.Equal(t, f.ReplacedBy, k.ReplacedBy, f.Path)
	}
}

func TestMisplacedKeys(t *testing.T) {
	for _, f := range lines[fact](t, "keys.jsonl") {
		k := schema.Find(keypath.MustParse(f.Path))
		require.Equal(t, f.Misplaced != nil, k.Misplaced != nil, f.Path)
		if f.Misplaced == nil {
			continue
		}
		under := strings.Replace(f.Misplaced.Under, "<default runtime>", "*", 1)
		require.Equal(t, under, k.Misplaced.Table.String(), f.Path)
		from, to := v(t, f.Misplaced.From), v(t, f.Misplaced.To)
		for _, minor := range schema.Versions() {
			want := minor.Minor >= from.Minor && minor.Minor <= to.Minor
			require.Equalf(t, want, k.Misplaced.Has(minor), "%s in %s", f.Path, minor)
		}
	}
}

func TestReleases(t *testing.T) {
	var minors []string
	for _, r := range lines[releaseFact](t, "releases.jsonl") {
		last := v(t, r.Tags[len(r.Tags)-1])
		require.Equal(t, last, v(t, r.Minor).Known())
		var tags []string
		for _, p := range last.Patches() {
			tags = append(tags, "v"+p.String())
		}
		require.Equal(t, r.Tags, tags)
		if last.Minor >= 12 {
			require.Equal(t, r.Runtime, schema.For(last).BuiltinRuntime())
		}
		if last.Exact() {
			minors = append(minors, r.Minor)
		}
		for i, tag := range []string{r.Tags[0], r.Tags[len(r.Tags)-1]} {
			if toml := []string{r.FirstTOML, r.LastTOML}[i]; toml != "" {
				want := strings.TrimPrefix(strings.Replace(toml, "1.2.0", "1.2.1", 1), "v")
				require.Equal(t, want, schema.For(v(t, tag)).Dialect().String(), tag)
			}
		}
	}
	var got []string
	for _, m := range schema.Versions() {
		got = append(got, m.Release())
	}
	require.Equal(t, minors, got)
	require.Equal(t, "1.36.3", schema.Newest().String())
}
