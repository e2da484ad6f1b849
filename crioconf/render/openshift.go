package render

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/crioctl/crioctl-net/schema"
)

// An OpenShift is a minor release of OpenShift 4, 16 for 4.16. It comes with the
// CRI-O of its Kubernetes: 4.6 with 1.19, and each release with the next.
type OpenShift int

// ErrOpenShiftTooOld says that the machine-config-operator of a release reads
// Ignition 2.x alone.
var ErrOpenShiftTooOld = errors.New("it reads Ignition 2.x, which is not written here")

// OpenShiftOf returns the OpenShift that comes with the CRI-O. The one before 4.6
// is an error that wraps ErrOpenShiftTooOld.
func OpenShiftOf(crio schema.Version) (OpenShift, error) {
	o := OpenShift(crio.Minor - 13)
	if crio.Major != 1 || o < 6 {
		return 0, fmt.Errorf("OpenShift with CRI-O %s: %w", crio.Release(), ErrOpenShiftTooOld)
	}
	return o, nil
}

// String returns the release as people write it.
func (o OpenShift) String() string { return fmt.Sprintf("OpenShift 4.%d", int(o)) }

// IgnitionSpec returns the newest spec version that machine-config-operator of
// the release is documented to read (coreos/butane docs/specs.md for 4.8 and
// later; 4.7 brought 3.2.0, 4.6 brought 3.1.0).
func (o OpenShift) IgnitionSpec() string {
	switch {
	case o >= 19:
		return "3.5.0"
	case o >= 14:
		return "3.4.0"
	case o >= 7:
		return "3.2.0"
	}
	return "3.1.0"
}

// DefaultSpec returns the spec version that is written unless another one is
// asked for: the default, or what an older release reads.
func (o OpenShift) DefaultSpec() string { return min(DefaultIgnitionSpec, o.IgnitionSpec()) }

const (
	machineConfigAPI = "machineconfiguration.openshift.io/v1"
	roleLabel        = "machineconfiguration.openshift.io/role"
)

// DefaultRole is the role of a MachineConfig unless another one is asked for.
const DefaultRole = "worker"

// MachineConfigOptions say which MachineConfig is meant.
type MachineConfigOptions struct {
	Role     string // of the pool; "" for DefaultRole
	Name     string // "" for MachineConfigName(Role)
	Spec     string // of Ignition; "" for DefaultIgnitionSpec
	Encoding Encoding
}

// MachineConfigName returns the name of a MachineConfig of that role. Pools merge
// their MachineConfigs by name, later ones win, so it opens with 99 as those of
// administrators do.
func MachineConfigName(role string) string { return "99-" + role + "-crioctl-net" }

type machineConfig struct {
	APIVersion string            `yaml:"apiVersion"`
	Kind       string            `yaml:"kind"`
	Metadata   metadata          `yaml:"metadata"`
	Spec       machineConfigSpec `yaml:"spec"`
}

type metadata struct {
	Name        string            `yaml:"name"`
	Namespace   string            `yaml:"namespace,omitempty"`
	Labels      map[string]string `yaml:"labels,omitempty"`
	Annotations map[string]string `yaml:"annotations,omitempty"`
}

type machineConfigSpec struct {
	Config ignitionConfig `yaml:"config"`
}

// MachineConfig returns a MachineConfig that writes the files, as YAML. What it
// writes replaces a file that an earlier MachineConfig has at the same path.
func MachineConfig(files []File, o MachineConfigOptions) ([]byte, error) {
	meta, err := machineConfigMetadata(o.Role, o.Name)
	if err != nil {
		return nil, err
	}
	c, err := ignition(files, or(o.Spec, DefaultIgnitionSpec), o.Encoding)
	if err != nil {
		return nil, err
	}
	return document(machineConfig{
		APIVersion: machineConfigAPI,
		Kind:       "MachineConfig",
		Metadata:   meta,
		Spec:       machineConfigSpec{c},
	})
}

func machineConfigMetadata(role, name string) (metadata, error) {
	role = or(role, DefaultRole)
	name = or(name, MachineConfigName(role))
	if err := CheckName("role", role); err != nil {
		return metadata{}, err
	}
	if err := CheckName("name", name); err != nil {
		return metadata{}, err
	}
	return metadata{Name: name, Labels: map[string]string{roleLabel: role}}, nil
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

var subdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// The most characters of a name of Kubernetes, and of a label or namespace.
const (
	maxName  = 253
	maxLabel = 63
)

// CheckName refuses what Kubernetes takes for no name of an object: a DNS
// subdomain (RFC 1123). A role or a namespace has no dots and is shorter.
func CheckName(what, name string) error {
	longest := maxName
	if what != "name" {
		longest = maxLabel
	}
	switch {
	case len(name) > longest:
		return fmt.Errorf("the %s %q has more than %d characters", what, name, longest)
	case !subdomain.MatchString(name) || what != "name" && strings.Contains(name, "."):
		return fmt.Errorf("the %s %q is no name in Kubernetes: want lower-case letters, digits and hyphens", what, name)
	}
	return nil
}
