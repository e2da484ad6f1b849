package diag

// wholeDocs explain the codes about all files together.
func wholeDocs() []Doc {
	return []Doc{
		{
			Code: MissingRuntime, Severity: Error, Effect: Refused,
			Title: "default_runtime names a handler that does not exist",
			Text: `
After all files are read, default_runtime must name an entry of crio.runtime.runtimes, or
CRI-O refuses to start. One entry is built in: runc up to 1.30, crun since 1.31. So
default_runtime = "runc" alone was right up to 1.30 and stops the daemon from 1.31 on; the
same with "crun" the other way round.

Add the table of the handler, or change default_runtime.`,
			Before: `
[crio.runtime]
default_runtime = "runc"
`,
			After: `
[crio.runtime]
default_runtime = "runc"

[crio.runtime.runtimes.runc]
runtime_path = "/usr/bin/runc"
runtime_root = "/run/runc"
`,
		},
		{
			Code: ShadowedEntry, Severity: Warning, Effect: Replaced,
			Title: "a later file replaces a whole handler or workload",
			Text: `
Entries of crio.runtime.runtimes and crio.runtime.workloads are not merged key by key. An
entry of the same name in a later file replaces the earlier one as a whole, the built-in
one too; keys that the later entry leaves out are empty, not as before and not as the
built-in default. The message lists what is lost.

Repeat in the later file all keys of the entry that are to stay.`,
			Before: `
-- 10-crio.conf --
[crio.runtime.runtimes.kata]
runtime_path = "/usr/bin/containerd-shim-kata-v2"
runtime_type = "vm"
runtime_root = "/run/vc"
-- 90-site.conf --
[crio.runtime.runtimes.kata]
runtime_path = "/opt/kata/bin/containerd-shim-kata-v2"
`,
			After: `
-- 10-crio.conf --
[crio.runtime]
log_level = "info"
-- 90-site.conf --
[crio.runtime.runtimes.kata]
runtime_path = "/opt/kata/bin/containerd-shim-kata-v2"
runtime_type = "vm"
runtime_root = "/run/vc"
`,
		},
		{
			Code: ReplacedList, Severity: Warning, Effect: Replaced,
			Title: "a later file replaces a list, and values are lost",
			Text: `
A list is replaced as a whole by the same list in a later file; an empty list empties it.
The one exception is storage_option of crio, which collects the values of all files
(since 1.23, and in the last patch releases of 1.20, 1.21 and 1.22).

Repeat in the later file the values that are to stay. The message names those that are
lost.`,
			Since: "1.17",
			Before: `
-- crio.conf --
[crio.runtime]
hooks_dir = ["/usr/share/containers/oci/hooks.d", "/etc/containers/oci/hooks.d"]
-- 90-site.conf --
[crio.runtime]
hooks_dir = ["/opt/site/hooks.d"]
`,
			After: `
-- crio.conf --
[crio.runtime]
log_level = "info"
-- 90-site.conf --
[crio.runtime]
hooks_dir = [
    "/usr/share/containers/oci/hooks.d",
    "/etc/containers/oci/hooks.d",
    "/opt/site/hooks.d",
]
`,
		},
		{
			Code: LostHandler, Severity: Warning, Effect: Ignored, Since: "1.18", Version: "1.24",
			Title: "a handler disappears by a rule of this release",
			Text: `
CRI-O 1.18 removes the built-in runc entry as soon as a file has a runtimes table without
runc. From 1.19.0 to 1.25.0 CRI-O removes the runc entry after each file that sets
default_runtime to anything but runc, even if the same file defines runc. Pods that ask
for the handler by their RuntimeClass then fail. CRI-O 1.25.1 and later keep it.

Define the runc table in a file that is read after the one with default_runtime.`,
			Before: `
[crio.runtime]
default_runtime = "crun"

[crio.runtime.runtimes.crun]
runtime_path = "/usr/bin/crun"
runtime_root = "/run/crun"

[crio.runtime.runtimes.runc]
runtime_path = "/usr/bin/runc"
runtime_root = "/run/runc"
`,
			After: `
-- 10-crun.conf --
[crio.runtime]
default_runtime = "crun"

[crio.runtime.runtimes.crun]
runtime_path = "/usr/bin/crun"
runtime_root = "/run/crun"
-- 20-runc.conf --
[crio.runtime.runtimes.runc]
runtime_path = "/usr/bin/runc"
runtime_root = "/run/runc"
`,
		},
		{
			Code: CgroupMismatch, Severity: Error, Effect: Refused,
			Title: "cgroup_manager and the cgroup of conmon do not fit together",
			Text: `
With cgroup_manager = "systemd" the cgroup of conmon must be "pod" or the name of a
slice. With "cgroupfs" it must be "pod": from 1.19 to 1.32 the daemon refuses everything
else, since an empty value stands for system.slice; from 1.33 on an empty value and
system.slice are accepted too. It is monitor_cgroup of each handler since 1.24, and
conmon_cgroup of crio.runtime wins over it wherever it is set. The check is made when the
daemon starts, so "crio config" does not show it.

Set the cgroup that fits. The kubelet must use the same cgroup manager as CRI-O.`,
			Before: `
[crio.runtime]
cgroup_manager = "cgroupfs"
default_runtime = "runc"

[crio.runtime.runtimes.runc]
runtime_path = "/usr/bin/runc"
monitor_cgroup = "machine.slice"
`,
			After: `
[crio.runtime]
cgroup_manager = "cgroupfs"
default_runtime = "runc"

[crio.runtime.runtimes.runc]
runtime_path = "/usr/bin/runc"
monitor_cgroup = "pod"
`,
		},
		{
			Code: OverriddenByUnit, Severity: Warning, Effect: Replaced,
			Title: "a flag or variable of the unit wins over the files",
			Text: `
Flags on the daemon's command line and variables in its environment are applied after all
files, lists included. They come from ExecStart, Environment and EnvironmentFile of
crio.service and its drop-ins; in the shipped unit the file is /etc/sysconfig/crio. Most
variables begin with CONTAINER_, but the one of the hostport toggle is
DISABLE_HOSTPORT_MAPPING. Set to nothing it still counts, as false.

Remove the flag or variable from the unit, run "systemctl daemon-reload", and restart. A
reload of CRI-O by SIGHUP drops flags and variables for the keys that it re-reads, so a
value can change there without any edit.`,
		},
		{
			Code: HostportPortmap, Severity: Warning, Effect: None, Since: "1.28",
			Title: "CRI-O maps no host ports, and the portmap plugin cannot",
			Text: `
disable_hostport_mapping is true, and the CNI configuration has the portmap plugin in its
chain. No CRI-O version hands port mappings to CNI, so portmap gets none, with the toggle
on or off. As it stands no host port works on this node, unless a data path that watches
the Kubernetes API serves them, such as Cilium with its kube-proxy replacement.

If no such data path runs here, set the key to false. If one does, take portmap out of
the chain, since it does nothing.`,
		},
	}
}
