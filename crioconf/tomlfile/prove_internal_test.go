package tomlfile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// The proof step must stop results that are not what an edit was to make. No
// edit is known to make one, so they are made here.
func TestProofStopsWrongResults(t *testing.T) {
	one := &Node{Type: Integer, Int: 1}
	set := func(p string, v *Node) []change { return []change{{keypath.MustParse(p), v}} }
	tests := []struct {
		name, before, after string
		changes             []change
		want                string // "" when it is right
		second              string // the same of the second opinion
	}{
		{"right", "[a]\n", "[a]\nx = 1\n", set("a.x", one), "", ""},
		{"right in a new table", "", "[a.b]\nx = 1\n", set("a.b.x", one), "", ""},
		{"right and gone", "a.x = 1\n", "", set("a.x", nil), "", ""},
		{"other value", "[a]\n", "[a]\nx = 2\n", set("a.x", one), "the result would differ in a.x", "edit f: to another TOML parser the result differs in a.x too"},
		{"other type", "[a]\n", "[a]\nx = 1.0\n", set("a.x", one), "the result would differ in a.x", "edit f: to another TOML parser the result differs in a.x too"},
		{"other key", "[a]\n", "[a]\ny = 1\n", set("a.x", one), "the result would differ in a.x", "edit f: to another TOML parser the result differs in a.x too"},
		{"one key too many", "[a]\n", "[a]\nx = 1\ny = 1\n", set("a.x", one), "the result would differ in a.y", "edit f: to another TOML parser the result differs in a.y too"},
		{"another key gone", "[a]\ny = 1\n", "[a]\nx = 1\n", set("a.x", one), "the result would differ in a.y", "edit f: to another TOML parser the result differs in a.y too"},
		{"other table", "[a]\n[b]\n", "[a]\n[b]\nx = 1\n", set("a.x", one), "the result would differ in a.x", "edit f: to another TOML parser the result differs in a.x too"},
		{"still there", "[a]\nx = 1\n", "[a]\nx = 1\n", set("a.x", nil), "the result would differ in a.x", "edit f: to another TOML parser the result differs in a.x too"},
		{"header gone with its last key", "[a]\nx = 1\n", "", set("a.x", nil), "the result would differ in a", ""},
		{"change where none is due", "a = 1\n", "a = 2\n", nil, "the result would differ in the document", "edit f: to another TOML parser the result differs in the document too"},
		{"value in the way", "a = 1\n", "a = 1\n", set("a.x", one), "the result would differ in a", "edit f: to another TOML parser the result differs in a too"},
		{"no TOML", "a = 1\n", "a = \n", set("a", one), "the result would not be TOML: f:1:1: a has no value", ""},
		{"lost value", "a.x = 1\n", "a.x = 1\na = 1\n", nil, "the result would lose a value", ""},
		{"no TOML to others", "[a.b]\n[a]\n", "[a.b]\n[a]\nb.x = 1\n", set("a.b.x", one), "", "edit f: another TOML parser does not read the result"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, _ := Parse("f", []byte(tt.before), V1_6_0)
			after, _ := Parse("f", []byte(tt.after), V1_6_0)
			if err := prove(before, after, tt.changes); tt.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, tt.want)
			}
			if tt.name == "no TOML" || tt.name == "lost value" {
				return // not asked then
			}
			if err := secondOpinion(before, after, tt.changes); tt.second == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tt.second)
			}
		})
	}
}

func TestSplicesMustNotOverlap(t *testing.T) {
	_, err := splicesOver("abcdef", []splice{{span{2, 4}, "x"}, {span{1, 3}, "y"}})
	require.EqualError(t, err, "two changes of one place")
	text, err := splicesOver("abcdef", []splice{{span{4, 5}, "x"}, {span{1, 3}, "y"}})
	require.NoError(t, err)
	require.Equal(t, "aydxf", text)
}
