package dropin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"

	"golang.org/x/sys/unix"
)

// draftName is the name of the next version of a file while it waits outside
// the drop-in directory.
var draftName = regexp.MustCompile(`^\.crioctl-net-[0-9]+-[0-9]+\.tmp$`)

// An edit is one name in one directory and what it shall be. Paths are in the
// root, without links.
type edit struct {
	path    string // as planned, for messages
	dir     string
	base    string
	staging string       // directory for the next version, "" for none
	old     *unix.Stat_t // what is there, nil when the name must be free
	was     []byte       // its bytes, nil for a link
	data    []byte       // nil: the name goes away
	link    string       // make a link to this instead
	meta    *meta        // nil: a new file
	mode    fs.FileMode  // of a new file
}

func (e *edit) verb() string {
	if e.data == nil && e.link == "" {
		return "remove"
	}
	return "write"
}

// A draft is the next version of a file, complete and on the disk.
type draft struct {
	file *os.File
	dir  *dir   // where it has a name, nil when it has none
	base string // the name
}

// A batch makes edits together: all drafts first, which is where a full disk or
// a missing right shows, then name after name.
type batch struct {
	s      *Store
	id     string
	dirs   map[string]*dir
	drafts []*draft
}

// perform makes the edits and says how many names it may have touched.
func (s *Store) perform(ctx context.Context, id string, edits []edit) (touched int, err error) {
	b := &batch{s: s, id: id, dirs: map[string]*dir{}, drafts: make([]*draft, len(edits))}
	defer func() { err = errors.Join(err, b.close()) }()
	about := func(e *edit, err error) error { return fmt.Errorf("%s %s: %w", e.verb(), s.fs.Path(e.path), err) }
	for i := range edits {
		if err := b.stage(i, &edits[i]); err != nil {
			return 0, about(&edits[i], err)
		}
	}
	for i := range edits {
		if err := ctx.Err(); err != nil {
			return i, about(&edits[i], context.Cause(ctx))
		}
		err := b.publish(i, &edits[i])
		if errors.Is(err, ErrChanged) {
			return i, about(&edits[i], err)
		}
		if errors.Is(err, unix.EBUSY) {
			err = fmt.Errorf("%w: the file is a mount of its own, which cannot be replaced in one step", err)
		}
		if err != nil {
			return i + 1, about(&edits[i], err)
		}
	}
	return len(edits), b.sync(edits)
}

func (b *batch) dir(name string) (*dir, error) {
	if d := b.dirs[name]; d != nil {
		return d, nil
	}
	d, err := b.s.dir(name)
	if err == nil {
		b.dirs[name] = d
	}
	return d, err
}

// close removes the drafts that did not get their place.
func (b *batch) close() error {
	var errs []error
	for _, d := range b.drafts {
		errs = append(errs, b.discard(d))
	}
	for _, d := range b.dirs {
		d.Close()
	}
	return errors.Join(errs...)
}

func (b *batch) discard(d *draft) error {
	if d == nil || d.file == nil {
		return nil
	}
	d.file.Close()
	d.file = nil
	if d.dir == nil {
		return nil
	}
	return b.s.sys.unlink(d.dir, d.base)
}

// stage writes the draft of an edit.
func (b *batch) stage(i int, e *edit) error {
	if e.data == nil {
		return nil
	}
	// A name that is free is best taken by a file made in the directory itself:
	// it has all that the directory hands down, and no name until it is done.
	// A name that is taken can only be replaced by a file that has one.
	if e.old == nil || e.staging == "" {
		err := b.stageUnnamed(i, e)
		if err == nil || !noUnnamed(err) || e.staging == "" {
			return err
		}
	}
	d, err := b.dir(e.staging)
	if err != nil {
		return err
	}
	name := fmt.Sprintf(".crioctl-net-%s-%d.tmp", b.id, i)
	f, err := b.s.sys.create(d, name)
	if err != nil {
		return err
	}
	b.drafts[i] = &draft{file: f, dir: d, base: name}
	return b.fill(f, e, e.staging != e.dir)
}

func (b *batch) stageUnnamed(i int, e *edit) error {
	d, err := b.dir(e.dir)
	if err != nil {
		return err
	}
	f, err := b.s.sys.createUnnamed(d, e.base)
	if err != nil {
		return err
	}
	b.drafts[i] = &draft{file: f}
	return b.fill(f, e, false)
}

// fill makes a draft complete. elsewhere says that it was not made in the
// directory where it will be.
func (b *batch) fill(f *os.File, e *edit, elsewhere bool) error {
	if err := b.s.sys.write(f, e.data); err != nil {
		return err
	}
	if e.meta != nil {
		if err := b.s.sys.set(f, e.meta); err != nil {
			return err
		}
	} else {
		d, err := b.dir(e.dir)
		if err != nil {
			return err
		}
		if err := b.s.sys.setNew(f, d, e.mode, elsewhere); err != nil {
			return err
		}
	}
	return b.s.sys.sync(f)
}

// publish puts the edit in its place. ErrChanged means that the place was not
// touched.
func (b *batch) publish(i int, e *edit) error {
	d, err := b.dir(e.dir)
	if err != nil {
		return err
	}
	if err := unchanged(d, e); err != nil {
		return err
	}
	switch dr := b.drafts[i]; {
	case e.link != "":
		return taken(b.s.sys.symlink(e.link, d, e.base))
	case dr == nil:
		return b.s.sys.unlink(d, e.base)
	case dr.dir == nil:
		return b.publishUnnamed(dr, d, e)
	case e.old == nil:
		err := b.s.sys.renameNew(dr.dir, dr.base, d, e.base)
		return taken(dr.done(err))
	default:
		err := b.s.sys.rename(dr.dir, dr.base, d, e.base)
		if errors.Is(err, unix.EXDEV) { // the directory is a mount of its own
			return b.publishAcross(i, d, e)
		}
		return dr.done(err)
	}
}

// done takes the draft off the list when it has got its place.
func (d *draft) done(err error) error {
	if err == nil {
		d.file.Close()
		d.file = nil
	}
	return err
}

func (b *batch) publishUnnamed(dr *draft, d *dir, e *edit) error {
	if e.old != nil {
		if err := b.s.sys.unlink(d, e.base); err != nil {
			return err
		}
	}
	return taken(dr.done(b.s.sys.link(dr.file, d, e.base)))
}

// publishAcross writes the draft again, on the file system of the directory.
func (b *batch) publishAcross(i int, d *dir, e *edit) error {
	if err := b.discard(b.drafts[i]); err != nil {
		return err
	}
	if err := b.stageUnnamed(i, e); err != nil {
		if noUnnamed(err) {
			return fmt.Errorf("the directory is a mount of its own, and its file system has no unnamed files: %w", err)
		}
		return err
	}
	return b.publishUnnamed(b.drafts[i], d, e)
}

// unchanged makes sure that what is to be replaced is what was read.
func unchanged(d *dir, e *edit) error {
	if e.old == nil {
		return nil // taking the name fails when it is not free
	}
	st, err := lstat(d, e.base)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !sameVersion(&st, e.old) {
		return ErrChanged
	}
	if err != nil || e.was == nil {
		return err
	}
	// Two writes within one tick of the kernel's clock have the same time.
	fd, err := unix.Openat(d.fd(), e.base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: d.path(e.base), Err: err}
	}
	f := os.NewFile(uintptr(fd), d.path(e.base))
	defer f.Close()
	now, err := io.ReadAll(f)
	if err == nil && !bytes.Equal(now, e.was) {
		return ErrChanged
	}
	return err
}

// sameVersion compares what changes with every write, rename and chmod.
func sameVersion(a, b *unix.Stat_t) bool {
	return a.Dev == b.Dev && a.Ino == b.Ino && a.Size == b.Size && a.Mode == b.Mode &&
		a.Mtim == b.Mtim && a.Ctim == b.Ctim
}

// taken turns the error about a name that was to be free into ErrChanged.
func taken(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	return err
}

// sync puts the names on the disk.
func (b *batch) sync(edits []edit) error {
	var names []string
	for _, e := range edits {
		names = append(names, e.dir)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		d, err := b.dir(name)
		if err != nil {
			return err
		}
		if err := b.s.sys.sync(d.File); err != nil {
			return err
		}
	}
	return nil
}

// clean removes the drafts that killed processes left behind. The lock makes
// sure that nobody is at work on them.
func (s *Store) clean(edits []edit) error {
	var seen []string
	for _, e := range edits {
		if e.staging == "" || slices.Contains(seen, e.staging) {
			continue
		}
		seen = append(seen, e.staging)
		if err := s.cleanDir(e.staging); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) cleanDir(name string) error {
	l, err := s.fs.ReadDir(name)
	if err != nil {
		return err
	}
	for _, entry := range l {
		if !draftName.MatchString(entry.Name()) || !entry.Type().IsRegular() {
			continue
		}
		d, err := s.dir(name)
		if err != nil {
			return err
		}
		err = s.sys.unlink(d, entry.Name())
		d.Close()
		if err != nil {
			return fmt.Errorf("clean up after an earlier run: %w", err)
		}
	}
	return nil
}

// A content is a regular file as it was read.
type content struct {
	data []byte
	stat unix.Stat_t
	meta *meta
}

// read reads a file. What is in content fits together if stat is still true
// afterwards.
func (s *Store) read(name string) (*content, error) {
	f, err := s.fs.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := &content{}
	if c.stat, err = fstat(f); err != nil {
		return nil, err
	}
	if c.meta, err = metaOf(f); err != nil {
		return nil, err
	}
	if c.data, err = io.ReadAll(f); err != nil {
		return nil, err
	}
	return c, nil
}
