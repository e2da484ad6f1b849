package apply

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf"
)

// A Source is a drop-in that the arguments name.
type Source struct {
	Name string // in the drop-in directory
	From string // as a person knows it
	Data []byte
}

// Read reads what the arguments name: files, directories for the files in them,
// and - for standard input under the name that the flag gives. Two files of one
// name are a mistake.
func Read(s *session.Session, args []string, name, flag string) ([]Source, error) {
	var all []Source
	from := map[string]string{}
	add := func(name, arg string, data []byte) error {
		if other, ok := from[name]; ok {
			return exit.Errorf(exit.Usage, "%s and %s both become the drop-in %s", other, arg, name)
		}
		from[name] = arg
		all = append(all, Source{name, arg, data})
		return nil
	}
	for _, arg := range args {
		if arg == "-" {
			data, err := readStdin(s, name, flag)
			if err == nil {
				err = add(name, stdin, data)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		files, err := expand(arg)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			data, err := readFile(f)
			if err == nil {
				err = add(filepath.Base(f), f, data)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, exit.Errorf(exit.Usage, "there is no file in %s", strings.Join(args, " "))
	}
	return all, nil
}

// stdin is what people know standard input as.
const stdin = "standard input"

// expand lists the files of a directory, or the file itself. Hidden files are
// left out: CRI-O would read them, and nobody means to install an editor's.
func expand(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	if !info.IsDir() {
		return []string{arg}, nil
	}
	entries, err := os.ReadDir(arg)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(arg, e.Name()))
		}
	}
	return files, nil
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, exit.With(exit.Impossible, err)
	case !info.Mode().IsRegular():
		return nil, exit.Errorf(exit.Impossible, "%s: not a regular file", name)
	case info.Size() > crioconf.MaxFileSize:
		return nil, exit.Errorf(exit.Impossible, "%s: %d MiB are too large for a drop-in", name, info.Size()>>20)
	case strings.HasPrefix(filepath.Base(name), "."):
		return nil, exit.Errorf(exit.Usage, "%s: a hidden file is no drop-in", name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, exit.With(exit.Impossible, err)
	}
	return data, nil
}

func readStdin(s *session.Session, name, flag string) ([]byte, error) {
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return nil, exit.Errorf(exit.Usage, "standard input needs %s, the plain name of a drop-in such as 20-network.conf", flag)
	}
	data, err := io.ReadAll(io.LimitReader(s.In, crioconf.MaxFileSize+1))
	if err != nil {
		return nil, exit.With(exit.Impossible, fmt.Errorf("read standard input: %w", err))
	}
	if len(data) > crioconf.MaxFileSize {
		return nil, exit.Errorf(exit.Impossible, "standard input is too large for a drop-in")
	}
	return data, nil
}
