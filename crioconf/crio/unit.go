package crio

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// A Unit is what the unit files of a node say about how CRI-O is started.
type Unit struct {
	Name     string   // the unit's own name, which aliases lead to
	Aliases  []string // other names of it
	Fragment string   // the unit file, a name in the file system
	DropIns  []string // in the order applied
	Masked   bool     // it cannot be started

	// Command is the command line that runs crio, program first, with the
	// variables put in; nil when there is none.
	Command []Word
	// Env holds the variables that the unit sets, sorted by name; each is the
	// assignment that counts.
	Env      []Variable
	EnvFiles []EnvFile

	// findings of the unit itself: files that are missing, two command lines.
	findings diag.List
}

// A Word is one argument of a command line and the place it comes from.
type Word struct {
	Text  string
	Range diag.Range // zero for an empty word
}

// A Variable is an environment variable and the place that sets it.
type Variable struct {
	Name, Value string
	Range       diag.Range // the name and the value
}

// An EnvFile is an environment file that the unit names.
type EnvFile struct {
	Path     string     // as written, may be a pattern
	Optional bool       // written with a leading "-"
	Range    diag.Range // where the unit names it
	Files    []string   // the files found, names in the file system
}

// ReadUnit reads the unit files of a node's root: the unit file with the
// highest precedence, its drop-ins, and the environment files. The first of the
// names with a unit file is meant; none means crio.service, then cri-o.service.
// Display turns a name in fsys into what stands in messages; nil puts a slash
// in front.
//
// A unit that does not exist is ErrNoUnit. Other errors are about files that
// could not be read; the Unit then holds the rest.
func ReadUnit(fsys fs.FS, display func(name string) string, names ...string) (Unit, error) {
	if display == nil {
		display = func(name string) string { return "/" + name }
	}
	if len(names) == 0 {
		names = []string{"crio.service", "cri-o.service"}
	}
	f := newFinder(fsys)
	r := unitReader{fsys: fsys, display: display}
	for _, name := range names {
		id, e, ok := f.resolve(name)
		if !ok {
			continue
		}
		r.unit.Name = id
		all := f.aliases(id)
		r.unit.Aliases = all[1:]
		r.fragment(e)
		for _, d := range f.dropIns(all) {
			r.unit.DropIns = append(r.unit.DropIns, d)
			r.file(d)
		}
		r.environment()
		r.command()
		return r.unit, errors.Join(append(f.errs, r.errs...)...)
	}
	return Unit{}, errors.Join(append([]error{ErrNoUnit}, f.errs...)...)
}

type unitReader struct {
	fsys    fs.FS
	display func(string) string
	unit    Unit
	errs    []error

	kind     string // Type=
	commands []command
	env      []assignment // Environment= lines
	unset    []string
	files    []envFileLine
	vars     map[string]variable
}

// A command is one ExecStart= line.
type command struct {
	words   []text
	literal bool // written with ":", so that variables are not put in
	at      text
}

type envFileLine struct {
	path     string
	optional bool
	at       text
}

func (r *unitReader) fragment(e entry) {
	r.unit.Fragment = e.path
	// A link to /dev/null, or an empty file, masks the unit.
	if e.target != "" && path.Clean(e.target) == "/dev/null" {
		r.unit.Masked = true
		return
	}
	i, err := fs.Stat(r.fsys, e.path)
	if err == nil && i.Mode().IsRegular() && i.Size() == 0 {
		r.unit.Masked = true
		return
	}
	r.file(e.path)
}

// file applies the lines of a unit file or drop-in.
func (r *unitReader) file(name string) {
	if target, err := fs.ReadLink(r.fsys, name); err == nil && path.Clean(target) == "/dev/null" {
		return
	}
	data, err := fs.ReadFile(r.fsys, name)
	if err != nil {
		r.errs = append(r.errs, fmt.Errorf("read unit file %s: %w", r.display(name), err))
		return
	}
	for _, a := range parseUnitFile(newSource(r.display(name), data)) {
		if a.section == "Service" {
			r.assign(a)
		}
	}
}

// assign applies one line of [Service]. An empty value empties the list.
func (r *unitReader) assign(a assignment) {
	switch a.key {
	case "Type":
		r.kind = a.value.String()
	case "ExecStart":
		if len(a.value) == 0 {
			r.commands = nil
			return
		}
		r.commands = append(r.commands, parseCommands(a.value, r.unit.Name)...)
	case "Environment":
		if len(a.value) == 0 {
			r.env = nil
			return
		}
		r.env = append(r.env, a)
	case "UnsetEnvironment":
		if len(a.value) == 0 {
			r.unset = nil
			return
		}
		words, _ := splitWords(a.value, strict)
		for _, w := range words {
			r.unset = append(r.unset, specifiers(w, r.unit.Name).String())
		}
	case "EnvironmentFile":
		if len(a.value) == 0 {
			r.files = nil
			return
		}
		p := specifiers(a.value, r.unit.Name).String()
		p, optional := strings.CutPrefix(p, "-")
		if path.IsAbs(p) {
			r.files = append(r.files, envFileLine{path.Clean(p), optional, a.value})
		}
	}
}

// environment puts the variables together: Environment= lines, then the files,
// of which the later ones win, less UnsetEnvironment=.
func (r *unitReader) environment() {
	r.vars = map[string]variable{}
	for _, a := range r.env {
		words, _ := splitWords(a.value, strict)
		for _, w := range words {
			w = specifiers(w, r.unit.Name)
			if eq := w.index('='); eq > 0 && validName(w[:eq].String()) {
				r.vars[w[:eq].String()] = variable{w[:eq], w[eq+1:]}
			}
		}
	}
	for _, line := range r.files {
		r.envFile(line)
	}
	for _, u := range r.unset {
		name, value, withValue := strings.Cut(u, "=")
		if v, ok := r.vars[name]; ok && (!withValue || v.value.String() == value) {
			delete(r.vars, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.vars)) {
		v := r.vars[name]
		r.unit.Env = append(r.unit.Env, Variable{name, v.value.String(), append(slices.Clone(v.name), v.value...).span()})
	}
}

func (r *unitReader) envFile(line envFileLine) {
	f := EnvFile{Path: line.path, Optional: line.optional, Range: line.at.span()}
	pattern := strings.TrimPrefix(line.path, "/")
	if strings.ContainsAny(pattern, "*?[") {
		f.Files, _ = fs.Glob(r.fsys, pattern)
	} else if _, err := fs.Stat(r.fsys, pattern); !errors.Is(err, fs.ErrNotExist) {
		f.Files = []string{pattern} // what else is wrong, reading it tells
	}
	if len(f.Files) == 0 && !f.Optional {
		r.unit.findings = append(r.unit.findings, diag.Diagnostic{
			Code: diag.MissingFile, Severity: diag.Error, Effect: diag.Refused, Range: f.Range,
			Summary: fmt.Sprintf("environment file %s does not exist", line.path),
			Detail:  "systemd does not start CRI-O without it.",
			Hint:    "Make the file, or write \"EnvironmentFile=-" + line.path + "\".",
		})
	}
	for _, name := range f.Files {
		data, err := fs.ReadFile(r.fsys, name)
		if err != nil {
			r.errs = append(r.errs, fmt.Errorf("read environment file %s: %w", r.display(name), err))
			continue
		}
		for _, v := range parseEnvFile(newSource(r.display(name), data)) {
			r.vars[v.name.String()] = v
		}
	}
	r.unit.EnvFiles = append(r.unit.EnvFiles, f)
}
