package dropin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Commit makes the changes of p, all or none, and returns the pending
// transaction. Keep or Restore must follow. The lock must be held.
//
// When a file is not as the plan says, Commit returns ErrChanged and has written
// nothing. When a step fails, or ctx is done between two files, Commit puts back
// what it has done and returns the error of the step; if that is not possible it
// returns ErrNotRestored as well, together with the transaction, which stays
// pending. A plan that changes nothing gives a transaction without an ID, and
// nothing is written.
func (s *Store) Commit(ctx context.Context, p Plan) (*Tx, error) {
	if !s.locked {
		return nil, ErrNotLocked
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if err := s.finished(); err != nil {
		return nil, err
	}
	plan, err := s.prepare(p)
	if err != nil {
		return nil, err
	}
	if len(plan.edits) == 0 {
		return &Tx{s: s, state: Kept}, nil
	}
	s.sweep()
	tx, err := s.begin(plan.index, plan.changes)
	if err != nil {
		return nil, fmt.Errorf("write the journal: %w", err)
	}
	touched, err := s.carryOut(ctx, tx, plan)
	if err == nil {
		return tx, nil
	}
	if berr := tx.putBack(touched); berr != nil {
		return tx, fmt.Errorf("%w; %w: %w", err, ErrNotRestored, berr)
	}
	return nil, errors.Join(err, s.removeTx(tx.folder(), tx.n))
}

// finished makes sure that no earlier transaction is pending.
func (s *Store) finished() error {
	txs, err := s.Unfinished()
	if err != nil {
		return err
	}
	if len(txs) > 0 {
		return fmt.Errorf("%w: see %s", ErrUnfinished, txs[0].Dir())
	}
	return nil
}

func (s *Store) carryOut(ctx context.Context, tx *Tx, p *prepared) (touched int, err error) {
	if err := s.makeDirs(p.index.Dirs, 0o755); err != nil {
		return 0, err
	}
	if err := s.clean(p.edits); err != nil {
		return 0, err
	}
	return s.perform(ctx, tx.ID(), p.edits)
}

// A prepared plan has been compared with the files and says what to do where.
// The three lists go together.
type prepared struct {
	changes []Change
	edits   []edit
	index   index
}

func (s *Store) prepare(p Plan) (*prepared, error) {
	live, err := s.live(p)
	if err != nil {
		return nil, err
	}
	out := &prepared{index: index{Format: 1, Time: s.now().UTC(), Title: p.Title}}
	names := map[string]bool{}
	for _, c := range p.Changes {
		if c.none() {
			continue
		}
		if err := s.prepareChange(out, c, live); err != nil {
			return nil, err
		}
		real := out.index.Files[len(out.index.Files)-1].Real
		if names[real] {
			return nil, fmt.Errorf("%s: two changes of one file", s.fs.Path(c.Path))
		}
		names[real] = true
	}
	return out, nil
}

// live returns the drop-in directory without links. CRI-O takes a plain file for
// one too; then, as when it cannot be found, it is not known, and each folder is
// taken for one.
func (s *Store) live(p Plan) (string, error) {
	if p.DropInDir == "" {
		return "", nil
	}
	if !fs.ValidPath(p.DropInDir) {
		return "", fmt.Errorf("drop-in directory %q: %w", p.DropInDir, fs.ErrInvalid)
	}
	live, _, err := s.missingDirs(p.DropInDir)
	if err != nil {
		return "", nil
	}
	return live, nil
}

func (s *Store) prepareChange(out *prepared, c Change, live string) error {
	if !fs.ValidPath(c.Path) || c.Path == "." || c.Mode&^fs.ModePerm != 0 {
		return fmt.Errorf("change of %q: %w", c.Path, fs.ErrInvalid)
	}
	e, rec, missing, err := s.target(c)
	if err != nil {
		return err
	}
	e.path, rec.Path = c.Path, c.Path
	e.staging = staging(e.dir, live)
	rec.Staging = e.staging
	rec.Real = path.Join(e.dir, e.base)
	rec.Before, rec.After = digestOf(c.Before), digestOf(c.After)
	e.data = c.After
	if e.mode = c.Mode; e.mode == 0 {
		e.mode = DefaultMode
	}
	for _, m := range missing {
		if !slices.Contains(out.index.Dirs, m) {
			out.index.Dirs = append(out.index.Dirs, m)
		}
	}
	out.changes = append(out.changes, c)
	out.edits = append(out.edits, e)
	out.index.Files = append(out.index.Files, rec)
	return nil
}

// target finds the place of a change, compares what is there with what the plan
// says, and notes what the journal needs to know of it.
func (s *Store) target(c Change) (e edit, rec fileRecord, missing []string, err error) {
	st, err := s.fs.Lstat(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		if c.Before != nil {
			return e, rec, nil, s.changed(c.Path, "it is gone")
		}
		e.dir, missing, err = s.missingDirs(path.Dir(c.Path))
		e.base = path.Base(c.Path)
		return e, rec, missing, err
	}
	if err != nil {
		return e, rec, nil, err
	}
	// The link of a removed drop-in goes and what it leads to stays: a link to
	// nowhere would stop CRI-O.
	isLink := st.Mode()&fs.ModeSymlink != 0
	removeLink := isLink && c.After == nil
	name := c.Path
	if !removeLink {
		if name, err = s.fs.Resolve(c.Path); err != nil {
			return e, rec, nil, err
		}
	}
	file, err := s.read(c.Path)
	switch {
	case err != nil:
		return e, rec, nil, err
	case c.Before == nil:
		return e, rec, nil, s.changed(c.Path, "it was not there before")
	case !bytes.Equal(file.data, c.Before):
		return e, rec, nil, s.changed(c.Path, "")
	}
	if e.dir, err = s.fs.Resolve(path.Dir(name)); err != nil {
		return e, rec, nil, err
	}
	e.base, e.old, e.was = path.Base(name), &file.stat, file.data
	e.meta, rec.Meta = file.meta, file.meta
	if removeLink {
		e.old, e.was = st.Sys().(*unix.Stat_t), nil
		rec.Link, err = s.fs.ReadLink(c.Path)
	}
	return e, rec, nil, err
}

func (s *Store) changed(name, how string) error {
	if how != "" {
		return fmt.Errorf("%s: %w: %s", s.fs.Path(name), ErrChanged, how)
	}
	return fmt.Errorf("%s: %w", s.fs.Path(name), ErrChanged)
}

// staging returns the directory for the next version of a file of dir: dir
// itself when nobody reads it as a whole, else the one above the drop-in
// directory, "" when that would be outside the root. live is the drop-in
// directory, "" when it is not known: then dir is taken for it.
func staging(dir, live string) string {
	switch {
	case live == "":
		live = dir
	case live != "." && dir != live && !strings.HasPrefix(dir, live+"/"):
		return dir
	}
	if live == "." {
		return ""
	}
	return path.Dir(live)
}
