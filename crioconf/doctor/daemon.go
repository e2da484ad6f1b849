package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// daemonChecks ask the running daemon.
func daemonChecks() []Check {
	return []Check{
		{
			Name: "daemon", Title: "does CRI-O run and answer",
			Text:  "Asks systemd for the unit and the daemon for its configuration on the socket of crio.api.listen.",
			Needs: Daemon, Codes: []diag.Code{diag.DaemonUnreachable}, Run: checkDaemon,
		},
		{
			Name: "drift", Title: "does the daemon run with what the files say",
			Text:  "Compares the configuration of the running daemon with the files, key by key, and says whether a restart or a reload is outstanding.",
			Needs: Daemon, Codes: []diag.Code{diag.RunningDrift}, Run: checkDrift,
		},
	}
}

func checkDaemon(ctx context.Context, n *Node) (o Outcome) {
	if n.Binary == "" && n.Unit.Name == "" && n.UnitErr == nil {
		return skipped("no CRI-O is installed here")
	}
	stopped := n.unitState(ctx, &o)
	if n.Running == nil {
		return o
	}
	_, err := n.Running(ctx)
	switch {
	case err == nil:
		o.saw("it answers on its socket")
	case errors.Is(err, crio.ErrSocketDenied):
		o.missed("whether the daemon answers", err)
	case stopped:
		// That it is down says it all.
	default:
		o.add(diag.Diagnostic{
			Code: diag.DaemonUnreachable, Severity: diag.Error,
			Summary: "the daemon does not answer",
			Detail:  capital(err.Error()) + ".",
			Hint:    `See "systemctl status crio" and "journalctl -u crio".`,
		})
	}
	return o
}

// unitState tells how systemd has the unit, and whether it is down.
func (n *Node) unitState(ctx context.Context, o *Outcome) (down bool) {
	if n.Systemd == nil {
		return false
	}
	p, err := n.Systemd(ctx)
	switch {
	case err != nil:
		o.missed("the state of the unit", err)
		return false
	case p.Running():
		o.saw("%s is %s", p.ID, p.State())
		if p.NRestarts > 0 {
			o.add(diag.Diagnostic{
				Code: diag.DaemonUnreachable, Severity: diag.Info,
				Summary: fmt.Sprintf("systemd has started %s again %d times by itself", p.ID, p.NRestarts),
				Detail:  "It ended without being told to.",
				Hint:    fmt.Sprintf(`"journalctl -u %s" tells why.`, p.ID),
			})
		}
		return false
	}
	d := diag.Diagnostic{
		Code: diag.DaemonUnreachable, Severity: diag.Error,
		Summary: fmt.Sprintf("%s is %s", p.ID, p.State()),
		Detail:  "The node starts no pods.",
		Hint:    fmt.Sprintf(`"journalctl -u %s" tells why; start it when the files are in order.`, p.ID),
	}
	if p.ActiveState == "inactive" {
		d.Severity = diag.Warning // somebody stopped it
	}
	if p.LoadState != "loaded" {
		d.Summary = fmt.Sprintf("systemd cannot start %s: %s", p.ID, p.LoadState)
	}
	o.add(d, Own("restart"))
	return true
}

func checkDrift(ctx context.Context, n *Node) (o Outcome) {
	if n.Running == nil {
		return skipped("the daemon was not asked")
	}
	running, err := n.Running(ctx)
	if err != nil {
		return skipped("the daemon gave no answer: %v", err)
	}
	for _, d := range running.Drift(n.Config) {
		was := "has no such key"
		if d.Known {
			was = "runs with " + crioconf.FormatValue(d.Running)
		}
		found := diag.Diagnostic{
			Code: diag.RunningDrift, Severity: diag.Warning, Effect: diag.Replaced, Key: d.Path, Range: d.Want.Origin.Range,
			Summary: fmt.Sprintf("%s is %s by the files, and the daemon %s", d.Path, crioconf.FormatValue(d.Want.V), was),
			Detail:  "It was changed after the daemon started, and counts from its next start on.",
			Hint:    "Restart CRI-O to take it over.",
		}
		remedy := Own("restart")
		switch d.Apply {
		case schema.SIGHUP:
			found.Detail = "It was changed after the daemon started, and counts from its next start or reload on."
			found.Hint = "Reload CRI-O to take it over."
			remedy = Remedy{"systemctl", "reload", n.unitName()}
		case schema.NoEffect:
			continue
		}
		o.add(found, remedy)
	}
	if len(o.Findings) == 0 {
		o.saw("it runs with every value of the files")
	}
	return o
}

func (n *Node) unitName() string {
	if n.Unit.Name != "" {
		return n.Unit.Name
	}
	return "crio.service"
}
