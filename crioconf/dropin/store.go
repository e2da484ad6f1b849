package dropin

import (
	"context"
	"errors"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/hostfs"
)

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("another crioctl-net is running")

// ErrNotLocked says that a method which needs the lock was called without it.
var ErrNotLocked = errors.New("the lock is not held")

// ErrChanged says that a file is no longer what it was when the plan was made.
var ErrChanged = errors.New("the file was changed by somebody else")

// ErrUnfinished says that an earlier transaction was interrupted and has to be
// recovered first.
var ErrUnfinished = errors.New("an earlier change was interrupted")

// ErrNotRestored says that a commit failed and that the former files could not
// all be put back.
var ErrNotRestored = errors.New("the former files are not all back")

// Store turns plans into files.
type Store struct {
	fs     *hostfs.FS
	locked bool
}

// Open returns the store of the tree below root. Nothing is created yet.
func Open(root string) (*Store, error) {
	f, err := hostfs.Open(root)
	if err != nil {
		return nil, err
	}
	return &Store{fs: f}, nil
}

// FS returns the tree that the store writes to.
func (s *Store) FS() *hostfs.FS { return s.fs }

// Close lets go of the root directory.
func (s *Store) Close() error { return s.fs.Close() }

// Locked reports whether this store holds the lock.
func (s *Store) Locked() bool { return s.locked }

// Lock takes the lock, waiting until ctx is done.
func (s *Store) Lock(ctx context.Context) (unlock func() error, err error) {
	return nil, errors.ErrUnsupported
}

// Commit makes the changes of p, all or none.
func (s *Store) Commit(ctx context.Context, p Plan) (*Tx, error) { return nil, errors.ErrUnsupported }

// Unfinished returns the pending transactions, oldest first.
func (s *Store) Unfinished() ([]*Tx, error) { return nil, errors.ErrUnsupported }

// History returns all transactions, oldest first.
func (s *Store) History() ([]*Tx, error) { return nil, errors.ErrUnsupported }

// Recover restores all unfinished transactions, newest first, and returns them.
func (s *Store) Recover(ctx context.Context) ([]*Tx, error) { return nil, errors.ErrUnsupported }

// State is how far a transaction has come.
type State string

// The states.
const (
	Pending  State = "pending"
	Kept     State = "kept"
	Restored State = "restored"
)

// Tx is a transaction: a plan that was committed.
type Tx struct{}

// ID returns the name of the transaction, a number that counts up.
func (tx *Tx) ID() string { return "" }

// State returns how far the transaction has come.
func (tx *Tx) State() State { return "" }

// Time returns when the transaction was committed.
func (tx *Tx) Time() time.Time { return time.Time{} }

// Paths returns the files that the transaction changed.
func (tx *Tx) Paths() []string { return nil }

// Dir returns the journal folder of the transaction as a person would type it.
func (tx *Tx) Dir() string { return "" }

// Keep closes the transaction: its files stay.
func (tx *Tx) Keep() error { return errors.ErrUnsupported }

// Restore puts the former files back.
func (tx *Tx) Restore(ctx context.Context) error { return errors.ErrUnsupported }
