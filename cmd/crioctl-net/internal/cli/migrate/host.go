package migrate

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/node"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
	"github.com/crioctl/crioctl-net/migrate"
)

// storageConf is where the storage library looks (containers/storage
// types/options.go).
var storageConf = []string{"etc/containers/storage.conf", "usr/share/containers/storage.conf"}

// host tells the migration what the node's files show.
func host(n *node.Node) migrate.Host {
	h := migrate.Host{
		Exists: func(path string) bool {
			_, err := fs.Stat(n.FS, strings.TrimPrefix(path, "/"))
			return !errors.Is(err, fs.ErrNotExist)
		},
		MainNamed: n.Layout.MainExplicit,
	}
	// What cannot be read is as good as not there: it is only looked at.
	h.Registries, _ = change.Current(n.FS, migrate.RegistriesName)
	for _, name := range storageConf {
		src, err := change.Current(n.FS, name)
		if err != nil || src == nil {
			continue
		}
		f, _ := tomlfile.Parse(name, src, tomlfile.V1_6_0)
		if driver := f.Root().At([]string{"storage", "driver"}); driver != nil {
			h.StorageDriver = driver.Str
		}
		break
	}
	return h
}
