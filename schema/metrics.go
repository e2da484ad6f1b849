package schema

import "github.com/crioctl/crioctl-net/crioconf/keypath"

// EnableMetrics is crio.metrics.enable_metrics.
var EnableMetrics = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "metrics", "enable_metrics"},
	Kind: Bool,
	Text: "Serves metrics for Prometheus on metrics_host and metrics_port. When the port cannot be bound, the " +
		"daemon does not start.",
	Since: Branches{{1, 16, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--enable-metrics"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_ENABLE_METRICS"}}},
}}

// MetricsCollectors is crio.metrics.metrics_collectors.
var MetricsCollectors = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "metrics", "metrics_collectors"},
	Kind: Strings,
	Text: "Names of the metrics that are served. A list written down once goes stale: names that later releases " +
		"dropped do nothing, and new metrics are missing. Leave it out to get all. Unknown names are not an " +
		"error.",
	Since: Branches{{1, 22, 0}},
	Defaults: []Default{
		{Version{1, 22, 0}, []string{
			"operations", "operations_latency_microseconds_total", "operations_latency_microseconds",
			"operations_errors", "image_pulls_by_digest", "image_pulls_by_name", "image_pulls_by_name_skipped",
			"image_pulls_failures", "image_pulls_successes", "image_pulls_layer_size", "image_layer_reuse",
			"containers_oom_total", "containers_oom", "processes_defunct",
		}},
		{Version{1, 23, 0}, []string{
			"operations", "operations_latency_microseconds_total", "operations_latency_microseconds",
			"operations_errors", "image_pulls_by_digest", "image_pulls_by_name", "image_pulls_by_name_skipped",
			"image_pulls_failures", "image_pulls_successes", "image_pulls_layer_size", "image_layer_reuse",
			"containers_oom_total", "containers_oom", "processes_defunct", "operations_total",
			"operations_latency_seconds", "operations_latency_seconds_total", "operations_errors_total",
			"image_pulls_bytes_total", "image_pulls_skipped_bytes_total", "image_pulls_failure_total",
			"image_pulls_success_total", "image_layer_reuse_total", "containers_oom_count_total",
		}},
		{Version{1, 26, 0}, []string{
			"operations", "operations_latency_microseconds_total", "operations_latency_microseconds",
			"operations_errors", "image_pulls_by_digest", "image_pulls_by_name", "image_pulls_by_name_skipped",
			"image_pulls_failures", "image_pulls_successes", "image_pulls_layer_size", "image_layer_reuse",
			"containers_oom_total", "containers_oom", "processes_defunct", "operations_total",
			"operations_latency_seconds", "operations_latency_seconds_total", "operations_errors_total",
			"image_pulls_bytes_total", "image_pulls_skipped_bytes_total", "image_pulls_failure_total",
			"image_pulls_success_total", "image_layer_reuse_total", "containers_oom_count_total",
			"containers_seccomp_notifier_count_total",
		}},
		{Version{1, 28, 0}, []string{
			"operations", "operations_latency_microseconds_total", "operations_latency_microseconds",
			"operations_errors", "image_pulls_by_digest", "image_pulls_by_name", "image_pulls_by_name_skipped",
			"image_pulls_failures", "image_pulls_successes", "image_pulls_layer_size", "image_layer_reuse",
			"containers_events_dropped_total", "containers_oom_total", "containers_oom", "processes_defunct",
			"operations_total", "operations_latency_seconds", "operations_latency_seconds_total",
			"operations_errors_total", "image_pulls_bytes_total", "image_pulls_skipped_bytes_total",
			"image_pulls_failure_total", "image_pulls_success_total", "image_layer_reuse_total",
			"containers_oom_count_total", "containers_seccomp_notifier_count_total", "resources_stalled_at_stage",
		}},
		{Version{1, 30, 0}, []string{
			"image_pulls_layer_size", "containers_events_dropped_total", "containers_oom_total",
			"processes_defunct", "operations_total", "operations_latency_seconds",
			"operations_latency_seconds_total", "operations_errors_total", "image_pulls_bytes_total",
			"image_pulls_skipped_bytes_total", "image_pulls_failure_total", "image_pulls_success_total",
			"image_layer_reuse_total", "containers_oom_count_total", "containers_seccomp_notifier_count_total",
			"resources_stalled_at_stage",
		}},
		{Version{1, 34, 8}, []string{
			"image_pulls_layer_size", "containers_events_dropped_total", "containers_oom_total",
			"processes_defunct", "operations_total", "operations_latency_seconds",
			"operations_latency_seconds_total", "operations_errors_total", "image_pulls_bytes_total",
			"image_pulls_skipped_bytes_total", "image_pulls_failure_total", "image_pulls_success_total",
			"image_layer_reuse_total", "containers_oom_count_total", "containers_seccomp_notifier_count_total",
			"resources_stalled_at_stage", "containers_stopped_monitor_count", "default_runtime",
		}},
	},
	Flags: []Flag{{Version{1, 22, 0}, "--metrics-collectors"}},
	Env:   []Env{{Version{1, 22, 0}, []string{"CONTAINER_METRICS_COLLECTORS"}}},
}}

// MetricsHost is crio.metrics.metrics_host.
var MetricsHost = Setting[string]{&Key{
	Path: keypath.Path{"crio", "metrics", "metrics_host"},
	Kind: String,
	Text: "Address on which metrics are served. Empty means all addresses of the node, which is also what " +
		"releases without this key do. The default is 127.0.0.1 since 1.30; a Prometheus outside the node " +
		"then needs another one.",
	Since:    Branches{{1, 28, 4}, {1, 29, 2}, {1, 30, 0}},
	Defaults: []Default{{Version{1, 30, 0}, "127.0.0.1"}},
	Flags:    []Flag{{Version{1, 28, 4}, "--metrics-host"}},
	Env:      []Env{{Version{1, 28, 4}, []string{"CONTAINER_METRICS_HOST"}}},
}}

// MetricsPort is crio.metrics.metrics_port.
var MetricsPort = Setting[int64]{&Key{
	Path: keypath.Path{"crio", "metrics", "metrics_port"},
	Kind: Int,
	Text: "TCP port for metrics, written as an integer: 9090, not \"9090\", which is refused as a wrong type. It " +
		"is not checked when the file is loaded; a port above 65535 or one in use stops the daemon when " +
		"metrics are on.",
	Since:    Branches{{1, 16, 0}},
	Defaults: []Default{{Version{1, 16, 0}, int64(9090)}},
	Flags:    []Flag{{Version{1, 16, 0}, "--metrics-port"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_METRICS_PORT"}}},
	Rules: []Rule{{
		Stage: Server,
		When:  &Condition{Path: keypath.Path{"crio", "metrics", "enable_metrics"}, Is: true},
		Check: portNumber,
	}},
}}

// MetricsSocket is crio.metrics.metrics_socket.
var MetricsSocket = Setting[string]{&Key{
	Path: keypath.Path{"crio", "metrics", "metrics_socket"},
	Kind: String,
	Text: "Unix socket on which metrics are served in addition to the port. Empty means none. Its directory is " +
		"created and a stale socket removed.",
	Since: Branches{{1, 19, 0}},
	Flags: []Flag{{Version{1, 19, 0}, "--metrics-socket"}},
	Env:   []Env{{Version{1, 19, 0}, []string{"CONTAINER_METRICS_SOCKET"}}},
}}

// MetricsCert is crio.metrics.metrics_cert.
var MetricsCert = Setting[string]{&Key{
	Path: keypath.Path{"crio", "metrics", "metrics_cert"},
	Kind: String,
	Text: "File with the certificate for metrics over HTTPS. Only with metrics_key as well is HTTPS spoken; " +
		"with one of the two metrics go out in plain HTTP, without a warning. When both are set and missing " +
		"on disk, a self-signed pair is made.",
	Since: Branches{{1, 22, 0}},
	Flags: []Flag{{Version{1, 22, 0}, "--metrics-cert"}},
	Env:   []Env{{Version{1, 22, 0}, []string{"CONTAINER_METRICS_CERT"}}},
}}

// MetricsKey is crio.metrics.metrics_key.
var MetricsKey = Setting[string]{&Key{
	Path: keypath.Path{"crio", "metrics", "metrics_key"},
	Kind: String,
	Text: "File with the private key that belongs to metrics_cert. With only one of the two set, metrics go out " +
		"in plain HTTP, without a warning.",
	Since: Branches{{1, 22, 0}},
	Flags: []Flag{{Version{1, 22, 0}, "--metrics-key"}},
	Env:   []Env{{Version{1, 22, 0}, []string{"CONTAINER_METRICS_KEY"}}},
}}
