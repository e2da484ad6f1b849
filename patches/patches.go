package patches

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/crioctl/crioctl-net/schema"
)

// A Purpose is what a patch is for, as its file is named.
type Purpose string

// The purposes.
const (
	// DisableHostportMapping makes a release that is older than the key read it.
	DisableHostportMapping Purpose = "disable-hostport-mapping"
	// RemoveWhileDisabled makes a release that reads the key remove mappings that
	// it made before the key was set.
	RemoveWhileDisabled Purpose = "remove-while-disabled"
)

// Purposes returns all purposes.
func Purposes() []Purpose { return []Purpose{DisableHostportMapping, RemoveWhileDisabled} }

// A File is one that a patch changes, with the SHA-256 of its bytes in lower-case
// hexadecimal digits.
type File struct {
	Path   string `json:"path"`   // with slashes, from the top of the source tree
	Before string `json:"before"` // "" for a file that the patch makes
	After  string `json:"after"`
}

// A Manifest says which source tree a patch is for and what it makes of it.
type Manifest struct {
	Name        string  `json:"name"`    // of the patch's file
	Release     string  `json:"release"` // the one release that it is for, "1.24.6"
	Tag         string  `json:"tag"`     // of that release in CRI-O's repository
	Commit      string  `json:"commit"`  // that the tag names
	Purpose     Purpose `json:"purpose"`
	PatchSHA256 string  `json:"patchSHA256"`
	Files       []File  `json:"files"`
}

// A Patch is a manifest and the unified diff that belongs to it.
type Patch struct {
	Manifest
	Version schema.Version // that of Release
	Text    []byte         // must not be changed

	inserts []fileInserts
}

// ErrNoPatch says that there is no patch for a release.
var ErrNoPatch = errors.New("no patch for this release")

// Read reads the patches of a folder: each NAME.patch with its NAME.json. They
// come by purpose, then by release, oldest first. A folder in which anything
// does not fit is an error: a patch that is none of this package's kind, a digest
// that differs, a file without its other half.
func Read(fsys fs.FS) ([]Patch, error) {
	diffs, err := fs.Glob(fsys, "*.patch")
	if err != nil {
		return nil, err
	}
	manifests, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, err
	}
	for _, m := range manifests {
		if base := strings.TrimSuffix(m, ".json"); !slices.Contains(diffs, base+".patch") {
			return nil, fmt.Errorf("%s: there is no %s.patch", m, base)
		}
	}
	var all []Patch
	for _, name := range diffs {
		p, err := read(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Patch) int {
		return cmp.Or(slices.Index(Purposes(), a.Purpose)-slices.Index(Purposes(), b.Purpose), a.Version.Compare(b.Version))
	})
	for i := range all[:max(0, len(all)-1)] {
		if all[i].Purpose == all[i+1].Purpose && all[i].Version == all[i+1].Version {
			return nil, fmt.Errorf("%s and %s are for the same release", all[i].Name, all[i+1].Name)
		}
	}
	return all, nil
}

func read(fsys fs.FS, name string) (Patch, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return Patch{}, err
	}
	about, err := fs.ReadFile(fsys, strings.TrimSuffix(name, ".patch")+".json")
	if err != nil {
		return Patch{}, err
	}
	p := Patch{Text: text}
	d := json.NewDecoder(bytes.NewReader(about))
	d.DisallowUnknownFields()
	if err := d.Decode(&p.Manifest); err != nil {
		return Patch{}, fmt.Errorf("its manifest: %w", err)
	}
	return p, p.settle(name)
}

// settle checks that manifest and diff are about the same.
func (p *Patch) settle(name string) error {
	var err error
	if p.Version, err = schema.ParseVersion(p.Release); err != nil {
		return fmt.Errorf("its manifest: %w", err)
	}
	switch {
	case p.Version.Patch < 0:
		return fmt.Errorf("its manifest names the release %s without a patch number", p.Release)
	case !slices.Contains(Purposes(), p.Purpose):
		return fmt.Errorf("its manifest names the unknown purpose %q", p.Purpose)
	case strings.TrimSuffix(p.Name, ".patch") != strings.TrimSuffix(name, ".patch"):
		return fmt.Errorf("its manifest calls it %q", p.Name)
	case digest(p.Text) != p.PatchSHA256:
		return fmt.Errorf("its SHA-256 is %s, not %s as its manifest says", digest(p.Text), p.PatchSHA256)
	}
	p.Name = strings.TrimSuffix(name, ".patch")
	if p.inserts, err = parse(p.Text); err != nil {
		return err
	}
	var told, touched []string
	for _, f := range p.Files {
		told = append(told, f.Path)
		if !hexDigest(f.After) || f.Before != "" && !hexDigest(f.Before) {
			return fmt.Errorf("its manifest has no SHA-256 of %s", f.Path)
		}
		if f.Before == f.After {
			return fmt.Errorf("its manifest says that %s does not change", f.Path)
		}
	}
	for _, f := range p.inserts {
		touched = append(touched, f.path)
	}
	slices.Sort(told)
	slices.Sort(touched)
	if !slices.Equal(told, touched) {
		return fmt.Errorf("its manifest lists %s, and it changes %s", strings.Join(told, ", "), strings.Join(touched, ", "))
	}
	for _, f := range p.inserts {
		if f.create != (p.file(f.path).Before == "") {
			return fmt.Errorf("diff and manifest do not agree on whether %s is a new file", f.path)
		}
	}
	return nil
}

func (p *Patch) file(path string) File {
	i := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == path })
	if i < 0 {
		return File{}
	}
	return p.Files[i]
}

// FileName returns the name under which the patch is kept.
func (p *Patch) FileName() string { return p.Name + ".patch" }

// Find returns the patch for a release. Without a patch number that for the last
// release of the minor is meant. ErrNoPatch is returned where there is none, also
// where the minor has one and that patch release has not: the line numbers of one
// are wrong in another.
func Find(all []Patch, purpose Purpose, v schema.Version) (Patch, error) {
	var others []string
	for _, p := range slices.Backward(all) {
		if p.Purpose != purpose || p.Version.Release() != v.Release() {
			continue
		}
		if v.Patch < 0 || v.Patch == p.Version.Patch {
			return p, nil
		}
		others = append(others, p.Release)
	}
	slices.Reverse(others)
	if len(others) > 0 {
		return Patch{}, fmt.Errorf("%w: %s %s; of this minor there is one for %s", ErrNoPatch, purpose, v, strings.Join(others, " and "))
	}
	return Patch{}, fmt.Errorf("%w: %s %s", ErrNoPatch, purpose, v)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func hexDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && s == strings.ToLower(s)
}
