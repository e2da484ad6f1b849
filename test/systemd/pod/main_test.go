package pod_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/crioctl/crioctl-net/test/systemd/node"
)

func TestMain(m *testing.M) {
	if spec := os.Getenv(specVariable); spec != "" {
		fmt.Fprintln(os.Stderr, "container:", enter(spec))
		os.Exit(125)
	}
	node.Main(m)
}
