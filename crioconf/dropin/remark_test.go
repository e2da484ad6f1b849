package dropin

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRemark(t *testing.T) {
	root := node(t, nil)
	s := openStore(t, root)
	unlock, err := s.Lock(context.Background())
	require.NoError(t, err)
	commit := func(name string) *Tx {
		tx, err := s.Commit(context.Background(), Plan{Changes: []Change{{Path: "etc/crio/crio.conf.d/" + name, After: []byte("a = 1\n")}}})
		require.NoError(t, err)
		return tx
	}
	tx := commit("a")
	require.NoError(t, tx.Restore(context.Background()))
	require.NoError(t, tx.Remark("crio did not come back"))
	require.Error(t, tx.Remark("again"), "it is kept once")
	silent := commit("b")
	require.NoError(t, silent.Keep())

	txs, err := openStore(t, root).History()
	require.NoError(t, err)
	require.Len(t, txs, 2)
	text, err := txs[0].Remarked()
	require.NoError(t, err)
	require.Equal(t, "crio did not come back", text)
	text, err = txs[1].Remarked()
	require.NoError(t, err)
	require.Empty(t, text)

	none, err := s.Commit(context.Background(), Plan{})
	require.NoError(t, err)
	require.NoError(t, none.Remark("nothing"))

	s.sys.before = func(op, _ string) error {
		if op == "write" {
			return errors.New("disk full")
		}
		return nil
	}
	require.ErrorContains(t, silent.Remark("x"), "disk full")
	s.sys.before = nil
	require.NoError(t, silent.Remark("half a remark does not stay"))
	require.NoError(t, unlock())
	require.ErrorIs(t, silent.Remark("x"), ErrNotLocked)

	// What is swept away takes its remark along.
	require.NoError(t, func() error {
		unlock, err := s.Lock(context.Background())
		require.NoError(t, err)
		defer func() { require.NoError(t, unlock()) }()
		return s.removeTx(tx.folder(), tx.n)
	}())
}
