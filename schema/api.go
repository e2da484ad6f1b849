package schema

import (
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// GRPCMaxSendMessageSize is crio.api.grpc_max_send_msg_size.
var GRPCMaxSendMessageSize = Setting[int64]{&Key{
	Path:  keypath.Path{"crio", "api", "grpc_max_send_msg_size"},
	Kind:  Int,
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
	Path:  keypath.Path{"crio", "api", "grpc_max_recv_msg_size"},
	Kind:  Int,
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
	Path:  keypath.Path{"crio", "api", "listen"},
	Kind:  String,
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
	Path:     keypath.Path{"crio", "api", "stream_address"},
	Kind:     String,
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 11, 13}, "127.0.0.1"}},
	Flags:    []Flag{{Version{1, 0, 0}, "--stream-address"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_STREAM_ADDRESS"}}},
}}

// StreamPort is crio.api.stream_port.
var StreamPort = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "api", "stream_port"},
	Kind:  String,
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
	Path:  keypath.Path{"crio", "api", "stream_enable_tls"},
	Kind:  Bool,
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-enable-tls"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_ENABLE_TLS"}}},
}}

// StreamTLSCert is crio.api.stream_tls_cert.
var StreamTLSCert = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "api", "stream_tls_cert"},
	Kind:  String,
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-tls-cert"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_TLS_CERT"}}},
}}

// StreamTLSKey is crio.api.stream_tls_key.
var StreamTLSKey = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "api", "stream_tls_key"},
	Kind:  String,
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-tls-key"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_TLS_KEY"}}},
}}

// StreamTLSCA is crio.api.stream_tls_ca.
var StreamTLSCA = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "api", "stream_tls_ca"},
	Kind:  String,
	Since: Branches{{1, 11, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--stream-tls-ca"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_TLS_CA"}}},
}}

// StreamIdleTimeout is crio.api.stream_idle_timeout.
var StreamIdleTimeout = Setting[string]{&Key{
	Path:  keypath.Path{"crio", "api", "stream_idle_timeout"},
	Kind:  String,
	Since: Branches{{1, 18, 5}, {1, 19, 2}, {1, 20, 1}, {1, 21, 0}},
	Flags: []Flag{{Version{1, 18, 5}, "--stream-idle-timeout"}},
	Env:   []Env{{Version{1, 18, 5}, []string{"STREAM_IDLE_TIMEOUT"}}},
	Rules: []Rule{{Stage: Server, Check: text(duration)}},
}}

// TLSMinVersion is crio.api.tls_min_version.
var TLSMinVersion = Setting[string]{&Key{
	Path:     keypath.Path{"crio", "api", "tls_min_version"},
	Kind:     String,
	Since:    Branches{{1, 35, 1}, {1, 36, 0}},
	Defaults: []Default{{Version{1, 35, 1}, "VersionTLS12"}},
	Flags:    []Flag{{Version{1, 35, 1}, "--tls-min-version"}},
	Env:      []Env{{Version{1, 35, 1}, []string{"CONTAINER_TLS_MIN_VERSION"}}},
	Rules:    []Rule{{Stage: Load, Check: text(oneOf("VersionTLS12", "VersionTLS13", ""))}},
}}

// TLSCipherSuites is crio.api.tls_cipher_suites.
var TLSCipherSuites = Setting[[]string]{&Key{
	Path:  keypath.Path{"crio", "api", "tls_cipher_suites"},
	Kind:  Strings,
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
	Path:    keypath.Path{"crio", "api", "host_ip"},
	Kind:    String,
	Since:   Branches{{1, 13, 2}, {1, 14, 0}},
	Removed: Version{1, 17, 0},
	Flags:   []Flag{{Version{1, 16, 0}, "--host-ip"}},
	Env:     []Env{{Version{1, 16, 0}, []string{"CONTAINER_HOST_IP"}}},
}}
