package crio

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/schema"
)

func TestMentions(t *testing.T) {
	tag := `toml:"disable_hostport_mapping"`
	pad := strings.Repeat("\x00", 1<<20)
	for name, tt := range map[string]struct {
		data string
		want bool
	}{
		"stands in it":           {"\x7fELF" + tag + pad, true},
		"lies across two chunks": {pad[:1<<20-10] + tag + pad, true},
		"stands at the end":      {pad + pad + tag, true},
		"is only part of a text": {"--disable-hostport-mapping" + pad, false},
		"is not there":           {pad + pad, false},
		"empty":                  {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{"usr/bin/crio": {Data: []byte(tt.data)}}
			got, err := Mentions(fsys, "usr/bin/crio", schema.DisableHostportMapping.Key)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	_, err := Mentions(fstest.MapFS{}, "usr/bin/crio", schema.DisableHostportMapping.Key)
	require.Error(t, err)
}

func TestContainsReadsAll(t *testing.T) {
	found, err := contains(bytes.NewReader(bytes.Repeat([]byte("ab"), 3<<20)), []byte("bb"))
	require.NoError(t, err)
	require.False(t, found)
}
