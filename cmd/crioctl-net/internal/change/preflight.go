package change

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
)

// askDaemon lets the installed crio itself load a copy of the files as they
// would be. It knows less than our own checks, which come first, and may know
// better: a patched build, a release newer than any that we know.
func (j *Job) askDaemon(ctx context.Context, p *Proposal) error {
	b := j.Node.Binary
	if b == nil || !p.Changed() {
		return nil
	}
	dir, err := os.MkdirTemp("", "crioctl-net-")
	if err != nil {
		return exit.With(exit.Impossible, fmt.Errorf("stage a copy for crio to check: %w", err))
	}
	defer os.RemoveAll(dir)
	main, dropIns, err := stage(dir, p.After)
	if err != nil {
		return exit.With(exit.Impossible, fmt.Errorf("stage a copy for crio to check: %w", err))
	}
	err = b.Check(ctx, main, dropIns)
	switch {
	case errors.Is(err, crio.ErrRefusedByBinary):
		msg := strings.ReplaceAll(err.Error(), dropIns, "/"+j.Node.Layout.DropInDir)
		return &exit.Error{
			Code: exit.Findings,
			Err:  fmt.Errorf("our own checks passed, and the installed crio does not load the result: %s; nothing was written", msg),
			Hint: "It was asked on a copy of the files; nothing has changed.",
		}
	case err != nil:
		j.Session.Notef("note: %s could not be asked for its opinion: %v", b.Path, err)
	}
	return nil
}

// stage writes the files of a configuration below dir, the drop-ins with the
// names that they have in their directory. Names without a main file are empty.
func stage(dir string, c *crioconf.Config) (main, dropIns string, err error) {
	dropIns = filepath.Join(dir, "drop-ins")
	if err := os.Mkdir(dropIns, 0o700); err != nil {
		return "", "", err
	}
	for _, f := range c.Files() {
		path := filepath.Join(dir, "crio.conf")
		if f.Role == crioconf.Main {
			main = path
		} else {
			path = filepath.Join(dropIns, filepath.FromSlash(f.Name))
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", "", err
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return "", "", err
		}
	}
	return main, dropIns, nil
}
