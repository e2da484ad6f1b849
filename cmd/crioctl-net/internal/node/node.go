// Package node is the node that a command works on: its files, which CRI-O is
// there, and what its unit adds to the files. The node is this host, or a root
// directory in which nothing is run and no daemon is asked.
package node

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/hostfs"
	"github.com/crioctl/crioctl-net/schema"
)

// A Node is one node.
type Node struct {
	Root   string // as the person gave it
	Live   bool   // this host: its daemon and its binary may be asked
	FS     *hostfs.FS
	Layout crioconf.Layout
	Unit   crio.Unit // zero when there is no unit file

	Version       schema.Version
	VersionSource string // where the version comes from, for people
	VersionKnown  bool   // false: the newest known was assumed
	Schema        *schema.Schema
	Binary        *crio.Binary // the installed crio, nil when there is none or it was not run

	overrides []crioconf.Override
	unitDiags diag.List
	unitErr   error
	loaded    *crioconf.Config
}

// Open returns the node of the session.
func Open(ctx context.Context, s *session.Session) (*Node, error) { return At(ctx, s, s.Root) }

// At returns the node whose root is the directory.
func At(ctx context.Context, s *session.Session, root string) (*Node, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	fsys, err := hostfs.Open(root)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	n := &Node{Root: root, Live: abs == "/", FS: fsys}
	n.Unit, err = crio.ReadUnit(fsys, fsys.Path)
	if err != nil && !errors.Is(err, crio.ErrNoUnit) {
		n.unitErr = err
	}
	n.Layout = n.Unit.Layout(crioconf.DefaultLayout())
	if s.Given("config") {
		n.Layout.Main = n.name(s.Config)
		n.Layout.MainExplicit = n.Layout.Main != ""
	}
	if s.Given("config-dir") {
		n.Layout.DropInDir = n.name(s.ConfigDir)
	}
	if err := n.findVersion(ctx, s); err != nil {
		fsys.Close()
		return nil, err
	}
	// Without a unit file nothing is known to win over the files.
	if n.Unit.Name != "" {
		n.overrides, n.unitDiags = n.Unit.Overrides(n.Schema)
	}
	return n, nil
}

// Close lets go of the files.
func (n *Node) Close() error { return n.FS.Close() }

// name turns a path as crio takes it into a name of the file system. On this
// host a path that is not absolute starts at the working directory.
func (n *Node) name(p string) string {
	if p == "" {
		return ""
	}
	if n.Live {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
	}
	return strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(p)), "/")
}

// InFile turns the value of --in into a name of the file system: a bare name
// means a file of the drop-in directory.
func (n *Node) InFile(in string) string {
	switch {
	case in == "":
		return ""
	case !strings.ContainsRune(in, '/'):
		return path.Join(n.Layout.DropInDir, in)
	}
	return n.name(in)
}

// Display returns the name as people know it.
func (n *Node) Display(name string) string { return n.FS.Path(name) }

// Target says what the node is, for documents.
func (n *Node) Target() output.Target {
	t := output.Target{Root: n.Root, CRIOVersion: n.Version.String(), VersionSource: n.VersionSource}
	if n.Layout.Main != "" {
		t.Config = n.Display(n.Layout.Main)
	}
	if n.Layout.DropInDir != "" {
		t.ConfigDir = n.Display(n.Layout.DropInDir)
	}
	return t
}

// Load reads the configuration, with what the unit adds to it. The error tells
// of files that could not be read.
func (n *Node) Load() (*crioconf.Config, diag.List, error) {
	c, findings, err := n.LoadFiles()
	return c, append(findings, n.unitDiags...), errors.Join(err, n.unitErr)
}

// LoadFiles is Load without what is wrong with the unit's own files.
func (n *Node) LoadFiles() (*crioconf.Config, diag.List, error) {
	c, findings, err := crioconf.Load(n.FS, n.Layout, crioconf.Options{
		Schema:    n.Schema,
		Overrides: n.overrides,
		Display:   n.FS.Path,
	})
	n.loaded = c
	return c, findings, err
}

// Source returns the bytes of a file of the configuration or of the unit under
// the name that people know, for source lines in messages.
func (n *Node) Source(file string) []byte {
	if n.loaded != nil {
		if src := SourceOf(n.loaded)(file); src != nil {
			return src
		}
	}
	names := append([]string{n.Unit.Fragment}, n.Unit.DropIns...)
	for _, e := range n.Unit.EnvFiles {
		names = append(names, e.Files...)
	}
	for _, name := range names {
		if name != "" && n.Display(name) == file {
			src, err := n.FS.ReadFile(name)
			if err == nil {
				return src
			}
		}
	}
	return nil
}

// SourceOf returns a function that gives the bytes of a configuration's files.
func SourceOf(c *crioconf.Config) func(file string) []byte {
	return func(file string) []byte {
		for _, f := range c.Layers() {
			if f.Name() == file {
				return f.Source()
			}
		}
		return nil
	}
}

// UnitFindings returns what is wrong with the unit's own files.
func (n *Node) UnitFindings() diag.List { return slices.Clone(n.unitDiags) }

// UnitErr tells of unit files that could not be read.
func (n *Node) UnitErr() error { return n.unitErr }

// Socket returns the path of the socket that the daemon serves with the
// configuration.
func (n *Node) Socket(c *crioconf.Config) string {
	listen, _ := crioconf.Get(c, schema.Listen)
	return strings.TrimPrefix(listen, "unix://")
}

// Running asks the daemon for the configuration that it runs with.
func (n *Node) Running(ctx context.Context, c *crioconf.Config) (crio.Running, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return crio.Client{Socket: n.Socket(c)}.Config(ctx)
}

// NoteVersion tells the person when the version is only assumed.
func (n *Node) NoteVersion(s *session.Session) {
	if !n.VersionKnown {
		s.Notef("note: no CRI-O was found here; judged for CRI-O %s, the newest known. Give --crio-version for another.", n.Version)
	}
}

// DemandVersion refuses to work with an assumed version.
func (n *Node) DemandVersion() error {
	if n.VersionKnown {
		return nil
	}
	where := "on this host"
	if !n.Live {
		where = "in " + n.Root
	}
	return &exit.Error{
		Code: exit.Refused,
		Err:  fmt.Errorf("no CRI-O was found %s, so it is not known which keys it reads", where),
		Hint: "Give the release with --crio-version, for instance --crio-version 1.30.",
	}
}
