package crio

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// script makes a crio that does what the shell text says.
func script(t *testing.T, text string) Binary {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crio")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
	return Binary{Path: path}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name, script string
		refused      bool
		fails        bool
	}{
		{"accepts", "exit 0", false, false},
		{"refuses", "echo 'validating runtime config: no such handler' >&2; exit 1", true, true},
		{"crashes", "echo 'panic: nil map' >&2; exit 2", false, true},
		{"crashes with status 1", "echo 'panic: nil map' >&2; exit 1", false, true},
		{"is killed", "kill -9 $$", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := script(t, tt.script).Check(t.Context(), "/m", "/d")
			require.Equal(t, tt.fails, err != nil, "%v", err)
			if tt.refused {
				require.ErrorIs(t, err, ErrRefusedByBinary)
				require.ErrorContains(t, err, "no such handler")
			} else {
				require.NotErrorIs(t, err, ErrRefusedByBinary)
			}
		})
	}
}

func TestCheckHandsOverThePaths(t *testing.T) {
	b := script(t, `[ "$1 $2 $3 $4 $5" = "--config /m --config-dir /d config" ] || { echo "$@" >&2; exit 1; }`)
	require.NoError(t, b.Check(t.Context(), "/m", "/d"))
	require.NoError(t, script(t, `[ -z "$2" ] && [ -z "$4" ]`).Check(t.Context(), "", ""))
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := script(t, "sleep 60").Check(ctx, "", "")
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrRefusedByBinary)
}
