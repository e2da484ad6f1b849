package crio

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// unitDirs are the folders of unit files, highest precedence first; see
// systemd.unit(5), "Unit File Load Path".
var unitDirs = []string{
	"etc/systemd/system.control",
	"run/systemd/system.control",
	"run/systemd/transient",
	"run/systemd/generator.early",
	"etc/systemd/system",
	"etc/systemd/system.attached",
	"run/systemd/system",
	"run/systemd/system.attached",
	"run/systemd/generator",
	"usr/local/lib/systemd/system",
	"lib/systemd/system", // where it is a folder of its own, it goes before /usr/lib
	"usr/lib/systemd/system",
	"run/systemd/generator.late",
}

// ErrNoUnit says that no unit file of any of the names was found.
var ErrNoUnit = fmt.Errorf("no unit file: %w", fs.ErrNotExist)

// A finder looks for the files of units. Folders are listed once.
type finder struct {
	fsys  fs.FS
	dirs  []string // without those that are another name of an earlier one
	units map[string]entry
	errs  []error
}

// An entry is what stands under a unit's name in the first folder that has it.
type entry struct {
	path   string
	target string // of the symbolic link, "" for a plain file
}

func newFinder(fsys fs.FS) *finder {
	f := &finder{fsys: fsys, units: map[string]entry{}}
	for _, dir := range unitDirs {
		// On most systems /lib is a link to /usr/lib.
		if dir == "lib/systemd/system" && isLink(fsys, "lib") {
			continue
		}
		f.dirs = append(f.dirs, dir)
		for _, e := range f.list(dir) {
			name := e.Name()
			if !strings.HasSuffix(name, ".service") {
				continue
			}
			if _, known := f.units[name]; known {
				continue
			}
			p := path.Join(dir, name)
			u := entry{path: p}
			if e.Type()&fs.ModeSymlink != 0 {
				target, err := fs.ReadLink(fsys, p)
				f.fail(err)
				u.target = target
			}
			f.units[name] = u
		}
	}
	return f
}

func isLink(fsys fs.FS, name string) bool {
	i, err := fs.Lstat(fsys, name)
	return err == nil && i.Mode()&fs.ModeSymlink != 0
}

func (f *finder) fail(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.errs = append(f.errs, err)
	}
}

func (f *finder) list(dir string) []fs.DirEntry {
	entries, err := fs.ReadDir(f.fsys, dir)
	f.fail(err)
	return entries
}

// resolve follows aliases from name to the unit's own name: a link whose target
// has the name of another unit is an alias, any other link only says where the
// file is.
func (f *finder) resolve(name string) (id string, e entry, ok bool) {
	for range len(f.units) + 1 {
		e, ok = f.units[name]
		if !ok || e.target == "" || path.Base(e.target) == name {
			return name, e, ok
		}
		if _, alias := f.units[path.Base(e.target)]; !alias {
			return name, e, ok
		}
		name = path.Base(e.target)
	}
	return name, entry{}, false // a circle
}

// aliases returns all names that lead to the unit id, id first.
func (f *finder) aliases(id string) []string {
	var names []string
	for name := range f.units {
		if to, _, ok := f.resolve(name); ok && to == id && name != id {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return append([]string{id}, names...)
}

// dropIns returns the drop-ins of the unit in the order in which systemd
// applies them: by file name, wherever they are. Of several with one name the
// first folder's counts.
func (f *finder) dropIns(names []string) []string {
	var dirs []string
	for _, name := range append(dropInNames(names), "service") {
		for _, d := range f.dirs {
			dirs = append(dirs, path.Join(d, name+".d"))
		}
	}
	byName := map[string]string{}
	for _, dir := range dirs {
		for _, e := range f.list(dir) {
			name := e.Name()
			if !strings.HasSuffix(name, ".conf") || strings.HasPrefix(name, ".") || e.IsDir() {
				continue
			}
			if _, masked := byName[name]; !masked {
				byName[name] = path.Join(dir, name)
			}
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, byName[name])
	}
	return out
}

// dropInNames returns the names whose folders hold drop-ins of the unit: its
// own, and for a name with dashes those of its prefixes, cri-.service for
// cri-o.service.
func dropInNames(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, name)
		base := strings.TrimSuffix(name, ".service")
		for {
			i := strings.LastIndexByte(strings.TrimSuffix(base, "-"), '-')
			if i < 0 {
				break
			}
			base = base[:i+1]
			all = append(all, base+".service")
		}
	}
	return all
}
