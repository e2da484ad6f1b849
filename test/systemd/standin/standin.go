// Package standin is a program that behaves as crio does towards its
// configuration, its unit and its socket, for tests that need a daemon and no
// containers.
//
// It loads the main file and the drop-ins with CRI-O's decoder and in CRI-O's
// order, takes the flags and variables that the tests need, exits with status 1
// on what CRI-O refuses, tells systemd when it is ready, serves /info and /config,
// and takes reloadable keys over on SIGHUP. It knows only the keys of its config type.
//
// A line STANDIN_FAULT= in the environment of the unit makes it misbehave; see
// the Fault constants.
package standin

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/coreos/go-systemd/v22/daemon"
)

// Version is the CRI-O that it says it is, unless VersionVariable names another.
const Version = "1.30.14"

// The release that it plays.
const (
	VersionVariable = "STANDIN_VERSION"
	// UnawareVariable, set to anything, takes the toggle away: no flag, no
	// variable, and the key is passed over, as in a release before 1.28.0.
	UnawareVariable = "STANDIN_UNAWARE"
)

func version() string {
	if v := os.Getenv(VersionVariable); v != "" {
		return v
	}
	return Version
}

func unaware() bool { return os.Getenv(UnawareVariable) != "" }

// The faults.
const (
	Crash = "crash" // exits with status 3 once it is ready and was asked for /info, or after a while
	Hang  = "hang"  // never gets ready
	Early = "early" // exits with status 7 before it is ready
	Mute  = "mute"  // is ready and does not answer on its socket
	Slow  = "slow"  // takes a second for every answer on its socket
	Stale = "stale" // serves the toggle as it is by default, whatever the files say
	Deaf  = "deaf"  // takes nothing over on SIGHUP

	// IfDisabled is put after a fault that shows only when the toggle is true.
	IfDisabled = "-if-disabled"
)

// RefusedDir is a folder that it refuses as network_dir, which CRI-O does not.
const RefusedDir = "/etc/cni/refused.d"

// DumpVariable names a file. With it set, the program writes its arguments and
// environment there as JSON and is done; see Dump.
const DumpVariable = "STANDIN_DUMP"

// A Dump is what the program was started with.
type Dump struct {
	Args []string // without the program
	Env  []string
}

// Main runs the program and returns its exit status.
func Main(args []string) int {
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func run(args []string) error {
	if path := os.Getenv(DumpVariable); path != "" {
		return dump(path, args)
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	switch {
	case o.version:
		fmt.Printf("crio version %s\nVersion:        %s\nGitCommit:      unknown\n", version(), version())
		return nil
	case o.help:
		fmt.Print("NAME:\n   crio\n\nGLOBAL OPTIONS:\n")
		if !unaware() {
			fmt.Print("   --disable-hostport-mapping  (default: false) [$DISABLE_HOSTPORT_MAPPING]\n")
		}
		return nil
	}
	c, err := o.load()
	if err != nil {
		return err
	}
	switch o.command {
	case "":
		return o.serve(c)
	case "config":
		return toml.NewEncoder(os.Stdout).Encode(c)
	case "version":
		fmt.Printf("Version:        %s\n", version())
		return nil
	}
	return fmt.Errorf("command %q not supported", o.command)
}

func dump(path string, args []string) error {
	data, err := json.Marshal(Dump{args, os.Environ()})
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// options are what flags and variables say. A nil toggle is not set.
type options struct {
	main, dropIns string
	mainExplicit  bool
	logLevel      string
	toggle        *bool
	version, help bool
	command       string
}

func parse(args []string) (*options, error) {
	o := &options{main: "/etc/crio/crio.conf", dropIns: "/etc/crio/crio.conf.d"}
	if v, ok := os.LookupEnv("CONTAINER_CONFIG"); ok {
		o.main, o.mainExplicit = v, true
	}
	if v, ok := os.LookupEnv("CONTAINER_CONFIG_DIR"); ok {
		o.dropIns = v
	}
	o.logLevel = os.Getenv("CONTAINER_LOG_LEVEL")
	// An empty variable counts as false.
	if v, ok := os.LookupEnv("DISABLE_HOSTPORT_MAPPING"); ok && !unaware() {
		b, err := strconv.ParseBool(v)
		o.toggle = &b
		if v != "" && err != nil {
			return nil, fmt.Errorf("could not parse %q as bool value for flag disable-hostport-mapping: %w", v, err)
		}
	}
	fs := flag.NewFlagSet("crio", flag.ContinueOnError)
	toggle := new(bool)
	if !unaware() {
		fs.BoolVar(toggle, "disable-hostport-mapping", false, "")
	}
	for _, name := range []string{"config", "c"} {
		fs.StringVar(&o.main, name, o.main, "")
	}
	for _, name := range []string{"config-dir", "d"} {
		fs.StringVar(&o.dropIns, name, o.dropIns, "")
	}
	for _, name := range []string{"log-level", "l"} {
		fs.StringVar(&o.logLevel, name, o.logLevel, "")
	}
	fs.BoolVar(&o.version, "version", false, "")
	fs.BoolVar(&o.help, "help", false, "")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "config", "c":
			o.mainExplicit = true
		case "disable-hostport-mapping":
			o.toggle = toggle
		}
	})
	o.command = fs.Arg(0)
	return o, nil
}

// serve runs the daemon until it is told to stop.
func (o *options) serve(c *config) error {
	fault := faultWith(c)
	switch fault {
	case Early:
		os.Exit(7)
	case Hang:
		select {}
	}
	if err := os.MkdirAll(filepath.Dir(c.Crio.API.Listen), 0o755); err != nil {
		return err
	}
	if err := os.Remove(c.Crio.API.Listen); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	l, err := net.Listen("unix", c.Crio.API.Listen)
	if err != nil {
		return err
	}
	// CRI-O tells that it is ready before its servers answer.
	if _, err := daemon.SdNotify(false, daemon.SdNotifyReady); err != nil {
		return err
	}
	switch fault {
	case Mute:
		select {}
	case Crash:
		time.AfterFunc(200*time.Millisecond, func() { os.Exit(3) })
	}
	var served atomic.Pointer[config]
	served.Store(c)
	if fault == Deaf {
		signal.Ignore(syscall.SIGHUP)
	} else {
		go o.reloads(&served)
	}
	s := &http.Server{Handler: handler(&served, fault), ReadHeaderTimeout: time.Minute}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	go func() {
		<-stop.Done()
		_ = s.Close()
	}()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func faultWith(c *config) string {
	fault, conditional := strings.CutSuffix(os.Getenv("STANDIN_FAULT"), IfDisabled)
	if toggle := c.Crio.Runtime.DisableHostportMapping; conditional && (toggle == nil || !*toggle) {
		return ""
	}
	return fault
}

// reloads takes the log level and the pause image over from the files on SIGHUP, without what flags
// and variables say (cri-o pkg/config/reload.go, Reload). What cannot be read
// changes nothing.
func (o *options) reloads(served *atomic.Pointer[config]) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	for range hup {
		files := options{main: o.main, dropIns: o.dropIns, mainExplicit: o.mainExplicit}
		read, err := files.load()
		if err != nil {
			fmt.Fprintln(os.Stderr, "reload:", err)
			continue
		}
		next := *served.Load()
		next.Crio.Runtime.LogLevel = read.Crio.Runtime.LogLevel
		next.Crio.Image.PauseImage = read.Crio.Image.PauseImage
		served.Store(&next)
	}
}

func handler(served *atomic.Pointer[config], fault string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/info", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"storage_driver": "overlay", "storage_root": "/var/lib/containers/storage", "cgroup_driver": "systemd",
		})
		if fault == Crash {
			os.Exit(3)
		}
	})
	mux.HandleFunc("/config", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/toml")
		c := *served.Load()
		if fault == Stale {
			c.Crio.Runtime.DisableHostportMapping = new(bool)
		}
		_ = toml.NewEncoder(w).Encode(&c)
	})
	if fault != Slow {
		return mux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Second)
		mux.ServeHTTP(w, r)
	})
}
