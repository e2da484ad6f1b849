package render

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// document encodes a struct as YAML, its fields in their order. Text of several
// lines becomes a block.
//
// The encoder is the one below sigs.k8s.io/yaml, taken directly: that package
// goes through JSON, which sorts the keys and cannot write an octal mode.
func document(doc any) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(doc); err != nil {
		return nil, fmt.Errorf("encode YAML: %w", err)
	}
	if err := e.Close(); err != nil {
		return nil, fmt.Errorf("encode YAML: %w", err)
	}
	return b.Bytes(), nil
}

// octal is a mode that YAML shows as people write it: 0644.
type octal uint32

// MarshalYAML returns the scalar.
func (m octal) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprintf("%#o", uint32(m))}, nil
}
