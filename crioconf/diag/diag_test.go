package diag_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

func TestRangeString(t *testing.T) {
	for want, r := range map[string]diag.Range{
		"":      {},
		"f":     {File: "f"},
		"f:3:7": {File: "f", Start: diag.Pos{Line: 3, Col: 7, Offset: 40}},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if r.IsZero() != (want == "") {
			t.Errorf("%q: IsZero is %v", want, r.IsZero())
		}
	}
}

func TestSeverity(t *testing.T) {
	require.Less(t, diag.Info, diag.Warning)
	require.Less(t, diag.Warning, diag.Error)
	b, err := json.Marshal([]diag.Severity{diag.Info, diag.Warning, diag.Error, 0})
	require.NoError(t, err)
	require.Equal(t, `["info","warning","error","severity(0)"]`, string(b))
}

func TestListQuestions(t *testing.T) {
	l := findings()
	require.Equal(t, diag.Error, l.Max())
	require.Equal(t, diag.Warning, l[:1].Max())
	require.Zero(t, l[:0].Max())
	require.Equal(t, 4, l.Count(diag.Error))
	require.True(t, l.Has(diag.Refused))
	require.False(t, l[:2].Has(diag.Refused))
}

func TestErr(t *testing.T) {
	l := findings()
	require.NoError(t, l[:1].Err(), "a warning is no error")
	require.EqualError(t, l[:2].Err(), dropIn+":2:1: no CRI-O version knows crio.runtime.log_levl")
	require.EqualError(t, l.Err(), dropIn+":2:1: no CRI-O version knows crio.runtime.log_levl (and 3 more)")
	require.EqualError(t, diag.List{{Severity: diag.Error, Summary: "s"}}.Err(), "s")
}

func TestSort(t *testing.T) {
	in := func(file string, offset int, code diag.Code, key string) diag.Diagnostic {
		return diag.Diagnostic{Code: code, Key: keypath.Path{key}, Range: diag.Range{File: file, Start: diag.Pos{Offset: offset}}}
	}
	want := diag.List{
		in("z.conf", 1, "b", ""), in("z.conf", 2, "a", ""), in("z.conf", 2, "b", "k"), in("z.conf", 2, "b", "l"),
		in("a.conf", 0, "a", ""),
		in("", 0, "a", ""), in("other.conf", 0, "a", ""),
	}
	for _, order := range [][]int{{6, 5, 4, 3, 2, 1, 0}, {3, 0, 6, 2, 5, 1, 4}} {
		var got diag.List
		for _, i := range order {
			got = append(got, want[i])
		}
		got.Sort([]string{"z.conf", "a.conf", "z.conf"})
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("order %v: -want +got\n%s", order, d)
		}
	}
}

func TestSortKeepsEqualsInOrder(t *testing.T) {
	l := diag.List{{Code: "c", Summary: "first"}, {Code: "c", Summary: "second"}}
	l.Sort(nil)
	require.Equal(t, "first", l[0].Summary)
}
