package diag_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

func TestRecords(t *testing.T) {
	got, err := json.MarshalIndent(findings().Records(), "", "  ")
	require.NoError(t, err)
	golden(t, "records.golden.json", append(got, '\n'))
}

func TestRecordsSurviveJSONAndYAML(t *testing.T) {
	want := findings().Records()
	for name, codec := range map[string]struct {
		marshal   func(any) ([]byte, error)
		unmarshal func([]byte, any) error
	}{
		"json": {json.Marshal, json.Unmarshal},
		"yaml": {yaml.Marshal, func(b []byte, v any) error { return yaml.UnmarshalStrict(b, v) }},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := codec.marshal(want)
			require.NoError(t, err)
			var got []diag.Record
			require.NoError(t, codec.unmarshal(b, &got))
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

func TestNoRecordsAreAnEmptyList(t *testing.T) {
	b, err := json.Marshal(diag.List(nil).Records())
	require.NoError(t, err)
	require.Equal(t, "[]", string(b))
}
