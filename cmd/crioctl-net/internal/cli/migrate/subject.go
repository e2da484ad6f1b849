package migrate

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
)

// subject makes the session one about PATH. It returns true when that is no node
// root, so that there is no place to keep a transaction in.
func subject(cmd *cobra.Command, s *session.Session, path string) (planOnly bool, err error) {
	for _, flag := range []string{"root", "config", "config-dir"} {
		if s.Given(flag) {
			return false, exit.Errorf(exit.Usage, "give PATH or --%s, not both", flag)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, exit.With(exit.Impossible, err)
	}
	if !info.IsDir() {
		return true, layout(cmd, filepath.Dir(path), "/"+filepath.Base(path), "")
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(path, name))
		return err == nil
	}
	main, dropIns := "", ""
	if has("crio.conf") {
		main = "/crio.conf"
	}
	if has("crio.conf.d") {
		dropIns = "/crio.conf.d"
	}
	switch {
	case has("etc"):
		s.Root = path
		return false, nil
	case main+dropIns != "":
		return true, layout(cmd, path, main, dropIns)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return false, exit.With(exit.Impossible, err)
	}
	return true, layout(cmd, filepath.Dir(abs), "", "/"+filepath.Base(abs))
}

// layout sets the flags as a person would give them.
func layout(cmd *cobra.Command, root, main, dropIns string) error {
	for _, f := range []struct{ name, value string }{{"root", root}, {"config", main}, {"config-dir", dropIns}} {
		if err := cmd.Flags().Set(f.name, f.value); err != nil {
			return exit.With(exit.Usage, err)
		}
	}
	return nil
}
