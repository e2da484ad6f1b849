package patches

import "embed"

// folder holds this package's folder and never changes.
//
//go:embed *.patch *.json
var folder embed.FS

// All returns the patches that come with this package. An error says that it was
// built from a damaged folder.
func All() ([]Patch, error) { return Read(folder) }
