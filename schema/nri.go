package schema

import (
	"time"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// EnableNRI is crio.nri.enable_nri.
var EnableNRI = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "nri", "enable_nri"},
	Kind: Bool,
	Text: "Lets NRI plugins look at pods and containers and change them. When NRI cannot be set up, the daemon " +
		"does not start. Plugins run with the rights of CRI-O.",
	Since:    Branches{{1, 26, 0}},
	Defaults: []Default{{Version{1, 30, 0}, true}},
	Flags:    []Flag{{Version{1, 26, 0}, "--enable-nri"}},
}}

// NRIListen is crio.nri.nri_listen.
var NRIListen = Setting[string]{&Key{
	Path:     keypath.Path{"crio", "nri", "nri_listen"},
	Kind:     String,
	Text:     "Unix socket on which NRI plugins that run on their own connect.",
	Since:    Branches{{1, 26, 0}},
	Defaults: []Default{{Version{1, 26, 0}, "/var/run/nri/nri.sock"}},
	Flags:    []Flag{{Version{1, 26, 0}, "--nri-listen"}},
}}

// NRIPluginDir is crio.nri.nri_plugin_dir.
var NRIPluginDir = Setting[string]{&Key{
	Path:     keypath.Path{"crio", "nri", "nri_plugin_dir"},
	Kind:     String,
	Text:     "Directory with the NRI plugins that CRI-O itself starts.",
	Since:    Branches{{1, 26, 0}},
	Defaults: []Default{{Version{1, 26, 0}, "/opt/nri/plugins"}},
	Flags:    []Flag{{Version{1, 26, 0}, "--nri-plugin-dir"}},
}}

// NRIPluginConfigDir is crio.nri.nri_plugin_config_dir.
var NRIPluginConfigDir = Setting[string]{&Key{
	Path:     keypath.Path{"crio", "nri", "nri_plugin_config_dir"},
	Kind:     String,
	Text:     "Directory with the configuration files of the NRI plugins that CRI-O starts.",
	Since:    Branches{{1, 26, 2}, {1, 27, 0}},
	Defaults: []Default{{Version{1, 26, 2}, "/etc/nri/conf.d"}},
	Flags:    []Flag{{Version{1, 26, 2}, "--nri-plugin-config-dir"}},
}}

// NRIPluginRegistrationTimeout is crio.nri.nri_plugin_registration_timeout.
var NRIPluginRegistrationTimeout = Setting[time.Duration]{&Key{
	Path: keypath.Path{"crio", "nri", "nri_plugin_registration_timeout"},
	Kind: Duration,
	Text: "How long a started NRI plugin may take to register. Write a duration such as \"5s\": a bare number " +
		"counts nanoseconds, which no plugin can keep to.",
	Since:    Branches{{1, 26, 2}, {1, 27, 0}},
	Defaults: []Default{{Version{1, 26, 2}, 5 * time.Second}},
	Flags:    []Flag{{Version{1, 26, 2}, "--nri-plugin-registration-timeout"}},
}}

// NRIPluginRequestTimeout is crio.nri.nri_plugin_request_timeout.
var NRIPluginRequestTimeout = Setting[time.Duration]{&Key{
	Path: keypath.Path{"crio", "nri", "nri_plugin_request_timeout"},
	Kind: Duration,
	Text: "How long an NRI plugin may take to answer a request before it is dropped. Write a duration such as " +
		"\"2s\": a bare number counts nanoseconds, which no plugin can keep to.",
	Since:    Branches{{1, 26, 2}, {1, 27, 0}},
	Defaults: []Default{{Version{1, 26, 2}, 2 * time.Second}},
	Flags:    []Flag{{Version{1, 26, 2}, "--nri-plugin-request-timeout"}},
}}

// NRIDisableConnections is crio.nri.nri_disable_connections.
var NRIDisableConnections = Setting[bool]{&Key{
	Path:  keypath.Path{"crio", "nri", "nri_disable_connections"},
	Kind:  Bool,
	Text:  "Stops NRI plugins from connecting over the socket, so that only those run that CRI-O starts.",
	Since: Branches{{1, 26, 2}, {1, 27, 0}},
	Flags: []Flag{{Version{1, 26, 2}, "--nri-disable-connections"}},
}}

// NRIEnableDefaultValidator is crio.nri.default_validator.nri_enable_default_validator.
var NRIEnableDefaultValidator = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_enable_default_validator"},
	Kind: Bool,
	Text: "Turns on the built-in check of what NRI plugins change. The other keys of this table say what it " +
		"rejects; a rejected change makes the container fail.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-enable-default-validator"}},
}}

// NRIValidatorRejectOCIHookAdjustment is crio.nri.default_validator.nri_validator_reject_oci_hook_adjustment.
var NRIValidatorRejectOCIHookAdjustment = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_validator_reject_oci_hook_adjustment"},
	Kind: Bool,
	Text: "Rejects containers to which an NRI plugin adds OCI hooks, which run on the host. It counts when " +
		"nri_enable_default_validator is on.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-validator-reject-oci-hook-adjustment"}},
}}

// NRIValidatorRejectRuntimeDefaultSeccompAdjustment is crio.nri.default_validator.nri_validator_reject_runtime_default_seccomp_adjustment.
var NRIValidatorRejectRuntimeDefaultSeccompAdjustment = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_validator_reject_runtime_default_seccomp_adjustment"},
	Kind: Bool,
	Text: "Rejects containers whose runtime-default seccomp profile an NRI plugin changes. It counts when " +
		"nri_enable_default_validator is on.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-validator-reject-runtime-default-seccomp-adjustment"}},
}}

// NRIValidatorRejectUnconfinedSeccompAdjustment is crio.nri.default_validator.nri_validator_reject_unconfined_seccomp_adjustment.
var NRIValidatorRejectUnconfinedSeccompAdjustment = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_validator_reject_unconfined_seccomp_adjustment"},
	Kind: Bool,
	Text: "Rejects containers that run without a seccomp profile and to which an NRI plugin gives one. It " +
		"counts when nri_enable_default_validator is on.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-validator-reject-unconfined-seccomp-adjustment"}},
}}

// NRIValidatorRejectCustomSeccompAdjustment is crio.nri.default_validator.nri_validator_reject_custom_seccomp_adjustment.
var NRIValidatorRejectCustomSeccompAdjustment = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_validator_reject_custom_seccomp_adjustment"},
	Kind: Bool,
	Text: "Rejects containers with a seccomp profile of their own that an NRI plugin changes. It counts when " +
		"nri_enable_default_validator is on.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-validator-reject-custom-seccomp-adjustment"}},
}}

// NRIValidatorRejectNamespaceAdjustment is crio.nri.default_validator.nri_validator_reject_namespace_adjustment.
var NRIValidatorRejectNamespaceAdjustment = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_validator_reject_namespace_adjustment"},
	Kind: Bool,
	Text: "Rejects containers whose Linux namespaces an NRI plugin changes. It counts when " +
		"nri_enable_default_validator is on.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-validator-reject-namespace-adjustment"}},
}}

// NRIValidatorRequiredPlugins is crio.nri.default_validator.nri_validator_required_plugins.
var NRIValidatorRequiredPlugins = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_validator_required_plugins"},
	Kind: Strings,
	Text: "Names of NRI plugins without which no container is made. While one of them is not connected, every " +
		"container fails, but for pods with the annotation of " +
		"nri_validator_tolerate_missing_plugins_annotation.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-validator-required-plugins"}},
}}

// NRIValidatorTolerateMissingPluginsAnnotation is crio.nri.default_validator.nri_validator_tolerate_missing_plugins_annotation.
var NRIValidatorTolerateMissingPluginsAnnotation = Setting[string]{&Key{
	Path: keypath.Path{"crio", "nri", "default_validator", "nri_validator_tolerate_missing_plugins_annotation"},
	Kind: String,
	Text: "Name of the annotation with which a pod says that it can do without the required plugins. Empty lets " +
		"no pod do so.",
	Since: Branches{{1, 34, 0}},
	Flags: []Flag{{Version{1, 34, 0}, "--nri-validator-tolerate-missing-plugins-annotation"}},
}}

// NRIConfigFile is crio.nri.nri_config_file.
var NRIConfigFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "nri", "nri_config_file"},
	Kind: String,
	Text: "File with the settings of NRI. Only 1.26.0 and 1.26.1 read it; later releases have a key for each " +
		"setting.",
	Since:      Branches{{1, 26, 0}},
	Removed:    Version{1, 26, 2},
	ReplacedBy: "dedicated nri_* keys",
	Flags:      []Flag{{Version{1, 26, 0}, "--nri-config-file"}},
}}
