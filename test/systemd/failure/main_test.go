package failure_test

import (
	"testing"

	"github.com/crioctl/crioctl-net/test/systemd/node"
)

func TestMain(m *testing.M) { node.Main(m) }
