package tomlfile_test

import (
	"testing"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// dialectOf turns a byte of the fuzzer into a dialect.
func dialectOf(b byte) tomlfile.Dialect {
	all := tomlfile.Dialects()
	return all[int(b)%len(all)]
}

// FuzzParse looks for crashes and for ranges that are not within the file, or
// not in order. Whether the verdict is right is for test/dialects.
func FuzzParse(f *testing.F) {
	for _, c := range setCases {
		f.Add(c.in, byte(7))
	}
	f.Fuzz(func(t *testing.T, text string, d byte) {
		file, problems := tomlfile.Parse("f", []byte(text), dialectOf(d))
		check := func(what string, r diag.Range) {
			if r.Start.Offset < 0 || r.End.Offset < r.Start.Offset || r.End.Offset > len(text) || r.Start.Line < 1 || r.Start.Col < 1 {
				t.Errorf("%s: range %+v of a file of %d bytes", what, r, len(text))
			}
		}
		for _, p := range problems {
			check(p.Summary, p.Range)
			if p.Summary == "" || p.Code == "" || p.Severity == 0 {
				t.Errorf("problem without a text: %+v", p)
			}
		}
		for e := range file.Entries() {
			check("key of "+e.Path.String(), e.Key)
			check("value of "+e.Path.String(), e.Value)
			if e.Raw != text[e.Value.Start.Offset:e.Value.End.Offset] || len(e.Path) == 0 || e.Node == nil {
				t.Errorf("entry %+v", e)
			}
		}
		for _, h := range file.Tables() {
			check("header "+h.Path.String(), h.Range)
		}
	})
}

// FuzzEdit makes changes of any file: they may be refused, but what is done must
// be right. Apply proves it; here it is seen from outside.
func FuzzEdit(f *testing.F) {
	for _, c := range append(append([]editCase{}, setCases...), removeCases...) {
		f.Add(c.in, "a.x", "v", byte(7), byte(0))
		f.Add(c.in, "a.b.n", "v", byte(7), byte(1))
		f.Add(c.in, "a", "v", byte(7), byte(2))
	}
	f.Fuzz(func(t *testing.T, text, name, value string, d, verb byte) {
		file, _ := tomlfile.Parse("f", []byte(text), dialectOf(d))
		p, err := keypath.Parse(name)
		if err != nil {
			t.Skip()
		}
		e := file.Edit()
		switch verb % 6 {
		case 0:
			err = e.Set(p, tomlfile.StringValue(value))
		case 1:
			err = e.Set(p, tomlfile.StringsValue([]string{value, "x"}))
		case 2:
			err = e.Delete(p, tomlfile.WithComment)
		case 3:
			err = e.DeleteTable(p, tomlfile.KeepComment)
		case 4:
			err = e.Rename(p, value)
		default:
			err = e.Comment(p, value)
		}
		if err != nil {
			t.Skip()
		}
		g, err := e.Apply()
		if err != nil {
			t.Skip()
		}
		if r := g.Refused(); r != nil {
			t.Errorf("the result has an error: %v", r)
		}
		if verb%6 == 0 {
			if i, m := g.Lookup(p); m == tomlfile.NoMatch || i.Node.Str != value {
				t.Errorf("%s is not what was set", p)
			}
		}
		if string(file.Source()) != text {
			t.Error("the edit changed its source")
		}
	})
}
