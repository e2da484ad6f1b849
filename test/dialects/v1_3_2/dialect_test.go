package dialect_test

import (
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/test/dialects/harness"
)

func decode(doc string) (map[string]any, error) {
	var m map[string]any
	_, err := toml.Decode(doc, &m)
	return m, err
}

func TestParseAgreesWithLibrary(t *testing.T) { harness.Run(t, tomlfile.V1_3_2, decode) }

func FuzzParse(f *testing.F) { harness.Fuzz(f, tomlfile.V1_3_2, decode) }
