package patches

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// maxSource is more than any file of CRI-O's sources has.
const maxSource = 4 << 20

// A tree is a source tree. Its names never lead out of it.
type tree interface {
	// read returns a regular file and its mode, or fs.ErrNotExist.
	read(name string) ([]byte, fs.FileMode, error)
	// stage writes a file in full and durably, anew.
	stage(name string, data []byte, mode fs.FileMode) error
	rename(from, to string) error
	remove(name string) error
}

var errNotRegular = errors.New("it is not a regular file")

// rootTree is a tree on disk. os.Root keeps links from leading out of it.
type rootTree struct{ root *os.Root }

func (t rootTree) read(name string) ([]byte, fs.FileMode, error) {
	info, err := t.root.Lstat(name)
	switch {
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, errNotRegular
	case info.Size() > maxSource:
		return nil, 0, fmt.Errorf("it has %d MiB", info.Size()>>20)
	}
	f, err := t.root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	return data, info.Mode().Perm(), err
}

func (t rootTree) stage(name string, data []byte, mode fs.FileMode) error {
	// A killed run may have left one.
	if err := t.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

func (t rootTree) rename(from, to string) error { return t.root.Rename(from, to) }
func (t rootTree) remove(name string) error     { return t.root.Remove(name) }

// staged is the name of the file that takes the place of another. Go and make
// pass over names with a dot in front.
func staged(name string) string {
	return path.Join(path.Dir(name), "."+path.Base(name)+".crioctl-net")
}

// A write is one file to be replaced, or made where before is nil.
type write struct {
	name          string
	before, after []byte
	mode          fs.FileMode
}

// replace writes all files, or leaves all as they are. An error that is an
// *UndoError says that neither could be done.
func replace(t tree, writes []write) (err error) {
	defer func() {
		if err != nil {
			for _, w := range writes {
				_ = t.remove(staged(w.name)) // most are not there
			}
		}
	}()
	for _, w := range writes {
		if err := t.stage(staged(w.name), w.after, w.mode); err != nil {
			return fmt.Errorf("write %s: %w", w.name, err)
		}
	}
	for _, w := range writes {
		now, _, err := t.read(w.name)
		if err != nil && (w.before != nil || !errors.Is(err, fs.ErrNotExist)) {
			return fmt.Errorf("read %s again: %w", w.name, err)
		}
		if !bytes.Equal(now, w.before) || (err == nil) != (w.before != nil) {
			return fmt.Errorf("%s was changed by somebody else meanwhile", w.name)
		}
	}
	for i, w := range writes {
		if err := t.rename(staged(w.name), w.name); err != nil {
			return errors.Join(fmt.Errorf("put %s in place: %w", w.name, err), undo(t, writes[:i]))
		}
	}
	return nil
}

// undo puts the former files back, as many as it can.
func undo(t tree, writes []write) error {
	var failed []error
	for _, w := range writes {
		var err error
		if w.before == nil {
			err = t.remove(w.name)
		} else if err = t.stage(staged(w.name), w.before, w.mode); err == nil {
			err = t.rename(staged(w.name), w.name)
		}
		if err != nil {
			failed = append(failed, &UndoError{Path: w.name, Err: err})
		}
	}
	return errors.Join(failed...)
}

// An UndoError says that a file was patched, that another one could not be, and
// that the first could not be put back.
type UndoError struct {
	Path string
	Err  error
}

// Error returns the text.
func (e *UndoError) Error() string { return fmt.Sprintf("put %s back: %v", e.Path, e.Err) }

// Unwrap returns what went wrong.
func (e *UndoError) Unwrap() error { return e.Err }
