package oracle_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/test/oracle"
)

// TestRecorded holds the library to every recorded answer.
func TestRecorded(t *testing.T) {
	names := oracle.Recorded()
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, ".jsonl.gz"), func(t *testing.T) {
			t.Parallel()
			cases, err := oracle.ReadRecorded(name)
			require.NoError(t, err)
			agree(t, cases)
		})
	}
}

// TestCorpus does the same for files of other people, which lie beside the
// project and are no part of it.
func TestCorpus(t *testing.T) {
	cases, err := oracle.ReadFile("../../../shared/oracle/corpus.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("CI") == "true" {
			t.Fatal("the recorded corpus is missing")
		}
		t.Skip("the recorded corpus is not here")
	}
	require.NoError(t, err)
	agree(t, cases)
}

func agree(t *testing.T, cases []oracle.Case) {
	t.Helper()
	require.NotEmpty(t, cases)
	report, err := oracle.Run(cases)
	require.NoError(t, err)
	for _, d := range report.Disagreements {
		t.Error(d)
	}
}

// TestRunFindsDisagreements proves that the comparison can fail in every way.
func TestRunFindsDisagreements(t *testing.T) {
	file := func(text string) []oracle.File { return []oracle.File{{Name: "crio.conf", Text: text}} }
	level := "[crio.runtime]\nlog_level = \"debug\"\n"
	handler := "[crio.runtime.runtimes.kata]\nruntime_path = \"/k\"\n"
	twice := "[crio.network]\nplugin_dirs = [\"/a\"]\nPlugin_Dirs = [\"/b\"]\n"
	for _, tt := range []struct {
		name    string
		text    string
		version string
		outcome string
		want    []string
	}{
		{"agreement", level, "1.30", `{"result": "ok", "effective": {"crio.runtime.log_level": "debug"}}`, nil},
		{"other value", level, "1.30", `{"result": "ok", "effective": {"crio.runtime.log_level": "warn"}}`, []string{"crio.runtime.log_level"}},
		{"value not recorded", level, "1.30", `{"result": "ok", "effective": {}}`, []string{"crio.runtime.log_level"}},
		{"value not seen", "", "1.30", `{"result": "ok", "effective": {"crio.metrics.metrics_port": 1}}`, []string{"crio.metrics.metrics_port"}},
		{"key not gone", "", "1.30", `{"result": "ok", "gone": ["crio.log_dir"]}`, []string{"crio.log_dir"}},
		{"entry not recorded", handler, "1.18", `{"result": "ok", "effective": {}}`, []string{"refused"}},
		{"accepted, recorded as refused", level, "1.30", `{"result": "load"}`, []string{"refused"}},
		{"refused, recorded as accepted", "[crio", "1.30", `{"result": "ok"}`, []string{"refused"}},
		{"refused both", "[crio", "1.30", `{"result": "load"}`, nil},
		{"crash", "[crio", "1.30", `{"result": "panic"}`, nil},
		{"random", twice, "1.30", `{"result": "random"}`, nil},
		{"determined, recorded as random", level, "1.30", `{"result": "random"}`, []string{"random"}},
		{"random, recorded as determined", twice, "1.30", `{"result": "ok", "effective": {"crio.network.plugin_dirs": ["/b"]}}`, []string{"random"}},
		{"start stage", "[crio.runtime]\ncgroup_manager = \"x\"\n", "1.30",
			`{"result": "ok", "effective": {"crio.runtime.cgroup_manager": "x"}}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var o oracle.Outcome
			d := json.NewDecoder(strings.NewReader(tt.outcome))
			d.UseNumber()
			require.NoError(t, d.Decode(&o))
			o.Versions = []string{tt.version}
			report, err := oracle.Run([]oracle.Case{{ID: "g/1", Files: file(tt.text), Outcomes: []oracle.Outcome{o}}})
			require.NoError(t, err)
			var got []string
			for _, d := range report.Disagreements {
				got = append(got, d.About)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("disagreements (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPrint(t *testing.T) {
	cases := []oracle.Case{{
		ID:    "g/1",
		Files: []oracle.File{{Name: "crio.conf.d/10-a.conf", Text: "[crio.runtime]\nlog_level = \"debug\"\n"}},
		Outcomes: []oracle.Outcome{
			{Versions: []string{"1.36", "1.9"}, Result: oracle.OK, Effective: map[string]any{}},
		},
	}}
	report, err := oracle.Run(cases)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, report.Print(&b))
	want := `  group  version  cases  refused or not  effective  random  refused later
      g      1.9      1               1        1/1     0/0              0
      g     1.36      1               1        0/1     0/0              0
g/1  1.36  crio.runtime.log_level  ours: "debug"  theirs: "info"
2 answers, 1 disagreements
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestReadFile(t *testing.T) {
	_, err := oracle.ReadFile("no-such-file")
	require.ErrorIs(t, err, fs.ErrNotExist)
	for _, bad := range []string{"x.jsonl", "x.jsonl.gz"} {
		name := t.TempDir() + "/" + bad
		require.NoError(t, os.WriteFile(name, []byte("{\"id\": \"a\"}\nnonsense"), 0o600))
		_, err := oracle.ReadFile(name)
		require.ErrorContains(t, err, bad)
	}
}
