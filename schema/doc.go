// Package schema knows every key of a CRI-O configuration: what it means, which
// releases read it, its defaults, how files combine and which values CRI-O
// refuses.
//
// Each key is declared once, as a typed handle for Go callers:
//
//	schema.DisableHostportMapping // Setting[bool]
//	schema.LogLevel               // Setting[string]
//
// and the same declarations are the table behind validation, explanations and
// editors' schemas. For gives the view of one release, with patch precision,
// since keys were backported:
//
//	s := schema.For(schema.Version{Major: 1, Minor: 30, Patch: schema.Latest})
//	key, match := s.Lookup(keypath.MustParse("crio.runtime.log_level"))
//
// Releases 1.18 to 1.36 are described exactly, older ones as their sources
// read. A newer release than the newest known one is treated as the newest. The
// package knows nothing of files and of the host: a check that must look at the
// host is not here, and a rule that spans several keys belongs to the caller.
//
// The declarations are shared and must not be changed.
package schema
