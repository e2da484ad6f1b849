package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/apply"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/hostport"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/set"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// An assignment is one key and the value that it is to have.
type assignment struct {
	key   keypath.Path
	value any
}

// A subject is what is rendered, and what it is judged by.
type subject struct {
	session *session.Session
	node    *node.Node
	base    bool // the node's own files count: --root was given
	foreign bool // files of machine-config-operator may be replaced

	config   *crioconf.Config
	findings diag.List
	command  []string          // of crioctl-net itself that does the same, nil for none
	notes    []string          // remarks for the person
	rendered []string          // names in the file system of what is rendered
	from     map[string]string // the name that people know to the file it was read from
}

// open opens the node and reads the base. Without --root the files of this host
// say nothing about the nodes that are meant; only its CRI-O is asked which
// release it is, unless the release is given.
func open(ctx context.Context, s *session.Session, o *options) (*subject, error) {
	n, err := node.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	sub := &subject{session: s, node: n, base: s.Given("root"), foreign: o.format.replacesForeign(o), from: map[string]string{}}
	if err := sub.load(); err != nil {
		n.Close()
		return nil, err
	}
	return sub, nil
}

func (sub *subject) load() error {
	if err := sub.node.DemandVersion(); err != nil {
		return err
	}
	if !sub.base {
		return sub.imagine()
	}
	c, _, err := sub.node.Load()
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	if c.Layout().DropInDir == "" {
		return exit.Errorf(exit.Refused, "CRI-O is told to read no drop-in directory")
	}
	sub.config = c
	return sub.demandDropIns()
}

// imagine makes the configuration of a node that has no file yet.
func (sub *subject) imagine() error {
	s := sub.session
	if s.Given("config") {
		return exit.Errorf(exit.Usage, "--config: drop-ins are rendered; the main file counts with --root only")
	}
	l := crioconf.Layout{DropInDir: crioconf.DefaultLayout().DropInDir}
	if s.Given("config-dir") {
		if !path.IsAbs(s.ConfigDir) || path.Clean(s.ConfigDir) == "/" {
			return exit.Errorf(exit.Usage, "--config-dir %s: want the absolute path that the nodes have", s.ConfigDir)
		}
		l.DropInDir = strings.TrimPrefix(path.Clean(s.ConfigDir), "/")
	}
	c, _, err := crioconf.Load(nothing{}, l, crioconf.Options{
		Schema:  sub.node.Schema,
		Display: func(name string) string { return "/" + name },
	})
	if err != nil {
		return exit.With(exit.Impossible, err)
	}
	sub.config = c
	return sub.demandDropIns()
}

// nothing is the file system of a node without files.
type nothing struct{}

func (nothing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// demandDropIns refuses a release that reads no drop-ins.
func (sub *subject) demandDropIns() error {
	first := schema.Version{Major: 1, Minor: 17}
	if v := sub.config.Version(); v.Less(first) {
		return exit.Errorf(exit.Refused, "CRI-O %s reads no drop-ins; the first release that does is %s", v, first.Release())
	}
	return nil
}

// dir is the drop-in directory in the file system.
func (sub *subject) dir() string { return strings.TrimSuffix(sub.config.Layout().DropInDir, "/") }

// name returns the file that a bare name or a path means, in the file system. It
// has to be one that CRI-O would read as a drop-in.
func (sub *subject) name(flag, in string) (string, error) {
	name := path.Join(sub.dir(), in)
	if strings.ContainsRune(in, '/') {
		name = strings.TrimPrefix(path.Clean("/"+in), "/")
	}
	if !strings.HasPrefix(name, sub.dir()+"/") {
		return "", &exit.Error{
			Code: exit.Usage,
			Err:  fmt.Errorf("%s %s: CRI-O does not read it as a drop-in", flag, in),
			Hint: fmt.Sprintf("Name a file in /%s.", sub.dir()),
		}
	}
	if strings.HasPrefix(path.Base(name), ".") {
		return "", exit.Errorf(exit.Usage, "%s %s: a hidden file is no drop-in", flag, in)
	}
	return name, nil
}

// disableHostport plans what "hostport disable" means.
func (sub *subject) disableHostport(ctx context.Context, in string) error {
	if sub.base {
		if err := hostport.DemandKey(ctx, sub.session, sub.node); err != nil {
			return err
		}
	} else if err := hostport.DemandRelease(sub.node); err != nil {
		return err
	}
	sub.command = []string{"hostport", "disable"}
	return sub.set([]assignment{{schema.DisableHostportMapping.Path, true}}, in)
}

// values reads KEY=VALUE arguments as "set" reads its own.
func (sub *subject) values(args []string, in string) error {
	var all []assignment
	given := map[string]bool{}
	for _, arg := range args {
		name, text, ok := cut(arg)
		if !ok {
			return exit.Errorf(exit.Usage, "want KEY=VALUE, not %q", arg)
		}
		p, key, err := sub.node.Key(name)
		if err != nil {
			return err
		}
		v, err := set.ParseValue(key.KindIn(sub.node.Version), []string{text})
		if err != nil {
			return exit.Errorf(exit.Usage, "%s: %w", p, err)
		}
		if given[p.String()] {
			return &exit.Error{Code: exit.Usage, Err: fmt.Errorf("%s is given twice", p), Hint: `A list is one argument: KEY='["a", "b"]'.`}
		}
		given[p.String()] = true
		all = append(all, assignment{p, v})
	}
	return sub.set(all, in)
}

// cut splits at the first = that stands in no quoted part of the key.
func cut(arg string) (key, value string, ok bool) {
	quote := rune(0)
	for i, r := range arg {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '=':
			return arg[:i], arg[i+1:], true
		}
	}
	return "", "", false
}

// set writes the assignments into one drop-in.
func (sub *subject) set(list []assignment, in string) error {
	name, err := sub.name("--in", in)
	if err != nil {
		return err
	}
	for _, a := range list {
		planned, err := sub.config.Plan(crioconf.Request{
			Op: crioconf.Set, Key: a.key, Value: a.value, In: name, Always: true, Owner: sub.owner,
		})
		var refusal *crioconf.Refusal
		switch {
		case errors.As(err, &refusal):
			return &exit.Error{Code: exit.Refused, Err: refusal, Hint: refusal.Hint}
		case err != nil:
			// The file of the base is no TOML, which is a finding.
			sub.findings = sub.config.Diagnostics()
			return errors.Join(sub.judge(), exit.With(exit.Impossible, err))
		}
		sub.config = planned.Config
	}
	sub.rendered = []string{name}
	return nil
}

// owner says who generates a file of the base. What a MachineConfig replaces may
// be machine-config-operator's own: that is the way it offers.
func (sub *subject) owner(name string, src []byte) *crioconf.Owner {
	if !sub.base {
		return nil
	}
	o := crio.OwnerOf(sub.node.FS, name, src)
	if o == nil || !sub.foreign || o.Name != crio.MachineConfigOperator {
		return o
	}
	if note := fmt.Sprintf("a MachineConfig of the pool writes %s already; of the two the one with the later name wins", sub.display(name)); !slices.Contains(sub.notes, note) {
		sub.notes = append(sub.notes, note)
	}
	return nil
}

// files takes whole drop-ins. In renames the only one.
func (sub *subject) files(args []string, in string) error {
	sources, err := apply.Read(sub.session, args, path.Base(in), "--in")
	if err != nil {
		return err
	}
	if in != "" && len(sources) > 1 {
		return exit.Errorf(exit.Usage, "--in %s: %d files cannot have one name", in, len(sources))
	}
	for _, f := range sources {
		as := f.Name
		if in != "" {
			as = in
		}
		name, err := sub.name("--file", as)
		if err != nil {
			return err
		}
		if err := sub.take(name, f); err != nil {
			return err
		}
	}
	return nil
}

func (sub *subject) take(name string, f apply.Source) error {
	before := sub.source(name)
	if before != nil && string(before) != string(f.Data) {
		if o := sub.owner(name, before); o != nil {
			return &exit.Error{
				Code: exit.Refused,
				Err:  fmt.Errorf("%s belongs to %s", sub.display(name), o.Name),
				Hint: o.Way,
			}
		}
	}
	sub.config, _ = sub.config.With(name, f.Data)
	sub.rendered = append(sub.rendered, name)
	sub.from[sub.display(name)] = f.From
	return nil
}

// display returns the name as people know it.
func (sub *subject) display(name string) string {
	if sub.base {
		return sub.node.Display(name)
	}
	return "/" + name
}

// source returns the bytes of a drop-in, nil when there is none.
func (sub *subject) source(name string) []byte { return node.SourceOf(sub.config)(sub.display(name)) }

// plan is the change that is rendered.
func (sub *subject) plan() dropin.Plan {
	p := dropin.Plan{DropInDir: sub.dir()}
	for _, name := range sub.rendered {
		p.Changes = append(p.Changes, dropin.Change{Path: name, After: sub.source(name)})
	}
	return p
}
