package schema

import (
	"time"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// DefaultTransport is crio.image.default_transport.
var DefaultTransport = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "default_transport"},
	Kind: String,
	Text: "Transport that is put before an image name when pulling, with the colon and slashes. Anything but " +
		"\"docker://\" pulls from somewhere other than a registry and is for experiments.",
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 0, 0}, "docker://"}},
	Flags:    []Flag{{Version{1, 0, 0}, "--default-transport"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_DEFAULT_TRANSPORT"}}},
}}

// GlobalAuthFile is crio.image.global_auth_file.
var GlobalAuthFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "global_auth_file"},
	Kind: String,
	Text: "File with the registry credentials for all pulls that bring none of their own, in the format of " +
		"docker login. Empty takes the default places of the image library. Credentials that the kubelet " +
		"sends come first.",
	Since: Branches{{1, 14, 5}, {1, 15, 0}},
	Flags: []Flag{{Version{1, 16, 0}, "--global-auth-file"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_GLOBAL_AUTH_FILE"}}},
}}

// NamespacedAuthDir is crio.image.namespaced_auth_dir.
var NamespacedAuthDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "namespaced_auth_dir"},
	Kind: String,
	Text: "Directory in which a credential provider leaves the credentials for one pull, a file per Kubernetes " +
		"namespace and image. They come before global_auth_file. It must be an absolute path and is created " +
		"at start. The flag for it is hidden.",
	Since:      Branches{{1, 34, 3}, {1, 35, 0}},
	Defaults:   []Default{{Version{1, 34, 3}, "/etc/crio/auth"}},
	Flags:      []Flag{{Version{1, 34, 3}, "--namespaced-auth-dir"}},
	FlagHidden: true,
	Env:        []Env{{Version{1, 34, 3}, []string{"CONTAINER_NAMESPACED_AUTH_DIR"}}},
	Rules:      []Rule{{Stage: Load, Check: text(absolutePath)}},
}}

// PauseImage is crio.image.pause_image.
var PauseImage = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "pause_image"},
	Kind: String,
	Text: "Image of the container that holds the namespaces of a pod. Since 1.29 it must be a valid image name, " +
		"in lower case. On a node without access to that registry every pod fails until the image is pulled " +
		"in another way; the kubelet should know the same image, or it may remove it as unused.",
	Since: Branches{{1, 0, 0}},
	Defaults: []Default{
		{Version{1, 0, 0}, "kubernetes/pause"},
		{Version{1, 11, 0}, "k8s.gcr.io/pause:3.1"},
		{Version{1, 18, 0}, "k8s.gcr.io/pause:3.2"},
		{Version{1, 21, 0}, "k8s.gcr.io/pause:3.5"},
		{Version{1, 23, 0}, "k8s.gcr.io/pause:3.6"},
		{Version{1, 24, 0}, "registry.k8s.io/pause:3.6"},
		{Version{1, 27, 1}, "registry.k8s.io/pause:3.9"},
		{Version{1, 31, 0}, "registry.k8s.io/pause:3.10"},
		{Version{1, 34, 0}, "registry.k8s.io/pause:3.10.1"},
	},
	Flags:       []Flag{{Version{1, 0, 0}, "--pause-image"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_PAUSE_IMAGE"}}},
	ReloadSince: Version{1, 15, 0},
	Rules:       []Rule{{Stage: Load, Since: Branches{{1, 29, 0}}, Check: text(image)}},
}}

// PauseImageAuthFile is crio.image.pause_image_auth_file.
var PauseImageAuthFile = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "pause_image_auth_file"},
	Kind: String,
	Text: "File with the registry credentials for pause_image alone. Empty takes the credentials of other " +
		"pulls. At a reload the file must exist.",
	Since:       Branches{{1, 12, 8}, {1, 13, 3}, {1, 14, 0}},
	Flags:       []Flag{{Version{1, 12, 8}, "--pause-image-auth-file"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_PAUSE_IMAGE_AUTH_FILE"}}},
	ReloadSince: Version{1, 15, 0},
}}

// PauseCommand is crio.image.pause_command.
var PauseCommand = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "pause_command"},
	Kind: String,
	Text: "Program that is run in pause_image. It must exist in that image; empty runs what the image itself " +
		"says.",
	Since:       Branches{{1, 0, 0}},
	Defaults:    []Default{{Version{1, 0, 0}, "/pause"}},
	Flags:       []Flag{{Version{1, 0, 0}, "--pause-command"}},
	Env:         []Env{{Version{1, 16, 0}, []string{"CONTAINER_PAUSE_COMMAND"}}},
	ReloadSince: Version{1, 15, 0},
}}

// PinnedImages is crio.image.pinned_images.
var PinnedImages = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "image", "pinned_images"},
	Kind: Strings,
	Text: "Images that the kubelet must not remove when the disk gets full. Names are exact, end in an asterisk " +
		"or have asterisks on both ends. The pause image is pinned in any case.",
	Since:       Branches{{1, 28, 0}},
	Flags:       []Flag{{Version{1, 28, 0}, "--pinned-images"}},
	Env:         []Env{{Version{1, 28, 0}, []string{"CONTAINER_PINNED_IMAGES"}}},
	ReloadSince: Version{1, 28, 0},
}}

// SignaturePolicy is crio.image.signature_policy.
var SignaturePolicy = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "signature_policy"},
	Kind: String,
	Text: "File that says which images are accepted by signature, in the format of policy.json. Empty takes the " +
		"policy of the system. A missing or wrong file does not stop the daemon, but every pull fails.",
	Since: Branches{{1, 0, 0}},
	Flags: []Flag{{Version{1, 0, 0}, "--signature-policy"}},
	Env:   []Env{{Version{1, 16, 0}, []string{"CONTAINER_SIGNATURE_POLICY"}}},
}}

// SignaturePolicyDir is crio.image.signature_policy_dir.
var SignaturePolicyDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "signature_policy_dir"},
	Kind: String,
	Text: "Directory with signature policies for single namespaces, one file NAMESPACE.json each. It must be an " +
		"absolute path and is created at start. A namespace without a file uses signature_policy.",
	Since:    Branches{{1, 27, 1}, {1, 28, 0}},
	Defaults: []Default{{Version{1, 27, 1}, "/etc/crio/policies"}},
	Flags:    []Flag{{Version{1, 27, 1}, "--signature-policy-dir"}},
	Env:      []Env{{Version{1, 27, 1}, []string{"CONTAINER_SIGNATURE_POLICY_DIR"}}},
	Rules:    []Rule{{Stage: Load, Check: text(absolutePath)}},
}}

// InsecureRegistries is crio.image.insecure_registries.
var InsecureRegistries = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "image", "insecure_registries"},
	Kind: Strings,
	Text: "Registries that may be spoken to without TLS or with a bad certificate. It is deprecated since 1.34 " +
		"and has no effect since 1.35; write insecure = true for the registry in registries.conf.",
	Since:      Branches{{1, 0, 0}},
	Deprecated: Version{1, 34, 0},
	ReplacedBy: "insecure entries of containers-registries.conf",
	Inert:      Version{1, 35, 0},
	Flags:      []Flag{{Version{1, 0, 0}, "--insecure-registry"}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_INSECURE_REGISTRY"}}},
}}

// ImageVolumes is crio.image.image_volumes.
var ImageVolumes = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "image_volumes"},
	Kind: String,
	Text: "What happens with the volumes that an image declares: \"mkdir\" makes an empty directory in the " +
		"container, \"bind\" mounts a directory of the host that CRI-O removes with the container, \"ignore\" " +
		"does neither. Other words are refused.",
	Since:    Branches{{1, 0, 0}},
	Defaults: []Default{{Version{1, 0, 0}, "mkdir"}},
	Flags:    []Flag{{Version{1, 0, 0}, "--image-volumes"}},
	Env:      []Env{{Version{1, 16, 0}, []string{"CONTAINER_IMAGE_VOLUMES"}}},
	Rules:    []Rule{{Stage: Load, Since: Branches{{1, 14, 0}}, Check: text(oneOf("mkdir", "bind", "ignore"))}},
}}

// BigFilesTemporaryDir is crio.image.big_files_temporary_dir.
var BigFilesTemporaryDir = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "big_files_temporary_dir"},
	Kind: String,
	Text: "Directory for the large temporary files of a pull. Empty means /var/tmp. Where that is small, large " +
		"images fail to pull with a full disk.",
	Since: Branches{{1, 19, 0}},
	Flags: []Flag{{Version{1, 19, 0}, "--big-files-temporary-dir"}},
	Env:   []Env{{Version{1, 19, 0}, []string{"CONTAINER_BIG_FILES_TEMPORARY_DIR"}}},
}}

// AutoReloadRegistries is crio.image.auto_reload_registries.
var AutoReloadRegistries = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "image", "auto_reload_registries"},
	Kind: Bool,
	Text: "Makes CRI-O watch registries.conf and its drop-ins and read them again when they change. With false " +
		"a reload or a restart is needed.",
	Since: Branches{{1, 30, 0}},
	Flags: []Flag{{Version{1, 30, 0}, "--auto-reload-registries"}},
	Env:   []Env{{Version{1, 30, 0}, []string{"AUTO_RELOAD_REGISTRIES"}}},
}}

// PullProgressTimeout is crio.image.pull_progress_timeout.
var PullProgressTimeout = Setting[time.Duration]{&Key{
	Path: keypath.Path{"crio", "image", "pull_progress_timeout"},
	Kind: Duration,
	Text: "How long a pull may go without any progress before it is given up. Write a duration such as \"30s\": a " +
		"bare number counts nanoseconds, so that 30 gives up at once. 0 means never, and also turns the " +
		"progress report off.",
	Since: Branches{{1, 30, 11}, {1, 31, 3}, {1, 32, 0}},
	Defaults: []Default{
		{Version{1, 30, 11}, 10 * time.Second},
		{Version{1, 30, 14}, time.Duration(0)},
		{Version{1, 31, 3}, 10 * time.Second},
		{Version{1, 31, 9}, time.Duration(0)},
		{Version{1, 32, 0}, 10 * time.Second},
		{Version{1, 32, 4}, time.Duration(0)},
	},
	Flags: []Flag{{Version{1, 30, 11}, "--pull-progress-timeout"}},
	Env:   []Env{{Version{1, 30, 11}, []string{"CONTAINER_PULL_PROGRESS_TIMEOUT"}}},
}}

// OCIArtifactMountSupport is crio.image.oci_artifact_mount_support.
var OCIArtifactMountSupport = Setting[bool]{&Key{
	Path: keypath.Path{"crio", "image", "oci_artifact_mount_support"},
	Kind: Bool,
	Text: "Lets pods mount OCI artifacts, which are not container images, as image volumes. With false such " +
		"pods fail to start.",
	Since:    Branches{{1, 33, 0}},
	Defaults: []Default{{Version{1, 33, 0}, true}},
	Flags:    []Flag{{Version{1, 33, 0}, "--oci-artifact-mount-support"}},
	Env:      []Env{{Version{1, 33, 0}, []string{"CONTAINER_OCI_ARTIFACT_SUPPORT"}}},
}}

// ShortNameMode is crio.image.short_name_mode.
var ShortNameMode = Setting[string]{&Key{
	Path: keypath.Path{"crio", "image", "short_name_mode"},
	Kind: String,
	Text: "What happens with an image name that has no registry and fits several: \"enforcing\" refuses it as " +
		"ambiguous, \"disabled\" takes the first registry that has it. Empty leaves it to registries.conf.",
	Since:    Branches{{1, 34, 0}},
	Defaults: []Default{{Version{1, 34, 0}, "enforcing"}},
	Flags:    []Flag{{Version{1, 34, 0}, "--short-name-mode"}},
	Env:      []Env{{Version{1, 34, 0}, []string{"CONTAINER_SHORT_NAME_MODE"}}},
	Rules:    []Rule{{Stage: Load, Check: text(oneOf("enforcing", "disabled", ""))}},
}}

// Registries is crio.image.registries.
var Registries = Setting[[]string]{&Key{
	Path: keypath.Path{"crio", "image", "registries"},
	Kind: Strings,
	Text: "Registries that were tried for an image name without one. It has no effect since 1.21, which warns " +
		"about it, and is ignored without a word since 1.31; use unqualified-search-registries in " +
		"registries.conf.",
	Since:      Branches{{1, 0, 0}},
	Removed:    Version{1, 31, 0},
	Deprecated: Version{1, 20, 0},
	ReplacedBy: "unqualified-search-registries of containers-registries.conf",
	Inert:      Version{1, 21, 0},
	Flags:      []Flag{{Version{1, 0, 0}, "--registry"}},
	Env:        []Env{{Version{1, 16, 0}, []string{"CONTAINER_REGISTRY"}}},
	Normalize:  []Normalization{{Stage: Load, Since: Branches{{1, 21, 0}}, Apply: dropped}},
}}
