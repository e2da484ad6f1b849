package schema_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// valueFact is what the loaders of the last release of every minor from 1.18 to
// 1.36 said about a file with one key: which refused it, and what came out where
// it differs from the default.
type valueFact struct {
	Path      string   `json:"path"`
	Value     any      `json:"value"`
	Refused   []string `json:"refused"`
	Effective []struct {
		Versions []string `json:"versions"`
		Value    any      `json:"value"`
	} `json:"effective"`
}

func (f valueFact) effective(release string) (any, bool) {
	for _, e := range f.Effective {
		if slices.Contains(e.Versions, release) {
			return e.Value, true
		}
	}
	return nil, false
}

// The loader refuses these because of another key.
var judgedTogether = []string{
	"crio.api.stream_enable_tls", "crio.runtime.default_runtime", "crio.runtime.uid_mappings",
	"crio.runtime.gid_mappings", "crio.runtime.manage_ns_lifecycle", "crio.runtime.drop_infra_ctr",
}

func TestSingleValuesAsTheLoadersSay(t *testing.T) {
	checked := 0
	for _, f := range lines[valueFact](t, "values.jsonl") {
		if slices.Contains(judgedTogether, f.Path) {
			continue
		}
		k := schema.Find(keypath.MustParse(f.Path))
		for _, minor := range schema.Versions() {
			if !k.In(minor) {
				continue
			}
			checked++
			x := value(t, k.KindIn(minor), f.Value, minor)
			refused := false
			for _, broken := range k.Check(minor, x, nil) {
				refused = refused || broken.Stage == schema.Load
			}
			if want := slices.Contains(f.Refused, minor.Release()); refused != want {
				t.Errorf("%s = %v in %s: refused: want %v, got %v", f.Path, f.Value, minor, want, refused)
			}
			if refused {
				continue
			}
			want := f.after(t, k, minor)
			got, _ := k.Normal(minor, x, schema.Load)
			if got == "" && k.MergeIn(minor) == schema.KeepIfEmpty {
				got, _ = k.Default(minor)
			}
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s = %v in %s: -want +got\n%s", f.Path, f.Value, minor, d)
			}
		}
	}
	if checked < 3500 {
		t.Errorf("only %d answers compared", checked)
	}
}

func (f valueFact) after(t *testing.T, k *schema.Key, r schema.Version) any {
	if x, ok := f.effective(r.Release()); ok {
		return value(t, k.KindIn(r), x, r)
	}
	d, _ := k.Default(r)
	return d
}
