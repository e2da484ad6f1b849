package systemd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"syscall"

	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"

	"github.com/crioctl/crioctl-net/crioconf/apply"
)

const (
	busAddress     = "unix:path=/run/dbus/system_bus_socket"
	privateAddress = "unix:path=/run/systemd/private" // systemd's own socket, for root
	booted         = "/run/systemd/system"            // sd_booted(3)
)

// The methods mention the State of package apply, and nothing else of it: the
// type that apply compares is declared where it is compared, and a second one
// here would make every caller write the same copy.
var (
	_ apply.Service  = (*Service)(nil)
	_ apply.Resetter = (*Service)(nil)
)

// Options choose the unit and the way to systemd. The zero value means CRI-O's
// unit on this machine.
type Options struct {
	// Units are the names to try: the first one that systemd knows is meant.
	// None means crio.service, then cri-o.service, its alias, under which some
	// packages ship it.
	Units []string
	// Address is the D-Bus address of the system bus, as in
	// DBUS_SYSTEM_BUS_ADDRESS. Empty means the well-known socket, and for root
	// systemd's own socket where there is no bus.
	Address string
}

// A Service is the unit and a connection to systemd. The connection is made
// anew when it was lost. A Service may be used by several goroutines.
type Service struct {
	address string
	mu      sync.Mutex
	unit    string
	conn    *sd.Conn
	end     context.CancelFunc // closes the connection
}

// Open connects to systemd and finds the unit. ctx bounds the time that this
// takes; the connection lives until Close. A unit that systemd does not know is
// no error here: Properties tells it.
func Open(ctx context.Context, o Options) (*Service, error) {
	units := o.Units
	if len(units) == 0 {
		units = []string{"crio.service", "cri-o.service"}
	}
	s := &Service{address: o.Address, unit: units[0]}
	if o.Address == "" {
		if _, err := os.Stat(booted); err != nil {
			return nil, &Error{Op: "connect to systemd", Kind: ErrNoSystemd, Detail: booted + " is missing",
				Hint: "Restart CRI-O by the means of this system."}
		}
	}
	for _, u := range units {
		st, err := s.properties(ctx, u)
		if err != nil {
			s.Close()
			return nil, err
		}
		if st.Known() {
			s.unit = u
			break
		}
	}
	return s, nil
}

// Unit returns the name that the methods use.
func (s *Service) Unit() string { return s.unit }

// Close ends the connection.
func (s *Service) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *Service) drop() {
	if s.conn != nil {
		s.conn.Close()
		s.end()
		s.conn = nil
	}
}

// State returns how the service fares. It needs no privileges.
func (s *Service) State(ctx context.Context) (apply.State, error) {
	p, err := s.Properties(ctx)
	return p.State(), err
}

// Properties returns what systemd knows about the unit. It needs no privileges.
func (s *Service) Properties(ctx context.Context) (Properties, error) {
	return s.properties(ctx, s.unit)
}

func (s *Service) properties(ctx context.Context, unit string) (Properties, error) {
	conn, err := s.connect(ctx)
	if err != nil {
		return Properties{}, err
	}
	p, err := conn.GetAllPropertiesContext(ctx, unit)
	if err != nil {
		return Properties{}, failure("read the state of", unit, err)
	}
	return newProperties(p), nil
}

// ResetFailed makes systemd forget that the unit failed, and how often it was
// started lately. Call it before a restart that must not end in ErrStartLimit.
func (s *Service) ResetFailed(ctx context.Context) error {
	conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	err = conn.ResetFailedUnitContext(ctx, s.unit)
	var reply dbus.Error
	if errors.As(err, &reply) && reply.Name == "org.freedesktop.systemd1.NoSuchUnit" {
		return nil // systemd unloads a stopped unit, and forgets with it
	}
	if err != nil {
		return failure("reset", s.unit, err)
	}
	return nil
}

// DaemonReload makes systemd read all unit files again. A restart alone goes
// on with the files as they were loaded.
func (s *Service) DaemonReload(ctx context.Context) error {
	conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	if err := conn.ReloadContext(ctx); err != nil {
		return failure("reload the units of", "systemd", err)
	}
	return nil
}

// connect returns a live connection.
func (s *Service) connect(ctx context.Context) (*sd.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil && s.conn.Connected() {
		return s.conn, nil
	}
	s.drop()
	addresses := []string{s.address}
	if s.address == "" {
		addresses = []string{busAddress}
		if os.Geteuid() == 0 {
			addresses = append(addresses, privateAddress)
		}
	}
	var first error
	for _, a := range addresses {
		conn, end, err := dial(ctx, a)
		if err == nil {
			s.conn, s.end = conn, end
			return conn, nil
		}
		if first == nil {
			first = fmt.Errorf("%s: %w", a, err)
		}
	}
	e := failure("connect to", "systemd", first)
	if e.Kind == ErrBusLost {
		e.Kind = ErrNoBus
	}
	switch {
	case errors.Is(first, fs.ErrNotExist):
		e.Hint = "There is no system bus; start dbus.service, or run it as root."
	case errors.Is(first, syscall.ECONNREFUSED):
		e.Hint = "The system bus does not answer; look at \"systemctl status dbus.service\"."
	}
	return nil, e
}

// dial connects to one address. The context given to the library is the
// connection's life, so that ctx, which is about this call, must not be it.
// The library also makes a call without a context, so that the wait is here.
func dial(ctx context.Context, address string) (*sd.Conn, context.CancelFunc, error) {
	type result struct {
		conn *sd.Conn
		err  error
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan result, 1)
	go func() {
		conn, err := sd.NewConnection(func() (*dbus.Conn, error) { return authenticate(life, address) })
		done <- result{conn, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			end()
		}
		return r.conn, end, r.err
	case <-ctx.Done():
		end() // closes what the goroutine has opened, and so ends it
		return nil, nil, ctx.Err()
	}
}

func authenticate(life context.Context, address string) (*dbus.Conn, error) {
	conn, err := dbus.Dial(address, dbus.WithContext(life))
	if err != nil {
		return nil, err
	}
	err = conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Getuid()))})
	// On systemd's own socket there is no bus to say hello to.
	if err == nil && address != privateAddress {
		err = conn.Hello()
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}
