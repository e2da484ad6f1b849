package tomlfile_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// apply makes one change and returns the edited file.
func apply(f *tomlfile.File, do func(*tomlfile.Edit) error) (*tomlfile.File, error) {
	e := f.Edit()
	if err := do(e); err != nil {
		return nil, err
	}
	return e.Apply()
}

// The files of real nodes, each with every key of it: setting a value and
// setting the old one gives the same bytes, and every key can be deleted. So it
// is for a key that is added to each table and deleted.
func TestEditsOfRealFiles(t *testing.T) {
	parsed, keys := 0, 0
	for name, src := range corpus(t) {
		f, _ := tomlfile.Parse(name, src, tomlfile.V1_6_0)
		if f.Refused() != nil {
			continue
		}
		parsed++
		tables := map[string]bool{}
		for e := range f.Entries() {
			keys++
			roundTrip(t, f, e, tomlfile.DeleteMode(keys%2))
			if table := e.Path.Parent(); !tables[table.String()] {
				tables[table.String()] = true
				addAndDelete(t, f, table.Child("a_new_key"))
			}
		}
	}
	t.Logf("%d files, %d keys", parsed, keys)
	require.Greater(t, parsed, 50)
	require.Greater(t, keys, 1000)
}

func roundTrip(t *testing.T, f *tomlfile.File, e *tomlfile.Entry, how tomlfile.DeleteMode) {
	t.Helper()
	require := require.New(t)
	if e.Node.Type != tomlfile.Table {
		g, err := apply(f, func(x *tomlfile.Edit) error { return x.Set(e.Path, tomlfile.StringValue("a new value")) })
		require.NoError(err)
		require.Equal("a new value", g.Root().At(e.Path).Str)
		h, err := apply(g, func(x *tomlfile.Edit) error { return x.Set(e.Path, tomlfile.RawValue(e.Raw)) })
		require.NoError(err)
		require.Equal(string(f.Source()), string(h.Source()), "%s of %s set and set back", e.Path, f.Name())
	}
	g, err := apply(f, func(x *tomlfile.Edit) error { return x.Delete(e.Path, how) })
	require.NoError(err)
	require.Nil(g.Root().At(e.Path))
}

func addAndDelete(t *testing.T, f *tomlfile.File, p keypath.Path) {
	t.Helper()
	g, err := apply(f, func(x *tomlfile.Edit) error { return x.Set(p, tomlfile.BoolValue(true)) })
	require.NoError(t, err)
	h, err := apply(g, func(x *tomlfile.Edit) error { return x.Delete(p, tomlfile.KeepComment) })
	require.NoError(t, err)
	require.Equal(t, string(bytes.TrimRight(f.Source(), "\r\n")), string(bytes.TrimRight(h.Source(), "\r\n")),
		"%s of %s added and deleted", p, f.Name())
}

// Adding a table and deleting it gives the source back too.
func TestTablesOfRealFiles(t *testing.T) {
	for name, src := range corpus(t) {
		f, _ := tomlfile.Parse(name, src, tomlfile.V1_6_0)
		if f.Refused() != nil {
			continue
		}
		path := keypath.Path{"crio", "runtime", "runtimes", "a new one"}
		g, err := apply(f, func(x *tomlfile.Edit) error { return x.Set(path.Child("k"), tomlfile.BoolValue(true)) })
		require.NoError(t, err, name)
		h, err := apply(g, func(x *tomlfile.Edit) error { return x.DeleteTable(path, tomlfile.WithComment) })
		require.NoError(t, err, name)
		require.Equal(t, string(bytes.TrimRight(src, "\r\n")), string(bytes.TrimRight(h.Source(), "\r\n")), name)
		for _, table := range f.Tables() {
			if _, err := apply(f, func(x *tomlfile.Edit) error { return x.DeleteTable(table.Path, tomlfile.KeepComment) }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
