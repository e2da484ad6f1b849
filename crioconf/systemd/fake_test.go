package systemd_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

// The configuration is our own: that of --session also has service files, so
// that the bus would try to start a name that nobody owns.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>custom</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/>
<allow own="*"/><allow user="*"/></policy></busconfig>`

// A bus is a dbus-daemon of the test's own.
type bus struct {
	address string
	process *os.Process
	args    []string
}

func newBus(t *testing.T) *bus {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("dbus-daemon is not installed")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "bus.conf")
	require.NoError(t, os.WriteFile(config, []byte(busConfig), 0o644))
	b := &bus{args: []string{"--config-file=" + config, "--nofork", "--nopidfile",
		"--address=unix:path=" + filepath.Join(dir, "bus"), "--print-address=1"}}
	b.start(t)
	t.Cleanup(func() { b.kill(t) })
	return b
}

func (b *bus) start(t *testing.T) {
	t.Helper()
	cmd := exec.Command("dbus-daemon", b.args...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	b.process = cmd.Process
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "dbus-daemon printed no address")
	b.address = strings.TrimSpace(line)
}

func (b *bus) kill(t *testing.T) {
	t.Helper()
	if b.process == nil {
		return
	}
	require.NoError(t, b.process.Kill())
	_, err := b.process.Wait()
	require.NoError(t, err)
	b.process = nil
}

func (b *bus) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	require.NoError(t, b.process.Signal(s))
}

const (
	managerPath = dbus.ObjectPath("/org/freedesktop/systemd1")
	managerName = "org.freedesktop.systemd1"
	jobPath     = dbus.ObjectPath("/org/freedesktop/systemd1/job/7")
)

// A manager is a systemd that does what the test says.
type manager struct {
	conn *dbus.Conn

	mu    sync.Mutex
	calls []string
	units map[string]map[string]any

	// onJob is called for every method that starts a job. It answers the call.
	onJob func(m *manager, unit string) *dbus.Error
	// transient is the last call of StartTransientUnit.
	transient transient
	// onReset is called for ResetFailedUnit.
	onReset func() *dbus.Error
}

// run puts the manager on the bus.
func (b *bus) run(t *testing.T, m *manager) *manager {
	t.Helper()
	conn, err := dbus.Connect(b.address)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	m.conn = conn
	require.NoError(t, conn.Export(m, managerPath, managerName+".Manager"))
	for _, name := range []string{"crio.service", "cri-o.service", "t.timer", "t.service"} {
		p := managerPath + "/unit/" + dbus.ObjectPath(sd.PathBusEscape(name))
		require.NoError(t, conn.Export(&unit{m, name}, p, "org.freedesktop.DBus.Properties"))
	}
	reply, err := conn.RequestName(managerName, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
	require.Equal(t, dbus.RequestNameReplyPrimaryOwner, reply)
	return m
}

// set changes properties of a unit.
func (m *manager) set(name string, p map[string]any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.units == nil {
		m.units = map[string]map[string]any{}
	}
	all := map[string]any{}
	for k, v := range m.units[name] {
		all[k] = v
	}
	for k, v := range p {
		all[k] = v
	}
	m.units[name] = all
}

// ends tells everybody that the job has ended.
func (m *manager) ends(unit, result string) {
	_ = m.conn.Emit(managerPath, managerName+".Manager.JobRemoved", uint32(7), jobPath, unit, result)
}

func (m *manager) called() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls
}

func (m *manager) job(call, unit, mode string) (dbus.ObjectPath, *dbus.Error) {
	m.mu.Lock()
	m.calls = append(m.calls, call+" "+unit+" "+mode)
	m.mu.Unlock()
	if m.onJob != nil {
		if err := m.onJob(m, unit); err != nil {
			return "", err
		}
	}
	return jobPath, nil
}

// RestartUnit is called over the bus.
func (m *manager) RestartUnit(unit, mode string) (dbus.ObjectPath, *dbus.Error) {
	return m.job("restart", unit, mode)
}

// ReloadUnit is called over the bus.
func (m *manager) ReloadUnit(unit, mode string) (dbus.ObjectPath, *dbus.Error) {
	return m.job("reload", unit, mode)
}

// StopUnit is called over the bus.
func (m *manager) StopUnit(unit, mode string) (dbus.ObjectPath, *dbus.Error) {
	return m.job("stop", unit, mode)
}

// A setting is a property of a transient unit, (sv).
type setting struct {
	Name  string
	Value dbus.Variant
}

// An auxUnit is one that comes with a transient unit, (sa(sv)).
type auxUnit struct {
	Name     string
	Settings []setting
}

// A transient is a transient unit as it was asked for.
type transient struct {
	settings []setting
	aux      []auxUnit
}

// StartTransientUnit is called over the bus.
func (m *manager) StartTransientUnit(unit, mode string, settings []setting, aux []auxUnit) (dbus.ObjectPath, *dbus.Error) {
	m.mu.Lock()
	m.transient = transient{settings, aux}
	m.mu.Unlock()
	return m.job("transient", unit, mode)
}

// ResetFailedUnit is called over the bus.
func (m *manager) ResetFailedUnit(unit string) *dbus.Error {
	m.mu.Lock()
	m.calls = append(m.calls, "reset-failed "+unit)
	m.mu.Unlock()
	if m.onReset != nil {
		return m.onReset()
	}
	return nil
}

// Reload is called over the bus.
func (m *manager) Reload() *dbus.Error {
	m.mu.Lock()
	m.calls = append(m.calls, "daemon-reload")
	m.mu.Unlock()
	return nil
}

// A unit answers for the properties of one unit.
type unit struct {
	m    *manager
	name string
}

func (u *unit) all() map[string]any {
	u.m.mu.Lock()
	defer u.m.mu.Unlock()
	if p, ok := u.m.units[u.name]; ok {
		return p
	}
	return map[string]any{"Id": u.name, "LoadState": "not-found", "ActiveState": "inactive", "SubState": "dead"}
}

// GetAll is called over the bus.
func (u *unit) GetAll(_ string) (map[string]dbus.Variant, *dbus.Error) {
	out := map[string]dbus.Variant{}
	for k, v := range u.all() {
		out[k] = dbus.MakeVariant(v)
	}
	return out, nil
}

// Get is called over the bus.
func (u *unit) Get(_, name string) (dbus.Variant, *dbus.Error) {
	v, ok := u.all()[name]
	if !ok {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", []any{"no " + name})
	}
	return dbus.MakeVariant(v), nil
}
