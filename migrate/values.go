package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/schema"
)

// plain returns the value of a node as configurations hold it, nil for what no
// key of CRI-O takes.
func plain(n *tomlfile.Node) any {
	switch n.Type {
	case tomlfile.String:
		return n.Str
	case tomlfile.Integer:
		return n.Int
	case tomlfile.Bool:
		return n.Bool
	case tomlfile.Array:
		list := []string{}
		for _, e := range n.Elems {
			if e.Type != tomlfile.String {
				return nil
			}
			list = append(list, e.Str)
		}
		return list
	}
	return nil
}

// overlay2 gives the storage driver its one name. The library knows both when it
// starts and only one when it looks for what is there after a reboot.
type overlay2 struct{}

func (overlay2) apply(w *work, s *Step) error {
	for _, p := range w.places(schema.StorageDriver.Path) {
		if p.entry.Node.Str != "overlay2" {
			continue
		}
		w.claim(s, schema.StorageDriver.Path)
		if w.options.Host.StorageDriver == "overlay" {
			w.say(s, Done, schema.StorageDriver.Path, p.at(), `storage_driver = "overlay2" is deleted: storage.conf says "overlay", which is the same driver`, "")
			if err := w.remove(p); err != nil {
				return err
			}
			continue
		}
		w.say(s, Done, schema.StorageDriver.Path, p.at(), `storage_driver = "overlay2" becomes "overlay"`, "")
		if err := w.set(p.file, p.entry.Path, tomlfile.StringValue("overlay")); err != nil {
			return err
		}
	}
	return nil
}

// missingProfile drops a seccomp profile that is not there.
type missingProfile struct{}

func (missingProfile) apply(w *work, s *Step) error {
	v, _ := w.now.Lookup(schema.SeccompProfile.Path)
	file, _ := v.V.(string)
	if v.Origin.Kind != crioconf.File || file == "" || w.options.Host.Exists == nil || w.options.Host.Exists(file) {
		return nil
	}
	p, ok := w.placeOf(v.Origin)
	if !ok {
		return nil
	}
	w.claim(s, schema.SeccompProfile.Path)
	w.say(s, Done, schema.SeccompProfile.Path, p.at(), fmt.Sprintf("seccomp_profile is deleted: there is no %s, and the built-in profile takes its place", file), "")
	return w.remove(p)
}

// annotations gives the allowed annotations the names that the new release
// knows.
type annotations struct{}

func (annotations) apply(w *work, s *Step) error {
	known := schema.Annotations(w.to)
	if known == nil {
		return nil
	}
	for _, k := range []*schema.Key{schema.HandlerAllowedAnnotations.Key, schema.WorkloadAllowedAnnotations.Key} {
		if !w.reads(k) {
			continue
		}
		for _, p := range w.places(k.Path) {
			if err := renameAnnotations(w, s, p, known); err != nil {
				return err
			}
		}
	}
	return nil
}

func renameAnnotations(w *work, s *Step, p place, known []string) error {
	list, ok := plain(p.entry.Node).([]string)
	if !ok {
		return nil
	}
	var next []string
	for _, name := range list {
		old := olderAnnotation(name)
		switch {
		case slices.Contains(known, name) || !slices.Contains(schema.Annotations(w.from), name):
			next = append(next, name)
		case slices.Contains(known, old):
			w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("the annotation %s becomes %s", name, old), "")
			next = append(next, old)
		case w.options.accepted(s.Code):
			w.say(s, Done, p.entry.Path, p.at(), fmt.Sprintf("the annotation %s is taken out: CRI-O %s does not know it", name, w.to), "")
		default:
			w.say(s, Refused, p.entry.Path, p.at(), fmt.Sprintf("CRI-O %s does not know the annotation %s", w.to, name), "Take it out of the list.")
			next = append(next, name)
		}
	}
	if slices.Equal(list, next) {
		return nil
	}
	w.claim(s, p.entry.Path)
	return w.set(p.file, p.entry.Path, tomlfile.StringsValue(next))
}

// olderAnnotation returns the name that an annotation has before 1.35 (cri-o
// pkg/annotations/v2, of 1.35.0), "" when it has none.
func olderAnnotation(name string) string {
	short, ok := strings.CutSuffix(name, ".crio.io")
	if !ok {
		return ""
	}
	switch short {
	case "devices":
		return "io.kubernetes.cri-o.Devices"
	case "disable-fips":
		return "io.kubernetes.cri-o.DisableFIPS"
	case "link-logs":
		return "io.kubernetes.cri-o.LinkLogs"
	case "pod-linux-overhead":
		return "io.kubernetes.cri-o.PodLinuxOverhead"
	case "pod-linux-resources":
		return "io.kubernetes.cri-o.PodLinuxResources"
	case "seccomp-notifier-action":
		return "io.kubernetes.cri-o.seccompNotifierAction"
	case "seccomp-profile":
		return "seccomp-profile.kubernetes.cri-o.io"
	case "shm-size":
		return "io.kubernetes.cri-o.ShmSize"
	case "try-skip-volume-selinux-label":
		return "io.kubernetes.cri-o.TrySkipVolumeSELinuxLabel"
	case "umask":
		return "io.kubernetes.cri-o.umask"
	case "unified-cgroup":
		return "io.kubernetes.cri-o.UnifiedCgroup"
	case "userns-mode":
		return "io.kubernetes.cri-o.userns-mode"
	case "cgroup2-mount-hierarchy-rw":
		return "io.kubernetes.cri-o.cgroup2-mount-hierarchy-rw"
	}
	return ""
}
