package render

import (
	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/render"
)

// daemonSetOptions are the flags of the DaemonSet.
type daemonSetOptions struct {
	image     string
	namespace string
	update    string
	nodes     map[string]string
	hostPaths []string
}

func daemonSetFormat() format {
	return format{
		name: "daemonset", short: "Print a kustomize base that makes the change on every node",
		long: `Prints Namespace, ServiceAccount and DaemonSet for "kubectl apply", or with
--out-dir writes a kustomize base. --image is one that has crioctl-net on its PATH
and needs nothing else.

In each pod an init container makes the change as on the node itself: it writes
below /etc/crio, restarts crio over the host's D-Bus, and puts the former state
back where crio does not come back healthy. Pods live through a restart of crio.
What was taken back is not tried again (--not-again): such a pod stays not ready,
and the rollout stops there. The pod is ready while "crioctl-net doctor" finds
nothing. Keys and whole drop-ins come in a ConfigMap and are installed with
"crioctl-net apply --prune".

A DaemonSet that is made anew starts on all its nodes at once. Updates go node by
node, or with --update OnDelete where a pod is deleted. To begin with one node,
give --node-selector and label node after node; drain it first where pods with
hostPorts run there.

The pod is root without any capability, is not privileged, and sees no more of the
host than the directories listed in it. It does not see what an EnvironmentFile of
crio's unit says: --host-path shows it its directory too, read-only. Nodes of
machine-config-operator take "render machineconfig" instead.`,
		example: `  crioctl-net render daemonset hostport disable --crio-version 1.30 --image example.org/crioctl-net:1.0
  crioctl-net render daemonset hostport disable --crio-version 1.30 --image example.org/crioctl-net:1.0 --node-selector hostport=cilium --out-dir base
  crioctl-net render daemonset --file 30-metrics.conf --crio-version 1.30 --image example.org/crioctl-net:1.0`,
		flags:           daemonSetFlags,
		render:          renderDaemonSet,
		replacesForeign: func(*options) bool { return false },
	}
}

func daemonSetFlags(cmd *cobra.Command, o *options) {
	d, f := &o.daemonSet, cmd.Flags()
	f.StringVar(&d.image, "image", "", "the `IMAGE` that has crioctl-net on its PATH")
	f.StringVar(&o.name, "name", render.DaemonSetName, "the `NAME` of the DaemonSet")
	f.StringVar(&d.namespace, "namespace", render.DaemonSetName, "the `NAMESPACE`, which is made")
	f.StringVar(&d.update, "update", render.RollingUpdate, "how pods are replaced: RollingUpdate, one at a time, or OnDelete (`HOW`)")
	f.StringToStringVar(&d.nodes, "node-selector", nil, "only nodes with the label `KEY=VALUE`; may be repeated")
	f.StringArrayVar(&d.hostPaths, "host-path", nil, "let the pod read this `DIR` of the host too; may be repeated")
	outDirFlag(cmd, o)
	complete(cmd, "update", render.UpdateStrategies()...)
	complete(cmd, "host-path", "/etc/sysconfig", "/etc/default")
}

func renderDaemonSet(d *document, sub *subject, o *options, files []render.File) error {
	if o.daemonSet.image == "" {
		return exit.Errorf(exit.Usage, "render daemonset needs --image, an image that has crioctl-net on its PATH")
	}
	if usual := crioconf.DefaultLayout().DropInDir; sub.dir() != usual {
		return exit.Errorf(exit.Usage, "render daemonset: the pod sees /%s and not /%s", usual, sub.dir())
	}
	opts := render.DaemonSetOptions{
		Image:        o.daemonSet.image,
		Name:         o.name,
		Namespace:    o.daemonSet.namespace,
		CRIO:         sub.node.Version,
		Update:       o.daemonSet.update,
		NodeSelector: o.daemonSet.nodes,
		HostPaths:    o.daemonSet.hostPaths,
		Timeout:      sub.session.Timeout,
		Command:      sub.command,
	}
	if opts.Command == nil {
		opts.DropIns = files
	} else {
		d.Files = []file{} // the node decides which file it changes
		if o.in != "" {
			opts.Command = append(opts.Command, "--in", o.in)
		}
	}
	list, err := render.DaemonSet(opts)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	for _, m := range list {
		d.Manifests = append(d.Manifests, manifest{m.Name, string(m.Data)})
	}
	if o.outDir != "" {
		return d.write(o.outDir)
	}
	err = d.rendered(render.Stream(list), nil)
	d.noteSize(1<<20, "etcd takes no object much larger than 1 MiB")
	return err
}
