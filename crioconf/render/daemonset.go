package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/schema"
)

// DaemonSetName is the name of the DaemonSet and of its namespace unless others
// are asked for.
const DaemonSetName = "crioctl-net"

// The update strategies of a DaemonSet.
const (
	RollingUpdate = "RollingUpdate"
	OnDelete      = "OnDelete"
)

// UpdateStrategies lists them, the default first.
func UpdateStrategies() []string { return []string{RollingUpdate, OnDelete} }

// DaemonSetOptions say what the DaemonSet does and where. Either Command or
// DropIns is given.
type DaemonSetOptions struct {
	Image     string // it has crioctl-net on its PATH and needs nothing else
	Name      string // "" for DaemonSetName
	Namespace string // "" for DaemonSetName
	CRIO      schema.Version
	// Command are the arguments with which crioctl-net makes the change, such as
	// hostport disable.
	Command []string
	// DropIns are installed with "crioctl-net apply --prune". Only their base
	// names count.
	DropIns []File
	// Update is the strategy, "" for RollingUpdate, one node at a time.
	Update string
	// NodeSelector are labels of the nodes that are meant, besides Linux.
	NodeSelector map[string]string
	// HostPaths are directories of the host that the pod may read besides those
	// that it needs, such as the one of the unit's EnvironmentFile.
	HostPaths []string
	// Timeout bounds the change, zero for 90 seconds.
	Timeout time.Duration
}

// A Manifest is one file of a kustomize base.
type Manifest struct {
	Name string
	Data []byte
}

// Kustomization is the name of the file that lists the others. It is no object of
// a cluster.
const Kustomization = "kustomization.yaml"

// DaemonSet returns a kustomize base that makes the change on every node, the
// kustomization first.
func DaemonSet(o DaemonSetOptions) ([]Manifest, error) {
	o.Name, o.Namespace = or(o.Name, DaemonSetName), or(o.Namespace, DaemonSetName)
	o.Update = or(o.Update, RollingUpdate)
	if o.Timeout == 0 {
		o.Timeout = 90 * time.Second
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	objects := []object{
		{"namespace.yaml", "", namespaceOf(o)},
		{"serviceaccount.yaml", "", serviceAccountOf(o)},
	}
	digest := ""
	if len(o.DropIns) > 0 {
		c, err := configMapOf(o)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object{"configmap.yaml", "", c})
		digest = digestOf(o.DropIns)
	}
	objects = append(objects, object{"daemonset.yaml", daemonSetNote, daemonSetOf(o, digest)})
	return manifests(objects)
}

// Stream returns the objects of the manifests as one YAML stream, without the
// kustomization.
func Stream(list []Manifest) []byte {
	var b bytes.Buffer
	for _, m := range list {
		if m.Name == Kustomization {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("---\n")
		}
		b.Write(m.Data)
	}
	return b.Bytes()
}

// An object is a manifest before it is encoded.
type object struct {
	file, note string
	doc        any
}

func manifests(objects []object) ([]Manifest, error) {
	k := kustomization{APIVersion: "kustomize.config.k8s.io/v1beta1", Kind: "Kustomization"}
	list := []Manifest{{Name: Kustomization}}
	for _, o := range objects {
		k.Resources = append(k.Resources, o.file)
		data, err := document(o.doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.file, err)
		}
		list = append(list, Manifest{o.file, append([]byte(o.note), data...)})
	}
	data, err := document(k)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Kustomization, err)
	}
	list[0].Data = data
	return list, nil
}

// image is a reference as container runtimes take it, without the finer rules.
var image = regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9._/:@]*[a-zA-Z0-9])?$`)

// label is the key or the value of a label; a key may have a prefix with a slash.
var label = regexp.MustCompile(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-zA-Z0-9]([-a-zA-Z0-9._]*[a-zA-Z0-9])?$`)

func (o *DaemonSetOptions) check() error {
	if !image.MatchString(o.Image) {
		return fmt.Errorf("%q is not the name of an image", o.Image)
	}
	if (len(o.Command) == 0) == (len(o.DropIns) == 0) {
		return errors.New("a DaemonSet needs a command or drop-ins")
	}
	if o.CRIO.IsZero() {
		return errors.New("a DaemonSet needs the CRI-O release of its nodes")
	}
	if err := known("update strategy", o.Update, UpdateStrategies()); err != nil {
		return err
	}
	if err := CheckName("name", o.Name); err != nil {
		return err
	}
	if err := CheckName("namespace", o.Namespace); err != nil {
		return err
	}
	if len(o.Name) > maxLabel {
		return fmt.Errorf("the name %q has more than %d characters and so makes no label", o.Name, maxLabel)
	}
	for key, value := range o.NodeSelector {
		if !label.MatchString(key) || value != "" && (!label.MatchString(value) || strings.Contains(value, "/")) {
			return fmt.Errorf("%s=%s is not a label", key, value)
		}
	}
	return o.checkHostPaths()
}

func (o *DaemonSetOptions) checkHostPaths() error {
	for i, p := range o.HostPaths {
		if err := checkPath(p); err != nil {
			return err
		}
		if strings.Contains(p, ":") {
			return fmt.Errorf("%s: Kubernetes takes no mount path with a colon", p)
		}
		if slices.Contains(o.HostPaths[:i], p) || slices.ContainsFunc(hostDirs(), func(d hostDir) bool { return d.path == p }) {
			return fmt.Errorf("%s is mounted already", p)
		}
	}
	return nil
}

// configMapKey is what Kubernetes takes for a key of a ConfigMap.
var configMapKey = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)

func configMapOf(o DaemonSetOptions) (configMap, error) {
	c := configMap{APIVersion: "v1", Kind: "ConfigMap", Metadata: metadata{Name: o.Name, Namespace: o.Namespace}}
	files, err := checked(o.DropIns)
	if err != nil {
		return configMap{}, err
	}
	for _, f := range files {
		name := path.Base(f.Path)
		switch {
		case !configMapKey.MatchString(name) || len(name) > maxName || strings.HasPrefix(name, ".."):
			return configMap{}, fmt.Errorf("%q cannot be a key of a ConfigMap: want letters, digits, hyphens, dots and underscores", name)
		case c.Data[name] != "" || c.BinaryData[name] != nil:
			return configMap{}, fmt.Errorf("the drop-in %s is given twice", name)
		case f.Mode != dropin.DefaultMode:
			return configMap{}, fmt.Errorf("%s: a ConfigMap keeps no mode", name)
		case readsBack(f.Data):
			c.Data = with(c.Data, name, string(f.Data))
		default:
			c.BinaryData = with(c.BinaryData, name, binary(f.Data))
		}
	}
	return c, nil
}

func with[V any](m map[string]V, key string, v V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = v
	return m
}

// digestOf names the drop-ins in the pod, so that other ones make other pods.
func digestOf(files []File) string {
	sum := sha256.New()
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range sorted {
		fmt.Fprintf(sum, "%q %d\n", path.Base(f.Path), len(f.Data))
		sum.Write(f.Data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
