package change

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuoteMakesOneWordOfAnyName(t *testing.T) {
	for name, want := range map[string]string{
		"/etc/crio/crio.conf.d/60-crioctl-net.conf": "/etc/crio/crio.conf.d/60-crioctl-net.conf",
		"/etc/two words":  "'/etc/two words'",
		"/etc/it's $HOME": `'/etc/it'\''s $HOME'`,
		"/etc/`id`;*?~":   "'/etc/`id`;*?~'",
		"":                "''",
	} {
		require.Equal(t, want, Quote(name))
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(name)).Output()
		require.NoError(t, err)
		require.Equal(t, name, string(out))
	}
}
