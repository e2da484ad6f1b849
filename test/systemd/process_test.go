package systemd_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
	"github.com/crioctl/crioctl-net/test/systemd/node"
)

// How long and how often to look for what comes by itself.
const (
	waitTime = 20 * time.Second
	pollTime = 20 * time.Millisecond
)

func logLevel(n *node.Node) any {
	v, _ := n.Running().Lookup(schema.LogLevel.Path, schema.String)
	return v
}

// A process is the program while it runs.
type process struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

func startCommand(t *testing.T, n *node.Node, args ...string) *process {
	t.Helper()
	path, err := filepath.Abs(command)
	require.NoError(t, err)
	p := &process{cmd: exec.CommandContext(n.Context(), path, args...)}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	require.NoError(t, p.cmd.Start())
	return p
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(s))
}

// kill kills the program and waits for its end.
func (p *process) kill(t *testing.T) {
	t.Helper()
	p.signal(t, syscall.SIGKILL)
	_ = p.cmd.Wait()
	require.Equal(t, -1, p.cmd.ProcessState.ExitCode(), "%s%s", &p.out, &p.err)
}

// wait waits for the end of the program.
func (p *process) wait() run {
	_ = p.cmd.Wait()
	return run{p.cmd.ProcessState.ExitCode(), p.out.String(), p.err.String()}
}
