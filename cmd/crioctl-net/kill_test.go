package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const (
	vendorFile = "[crio.runtime]\ndefault_runtime = \"runc\"\n"
	siteFile   = "# kept by hand\n[crio.runtime]\ndisable_hostport_mapping = %t # see ticket 7\nlog_level = \"warn\"\n"
	ourFile    = `# Written by crioctl-net. CRI-O reads every file of this directory;
# run "crioctl-net show --origin" to see which of them sets a key.

[crio.runtime]
disable_hostport_mapping = true
`
)

// A layout is a node root on which the toggle is made in one of the two ways.
type layout struct {
	name              string
	enabled, disabled map[string]string // the drop-in directory, as it may be found
}

func layouts() []layout {
	return []layout{
		{
			name:     "a drop-in that comes and goes",
			enabled:  map[string]string{"10-crio.conf": vendorFile},
			disabled: map[string]string{"10-crio.conf": vendorFile, "60-crioctl-net.conf": ourFile},
		},
		{
			name:     "a file that is edited in place",
			enabled:  map[string]string{"10-crio.conf": vendorFile, "90-site.conf": fmt.Sprintf(siteFile, false)},
			disabled: map[string]string{"10-crio.conf": vendorFile, "90-site.conf": fmt.Sprintf(siteFile, true)},
		},
	}
}

// write lays the root out with the mapping enabled.
func (l layout) write(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	dir := filepath.Join(root, "etc/crio/crio.conf.d")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, text := range l.enabled {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return root
}

// state tells which of the two configurations the root has. Anything else, such
// as a stray file or half a file, ends the test.
func (l layout) state(t *testing.T, root string) (disabled bool) {
	t.Helper()
	dir := filepath.Join(root, "etc/crio/crio.conf.d")
	got := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		got[e.Name()] = string(data)
	}
	switch {
	case maps.Equal(got, l.disabled):
		return true
	case maps.Equal(got, l.enabled):
		return false
	}
	t.Fatalf("neither the old nor the new configuration; -disabled +found\n%s", cmp.Diff(l.disabled, got))
	return false
}

// toggle is a run of the real program.
func toggle(root string, disable bool) *exec.Cmd {
	word := "enable"
	if disable {
		word = "disable"
	}
	return exec.Command("crioctl-net", "hostport", word, "--root", root, "--crio-version", "1.30")
}

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", strings.Join(cmd.Args, " "), out)
}

// TestKill kills the program at random moments. Whatever the moment, CRI-O finds
// the old configuration or the new one, and the next run goes on from there.
func TestKill(t *testing.T) {
	const kills = 100 // of each layout
	for i, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			root := l.write(t)
			whole := time.Second // what an undisturbed run takes, about
			random := rand.New(rand.NewPCG(7, uint64(i)))
			before, after := 0, 0
			for before+after < kills {
				was := l.state(t, root)
				// The root makes late moments more frequent, when files are written.
				moment := time.Duration(1.2 * math.Sqrt(random.Float64()) * float64(whole))
				died, took := killAfter(t, toggle(root, !was), moment)
				if !died {
					whole = took
					require.Equal(t, !was, l.state(t, root))
					continue
				}
				whole += whole / 20
				if l.state(t, root) == was {
					before++
				} else {
					after++
				}
			}
			t.Logf("killed %d times: the old configuration %d times, the new one %d times", kills, before, after)
			require.NotZero(t, before, "no kill came early enough")
			require.NotZero(t, after, "no kill came late enough")

			for _, disable := range []bool{true, false, true} {
				run(t, toggle(root, disable))
				require.Equal(t, disable, l.state(t, root))
			}
			requireNothingBeside(t, root)
		})
	}
}

// killAfter starts the program, kills it after d, and reports whether it was still
// at work then and how long it ran.
func killAfter(t *testing.T, cmd *exec.Cmd, d time.Duration) (died bool, took time.Duration) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	require.NoError(t, cmd.Start())
	timer := time.AfterFunc(d, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var e *exec.ExitError
	if err != nil && (!errors.As(err, &e) || e.ExitCode() != -1) {
		t.Fatalf("%s: %v: %s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return err != nil, time.Since(start)
}

// requireNothingBeside checks that no temporary file is left beside the drop-in
// directory, where they are made.
func requireNothingBeside(t *testing.T, root string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "etc/crio"))
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"crio.conf.d"}, names)
}

// TestTogether lets fifty runs of the program meet. Each does its work, and the
// node ends in one of the two states.
func TestTogether(t *testing.T) {
	const runs = 50
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			root := l.write(t)
			failed := make([]string, runs)
			var all sync.WaitGroup
			for i := range runs {
				all.Go(func() {
					if out, err := toggle(root, i%2 == 0).CombinedOutput(); err != nil {
						failed[i] = fmt.Sprintf("run %d: %v: %s", i, err, out)
					}
				})
			}
			all.Wait()
			failed = slices.DeleteFunc(failed, func(s string) bool { return s == "" })
			require.Empty(t, failed)
			l.state(t, root)
			requireNothingBeside(t, root)
		})
	}
}
