package tomlfile_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each file of testdata/errors is read as 1.5.0 does, or as the release behind
// the @ of its name. What is said about it, with the text that each range
// covers, is its golden file.
func TestProblems(t *testing.T) {
	names, err := filepath.Glob("testdata/errors/*.toml")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".toml"), func(t *testing.T) {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			d := tomlfile.V1_5_0
			if _, release, ok := strings.Cut(strings.TrimSuffix(name, ".toml"), "@"); ok {
				d, err = tomlfile.ParseDialect(release)
				require.NoError(t, err)
			}
			_, problems := tomlfile.Parse(filepath.Base(name), src, d)
			got := describe(src, problems)
			golden := strings.TrimSuffix(name, ".toml") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func describe(src []byte, problems diag.List) string {
	var b strings.Builder
	for _, p := range problems {
		text := src[p.Range.Start.Offset:p.Range.End.Offset]
		fmt.Fprintf(&b, "%s: %s[%s] %s\n\tat %q\n", p.Range, p.Severity, p.Code, p.Summary, text)
		for _, r := range p.Related {
			fmt.Fprintf(&b, "\t%s: %s\n", r.Range, r.Message)
		}
		if p.Code == diag.LostValue {
			fmt.Fprintf(&b, "\tdetail: %s\n", p.Detail)
		}
		if p.Hint != "" {
			fmt.Fprintf(&b, "\thint: %s\n", p.Hint)
		}
		if p.Since+p.Until != "" {
			fmt.Fprintf(&b, "\taccepted from %s until %s\n", p.Since, p.Until)
		}
	}
	return b.String()
}
