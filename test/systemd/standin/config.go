package standin

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/BurntSushi/toml"
)

// config has the keys that the program knows, decoded into one value file after
// file as CRI-O does: a later file replaces what it names. The toggle is nil in
// a release that does not have it, and then not printed either.
type config struct {
	Crio struct {
		API struct {
			Listen string `toml:"listen"`
		} `toml:"api"`
		Runtime struct {
			LogLevel               string                     `toml:"log_level"`
			DefaultRuntime         string                     `toml:"default_runtime"`
			DisableHostportMapping *bool                      `toml:"disable_hostport_mapping"`
			Runtimes               map[string]*runtimeHandler `toml:"runtimes"`
		} `toml:"runtime"`
		Image struct {
			PauseImage string `toml:"pause_image"`
		} `toml:"image"`
		Network struct {
			NetworkDir string   `toml:"network_dir"`
			PluginDirs []string `toml:"plugin_dirs"`
		} `toml:"network"`
	} `toml:"crio"`
}

type runtimeHandler struct {
	RuntimePath string `toml:"runtime_path"`
	RuntimeRoot string `toml:"runtime_root"`
}

func defaults() *config {
	c := &config{}
	c.Crio.API.Listen = "/var/run/crio/crio.sock"
	c.Crio.Runtime.LogLevel = "info"
	c.Crio.Runtime.DefaultRuntime = "runc"
	c.Crio.Runtime.DisableHostportMapping = new(bool)
	c.Crio.Image.PauseImage = "registry.k8s.io/pause:3.9"
	c.Crio.Network.NetworkDir = "/etc/cni/net.d/"
	c.Crio.Network.PluginDirs = []string{"/opt/cni/bin/"}
	return c
}

// load puts the layers together and checks the result as far as CRI-O does on
// load.
func (o *options) load() (*config, error) {
	c := defaults()
	if o.main != "" {
		err := decode(c, o.main)
		if errors.Is(err, fs.ErrNotExist) && !o.mainExplicit {
			err = nil
		}
		if err != nil {
			return nil, err
		}
	}
	if err := decodeDir(c, o.dropIns); err != nil {
		return nil, err
	}
	if o.logLevel != "" {
		c.Crio.Runtime.LogLevel = o.logLevel
	}
	if o.toggle != nil {
		c.Crio.Runtime.DisableHostportMapping = o.toggle
	}
	if unaware() {
		c.Crio.Runtime.DisableHostportMapping = nil // whatever the files say
	}
	levels := []string{"trace", "debug", "info", "warn", "warning", "error", "fatal", "panic"}
	if !slices.Contains(levels, c.Crio.Runtime.LogLevel) {
		return nil, fmt.Errorf("not a valid logrus Level: %q", c.Crio.Runtime.LogLevel)
	}
	if c.Crio.Network.NetworkDir == RefusedDir {
		return nil, fmt.Errorf("network_dir %q is refused by this build", RefusedDir)
	}
	return c, nil
}

// decodeDir decodes every file below dir in the order of a walk, whatever its
// name is.
func decodeDir(c *config, dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case path == dir && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir():
			return nil
		}
		return decode(c, path)
	})
}

func decode(c *config, path string) error {
	_, err := toml.DecodeFile(path, c)
	if err != nil {
		return fmt.Errorf("update config from file %s: %w", path, err)
	}
	return nil
}
