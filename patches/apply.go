package patches

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A State is how a source tree, or a file of it, stands to a patch.
type State string

// The states. A tree some of whose files are as before and the others as after,
// as a killed run leaves it, is Partly: Apply brings it to its end.
const (
	Fits    State = "fits"    // as the patch needs it
	Applied State = "applied" // as the patch leaves it
	Partly  State = "partly"  // each file one or the other
	Differs State = "differs" // neither
)

// A FileState is one file of a source tree.
type FileState struct {
	Path   string `json:"path"`
	State  State  `json:"state"`
	SHA256 string `json:"sha256,omitempty"` // of what is there, "" where it could not be read
	Reason string `json:"reason,omitempty"` // why it Differs, a clause
}

// A Report is how a source tree stands to a patch, file by file in the order of
// the manifest.
type Report struct {
	State State
	Files []FileState
}

// A DifferError says that a source tree is not the one that a patch is for.
// Nothing was changed.
type DifferError struct {
	Patch *Patch
	Files []FileState // those that differ
}

// Error returns the text, with each file.
func (e *DifferError) Error() string {
	var files []string
	for _, f := range e.Files {
		files = append(files, f.Path+": "+f.Reason)
	}
	return fmt.Sprintf("this is not the source of CRI-O %s: %s", e.Patch.Release, strings.Join(files, "; "))
}

// Check compares the source tree below dir with the manifest. That the tree
// differs is no error here; an error says that it could not be looked at.
func (p *Patch) Check(dir string) (Report, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Report{}, fmt.Errorf("open the source tree: %w", err)
	}
	defer root.Close()
	r, _, err := p.plan(rootTree{root})
	return r, err
}

// Apply puts the patch into the source tree below dir: all files, or none. It
// writes only where each file is exactly as the manifest says, and what it writes
// is what the manifest says as well. Modes stay. In a tree that has the patch
// nothing is written. The report tells the state before; a tree of another
// release is a *DifferError.
func (p *Patch) Apply(dir string) (Report, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Report{}, fmt.Errorf("open the source tree: %w", err)
	}
	defer root.Close()
	return p.apply(rootTree{root})
}

func (p *Patch) apply(t tree) (Report, error) {
	r, writes, err := p.plan(t)
	if err != nil {
		return r, err
	}
	if err := r.Err(p); err != nil {
		return r, err
	}
	return r, replace(t, writes)
}

// Err returns a *DifferError where the tree is not the one that p is for.
func (r Report) Err(p *Patch) error {
	if r.State != Differs {
		return nil
	}
	e := &DifferError{Patch: p}
	for _, f := range r.Files {
		if f.State == Differs {
			e.Files = append(e.Files, f)
		}
	}
	return e
}

// plan looks at every file and works out what would be written.
func (p *Patch) plan(t tree) (Report, []write, error) {
	var r Report
	var writes []write
	count := map[State]int{}
	for _, f := range p.Files {
		data, mode, err := t.read(f.Path)
		if errors.Is(err, fs.ErrPermission) {
			return Report{}, nil, fmt.Errorf("read %s: %w", f.Path, err)
		}
		s := judge(f, data, err)
		r.Files = append(r.Files, s)
		count[s.State]++
		if s.State != Fits {
			continue
		}
		if f.Before == "" {
			mode = 0o644
		}
		after, err := p.insertsOf(f.Path).apply(data)
		if err == nil && digest(after) != f.After {
			err = fmt.Errorf("%s would not become what the manifest says", f.Path)
		}
		if err != nil {
			// Before is right, so the patch itself is wrong.
			return Report{}, nil, fmt.Errorf("%s: %w", p.FileName(), err)
		}
		writes = append(writes, write{f.Path, data, after, mode})
	}
	switch {
	case count[Differs] > 0:
		r.State = Differs
	case count[Applied] == 0:
		r.State = Fits
	case count[Fits] == 0:
		r.State = Applied
	default:
		r.State = Partly
	}
	return r, writes, nil
}

// judge compares what was read with the manifest.
func judge(f File, data []byte, err error) FileState {
	s := FileState{Path: f.Path, State: Differs}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.Before == "" {
			s.State = Fits
		} else {
			s.Reason = "it is missing"
		}
		return s
	case err != nil:
		s.Reason = reason(err)
		return s
	}
	s.SHA256 = digest(data)
	switch {
	case s.SHA256 == f.After:
		s.State = Applied
	case s.SHA256 == f.Before:
		s.State = Fits
	case f.Before == "":
		s.Reason = "it is there, and the patch makes it"
	case unixDigest(data) == f.Before, unixDigest(data) == f.After:
		s.Reason = "its lines end with CR LF"
	default:
		s.Reason = "its content is another one"
	}
	return s
}

func unixDigest(data []byte) string {
	return digest(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
}

// reason takes the path, which stands before it, out of an error.
func reason(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

func (p *Patch) insertsOf(path string) fileInserts {
	for _, f := range p.inserts {
		if f.path == path {
			return f
		}
	}
	return fileInserts{path: path}
}
