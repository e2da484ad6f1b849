package crioconf

import (
	"fmt"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// A reporter turns what the decoder comes across in one file into diagnostics.
type reporter struct {
	config *Config
	file   *tomlfile.File
	list   diag.List
}

func (r *reporter) add(d diag.Diagnostic) { r.list = append(r.list, d) }

func (r *reporter) crio() string { return "CRI-O " + r.config.Version().String() }

// found is called by the decoder.
func (r *reporter) found(f finding) {
	switch f.kind {
	case foundUnknown:
		r.unknown(f)
	case foundSpelling:
		r.spelling(f)
	case foundWrongType:
		r.wrongType(f)
	case foundBadTime:
		r.badTime(f)
	case foundBareTime:
		r.bareTime(f)
	case foundLost:
		r.lost(f)
	}
}

func (r *reporter) spelling(f finding) {
	at := f.node.Key
	if at.IsZero() {
		at = f.node.Range
	}
	r.add(diag.Diagnostic{
		Code: diag.KeyCase, Severity: diag.Info, Effect: diag.None, Key: f.field.path, Range: at,
		Summary: fmt.Sprintf("%s is not the spelling of %s", f.path.Leaf(), f.field.path),
		Detail:  "CRI-O ignores letter case and takes it all the same.",
		Hint:    fmt.Sprintf("Write %s.", f.field.name),
		Suggest: f.field.name,
	})
}

// written returns the place of a finding: the value, or what stands for it.
func written(n *tomlfile.Node) diag.Range {
	if !n.Range.IsZero() {
		return n.Range
	}
	return n.Key
}

func (r *reporter) refused(f finding, summary, hint string) {
	r.add(diag.Diagnostic{
		Code: diag.WrongType, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Load.String(),
		Key: f.path, Range: written(f.at), Summary: summary,
		Detail: r.crio() + " cannot read the file: it refuses to start, and every crio command that reads the configuration fails.",
		Hint:   hint,
	})
}

func (r *reporter) wrongType(f finding) {
	have := typeOf(f.at)
	switch {
	case f.want == 0:
		hint := fmt.Sprintf("Write a table: [%s].", f.path)
		if f.at.Type == tomlfile.ArrayOfTables {
			hint = fmt.Sprintf("Write [%s] with single brackets.", f.path)
		}
		r.refused(f, fmt.Sprintf("%s is a table, and here it is %s", f.path, have), hint)
	case f.at != f.node:
		r.refused(f, fmt.Sprintf("%s is %s, and one of its values is %s", f.path, withArticle(f.want.String()), have), typeHint(f))
	default:
		r.refused(f, fmt.Sprintf("%s is %s, and the value is %s", f.path, withArticle(f.want.String()), have), typeHint(f))
	}
}

// typeOf names the type of a value with its article.
func typeOf(n *tomlfile.Node) string { return withArticle(n.Type.String()) }

func withArticle(name string) string {
	if strings.ContainsAny(name[:1], "aeiou") {
		return "an " + name
	}
	return "a " + name
}

// typeHint tells how to write the value so that it has the right type.
func typeHint(f finding) string {
	raw := f.at.Raw
	switch f.want {
	case schema.String, schema.Strings, schema.StringMap:
		if f.at != f.node || f.want == schema.String {
			if raw != "" && f.at.Type != tomlfile.Array && f.at.Type != tomlfile.Table {
				return fmt.Sprintf("Put it in quotes: %s.", keypath.Quote(raw))
			}
			return "Write a string in quotes."
		}
		if f.want == schema.Strings && f.at.Type == tomlfile.String {
			return fmt.Sprintf("Put it in brackets: [%s].", keypath.Quote(f.at.Str))
		}
		return `Write a list of strings: ["a", "b"].`
	case schema.Int, schema.Uint:
		if f.at.Type == tomlfile.String && strings.Trim(f.at.Str, "-0123456789") == "" && f.at.Str != "" {
			return fmt.Sprintf("Write it without quotes: %s.", f.at.Str)
		}
		return "Write a whole number without quotes."
	case schema.Bool:
		if s := strings.ToLower(f.at.Str); f.at.Type == tomlfile.String && (s == "true" || s == "false") {
			return fmt.Sprintf("Write it without quotes: %s.", s)
		}
		return "Write true or false."
	case schema.Duration:
		return `Write a string with a unit: "30s".`
	}
	return ""
}

func (r *reporter) badTime(f finding) {
	r.refused(f, fmt.Sprintf("%s is %s, which is no duration", f.path, keypath.Quote(f.at.Str)),
		`Write a number with a unit, such as "30s", "5m" or "1h30m".`)
}

func (r *reporter) bareTime(f finding) {
	r.add(diag.Diagnostic{
		Code: diag.ReplacedValue, Severity: diag.Warning, Effect: diag.Replaced, Key: f.path, Range: written(f.at),
		Summary: fmt.Sprintf("%s is a number without a unit, which counts nanoseconds", f.path),
		Detail:  fmt.Sprintf("%s takes it as %s.", r.crio(), time.Duration(f.at.Int)),
		Hint:    fmt.Sprintf("Write it with a unit: \"%ds\" for seconds.", f.at.Int),
	})
}

// lost tells of a value in the place of a table of names, which the decoder
// passes over.
func (r *reporter) lost(f finding) {
	hint := fmt.Sprintf("Write a table for each entry: [%s].", f.path.Child("NAME"))
	if f.want == schema.StringMap {
		hint = fmt.Sprintf(`Write a table: %s = { name = "value" }.`, f.path.Leaf())
	}
	r.add(diag.Diagnostic{
		Code: diag.LostValue, Severity: diag.Error, Effect: diag.Ignored, Key: f.path, Range: written(f.at),
		Summary: fmt.Sprintf("%s is a table, and here it is %s", f.path, typeOf(f.at)),
		Detail:  r.crio() + " passes over it without a word.",
		Hint:    hint,
	})
}

// fromText completes a problem of the text. The parser names releases of the
// TOML library; people know the releases of CRI-O.
func (c *Config) fromText(d diag.Diagnostic) diag.Diagnostic {
	if d.Effect == diag.Refused {
		d.Stage = schema.Load.String()
	}
	if d.Code == diag.TOMLDialect {
		d.Since, d.Until = firstWith(d.Since), firstWith(d.Until)
	}
	return d
}

// firstWith returns the first minor release of CRI-O with a dialect, or "".
func firstWith(dialect string) string {
	want, err := tomlfile.ParseDialect(dialect)
	if err != nil {
		return ""
	}
	for _, v := range schema.Versions() {
		for _, p := range v.Patches() {
			if schema.For(p).Dialect() >= want {
				return shortVersion(p)
			}
		}
	}
	return ""
}

// shortVersion leaves out the patch number where it says nothing.
func shortVersion(v schema.Version) string {
	if v.Patch == 0 {
		return v.Release()
	}
	return v.String()
}
