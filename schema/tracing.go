package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// EnableTracing is crio.tracing.enable_tracing.
var EnableTracing = Setting[bool]{&Key{
	Path:  keypath.Path{"crio", "tracing", "enable_tracing"},
	Kind:  Bool,
	Text:  "Sends OpenTelemetry traces to tracing_endpoint. A collector that does not answer is no error.",
	Since: Branches{{1, 23, 0}},
	Flags: []Flag{{Version{1, 23, 0}, "--enable-tracing"}},
	Env:   []Env{{Version{1, 23, 0}, []string{"CONTAINER_ENABLE_TRACING"}}},
}}

// TracingEndpoint is crio.tracing.tracing_endpoint.
var TracingEndpoint = Setting[string]{&Key{
	Path: keypath.Path{"crio", "tracing", "tracing_endpoint"},
	Kind: String,
	Text: "Collector that takes the traces over gRPC, as host:port without a scheme. The connection is not " +
		"encrypted, so it should stay on the node.",
	Since: Branches{{1, 23, 0}},
	Defaults: []Default{
		{Version{1, 23, 0}, "0.0.0.0:4317"},
		{Version{1, 31, 0}, "127.0.0.1:4317"},
	},
	Flags: []Flag{{Version{1, 23, 0}, "--tracing-endpoint"}},
	Env:   []Env{{Version{1, 23, 0}, []string{"CONTAINER_TRACING_ENDPOINT"}}},
}}

// TracingSamplingRatePerMillion is crio.tracing.tracing_sampling_rate_per_million.
var TracingSamplingRatePerMillion = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "tracing", "tracing_sampling_rate_per_million"},
	Kind: Int,
	Text: "How many of a million requests are traced; 1000000 traces all. 0 traces only requests whose caller " +
		"already traces, such as a kubelet with tracing on.",
	Since: Branches{{1, 23, 0}},
	Flags: []Flag{{Version{1, 23, 0}, "--tracing-sampling-rate-per-million"}},
	Env:   []Env{{Version{1, 23, 0}, []string{"CONTAINER_TRACING_SAMPLING_RATE_PER_MILLION"}}},
}}
