package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// DefaultIgnitionSpec is the spec version that is written unless another one is
// asked for. Every Ignition since 2.7.0 reads it (2020), and no file needs more.
const DefaultIgnitionSpec = "3.2.0"

// IgnitionSpecs lists the spec versions that can be written, oldest first. Those
// of 2.x have another form.
func IgnitionSpecs() []string {
	return []string{"3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0", "3.5.0"}
}

// The part of an Ignition config that writes files. It is the same in every spec
// version from 3.0.0 on (coreos/ignition docs/configuration-v3_*.md).
type ignitionConfig struct {
	Ignition ignitionVersion `json:"ignition" yaml:"ignition"`
	Storage  ignitionStorage `json:"storage" yaml:"storage"`
}

type ignitionVersion struct {
	Version string `json:"version" yaml:"version"`
}

type ignitionStorage struct {
	Files []ignitionFile `json:"files" yaml:"files"`
}

type ignitionFile struct {
	Path      string         `json:"path" yaml:"path"`
	Overwrite bool           `json:"overwrite" yaml:"overwrite"`
	Contents  ignitionSource `json:"contents" yaml:"contents"`
	Mode      uint32         `json:"mode" yaml:"mode"` // JSON has no octal numbers
	User      owner          `json:"user" yaml:"user"`
	Group     owner          `json:"group" yaml:"group"`
}

type ignitionSource struct {
	Source string `json:"source" yaml:"source"`
}

// owner is a user or group by number: names may mean nothing where a root is
// only being made.
type owner struct {
	ID int `json:"id" yaml:"id"`
}

// Ignition returns an Ignition config of that spec version which writes the
// files, as JSON with a final newline.
func Ignition(files []File, spec string, e Encoding) ([]byte, error) {
	c, err := ignition(files, spec, e)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return b.Bytes(), nil
}

func ignition(files []File, spec string, e Encoding) (ignitionConfig, error) {
	if err := known("Ignition spec version", spec, IgnitionSpecs()); err != nil {
		return ignitionConfig{}, err
	}
	files, err := checked(files)
	if err != nil {
		return ignitionConfig{}, err
	}
	c := ignitionConfig{Ignition: ignitionVersion{spec}}
	for _, f := range files {
		c.Storage.Files = append(c.Storage.Files, ignitionFile{
			Path:      f.Path,
			Overwrite: true,
			Contents:  ignitionSource{dataURL(f.Data, e)},
			Mode:      uint32(f.Mode.Perm()),
		})
	}
	return c, nil
}

// known refuses a value that is not on the list.
func known(what, value string, list []string) error {
	if slices.Contains(list, value) {
		return nil
	}
	return fmt.Errorf("there is no %s %q here; known are %s", what, value, strings.Join(list, ", "))
}
