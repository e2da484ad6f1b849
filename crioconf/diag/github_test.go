package diag_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, diag.GitHub(&b, findings()))
	golden(t, "github.golden", b.Bytes())
}

func TestGitHubEscapes(t *testing.T) {
	several := diag.Range{File: "f", Start: diag.Pos{Line: 2, Col: 3}, End: diag.Pos{Line: 4, Col: 1}}
	tests := []struct {
		what string
		in   diag.Diagnostic
		want string
	}{
		{
			"marks of the message", diag.Diagnostic{Code: "c", Severity: diag.Error, Summary: "50% of a:b, c", Detail: "one\ntwo\r\n::error::three"},
			"::error title=c::50%25 of a:b, c%0Aone%0Atwo%0A::error::three\n",
		},
		{
			"marks of the file name", diag.Diagnostic{Code: "c", Severity: diag.Warning, Summary: "s", Range: at("a,b:c%\n.conf", 1, 2, 3)},
			"::warning file=a%2Cb%3Ac%25␊.conf,line=1,endLine=1,col=2,endColumn=3,title=c::s\n",
		},
		{
			"no columns for several lines", diag.Diagnostic{Code: "c", Severity: diag.Info, Summary: "s", Range: several},
			"::notice file=f,line=2,endLine=4,title=c::s\n",
		},
		{
			"no end", diag.Diagnostic{Code: "c", Severity: diag.Error, Summary: "s", Range: at("f", 2, 3, 0)},
			"::error file=f,line=2,endLine=2,col=3,title=c::s\n",
		},
		{
			"a start alone", diag.Diagnostic{Code: "c", Severity: diag.Error, Summary: "s", Range: diag.Range{File: "f", Start: diag.Pos{Line: 2, Col: 3}}},
			"::error file=f,line=2,col=3,title=c::s\n",
		},
		{
			"escape sequences are pictured", diag.Diagnostic{Code: "c", Severity: diag.Error, Summary: "\x1b[31m"},
			"::error title=c::␛[31m\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, diag.GitHub(&b, diag.List{tt.in}))
			if d := cmp.Diff(tt.want, b.String()); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}
