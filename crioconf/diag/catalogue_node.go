package diag

// nodeDocs explain the codes about a node as a whole: its programs, its daemon
// and what is around it. No file of the configuration alone shows them.
func nodeDocs() []Doc {
	return []Doc{
		{
			Code: ToggleUnread, Severity: Warning, Effect: Ignored,
			Title: "this CRI-O does not read the hostport toggle",
			Text: `
CRI-O reads crio.runtime.disable_hostport_mapping from 1.28.0 on, and older releases only
where somebody patched them. Others pass over the key without a word and map every
hostPort. The installed program itself was asked, where there is one, since its number
does not tell of patches.

Upgrade CRI-O, or give it the patch that "crioctl-net runtime-patch" prints. Where neither
is possible, let CRI-O map hostPorts and switch hostPort off in the data path.`,
		},
		{
			Code: UnitNotReloaded, Severity: Warning, Effect: Replaced,
			Title: "systemd has not read the unit's files since they changed",
			Text: `
systemd reads unit files once and goes on with what it has until it is told to read them
again, restarts of the unit included. What the files on disk say, flags and variables of
CRI-O among it, is not yet what the next start will use.

Run "systemctl daemon-reload", then restart CRI-O. Environment files need none: they are
read at every start.`,
		},
		{
			Code: DaemonUnreachable, Severity: Error, Effect: None,
			Title: "the daemon does not run or does not answer",
			Text: `
CRI-O serves its state on the socket of crio.api.listen. Nobody answered there: the
daemon is stopped, has failed, hangs, or listens on another path than the files say.
Without it the node starts no pods, and nobody can tell which values are in force.

Look at "systemctl status crio" and "journalctl -u crio". When the configuration is the
reason, "crioctl-net validate" and the other checks of "crioctl-net doctor" name it.`,
		},
		{
			Code: RunningDrift, Severity: Warning, Effect: Replaced,
			Title: "the running daemon has another value than the files",
			Text: `
CRI-O reads its files when it starts, and on a reload only a few keys. A file, flag or
variable that was changed since then does not count until the daemon takes it over, and
at its next start, whenever that is, the node will behave otherwise than today.

Restart CRI-O when you are ready for the change, with "crioctl-net restart"; for keys
that a reload takes over, "systemctl reload crio" is enough. Or take the change back.`,
		},
		{
			Code: ReloadTrap, Severity: Warning, Effect: Replaced,
			Title: "a reload of CRI-O would change a value that nobody edited",
			Text: `
On SIGHUP CRI-O reads its files anew, without the flags and variables that it was started
with. A key that a reload takes over, and that a flag or variable sets, falls back to what
the files say. From 1.18 to 1.20 the main file is not read again either when there are
drop-ins, so that its values go back to the built-in ones.

Move the value into a drop-in and take the flag or variable out of the unit.`,
		},
		{
			Code: MissingProgram, Severity: Error, Effect: Refused,
			Title: "a program that CRI-O needs is not where it looks",
			Text: `
When it starts, CRI-O looks for conmon, pinns and the programs of its runtime handlers:
where the configuration says, or in the $PATH of its unit where it says nothing. It does
not start without conmon and pinns and without the default handler; since 1.21 it drops
another handler whose program is missing, and pods that ask for it fail. Packages move
such programs, and a path that was right once stays in the file.

Correct the path. Where the program is in $PATH an empty value is the safest, since it
stays right when a package moves the program.`,
		},
		{
			Code: MissingDirectory, Severity: Error, Effect: Refused,
			Title: "CRI-O cannot make a directory that it needs",
			Text: `
CRI-O makes network_dir, every directory of plugin_dirs, log_dir and some more when they
are missing, at each start. It does not start when it cannot, as on a read-only /usr, or
when there is a file of that name.

Take the directory out of the configuration, or name one that can be written.`,
		},
		{
			Code: NoHostportBackend, Severity: Error, Effect: Refused,
			Title: "there is neither nft nor iptables for the hostport mapping",
			Text: `
CRI-O maps hostPorts by running nft or iptables, which it looks for in the $PATH of its
unit. From 1.33 on the daemon does not start when it finds neither of them and the mapping
is not disabled. Older releases know iptables only, start without it, and fail to make the
pods that have a hostPort.

Install nftables, or iptables for releases before 1.33. Where something else serves
hostPorts, disable the mapping with "crioctl-net hostport disable".`,
		},
		{
			Code: KubeletCgroup, Severity: Error, Effect: None,
			Title: "the kubelet and CRI-O use different managers of cgroups",
			Text: `
The kubelet names the cgroup of each pod in the way of its cgroupDriver, systemd or
cgroupfs, and CRI-O refuses a name in the other way: no pod starts. CRI-O's
cgroup_manager is systemd since 1.18, the kubelet's cgroupDriver is cgroupfs unless its
configuration or its flag says otherwise.

Set both to systemd on a host that runs systemd. A kubelet of 1.31 or later asks a CRI-O
of 1.28 or later for its manager and then ignores its own setting, unless that feature is
switched off.`,
		},
		{
			Code: StorageMismatch, Severity: Warning, Effect: None,
			Title: "CRI-O and storage.conf do not name the same storage",
			Text: `
The storage library reads storage.conf for CRI-O and for every other program that uses
it, and CRI-O's own keys win for CRI-O alone. Where the driver differs, other programs do
not see CRI-O's images and containers; with two names of one driver, overlay and the old
overlay2, CRI-O may not find its own after a reboot.

Say the same in both, or delete the key from CRI-O's configuration, so that storage.conf
decides. Do it on a drained node.`,
		},
		{
			Code: AbsentAddress, Severity: Warning, Effect: None,
			Title: "CRI-O is to listen on an address that this host does not have",
			Text: `
The server for exec, attach and port forwarding listens on stream_address, the metrics on
metrics_host. An address that is on no interface cannot be listened on, and the daemon
stops. An address of the node that comes up late, by DHCP or a routing daemon, has the
same effect after a reboot.

The server of streams is for the kubelet on the same host: 127.0.0.1 with port 0, the
default, is recommended.`,
		},
		{
			Code: OpenPort, Severity: Warning, Effect: None,
			Title: "a setting opens the node to the network",
			Text: `
A port of CRI-O can be reached from other hosts without a certificate, or CRI-O fetches
images from anywhere without checking whom it talks to. Streams on all interfaces give
exec into containers to whoever gets hold of a token on the wire, and the metrics tell
about the workloads of the node.

Listen on 127.0.0.1, set up TLS, and name in insecure_registries the one registry that
needs it.`,
		},
		{
			Code: ManagedFile, Severity: Info, Effect: None,
			Title: "somebody else generates this file",
			Text: `
A configuration tool writes the file: its next run undoes an edit, or reports trouble,
as machine-config-operator does, which calls the node degraded.

Make the change where the file is generated. The message names the tool and its way.`,
		},
		{
			Code: UnconfirmedChange, Severity: Warning, Effect: None,
			Title: "a change waits to be confirmed",
			Text: `
Somebody made a change with "crioctl-net try", and it is undone when nobody confirms it in
time. After a start of the machine its timer is gone, and it stays as it is.

Keep it with "crioctl-net confirm", or undo it with "crioctl-net rollback".`,
		},
		{
			Code: InterruptedChange, Severity: Error, Effect: None,
			Title: "a change was interrupted half way",
			Text: `
A run of crioctl-net was killed, or the machine went down, while it changed files. The
configuration may be the former one, the planned one, or some of each. The former files
are in the journal below /var/lib/crioctl-net.

The next command that changes something puts the former files back first. To do that and
nothing else, run "crioctl-net rollback".`,
		},
		{
			Code: SecurityProfile, Severity: Warning, Effect: None,
			Title: "a security profile or module is not there as the configuration has it",
			Text: `
CRI-O names an AppArmor profile that the kernel does not know, a seccomp profile that does
not exist, or says something else about SELinux than the host. A missing AppArmor profile
stops the daemon, a missing seccomp profile does so up to 1.24, and with selinux = false
on a host that enforces SELinux containers get no labels.

Load the profile or correct its name; delete the selinux key, so that the host decides.`,
		},
		{
			Code: RunningHandlers, Severity: Warning, Effect: None,
			Title: "containers of another runtime than the default run",
			Text: `
Containers that were made by one runtime handler still run while the default is another
one. CRI-O finds them again after a restart by the handler that their state names. When
that handler is gone from the configuration, or its program or its state directory moved
with an upgrade, stopping them hangs or fails.

Drain the node before the switch, or pin default_runtime to the former handler. "crioctl-net
restart" refuses without a flag while such containers run.`,
		},
		{
			Code: NotChecked, Severity: Warning, Effect: None,
			Title: "something could not be looked at",
			Text: `
A check of the node had to leave something out: a file could not be read, a program or the
kernel did not answer. What it would have found is not known, and that it found nothing
says nothing about that part.

Run it as root, and look at the reason that the message gives.`,
		},
		{
			Code: CheckFailed, Severity: Error, Effect: None,
			Title: "a check broke down",
			Text: `
The check itself has a fault and came to no result. That says nothing about the node. The
other checks were made.

Leave it out with "--skip" and report the message.`,
		},
	}
}
