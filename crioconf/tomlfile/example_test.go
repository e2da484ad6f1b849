package tomlfile_test

import (
	"fmt"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

func ExampleParse() {
	src := "[crio.runtime]\nlog_level: info\nselinux = True\n"
	_, problems := tomlfile.Parse("10-a.conf", []byte(src), tomlfile.V1_5_0)
	for _, p := range problems {
		fmt.Printf("%s: %s. %s\n", p.Range, p.Summary, p.Hint)
	}
	// Output:
	// 10-a.conf:2:10: colon after the key "log_level" where = is due. Write: log_level = "info"
	// 10-a.conf:3:11: "True" is no TOML boolean. Write: selinux = true, or "True" if it is meant as text.
}

func ExampleFile_Edit() {
	src := "[crio.network]\nplugin_dirs = [\n\t\"/opt/cni/bin\", # ours\n]\n"
	f, _ := tomlfile.Parse("crio.conf", []byte(src), tomlfile.V1_5_0)
	e := f.Edit()
	dirs := tomlfile.StringsValue([]string{"/opt/cni/bin", "/usr/libexec/cni"})
	if err := e.Set(keypath.MustParse("crio.network.plugin_dirs"), dirs); err != nil {
		fmt.Println(err)
	}
	if err := e.Set(keypath.MustParse("crio.runtime.disable_hostport_mapping"), tomlfile.BoolValue(true)); err != nil {
		fmt.Println(err)
	}
	g, err := e.Apply()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(g.Source()))
	// Output:
	// [crio.network]
	// plugin_dirs = [
	// 	"/opt/cni/bin", # ours
	// 	"/usr/libexec/cni",
	// ]
	//
	// [crio.runtime]
	// disable_hostport_mapping = true
}
