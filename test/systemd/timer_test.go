package systemd_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/systemd"
	"github.com/crioctl/crioctl-net/test/systemd/node"
)

func timerState(t *testing.T, n *node.Node, s *systemd.Service, name string) systemd.TimerState {
	t.Helper()
	st, err := s.TimerState(n.Context(), name)
	require.NoError(t, err)
	return st
}

func TestTimerRunsItsProgramOnce(t *testing.T) {
	n := node.New(t)
	s := open(t, n)
	// systemd puts no variables into the arguments.
	file := filepath.Join("/run", "timer $HOME ${HOME} %n")
	t.Cleanup(func() { _ = os.Remove(file) })
	const name = "crioctl-net-test-once"
	require.NoError(t, s.StartTimer(n.Context(), systemd.Timer{
		Name: name, Description: "a test", After: time.Second, Command: []string{"/bin/touch", file},
	}))
	require.Equal(t, systemd.TimerWaiting, timerState(t, n, s, name))
	require.NoFileExists(t, file)
	require.Eventually(t, func() bool {
		_, err := os.Stat(file)
		return err == nil && timerState(t, n, s, name) == systemd.TimerGone
	}, 10*time.Second, 20*time.Millisecond)
	require.NoError(t, s.StopTimer(n.Context(), name), "a timer that is gone")
}

func TestTimerIsStopped(t *testing.T) {
	n := node.New(t)
	s := open(t, n)
	const name = "crioctl-net-test-stop"
	require.NoError(t, s.StartTimer(n.Context(), systemd.Timer{
		Name: name, Description: "a test", After: time.Hour, Command: []string{"/bin/true"},
	}))
	require.NoError(t, s.StopTimer(n.Context(), name))
	require.Equal(t, systemd.TimerGone, timerState(t, n, s, name))
}

func TestTimerTellsThatItsProgramFailed(t *testing.T) {
	n := node.New(t)
	s := open(t, n)
	const name = "crioctl-net-test-fail"
	t.Cleanup(func() { n.Systemctl("reset-failed", name+".service") })
	require.NoError(t, s.StartTimer(n.Context(), systemd.Timer{
		Name: name, Description: "a test", After: time.Second, Command: []string{"/bin/false"},
	}))
	require.Eventually(t, func() bool { return timerState(t, n, s, name) == systemd.TimerFailed }, 10*time.Second, 20*time.Millisecond)
}
