package diag

// keyDocs explain the codes about a key that CRI-O does not read, or not for
// long.
func keyDocs() []Doc {
	return []Doc{
		{
			Code: UnknownKey, Severity: Error, Effect: Ignored,
			Title: "no CRI-O version knows this key",
			Text: `
CRI-O never looks at keys that it does not know. The daemon starts, says nothing, and
the line does nothing. Mostly it is a typing slip, or a setting of another program.

Correct the name, or delete the line. A key of the same table with a similar name is
offered where there is one.`,
			Before: `
[crio.runtime]
cdi_spec_dir = ["/etc/cdi", "/var/run/cdi"]
`,
			After: `
[crio.runtime]
cdi_spec_dirs = ["/etc/cdi", "/var/run/cdi"]
`,
		},
		{
			Code: UnknownTable, Severity: Error, Effect: Ignored,
			Title: "no CRI-O version knows this table",
			Text: `
CRI-O never looks at tables that it does not know: all keys below this header do
nothing, and the daemon does not say so. Its own tables all begin with crio, and runtime
handlers stand two levels below crio.runtime.

Correct the header, or move the keys below the right one.`,
			Before: `
[crio.runtimes.kata]
runtime_path = "/usr/bin/containerd-shim-kata-v2"
runtime_type = "vm"
`,
			After: `
[crio.runtime.runtimes.kata]
runtime_path = "/usr/bin/containerd-shim-kata-v2"
runtime_type = "vm"
`,
		},
		{
			Code: WrongTable, Severity: Error, Effect: Ignored,
			Title: "the key belongs in another table",
			Text: `
CRI-O knows a key of this name, but reads it from another table. Here it does nothing,
and the daemon does not say so. It happens when a line is appended to the end of a file
and lands below whatever header is the last there. From 1.30 to 1.34 CRI-O itself printed
included_pod_metrics below crio.network instead of crio.stats.

Move the line below the header that is named.`,
			Before: `
[crio]
log_level = "debug"
`,
			After: `
[crio.runtime]
log_level = "debug"
`,
		},
		{
			Code: NoTable, Severity: Error, Effect: Ignored,
			Title: "the key stands above the first table header",
			Text: `
Every key of CRI-O belongs to a table. One that stands before the first header belongs to
none; it does nothing, and the daemon does not say so.

Put the header above the line, or move the line below the header if the file has it.`,
			Before: `
log_level = "debug"
`,
			After: `
[crio.runtime]
log_level = "debug"
`,
		},
		{
			Code: MisplacedToggle, Severity: Error, Effect: Ignored, Since: "1.28",
			Title: "disable_hostport_mapping stands in the table of a runtime handler",
			Text: `
CRI-O reads disable_hostport_mapping from the table crio.runtime and from nowhere else,
not even from crio.network. Here the line does nothing: CRI-O goes on mapping host
ports.

The trap is of CRI-O's own making. The file that "crio config --default" prints has the
line below the header of a runtime handler, where it belongs to the handler's table. The
same holds for "crio config" on a node whose runtimes are not the built-in ones. Who
edits the printed line changes nothing. hostnetwork_disable_selinux and timezone are
printed in the same place.

Set the key in crio.runtime, above the first handler of the file or in a drop-in;
"crioctl-net hostport disable" does so. The key takes effect with the next restart, not
with a reload.`,
			Before: `
[crio.runtime.runtimes.kata]
runtime_path = "/usr/bin/containerd-shim-kata-v2"
runtime_type = "vm"
disable_hostport_mapping = true
`,
			After: `
[crio.runtime]
disable_hostport_mapping = true

[crio.runtime.runtimes.kata]
runtime_path = "/usr/bin/containerd-shim-kata-v2"
runtime_type = "vm"
`,
		},
		{
			Code: RemovedKey, Severity: Warning, Effect: Ignored,
			Title: "an older CRI-O read this key, this one does not",
			Text: `
The key was removed in the version that is named. Since then CRI-O passes over the line
without a word, and does what its release notes say instead: namespaces are always
managed, an empty seccomp profile always means the default one, registries come from
registries.conf.

Delete the line, or replace it by the key that took its place where there is one.`,
			Before: `
[crio.runtime]
log_level = "info"
manage_ns_lifecycle = true
`,
			After: `
[crio.runtime]
log_level = "info"
`,
		},
		{
			Code: FutureKey, Severity: Warning, Effect: Ignored, Version: "1.33",
			Title: "only newer CRI-O versions know this key",
			Text: `
This CRI-O passes over the line without a word, whatever its value. The first version
that reads it is named; some keys came with a patch release, so that 1.29.2 can know
what 1.29.1 does not.

Upgrade CRI-O, or delete the line. To keep it for an upgrade to come is harmless, but
until then the setting is not in force.`,
			Before: `
[crio.image]
pause_image = "registry.k8s.io/pause:3.10"
short_name_mode = "disabled"
`,
			After: `
[crio.image]
pause_image = "registry.k8s.io/pause:3.10"
`,
		},
		{
			Code: DeprecatedKey, Severity: Warning, Effect: None,
			Title: "the key still works and has a replacement",
			Text: `
CRI-O reads the key, but it is deprecated and a later version will drop it. Some
deprecated keys win over the ones that replace them: since 1.24 conmon, conmon_cgroup and
conmon_env of crio.runtime override monitor_path, monitor_cgroup and monitor_env of every
handler. Others are added to them: plugin_dir is appended to plugin_dirs when the daemon
starts.

Move to the replacement that is named, and delete the old line in the same step.`,
			Before: `
[crio.network]
plugin_dirs = ["/opt/cni/bin/"]
plugin_dir = "/usr/libexec/cni"
`,
			After: `
[crio.network]
plugin_dirs = ["/opt/cni/bin/", "/usr/libexec/cni"]
`,
		},
		{
			Code: OldTemplate, Severity: Info, Effect: Ignored,
			Title: "CRI-O's own template printed this line in the wrong table",
			Text: `
Up to CRI-O 1.11 the file that "crio config" prints had file_locking and file_locking_path
below crio.api, where no release reads them. Many files of that time are still around, so
this is no mistake of whoever copied it.

The line does nothing. Delete it: the keys themselves were removed in 1.16.`,
			Before: `
[crio.api]
stream_port = "0"
file_locking = true
`,
			After: `
[crio.api]
stream_port = "0"
`,
		},
	}
}
