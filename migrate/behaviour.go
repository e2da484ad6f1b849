package migrate

import "github.com/crioctl/crioctl-net/schema"

// A Behaviour is a change in CRI-O that no key shows.
type Behaviour struct {
	Code  string
	Since schema.Version // the first release that does so
	Text  string
}

// Behaviours lists them, oldest first. The caller owns the slice.
func Behaviours() []Behaviour { return nil }

func behavioursOf(r *Result) []Behaviour { return nil }
