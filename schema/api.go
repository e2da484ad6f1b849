package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// GRPCMaxSendMessageSize is crio.api.grpc_max_send_msg_size.
var GRPCMaxSendMessageSize = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "api", "grpc_max_send_msg_size"},
	Kind: Int,
	Text: "Largest message that CRI-O sends over its socket, in bytes. A node with very many containers needs a " +
		"large one, since lists of them travel in one message. Zero or less means the built-in size.",
	Since: Branches{{1, 12, 5}, {1, 13, 1}, {1, 14, 0}},
	Defaults: []Default{
		{Version{1, 12, 5}, int64(16777216)},
		{Version{1, 23, 0}, int64(83886080)},
	},
	Flags:     []Flag{{Version{1, 16, 0}, "--grpc-max-send-msg-size"}},
	Env:       []Env{{Version{1, 16, 0}, []string{"CONTAINER_GRPC_MAX_SEND_MSG_SIZE"}}},
	Normalize: []Normalization{{Stage: Load, Apply: messageSize}},
}}

// GRPCMaxRecvMessageSize is crio.api.grpc_max_recv_msg_size.
var GRPCMaxRecvMessageSize = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "api", "grpc_max_recv_msg_size"},
	Kind: Int,
	Text: "Largest message that CRI-O accepts on its socket, in bytes. Zero or less means the built-in size. " +
		"Anything much below it breaks large requests of the kubelet.",
	Since: Branches{{1, 12, 5}, {1, 13, 1}, {1, 14, 0}},
	Defaults: []Default{
		{Version{1, 12, 5}, int64(16777216)},
		{Version{1, 23, 0}, int64(83886080)},
	},
	Flags:     []Flag{{Version{1, 16, 0}, "--grpc-max-recv-msg-size"}},
	Env:       []Env{{Version{1, 16, 0}, []string{"CONTAINER_GRPC_MAX_RECV_MSG_SIZE"}}},
	Normalize: []Normalization{{Stage: Load, Apply: messageSize}},
}}

// Listen is crio.api.listen.
var Listen = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "listen"},
	Kind: String,
	Text: "Unix socket on which CRI-O answers the kubelet, crictl and its own status tool; the kubelet must be " +
		"told the same path. A socket that somebody still answers on stops the start, a stale one is deleted. " +
		"The directory is created when it is missing.",
	Since: Branches{{1, 0, 0}},
	Defaults: []Default{
		{Version{1, 0, 0}, "/var/run/crio.sock"},
		{Version{1, 9, 0}, "/var/run/crio/crio.sock"},
	},
	Flags: []Flag{{Version{1, 0, 0}, "--listen"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_LISTEN"}}},
}}

// StreamAddress is crio.api.stream_address.
var StreamAddress = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "stream_address"},
	Kind: String,
	Text: "IP address on which the server for exec, attach and port-forward listens. It must be a literal " +
		"address: a host name, an empty string or a slip of the pen is no error, but makes the server listen " +
		"on every address of the node, and its requests can run commands in containers. Leave it at 127.0.0.1 " +
		"unless something other than the kubelet of the node must reach it.",
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 11, 13}, "127.0.0.1"}},
	Flags:    []Flag{{Version{1, 0, 0}, "--stream-address"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_STREAM_ADDRESS"}}},
}}

// StreamPort is crio.api.stream_port.
var StreamPort = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "stream_port"},
	Kind: String,
	Text: "TCP port of the server for exec, attach and port-forward, written as a string: \"10010\", not 10010, " +
		"which is refused as a wrong type. \"0\" takes any free port, which is right for almost everyone. A " +
		"number above 65535 or an unknown service name stops the daemon while it builds its servers.",
	Since: Branches{{1, 0, 0}},
	Defaults: []Default{
		{Version{1, 0, 0}, "10010"},
		{Version{1, 11, 13}, "0"},
	},
	Flags: []Flag{{Version{1, 0, 0}, "--stream-port"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_STREAM_PORT"}}},
	Rules: []Rule{{Stage: Server, Check: text(tcpPort)}},
}}

// StreamEnableTLS is crio.api.stream_enable_tls.
var StreamEnableTLS = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "api", "stream_enable_tls"},
	Kind: Bool,
	Text: "Makes the server for exec, attach and port-forward speak TLS. It needs stream_tls_cert and " +
		"stream_tls_key: since 1.32 a missing one is refused at once, before that the daemon stops a little " +
		"later, while it builds its servers.",
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-enable-tls"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_ENABLE_TLS"}}},
}}

// StreamTLSCert is crio.api.stream_tls_cert.
var StreamTLSCert = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "stream_tls_cert"},
	Kind: String,
	Text: "File with the certificate of the streaming server, in PEM. It is read when stream_enable_tls is on; " +
		"an unreadable file then stops the daemon. A new content of the file is picked up without a restart, " +
		"a new path is not.",
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-tls-cert"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_TLS_CERT"}}},
}}

// StreamTLSKey is crio.api.stream_tls_key.
var StreamTLSKey = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "stream_tls_key"},
	Kind: String,
	Text: "File with the private key that belongs to stream_tls_cert, in PEM. It is read when stream_enable_tls " +
		"is on; an unreadable file then stops the daemon. A new content of the file is picked up without a " +
		"restart, a new path is not.",
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-tls-key"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_TLS_KEY"}}},
}}

// StreamTLSCA is crio.api.stream_tls_ca.
var StreamTLSCA = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "stream_tls_ca"},
	Kind: String,
	Text: "File with the certificates of the authorities that may sign client certificates. When it is set and " +
		"stream_enable_tls is on, clients without such a certificate are turned away. Empty asks for no " +
		"client certificate.",
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-tls-ca"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_TLS_CA"}}},
}}

// StreamIdleTimeout is crio.api.stream_idle_timeout.
var StreamIdleTimeout = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "stream_idle_timeout"},
	Kind: String,
	Text: "How long an exec, attach or port-forward stream may be silent before CRI-O closes it, as a string " +
		"such as \"30m\". Empty means the default of the streaming library, four hours. It is a plain string " +
		"that nobody looks at until the servers are built: \"30\" without a unit passes \"crio config\" and stops " +
		"the daemon.",
	Since: Branches{{1, 18, 5}, {1, 19, 2}, {1, 20, 1}, {1, 21, 0}},
	Flags: []Flag{{Version{1, 18, 5}, "--stream-idle-timeout"}},
	Env:   []Env{{Version{1, 18, 5}, []string{"STREAM_IDLE_TIMEOUT"}}},
	Rules: []Rule{{Stage: Server, Check: text(duration)}},
}}

// TLSMinVersion is crio.api.tls_min_version.
var TLSMinVersion = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "tls_min_version"},
	Kind: String,
	Text: "Oldest version of TLS for the streaming and the metrics server: VersionTLS12 or VersionTLS13; empty " +
		"means VersionTLS12. With VersionTLS13 the list tls_cipher_suites is ignored.",
	Since:    Branches{{1, 35, 1}, {1, 36, 0}},
	Defaults: []Default{{Version{1, 35, 1}, "VersionTLS12"}},
	Flags:    []Flag{{Version{1, 35, 1}, "--tls-min-version"}},
	Env:      []Env{{Version{1, 35, 1}, []string{"CONTAINER_TLS_MIN_VERSION"}}},
	Rules:    []Rule{{Stage: Load, Check: text(oneOf("VersionTLS12", "VersionTLS13", ""))}},
}}

// TLSCipherSuites is crio.api.tls_cipher_suites.
var TLSCipherSuites = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "api", "tls_cipher_suites"},
	Kind: Strings,
	Text: "Cipher suites for TLS 1.2, by the names of the Go library. Empty takes the defaults of that library. " +
		"An unknown name is refused; with tls_min_version at VersionTLS13 the list is ignored with a warning.",
	Since: Branches{{1, 35, 1}, {1, 36, 0}},
	Flags: []Flag{{Version{1, 35, 1}, "--tls-cipher-suites"}},
	Env:   []Env{{Version{1, 35, 1}, []string{"CONTAINER_TLS_CIPHER_SUITES"}}},
	Rules: []Rule{{
		Stage: Load,
		When:  &Condition{Path: keypath.Path{"crio", "api", "tls_min_version"}, Is: "VersionTLS13", Not: true},
		Check: each(cipherSuite),
	}},
}}

// HostIP is crio.api.host_ip.
var HostIP = Setting[string]{&Key{
	Path: keypath.Path{"crio", "api", "host_ip"},
	Kind: String,
	Text: "Address of the host that was reported where none could be found. Something that is not an IP address " +
		"meant automatic detection. The key is gone since 1.17.",
	Since:   Branches{{1, 13, 2}, {1, 14, 0}},
	Removed: Version{1, 17, 0},
	Flags:   []Flag{{Version{1, 16, 0}, "--host-ip"}},
	Env:     []Env{{Version{1, 16, 0}, []string{"CONTAINER_HOST_IP"}}},
}}
