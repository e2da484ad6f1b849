package diag_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

func sarif(t *testing.T, o diag.SARIFOptions, lists ...diag.List) []byte {
	t.Helper()
	var b bytes.Buffer
	s := diag.NewSARIF(&b, o)
	for _, l := range lists {
		require.NoError(t, s.Add(l))
	}
	require.NoError(t, s.Close())
	return b.Bytes()
}

// The report as a program reads it. That it keeps to the SARIF schema is tested
// in test/sarif.
type sarifReport struct {
	Version string
	Runs    []struct {
		ColumnKind string
		Tool       struct {
			Driver struct {
				Name, Version string
				Rules         []struct {
					ID                   string
					DefaultConfiguration struct{ Level string }
				}
			}
		}
		Results []struct {
			RuleID              string
			RuleIndex           *int
			Level               string
			PartialFingerprints map[string]string
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           *struct{ Snippet *struct{ Text string } }
				}
			}
		}
	}
}

func readSARIF(t *testing.T, b []byte) sarifReport {
	t.Helper()
	var r sarifReport
	require.NoError(t, json.Unmarshal(b, &r), "%s", b)
	require.Len(t, r.Runs, 1)
	return r
}

// TestSARIFResults compares everything but the rules, which are the catalogue's
// own words.
func TestSARIFResults(t *testing.T) {
	var doc struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name    string `json:"name"`
					Version string `json:"version"`
				} `json:"driver"`
			} `json:"tool"`
			ColumnKind string `json:"columnKind"`
			Results    []any  `json:"results"`
		} `json:"runs"`
	}
	require.NoError(t, json.Unmarshal(sarif(t, diag.SARIFOptions{Tool: "crioctl-net", Version: "1.2.3", Sources: source}, findings()), &doc))
	got, err := json.MarshalIndent(doc, "", "  ")
	require.NoError(t, err)
	golden(t, "sarif.golden.json", append(got, '\n'))
}

func TestSARIFIsLaidOutByOneRule(t *testing.T) {
	for name, lists := range map[string][]diag.List{
		"no findings": nil, "one list": {findings()}, "several lists": {findings(), nil, findings()},
	} {
		t.Run(name, func(t *testing.T) {
			b := sarif(t, diag.SARIFOptions{Tool: "t"}, lists...)
			var want bytes.Buffer
			require.NoError(t, json.Indent(&want, bytes.TrimSpace(b), "", "  "))
			if d := cmp.Diff(want.String()+"\n", string(b)); d != "" {
				t.Errorf("-indented +got\n%s", d)
			}
		})
	}
}

func TestSARIFRulesAreTheCatalogue(t *testing.T) {
	r := readSARIF(t, sarif(t, diag.SARIFOptions{}, findings())).Runs[0]
	var want, got []string
	for _, d := range diag.Catalogue() {
		want = append(want, string(d.Code))
	}
	for _, rule := range r.Tool.Driver.Rules {
		got = append(got, rule.ID)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	for _, res := range r.Results {
		require.NotNil(t, res.RuleIndex)
		if got := r.Tool.Driver.Rules[*res.RuleIndex].ID; got != res.RuleID {
			t.Errorf("rule %d is %s, want %s", *res.RuleIndex, got, res.RuleID)
		}
	}
}

func TestSARIFOfACodeThatHasNoRule(t *testing.T) {
	r := readSARIF(t, sarif(t, diag.SARIFOptions{}, diag.List{{Code: "other", Severity: diag.Error, Summary: "s"}})).Runs[0]
	if got := r.Results[0]; got.RuleID != "other" || got.RuleIndex != nil || len(got.Locations) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestSARIFURIs(t *testing.T) {
	for file, want := range map[string]string{
		"/etc/crio/crio.conf":      "file:///etc/crio/crio.conf",
		"/a b/ü%.conf":             "file:///a%20b/%C3%BC%25.conf",
		"nodes/n1/10-a.conf":       "nodes/n1/10-a.conf",
		"10 a?#.conf":              "10%20a%3F%23.conf",
		"a:b.conf":                 "./a:b.conf",
		"../x":                     "../x",
		"<stdin>":                  "%3Cstdin%3E",
		"bytes-\xff-no-utf8.conf":  "bytes-%FF-no-utf8.conf",
		"/two//slashes/../up.conf": "file:///two//slashes/../up.conf",
		"//not-a-host/x":           "file:////not-a-host/x",
	} {
		r := readSARIF(t, sarif(t, diag.SARIFOptions{}, diag.List{{Code: "c", Severity: diag.Error, Summary: "s", Range: diag.Range{File: file}}}))
		if got := r.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
}

func TestSARIFSnippets(t *testing.T) {
	src := []byte("[a]\nk = \"ü\xff\"\nlist = [\n]\n" + string(bytes.Repeat([]byte("x"), 2000)) + "\n")
	tests := []struct {
		what string
		r    diag.Range
		want string
	}{
		{"a stretch of a line", at("f", 2, 5, 7), "\"ü"},
		{"bytes that are not UTF-8", at("f", 2, 5, 9), ""},
		{"several lines", diag.Range{File: "f", Start: diag.Pos{Line: 3, Col: 8}, End: diag.Pos{Line: 4, Col: 2}}, ""},
		{"too long", at("f", 5, 1, 2000), ""},
		{"nothing is covered", at("f", 1, 2, 2), ""},
		{"no such line", at("f", 70, 1, 2), ""},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			o := diag.SARIFOptions{Sources: func(string) []byte { return src }}
			r := readSARIF(t, sarif(t, o, diag.List{{Code: "c", Severity: diag.Error, Summary: "s", Range: tt.r}}))
			region := r.Runs[0].Results[0].Locations[0].PhysicalLocation.Region
			require.NotNil(t, region)
			got := ""
			if region.Snippet != nil {
				got = region.Snippet.Text
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSARIFFingerprints(t *testing.T) {
	prints := func(src string, ranges ...diag.Range) []string {
		var l diag.List
		for _, r := range ranges {
			l = append(l, diag.Diagnostic{Code: diag.UnknownKey, Severity: diag.Error, Summary: "s", Range: r})
		}
		o := diag.SARIFOptions{Sources: func(string) []byte { return []byte(src) }}
		var got []string
		for _, r := range readSARIF(t, sarif(t, o, l)).Runs[0].Results {
			require.Len(t, r.PartialFingerprints, 1)
			got = append(got, r.PartialFingerprints["crioctlNet/v1"])
		}
		return got
	}
	base := prints("a = 1\nb = 2\n", at("f", 1, 1, 2), at("f", 2, 1, 2))
	require.Len(t, base, 2)
	require.NotEqual(t, base[0], base[1])
	t.Run("stay when lines come above", func(t *testing.T) {
		require.Equal(t, base, prints("\n# new\n  a = 1\nb = 2\n", at("f", 3, 3, 4), at("f", 4, 1, 2)))
	})
	t.Run("change with the line", func(t *testing.T) {
		require.NotEqual(t, base[0], prints("a = 2\n", at("f", 1, 1, 2))[0])
	})
	t.Run("change with the file", func(t *testing.T) {
		require.NotEqual(t, base[0], prints("a = 1\n", at("g", 1, 1, 2))[0])
	})
	t.Run("equal lines are counted", func(t *testing.T) {
		twice := prints("a = 1\na = 1\n", at("f", 1, 1, 2), at("f", 2, 1, 2))
		require.Equal(t, base[0], twice[0])
		require.NotEqual(t, twice[0], twice[1])
	})
}
