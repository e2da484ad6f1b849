package crio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/schema"
)

// ErrNoBinary says that no crio was found.
var ErrNoBinary = fmt.Errorf("no crio binary: %w", fs.ErrNotExist)

// binaryDirs are the folders in which packages and CRI-O's own makefile put
// the binary.
var binaryDirs = []string{
	"usr/local/bin", "usr/bin", "usr/local/sbin", "usr/sbin", "bin", "sbin",
	"usr/libexec/crio", "usr/local/libexec/crio", "opt/bin", "opt/cri-o/bin",
}

// FindBinary returns the name in fsys of the crio that the unit runs, or else
// of the first one in the usual folders. It only looks: a binary in the root of
// another node must not be run.
func FindBinary(fsys fs.FS, u Unit) (string, error) {
	var candidates []string
	if p, ok := u.Program(); ok && path.IsAbs(p) {
		candidates = append(candidates, strings.TrimPrefix(path.Clean(p), "/"))
	}
	for _, d := range binaryDirs {
		candidates = append(candidates, path.Join(d, "crio"))
	}
	for _, name := range candidates {
		i, err := fs.Stat(fsys, name)
		if err == nil && i.Mode().IsRegular() && i.Mode()&0o111 != 0 {
			return name, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("look for crio: %w", err)
		}
	}
	return "", ErrNoBinary
}

// A Binary is an installed crio, as it describes itself.
type Binary struct {
	Path    string
	Version schema.Version
	Raw     string // the version as printed: "1.24.1-11.rhaos4.11.gitb0d2ef3.el8"

	help string
}

const (
	// probeTime bounds one run of the binary.
	probeTime = 5 * time.Second
	// outputLimit is more than any release prints.
	outputLimit = 1 << 20
)

// ProbeBinary runs the binary at path and returns what it says about itself.
// The node's configuration and environment play no part, so that a crio that
// does not start can be asked. A binary that is not crio, hangs or prints no
// version is an error.
func ProbeBinary(ctx context.Context, path string) (Binary, error) {
	b := Binary{Path: path}
	// Both flags are handled before the configuration is read, in every release.
	out, err := b.run(ctx, "--version")
	if err == nil {
		b.Version, b.Raw, err = parseVersion(out)
	}
	if err != nil {
		return b, fmt.Errorf("ask %s for its version: %w", path, err)
	}
	b.help, err = b.run(ctx, "--help")
	if err != nil {
		return b, fmt.Errorf("ask %s for its flags: %w", path, err)
	}
	return b, nil
}

// Reads reports whether the binary reads the key. That is asked of the binary
// and not of its version: distributions and operators patch older releases. It
// looks for the key's flag in the help text, then for the key in the
// configuration that "crio config" prints.
func (b Binary) Reads(ctx context.Context, k *schema.Key) (bool, error) {
	if flag := k.Flag(schema.Newest()); flag != "" && word(b.help, flag) {
		return true, nil
	}
	// Empty paths keep the node's files out; all releases since 1.17 take them.
	// Without --default the releases 1.21 to 1.23 print nothing here.
	out, err := b.run(ctx, "--config", "", "--config-dir", "", "config", "--default")
	if err != nil {
		return false, fmt.Errorf("ask %s for its configuration: %w", b.Path, err)
	}
	line := regexp.MustCompile(`(?m)^[\s#]*` + regexp.QuoteMeta(k.PrintedName()) + `\s*=`)
	return line.MatchString(out), nil
}

// word reports whether text has w with no letter, digit or dash around it.
func word(text, w string) bool {
	return regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(w) + `($|[^\w-])`).MatchString(text)
}

// run runs the binary and returns its standard output. The child gets an
// environment of its own: a variable such as CONTAINER_CONFIG would change its
// answers, and a bad one makes every sub-command fail.
func (b Binary) run(ctx context.Context, args ...string) (string, error) {
	return b.runWith(ctx, nil, args...)
}

// runWith is run with more variables, each NAME=VALUE.
func (b Binary) runWith(ctx context.Context, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	var out, errs limited
	cmd := exec.CommandContext(ctx, b.Path, args...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/", "LC_ALL=C"}
	cmd.Env = append(cmd.Env, env...)
	cmd.Dir = "/"
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second // a child of its own may keep the pipes open
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s %s: no answer in time: %w", b.Path, strings.Join(args, " "), ctx.Err())
	case err != nil && errs.String() != "":
		return "", fmt.Errorf("%w: %s", err, shorten(errs.String()))
	case err != nil:
		return "", err
	}
	return out.String(), nil
}

// limited keeps the first outputLimit bytes that are written to it. The buffer
// is not embedded: its ReadFrom would be used in place of Write.
type limited struct{ buf bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	room := max(0, outputLimit-l.buf.Len())
	l.buf.Write(p[:min(room, len(p))])
	return len(p), nil
}

func (l *limited) String() string { return l.buf.String() }
