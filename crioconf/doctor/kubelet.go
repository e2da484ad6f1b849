package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/schema"
)

// kubeletFiles are the usual places of the kubelet's configuration, for nodes
// whose unit does not name it: kubeadm, OpenShift, kubespray, cloud images.
var kubeletFiles = []string{
	"var/lib/kubelet/config.yaml",
	"etc/kubernetes/kubelet.conf",
	"etc/kubernetes/kubelet-config.yaml",
	"etc/kubernetes/kubelet/kubelet-config.json",
	"etc/kubernetes/kubelet/config.json",
	"var/lib/kubelet/kubelet-config.yaml",
}

// kubeadmFlags is where kubeadm puts flags of the kubelet; its unit reads it.
const kubeadmFlags = "var/lib/kubelet/kubeadm-flags.env"

// A said is a value of the kubelet and the place that says it.
type said struct {
	value string
	by    string // "cgroupDriver", "the flag --cgroup-driver"
	at    diag.Range
}

// A kubelet is what could be learned about the kubelet's manager of cgroups.
type kubelet struct {
	node    *Node
	out     *Outcome
	driver  said
	files   []string // configuration files, as people know them
	config  string   // the file that the unit names, a path
	dropIns string   // its --config-dir
	flagged bool     // the flag was given, so that no file counts
}

func checkKubelet(_ context.Context, n *Node) (o Outcome) {
	k := kubelet{node: n, out: &o}
	found := k.unit()
	k.read()
	if len(o.Findings) > 0 && k.driver.value == "" {
		return o
	}
	if !found && len(k.files) == 0 {
		return skipped("no kubelet was found: no unit of it, and no configuration at the usual places")
	}
	manager, at := get(n, schema.CgroupManager)
	k.judge(manager, at)
	return o
}

// unit reads the flags of the kubelet's unit, and reports whether there is one.
func (k *kubelet) unit() bool {
	u, err := crio.ReadUnit(k.node.FS, k.node.Display, "kubelet.service")
	if errors.Is(err, crio.ErrNoUnit) {
		k.flagsFile()
		return false
	}
	if err != nil {
		k.out.missed("read the unit of the kubelet", err)
	}
	k.flags(u.Command)
	return true
}

// flagsFile takes the flags from kubeadm's file alone.
func (k *kubelet) flagsFile() {
	words, err := crio.EnvFileWords(k.node.FS, kubeadmFlags, k.node.Display, "KUBELET_KUBEADM_ARGS")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.out.missed("read "+k.node.display(kubeadmFlags), err)
	}
	k.flags(words)
}

// flags takes what the command line says; the last of several counts.
func (k *kubelet) flags(words []crio.Word) {
	for i, w := range words {
		name, value, joined := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
		if !strings.HasPrefix(w.Text, "-") || !joined && i+1 == len(words) {
			continue
		}
		at := w.Range
		if !joined {
			value = words[i+1].Text
		}
		switch name {
		case "cgroup-driver":
			k.driver, k.flagged = said{value, "the flag --cgroup-driver", at}, true
		case "config":
			k.config = value
		case "config-dir":
			k.dropIns = value
		}
	}
}

// read reads the configuration files, the drop-ins last.
func (k *kubelet) read() {
	names := kubeletFiles
	if k.config != "" {
		names = []string{toName(k.config)}
	}
	for _, name := range names {
		if k.file(name, k.config != "") && k.config == "" {
			break
		}
	}
	if k.dropIns == "" {
		return
	}
	entries, err := fs.ReadDir(k.node.FS, toName(k.dropIns))
	if err != nil {
		k.out.missed("read the drop-ins of the kubelet", err)
	}
	for _, e := range entries {
		// The kubelet reads files that end so, and no others, by name.
		if strings.HasSuffix(e.Name(), ".conf") {
			k.file(path.Join(toName(k.dropIns), e.Name()), true)
		}
	}
}

// file takes cgroupDriver from a file, and reports whether it is one of the
// kubelet's. A file that was named must be there.
func (k *kubelet) file(name string, named bool) bool {
	data, err := fs.ReadFile(k.node.FS, name)
	if err != nil {
		if named || !errors.Is(err, fs.ErrNotExist) {
			k.out.missed("read the configuration of the kubelet", err)
		}
		return false
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		k.out.missed("read "+k.node.display(name), err)
		return false
	}
	if kind := member(&doc, "kind"); kind == nil || kind.Value != "KubeletConfiguration" {
		return false
	}
	k.files = append(k.files, k.node.display(name))
	v := member(&doc, "cgroupDriver")
	if v == nil || v.Kind != yaml.ScalarNode || v.Value == "" || k.flagged {
		return true
	}
	start := diag.Pos{Line: v.Line, Col: v.Column, Offset: offset(data, v.Line, v.Column)}
	end := diag.Pos{Line: v.Line, Col: v.Column + len([]rune(v.Value)), Offset: start.Offset + len(v.Value)}
	k.driver = said{v.Value, "cgroupDriver", diag.Range{File: k.node.display(name), Start: start, End: end}}
	return true
}

// member returns the value of a key of the document's mapping, nil for none.
func member(doc *yaml.Node, key string) *yaml.Node {
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	pairs := doc.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value == key {
			return pairs[i+1]
		}
	}
	return nil
}

// offset returns the byte at which a line and column stand; both count from 1.
func offset(data []byte, line, col int) int {
	off := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(string(data[off:]), '\n')
		if i < 0 {
			return len(data)
		}
		off += i + 1
	}
	return min(off+col-1, len(data))
}

// judge compares with CRI-O.
func (k *kubelet) judge(manager string, at crioconf.Origin) {
	switch {
	case k.driver.value == manager:
		k.out.saw("the kubelet (%s at %s) and CRI-O use %s", k.driver.by, k.driver.at, manager)
		return
	case k.driver.value == "":
		k.silent(manager)
		return
	}
	d := diag.Diagnostic{
		Code: diag.KubeletCgroup, Severity: diag.Error, Key: schema.CgroupManager.Path, Range: at.Range,
		Summary: fmt.Sprintf("the kubelet uses %s, CRI-O uses %s; pods will be refused", k.driver.value, manager),
		Detail:  "The kubelet names the cgroups of pods in its own way, and CRI-O takes no other.",
		Hint:    fmt.Sprintf("Put cgroup_manager = %s into a drop-in.", crioconf.FormatValue(k.driver.value)),
		Related: []diag.Related{{Range: k.driver.at, Message: k.driver.by + " of the kubelet"}},
	}
	remedies := []Remedy{k.node.inDropIn(at, schema.CgroupManager.String(), k.driver.value)}
	switch {
	case k.driver.value == "cgroupfs":
		d.Hint = "Set cgroupDriver: systemd in the configuration of the kubelet, on a host that runs systemd."
		remedies = nil
	case k.driver.value != "systemd":
		d.Summary = fmt.Sprintf("the kubelet has %s = %s, which is no manager of cgroups", k.driver.by, k.driver.value)
		d.Hint = "Write systemd or cgroupfs there."
		remedies = nil
	}
	if k.node.since(28, 0) && k.driver.value != "" {
		d.Detail += " Only a kubelet that asks CRI-O for its manager, as those of 1.31 and later do by default, ignores its own setting."
	}
	if !set(at) {
		d.Range, d.Related = k.driver.at, nil // the built-in value of CRI-O has no place
	}
	k.out.add(d, remedies...)
}

// silent tells of a kubelet whose configuration says nothing.
func (k *kubelet) silent(manager string) {
	if manager == "cgroupfs" {
		k.out.saw("the kubelet does not say its cgroupDriver, which then is cgroupfs, as CRI-O's")
		return
	}
	d := diag.Diagnostic{
		Code: diag.KubeletCgroup, Severity: diag.Info, Key: schema.CgroupManager.Path,
		Summary: fmt.Sprintf("the kubelet does not say its cgroupDriver; CRI-O uses %s", manager),
		Detail:  "A kubelet before 1.31 then uses cgroupfs, and CRI-O refuses its pods. Later ones ask CRI-O, from 1.28 on.",
		Hint:    "Write cgroupDriver: systemd into the configuration of the kubelet.",
	}
	if len(k.files) > 0 {
		d.Range = diag.Range{File: k.files[len(k.files)-1]}
	}
	k.out.add(d)
}
