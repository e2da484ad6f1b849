package systemd_test

import (
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/systemd"
)

var aTimer = systemd.Timer{
	Name: "t", Description: "undo it", After: 90 * time.Second,
	Command: []string{"/usr/bin/crioctl-net", "rollback", "--unconfirmed", "$HOME"},
}

func done(m *manager, unit string) *dbus.Error {
	m.ends(unit, "done")
	return nil
}

// values maps the settings to what they say, in the notation of D-Bus.
func values(l []setting) map[string]string {
	out := map[string]string{}
	for _, s := range l {
		out[s.Name] = s.Value.String()
	}
	return out
}

func TestStartTimerAsksForTimerAndProgram(t *testing.T) {
	m := &manager{onJob: done}
	s, _ := start(t, m)
	m.set("t.timer", map[string]any{"Id": "t.timer", "LoadState": "loaded", "ActiveState": "active", "SubState": "waiting"})
	require.NoError(t, s.StartTimer(within(t, 10*time.Second), aTimer))
	require.NoError(t, s.StopTimer(within(t, 10*time.Second), "t"))
	if diff := cmp.Diff([]string{"transient t.timer replace", "stop t.timer replace"}, m.called()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	want := map[string]string{
		"Description":       `"undo it"`,
		"TimersMonotonic":   `@a(st) [["OnActiveSec", 90000000]]`,
		"AccuracyUSec":      `@t 1000000`,
		"RemainAfterElapse": `false`,
	}
	if diff := cmp.Diff(want, values(m.transient.settings)); diff != "" {
		t.Errorf("timer (-want +got):\n%s", diff)
	}
	require.Len(t, m.transient.aux, 1)
	require.Equal(t, "t.service", m.transient.aux[0].Name)
	want = map[string]string{
		"Description":     `"undo it"`,
		"Type":            `"oneshot"`,
		"RemainAfterExit": `false`,
		"ExecStart":       `[["/usr/bin/crioctl-net", ["/usr/bin/crioctl-net", "rollback", "--unconfirmed", "$$HOME"], false]]`,
	}
	if diff := cmp.Diff(want, values(m.transient.aux[0].Settings)); diff != "" {
		t.Errorf("program (-want +got):\n%s", diff)
	}
}

func TestStartTimerThatFails(t *testing.T) {
	for _, tt := range []struct {
		name  string
		onJob func(*manager, string) *dbus.Error
		kind  error
		want  string
	}{
		{"not permitted", func(*manager, string) *dbus.Error {
			return dbus.NewError("org.freedesktop.DBus.Error.AccessDenied", []any{"Permission denied"})
		}, systemd.ErrPermission, "start t.timer: not permitted: Permission denied"},
		{"the job fails", func(m *manager, unit string) *dbus.Error { m.ends(unit, "failed"); return nil },
			systemd.ErrJob, "start t.timer: the job did not succeed: failed, it is inactive (dead)"},
		{"it is not there after the job", done, systemd.ErrNotActive, "start t.timer: the unit is not active: it is inactive (dead)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := start(t, &manager{onJob: tt.onJob})
			err := s.StartTimer(within(t, 10*time.Second), aTimer)
			require.ErrorIs(t, err, tt.kind)
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestStopTimer(t *testing.T) {
	for _, tt := range []struct {
		name  string
		onJob func(*manager, string) *dbus.Error
		kind  error
	}{
		{"ticking", done, nil},
		{"gone", func(*manager, string) *dbus.Error {
			return dbus.NewError("org.freedesktop.systemd1.NoSuchUnit", []any{"Unit t.timer not loaded."})
		}, nil},
		{"not permitted", func(*manager, string) *dbus.Error {
			return dbus.NewError("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", nil)
		}, systemd.ErrPermission},
		{"another job takes its place", func(m *manager, unit string) *dbus.Error { m.ends(unit, "canceled"); return nil }, systemd.ErrJob},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := start(t, &manager{onJob: tt.onJob})
			err := s.StopTimer(within(t, 10*time.Second), "t")
			if tt.kind == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, tt.kind)
		})
	}
}

func TestTimerState(t *testing.T) {
	for _, tt := range []struct {
		timer, program string
		want           systemd.TimerState
	}{
		{"active", "inactive", systemd.TimerWaiting},
		{"inactive", "activating", systemd.TimerRunning},
		{"active", "activating", systemd.TimerRunning},
		{"inactive", "failed", systemd.TimerFailed},
		{"inactive", "inactive", systemd.TimerGone},
		{"", "", systemd.TimerGone},
	} {
		t.Run(tt.timer+" "+tt.program, func(t *testing.T) {
			m := &manager{}
			s, _ := start(t, m)
			if tt.timer != "" {
				m.set("t.timer", map[string]any{"ActiveState": tt.timer})
				m.set("t.service", map[string]any{"ActiveState": tt.program})
			}
			got, err := s.TimerState(within(t, 10*time.Second), "t")
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}
