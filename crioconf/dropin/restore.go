package dropin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

// Keep closes the transaction: its changes stay. Keeping a closed transaction is
// no error. The lock must be held.
func (tx *Tx) Keep() error {
	if tx.n == 0 || tx.state == Kept {
		return nil
	}
	if !tx.s.locked {
		return ErrNotLocked
	}
	if tx.state != Pending {
		return fmt.Errorf("change %s was already %s", tx.ID(), tx.state)
	}
	if err := tx.setState(Kept); err != nil {
		return fmt.Errorf("close the journal: %w", err)
	}
	tx.s.sweep()
	return nil
}

// Restore puts the former files back, with their owner, mode and labels, and
// removes what the transaction made. It works on pending and on kept
// transactions; restoring a restored one is no error. The lock must be held.
//
// Each file must be as it was before the transaction or as the transaction left
// it. Otherwise Restore returns ErrChanged and has written nothing. A Restore
// that fails half way can be called again.
//
// ctx is asked before the first write only: half of the former files would be
// worse than being late.
func (tx *Tx) Restore(ctx context.Context) error {
	if tx.n == 0 || tx.state == Restored {
		return nil
	}
	if !tx.s.locked {
		return ErrNotLocked
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := tx.putBack(len(tx.index.Files)); err != nil {
		return err
	}
	if err := tx.setState(Restored); err != nil {
		return fmt.Errorf("close the journal: %w", err)
	}
	tx.s.sweep()
	return nil
}

// Recover restores all unfinished transactions, newest first, and returns those
// that it restored. The lock must be held.
func (s *Store) Recover(ctx context.Context) ([]*Tx, error) {
	if !s.locked {
		return nil, ErrNotLocked
	}
	pending, err := s.Unfinished()
	if err != nil {
		return nil, err
	}
	var done []*Tx
	for _, tx := range slices.Backward(pending) {
		if err := tx.Restore(ctx); err != nil {
			return done, fmt.Errorf("%w and cannot be taken back: %w; the former files are in %s",
				ErrUnfinished, err, tx.Dir())
		}
		done = append(done, tx)
	}
	return done, nil
}

// putBack restores the first n files of the transaction.
func (tx *Tx) putBack(n int) error {
	// A draft may share its file with a name that it has got already, so it goes
	// before anybody looks at the file.
	if err := tx.cleanDrafts(); err != nil {
		return err
	}
	edits, err := tx.former(n)
	if err != nil {
		return err
	}
	for _, e := range edits {
		if e.data == nil && e.link == "" {
			continue
		}
		_, missing, err := tx.s.missingDirs(e.dir)
		if err != nil {
			return err
		}
		if err := tx.s.makeDirs(missing, 0o755); err != nil {
			return err
		}
	}
	if _, err := tx.s.perform(context.Background(), tx.ID(), edits); err != nil {
		return err
	}
	return tx.removeDirs()
}

// cleanDrafts removes what a killed process left beside the drop-in directory,
// for files too that need no edit now.
func (tx *Tx) cleanDrafts() error {
	for i, f := range tx.index.Files {
		if f.Staging == "" || slices.ContainsFunc(tx.index.Files[:i], func(g fileRecord) bool { return g.Staging == f.Staging }) {
			continue
		}
		if err := tx.s.cleanDir(f.Staging); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// former returns the edits that bring the first n files back, the last file
// first.
func (tx *Tx) former(n int) ([]edit, error) {
	var edits []edit
	var errs []error
	for i := n - 1; i >= 0; i-- {
		e, err := tx.formerFile(i)
		if err != nil {
			errs = append(errs, err)
		}
		if e != nil {
			edits = append(edits, *e)
		}
	}
	return edits, errors.Join(errs...)
}

func (tx *Tx) formerFile(i int) (*edit, error) {
	rec := tx.index.Files[i]
	is, err := tx.s.look(rec.Real)
	switch {
	case err != nil:
		return nil, err
	case is.like(rec.Before, rec.Link):
		return nil, nil
	case is.like(rec.After, ""):
	case is.stat == nil && tx.state == Pending:
		// Killed while a file on a mount of its own was being replaced.
	default:
		return nil, tx.s.changed(rec.Path, "it is neither the former nor the new one")
	}
	e := &edit{path: rec.Path, staging: rec.Staging, old: is.stat, was: is.data, link: rec.Link, meta: rec.Meta}
	e.dir, e.base = path.Dir(rec.Real), path.Base(rec.Real)
	if rec.Link == "" {
		e.data, err = tx.bytes(i, "before", rec.Before)
	}
	return e, err
}

// A sight is what stands at a name.
type sight struct {
	stat   *unix.Stat_t // nil for nothing
	data   []byte       // of a regular file
	digest digest
	link   string // target of a link
}

// like reports whether what stands there is the file with that digest, the link
// to that target, or nothing when both are empty.
func (v *sight) like(d digest, link string) bool {
	switch {
	case link != "":
		return v.link == link
	case d == "":
		return v.stat == nil
	}
	return v.digest == d
}

func (s *Store) look(name string) (*sight, error) {
	st, err := s.fs.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &sight{}, nil
	case err != nil:
		return nil, err
	case st.Mode()&fs.ModeSymlink != 0:
		target, err := s.fs.ReadLink(name)
		return &sight{stat: st.Sys().(*unix.Stat_t), link: target}, err
	}
	c, err := s.read(name)
	if err != nil {
		return nil, err
	}
	return &sight{stat: &c.stat, data: c.data, digest: digestOf(c.data)}, nil
}

// removeDirs removes the directories that the transaction made, unless somebody
// else has put something into them.
func (tx *Tx) removeDirs() error {
	for _, name := range slices.Backward(tx.index.Dirs) {
		parent, err := tx.s.dir(path.Dir(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = tx.s.sys.rmdir(parent, path.Base(name))
		if err == nil {
			err = tx.s.sys.sync(parent.File)
		}
		parent.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTEMPTY) {
			return err
		}
	}
	return nil
}
