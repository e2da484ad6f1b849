package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
	"github.com/crioctl/crioctl-net/schema"
)

// stateTime bounds the question for the state of the unit.
const stateTime = 5 * time.Second

// A Work is a set of file changes and what they do to the configuration.
type Work struct {
	Files         dropin.Plan
	Before, After *crioconf.Config
	Changes       []crioconf.Change // keys whose effective value changes
	Verify        []keypath.Path    // keys to read back from the daemon, besides those
	// Recovered are keys that have their former values again since an
	// interrupted run was put back.
	Recovered []crioconf.Change
	Trial     *Trial // the work is undone unless it is confirmed, nil for good work
}

// A Road carries work out: it writes the files, brings them to the daemon, and
// keeps them or puts the former ones back.
type Road struct {
	Session *session.Session
	Node    *node.Node
	Options Options
}

// How a change reaches the daemon.
const (
	byRestart = "restarted"
	byReload  = "reloaded"
)

// A carrier brings the files to the daemon.
type carrier struct {
	service *systemd.Service // nil: it is left alone
	how     string           // byRestart or byReload
	why     string           // the reason when it is left alone
}

func (c carrier) close() {
	if c.service != nil {
		c.service.Close()
	}
}

// as is the service as the transaction sees it.
func (c carrier) as() apply.Service {
	switch {
	case c.service == nil:
		return nil
	case c.how == byReload:
		return reloader{c.service}
	}
	return c.service
}

// A reloader is a service that takes its files over on SIGHUP.
type reloader struct{ *systemd.Service }

// Restart reloads the service. One that does not run any more, as before a
// rollback, is started.
func (r reloader) Restart(ctx context.Context) error {
	st, err := r.State(ctx)
	if err != nil {
		return err
	}
	if !st.Running() {
		return r.Service.Restart(ctx)
	}
	return r.Reload(ctx)
}

// means decides how the work reaches the daemon, before anything is written.
// Under --restart always a daemon that cannot be restarted is an error; under
// auto a host without systemd, or a unit that does not run, is told and left
// alone.
func (r Road) means(ctx context.Context, w Work) (carrier, error) {
	always := r.Options.Restart == "always"
	how := r.how(w)
	switch {
	case w.Files.Empty() && len(w.Recovered) == 0 && !always:
		return carrier{}, nil
	case !r.Node.Live:
		return carrier{why: "not restarted: a root directory has no daemon"}, nil
	case r.Options.Restart == "never":
		return carrier{why: "not restarted, as asked: CRI-O reads the change at its next start"}, nil
	case how == "":
		return carrier{why: "no restart: no changed key needs one"}, nil
	}
	svc, err := OpenService(ctx, r.Session)
	if errors.Is(err, systemd.ErrNoSystemd) && !always {
		return carrier{why: "not restarted: this system does not run systemd"}, nil
	}
	if err != nil {
		return carrier{}, serviceError(err)
	}
	c, err := usable(ctx, svc, always, len(w.Recovered) > 0)
	if err != nil || c.service == nil {
		svc.Close()
	}
	c.how = how
	return c, err
}

// usable reports whether the unit can take the change over. One that has failed
// may have done so over the files of an interrupted run, which are gone then.
func usable(ctx context.Context, svc *systemd.Service, always, recovered bool) (carrier, error) {
	p, err := svc.Properties(ctx)
	up := p.Running() || p.ActiveState == "activating" || p.ActiveState == "reloading"
	switch {
	case err != nil:
		return carrier{}, serviceError(err)
	case p.LoadState != "loaded" && always:
		return carrier{}, exit.Errorf(exit.Impossible, "%s cannot be restarted: %s", svc.Unit(), loadProblem(p))
	case p.LoadState != "loaded":
		return carrier{why: fmt.Sprintf("not restarted: %s %s", svc.Unit(), loadProblem(p))}, nil
	case p.ActiveState == "failed" && recovered:
		if err := svc.ResetFailed(ctx); err != nil {
			return carrier{}, serviceError(err)
		}
	case !up && !always:
		return carrier{why: fmt.Sprintf("not restarted: %s is %s", svc.Unit(), p.ActiveState)}, nil
	}
	return carrier{service: svc}, nil
}

func loadProblem(p systemd.Properties) string {
	switch p.LoadState {
	case "not-found":
		return "does not exist"
	case "masked":
		return "is masked"
	}
	return "has a faulty unit file: " + p.LoadError
}

// how says what takes the changed keys over: a restart, a reload, or, when it is
// empty, nothing.
func (r Road) how(w Work) string {
	if r.Options.Restart == "always" {
		return byRestart
	}
	reload := false
	for _, c := range w.keys() {
		switch classOf(c, r.Node.Version) {
		case schema.Restart:
			return byRestart
		case schema.SIGHUP:
			reload = true
		}
	}
	switch {
	case !reload:
		return ""
	case r.reloadForgets(w.After):
		return byRestart
	}
	return byReload
}

func classOf(c crioconf.Change, v schema.Version) schema.Reload {
	k := c.After.Key
	if k == nil {
		k = c.Before.Key
	}
	if k == nil {
		return schema.Restart
	}
	return k.ReloadIn(v)
}

// reloadForgets reports whether a reload would do more than take the change
// over. On SIGHUP CRI-O reads its files without the flags and variables that it
// was started with, so that a reloadable key which they set falls back to the
// files; and until 1.21.0 it reads the last drop-in in place of the main file.
func (r Road) reloadForgets(c *crioconf.Config) bool {
	if r.Node.Version.Less(schema.Version{Major: 1, Minor: 21}) {
		return true
	}
	for _, v := range c.All() {
		overridden := v.Origin.Kind == crioconf.Flag || v.Origin.Kind == crioconf.Variable
		if overridden && v.Key.ReloadIn(r.Node.Version) == schema.SIGHUP {
			return true
		}
	}
	return false
}

// Carry carries the work out and fills the result with what became of it.
func (r Road) Carry(ctx context.Context, res *output.Result, store *dropin.Store, w Work) error {
	c, err := r.means(ctx, w)
	if err != nil {
		return err
	}
	defer c.close()
	res.RestartMsg = c.why
	if w.Files.Empty() && c.service == nil {
		return nil
	}
	defer holdPipe()()
	if w.Trial != nil {
		if err := r.arm(ctx, w.Trial); err != nil {
			return err
		}
	}
	done, err := apply.Run(ctx, store, w.Files, c.as(), apply.Options{
		Deadline: r.Session.Timeout,
		Settle:   settle,
		Probes:   r.probes(w.After, w.verify()),
		Former:   r.probes(w.Before, w.verify()),
		Start:    r.Options.Restart == "always" || len(w.Recovered) > 0,
		Report:   r.progress(),
	})
	res.Written = done.Changed
	res.Restarted = done.Restarted && c.how == byRestart
	res.Reloaded = done.Restarted && c.how == byReload
	res.RolledBack = done.RolledBack
	if done.Tx != nil {
		res.Transaction = done.Tx.ID()
	}
	if c.service != nil {
		r.tellUnit(ctx, res, c, done)
	}
	if err != nil && ctx.Err() == nil {
		r.remember(done.Tx, err)
	}
	switch {
	case w.Trial == nil:
	case !done.Changed:
		Disarm(ctx, r.Session, w.Trial)
	case err == nil:
		res.Unconfirmed = &output.Unconfirmed{Token: w.Trial.Token, Deadline: w.Trial.Deadline, Timer: w.Trial.Timer() + ".timer"}
	}
	return applyError(c, err)
}

// verify lists the keys to read back, each once.
func (w Work) verify() []keypath.Path {
	all := slices.Clone(w.Verify)
	for _, c := range w.keys() {
		if !slices.ContainsFunc(all, c.Path.Equal) {
			all = append(all, c.Path)
		}
	}
	return all
}

// tellUnit puts the state of the unit after the work into the result. The work
// may have ended because its context did; the state is still told.
func (r Road) tellUnit(ctx context.Context, res *output.Result, c carrier, done apply.Result) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stateTime)
	defer cancel()
	res.Unit = &output.Unit{Name: c.service.Unit(), ActiveState: "unknown"}
	p, err := c.service.Properties(ctx)
	if err != nil {
		r.Session.Notef("note: the state of %s is not known: %v", c.service.Unit(), err)
		return
	}
	res.Unit.ActiveState, res.Unit.SubState = p.ActiveState, p.SubState
	res.Unit.MainPID, res.Unit.NRestarts = p.MainPID, p.NRestarts
	if done.Restarted {
		res.RestartMsg = fmt.Sprintf("%s %s: %s (%s), pid %d", c.how, res.Unit.Name, p.ActiveState, p.SubState, p.MainPID)
	}
	if p.NeedDaemonReload {
		r.Session.Notef(`note: the unit files of %s have changed since systemd read them; "systemctl daemon-reload" makes them count.`, res.Unit.Name)
	}
}
