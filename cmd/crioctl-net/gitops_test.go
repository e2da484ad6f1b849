package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// repository is a repository that keeps the configuration of two nodes.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"nodes/good/etc/crio/crio.conf.d/10-a.conf":   "[crio.runtime]\ndisable_hostport_mapping = true\n",
		"nodes/wrong/etc/crio/crio.conf.d/10-b.conf":  "[crio]\ndisable_hostport_mapping = true\n",
		"nodes/wrong/etc/crio/crio.conf":              "[crio.runtime]\nlog_level = \"info\"\n",
		"nodes/wrong/etc/containers/registries.conf":  "unqualified-search-registries = []\n",
		"nodes/a file; touch gone/etc/crio/crio.conf": "[crio.runtime]\nlog_level = \"info\"\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

// build builds the command into a directory.
func build(t *testing.T, dir string) {
	t.Helper()
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "crioctl-net"), ".").CombinedOutput()
	require.NoError(t, err, string(out))
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

// TestPreCommitHook runs the hook as pre-commit does: the entry, its arguments,
// and the files whose names match.
func TestPreCommitHook(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Entry, Language, Files string
		Args, Types                                   []string
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	require.Len(t, hooks, 1)
	hook := hooks[0]
	require.Equal(t, "crioctl-net-validate", hook.ID)
	require.NotEmpty(t, hook.Name)
	require.Equal(t, "golang", hook.Language)

	bin := t.TempDir()
	build(t, bin)
	dir := repository(t)
	pattern := regexp.MustCompile(hook.Files)
	run := func(node string) (string, int) {
		var files []string
		require.NoError(t, filepath.WalkDir(filepath.Join(dir, "nodes", node), func(path string, d os.DirEntry, err error) error {
			if rel, _ := filepath.Rel(dir, path); err == nil && d.Type().IsRegular() && pattern.MatchString(rel) {
				files = append(files, rel)
			}
			return err
		}))
		require.NotEmpty(t, files)
		entry := append(append(strings.Fields(hook.Entry), hook.Args...), files...)
		cmd := exec.Command(filepath.Join(bin, entry[0]), entry[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), exitCode(t, err)
	}
	out, code := run("good")
	require.Equal(t, 0, code, out)
	out, code = run("wrong")
	require.Equal(t, 1, code, out)
	require.Contains(t, out, "nodes/wrong/etc/crio/crio.conf.d/10-b.conf:2:1")
	require.NotContains(t, out, "registries.conf")
}

// TestAction runs the shell steps of the GitHub Action with real inputs.
func TestAction(t *testing.T) {
	var action struct {
		Name, Description string
		Inputs            map[string]struct{ Description, Default string }
		Runs              struct {
			Using string
			Steps []struct {
				Name, Shell, Run, Uses string
				WorkingDirectory       string `yaml:"working-directory"`
				Env                    map[string]string
			}
		}
	}
	decode(t, "action.yml", &action)
	require.Equal(t, "composite", action.Runs.Using)
	input := regexp.MustCompile(`^\$\{\{ inputs\.([a-z-]+) \}\}$`)
	dir := repository(t)
	temp := t.TempDir()
	for _, tt := range []struct {
		given map[string]string
		code  int
		says  string
	}{
		{map[string]string{"paths": "nodes/good\n\nnodes/a file; touch gone\n", "crio-version": "1.30"}, 0, ""},
		{map[string]string{"paths": "nodes/good\nnodes/wrong", "crio-version": "1.30"}, 1, "::error file=nodes/wrong/etc/crio/crio.conf.d/10-b.conf,line=2,"},
		{map[string]string{"paths": "nodes/good", "crio-version": "1.24"}, 0, "::warning file=nodes/good/"},
		{map[string]string{"paths": "nodes/good", "crio-version": "1.24", "fail-on": "warning"}, 3, "::warning file=nodes/good/"},
		{map[string]string{"crio-version": "$(touch gone)"}, 2, "$(touch gone)"},
	} {
		code, text := 0, ""
		for _, step := range action.Runs.Steps {
			if step.Uses != "" {
				continue
			}
			require.Equal(t, "bash", step.Shell)
			require.NotContains(t, step.Run, "${{")
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
			cmd.Dir = dir
			if step.WorkingDirectory != "" {
				require.Equal(t, "${{ github.action_path }}", step.WorkingDirectory)
				cmd.Dir = top
			}
			cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp)
			for name, value := range step.Env {
				m := input.FindStringSubmatch(value)
				require.NotNil(t, m, value)
				in, ok := action.Inputs[m[1]]
				require.True(t, ok, m[1])
				require.NotEmpty(t, in.Description)
				if given, ok := tt.given[m[1]]; ok {
					in.Default = given
				}
				cmd.Env = append(cmd.Env, name+"="+in.Default)
			}
			out, err := cmd.CombinedOutput()
			text += string(out)
			if code = exitCode(t, err); code != 0 {
				break
			}
		}
		require.Equal(t, tt.code, code, text)
		require.Contains(t, text, tt.says)
		require.NoFileExists(t, filepath.Join(dir, "gone"))
	}
}

func decode(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(top, name))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(data, into))
}
