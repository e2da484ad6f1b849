// Crioctl-net manages CRI-O's network configuration: it validates, shows and
// changes the files under /etc/crio, restarts the daemon over D-Bus and proves
// that it runs with the wanted value.
package main

import (
	"os"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/output"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], output.System(), os.Getenv))
}
