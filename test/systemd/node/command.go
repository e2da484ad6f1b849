package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
)

// OurDropIn is the file that the command writes when it has no better place.
const OurDropIn = DropIns + "/60-crioctl-net.conf"

// How long and how often to look for what comes by itself.
const (
	WaitTime = 20 * time.Second
	PollTime = 20 * time.Millisecond
)

// A Run is what a program did.
type Run struct {
	Code           int
	Stdout, Stderr string
}

// A Result is the part of the document that the tests look at.
type Result struct {
	Changed    bool
	Restarted  bool
	RolledBack bool
	Msg        string
	RestartMsg string
	Error      string
	ExitCode   int
}

// Command returns the program as "make build" leaves it.
func (n *Node) Command() string {
	n.t.Helper()
	dir, err := os.Getwd()
	require.NoError(n.t, err)
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "bin/crioctl-net")
		}
	}
	n.t.Fatal("the test does not run inside of the module")
	return ""
}

// Run runs the program with the arguments.
func (n *Node) Run(args ...string) Run {
	n.t.Helper()
	return n.Execute(n.Command(), args...)
}

// Execute runs any program.
func (n *Node) Execute(name string, args ...string) Run {
	n.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(n.Context(), name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		n.t.Fatal(err)
	}
	return Run{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// Document runs the program with -o json and returns its document.
func (n *Node) Document(args ...string) Result {
	n.t.Helper()
	r := n.Run(append(args, "-o", "json")...)
	var doc Result
	require.NoError(n.t, json.Unmarshal([]byte(r.Stdout), &doc), "%s%s", r.Stdout, r.Stderr)
	require.Equal(n.t, r.Code, doc.ExitCode)
	return doc
}

// A Process is the program while it runs.
type Process struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

// RunAside starts the program and does not wait for it.
func (n *Node) RunAside(args ...string) *Process {
	n.t.Helper()
	p := &Process{t: n.t, cmd: exec.CommandContext(n.Context(), n.Command(), args...)}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	require.NoError(n.t, p.cmd.Start())
	return p
}

// Signal sends a signal to the program, which must be running.
func (p *Process) Signal(s os.Signal) {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(s))
}

// Kill kills the program.
func (p *Process) Kill() {
	p.t.Helper()
	p.Signal(syscall.SIGKILL)
	_ = p.cmd.Wait()
	require.Equal(p.t, -1, p.cmd.ProcessState.ExitCode(), "%s%s", &p.out, &p.err)
}

// Wait waits for the end of the program.
func (p *Process) Wait() Run {
	_ = p.cmd.Wait()
	return Run{p.cmd.ProcessState.ExitCode(), p.out.String(), p.err.String()}
}

// Toggle returns the toggle as the daemon serves it.
func (n *Node) Toggle() any {
	n.t.Helper()
	v, _ := n.Running().Lookup(schema.DisableHostportMapping.Path, schema.Bool)
	return v
}

// LogLevel returns the log level as the daemon serves it.
func (n *Node) LogLevel() any {
	n.t.Helper()
	v, _ := n.Running().Lookup(schema.LogLevel.Path, schema.String)
	return v
}

// ActiveState returns the state of the unit.
func (n *Node) ActiveState() string {
	n.t.Helper()
	return n.Systemctl("show", "-P", "ActiveState", "crio.service")
}

// Invocation returns what changes with every start of the unit.
func (n *Node) Invocation() string {
	n.t.Helper()
	return n.Systemctl("show", "-P", "InvocationID", "crio.service")
}

// Files lists every file below the drop-in directory.
func (n *Node) Files() []string {
	n.t.Helper()
	names := []string{}
	require.NoError(n.t, filepath.WalkDir(DropIns, func(p string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(p, DropIns+"/"))
		}
		return err
	}))
	return names
}

// Transactions returns "TITLE: STATE" of the history, the newest first.
func (n *Node) Transactions() []string {
	n.t.Helper()
	var doc struct {
		Transactions []struct{ Title, State string }
	}
	r := n.Run("history", "-o", "json")
	require.Equal(n.t, 0, r.Code, r.Stderr)
	require.NoError(n.t, json.Unmarshal([]byte(r.Stdout), &doc))
	out := []string{}
	for _, tx := range doc.Transactions {
		out = append(out, tx.Title+": "+tx.State)
	}
	return out
}
