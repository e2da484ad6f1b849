package systemd_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
)

// job is a unit's Job property, (uo).
type job struct {
	ID   uint32
	Path dbus.ObjectPath
}

var running = map[string]any{
	"Id": "crio.service", "LoadState": "loaded", "ActiveState": "active", "SubState": "running",
	"Result": "success", "MainPID": uint32(42), "NRestarts": uint32(0),
	"InvocationID": []byte{0xab, 0xcd}, "Job": job{0, "/"},
}

var failed = map[string]any{
	"ActiveState": "failed", "SubState": "failed", "Result": "exit-code", "MainPID": uint32(0),
	"ExecMainCode": int32(1), "ExecMainStatus": int32(1),
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// start returns a service whose systemd is m and knows a running crio.service.
func start(t *testing.T, m *manager) (*systemd.Service, *bus) {
	t.Helper()
	b := newBus(t)
	m.set("crio.service", running)
	b.run(t, m)
	return open(t, b), b
}

func open(t *testing.T, b *bus) *systemd.Service {
	t.Helper()
	s, err := systemd.Open(within(t, 10*time.Second), systemd.Options{Address: b.address})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func asError(t *testing.T, err error) *systemd.Error {
	t.Helper()
	var e *systemd.Error
	require.ErrorAs(t, err, &e)
	return e
}

func TestRestartOfHealthyUnit(t *testing.T) {
	m := &manager{onJob: func(m *manager, unit string) *dbus.Error {
		m.ends(unit, "done") // before the reply to the call
		return nil
	}}
	s, _ := start(t, m)
	require.NoError(t, s.Restart(within(t, 10*time.Second)))
	require.NoError(t, s.Reload(within(t, 10*time.Second)))
	require.NoError(t, s.DaemonReload(within(t, 10*time.Second)))
	require.NoError(t, s.ResetFailed(within(t, 10*time.Second)))
	want := []string{"restart crio.service replace", "reload crio.service replace", "daemon-reload", "reset-failed crio.service"}
	if diff := cmp.Diff(want, m.called()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestJobResults(t *testing.T) {
	inactive := map[string]any{"ActiveState": "inactive", "SubState": "dead", "MainPID": uint32(0)}
	limit := map[string]any{"ActiveState": "failed", "SubState": "failed", "Result": "start-limit-hit", "NRestarts": uint32(5)}
	again := map[string]any{"ActiveState": "activating", "SubState": "auto-restart", "Result": "exit-code",
		"ExecMainCode": int32(1), "ExecMainStatus": int32(1), "NRestarts": uint32(2)}
	killed := map[string]any{"ActiveState": "failed", "SubState": "failed", "Result": "timeout",
		"ExecMainCode": int32(2), "ExecMainStatus": int32(15)}
	for _, tt := range []struct {
		name, result string
		after        map[string]any
		kind         error
		want         string
	}{
		{"failed", "failed", failed, systemd.ErrJob,
			"restart crio.service: the job did not succeed: failed, it is failed, the program exited with status 1"},
		{"never ready", "failed", killed, systemd.ErrJob,
			"restart crio.service: the job did not succeed: failed, it is failed, the program was killed by signal 15, result timeout"},
		{"systemd tries again", "failed", again, systemd.ErrJob,
			"restart crio.service: the job did not succeed: failed, it is activating (auto-restart), the program exited with status 1, systemd has started it 2 times again"},
		{"start limit", "failed", limit, systemd.ErrStartLimit,
			"restart crio.service: too many starts in a short time: it is failed, result start-limit-hit, systemd has started it 5 times again"},
		{"condition not met", "done", inactive, systemd.ErrNotActive,
			"restart crio.service: the unit is not active: it is inactive (dead)"},
		{"gone at once", "done", failed, systemd.ErrNotActive,
			"restart crio.service: the unit is not active: it is failed, the program exited with status 1"},
		{"timeout", "timeout", inactive, systemd.ErrJob, "restart crio.service: the job did not succeed: timeout, it is inactive (dead)"},
		{"canceled", "canceled", nil, systemd.ErrJob, "restart crio.service: the job did not succeed: canceled, it is active (running)"},
		{"dependency", "dependency", inactive, systemd.ErrJob, "restart crio.service: the job did not succeed: dependency, it is inactive (dead)"},
		{"assert", "assert", inactive, systemd.ErrJob, "restart crio.service: the job did not succeed: assert, it is inactive (dead)"},
		{"skipped", "skipped", nil, systemd.ErrJob, "restart crio.service: the job did not succeed: skipped, it is active (running)"},
		{"invalid", "invalid", inactive, systemd.ErrRefused, "restart crio.service: systemd refused the job: invalid, it is inactive (dead)"},
		{"unsupported", "unsupported", inactive, systemd.ErrJob, "restart crio.service: the job did not succeed: unsupported, it is inactive (dead)"},
		{"a result of the future", "moonphase", inactive, systemd.ErrJob, "restart crio.service: the job did not succeed: moonphase, it is inactive (dead)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := start(t, &manager{onJob: func(m *manager, unit string) *dbus.Error {
				m.set(unit, tt.after)
				go m.ends(unit, tt.result)
				return nil
			}})
			err := s.Restart(within(t, 10*time.Second))
			e := asError(t, err)
			require.ErrorIs(t, err, tt.kind)
			require.Equal(t, tt.result, e.Job)
			require.NotNil(t, e.After)
			require.NotEmpty(t, e.Hint)
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJobEndsWithoutWord(t *testing.T) {
	t.Run("and the unit runs", func(t *testing.T) {
		s, _ := start(t, &manager{})
		require.NoError(t, s.Restart(within(t, 10*time.Second)))
	})
	t.Run("and the unit does not", func(t *testing.T) {
		s, _ := start(t, &manager{onJob: func(m *manager, unit string) *dbus.Error {
			m.set(unit, failed)
			return nil
		}})
		require.ErrorIs(t, s.Restart(within(t, 10*time.Second)), systemd.ErrNotActive)
	})
}

// waiting returns a manager whose job does not end, and a channel that closes
// once the job is asked for.
func waiting() (*manager, <-chan struct{}) {
	asked := make(chan struct{})
	return &manager{onJob: func(m *manager, unit string) *dbus.Error {
		m.set(unit, map[string]any{"ActiveState": "activating", "SubState": "start", "Job": job{7, jobPath}})
		close(asked)
		return nil
	}}, asked
}

func TestDeadlineWhileTheJobRuns(t *testing.T) {
	m, _ := waiting()
	s, _ := start(t, m)
	err := s.Restart(within(t, 700*time.Millisecond))
	require.ErrorIs(t, err, systemd.ErrTimeout)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	e := asError(t, err)
	require.NotNil(t, e.After, "the state can still be read")
	require.Equal(t, "activating", e.After.ActiveState)
	require.Contains(t, e.Hint, "systemctl status crio.service")

	state, err := s.State(within(t, 10*time.Second))
	require.NoError(t, err, "the connection outlives the deadline of one call")
	require.Equal(t, "activating", state.Active)
}

func TestCallerGivesUp(t *testing.T) {
	m, asked := waiting()
	s, _ := start(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	err := s.Restart(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, systemd.ErrTimeout)
}

func TestSystemdLeavesTheBus(t *testing.T) {
	m, asked := waiting()
	s, _ := start(t, m)
	go func() { <-asked; m.conn.Close() }()
	err := s.Restart(within(t, 10*time.Second))
	require.ErrorIs(t, err, systemd.ErrBusLost)
	// The bus may notice before or after the call's reply has come.
	require.Regexp(t, `^restart crio\.service: the connection to systemd was lost: (while the job ran|Message recipient disconnected .*)$`, err.Error())
	require.Nil(t, asError(t, err).After)
}

func TestBusDiesWhileTheJobRuns(t *testing.T) {
	m, asked := waiting()
	s, b := start(t, m)
	process := b.process
	go func() { <-asked; _ = process.Kill() }()
	err := s.Restart(within(t, 10*time.Second))
	require.ErrorIs(t, err, systemd.ErrBusLost)

	_, err = process.Wait()
	require.NoError(t, err)
	b.start(t)
	m.set("crio.service", running)
	b.run(t, m)
	state, err := s.State(within(t, 10*time.Second))
	require.NoError(t, err, "the service connects anew")
	require.Equal(t, "active", state.Active)
}

func TestBusHangs(t *testing.T) {
	t.Run("before the connection", func(t *testing.T) {
		b := newBus(t)
		b.signal(t, syscall.SIGSTOP)
		_, err := systemd.Open(within(t, 300*time.Millisecond), systemd.Options{Address: b.address})
		require.ErrorIs(t, err, systemd.ErrTimeout)
	})
	t.Run("after it", func(t *testing.T) {
		s, b := start(t, &manager{})
		b.signal(t, syscall.SIGSTOP)
		require.ErrorIs(t, s.Restart(within(t, 300*time.Millisecond)), systemd.ErrTimeout)
		_, err := s.State(within(t, 300*time.Millisecond))
		require.ErrorIs(t, err, systemd.ErrTimeout)
	})
}

func TestAnswersOfTheBus(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		kind       error
		want       string
		hint       string
	}{
		{"org.freedesktop.systemd1.NoSuchUnit", "Unit crio.service not found.", systemd.ErrNotFound,
			"restart crio.service: no such unit: Unit crio.service not found", "Is CRI-O installed here?"},
		{"org.freedesktop.systemd1.UnitMasked", "Unit crio.service is masked.", systemd.ErrMasked,
			"restart crio.service: the unit is masked: Unit crio.service is masked", "systemctl unmask crio.service"},
		{"org.freedesktop.systemd1.UnitMasked", "Unit polkit.service is masked.", systemd.ErrPermission,
			"restart crio.service: not permitted: Unit polkit.service is masked", "as root"},
		{"org.freedesktop.systemd1.BadUnitSetting", "Unit crio.service has a bad unit file setting.", systemd.ErrBadUnit,
			"restart crio.service: the unit file is faulty: Unit crio.service has a bad unit file setting", "systemd-analyze verify crio.service"},
		{"org.freedesktop.systemd1.OnlyByDependency", "Operation refused", systemd.ErrRefused,
			"restart crio.service: systemd refused the job: Operation refused", "RefuseManualStart="},
		{"org.freedesktop.systemd1.TransactionIsDestructive", "Transaction is destructive.", systemd.ErrRefused,
			"restart crio.service: systemd refused the job: Transaction is destructive", "list-jobs"},
		{"org.freedesktop.systemd1.JobTypeNotApplicable", "Job type reload is not applicable.", systemd.ErrRefused,
			"restart crio.service: systemd refused the job: Job type reload is not applicable", "stopped"},
		{"org.freedesktop.DBus.Error.AccessDenied", "Permission denied", systemd.ErrPermission,
			"restart crio.service: not permitted: Permission denied", "as root"},
		{"org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", "Interactive authentication required.", systemd.ErrPermission,
			"restart crio.service: not permitted: Interactive authentication required", "as root"},
		{"org.freedesktop.DBus.Error.NoReply", "Remote peer disconnected", systemd.ErrBusLost,
			"restart crio.service: the connection to systemd was lost: Remote peer disconnected", "dbus.service"},
		{"org.example.Odd", "", systemd.ErrRefused,
			"restart crio.service: systemd refused the job: org.example.Odd", ""},
		{"org.example.Odd", "tea time", systemd.ErrRefused,
			"restart crio.service: systemd refused the job: org.example.Odd: tea time", ""},
	} {
		t.Run(tt.name+" "+tt.text, func(t *testing.T) {
			var body []any
			if tt.text != "" {
				body = []any{tt.text}
			}
			s, _ := start(t, &manager{onJob: func(*manager, string) *dbus.Error { return dbus.NewError(tt.name, body) }})
			err := s.Restart(within(t, 10*time.Second))
			require.ErrorIs(t, err, tt.kind)
			require.Contains(t, asError(t, err).Hint, tt.hint)
			require.Equal(t, tt.want, err.Error())
			var cause dbus.Error
			require.True(t, errors.As(err, &cause))
			require.Equal(t, tt.name, cause.Name)
		})
	}
}

func TestResetOfAnUnloadedUnitIsNoError(t *testing.T) {
	s, _ := start(t, &manager{onReset: func() *dbus.Error {
		return dbus.NewError("org.freedesktop.systemd1.NoSuchUnit", []any{"Unit crio.service not loaded."})
	}})
	require.NoError(t, s.ResetFailed(within(t, 10*time.Second)))
}

func TestOpenWithoutSystemd(t *testing.T) {
	t.Run("nobody on the bus", func(t *testing.T) {
		_, err := systemd.Open(within(t, 10*time.Second), systemd.Options{Address: newBus(t).address})
		require.ErrorIs(t, err, systemd.ErrNoBus)
		require.Contains(t, asError(t, err).Hint, "Nobody on this bus is systemd")
	})
	t.Run("no socket", func(t *testing.T) {
		_, err := systemd.Open(within(t, 10*time.Second), systemd.Options{Address: "unix:path=/nonexistent/bus"})
		require.ErrorIs(t, err, systemd.ErrNoBus)
		require.ErrorIs(t, err, os.ErrNotExist)
		require.Contains(t, asError(t, err).Hint, "There is no system bus")
	})
	t.Run("a socket that nobody listens on", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "bus")
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
		require.NoError(t, err)
		l.SetUnlinkOnClose(false)
		require.NoError(t, l.Close())
		_, err = systemd.Open(within(t, 10*time.Second), systemd.Options{Address: "unix:path=" + path})
		require.ErrorIs(t, err, systemd.ErrNoBus)
		require.Contains(t, asError(t, err).Hint, "does not answer")
	})
	t.Run("not a bus", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "bus")
		l, err := net.Listen("unix", path)
		require.NoError(t, err)
		defer l.Close()
		go func() {
			for c, err := l.Accept(); err == nil; c, err = l.Accept() {
				c.Close()
			}
		}()
		_, err = systemd.Open(within(t, 10*time.Second), systemd.Options{Address: "unix:path=" + path})
		require.ErrorIs(t, err, systemd.ErrNoBus)
	})
	t.Run("not an address", func(t *testing.T) {
		_, err := systemd.Open(within(t, 10*time.Second), systemd.Options{Address: "nonsense"})
		require.ErrorIs(t, err, systemd.ErrNoBus)
	})
	t.Run("a machine without systemd", func(t *testing.T) {
		if _, err := os.Stat("/run/systemd/system"); err == nil {
			t.Skip("this machine runs systemd")
		}
		_, err := systemd.Open(within(t, 10*time.Second), systemd.Options{})
		require.ErrorIs(t, err, systemd.ErrNoSystemd)
		require.EqualError(t, err, "connect to systemd: this system does not run systemd: /run/systemd/system is missing")
	})
}

func TestOpenChoosesTheUnit(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"the first that systemd knows", []string{"crio.service", "cri-o.service"}, "crio.service"},
		{"another name", []string{"cri-o.service"}, "cri-o.service"},
		{"none", nil, "crio.service"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBus(t)
			m := &manager{}
			for _, name := range tt.known {
				m.set(name, running)
			}
			b.run(t, m)
			s := open(t, b)
			require.Equal(t, tt.want, s.Unit())
			p, err := s.Properties(within(t, 10*time.Second))
			require.NoError(t, err)
			require.Equal(t, tt.known != nil, p.Known())
		})
	}
}

func TestProperties(t *testing.T) {
	m := &manager{}
	s, _ := start(t, m)
	m.set("crio.service", map[string]any{
		"UnitFileState": "enabled", "StatusText": "hello", "NeedDaemonReload": true,
		"LoadError":    struct{ Name, Text string }{"org.freedesktop.DBus.Error.X", "why"},
		"FragmentPath": "/usr/lib/systemd/system/crio.service",
		"DropInPaths":  []string{"/etc/systemd/system/crio.service.d/10-a.conf"},
		"Environment":  []string{"GOTRACEBACK=crash"},
		"EnvironmentFiles": []struct {
			Path     string
			Optional bool
		}{{"/etc/sysconfig/crio", true}, {"/etc/default/crio", false}},
		"ExecStart": []struct {
			Path string
			Args []string
			Fail bool
		}{{"/usr/bin/crio", []string{"/usr/bin/crio", "$CRIO_CONFIG_OPTIONS"}, false}},
		"NRestarts": "not a number", // of another type than expected: left alone
	})
	got, err := s.Properties(within(t, 10*time.Second))
	require.NoError(t, err)
	want := systemd.Properties{
		ID: "crio.service", LoadState: "loaded", LoadError: "why", UnitFileState: "enabled",
		ActiveState: "active", SubState: "running", Result: "success",
		InvocationID: "abcd", MainPID: 42, StatusText: "hello", NeedDaemonReload: true,
		FragmentPath: "/usr/lib/systemd/system/crio.service",
		DropInPaths:  []string{"/etc/systemd/system/crio.service.d/10-a.conf"},
		Environment:  []string{"GOTRACEBACK=crash"},
		EnvironmentFiles: []systemd.EnvironmentFile{
			{Path: "/etc/sysconfig/crio", Optional: true}, {Path: "/etc/default/crio"},
		},
		ExecStart: [][]string{{"/usr/bin/crio", "$CRIO_CONFIG_OPTIONS"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("properties (-want +got):\n%s", diff)
	}
	state := apply.State{Active: "active", Sub: "running", Result: "success", MainPID: 42, InvocationID: "abcd"}
	if diff := cmp.Diff(state, got.State()); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	require.True(t, got.Running())
}
