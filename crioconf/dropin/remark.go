package dropin

import (
	"errors"
	"io/fs"
	"path"
)

// remarkName is the file of a transaction with what Remark keeps.
const remarkName = "remark"

// Remark keeps a text with a transaction, such as why it was taken back.
// It is kept once; the lock must be held. A transaction that changed nothing
// keeps nothing.
func (tx *Tx) Remark(text string) error {
	if tx.n == 0 {
		return nil
	}
	if !tx.s.locked {
		return ErrNotLocked
	}
	d, err := tx.s.dir(tx.folder())
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := lstat(d, remarkName); err == nil {
		return &fs.PathError{Op: "create", Path: d.path(remarkName), Err: fs.ErrExist}
	}
	if err := tx.s.writeBlob(d, remarkName, []byte(text)); err != nil {
		return errors.Join(err, tx.s.sys.unlink(d, remarkName))
	}
	return tx.s.sys.sync(d.File)
}

// Remarked returns the text that Remark kept, "" for none.
func (tx *Tx) Remarked() (string, error) {
	b, err := tx.s.fs.ReadFile(path.Join(tx.folder(), remarkName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(b), err
}
