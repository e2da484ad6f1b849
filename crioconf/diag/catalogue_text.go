package diag

// textDocs explain the codes about the text of one file.
func textDocs() []Doc {
	return []Doc{
		{
			Code: TOMLSyntax, Severity: Error, Effect: Refused,
			Title: "the file is not TOML",
			Text: `
The decoder of this CRI-O cannot read the file at this place. CRI-O exits with status 1
before it is ready, and every other crio command fails as well, since all of them read
the configuration first. The unit shipped up to CRI-O 1.25.2 is then not started again;
since 1.25.3 it is tried every ten seconds without end.

Frequent causes are a string without quotes (the shell removed them from an echo), True
or yes where TOML has true, a colon where TOML has =, a template that was not rendered,
and a file in the drop-in directory that was never meant to be configuration. The rest
of the file is judged where that is possible, so look again after the repair.`,
			Before: `
[crio.runtime]
enable_pod_events: true
apparmor_profile = crio-default
`,
			After: `
[crio.runtime]
enable_pod_events = true
apparmor_profile = "crio-default"
`,
		},
		{
			Code: TOMLDialect, Severity: Error, Effect: Refused, Version: "1.21",
			Title: "this CRI-O's decoder does not accept a form of TOML that another CRI-O accepts",
			Text: `
Each CRI-O release has the TOML library of its day. Dotted keys and hexadecimal numbers
work from CRI-O 1.22 on, a byte order mark from 1.28 on, and the forms of TOML 1.1 (an
inline table over several lines or with a comma at its end, the escapes \e and \x) from
1.35.1 on. Bytes that are not UTF-8 were accepted in comments up to 1.21 and nowhere
since. An older or newer daemon refuses to start on what its library does not know.

Write what all of them read: table headers, bare lower-case keys, strings in double
quotes, decimal numbers, and plain lists of strings.`,
			Before: `
[crio]
runtime.log_level = "debug"
`,
			After: `
[crio.runtime]
log_level = "debug"
`,
		},
		{
			Code: TOMLNonstandard, Severity: Warning, Effect: None,
			Title: "CRI-O accepts what the TOML specification forbids",
			Text: `
The decoder of this release passes a form that the specification forbids, and other
programs refuse the file, other releases of CRI-O perhaps among them. Most often a table
that has its own header is extended by a dotted key from elsewhere, or the other way
round; since 1.22 CRI-O merges both and starts with all values.

Write the plain form, each table below one header. Then tools that rewrite the file keep
working, and so does the next CRI-O.`,
			Before: `
[crio.network]
network_dir = "/etc/cni/net.d/"

[crio]
network.cni_default_network = "cilium"
`,
			After: `
[crio.network]
network_dir = "/etc/cni/net.d/"
cni_default_network = "cilium"
`,
		},
		{
			Code: DuplicateKey, Severity: Error, Effect: Refused,
			Title: "a key is set twice in one table of one file",
			Text: `
Every CRI-O refuses to start on it, even if both values are the same. It is what remains
when a script appends to a file that it has appended to before.

Keep one of the two lines. Both places are shown. The same key in two files is no
mistake: there the later file counts.`,
			Before: `
[crio.runtime]
log_level = "info"
log_level = "debug"
`,
			After: `
[crio.runtime]
log_level = "debug"
`,
		},
		{
			Code: DuplicateTable, Severity: Error, Effect: Refused,
			Title: "a table has two headers in one file",
			Text: `
TOML allows each table header once per file. Every CRI-O refuses to start on the second,
even when the two tables have different keys. It is what remains when a script or a
container appends its table at each start.

Move the keys of the second table below the first header. The same header in two files is
no mistake: tables are merged key by key over files.`,
			Before: `
[crio.network]
network_dir = "/etc/cni/net.d/"

[crio.network]
plugin_dirs = ["/opt/cni/bin/"]
`,
			After: `
[crio.network]
network_dir = "/etc/cni/net.d/"
plugin_dirs = ["/opt/cni/bin/"]
`,
		},
		{
			Code: LostValue, Severity: Error, Effect: Ignored,
			Title: "the decoder drops a value without a word",
			Text: `
The decoders of CRI-O let some mistakes pass and lose what is written. Since 1.22 that is
so when a dotted key has made a name a table, and then a value is given to the same name:
the table stays, and the value is lost. Others are a value where the table of a handler
belongs, and all that follows a NUL byte in old releases.

The message says what is lost. Decide which of the two is meant, and delete the other.`,
			Before: `
[crio]
runtime.log_level = "debug"
runtime = "crun"
`,
			After: `
[crio.runtime]
log_level = "debug"
default_runtime = "crun"
`,
		},
		{
			Code: KeyCase, Severity: Error, Effect: Random,
			Title: "a name is not written in lower case",
			Text: `
CRI-O compares the names of keys and tables without regard to letter case. Two spellings
of one key in one table are both accepted, and which value counts is decided anew at
each start of the daemon: that is an error, and both places are shown.

A single name with capital letters works. It is reported as info, since the day somebody
adds the usual spelling to that table, the outcome becomes random.`,
			Before: `
[crio.runtime]
log_level = "info"
Log_Level = "debug"
`,
			After: `
[crio.runtime]
log_level = "debug"
`,
		},
	}
}
