// Package tomlfile reads a TOML file the way CRI-O's decoder does, knows where
// every key, value and comment of it stands, and changes single keys without
// touching any other byte.
//
// CRI-O decodes its files with BurntSushi/toml, and the releases of that library
// differ in what they accept and in what they make of it. So a file is parsed
// under a [Dialect], the release that a CRI-O version ships:
//
//	f, problems := tomlfile.Parse("crio.conf", src, tomlfile.V1_5_0)
//
// Promises:
//
//   - One of the problems has the effect diag.Refused if and only if that
//     release refuses the text, and the tree of [File.Root] is the one that
//     release decodes, quirks included. The modules under test/dialects compare
//     both with the library itself.
//   - Parsing goes on after an error, so that one run shows all of them. Time
//     and memory are linear in the size of the file.
//   - An [Edit] is a list of byte splices; bytes outside of them stay as they
//     are. Its result is parsed again and must differ in exactly the edited keys,
//     in our own reading and in that of a second parser, or there is no result.
//
// A problem with the code diag.TOMLDialect is about a form that other releases
// read. Its Since is the first of them, its Until the first that no longer does;
// both are releases of the library, as [Dialect.String] writes them. A key whose
// value cannot be read keeps its place in the tree, with a node of type
// [Invalid].
//
// Limits: values nested deeper than 1,000 levels are refused although the
// library would read them, and the list of problems ends after a thousand
// entries.
package tomlfile
