// Package kubernetes holds the DaemonSet of package render to the types of the
// Kubernetes API and to what a reviewer asks of a pod. It is a module of its own,
// so that the API stays out of the go.mod of the product.
package kubernetes

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	labelvalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/crioctl/crioctl-net/crioconf/render"
	"github.com/crioctl/crioctl-net/schema"
)

func version(t *testing.T, s string) schema.Version {
	t.Helper()
	v, err := schema.ParseVersion(s)
	require.NoError(t, err)
	return v
}

var dropIns = []render.File{
	{Path: "/etc/crio/crio.conf.d/30-metrics.conf", Data: []byte("[crio.metrics]\nenable_metrics = true\n")},
	{Path: "/etc/crio/crio.conf.d/20-crlf", Data: []byte("[crio.runtime]\r\nlog_level = \"warn\"\r\n")},
	{Path: "/etc/crio/crio.conf.d/empty", Data: nil},
}

// variants are the options that change the form of the result.
func variants(t *testing.T) map[string]render.DaemonSetOptions {
	disable := []string{"hostport", "disable"}
	return map[string]render.DaemonSetOptions{
		"hostport":   {Image: "example.org/crioctl-net:1.0", CRIO: version(t, "1.30"), Command: disable},
		"on delete":  {Image: "a", CRIO: version(t, "1.31.2"), Command: disable, Update: render.OnDelete},
		"old":        {Image: "a@sha256:00", CRIO: version(t, "1.29"), Command: disable},
		"drop-ins":   {Image: "a", CRIO: version(t, "1.36"), DropIns: dropIns},
		"one node":   {Image: "a", CRIO: version(t, "1.36"), Command: disable, NodeSelector: map[string]string{"example.org/pool": "x", "y": ""}},
		"more paths": {Image: "a", CRIO: version(t, "1.36"), Command: disable, HostPaths: []string{"/etc/sysconfig", "/etc/default"}, Timeout: 5 * time.Minute},
		"named":      {Image: "a", CRIO: version(t, "1.36"), Command: disable, Name: "hostport-off", Namespace: "kube-system"},
	}
}

// A base is the manifests as Kubernetes reads them.
type base struct {
	namespace core.Namespace
	account   core.ServiceAccount
	config    *core.ConfigMap
	set       apps.DaemonSet
}

// strict decodes as the API server does that is asked to refuse what it does not
// know: letter case counts, and no field stands twice.
func strict(data []byte, into runtime.Object) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{core.AddToScheme, apps.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	codecs := serializer.NewCodecFactory(scheme, serializer.EnableStrict)
	_, _, err := codecs.UniversalDeserializer().Decode(data, nil, into)
	return err
}

func decode(t *testing.T, list []render.Manifest) base {
	t.Helper()
	var b base
	var k struct {
		APIVersion, Kind string
		Resources        []string
	}
	require.Equal(t, render.Kustomization, list[0].Name)
	require.NoError(t, yaml.UnmarshalStrict(list[0].Data, &k))
	require.Equal(t, "kustomize.config.k8s.io/v1beta1 Kustomization", k.APIVersion+" "+k.Kind)
	var resources []string
	for _, m := range list[1:] {
		resources = append(resources, m.Name)
		var into runtime.Object
		switch m.Name {
		case "namespace.yaml":
			into = &b.namespace
		case "serviceaccount.yaml":
			into = &b.account
		case "configmap.yaml":
			b.config = &core.ConfigMap{}
			into = b.config
		case "daemonset.yaml":
			into = &b.set
		}
		require.NotNil(t, into, m.Name)
		require.NoError(t, strict(m.Data, into), m.Name)
	}
	require.Equal(t, resources, k.Resources, "the kustomization lists every file")
	return b
}

func TestDaemonSet(t *testing.T) {
	for name, o := range variants(t) {
		t.Run(name, func(t *testing.T) {
			list, err := render.DaemonSet(o)
			require.NoError(t, err)
			again, err := render.DaemonSet(o)
			require.NoError(t, err)
			require.Equal(t, list, again, "the same bytes")
			b := decode(t, list)
			requireObjects(t, b, o)
			requirePod(t, b.set.Spec.Template.Spec)
			requireRollout(t, b.set, o)
			requireCommands(t, b, o)
			requireConfinement(t, b.set.Spec.Template, o)
		})
	}
}

// requireObjects demands names that Kubernetes takes and that fit together.
func requireObjects(t *testing.T, b base, o render.DaemonSetOptions) {
	t.Helper()
	require.Equal(t, "v1 Namespace", b.namespace.APIVersion+" "+b.namespace.Kind)
	require.Equal(t, "v1 ServiceAccount", b.account.APIVersion+" "+b.account.Kind)
	require.Equal(t, "apps/v1 DaemonSet", b.set.APIVersion+" "+b.set.Kind)
	require.Empty(t, validation.ValidateNamespaceName(b.namespace.Name, false))
	for _, in := range []string{b.account.Namespace, b.set.Namespace} {
		require.Equal(t, b.namespace.Name, in)
	}
	require.Equal(t, b.account.Name, b.set.Spec.Template.Spec.ServiceAccountName)
	require.Empty(t, validation.ValidateObjectMeta(&b.set.ObjectMeta, true, validation.NameIsDNSSubdomain, field.NewPath("metadata")))
	require.Empty(t, labelvalidation.ValidateLabels(b.set.Spec.Template.Labels, field.NewPath("labels")))
	require.Empty(t, validation.ValidateAnnotations(b.set.Spec.Template.Annotations, field.NewPath("annotations")))
	require.Empty(t, labelvalidation.ValidateLabels(b.set.Spec.Template.Spec.NodeSelector, field.NewPath("nodeSelector")))
	for k, v := range b.set.Spec.Selector.MatchLabels {
		require.Equal(t, v, b.set.Spec.Template.Labels[k], "the selector selects the pods")
	}
	require.Equal(t, "privileged", b.namespace.Labels["pod-security.kubernetes.io/enforce"])
	require.False(t, *b.account.AutomountServiceAccountToken)
	if o.DropIns == nil {
		require.Nil(t, b.config)
		return
	}
	for _, f := range o.DropIns {
		name := path.Base(f.Path)
		got := b.config.BinaryData[name]
		if text, ok := b.config.Data[name]; ok {
			got = []byte(text)
		}
		require.Equal(t, string(f.Data), string(got), name)
	}
	require.Len(t, o.DropIns, len(b.config.Data)+len(b.config.BinaryData))
}

// requirePod demands what holds for each container and its mounts.
func requirePod(t *testing.T, pod core.PodSpec) {
	t.Helper()
	require.False(t, pod.HostNetwork || pod.HostPID || pod.HostIPC, "no host namespace")
	require.False(t, *pod.AutomountServiceAccountToken)
	require.Equal(t, "system-node-critical", pod.PriorityClassName)
	require.Equal(t, "linux", pod.NodeSelector["kubernetes.io/os"])
	require.Equal(t, []core.Toleration{{Operator: core.TolerationOpExists}}, pod.Tolerations)
	require.Equal(t, core.SeccompProfileTypeRuntimeDefault, pod.SecurityContext.SeccompProfile.Type)

	volumes := map[string]core.Volume{}
	for _, v := range pod.Volumes {
		require.NotContains(t, volumes, v.Name)
		volumes[v.Name] = v
	}
	mounted := map[string]bool{}
	all := slices.Concat(pod.InitContainers, pod.Containers)
	require.Len(t, all, 2)
	for _, c := range all {
		require.Equal(t, all[0].Image, c.Image)
		s := c.SecurityContext
		require.False(t, *s.Privileged)
		require.False(t, *s.AllowPrivilegeEscalation)
		require.True(t, *s.ReadOnlyRootFilesystem)
		require.Zero(t, *s.RunAsUser)
		require.Equal(t, []core.Capability{"ALL"}, s.Capabilities.Drop)
		require.Empty(t, s.Capabilities.Add)
		require.NotZero(t, c.Resources.Limits.Memory().Value())
		require.NotZero(t, c.Resources.Requests.Cpu().MilliValue())
		places := map[string]bool{}
		for _, m := range c.VolumeMounts {
			v, ok := volumes[m.Name]
			require.True(t, ok, "%s: the mount %s has a volume", c.Name, m.Name)
			mounted[m.Name] = true
			require.False(t, places[m.MountPath])
			places[m.MountPath] = true
			if v.HostPath == nil {
				continue
			}
			require.Equal(t, v.HostPath.Path, m.MountPath, "a path of the host is at its own place")
			require.NotEmpty(t, *v.HostPath.Type, "a missing directory is told")
			writes := slices.Contains([]string{"/etc/crio", "/var/lib/crioctl-net"}, m.MountPath) && c.Name == "change"
			require.Equal(t, !writes, m.ReadOnly, "%s: %s", c.Name, m.MountPath)
		}
	}
	require.Len(t, mounted, len(volumes), "no volume without a mount")
	for _, v := range volumes {
		if v.HostPath != nil {
			require.NotContains(t, []string{"/", "/etc", "/var", "/var/lib", "/run", "/usr"}, v.HostPath.Path)
		}
	}
}

func requireRollout(t *testing.T, set apps.DaemonSet, o render.DaemonSetOptions) {
	t.Helper()
	u := set.Spec.UpdateStrategy
	if o.Update == render.OnDelete {
		require.Equal(t, apps.OnDeleteDaemonSetStrategyType, u.Type)
		require.Nil(t, u.RollingUpdate)
		return
	}
	require.Equal(t, apps.RollingUpdateDaemonSetStrategyType, u.Type)
	require.Equal(t, 1, u.RollingUpdate.MaxUnavailable.IntValue())
	require.Nil(t, u.RollingUpdate.MaxSurge)
	require.Positive(t, set.Spec.MinReadySeconds)
}

func requireCommands(t *testing.T, b base, o render.DaemonSetOptions) {
	t.Helper()
	pod := b.set.Spec.Template.Spec
	change := pod.InitContainers[0].Command
	require.Contains(t, change, "--not-again")
	require.Equal(t, o.CRIO.String(), change[slices.Index(change, "--crio-version")+1])
	timeout, err := time.ParseDuration(change[slices.Index(change, "--timeout")+1])
	require.NoError(t, err)
	require.Greater(t, float64(*pod.TerminationGracePeriodSeconds), 2*timeout.Seconds(), "time for the change and for its undoing")
	probe := pod.Containers[0].ReadinessProbe
	require.Equal(t, []string{"crioctl-net", "doctor", "--quiet", "--crio-version", o.CRIO.String()}, probe.Exec.Command)
	require.Less(t, probe.TimeoutSeconds, probe.PeriodSeconds)
	require.Nil(t, pod.Containers[0].LivenessProbe, "a restart of the pod would heal nothing")
	if o.DropIns == nil {
		require.Equal(t, o.Command, change[1:1+len(o.Command)])
		return
	}
	require.Equal(t, []string{"apply", "--prune", "/drop-ins"}, change[1:4])
	require.Regexp(t, regexp.MustCompile(`^[0-9a-f]{64}$`), b.set.Spec.Template.Annotations["crioctl-net/drop-ins-sha256"])
}

// requireConfinement demands that AppArmor is named in the way of the release.
func requireConfinement(t *testing.T, pod core.PodTemplateSpec, o render.DaemonSetOptions) {
	t.Helper()
	require.Equal(t, "spc_t", pod.Spec.SecurityContext.SELinuxOptions.Type)
	annotated := 0
	for key, value := range pod.Annotations {
		if strings.HasPrefix(key, core.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix) {
			annotated++
			require.Equal(t, core.DeprecatedAppArmorBetaProfileNameUnconfined, value)
		}
	}
	if o.CRIO.Less(schema.Version{Major: 1, Minor: 30}) {
		require.Nil(t, pod.Spec.SecurityContext.AppArmorProfile)
		require.Equal(t, 2, annotated)
		return
	}
	require.Zero(t, annotated)
	require.Equal(t, core.AppArmorProfileTypeUnconfined, pod.Spec.SecurityContext.AppArmorProfile.Type)
}

// TestStream demands that what is printed is the same objects, and none that a
// cluster does not know.
func TestStream(t *testing.T) {
	list, err := render.DaemonSet(variants(t)["drop-ins"])
	require.NoError(t, err)
	var kinds []string
	for _, part := range bytes.Split(render.Stream(list), []byte("\n---\n")) {
		var o struct{ Kind string }
		require.NoError(t, yaml.Unmarshal(part, &o))
		kinds = append(kinds, o.Kind)
	}
	require.Equal(t, []string{"Namespace", "ServiceAccount", "ConfigMap", "DaemonSet"}, kinds)
}

// TestOtherDropInsMakeOtherPods demands that the pods are replaced when a drop-in
// changes in any way, and that its order does not count.
func TestOtherDropInsMakeOtherPods(t *testing.T) {
	digest := func(files ...render.File) string {
		list, err := render.DaemonSet(render.DaemonSetOptions{Image: "a", CRIO: version(t, "1.36"), DropIns: files})
		require.NoError(t, err)
		return decode(t, list).set.Spec.Template.Annotations["crioctl-net/drop-ins-sha256"]
	}
	a, b := dropIns[0], dropIns[1]
	require.Equal(t, digest(a, b), digest(b, a))
	renamed := a
	renamed.Path += "x"
	changed := a
	changed.Data = append(slices.Clone(a.Data), '\n')
	seen := []string{digest(a, b)}
	for _, files := range [][]render.File{{a}, {b}, {renamed, b}, {changed, b}} {
		require.NotContains(t, seen, digest(files...))
		seen = append(seen, digest(files...))
	}
}

// TestStrictDecodingCanFail shows that the strict decoder above sees a slip.
func TestStrictDecodingCanFail(t *testing.T) {
	list, err := render.DaemonSet(variants(t)["hostport"])
	require.NoError(t, err)
	for _, spoil := range []*strings.Replacer{
		strings.NewReplacer("readOnlyRootFilesystem", "readOnlyRootFileSystem"),
		strings.NewReplacer("maxUnavailable: 1", "maxUnavailable: [1]"),
		strings.NewReplacer("priorityClassName", "serviceAccountName"),
	} {
		var set apps.DaemonSet
		require.Error(t, strict([]byte(spoil.Replace(string(list[len(list)-1].Data))), &set))
	}
}
