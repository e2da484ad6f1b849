package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the golden parts of the scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"crioctl-net": main, "nobody": nobody})
}

// nobody runs "crioctl-net ARG..." as a user who owns nothing. The program does
// not replace this one, as the user may not reach it.
func nobody() {
	const id = 65534
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(id), syscall.Setuid(id)); err != nil {
		fmt.Fprintln(os.Stderr, "nobody:", err)
		os.Exit(125)
	}
	os.Args = os.Args[1:]
	main()
}

// TestScripts runs test/script/*.txtar. Each is a story: files, commands, their
// exact output, the files afterwards.
func TestScripts(t *testing.T) {
	cases, err := filepath.Abs("../../test/cases")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../../test/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("CASES", cases)
			return nil
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fifo":   fifo,
			"chmod":  chmod,
			"sparse": sparse,
			"many":   many,
			"sub":    substitute,
			"exits":  exits,
		},
	})
}

func condition(name string) (bool, error) {
	if name == "root" {
		if os.Getuid() != 0 && os.Getenv("CI") == "true" {
			return false, fmt.Errorf("CI needs root")
		}
		return os.Getuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// exits runs a program that has to end with that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var e *exec.ExitError
	switch {
	case errors.As(err, &e):
		got = e.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// fifo makes a named pipe.
func fifo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fifo FILE")
	}
	ts.Check(syscall.Mkfifo(ts.MkAbs(args[0]), 0o600))
}

// chmod changes the mode of a file.
func chmod(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: chmod MODE FILE")
	}
	mode, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	ts.Check(os.Chmod(ts.MkAbs(args[1]), os.FileMode(mode)))
}

// sparse makes a file of that many bytes.
func sparse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sparse BYTES FILE")
	}
	size, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), nil, 0o644))
	ts.Check(os.Truncate(ts.MkAbs(args[1]), size))
}

// many makes that many drop-ins in a directory, each with one key.
func many(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: many COUNT DIR")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	for i := range n {
		text := fmt.Sprintf("[crio.runtime]\nlog_filter = \"number %d\"\n", i)
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[1]), fmt.Sprintf("%05d.conf", i)), []byte(text), 0o644))
	}
}

// substitute replaces a text in a file.
func substitute(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: sub OLD NEW FILE")
	}
	file := ts.MkAbs(args[2])
	data, err := os.ReadFile(file)
	ts.Check(err)
	if !strings.Contains(string(data), args[0]) {
		ts.Fatalf("%s does not contain %q", args[2], args[0])
	}
	ts.Check(os.WriteFile(file, []byte(strings.ReplaceAll(string(data), args[0], args[1])), 0o644))
}
