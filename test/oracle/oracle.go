// Package oracle compares the library with recorded answers of CRI-O's own
// loaders.
//
// An answer file has one configuration per line and what the configuration
// package of nineteen CRI-O releases made of it: whether it was refused, and
// which keys then differed from the built-in defaults. The files in this folder
// are compressed copies; others of the same form can be given by name.
package oracle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// A Case is one configuration with the recorded answers.
type Case struct {
	ID       string    `json:"id"`
	Files    []File    `json:"files"`
	Outcomes []Outcome `json:"outcomes"`
}

// Group returns the part of the ID before the first slash.
func (c Case) Group() string {
	group, _, _ := strings.Cut(c.ID, "/")
	return group
}

// A File is one file of a configuration: crio.conf, or one below crio.conf.d.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// An Outcome is what some releases made of a configuration.
type Outcome struct {
	Versions  []string       `json:"versions"`
	Result    Result         `json:"result"`
	Effective map[string]any `json:"effective"` // keys that differ from the defaults
	Gone      []string       `json:"gone"`      // keys of the defaults that are no longer there
	Error     string         `json:"error"`
}

// A Result is how loading ended.
type Result string

// The results.
const (
	OK       Result = "ok"
	Load     Result = "load"     // a file was refused
	Validate Result = "validate" // the whole was refused
	Panic    Result = "panic"    // the loader crashed
	Random   Result = "random"   // the runs did not agree
)

// Refused reports whether CRI-O does not start.
func (r Result) Refused() bool { return r == Load || r == Validate || r == Panic }

//go:embed *.jsonl.gz
var recorded embed.FS

// Recorded returns the names of the compressed files of this folder.
func Recorded() []string {
	names, err := recorded.ReadDir(".")
	if err != nil {
		return nil
	}
	var list []string
	for _, n := range names {
		list = append(list, n.Name())
	}
	return list
}

// ReadRecorded returns the cases of a file of this folder.
func ReadRecorded(name string) ([]Case, error) {
	data, err := recorded.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return decode(name, data)
}

// ReadFile returns the cases of a file, which may be compressed.
func ReadFile(name string) ([]Case, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return decode(name, data)
}

func decode(name string, data []byte) ([]Case, error) {
	if path.Ext(name) == ".gz" {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if data, err = io.ReadAll(z); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	d := json.NewDecoder(bufio.NewReader(bytes.NewReader(data)))
	d.UseNumber()
	var cases []Case
	for {
		var c Case
		switch err := d.Decode(&c); {
		case errors.Is(err, io.EOF):
			return cases, nil
		case err != nil:
			return nil, fmt.Errorf("%s: case %d: %w", name, len(cases)+1, err)
		}
		cases = append(cases, c)
	}
}
