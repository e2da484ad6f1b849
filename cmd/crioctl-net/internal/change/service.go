package change

import (
	"context"
	"errors"
	"fmt"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/apply"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/systemd"
)

// A restarter is how the change reaches the daemon.
type restarter struct {
	service *systemd.Service // nil: no restart
	why     string           // the reason when there is none
}

func (r restarter) close() {
	if r.service != nil {
		r.service.Close()
	}
}

// restarter decides how the change reaches the daemon, before anything is
// written. Under --restart always a daemon that cannot be restarted is an
// error; under auto a host without systemd, or a unit that does not run, is
// told and left alone.
func (j *Job) restarter(ctx context.Context, p *crioconf.Planned) (restarter, error) {
	always := j.Options.Restart == "always"
	switch {
	case !p.Changed() && !always:
		return restarter{}, nil
	case !j.Node.Live:
		return restarter{why: "not restarted: a root directory has no daemon"}, nil
	case j.Options.Restart == "never":
		return restarter{why: "not restarted, as asked: CRI-O reads the change at its next start"}, nil
	case !j.restartWanted(p):
		return restarter{why: "no restart: no changed key needs one"}, nil
	}
	svc, err := systemd.Open(ctx, systemd.Options{Address: j.Session.Getenv("DBUS_SYSTEM_BUS_ADDRESS")})
	if errors.Is(err, systemd.ErrNoSystemd) && !always {
		return restarter{why: "not restarted: this system does not run systemd"}, nil
	}
	if err != nil {
		return restarter{}, serviceError(err)
	}
	st, err := svc.Properties(ctx)
	switch {
	case err != nil:
		svc.Close()
		return restarter{}, serviceError(err)
	case always && st.Known() && st.LoadState == "loaded", st.Running():
		return restarter{service: svc}, nil
	case always:
		svc.Close()
		return restarter{}, exit.Errorf(exit.Impossible, "%s cannot be restarted: it is %s", svc.Unit(), st.LoadState)
	case !st.Known():
		svc.Close()
		return restarter{why: fmt.Sprintf("not restarted: there is no %s", svc.Unit())}, nil
	case st.LoadState == "masked":
		svc.Close()
		return restarter{why: fmt.Sprintf("not restarted: %s is masked", svc.Unit())}, nil
	}
	svc.Close()
	return restarter{why: fmt.Sprintf("not restarted: %s is %s", svc.Unit(), st.ActiveState)}, nil
}

func serviceError(err error) error {
	e := &exit.Error{Code: exit.Impossible, Err: err}
	var se *systemd.Error
	if errors.As(err, &se) {
		e.Hint = se.Hint
	}
	return e
}

// apply writes the files and restarts the daemon.
func (j *Job) apply(ctx context.Context, r *output.Result, store *dropin.Store, p *crioconf.Planned) error {
	restart, err := j.restarter(ctx, p)
	if err != nil {
		return err
	}
	defer restart.close()
	r.RestartMsg = restart.why
	if !p.Changed() && restart.service == nil {
		return nil
	}
	var svc apply.Service
	if restart.service != nil {
		svc = restart.service
	}
	res, err := apply.Run(ctx, store, j.dropinPlan(p), svc, apply.Options{
		Deadline: j.Session.Timeout,
		Settle:   settle,
		Probes:   j.probes(p.Config, p.After, p.HasAfter),
		Former:   j.probes(j.before, p.Before, p.HadBefore),
		Start:    j.Options.Restart == "always",
		Report:   j.progress,
	})
	r.Written = res.Changed
	r.Restarted = res.Restarted
	r.RolledBack = res.RolledBack
	if restart.service != nil {
		r.Unit = j.unit(ctx, restart.service)
		if res.Restarted {
			r.RestartMsg = fmt.Sprintf("restarted %s: %s (%s), pid %d", r.Unit.Name, r.Unit.ActiveState, r.Unit.SubState, r.Unit.MainPID)
		}
	}
	if err == nil {
		j.notes(r)
		return nil
	}
	return applyError(err)
}

func (j *Job) notes(r *output.Result) {
	// A root directory has no pods that the notes could be about.
	if !r.Changed || !j.Node.Live {
		return
	}
	for _, n := range j.Say.Notes {
		j.Session.Notef("note: %s", n)
	}
}

func (j *Job) unit(ctx context.Context, svc *systemd.Service) *output.Unit {
	// The work may have ended because its context did; the state is still told.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stateTime)
	defer cancel()
	st, err := svc.Properties(ctx)
	if err != nil {
		j.Session.Notef("note: the state of %s is not known: %v", svc.Unit(), err)
		return &output.Unit{Name: svc.Unit(), ActiveState: "unknown"}
	}
	return &output.Unit{
		Name: svc.Unit(), ActiveState: st.ActiveState, SubState: st.SubState,
		MainPID: st.MainPID, NRestarts: st.NRestarts,
	}
}

// progress tells the steps of a transaction under --verbose.
func (j *Job) progress(e apply.Event) {
	if e.Err != nil {
		j.Session.Verbosef("%s: %v", e.Kind, e.Err)
		return
	}
	j.Session.Verbosef("%s", e.Kind)
}

// applyError gives the error of a transaction its exit code.
func applyError(err error) error {
	switch {
	case errors.Is(err, apply.ErrRollbackFailed), errors.Is(err, dropin.ErrNotRestored):
		return exit.With(exit.RollbackFailed, err)
	case errors.Is(err, apply.ErrRolledBack):
		return exit.With(exit.RolledBack, err)
	}
	return serviceError(err)
}
