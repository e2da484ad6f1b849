package crioconf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// MaxFileSize is the size of a file above which it is not read. CRI-O has no limit;
// a configuration comes nowhere near.
const MaxFileSize = 16 << 20

// hasDropIns reports whether the release reads a drop-in directory (cri-o
// internal/criocli/criocli.go, mergeConfig).
func (c *Config) hasDropIns() bool {
	return !c.schema.Release().Less(schema.Version{Major: 1, Minor: 17})
}

// read reads the files of the layout.
func (c *Config) read(fsys fs.FS) error {
	w := walker{config: c, fsys: fsys}
	if c.layout.Main != "" {
		w.main(c.layout.Main)
	}
	if c.layout.DropInDir != "" {
		w.dropIns(c.layout.DropInDir)
	}
	return errors.Join(w.errs...)
}

// A walker reads files and goes on after those that it cannot read.
type walker struct {
	config *Config
	fsys   fs.FS
	errs   []error
}

// main reads the main file. Unless it was named, CRI-O goes without it.
func (w *walker) main(name string) {
	src, err := w.readFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		w.missingMain(name)
		return
	}
	w.add(name, Main, src, err)
}

func (w *walker) missingMain(name string) {
	if w.config.layout.MainExplicit {
		w.say(name, diag.Diagnostic{
			Code: diag.MissingFile, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Load.String(),
			Summary: "the main file that CRI-O is told to read does not exist",
			Detail:  "A flag or a variable names it, so CRI-O refuses to start.",
			Hint:    "Create the file, or take the flag or variable out of the unit.",
		})
		return
	}
	if info, err := fs.Lstat(w.fsys, name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		w.say(name, diag.Diagnostic{
			Code: diag.DanglingSymlink, Severity: diag.Warning, Effect: diag.Ignored,
			Summary: "the main file is a symbolic link that leads nowhere",
			Detail:  "CRI-O takes it for missing and starts with its defaults and the drop-ins.",
			Hint:    "Point the link to a file, or delete it.",
		})
	}
}

// dropIns walks the drop-in directory as CRI-O does, with filepath.Walk (cri-o
// pkg/config/config.go, UpdateFromPath). A directory that does not exist, a
// symbolic link that leads nowhere among them, is nothing to it.
func (w *walker) dropIns(dir string) {
	name := strings.TrimSuffix(dir, "/")
	if _, err := fs.Stat(w.fsys, name); errors.Is(err, fs.ErrNotExist) {
		return
	}
	info, err := fs.Lstat(w.fsys, name)
	if err == nil && name != dir {
		info, err = fs.Stat(w.fsys, name)
	}
	if err != nil {
		w.add(name, DropIn, nil, err)
		return
	}
	if !w.config.hasDropIns() {
		w.unread(name)
		return
	}
	w.walk(name, info.Mode())
}

// walk reads a file, or all files below a directory.
func (w *walker) walk(name string, mode fs.FileMode) {
	if !mode.IsDir() {
		src, err := w.readFile(name)
		if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errLinkBroken) {
			return // taken away since the directory was listed
		}
		w.add(name, DropIn, src, err)
		return
	}
	// ReadDir sorts by name, byte by byte.
	list, err := fs.ReadDir(w.fsys, name)
	if err != nil {
		w.add(name, DropIn, nil, err)
	}
	for _, e := range list {
		w.walk(path.Join(name, e.Name()), e.Type())
	}
}

// unread tells that this release looks at no drop-ins.
func (w *walker) unread(dir string) {
	list, err := fs.ReadDir(w.fsys, dir)
	if err != nil || len(list) == 0 {
		return
	}
	w.say(dir, diag.Diagnostic{
		Code: diag.DropInsUnread, Severity: diag.Warning, Effect: diag.Ignored, Since: "1.17",
		Summary: "CRI-O " + w.config.Version().String() + " has no drop-in directory",
		Detail:  "It reads the main file only. Drop-ins are read since CRI-O 1.17.",
		Hint:    "Move the keys into the main file.",
	})
}

// Errors for what stands in the place of a file.
var (
	errIsDir      = errors.New("is a directory")
	errLinkToDir  = errors.New("is a symbolic link to a directory")
	errLinkBroken = errors.New("is a symbolic link that leads nowhere")
	errNotRegular = errors.New("is not a regular file")
	errTooLarge   = errors.New("is too large")
)

// readFile returns what CRI-O reads under a name. A FIFO or a device is never
// opened.
func (w *walker) readFile(name string) ([]byte, error) {
	info, err := fs.Lstat(w.fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		// Systemd's way to mask a file: empty on every host, also where the
		// device is not part of the tree.
		if target, err := fs.ReadLink(w.fsys, name); err == nil && target == "/dev/null" {
			return []byte{}, nil
		}
		info, err = fs.Stat(w.fsys, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, errors.Join(errLinkBroken, err)
		case errors.Is(err, syscall.ELOOP):
			return nil, errLinkBroken // round in a circle
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, errLinkToDir
		}
	}
	switch {
	case info.IsDir():
		return nil, errIsDir
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	case info.Size() > MaxFileSize:
		return nil, errTooLarge
	}
	return w.contents(name)
}

// contents reads a regular file. The size that was seen may have changed.
func (w *walker) contents(name string) ([]byte, error) {
	f, err := w.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err == nil && len(src) > MaxFileSize {
		err = errTooLarge
	}
	return src, err
}

// add makes a layer of a file, or tells why there is none.
func (w *walker) add(name string, role Role, src []byte, err error) {
	if err == nil {
		w.config.layers = append(w.config.layers, w.config.parse(name, role, src))
		return
	}
	d := diag.Diagnostic{Severity: diag.Error, Effect: diag.Refused, Stage: schema.Load.String()}
	switch {
	case errors.Is(err, errLinkBroken):
		d.Code, d.Summary = diag.DanglingSymlink, "a symbolic link that leads nowhere"
		d.Detail = "CRI-O reads every entry of the drop-in directory, does not find this one's target, and refuses to start."
		d.Hint = "Delete the link."
	case errors.Is(err, errLinkToDir):
		d.Code, d.Summary = diag.SymlinkToDir, "a symbolic link to a directory"
		d.Detail = `CRI-O does not follow it, reads it as a file, and refuses to start with "is a directory".`
		d.Hint = "Put the files here themselves. A Kubernetes volume mounted on this directory always has such a link; mount its files one by one with subPath."
	case errors.Is(err, errIsDir), errors.Is(err, errNotRegular):
		d.Code, d.Summary = diag.NotRegular, "not a regular file"
		d.Detail = "CRI-O reads whatever stands here: with a FIFO it waits for ever, with a directory, socket or device it refuses to start or reads nonsense."
		d.Hint = "Move it out of the way."
	case errors.Is(err, errTooLarge):
		d.Code, d.Summary = diag.TooLarge, "more than 16 MiB, which is no configuration"
		d.Detail = "The file was not looked at. CRI-O has no limit: it reads the file, and refuses to start if it is not TOML."
		d.Hint = "Move the file out of the way."
	default:
		w.unreadable(name, err)
		return
	}
	w.say(name, d)
}

// unreadable tells of a file that we could not read. What CRI-O makes of it is
// not known.
func (w *walker) unreadable(name string, err error) {
	w.errs = append(w.errs, fmt.Errorf("read %s: %w", w.config.options.display(name), cause(err)))
	w.say(name, diag.Diagnostic{
		Code: diag.Unreadable, Severity: diag.Error, Effect: diag.None,
		Summary: "cannot be read: " + cause(err).Error(),
		Detail:  "What stands here is not part of the answer. CRI-O runs as root; where it cannot read a file either, it refuses to start.",
		Hint:    "Run as root, or make the file readable.",
	})
}

// cause returns the error without the operation and the name.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

func (w *walker) say(name string, d diag.Diagnostic) {
	d.Range.File = w.config.options.display(name)
	w.config.walked = append(w.config.walked, d)
}
