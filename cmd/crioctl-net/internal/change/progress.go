package change

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/apply"
)

// steps are the words for what a person waits for.
var steps = map[apply.EventKind]string{
	apply.Recovered:        "the files of an interrupted run are back",
	apply.Written:          "the files are written",
	apply.Restarting:       "waiting for the daemon to take them over",
	apply.Settling:         "watching whether it stays up",
	apply.Healthy:          "it is healthy",
	apply.Unhealthy:        "it is not healthy",
	apply.Restoring:        "putting the former files back",
	apply.RestartingFormer: "waiting for the daemon with the former files",
	apply.RolledBack:       "all is as before",
	apply.NotRestored:      "the former state is not back",
}

// holdPipe keeps the program alive when nobody reads what it says any more, as
// when a network connection ends: it would die in the middle of the work.
func holdPipe() (release func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGPIPE)
	return func() { signal.Stop(c) }
}

// progress tells each step, with the seconds since the start, on a terminal and
// under --verbose. Elsewhere it is silent.
func (r Road) progress() func(apply.Event) {
	start := time.Now()
	return func(e apply.Event) {
		if r.Session.Quiet || !r.Session.Verbose && !r.Session.ErrIsTerminal() {
			return
		}
		line := fmt.Sprintf("%5.1fs  %s", time.Since(start).Seconds(), steps[e.Kind])
		if e.Err != nil {
			line += ": " + e.Err.Error()
		}
		fmt.Fprintln(r.Session.Err, line)
	}
}
