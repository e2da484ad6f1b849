// Package harness compares tomlfile.Parse with the library it models.
//
// Each release of BurntSushi/toml that CRI-O has vendored has a module of its
// own beside this package, which hands its Decode to Run and Fuzz. Documents
// come from a grammar that likes collisions and odd forms, from mutations of
// those and of real files, and from the fuzzer. A disagreement is shrunk before
// it is printed.
package harness

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// Decode is what a release makes of a document.
type Decode func(doc string) (map[string]any, error)

// The same documents come in every run, unless somebody asks for others.
var (
	documents = flag.Int("documents", 12_000, "how many documents to make of each kind")
	seed      = flag.Uint64("seed", 1, "where the documents begin")
)

// show is how many disagreements Run prints.
const show = 8

// Run compares verdict and tree on generated and mutated documents.
func Run(t *testing.T, d tomlfile.Dialect, decode Decode) {
	seeds := append(slices.Clone(forms), recorded(t)...)
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(d), *seed))}
	c := checker{d: d, decode: decode, seen: map[string]bool{}}
	t.Run("written", func(t *testing.T) { c.all(t, len(seeds), func(i int) string { return seeds[i] }) })
	t.Run("generated", func(t *testing.T) { c.all(t, *documents, func(int) string { return g.document() }) })
	t.Run("mutated", func(t *testing.T) {
		c.all(t, *documents, func(i int) string { return g.mutate(g.document(), 1+i%3) })
	})
	t.Run("mutated files", func(t *testing.T) {
		c.all(t, *documents, func(i int) string { return g.mutate(seeds[g.IntN(len(seeds))], 1+i%4) })
	})
}

// Fuzz compares verdict and tree on what the fuzzer finds.
func Fuzz(f *testing.F, d tomlfile.Dialect, decode Decode) {
	for _, doc := range forms {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if why := Disagree(d, decode, doc); why != "" {
			t.Errorf("%q: %s", doc, why)
		}
	})
}

type checker struct {
	d      tomlfile.Dialect
	decode Decode
	seen   map[string]bool
}

func (c *checker) all(t *testing.T, n int, doc func(int) string) {
	accepted, found := 0, 0
	for i := range n {
		text := doc(i)
		if f, _ := tomlfile.Parse("doc", []byte(text), c.d); f.Refused() == nil {
			accepted++
		}
		why := Disagree(c.d, c.decode, text)
		if why == "" {
			continue
		}
		if found++; found > show {
			continue
		}
		small := shrink(text, func(s string) bool { return Disagree(c.d, c.decode, s) != "" })
		if !c.seen[small] {
			c.seen[small] = true
			t.Errorf("%s: %q: %s", c.d, small, Disagree(c.d, c.decode, small))
		}
	}
	if found > 0 {
		t.Errorf("%d of %d documents disagree", found, n)
	}
	t.Logf("%d documents, %d of them accepted", n, accepted)
	if accepted == 0 || accepted == n {
		t.Errorf("a test of verdicts needs both: %d of %d accepted", accepted, n)
	}
}

// Disagree says in what Parse and the library disagree, or "".
func Disagree(d tomlfile.Dialect, decode Decode, doc string) string {
	f, problems := tomlfile.Parse("doc", []byte(doc), d)
	theirs, err := safely(decode, doc)
	switch ours := f.Refused(); {
	case ours != nil && err == nil:
		return fmt.Sprintf("we refuse it (%s: %s), the library reads %v", ours.Range, ours.Summary, theirs)
	case ours == nil && err != nil:
		return fmt.Sprintf("we read it, the library says %v", err)
	case ours != nil:
		return ""
	}
	if at := compare(f.Root(), theirs, "document"); at != "" {
		return fmt.Sprintf("%s (problems: %v)", at, problems)
	}
	return ""
}

// safely decodes a document; the library panics on some, which stops CRI-O as
// an error does.
func safely(decode Decode, doc string) (m map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return decode(doc)
}

// recorded returns the texts of the recorded loader cases, where they are.
func recorded(t *testing.T) []string {
	_, self, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(self), "..", "..", "..")
	for _, dir := range []string{"test/oracle", "../shared/oracle"} {
		f, err := os.Open(filepath.Join(root, dir, "syntax.jsonl"))
		if err != nil {
			continue
		}
		defer f.Close()
		var texts []string
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var c struct{ Files []struct{ Text string } }
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			for _, file := range c.Files {
				texts = append(texts, file.Text)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		return texts
	}
	t.Log("no recorded cases found; the written documents are the only seeds")
	return nil
}

// shrink takes away pieces of a document as long as bad holds.
func shrink(doc string, bad func(string) bool) string {
	for size := len(doc) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(doc); {
			if small := doc[:at] + doc[at+size:]; bad(small) {
				doc = small
				continue
			}
			at += max(1, size/2)
		}
	}
	return strings.Clone(doc)
}
