package dropin

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"time"
)

const (
	journalDir = stateDir + "/journal"
	indexName  = "index.json"
	unborn     = "tmp" // the state of a folder that is being made or removed
	// keepClosed is how many closed transactions the journal remembers.
	keepClosed = 20
)

// State is how far a transaction has come.
type State string

// The states. A pending transaction was begun: its files are as before, as
// planned, or some of each. A kept one has done its work, a restored one was
// taken back.
const (
	Pending  State = "pending"
	Kept     State = "kept"
	Restored State = "restored"
)

// The state is part of the folder's name, so that it changes in one step that
// needs no space on the disk.
var journalName = regexp.MustCompile(`^([0-9]{6,18})\.(pending|kept|restored|tmp)$`)

// An index is the table of contents of a transaction's folder.
type index struct {
	Format int          `json:"format"`
	Time   time.Time    `json:"time"`
	Title  string       `json:"title,omitempty"`
	Files  []fileRecord `json:"files"`
	// Dirs are the directories that the transaction makes, outermost first.
	Dirs []string `json:"dirs,omitempty"`
}

// A fileRecord tells how one file was and what it became. The bytes are beside
// the index in N.before and N.after, N being the place in the list.
type fileRecord struct {
	Path    string `json:"path"`              // as planned
	Real    string `json:"real"`              // without links
	Staging string `json:"staging,omitempty"` // where its next version is written
	Before  digest `json:"before,omitempty"`  // "" for no file
	After   digest `json:"after,omitempty"`   // "" for removed
	Link    string `json:"link,omitempty"`    // target, when a link is removed
	Meta    *meta  `json:"meta,omitempty"`    // of the former file
}

// A digest stands for the bytes of a file.
type digest string

func digestOf(b []byte) digest {
	if b == nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return digest("sha256:" + hex.EncodeToString(sum[:]))
}

// Tx is a transaction: a plan that was committed, and what was there before it.
type Tx struct {
	s     *Store
	n     int64 // 0 for a transaction that changed nothing
	state State
	index index
}

// ID names the transaction: a number that counts up, "" for one that changed
// nothing.
func (tx *Tx) ID() string {
	if tx.n == 0 {
		return ""
	}
	return strconv.FormatInt(tx.n, 10)
}

// State returns how far the transaction has come.
func (tx *Tx) State() State { return tx.state }

// Time returns when the transaction was begun.
func (tx *Tx) Time() time.Time { return tx.index.Time }

// Title returns what the plan was for.
func (tx *Tx) Title() string { return tx.index.Title }

// Paths returns the files of the transaction as they stood in the plan.
func (tx *Tx) Paths() []string {
	l := make([]string, len(tx.index.Files))
	for i, f := range tx.index.Files {
		l[i] = f.Path
	}
	return l
}

// Dir returns the folder with the former files as a person would type it.
func (tx *Tx) Dir() string { return tx.s.fs.Path(tx.folder()) }

// Plan returns the changes that the transaction made, read from the journal.
func (tx *Tx) Plan() (Plan, error) {
	p := Plan{Title: tx.index.Title}
	for i, f := range tx.index.Files {
		c := Change{Path: f.Path}
		var err error
		if c.Before, err = tx.bytes(i, "before", f.Before); err != nil {
			return Plan{}, err
		}
		if c.After, err = tx.bytes(i, "after", f.After); err != nil {
			return Plan{}, err
		}
		p.Changes = append(p.Changes, c)
	}
	return p, nil
}

func (tx *Tx) folder() string { return journalFolder(tx.n, string(tx.state)) }

func journalFolder(n int64, state string) string {
	return path.Join(journalDir, fmt.Sprintf("%06d.%s", n, state))
}

func blobName(i int, which string) string { return strconv.Itoa(i) + "." + which }

// bytes reads a file of the journal and makes sure that it is whole.
func (tx *Tx) bytes(i int, which string, want digest) ([]byte, error) {
	if want == "" {
		return nil, nil
	}
	name := path.Join(tx.folder(), blobName(i, which))
	b, err := tx.s.fs.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if digestOf(b) != want {
		return nil, fmt.Errorf("%s: damaged, not what was written there", tx.s.fs.Path(name))
	}
	return b, nil
}

// begin writes the journal of a transaction that is about to be made. When it
// returns without error the transaction is pending and on the disk.
func (s *Store) begin(idx index, plan []Change) (*Tx, error) {
	if err := s.makeJournal(); err != nil {
		return nil, err
	}
	journal, err := s.dir(journalDir)
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	n, err := s.nextNumber()
	if err != nil {
		return nil, err
	}
	tmp := path.Base(journalFolder(n, unborn))
	if err := s.sys.mkdir(journal, tmp, 0o700); err != nil {
		return nil, err
	}
	tx := &Tx{s: s, n: n, state: Pending, index: idx}
	err = s.fill(journalFolder(n, unborn), idx, plan)
	if err == nil {
		err = s.sys.rename(journal, tmp, journal, path.Base(tx.folder()))
	}
	if err == nil {
		if err = s.sys.sync(journal.File); err != nil {
			// Whether the name is on the disk is open. Nothing has been changed
			// yet, so the transaction can go.
			return nil, errors.Join(err, s.removeTx(tx.folder(), n))
		}
		return tx, nil
	}
	return nil, errors.Join(err, s.removeFolder(journalFolder(n, unborn)))
}

func (s *Store) makeJournal() error {
	_, missing, err := s.missingDirs(journalDir)
	if err != nil {
		return err
	}
	return s.makeDirs(missing, 0o700)
}

// fill writes index and bytes into a folder of the journal and syncs them.
func (s *Store) fill(folder string, idx index, plan []Change) error {
	d, err := s.dir(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	for i, c := range plan {
		if err := s.writeBlob(d, blobName(i, "before"), c.Before); err != nil {
			return err
		}
		if err := s.writeBlob(d, blobName(i, "after"), c.After); err != nil {
			return err
		}
	}
	b, err := json.MarshalIndent(idx, "", "  ")
	if err != nil {
		return err
	}
	if err := s.writeBlob(d, indexName, append(b, '\n')); err != nil {
		return err
	}
	return s.sys.sync(d.File)
}

func (s *Store) writeBlob(d *dir, base string, b []byte) error {
	if b == nil {
		return nil
	}
	f, err := s.sys.create(d, base)
	if err != nil {
		return err
	}
	err = s.sys.write(f, b)
	if err == nil {
		err = s.sys.sync(f)
	}
	return errors.Join(err, f.Close())
}

// setState closes the transaction.
func (tx *Tx) setState(to State) error {
	journal, err := tx.s.dir(journalDir)
	if err != nil {
		return err
	}
	defer journal.Close()
	from, name := path.Base(tx.folder()), path.Base(journalFolder(tx.n, string(to)))
	if err := tx.s.sys.rename(journal, from, journal, name); err != nil {
		return err
	}
	tx.state = to
	return tx.s.sys.sync(journal.File)
}

// A journalEntry is a folder of the journal.
type journalEntry struct {
	n     int64
	state string
}

func (e journalEntry) folder() string { return journalFolder(e.n, e.state) }

// entries lists the journal, oldest first.
func (s *Store) entries() ([]journalEntry, error) {
	dirs, err := s.fs.ReadDir(journalDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var l []journalEntry
	for _, d := range dirs {
		if m := journalName.FindStringSubmatch(d.Name()); m != nil && d.IsDir() {
			n, err := strconv.ParseInt(m[1], 10, 64)
			if err == nil && n > 0 {
				l = append(l, journalEntry{n, m[2]})
			}
		}
	}
	slices.SortFunc(l, func(a, b journalEntry) int { return cmp.Compare(a.n, b.n) })
	return l, nil
}

func (s *Store) nextNumber() (int64, error) {
	l, err := s.entries()
	if err != nil || len(l) == 0 {
		return 1, err
	}
	return l[len(l)-1].n + 1, nil
}

// load reads the index of a transaction. Without the lock, another process may
// close it or sweep it away between the listing and this; then it is looked up
// anew, and one that is gone is nil.
func (s *Store) load(e journalEntry) (*Tx, error) {
	tx, err := s.loadFrom(e)
	if !errors.Is(err, fs.ErrNotExist) {
		return tx, err
	}
	l, lerr := s.entries()
	if lerr != nil {
		return nil, lerr
	}
	i := slices.IndexFunc(l, func(now journalEntry) bool { return now.n == e.n })
	switch {
	case i < 0:
		return nil, nil
	case l[i] == e:
		return nil, err
	}
	return s.load(l[i])
}

func (s *Store) loadFrom(e journalEntry) (*Tx, error) {
	name := path.Join(e.folder(), indexName)
	b, err := s.fs.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tx := &Tx{s: s, n: e.n, state: State(e.state)}
	if err := json.Unmarshal(b, &tx.index); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", s.fs.Path(name), err)
	}
	if tx.index.Format != 1 {
		return nil, fmt.Errorf("%s: written by another release of crioctl-net (format %d)", s.fs.Path(name), tx.index.Format)
	}
	return tx, nil
}

// History returns the transactions that the journal remembers, oldest first.
// With an error it returns those that could be read.
func (s *Store) History() ([]*Tx, error) { return s.transactions(false) }

// Unfinished returns the pending transactions, oldest first. While another
// process holds the lock one of them may be that process's work in progress.
func (s *Store) Unfinished() ([]*Tx, error) { return s.transactions(true) }

func (s *Store) transactions(pendingOnly bool) ([]*Tx, error) {
	l, err := s.entries()
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	var txs []*Tx
	var errs []error
	for _, e := range l {
		if e.state == unborn || pendingOnly && e.state != string(Pending) {
			continue
		}
		tx, err := s.load(e)
		if err != nil {
			errs = append(errs, fmt.Errorf("read the journal: %w", err))
			continue
		}
		if tx != nil && (!pendingOnly || tx.state == Pending) {
			txs = append(txs, tx)
		}
	}
	return txs, errors.Join(errs...)
}

// sweep removes what killed processes left half made in the journal, and the
// oldest of the closed transactions. It is a matter of tidiness: what it cannot
// remove, the next one will.
func (s *Store) sweep() {
	l, err := s.entries()
	if err != nil {
		return
	}
	closed := 0
	for _, e := range slices.Backward(l) {
		switch e.state {
		case unborn:
			_ = s.removeFolder(e.folder())
		case string(Kept), string(Restored):
			if closed++; closed > keepClosed {
				_ = s.removeTx(e.folder(), e.n)
			}
		}
	}
}

// removeTx forgets a transaction: in one step, then piece by piece.
func (s *Store) removeTx(folder string, n int64) error {
	journal, err := s.dir(journalDir)
	if err != nil {
		return err
	}
	defer journal.Close()
	if err := s.sys.rename(journal, path.Base(folder), journal, path.Base(journalFolder(n, unborn))); err != nil {
		return err
	}
	return s.removeFolder(journalFolder(n, unborn))
}

func (s *Store) removeFolder(folder string) error {
	d, err := s.dir(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	l, err := s.fs.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range l {
		if err := s.sys.unlink(d, e.Name()); err != nil {
			return err
		}
	}
	journal, err := s.dir(journalDir)
	if err != nil {
		return err
	}
	defer journal.Close()
	return s.sys.rmdir(journal, path.Base(folder))
}
