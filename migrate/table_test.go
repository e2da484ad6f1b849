package migrate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/migrate"
	"github.com/crioctl/crioctl-net/schema"
)

// releases are the newest patch releases that the lists speak of, oldest first,
// and the patch releases in which a built-in value changed.
func releases() []schema.Version {
	var list []schema.Version
	for minor := 8; minor <= 36; minor++ {
		list = append(list, schema.Version{Major: 1, Minor: minor, Patch: schema.Latest}.Patches()...)
	}
	return list
}

func TestEveryChangedDefaultIsListed(t *testing.T) {
	listed := map[*schema.Key]bool{}
	for _, d := range migrate.Defaults() {
		require.NotEmpty(t, d.Why, d.Code)
		require.False(t, listed[d.Key], "%s stands there twice", d.Key)
		listed[d.Key] = true
	}
	for _, k := range schema.All() {
		var last any
		known, changes := false, false
		for _, v := range releases() {
			d, ok := k.Default(v)
			if !ok {
				continue
			}
			if known && !crioconf.Equal(last, d) && k != schema.AppArmorProfile.Key {
				changes = true
			}
			last, known = d, true
		}
		if changes && !listed[k] {
			t.Errorf("the built-in value of %s changes, and Defaults does not say so", k)
		}
	}
}

func TestEveryRemovedKeyHasAStep(t *testing.T) {
	for _, k := range schema.All() {
		if k.Removed.IsZero() || k.Removed.Minor < 10 || k.Path.HasPrefix(schema.Hooks.Path) || k == schema.WorkloadResources.Key {
			continue
		}
		if !slices.ContainsFunc(migrate.Steps(), func(s migrate.Step) bool { return strings.Contains(s.Title+s.Text, k.Path.Leaf()) }) {
			t.Errorf("%s was removed in %s, and no step speaks of it", k, k.Removed)
		}
	}
}

func TestEveryStepAndBehaviourIsTested(t *testing.T) {
	names, err := filepath.Glob("testdata/*.golden")
	require.NoError(t, err)
	var all strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		all.Write(data)
	}
	for _, b := range migrate.Behaviours() {
		if !strings.Contains(all.String(), "behaviour: "+b.Code+"\n") {
			t.Errorf("no golden file has the behaviour %s", b.Code)
		}
	}
	seen := map[string]bool{}
	for _, s := range migrate.Steps() {
		require.False(t, seen[s.Code], "the code %s is used twice", s.Code)
		seen[s.Code] = true
		require.NotEmpty(t, s.Title, s.Code)
		require.NotEmpty(t, s.Text, s.Code)
		code := "[" + s.Code + "]"
		if s.Code == "pinned-default" {
			code = "[default-"
		}
		if !strings.Contains(all.String(), code) {
			t.Errorf("no golden file has the step %s", s.Code)
		}
	}
}
