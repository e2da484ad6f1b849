package tomlfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// nodeFile is about what a node has: a file of defaults, mostly comments, with a
// hundred keys and some runtime handlers.
func nodeFile() []byte {
	var b strings.Builder
	for table := range 10 {
		fmt.Fprintf(&b, "[crio.table%d]\n\n", table)
		for k := range 10 {
			fmt.Fprintf(&b, "# What key %d is for, told in a sentence of usual length, as the\n# defaults of CRI-O do it.\nkey%d = \"value of %d\"\n\n", k, k, k)
		}
		fmt.Fprintf(&b, "list = [\n\t\"one\",\n\t\"two\", # second\n]\nmap = { a = \"1\", b = \"2\" }\n\n")
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	src := nodeFile()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if f, _ := tomlfile.Parse("crio.conf", src, tomlfile.V1_6_0); f.Refused() != nil {
			b.Fatal(f.Refused())
		}
	}
}

func BenchmarkSet(b *testing.B) {
	f, _ := tomlfile.Parse("crio.conf", nodeFile(), tomlfile.V1_6_0)
	b.ReportAllocs()
	for b.Loop() {
		e := f.Edit()
		if err := e.Set(key("crio.table5.new"), tomlfile.BoolValue(true)); err != nil {
			b.Fatal(err)
		}
		if _, err := e.Apply(); err != nil {
			b.Fatal(err)
		}
	}
}
