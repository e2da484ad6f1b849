package crio

import (
	"errors"
	"io/fs"
)

// shipped is as much of the unit that comes with CRI-O as matters to flags and
// variables (cri-o contrib/systemd/crio.service, 1.16 to 1.36).
const shipped = `[Service]
EnvironmentFile=-/etc/sysconfig/crio
ExecStart=/usr/local/bin/crio $CRIO_CONFIG_OPTIONS $CRIO_RUNTIME_OPTIONS $CRIO_STORAGE_OPTIONS $CRIO_NETWORK_OPTIONS $CRIO_METRICS_OPTIONS
`

// ReadShipped returns the unit that a node would have with the unit file that
// comes with CRI-O: what its environment file says. It is for the root of a node
// whose unit file is not there to be read, and is an assumption about that node.
// An error is about an environment file that could not be read.
func ReadShipped(fsys fs.FS, display func(name string) string) (Unit, error) {
	if display == nil {
		display = func(name string) string { return "/" + name }
	}
	r := unitReader{fsys: fsys, display: display}
	r.unit.Name = "crio.service"
	for _, a := range parseUnitFile(newSource(r.unit.Name, []byte(shipped))) {
		r.assign(a)
	}
	r.environment()
	r.command()
	return r.unit, errors.Join(r.errs...)
}

// EnvFileWords returns the words that $NAME in a command line stands for, with
// the variable of that name in an environment file. It is for files whose unit
// is not there to be read.
func EnvFileWords(fsys fs.FS, file string, display func(name string) string, variable string) ([]Word, error) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	if display != nil {
		file = display(file)
	}
	var words []Word
	for _, v := range parseEnvFile(newSource(file, data)) {
		if v.name.String() != variable {
			continue
		}
		words = nil // a later line wins
		parts, _ := splitWords(v.value, relaxed)
		for _, w := range parts {
			words = append(words, Word{w.String(), w.span()})
		}
	}
	return words, nil
}
