package crio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/crioctl/crioctl-net/schema"
)

// Mentions reports whether the key's name stands in the binary as its decoder
// needs it: toml:"name". It is for a binary that must not be run, as that of
// another node's root; ask one of this host with Binary.Reads.
func Mentions(fsys fs.FS, name string, k *schema.Key) (bool, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	// Go keeps struct tags as they stand in the source.
	found, err := contains(f, []byte(`toml:"`+k.PrintedName()+`"`))
	if err != nil {
		return false, fmt.Errorf("look into %s: %w", name, err)
	}
	return found, nil
}

// contains reports whether the text stands in what r gives, which may be large.
func contains(r io.Reader, text []byte) (bool, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	for {
		chunk, err := b.Peek(b.Size())
		if bytes.Contains(chunk, text) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		// The text may lie across two chunks.
		if _, err := b.Discard(len(chunk) - len(text) + 1); err != nil {
			return false, err
		}
	}
}
