package validate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/hostfs"
)

// maxInput bounds standard input as CRI-O's files are bounded.
const maxInput = crioconf.MaxFileSize

// A subject is one thing that was judged: a node root, a drop-in directory, a
// file, standard input.
type subject struct {
	path     string // as the person gave it
	target   output.Target
	files    []string // in the order in which CRI-O reads them
	findings diag.List
	source   func(file string) []byte
}

// judge opens what the paths name. The version for paths that say nothing about
// it is asked of the node once.
type judge struct {
	session *session.Session
	once    sync.Once
	host    *node.Node
	hostErr error
}

func (j *judge) close() {
	if j.host != nil {
		j.host.Close()
	}
}

// subjects judges path after path. An error goes with the subject as far as it
// could be judged, or with nil.
func (j *judge) subjects(ctx context.Context, paths []string) iter.Seq2[*subject, error] {
	return func(yield func(*subject, error) bool) {
		if len(paths) == 0 {
			n, err := j.node(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			yield(judgeNode(n, n.FS.Path("")))
			return
		}
		j.each(ctx, paths, yield)
	}
}

// each judges the paths on all cores and yields in their order. Only a few
// subjects are in memory at a time.
func (j *judge) each(ctx context.Context, paths []string, yield func(*subject, error) bool) {
	type answer struct {
		subject *subject
		err     error
	}
	queue := make(chan chan answer, 2*runtime.GOMAXPROCS(0))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer close(queue)
		for _, p := range paths {
			c := make(chan answer, 1)
			select {
			case queue <- c:
			case <-ctx.Done():
				return
			}
			go func() {
				s, err := j.path(ctx, p)
				c <- answer{s, err}
			}()
		}
	}()
	for c := range queue {
		a := <-c
		if !yield(a.subject, a.err) {
			return
		}
	}
	if ctx.Err() != nil {
		yield(nil, context.Cause(ctx))
	}
}

// node is the node that the session is about, opened once.
func (j *judge) node(ctx context.Context) (*node.Node, error) {
	j.once.Do(func() { j.host, j.hostErr = node.Open(ctx, j.session) })
	return j.host, j.hostErr
}

func (j *judge) path(ctx context.Context, p string) (*subject, error) {
	if p == "-" {
		return j.stdin(ctx)
	}
	info, err := os.Stat(p)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	switch {
	case !info.IsDir():
		return j.file(ctx, p, info)
	case isDir(filepath.Join(p, "etc/crio")):
		n, err := node.At(ctx, j.session, p)
		if err != nil {
			return nil, err
		}
		defer n.Close()
		return judgeNode(n, p)
	case isDir(filepath.Join(p, "crio.conf.d")) || exists(filepath.Join(p, "crio.conf")):
		return j.directory(ctx, p, crioconf.Layout{Main: "crio.conf", DropInDir: "crio.conf.d"})
	}
	return j.directory(ctx, p, crioconf.Layout{DropInDir: "."})
}

func isDir(p string) bool {
	info, err := os.Stat(p)
	return err == nil && info.IsDir()
}

func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}

func judgeNode(n *node.Node, path string) (*subject, error) {
	c, findings, err := n.Load()
	s := &subject{path: path, target: n.Target(), findings: findings, source: n.Source}
	s.files = fileNames(c)
	if err != nil {
		return s, exit.With(exit.Impossible, err)
	}
	return s, nil
}

func fileNames(c *crioconf.Config) []string {
	var names []string
	for _, f := range c.Layers() {
		names = append(names, f.Name())
	}
	return names
}

// directory judges a folder that is laid out as /etc/crio or as its drop-in
// directory.
func (j *judge) directory(ctx context.Context, p string, l crioconf.Layout) (*subject, error) {
	n, err := j.node(ctx)
	if err != nil {
		return nil, err
	}
	fsys, err := hostfs.Open(p)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	defer fsys.Close()
	c, findings, err := crioconf.Load(fsys, l, crioconf.Options{Schema: n.Schema, Display: fsys.Path})
	s := j.subject(n, p, c, findings)
	if err != nil {
		return s, exit.With(exit.Impossible, err)
	}
	return s, nil
}

func (j *judge) subject(n *node.Node, p string, c *crioconf.Config, findings diag.List) *subject {
	t := n.Target()
	t.Root, t.Config, t.ConfigDir = "", "", ""
	return &subject{path: p, target: t, files: fileNames(c), findings: findings, source: node.SourceOf(c)}
}

func (j *judge) file(ctx context.Context, p string, info fs.FileInfo) (*subject, error) {
	if !info.Mode().IsRegular() {
		return nil, exit.Errorf(exit.Impossible, "%s: %w", p, hostfs.ErrNotRegular)
	}
	if info.Size() > maxInput {
		return nil, exit.Errorf(exit.Impossible, "%s: %d MiB are too large for a configuration file; the limit is %d MiB", p, info.Size()>>20, maxInput>>20)
	}
	data, err := os.ReadFile(p)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	return j.source(ctx, p, data)
}

func (j *judge) stdin(ctx context.Context) (*subject, error) {
	data, err := io.ReadAll(io.LimitReader(j.session.In, maxInput+1))
	if err != nil {
		return nil, exit.With(exit.Impossible, fmt.Errorf("read standard input: %w", err))
	}
	if len(data) > maxInput {
		return nil, exit.With(exit.Impossible, errors.New("standard input is too large for a configuration file"))
	}
	return j.source(ctx, "<stdin>", data)
}

func (j *judge) source(ctx context.Context, name string, data []byte) (*subject, error) {
	n, err := j.node(ctx)
	if err != nil {
		return nil, err
	}
	role := crioconf.DropIn
	if filepath.Base(name) == "crio.conf" {
		role = crioconf.Main
	}
	c, findings := crioconf.LoadFiles([]crioconf.Source{{Name: name, Data: data, Role: role}}, crioconf.Options{Schema: n.Schema})
	return j.subject(n, name, c, findings), nil
}
