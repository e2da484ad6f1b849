package diag_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// The report as a program reads it that knows nothing of how it is written.
type (
	junitReport struct {
		XMLName xml.Name     `xml:"testsuites"`
		Name    string       `xml:"name,attr"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string `xml:"name,attr"`
		ClassName string `xml:"classname,attr"`
		Failure   *struct {
			Message string `xml:"message,attr"`
			Type    string `xml:"type,attr"`
			Text    string `xml:",chardata"`
		} `xml:"failure"`
		SystemOut string `xml:"system-out"`
	}
)

func readJUnit(t *testing.T, b []byte) junitReport {
	t.Helper()
	var r junitReport
	d := xml.NewDecoder(bytes.NewReader(b))
	require.NoError(t, d.Decode(&r), "%s", b)
	_, err := d.Token()
	for err == nil {
		_, err = d.Token()
	}
	require.Equal(t, io.EOF, err)
	return r
}

func junit(t *testing.T, o diag.JUnitOptions, files []string, l diag.List) []byte {
	t.Helper()
	var b bytes.Buffer
	j := diag.NewJUnit(&b, o)
	require.NoError(t, j.Add(files, l))
	require.NoError(t, j.Close())
	return b.Bytes()
}

func TestJUnit(t *testing.T) {
	o := diag.JUnitOptions{Name: "crioctl-net validate", Sources: source}
	golden(t, "junit.golden.xml", junit(t, o, []string{"clean.conf", dropIn, mainFile}, findings()))
}

func TestJUnitCountsAddUp(t *testing.T) {
	for name, tt := range map[string]struct {
		failOn                       diag.Severity
		failures, passes, passSilent int
	}{
		"errors fail":                {0, 4, 3, 1},
		"warnings fail under strict": {diag.Warning, 5, 2, 1},
		"everything fails":           {diag.Info, 7, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := junit(t, diag.JUnitOptions{FailOn: tt.failOn}, []string{"clean.conf"}, findings())
			var failures, passes, silent int
			for _, s := range readJUnit(t, b).Suites {
				failed := 0
				for _, c := range s.Cases {
					switch {
					case c.Failure != nil:
						failed++
						require.Empty(t, c.SystemOut)
					case c.SystemOut != "":
						passes++
					default:
						silent++
					}
				}
				require.Equal(t, s.Tests, len(s.Cases))
				require.Equal(t, s.Failures, failed)
				failures += failed
			}
			if d := cmp.Diff([]int{tt.failures, tt.passes, tt.passSilent}, []int{failures, passes, silent}); d != "" {
				t.Errorf("failures, passes with and without output: -want +got\n%s", d)
			}
		})
	}
}

func TestJUnitOfNothing(t *testing.T) {
	if n := len(readJUnit(t, junit(t, diag.JUnitOptions{}, nil, nil)).Suites); n != 0 {
		t.Errorf("%d suites", n)
	}
}

func TestJUnitTellsAFileOnce(t *testing.T) {
	r := readJUnit(t, junit(t, diag.JUnitOptions{}, []string{"a", "b", "a"}, nil))
	require.Len(t, r.Suites, 2)
	require.Equal(t, "a", r.Suites[0].Name)
	require.Equal(t, "b", r.Suites[1].Name)
}

func TestJUnitIsWellFormed(t *testing.T) {
	hostile := "a\x00\x1b\x0b\xff]]>\ufffe<&\"'\n"
	l := diag.List{
		{Code: "c", Severity: diag.Error, Summary: hostile, Detail: hostile, Range: at(hostile, 1, 1, 2)},
		{Code: "c", Severity: diag.Info, Summary: hostile},
	}
	o := diag.JUnitOptions{Name: hostile, Sources: func(string) []byte { return []byte(hostile) }}
	r := readJUnit(t, junit(t, o, []string{hostile}, l))
	require.Len(t, r.Suites, 2)
	want := "a␀␛␋\ufffd]]><U+FFFE><&\"'␊"
	if d := cmp.Diff(want, r.Suites[0].Cases[0].Failure.Message); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if d := cmp.Diff(want, r.Name); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
