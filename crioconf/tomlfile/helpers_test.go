package tomlfile_test

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var inf = math.Inf(1)

// corpus returns the real configuration files that lie beside the project. They
// belong to others and are not part of it.
func corpus(t *testing.T) map[string][]byte {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(root); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the corpus is missing: %v", err)
		}
		t.Skipf("no corpus: %v", err)
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(name, "crio") {
			return err
		}
		data, err := os.ReadFile(name)
		files[name] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
