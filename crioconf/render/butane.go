package render

import (
	"fmt"

	"github.com/crioctl/crioctl-net/schema"
)

// A Variant is a family of Butane specs.
type Variant string

// The variants. OpenShift's makes a MachineConfig.
const (
	FedoraCoreOS Variant = "fcos"
	Flatcar      Variant = "flatcar"
	OpenShiftOS  Variant = "openshift"
)

// Variants lists the variants, the default first.
func Variants() []Variant { return []Variant{FedoraCoreOS, Flatcar, OpenShiftOS} }

// The first and the last minor version of Butane's stable specs for OpenShift 4.
const firstOpenShift, lastOpenShift OpenShift = 8, 22

// Specs lists the stable spec versions of the variant, oldest first (coreos/butane
// docs/specs.md). It is empty for a variant that is not known.
func (v Variant) Specs() []string {
	switch v {
	case FedoraCoreOS:
		return []string{"1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"}
	case Flatcar:
		return []string{"1.0.0", "1.1.0"}
	case OpenShiftOS:
		var list []string
		for o := firstOpenShift; o <= lastOpenShift; o++ {
			list = append(list, o.butaneSpec())
		}
		return list
	}
	return nil
}

func (o OpenShift) butaneSpec() string { return fmt.Sprintf("4.%d.0", int(o)) }

// DefaultSpec returns the spec version that is written unless another one is
// asked for: for OpenShift the one of the release that comes with the CRI-O, else
// the one that makes Ignition of DefaultIgnitionSpec, or the oldest. A release of
// OpenShift that reads none is an error that wraps ErrOpenShiftTooOld.
func (v Variant) DefaultSpec(crio schema.Version) (string, error) {
	switch v {
	case FedoraCoreOS:
		return "1.3.0", nil
	case Flatcar:
		return "1.0.0", nil
	}
	o, err := OpenShiftOf(crio)
	switch {
	case err != nil:
		return "", err
	case o < firstOpenShift-1: // 4.7 reads what the first spec makes
		return "", fmt.Errorf("there is no Butane spec for %s", o)
	}
	return min(max(o, firstOpenShift), lastOpenShift).butaneSpec(), nil
}

// ButaneOptions say which Butane config is meant. Role and Name are those of the
// MachineConfig that OpenShift's variant makes.
type ButaneOptions struct {
	Variant  Variant // "" for FedoraCoreOS
	Spec     string
	Role     string
	Name     string
	Encoding Encoding
}

type butaneConfig struct {
	Variant  Variant       `yaml:"variant"`
	Version  string        `yaml:"version"`
	Metadata *metadata     `yaml:"metadata,omitempty"`
	Storage  butaneStorage `yaml:"storage"`
}

type butaneStorage struct {
	Files []butaneFile `yaml:"files"`
}

type butaneFile struct {
	Path      string         `yaml:"path"`
	Overwrite bool           `yaml:"overwrite"`
	Contents  butaneContents `yaml:"contents"`
	Mode      octal          `yaml:"mode"`
	User      owner          `yaml:"user"`
	Group     owner          `yaml:"group"`
}

// butaneContents has one of the two.
type butaneContents struct {
	Inline *string `yaml:"inline,omitempty"`
	Source string  `yaml:"source,omitempty"`
}

// Butane returns a Butane config that writes the files.
func Butane(files []File, o ButaneOptions) ([]byte, error) {
	if o.Variant == "" {
		o.Variant = FedoraCoreOS
	}
	if err := known("Butane variant", string(o.Variant), names(Variants())); err != nil {
		return nil, err
	}
	if err := known("Butane spec version of "+string(o.Variant), o.Spec, o.Variant.Specs()); err != nil {
		return nil, err
	}
	files, err := checked(files)
	if err != nil {
		return nil, err
	}
	c := butaneConfig{Variant: o.Variant, Version: o.Spec}
	if o.Variant == OpenShiftOS {
		meta, err := machineConfigMetadata(o.Role, o.Name)
		if err != nil {
			return nil, err
		}
		c.Metadata = &meta
	}
	for _, f := range files {
		c.Storage.Files = append(c.Storage.Files, butaneFile{
			Path:      f.Path,
			Overwrite: true,
			Contents:  butaneContentsOf(f.Data, o.Encoding),
			Mode:      octal(f.Mode.Perm()),
		})
	}
	return document(c)
}

func butaneContentsOf(data []byte, e Encoding) butaneContents {
	if e == Base64 || !readsBack(data) {
		return butaneContents{Source: dataURL(data, e)}
	}
	text := string(data)
	return butaneContents{Inline: &text}
}

func names[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
