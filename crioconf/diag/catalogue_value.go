package diag

// valueDocs explain the codes about the value of a key that CRI-O reads.
func valueDocs() []Doc {
	return []Doc{
		{
			Code: WrongType, Severity: Error, Effect: Refused,
			Title: "the value has another type than the key",
			Text: `
CRI-O refuses to start when a key that it knows has a value of the wrong type: a number
where a string is needed, a quoted number where a number is needed, a string where a list
is needed, a value where a table is needed. It stops at the first one; here all are
reported.

Write the value as the key wants it. Ports of crio.api are strings, those of crio.metrics
are numbers. Durations such as pull_progress_timeout are strings with a unit, "30s"; a
bare number is nanoseconds.`,
			Before: `
[crio.api]
stream_port = 10010

[crio.metrics]
metrics_port = "9090"
`,
			After: `
[crio.api]
stream_port = "10010"

[crio.metrics]
metrics_port = 9090
`,
		},
		{
			Code: BadValue, Severity: Error, Effect: Refused,
			Title: "CRI-O refuses this value",
			Text: `
The type is right, but CRI-O checks the value and does not start with it. Some checks are
made when the configuration is loaded, others only when the daemon starts, so that
"crio config" can succeed with a configuration on which the daemon exits.

The message says what is allowed in this version, and offers a near name where values
have names.`,
			Before: `
[crio.runtime]
default_ulimits = ["noproc=1024:2048"]
`,
			After: `
[crio.runtime]
default_ulimits = ["nproc=1024:2048"]
`,
		},
		{
			Code: ReplacedValue, Severity: Warning, Effect: Replaced,
			Title: "CRI-O puts another value in the place of this one",
			Text: `
CRI-O reads the value, does not like it, and goes on with another: a ctr_stop_timeout
below 30 seconds becomes 30 (since 1.18), a message size of zero or less becomes the
default, a stream_address that is no IP address makes the server listen on all
interfaces (since 1.17).

Write the value that is meant, or delete the line to get the default.`,
			Before: `
[crio.runtime]
ctr_stop_timeout = 10
`,
			After: `
[crio.runtime]
ctr_stop_timeout = 30
`,
		},
		{
			Code: InertValue, Severity: Warning, Effect: Ignored,
			Title: "CRI-O accepts the value and does nothing with it",
			Text: `
The key is read and the value is legal, but as the rest of the configuration stands it
has no effect. The metrics endpoint speaks HTTPS only when both metrics_cert and
metrics_key are set, and plain HTTP without a word when one is missing. Names of metrics
that this version does not have are passed over.

Complete the setting, or delete it.`,
			Before: `
[crio.metrics]
enable_metrics = true
metrics_cert = "/etc/crio/metrics.crt"
`,
			After: `
[crio.metrics]
enable_metrics = true
metrics_cert = "/etc/crio/metrics.crt"
metrics_key = "/etc/crio/metrics.key"
`,
		},
	}
}
