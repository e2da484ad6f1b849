package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestCompletion asks real shells, with the committed completion scripts, what
// they would offer for a line.
func TestCompletion(t *testing.T) {
	dir, err := filepath.Abs("../../completions")
	require.NoError(t, err)
	lines := []struct {
		line string
		want []string // the last word, completed; more than one candidate where there are several
	}{
		{"crioctl-net host", []string{"hostport"}},
		{"crioctl-net hostport d", []string{"disable"}},
		{"crioctl-net set crio.network.pl", []string{"crio.network.plugin_dir", "crio.network.plugin_dirs"}},
		{"crioctl-net set crio.runtime.disable_hostport_mapping t", []string{"true"}},
		{"crioctl-net validate --output j", []string{"json", "junit"}},
		{"crioctl-net show --crio-version 1.3", []string{"1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36"}},
		{"crioctl-net explain misplaced", []string{"misplaced-toggle"}},
		{"crioctl-net get crio.runtime.log_l", []string{"crio.runtime.log_level"}},
	}
	var all []string
	for _, tt := range lines {
		all = append(all, tt.line)
	}
	for name, complete := range map[string]func(t *testing.T, dir string, lines []string) [][]string{
		"bash": bash, "zsh": zsh, "fish": fish,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(name); err != nil {
				if os.Getenv("CI") == "true" {
					t.Fatal("CI needs ", name)
				}
				t.Skip(name, " is not installed")
			}
			got := complete(t, dir, all)
			require.Len(t, got, len(lines))
			for i, tt := range lines {
				want := tt.want
				if name == "zsh" {
					want = []string{commonStart(want)} // what stands on the line after one TAB
				}
				if d := cmp.Diff(want, got[i]); d != "" {
					t.Errorf("%s: -want +got\n%s", tt.line, d)
				}
			}
		})
	}
}

// commonStart is what a shell puts on the line when several words fit.
func commonStart(words []string) string {
	start := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(w, start) {
			start = start[:len(start)-1]
		}
	}
	return start
}

// ask runs a shell that must not wait for a person.
func ask(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// candidates are the first words of the lines, without the descriptions.
func candidates(out string) []string {
	var all []string
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 0 {
			all = append(all, fields[0])
		}
	}
	slices.Sort(all)
	return all
}

func bash(t *testing.T, dir string, lines []string) (got [][]string) {
	t.Helper()
	const script = `
source /usr/share/bash-completion/bash_completion
source "$1/crioctl-net.bash"
compopt() { :; }
COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9 COMP_KEY=9
read -ra COMP_WORDS <<<"$2"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
spec=$(complete -p crioctl-net)
[[ $spec =~ -F\ ([^ ]+) ]] && "${BASH_REMATCH[1]}" crioctl-net
printf '%s\n' "${COMPREPLY[@]}"
`
	for _, line := range lines {
		got = append(got, candidates(ask(t, "bash", "--norc", "-c", script, "bash", dir, line)))
	}
	return got
}

func fish(t *testing.T, dir string, lines []string) (got [][]string) {
	t.Helper()
	const script = `source $argv[1]/crioctl-net.fish; complete -C $argv[2]`
	for _, line := range lines {
		got = append(got, candidates(ask(t, "fish", "--no-config", "-c", script, dir, line)))
	}
	return got
}

// zsh completes only for a person, so it is given a terminal. For each line it
// prints what stands there after one TAB.
func zsh(t *testing.T, dir string, lines []string) (got [][]string) {
	t.Helper()
	const script = `
zmodload zsh/zpty
local dir=$1 line out= chunk; shift
zpty z zsh -f -i
send() { zpty -w z "$1" }
send "stty -echo; PS1= PS2= RPS1=; unsetopt prompt_cr prompt_sp zle_bracketed_paste"
send "fpath=(${(q)dir} \$fpath); autoload -Uz compinit; compinit -u -D"
send "x() { zle expand-or-complete; print -r -- \"LINE<\$BUFFER>E\"ND; zle send-break }; zle -N x; bindkey '^I' x"
send "print RE''ADY"; zpty -r -m z out '*READY*'
for line; do
	zpty -w -n z "$line"$'\t'; out=
	while zpty -r z chunk; do out+=$chunk; [[ $out == *END* ]] && break; done
	print -r -- "$out" | tr -d '\r' | sed -n 's/.*LINE<\(.*\)>END.*/\1/p'
done
zpty -d z
`
	file := filepath.Join(t.TempDir(), "complete.zsh")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o600))
	out := ask(t, "zsh", append([]string{"-f", file, dir}, lines...)...)
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		require.NotEmpty(t, words, out)
		got = append(got, words[len(words)-1:])
	}
	return got
}
