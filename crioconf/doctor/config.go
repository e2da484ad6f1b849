package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// configChecks are about the configuration and who decides it.
func configChecks() []Check {
	return []Check{
		{
			Name: "version", Title: "which CRI-O is there, and does it read the hostport toggle",
			Text: "Finds the installed CRI-O and asks the program itself whether it reads " +
				"disable_hostport_mapping, since its number says nothing about patches. In the root of another node it " +
				"only looks into the program.",
			Needs: Files, Codes: []diag.Code{diag.VersionUnknown, diag.ToggleUnread}, Run: checkVersion,
		},
		{
			Name: "files", Title: "are the files what CRI-O will make of them",
			Text:  `Sums up the findings of "crioctl-net validate" for the main file and the drop-ins.`,
			Needs: Files, Run: checkFiles,
		},
		{
			Name: "unit", Title: "does the unit win over the files",
			Text: "Reads the unit, its drop-ins and environment files, and names every flag and variable that wins " +
				"over the files. On a live node also whether systemd has read what is on the disk.",
			Needs: Unit, Codes: []diag.Code{diag.OverriddenByUnit, diag.UnitNotReloaded}, Run: checkUnit,
		},
		{
			Name: "reload", Title: "would a reload change what nobody edited",
			Text: "On SIGHUP CRI-O forgets the flags and variables that it was started with. Names the keys that " +
				"would change.",
			Needs: Files, Codes: []diag.Code{diag.ReloadTrap}, Run: checkReload,
		},
		{
			Name: "owner", Title: "does somebody else generate the files",
			Text: "Looks for machine-config-operator's list of files and for the marks of configuration tools. " +
				"Files that are as their package brought them are named as well.",
			Needs: Files, Codes: []diag.Code{diag.ManagedFile}, Run: checkOwner,
		},
		{
			Name: "pending", Title: "does a change wait, or was one interrupted",
			Text:  `Looks for a change of "crioctl-net try" that nobody has confirmed, and for a run that was killed half way.`,
			Needs: Files, Codes: []diag.Code{diag.UnconfirmedChange, diag.InterruptedChange}, Run: checkPending,
		},
	}
}

func checkVersion(ctx context.Context, n *Node) (o Outcome) {
	toggle := schema.DisableHostportMapping
	leaf := toggle.Path.Leaf()
	if !n.VersionKnown {
		o.add(diag.Diagnostic{
			Code: diag.VersionUnknown, Severity: diag.Info,
			Summary: fmt.Sprintf("no CRI-O was found; judged for %s, the newest known", n.version().Release()),
			Detail:  "Neither a program, nor a package list, nor --crio-version tells which one the node has.",
			Hint:    "Give the release with --crio-version.",
		})
		return o
	}
	o.saw("%s (%s)", n.crio(), n.VersionSource)
	key, _ := n.Config.Schema().Lookup(toggle.Path)
	reads := key != nil
	if reads && n.Reads != nil {
		var err error
		if reads, err = n.Reads(ctx, toggle.Key); err != nil {
			o.missed("whether "+n.Binary+" reads "+leaf, err)
			return o
		}
	}
	if reads {
		o.saw("it reads %s", leaf)
		return o
	}
	d := diag.Diagnostic{
		Code: diag.ToggleUnread, Severity: diag.Info, Effect: diag.Ignored, Key: toggle.Path,
		Summary: fmt.Sprintf("%s does not read %s", n.crio(), leaf),
		Detail:  "It maps every hostPort, whatever the files say. The first release that reads the key is " + toggle.Since[0].String() + ".",
		Hint:    fmt.Sprintf(`Where it should leave hostPorts alone: upgrade it, or give it the patch of "crioctl-net runtime-patch --for %s".`, n.version().Release()),
	}
	if key != nil {
		d.Severity = diag.Warning
		d.Summary = fmt.Sprintf("%s says that it is %s, and does not read %s", n.Binary, n.version(), leaf)
		d.Detail = "It maps every hostPort, whatever the files say."
	}
	o.add(d)
	return o
}

func checkFiles(_ context.Context, n *Node) (o Outcome) {
	var names []string
	for _, f := range n.Config.Layers() {
		names = append(names, f.Name())
	}
	switch len(names) {
	case 0:
		o.saw("no file: the built-in values hold")
	case 1, 2, 3:
		o.saw("read %s", strings.Join(names, ", "))
	default:
		o.saw("read %d files, %s to %s", len(names), names[0], names[len(names)-1])
	}
	o.all(n.Findings)
	if n.LoadErr != nil {
		o.missed("read the configuration", n.LoadErr)
	}
	return o
}

func checkUnit(ctx context.Context, n *Node) (o Outcome) {
	if n.Unit.Name != "" {
		o.saw("%s (%s)", n.Unit.Name, n.display(n.Unit.Fragment))
	}
	if n.Unit.Masked {
		o.add(diag.Diagnostic{
			Code: diag.DaemonUnreachable, Severity: diag.Error, Range: n.place(n.Unit.Fragment),
			Summary: n.Unit.Name + " is masked",
			Detail:  "Nobody can start CRI-O.",
			Hint:    "Unmask it.",
		}, Remedy{"systemctl", "unmask", n.Unit.Name})
	}
	o.all(n.UnitFindings)
	if n.UnitErr != nil {
		o.missed("read the unit", n.UnitErr)
	}
	files := n.filesOnly()
	overridden := 0
	for p, v := range n.Config.All() {
		if v.Origin.Kind != crioconf.Flag && v.Origin.Kind != crioconf.Variable {
			continue
		}
		overridden++
		was, _ := files.Lookup(p)
		o.add(overrides(v, p.String(), was))
	}
	if overridden == 0 {
		o.saw("no flag and no variable of it sets a key")
	}
	if n.Live && n.Systemd != nil {
		notReloaded(ctx, n, &o)
	}
	return o
}

// overrides tells of a key that the unit sets. It is worth a warning when a file
// says otherwise, since somebody took that for effective.
func overrides(v crioconf.Value, key string, file crioconf.Value) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: diag.OverriddenByUnit, Severity: diag.Info, Effect: diag.None, Key: v.Key.Path, Range: v.Origin.Range,
		Summary: fmt.Sprintf("the %s %s sets %s = %s", v.Origin.Kind, v.Origin.Name, key, crioconf.FormatValue(v.V)),
		Detail:  "It wins over every file that sets the key, now or later.",
		Hint:    "Move the value into a drop-in, unless it is meant to win.",
	}
	if set(file.Origin) && !crioconf.Equal(file.V, v.V) {
		d.Severity, d.Effect = diag.Warning, diag.Replaced
		d.Detail = fmt.Sprintf("It wins over the files, which say %s.", crioconf.FormatValue(file.V))
		d.Hint = "Take it out of the unit, or the line out of the file."
		d.Related = []diag.Related{{Range: file.Origin.Range, Message: "this line has no effect"}}
	}
	return d
}

func notReloaded(ctx context.Context, n *Node, o *Outcome) {
	p, err := n.Systemd(ctx)
	switch {
	case err != nil:
		o.missed("whether systemd has read the unit's files", err)
	case p.NeedDaemonReload:
		o.add(diag.Diagnostic{
			Code: diag.UnitNotReloaded, Severity: diag.Warning, Effect: diag.Replaced, Range: n.place(n.Unit.Fragment),
			Summary: fmt.Sprintf("the files of %s have changed since systemd read them", p.ID),
			Detail:  "The next start of CRI-O goes by what systemd has, and not by the files.",
			Hint:    "Let systemd read them again, then restart CRI-O.",
		}, Remedy{"systemctl", "daemon-reload"})
	}
}

// reloadsAll is the first release that reads its main file again on SIGHUP when
// there are drop-ins.
const reloadsAll = 21

func checkReload(_ context.Context, n *Node) (o Outcome) {
	c, assumed := n.Config, ""
	if n.Unit.Name == "" && n.UnitErr == nil {
		u, err := crio.ReadShipped(n.FS, n.Display)
		if err != nil {
			o.missed("read the environment file of the unit", err)
		}
		overrides, _ := u.Overrides(c.Schema())
		c = c.Under(c.Schema(), overrides)
		assumed = " There is no unit file here; the one that comes with CRI-O reads this file."
	}
	files := n.filesOnly()
	for p, v := range c.All() {
		if v.Key.ReloadIn(n.version()) != schema.SIGHUP {
			continue
		}
		after, _ := files.Lookup(p)
		if after.Key == nil || crioconf.Equal(v.V, after.V) {
			continue
		}
		d := diag.Diagnostic{
			Code: diag.ReloadTrap, Severity: diag.Warning, Effect: diag.Replaced, Key: p, Range: v.Origin.Range,
			Summary: fmt.Sprintf("%s is %s by the %s %s, and a reload turns it to %s",
				p, crioconf.FormatValue(v.V), v.Origin.Kind, v.Origin.Name, crioconf.FormatValue(after.V)),
			Detail: "On SIGHUP CRI-O reads its files without the flags and variables that it was started with." + assumed,
			Hint:   fmt.Sprintf("Put %s = %s into a drop-in first, and take the %s out of the unit.", p.Leaf(), crioconf.FormatValue(v.V), v.Origin.Kind),
		}
		if set(after.Origin) {
			d.Related = []diag.Related{{Range: after.Origin.Range, Message: "what a reload takes"}}
		}
		o.add(d)
	}
	n.mainFileForgotten(&o)
	if len(o.Findings) == 0 {
		o.saw("a reload takes the files over and nothing else")
	}
	return o
}

// mainFileForgotten tells of the fault of 1.18 to 1.20: SIGHUP reads the last
// drop-in in place of the main file (facts: fixed in 1.21.0).
func (n *Node) mainFileForgotten(o *Outcome) {
	if n.since(reloadsAll, 0) || !n.since(17, 0) {
		return
	}
	dropIns := false
	for _, f := range n.Config.Layers() {
		dropIns = dropIns || n.Config.RoleOf(f.Name()) == crioconf.DropIn
	}
	if !dropIns {
		return
	}
	for p, v := range n.Config.All() {
		if v.Key.ReloadIn(n.version()) != schema.SIGHUP || v.Origin.Kind != crioconf.File ||
			n.Config.RoleOf(v.Origin.Range.File) != crioconf.Main {
			continue
		}
		after := n.Config.Schema().Default(v.Key)
		if crioconf.Equal(v.V, after) {
			continue
		}
		o.add(diag.Diagnostic{
			Code: diag.ReloadTrap, Severity: diag.Warning, Effect: diag.Replaced, Key: p, Range: v.Origin.Range,
			Summary: fmt.Sprintf("a reload turns %s back to the built-in %s", p, crioconf.FormatValue(after)),
			Detail:  n.crio() + " does not read the main file again on SIGHUP when there are drop-ins.",
			Hint:    "Put the line into a drop-in, or restart CRI-O where you would reload it.",
		})
	}
}

func checkOwner(_ context.Context, n *Node) (o Outcome) {
	for _, f := range n.Config.Layers() {
		name := n.Config.Name(f.Name())
		owner := crio.GeneratorOf(n.FS, name, f.Source())
		if owner == nil {
			if p := crio.OwnerOf(n.FS, name, f.Source()); p != nil {
				o.saw("%s is as %s brought it", f.Name(), p.Name)
			}
			continue
		}
		o.add(diag.Diagnostic{
			Code: diag.ManagedFile, Severity: diag.Info, Range: diag.Range{File: f.Name()},
			Summary: fmt.Sprintf("%s belongs to %s", f.Name(), owner.Name),
			Detail:  "An edit of it is undone or reported by its owner.",
			Hint:    owner.Way,
		})
	}
	if len(o.Findings) == 0 {
		o.saw("no file has the mark of a configuration tool")
	}
	return o
}

func checkPending(ctx context.Context, n *Node) (o Outcome) {
	if n.Trial != nil {
		text, err := n.Trial(ctx)
		switch {
		case err != nil:
			o.missed("whether a change waits to be confirmed", err)
		case text != "":
			o.add(diag.Diagnostic{
				Code: diag.UnconfirmedChange, Severity: diag.Warning,
				Summary: text,
				Detail:  "The files are not yet what they will be in the end.",
				Hint:    `"crioctl-net confirm" keeps it, "crioctl-net rollback" undoes it.`,
			}, Own("confirm"))
		}
	}
	if n.Pending != nil {
		titles, err := n.Pending(ctx)
		if err != nil {
			o.missed("whether a change was interrupted", err)
		}
		for _, title := range titles {
			o.add(diag.Diagnostic{
				Code: diag.InterruptedChange, Severity: diag.Error,
				Summary: fmt.Sprintf("an earlier run (%s) was interrupted", title),
				Detail:  "Its files may be as before, as planned, or some of each.",
				Hint:    "The next command that changes something puts the former ones back.",
			})
		}
	}
	if len(o.Findings) == 0 {
		o.saw("no change waits, none was interrupted")
	}
	return o
}
