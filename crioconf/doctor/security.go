package doctor

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// hostChecks are about what is around CRI-O on the host.
func hostChecks() []Check {
	return []Check{
		{
			Name: "kubelet", Title: "do the kubelet and CRI-O use one manager of cgroups",
			Text: "Reads the kubelet's unit, its flags and its configuration, and compares cgroupDriver with " +
				"cgroup_manager.",
			Needs: Files, Codes: []diag.Code{diag.KubeletCgroup}, Run: checkKubelet,
		},
		{
			Name: "monitor", Title: "is conmon where CRI-O looks for it",
			Text: "Looks for the monitor of containers: conmon up to 1.23, monitor_path of each handler since 1.24, " +
				"else the $PATH of the unit.",
			Needs: Files, Codes: []diag.Code{diag.MissingProgram}, Run: checkMonitor,
		},
		{
			Name: "runtimes", Title: "are the programs of the runtime handlers there",
			Text:  "Looks for the program of each handler, for pinns, for taskset where it is needed, and at hooks_dir.",
			Needs: Files, Codes: []diag.Code{diag.MissingProgram, diag.MissingDirectory}, Run: checkRuntimes,
		},
		{
			Name: "directories", Title: "can CRI-O make the directories that it needs",
			Text:  "Looks at network_dir, plugin_dirs, log_dir and namespaces_dir, and whether those that are missing can be made.",
			Needs: Files, Codes: []diag.Code{diag.MissingDirectory}, Run: checkDirs,
		},
		{
			Name: "storage", Title: "do CRI-O and storage.conf name the same storage",
			Text:  "Compares storage_driver and root with the configuration of the storage library.",
			Needs: Files, Codes: []diag.Code{diag.StorageMismatch}, Run: checkStorage,
		},
		{
			Name: "security", Title: "are the security profiles there that the files name",
			Text:  "Looks for the seccomp profile, and on a live node for the AppArmor profile and the state of SELinux.",
			Needs: Files, Codes: []diag.Code{diag.SecurityProfile}, Run: checkSecurity,
		},
	}
}

func readTrimmed(n *Node, name string) (string, error) {
	data, err := fs.ReadFile(n.FS, name)
	return strings.TrimSpace(string(data)), err
}

func checkSecurity(_ context.Context, n *Node) (o Outcome) {
	n.seccomp(&o)
	if n.Live {
		n.appArmor(&o)
		n.selinux(&o)
	} else {
		o.saw("AppArmor and SELinux were not asked: a root directory has no kernel")
	}
	return o
}

// seccomp checks that the profile exists. Since 1.25 CRI-O takes its own in the
// place of one that does not.
func (n *Node) seccomp(o *Outcome) {
	profile, at := get(n, schema.SeccompProfile)
	if profile == "" || profile == "unconfined" {
		o.saw("no seccomp profile of a file is named")
		return
	}
	found, err := n.exists(profile)
	switch {
	case err != nil:
		o.missed("look for "+profile, err)
	case found:
		o.saw("seccomp_profile: %s", profile)
	case n.whole() || strings.HasPrefix(profile, "/etc/"):
		d := diag.Diagnostic{
			Code: diag.SecurityProfile, Severity: diag.Warning, Effect: diag.Replaced, Key: schema.SeccompProfile.Path, Range: at.Range,
			Summary: fmt.Sprintf("seccomp_profile is %s, which does not exist", keypath.Quote(profile)),
			Detail:  n.crio() + " uses its built-in profile in its place.",
			Hint:    "Delete the line, or correct the path.",
		}
		if !n.since(25, 0) {
			d.Severity, d.Effect, d.Stage = diag.Error, diag.Refused, schema.Start.String()
			d.Detail = n.crio() + " does not start."
		}
		o.add(d)
	}
}

// builtinAppArmor is the profile that CRI-O loads itself.
const builtinAppArmor = "crio-default"

// appArmor checks that the kernel has the profile (cri-o
// internal/config/apparmor/apparmor.go, LoadProfile).
func (n *Node) appArmor(o *Outcome) {
	on, err := readTrimmed(n, "sys/module/apparmor/parameters/enabled")
	if err != nil || on != "Y" {
		return
	}
	profile, at := get(n, schema.AppArmorProfile)
	if !set(at) || profile == "" || profile == builtinAppArmor || profile == "unconfined" {
		return
	}
	data, err := fs.ReadFile(n.FS, "sys/kernel/security/apparmor/profiles")
	if err != nil {
		o.missed("which AppArmor profiles are loaded", err)
		return
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		if name, _, _ := strings.Cut(lines.Text(), " ("); name == profile {
			o.saw("the AppArmor profile %s is loaded", profile)
			return
		}
	}
	o.add(diag.Diagnostic{
		Code: diag.SecurityProfile, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Start.String(),
		Key: schema.AppArmorProfile.Path, Range: at.Range,
		Summary: fmt.Sprintf("the AppArmor profile %s is not loaded", keypath.Quote(profile)),
		Detail:  n.crio() + " does not start without it.",
		Hint:    "Load it, or write " + keypath.Quote(builtinAppArmor) + ", which CRI-O loads itself.",
	}, Own("set", schema.AppArmorProfile.String(), builtinAppArmor))
}

func (n *Node) selinux(o *Outcome) {
	want, at := get(n, schema.SELinux)
	enforcing, err := readTrimmed(n, "sys/fs/selinux/enforce")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		o.missed("the state of SELinux", err)
		return
	}
	switch {
	case !set(at):
	case err != nil && want:
		o.add(diag.Diagnostic{
			Code: diag.SecurityProfile, Severity: diag.Info, Effect: diag.Ignored, Key: schema.SELinux.Path, Range: at.Range,
			Summary: "selinux = true, and SELinux is not on",
			Detail:  "Containers get no labels.",
			Hint:    "Delete the line: the host decides.",
		})
	case err == nil && !want:
		o.add(diag.Diagnostic{
			Code: diag.SecurityProfile, Severity: diag.Warning, Key: schema.SELinux.Path, Range: at.Range,
			Summary: fmt.Sprintf("selinux = false, and SELinux is on (enforce is %s)", enforcing),
			Detail:  "Containers run without labels and are not kept apart by them.",
			Hint:    "Delete the line: the host decides.",
		})
	}
}
