package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

const top = "../../../.."

func TestCommittedFilesAreFresh(t *testing.T) {
	pages, err := manPages()
	require.NoError(t, err)
	scripts, err := completionScripts()
	require.NoError(t, err)
	for dir, files := range map[string]map[string][]byte{"docs/man": pages, "completions": scripts} {
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join(top, dir, name))
			require.NoError(t, err, "run \"make generate\"")
			if !bytes.Equal(want, got) {
				t.Errorf("%s/%s is stale: run \"make generate\"", dir, name)
			}
		}
		stale, err := leftOver(filepath.Join(top, dir), files)
		require.NoError(t, err)
		require.Empty(t, stale, "%s: pages of no command: run \"make generate\"", dir)
	}
}

func TestPagesAreTheSameEveryTime(t *testing.T) {
	a, err := manPages()
	require.NoError(t, err)
	b, err := manPages()
	require.NoError(t, err)
	require.Equal(t, a, b)
}

func TestPagesAreMandoc(t *testing.T) {
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("mandoc is not installed")
		}
		t.Skip("mandoc is not installed")
	}
	pages, err := filepath.Glob(filepath.Join(top, "docs/man/*.[0-9]"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	out, err := exec.Command(mandoc, append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// A reference to a page that is not there leads nowhere.
func TestPagesReferToPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(top, "docs/man/*.[0-9]"))
	require.NoError(t, err)
	reference := regexp.MustCompile(`(?m)^\.Xr (crioctl-net\S*) (\d)`)
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range reference.FindAllSubmatch(text, -1) {
			found++
			require.FileExists(t, filepath.Join(top, "docs/man", string(m[1])+"."+string(m[2])), "%s refers to it", page)
		}
	}
	require.Greater(t, found, len(pages))
}

// Every code of the catalogue has its entry, once.
func TestDiagnosticsPage(t *testing.T) {
	page := string(diagnosticsPage())
	for _, d := range diag.Catalogue() {
		require.Equal(t, 1, strings.Count(page, "\n.Ss "+string(d.Code)+"\n"), d.Code)
	}
}

// A heading that became the title of a page would be lost, and with it the page
// for those who look for its sections.
func TestPagesHaveTheirSections(t *testing.T) {
	pages, err := manPages()
	require.NoError(t, err)
	for name, page := range pages {
		require.Equal(t, 1, bytes.Count(page, []byte("\n.Dt ")), name)
		if !strings.HasSuffix(name, ".8") {
			continue
		}
		require.Contains(t, string(page), "\n.Sh \"EXIT STATUS\"\n", name)
	}
	for _, section := range []string{"FILES", "ENVIRONMENT", "DIAGNOSTICS"} {
		require.Contains(t, string(pages["crioctl-net.8"]), "\n.Sh "+section+"\n")
	}
	require.Contains(t, string(pages["crioctl-net-doctor.8"]), "\n.Sh CHECKS\n")
}
