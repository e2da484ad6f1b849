package render

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/render"
)

// A format is one way to render.
type format struct {
	name, short, long, example string
	flags                      func(*cobra.Command, *options)
	render                     func(*document, *subject, *options, []render.File) error
	// replacesForeign reports whether machine-config-operator gets the result, so
	// that its own files may be rendered anew.
	replacesForeign func(*options) bool
}

func formats() []format {
	never := func(*options) bool { return false }
	return []format{
		{
			name: "ignition", short: "Print drop-ins as an Ignition config",
			long: `Prints an Ignition config that writes the drop-ins with mode 0644, owned by root.
It is complete, and it can be merged into another one (ignition.config.merge).

Ignition runs before CRI-O starts for the first time, so nothing has to be
restarted. The spec version is ` + render.DefaultIgnitionSpec + ` unless --spec names another one.`,
			example: `  crioctl-net render ignition hostport disable --crio-version 1.30
  crioctl-net render ignition --file 20-network.conf --spec 3.4.0 --encoding base64`,
			flags: func(cmd *cobra.Command, o *options) {
				specFlag(cmd, o, "Ignition", render.IgnitionSpecs())
				encodingFlag(cmd, o)
			},
			render: renderIgnition, replacesForeign: never,
		},
		{
			name: "butane", short: "Print drop-ins as a Butane config",
			long: `Prints a Butane config that writes the drop-ins, to be merged with others and
translated by butane. --variant is fcos, flatcar or openshift; the last makes a
MachineConfig, for which --role and --name count as for "render machineconfig".`,
			example: `  crioctl-net render butane hostport disable --crio-version 1.30
  crioctl-net render butane hostport disable --crio-version 1.30 --variant openshift --role master
  crioctl-net render butane crio.runtime.log_level=warn --spec 1.5.0`,
			flags: func(cmd *cobra.Command, o *options) {
				var all []string
				for _, v := range render.Variants() {
					all = append(all, v.Specs()...)
				}
				specFlag(cmd, o, "Butane", all)
				cmd.Flags().StringVar(&o.variant, "variant", string(render.FedoraCoreOS), "the `VARIANT` of the config: fcos, flatcar or openshift")
				complete(cmd, "variant", "fcos", "flatcar", "openshift")
				machineConfigFlags(cmd, o)
				encodingFlag(cmd, o)
			},
			render:          renderButane,
			replacesForeign: func(o *options) bool { return o.variant == string(render.OpenShiftOS) },
		},
		{
			name: "machineconfig", short: "Print drop-ins as a MachineConfig of OpenShift",
			long: `Prints a MachineConfig that writes the drop-ins to the nodes of one pool, for
"oc apply". Its name is 99-ROLE-crioctl-net, and of two MachineConfigs that write
the same file the one with the later name wins: --root of a node of the pool with
--in renders a drop-in of machine-config-operator's with the change in it.

machine-config-operator drains and reboots node after node to bring it in. From
OpenShift 4.17 on, a node disruption policy for the file can make that a restart
of crio.service. What ContainerRuntimeConfig offers, such as the log level or the
limit of processes, is better set there; the hostport toggle is not among it.

The Ignition spec version is ` + render.DefaultIgnitionSpec + `, which OpenShift 4.7 and later read, unless
--spec names another one.`,
			example: `  crioctl-net render machineconfig hostport disable --crio-version 1.30 --role worker
  crioctl-net render machineconfig hostport disable --root /mnt/node --in 20-site.conf
  crioctl-net render machineconfig --file 30-metrics.conf --role infra --name 99-infra-metrics`,
			flags: func(cmd *cobra.Command, o *options) {
				specFlag(cmd, o, "Ignition", render.IgnitionSpecs())
				machineConfigFlags(cmd, o)
				encodingFlag(cmd, o)
			},
			render: renderMachineConfig, replacesForeign: func(*options) bool { return true },
		},
		{
			name: "cloud-init", short: "Print drop-ins as user data of cloud-init",
			long: `Prints a cloud-config that writes the drop-ins with its module write_files.

cloud-init does so before the network is up, and CRI-O starts after that, so
nothing has to be restarted. Where an image starts CRI-O earlier, --try-restart
restarts it at the end of the first boot, if it runs.`,
			example: `  crioctl-net render cloud-init hostport disable --crio-version 1.30
  crioctl-net render cloud-init crio.runtime.log_level=warn --try-restart`,
			flags: func(cmd *cobra.Command, o *options) {
				cmd.Flags().BoolVar(&o.tryRestart, "try-restart", false, "restart crio.service at the end of the first boot where it runs already")
				encodingFlag(cmd, o)
			},
			render: renderCloudInit, replacesForeign: never,
		},
		{
			name: "dropin", short: "Print the drop-in itself",
			long: `Prints the drop-in as CRI-O reads it, judged for the release. Several of them need
--out-dir.`,
			example: `  crioctl-net render dropin hostport disable --crio-version 1.30
  crioctl-net render dropin crio.runtime.log_level=warn crio.network.plugin_dirs='["/opt/cni/bin"]'
  crioctl-net render dropin --file 20-network.conf --file 30-metrics.conf --out-dir image`,
			flags:  outDirFlag,
			render: renderDropIn, replacesForeign: never,
		},
		daemonSetFormat(),
	}
}

func specFlag(cmd *cobra.Command, o *options, of string, specs []string) {
	cmd.Flags().StringVar(&o.spec, "spec", "", "the `VERSION` of the "+of+" spec")
	complete(cmd, "spec", specs...)
}

func machineConfigFlags(cmd *cobra.Command, o *options) {
	cmd.Flags().StringVar(&o.role, "role", "", "the `ROLE` of the pool: worker, master or another; that of the node given with --root, else "+render.DefaultRole)
	complete(cmd, "role", "worker", "master")
	cmd.Flags().StringVar(&o.name, "name", "", "the `NAME` of the MachineConfig, 99-ROLE-crioctl-net unless given")
}

// role is that of the pool whose node is the base, unless another one is given.
func (sub *subject) role(o *options) string {
	if o.role == "" && sub.base {
		return crio.Pool(sub.node.FS)
	}
	return o.role
}

func outDirFlag(cmd *cobra.Command, o *options) {
	cmd.Flags().StringVarP(&o.outDir, "out-dir", "d", "", "write files into `DIR` and print their names")
	// The flag was registered just before.
	_ = cmd.MarkFlagDirname("out-dir")
}

// rendered keeps the content. What the library refuses is wrong use: it was given
// what the person gave.
func (d *document) rendered(content []byte, err error) error {
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	d.Content = string(content)
	return nil
}

func renderIgnition(d *document, _ *subject, o *options, files []render.File) error {
	e, err := o.encoded()
	if err != nil {
		return err
	}
	d.Spec = or(o.spec, render.DefaultIgnitionSpec)
	return d.rendered(render.Ignition(files, d.Spec, e))
}

func renderButane(d *document, sub *subject, o *options, files []render.File) error {
	e, err := o.encoded()
	if err != nil {
		return err
	}
	v := render.Variant(o.variant)
	d.Spec = o.spec
	if d.Spec == "" && len(v.Specs()) > 0 {
		if d.Spec, err = v.DefaultSpec(sub.node.Version); err != nil {
			return exit.With(exit.Refused, err)
		}
	}
	return d.rendered(render.Butane(files, render.ButaneOptions{
		Variant: v, Spec: d.Spec, Role: sub.role(o), Name: o.name, Encoding: e,
	}))
}

func renderMachineConfig(d *document, sub *subject, o *options, files []render.File) error {
	e, err := o.encoded()
	if err != nil {
		return err
	}
	release, err := render.OpenShiftOf(sub.node.Version)
	if err != nil {
		return exit.With(exit.Refused, err)
	}
	d.Spec = or(o.spec, release.DefaultSpec())
	if d.Spec > release.IgnitionSpec() {
		d.Notes = append(d.Notes, fmt.Sprintf("machine-config-operator of %s, which comes with CRI-O %s, is documented to read Ignition up to %s",
			release, sub.node.Version.Release(), release.IgnitionSpec()))
	}
	err = d.rendered(render.MachineConfig(files, render.MachineConfigOptions{
		Role: sub.role(o), Name: o.name, Spec: d.Spec, Encoding: e,
	}))
	d.noteSize(1<<20, "etcd takes no object much larger than 1 MiB")
	return err
}

func renderCloudInit(d *document, _ *subject, o *options, files []render.File) error {
	e, err := o.encoded()
	if err != nil {
		return err
	}
	unit := ""
	if o.tryRestart {
		unit = "crio.service"
	}
	err = d.rendered(render.CloudInit(files, render.CloudInitOptions{TryRestart: unit, Encoding: e}))
	d.noteSize(16<<10, "some clouds take no user data of more than 16 KiB")
	return err
}

// noteSize tells of what a reader may not take.
func (d *document) noteSize(limit int, who string) {
	if len(d.Content) > limit {
		d.Notes = append(d.Notes, fmt.Sprintf("this is %d KiB, and %s; --encoding base64 may be shorter", len(d.Content)>>10, who))
	}
}

func renderDropIn(d *document, sub *subject, o *options, files []render.File) error {
	if o.outDir != "" {
		for _, f := range files {
			name := strings.TrimPrefix(f.Path, "/"+sub.dir()+"/")
			d.Manifests = append(d.Manifests, manifest{filepath.FromSlash(name), string(f.Data)})
		}
		return d.write(o.outDir)
	}
	if len(files) > 1 {
		return exit.Errorf(exit.Usage, "render dropin: %d drop-ins cannot be printed as one; give --out-dir", len(files))
	}
	return d.rendered(files[0].Data, nil)
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
