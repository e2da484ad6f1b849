package change

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/schema"
)

// owner says who else generates a file, and where we can, with the command that
// makes what that owner takes.
func (j *Job) owner(req crioconf.Request, name string, src []byte) *crioconf.Owner {
	o := crio.OwnerOf(j.Node.FS, name, src)
	if o == nil || o.Name != crio.MachineConfigOperator || req.Op == crioconf.Unset {
		return o
	}
	words := []string{"crioctl-net", "render", "machineconfig"}
	if req.Op == crioconf.Set && req.Key.Equal(schema.DisableHostportMapping.Path) && req.Value == true {
		words = append(words, "hostport", "disable")
	} else {
		words = append(words, Quote(req.Key.String()+"="+argument(req.Value)))
	}
	words = append(words, "--root", Quote(j.Node.Root), "--in", Quote(path.Base(name)))
	if s := j.Session; s.CRIOVersion != "auto" {
		words = append(words, "--crio-version", s.CRIOVersion)
	}
	with := *o
	with.Way = fmt.Sprintf("An edit here makes the node degraded. Bring the change with a MachineConfig of the node's pool, as this prints it:\n    %s",
		strings.Join(words, " "))
	return &with
}

// argument is the value as set and render take it.
func argument(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case time.Duration:
		return x.String()
	}
	return crioconf.FormatValue(v)
}
