package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/diag"
)

const (
	top    = "../.."
	readme = top + "/README.md"
)

// TestReadmeSession holds the session of the README to what the command prints;
// -update writes it anew. The picture of it is compared by make check.
func TestReadmeSession(t *testing.T) {
	text := readText(t, readme)
	const begin, end = "<!-- session -->\n```console\n", "```\n<!-- /session -->\n"
	before, rest, found := strings.Cut(text, begin)
	require.True(t, found)
	shown, after, found := strings.Cut(rest, end)
	require.True(t, found)

	bin, err := exec.LookPath("crioctl-net")
	require.NoError(t, err)
	cmd := exec.Command(top+"/test/demo/session", bin)
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(readme, []byte(before+begin+string(printed)+end+after), 0o644))
		return
	}
	assert.Equal(t, string(printed), shown, "go test ./cmd/crioctl-net -run ReadmeSession -update")
}

// TestReadmeExample holds the Go code of the README to the example of package
// crioconf, which is compiled and run.
func TestReadmeExample(t *testing.T) {
	_, rest, found := strings.Cut(readText(t, readme), "```go\n")
	require.True(t, found)
	code, _, _ := strings.Cut(rest, "```\n")
	var indented strings.Builder
	for line := range strings.Lines(code) {
		if line != "\n" {
			line = "\t" + line
		}
		indented.WriteString(line)
	}
	assert.Contains(t, readText(t, top+"/crioconf/example_test.go"), indented.String())
}

// TestReadmeTables holds the tables of the README to the catalogue, the command
// tree and the exit codes.
func TestReadmeTables(t *testing.T) {
	text := readText(t, readme)
	catches := section(text, "What it catches")
	codes := regexp.MustCompile("`([a-z-]+)`(?:, `([a-z-]+)`)? \\|\n").FindAllStringSubmatch(catches, -1)
	assert.Greater(t, len(codes), 10)
	known := map[string]bool{"": true}
	for _, d := range diag.Catalogue() {
		known[string(d.Code)] = true
	}
	for _, row := range codes {
		assert.True(t, known[row[1]] && known[row[2]], "no such code: %s", row)
	}

	root := cli.NewRoot(session.New(&output.Streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}, os.Getenv))
	commandTable := section(text, "Commands")
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			assert.Regexp(t, "`"+cmd.Name()+"[ `]", commandTable, "a command that the README does not name")
		}
	}

	rows := regexp.MustCompile(`(?m)^\| \d `).FindAllString(section(text, "Exit codes"), -1)
	assert.Len(t, rows, exit.Refused+1)
}

// TestLinks follows every link between files of the repository's own pages.
func TestLinks(t *testing.T) {
	pages := []string{readme, top + "/CONTRIBUTING.md", top + "/CHANGELOG.md"}
	for _, pattern := range []string{"docs/*.md", "*/README.md", "ansible/roles/*/README.md", "test/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(top, pattern))
		require.NoError(t, err)
		pages = append(pages, found...)
	}
	link := regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(readText(t, page), -1) {
			if !strings.Contains(m[1], "://") {
				_, err := os.Stat(filepath.Join(filepath.Dir(page), m[1]))
				assert.NoError(t, err, "%s links to it", page)
			}
		}
	}
}

// section returns the part of a page below the header that begins with title.
func section(page, title string) string {
	_, rest, _ := strings.Cut(page, "\n## "+title)
	body, _, _ := strings.Cut(rest, "\n## ")
	return body
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
