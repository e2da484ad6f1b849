package doctor

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// networkChecks are about what CRI-O does to the network and shows to it.
func networkChecks() []Check {
	return []Check{
		{
			Name: "backend", Title: "are nft or iptables there for the hostport mapping",
			Text:  "Looks for nft and iptables in the $PATH of CRI-O's unit, unless the mapping is disabled.",
			Needs: Files, Codes: []diag.Code{diag.NoHostportBackend}, Run: checkBackend,
		},
		{
			Name: "ports", Title: "does a setting open the node to the network",
			Text:  "Looks for servers on all interfaces without TLS, for profiling, and for registries that are not checked.",
			Needs: Files, Codes: []diag.Code{diag.OpenPort}, Run: checkPorts,
		},
		{
			Name: "addresses", Title: "does this host have the addresses to listen on",
			Text:  "Compares stream_address and metrics_host with the addresses of the interfaces.",
			Needs: Kernel, Codes: []diag.Code{diag.AbsentAddress}, Run: checkAddresses,
		},
	}
}

// nftables is the first release that maps hostPorts by nft, and does not start
// with neither nft nor iptables.
const nftables = 33

func checkBackend(_ context.Context, n *Node) (o Outcome) {
	disabled, at := get(n, schema.DisableHostportMapping)
	if disabled {
		o.saw("the mapping is disabled (%s), so that none is needed", at.Range)
		return o
	}
	nft, iptables := n.inPath("nft"), n.inPath("iptables")
	for what, p := range map[string]program{"nft": nft, "iptables": iptables} {
		if p.err != nil {
			o.missed("look for "+what, p.err)
			return o
		}
	}
	if n.since(nftables, 0) && nft.found {
		o.saw("nft: %s", nft.path)
	}
	if iptables.found {
		o.saw("iptables: %s", iptables.path)
	}
	switch {
	case iptables.found, n.since(nftables, 0) && nft.found:
		return o
	case !iptables.missing(), n.since(nftables, 0) && !nft.missing():
		return skipped("%s", n.partly("nft and iptables"))
	}
	dirs, from := n.searchPath()
	d := diag.Diagnostic{
		Code: diag.NoHostportBackend, Severity: diag.Error, Effect: diag.Refused, Stage: schema.Server.String(),
		Key: schema.DisableHostportMapping.Path, Range: at.Range,
		Summary: "there is neither nft nor iptables in $PATH, and CRI-O is to map hostPorts",
		Detail:  fmt.Sprintf("%s then does not start. $PATH is %s (%s).", n.crio(), strings.Join(dirs, ":"), from),
		Hint:    "Install nftables, or let something else serve hostPorts and disable the mapping.",
	}
	remedies := []Remedy{Own("hostport", "disable")}
	if !n.since(nftables, 0) {
		d.Severity, d.Effect, d.Stage, d.Code = diag.Warning, diag.None, "", diag.NoHostportBackend
		d.Summary = "there is no iptables in $PATH, and CRI-O is to map hostPorts"
		d.Detail = fmt.Sprintf("%s starts, and the pods that have a hostPort fail. $PATH is %s (%s).", n.crio(), strings.Join(dirs, ":"), from)
		d.Hint = "Install iptables, or let something else serve hostPorts and disable the mapping."
		if key, _ := n.Config.Schema().Lookup(schema.DisableHostportMapping.Path); key == nil {
			d.Key, d.Hint, remedies = nil, "Install iptables.", nil
		}
	}
	for _, p := range []program{nft, iptables} {
		if p.elsewhere != "" {
			d.Detail += fmt.Sprintf(" Found %s, which is not in it.", p.elsewhere)
		}
	}
	o.add(d, remedies...)
	return o
}

// world reports whether a server with that address listens on all interfaces.
// What is no address makes CRI-O do so since 1.17.
func (n *Node) world(host string) bool {
	if host == "localhost" {
		return false
	}
	a, err := netip.ParseAddr(host)
	return err != nil && n.since(17, 0) || err == nil && a.IsUnspecified()
}

func checkPorts(_ context.Context, n *Node) (o Outcome) {
	n.streamPort(&o)
	n.metricsPort(&o)
	n.profiling(&o)
	n.insecure(&o)
	if len(o.Findings) == 0 {
		o.saw("no server is open to other hosts without TLS")
	}
	return o
}

func (n *Node) streamPort(o *Outcome) {
	host, at := get(n, schema.StreamAddress)
	tls, _ := get(n, schema.StreamEnableTLS)
	if !n.world(host) {
		return
	}
	d := diag.Diagnostic{
		Code: diag.OpenPort, Severity: diag.Warning, Key: schema.StreamAddress.Path, Range: at.Range,
		Summary: fmt.Sprintf("exec, attach and port forwarding are served on all interfaces (stream_address = %s), without TLS", keypath.Quote(host)),
		Detail:  "Other hosts can reach the server, and who sees the traffic can take over a session.",
		Hint:    `Only the kubelet of this host needs it: write stream_address = "127.0.0.1".`,
	}
	if tls {
		d.Severity = diag.Info
		d.Summary = strings.TrimSuffix(d.Summary, ", without TLS") + ", with TLS"
		d.Detail = "Other hosts can reach the server."
	}
	o.add(d, Own("set", schema.StreamAddress.String(), "127.0.0.1"))
}

func (n *Node) metricsPort(o *Outcome) {
	on, at := get(n, schema.EnableMetrics)
	if !on {
		return
	}
	cert, _ := get(n, schema.MetricsCert)
	key, _ := get(n, schema.MetricsKey)
	host, hostAt := get(n, schema.MetricsHost)
	readsHost := schema.MetricsHost.In(n.version())
	if readsHost && host != "" && !n.world(host) {
		return
	}
	d := diag.Diagnostic{
		Code: diag.OpenPort, Severity: diag.Warning, Key: schema.MetricsHost.Path, Range: hostAt.Range,
		Summary: "the metrics are served on all interfaces, without TLS",
		Detail:  "They tell other hosts about the workloads of the node.",
		Hint:    `Write metrics_host = "127.0.0.1", or set metrics_cert and metrics_key.`,
	}
	remedies := []Remedy{Own("set", schema.MetricsHost.String(), "127.0.0.1")}
	if !readsHost {
		d.Key, d.Range = schema.EnableMetrics.Path, at.Range
		d.Detail += fmt.Sprintf(" %s has no key for the address.", n.crio())
		d.Hint = "Set metrics_cert and metrics_key, or keep the port closed by a firewall."
		remedies = nil
	}
	if d.Range.IsZero() {
		d.Range = at.Range
	}
	if cert != "" && key != "" {
		d.Severity = diag.Info
		d.Summary = "the metrics are served on all interfaces, with TLS"
		d.Hint = `Write metrics_host = "127.0.0.1", unless they are fetched from elsewhere.`
		if !readsHost {
			d.Hint = "Keep the port closed by a firewall, unless they are fetched from elsewhere."
		}
	}
	o.add(d, remedies...)
}

// profileFlags are the flags that serve Go's profiles. They set no key.
var profileFlags = []struct{ flag, variable, what string }{
	{"profile", "CONTAINER_PROFILE", "on a port of localhost"},
	{"enable-profile-unix-socket", "ENABLE_PROFILE_UNIX_SOCKET", "on CRI-O's own socket"},
}

func (n *Node) profiling(o *Outcome) {
	for _, f := range profileFlags {
		at, on := n.given(f.flag, f.variable)
		if !on {
			continue
		}
		o.add(diag.Diagnostic{
			Code: diag.OpenPort, Severity: diag.Info, Range: at,
			Summary: fmt.Sprintf("CRI-O serves profiles of itself %s (--%s)", f.what, f.flag),
			Detail:  "They are for those who look for a fault in CRI-O, show its memory, and cost time.",
			Hint:    "Take it out of the unit when the fault is found.",
		})
	}
}

// given reports whether the unit gives a flag that sets no key, as crio's flag
// library reads it: "false" takes it back.
func (n *Node) given(flag, variable string) (diag.Range, bool) {
	for _, w := range n.Unit.Command {
		name, value, joined := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
		if strings.HasPrefix(w.Text, "-") && name == flag {
			return w.Range, !joined || truth(value)
		}
	}
	for _, v := range n.Unit.Env {
		if v.Name == variable {
			return v.Range, truth(v.Value)
		}
	}
	return diag.Range{}, false
}

func truth(s string) bool {
	return slices.Contains([]string{"1", "t", "T", "true", "TRUE", "True"}, s)
}

// insecure looks for a list of insecure registries that takes in the world.
func (n *Node) insecure(o *Outcome) {
	registries, at := get(n, schema.InsecureRegistries)
	if schema.InsecureRegistries.ReloadIn(n.version()) == schema.NoEffect {
		return
	}
	for _, r := range registries {
		prefix, err := netip.ParsePrefix(r)
		wide := r == "*" || err == nil && (prefix.Bits() == 0 || prefix.Addr().Is4() && prefix.Bits() <= 8)
		if !wide {
			continue
		}
		o.add(diag.Diagnostic{
			Code: diag.OpenPort, Severity: diag.Warning, Key: schema.InsecureRegistries.Path, Range: at.Range,
			Summary: fmt.Sprintf("insecure_registries has %s, which takes in far more than a registry", keypath.Quote(r)),
			Detail:  "CRI-O fetches images from there over plain HTTP, or without checking the certificate.",
			Hint:    "Name the registries that need it, with insecure = true in registries.conf.",
		})
	}
}

func checkAddresses(_ context.Context, n *Node) (o Outcome) {
	if n.Addresses == nil {
		return skipped("the interfaces were not asked")
	}
	have, err := n.Addresses()
	if err != nil {
		o.missed("the addresses of the interfaces", err)
		return o
	}
	if v, err := readTrimmed(n, "proc/sys/net/ipv4/ip_nonlocal_bind"); err == nil && v == "1" {
		o.saw("the kernel lets programs listen on foreign addresses (net.ipv4.ip_nonlocal_bind)")
		return o
	}
	host, at := get(n, schema.StreamAddress)
	port, _ := get(n, schema.StreamPort)
	if absent(host, have) {
		o.add(absentAddress(schema.StreamAddress.Key, host, at,
			`Recommended is "127.0.0.1" with port "0", the default: the server is for the kubelet of this host.`), n.toDefault(port)...)
	}
	on, _ := get(n, schema.EnableMetrics)
	if host, at := get(n, schema.MetricsHost); on && absent(host, have) {
		o.add(absentAddress(schema.MetricsHost.Key, host, at, `Write "127.0.0.1", or an address that the host has when CRI-O starts.`))
	}
	if len(o.Findings) == 0 {
		o.saw("every address to listen on is there")
	}
	return o
}

// toDefault returns the commands that give the server of streams its defaults.
func (n *Node) toDefault(port string) []Remedy {
	remedies := []Remedy{Own("set", schema.StreamAddress.String(), "127.0.0.1")}
	if port != "0" {
		remedies = append(remedies, Own("set", schema.StreamPort.String(), "0"))
	}
	return remedies
}

func absent(host string, have []netip.Addr) bool {
	a, err := netip.ParseAddr(host)
	if err != nil || a.IsUnspecified() || a.IsLoopback() {
		return false
	}
	a = a.Unmap().WithZone("")
	return !slices.ContainsFunc(have, func(b netip.Addr) bool { return b.Unmap().WithZone("") == a })
}

func absentAddress(key *schema.Key, host string, at crioconf.Origin, hint string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.AbsentAddress, Severity: diag.Warning, Key: key.Path, Range: at.Range,
		Summary: fmt.Sprintf("%s is %s, and no interface of this host has that address", key.Path.Leaf(), keypath.Quote(host)),
		Detail:  "CRI-O stops when it cannot listen there. After a reboot the same happens while the address is not up yet.",
		Hint:    hint,
	}
}
