// Package crioconf turns files into the configuration that CRI-O would run
// with, and remembers where every value comes from.
//
// A configuration is a list of layers: the built-in defaults, the main file,
// the drop-ins in the order of CRI-O's walk, and what the flags and variables
// of the unit say. Load reads them from a file system, LoadFiles takes them as
// bytes. Both answer for one CRI-O version, which is an input and is never
// guessed here.
//
// CRI-O's own loader is the measure: which files it reads, how its decoder
// matches a key to a name, how values of several files combine, what it
// refuses and what it puts in place of a value. All of that differs between
// releases, and the differences are kept.
//
// What is wrong or has no effect is returned as diagnostics, all of them and
// not the first one, in the order of the layers. A Go error says only that a
// file could not be read.
//
// The package changes nothing, prints nothing, and looks at no host: whether a
// path exists is for others to say. A Config never changes once it is made and
// may be used by several goroutines.
package crioconf
