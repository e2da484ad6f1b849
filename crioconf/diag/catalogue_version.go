package diag

// versionDocs explain the codes about the CRI-O version that is judged for.
func versionDocs() []Doc {
	return []Doc{
		{
			Code: VersionUnknown, Severity: Info, Effect: None,
			Title: "the CRI-O version is not known, the newest was assumed",
			Text: `
What a configuration means depends on the release that reads it. No CRI-O was found
here, neither an installed binary nor a running daemon, and none was named, so the files
were judged for the newest version that is known.

Name the version with --crio-version, as precisely as it is known: 1.29.2 can know keys
that 1.29.1 does not.`,
		},
		{
			Code: VersionNewer, Severity: Info, Effect: None,
			Title: "this CRI-O is newer than the newest known one",
			Text: `
The files were judged for the newest known version. Keys that came later are reported as
unknown, and rules that changed since are not known.

Look for a newer release of this program.`,
		},
		{
			Code: VersionOlder, Severity: Info, Effect: None,
			Title: "this CRI-O is older than what was compared with real ones",
			Text: `
From 1.18 on, what is said here was compared with the loaders of the releases
themselves. For older releases the keys are known from their sources, and the rules of
1.18 are applied.

Take findings about values and merging with care.`,
		},
	}
}
