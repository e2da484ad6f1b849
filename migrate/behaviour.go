package migrate

import (
	"fmt"
	"net/netip"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/schema"
)

// A Behaviour is a change in CRI-O that no key shows.
type Behaviour struct {
	Code  string
	Since schema.Version // the first release that does so
	Text  string
	Back  string // what it means on the way to an older release, "" for that it is undone

	when func(r *Result) bool // nil: always
}

// Behaviours lists them, oldest first. The caller owns the slice.
func Behaviours() []Behaviour {
	return []Behaviour{
		{Code: "drop-ins", Since: rel(17, 0), Text: "every file below the drop-in directory is read, whatever its name", when: hasDropIns},
		{
			Code: "stream-any-address", Since: rel(17, 0), when: streamNotLiteral,
			Text: "a stream_address that is no IP address makes the server for exec and attach listen on all addresses of the node",
		},
		{Code: "hostport-families", Since: rel(19, 1), when: hostports, Text: "hostports are mapped for each IP family by a manager of its own; dual-stack pods no longer fail with \"HostPortManager IP family mismatch\""},
		{Code: "crio-wipe", Since: rel(22, 0), Text: "after a reboot the daemon itself wipes old containers; the unit crio-wipe.service is not needed any more"},
		{Code: "utf-8", Since: rel(22, 0), Text: "a file with bytes that are not UTF-8, in a comment too, is refused"},
		{Code: "restart-loop", Since: rel(25, 3), Text: "the unit is restarted on failure: a configuration that CRI-O refuses makes it try again every ten seconds"},
		{Code: "hostport-masquerade", Since: rel(27, 0), when: hostports, Text: "pods that reach themselves over a hostport are masqueraded in the chain CRIO-HOSTPORTS-MASQ; KUBE-MARK-MASQ is left to kube-proxy"},
		{Code: "pause-image-checked", Since: rel(29, 0), Text: "a pause_image that is no full image name stops CRI-O"},
		{Code: "metrics-local", Since: rel(30, 0), when: metricsOn, Text: "metrics are served on 127.0.0.1 unless metrics_host says otherwise; before, on all addresses of the node"},
		{
			Code: "hostport-sockets", Since: rel(31, 0), when: hostports,
			Text: "the daemon no longer opens a listening socket on each hostport, so that another program can take the port without an error",
			Back: "the daemon opens a listening socket on each hostport again, and a pod fails whose port another program has",
		},
		{Code: "config-migrate-gone", Since: rel(31, 0), Text: "\"crio config -m\" is gone"},
		{Code: "watchdog", Since: rel(32, 0), Text: "the unit has a watchdog of 60 seconds"},
		{Code: "stream-tls-checked", Since: rel(32, 0), when: streamTLS, Text: "stream_enable_tls without certificate or key stops CRI-O while it loads its files, and every crio command with it"},
		{
			Code: "hostport-nftables", Since: rel(33, 0), when: hostports,
			Text: "hostports are written to the nftables table crio-hostports, in the families ip and ip6, where nft 1.0.1 or newer works; iptables is the fallback, and CRI-O " +
				"does not start where neither works. Rules that iptables has are not moved: drain the node before the restart, or they stay until their pods are removed",
			Back: "hostports are written with iptables again. What is in the nftables table crio-hostports stays, and nobody removes it: drain the node before the restart, and delete the table",
		},
		{
			Code: "short-names", Since: rel(34, 0),
			Text: "the built-in short_name_mode is \"enforcing\": an image name without a registry is refused when several of unqualified-search-registries could have it; \"disabled\" takes the first that has it, as before",
		},
		{
			Code: "default-runtime", Since: rel(0, 0), when: otherRuntime,
			Text: "the default runtime is not the one that the old release has built in, or changes: containers may run under another", // written anew for the runtimes at hand
		},
	}
}

// behavioursOf picks those that lie between the releases and concern the node.
func behavioursOf(r *Result) []Behaviour {
	var list []Behaviour
	for _, b := range Behaviours() {
		if b.Since.Minor != 0 {
			up := r.From.Known().Less(b.Since) && !r.To.Known().Less(b.Since)
			down := r.To.Known().Less(b.Since) && !r.From.Known().Less(b.Since)
			if !up && !down {
				continue
			}
			if down {
				b.Text = b.back()
			}
		}
		if b.when != nil && !b.when(r) {
			continue
		}
		if b.Code == "default-runtime" {
			b.Since, b.Text = r.To, runtimeText(r)
		}
		list = append(list, b)
	}
	return list
}

func (b Behaviour) back() string {
	if b.Back != "" {
		return b.Back
	}
	return "no longer so: " + b.Text
}

func hasDropIns(r *Result) bool {
	for _, f := range r.After.Layers() {
		if r.After.RoleOf(f.Name()) == crioconf.DropIn {
			return true
		}
	}
	return false
}

func hostports(r *Result) bool {
	off, _ := crioconf.Get(r.After, schema.DisableHostportMapping)
	return !off
}

func metricsOn(r *Result) bool {
	on, _ := crioconf.Get(r.After, schema.EnableMetrics)
	return on
}

func streamTLS(r *Result) bool {
	on, _ := crioconf.Get(r.After, schema.StreamEnableTLS)
	return on
}

func streamNotLiteral(r *Result) bool {
	a, _ := crioconf.Get(r.After, schema.StreamAddress)
	return !isAddress(a)
}

// otherRuntime reports whether the default runtime is not the one that the old
// release has built in, or changes: containers of the node may run under
// another.
func otherRuntime(r *Result) bool {
	was, is := runtimesOf(r)
	builtin := r.Before.Schema().BuiltinRuntime()
	return is != "" && builtin != "" && r.From.Release() != r.To.Release() && (was != is || is != builtin)
}

func runtimesOf(r *Result) (was, is string) {
	was, _ = crioconf.Get(r.Before, schema.DefaultRuntime)
	is, _ = crioconf.Get(r.After, schema.DefaultRuntime)
	return was, is
}

func runtimeText(r *Result) string {
	was, is := runtimesOf(r)
	_, origin := crioconf.Get(r.After, schema.DefaultRuntime)
	by := "which is built in"
	if origin.Kind != crioconf.Default {
		by = "which " + origin.Range.String() + " sets"
		if origin.Range.IsZero() {
			by = "which " + origin.Name + " sets"
		}
	}
	builtin := r.Before.Schema().BuiltinRuntime()
	text := fmt.Sprintf("the default runtime is %s, %s; CRI-O %s has %s built in", is, by, r.From, builtin)
	if was != is {
		text = fmt.Sprintf("the default runtime changes from %s to %s, %s", was, is, by)
	}
	return text + ". Containers that were started under another runtime cannot be managed after the restart if its handler is gone: drain the node first, or pin the runtime they have with default_runtime"
}

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}
