// Package migrate turns a configuration that was written for one CRI-O release
// into that of another.
//
// What changed between releases is data: [Steps] lists a step for every rename,
// move, removal and change of type, [Defaults] every built-in value that changed,
// [Behaviours] what changed in CRI-O without a key that shows it. [Plan] takes the
// steps that lie between two releases and edits the files byte by byte; comments
// stay with their key, and what no step touches stays as it is.
//
// The account is proved: the files are read by the rules of the old release
// before and by those of the new one after, built-in values included, and every
// key whose effective value differs has to be announced by a step or by an entry
// of those lists. A difference that nobody announces is an error, since then the
// package knows less than it promises.
//
// Going down works the same way, as far as the older release can do what the
// files ask for; what it cannot do is refused with its reason.
//
// The package reads and writes no files, and looks at no host. What a step would
// like to know of the node comes in as a [Host].
package migrate
