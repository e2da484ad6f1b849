package schema

import (
	"regexp"
	"strings"
	"sync"
)

// The grammar of image references, docker/reference/regexp.go of the image
// library. It is the same in the releases that check references, 1.29 to 1.36.
const (
	referenceDomainPart = `(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])`
	referenceDomain     = `(?:` + referenceDomainPart + `(?:\.` + referenceDomainPart + `)*)(?::[0-9]+)?`
	referencePathPart   = `[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`
	referenceTag        = `\w[\w.-]{0,127}`
	referenceDigest     = `[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[[:xdigit:]]{32,}`
)

var (
	imageReference = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(` + referenceDomain + `/` + referencePathPart + `(?:/` + referencePathPart + `)*)` +
			`(?::` + referenceTag + `)?(?:@(` + referenceDigest + `))?$`)
	})
	imageID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-f0-9]{64}$`) })
)

// referenceNameMax is the longest repository name, its registry included.
const referenceNameMax = 255

// digestLengths are the algorithms that opencontainers/go-digest knows, with
// the hex digits of each.
var digestLengths = map[string]int{"sha256": 64, "sha384": 96, "sha512": 128}

// image follows cri-o internal/storage/references and ParseNormalizedNamed of
// the image library. A short name is one of Docker Hub there, and a missing
// tag is latest.
func image(s string) *ValueError {
	if imageID().MatchString(s) {
		return valueErrorf("must be the name of an image, not an id")
	}
	full := withRegistry(s)
	m := imageReference().FindStringSubmatch(full)
	if m == nil {
		_, name, _ := strings.Cut(full, "/")
		name, _, _ = strings.Cut(strings.TrimPrefix(name, "library/"), ":")
		if strings.ToLower(name) != name {
			return &ValueError{Text: "must be an image in lower case", Near: strings.ReplaceAll(s, name, strings.ToLower(name))}
		}
		return valueErrorf("must be an image such as registry.k8s.io/pause:3.10, not %q", s)
	}
	if len(m[1]) > referenceNameMax {
		return valueErrorf("must have a name of %d characters or less", referenceNameMax)
	}
	if algorithm, digest, ok := strings.Cut(m[2], ":"); ok {
		if len(digest) != digestLengths[algorithm] || strings.ToLower(digest) != digest {
			return valueErrorf("has a digest that is no sha256, sha384 or sha512 in lower case")
		}
	}
	return nil
}

// withRegistry puts docker.io before a name without registry.
func withRegistry(s string) string {
	domain, rest, ok := strings.Cut(s, "/")
	isDomain := ok && (domain == "localhost" || strings.ContainsAny(domain, ".:"))
	if !isDomain {
		domain, rest = "docker.io", s
	}
	if domain == "index.docker.io" {
		domain = "docker.io"
	}
	if domain == "docker.io" && !strings.Contains(rest, "/") {
		rest = "library/" + rest
	}
	return domain + "/" + rest
}
