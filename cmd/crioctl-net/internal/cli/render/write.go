package render

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
)

// write writes the manifests below dir, each in full or not at all. A file that
// is there is replaced; others stay.
func (d *document) write(dir string) error {
	for _, m := range d.Manifests {
		name := filepath.Join(dir, m.Name)
		if err := writeFile(name, []byte(m.Content)); err != nil {
			return exit.With(exit.Impossible, err)
		}
		d.Written = append(d.Written, name)
	}
	return nil
}

func writeFile(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".crioctl-net-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
