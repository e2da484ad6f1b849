// Package patches holds the patches that make a release of CRI-O treat the
// hostport toggle better than it does as released, and puts them into a source
// tree.
//
// A patch of the purpose DisableHostportMapping lets a release before 1.28 read
// crio.runtime.disable_hostport_mapping. One of the purpose RemoveWhileDisabled
// lets a release from 1.28 on remove the mappings of a pod that was made before
// the key was set.
//
// A patch only adds lines, without context. Where they go is a line number, so
// that it fits one source tree only: that of the release in its Manifest, whose
// files are known by their digests before and after. Check says whether a tree
// is that one, and Apply changes all files of it or none:
//
//	p, err := patches.Find(all, patches.DisableHostportMapping, version)
//	report, err := p.Check(source)
//	report, err = p.Apply(source)
//
// The package prints nothing and runs nothing.
package patches
