package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crioctl/crioctl-net/crioconf/diag"
)

// APIVersion is the version of every document. It changes when a field changes
// its meaning or goes away; new fields do not change it.
const APIVersion = "crioctl-net/v1"

// Header opens every document.
type Header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// NewHeader returns the header of a document of that kind.
func NewHeader(kind string) Header { return Header{APIVersion: APIVersion, Kind: kind} }

// Target is what a command worked on.
type Target struct {
	Root          string `json:"root"`
	Config        string `json:"config"`
	ConfigDir     string `json:"configDir"`
	CRIOVersion   string `json:"crioVersion"`
	VersionSource string `json:"versionSource"`
}

// Origin is a place that sets a key. The value in force comes first, the ones
// it shadows follow, nearest first.
type Origin struct {
	Key    string `json:"key"`
	Kind   string `json:"kind"` // default, file, variable, flag
	Name   string `json:"name,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Value  any    `json:"value"`
	Active bool   `json:"active"`
}

// Result is the document of every command that changes something.
type Result struct {
	Header
	Changed     bool           `json:"changed"`
	Restarted   bool           `json:"restarted"`
	Reloaded    bool           `json:"reloaded"`
	RolledBack  bool           `json:"rolledBack"`
	DryRun      bool           `json:"dryRun"`
	Msg         string         `json:"msg"`
	Target      Target         `json:"target"`
	Before      map[string]any `json:"before"`
	After       map[string]any `json:"after"`
	Diff        string         `json:"diff"`
	Files       []string       `json:"files"`
	Transaction string         `json:"transaction,omitempty"`
	Unit        *Unit          `json:"unit,omitempty"`
	Unconfirmed *Unconfirmed   `json:"unconfirmed,omitempty"`
	Diagnostics []diag.Record  `json:"diagnostics"`
	Origins     []Origin       `json:"origins"`
	RestartMsg  string         `json:"restartMsg,omitempty"`
	Error       string         `json:"error,omitempty"`
	Hint        string         `json:"hint,omitempty"`
	ExitCode    int            `json:"exitCode"`

	// Report is what a command has to tell beyond the change of files.
	Report Report `json:"report,omitempty"`
	// Verdict ends a run that did its work with an exit code of its own.
	Verdict error `json:"-"`

	// Written is true once the files are in place. Changed says that they are
	// to be, and in the end whether they are.
	Written bool `json:"-"`
	// Made is the drop-in directory where it does not exist yet, else "".
	Made string `json:"-"`
	// Removed are those of Files that go away.
	Removed []string `json:"-"`
}

// A Report is the part of a Result that belongs to one command. In documents it
// is encoded as it is.
type Report interface {
	// WriteText writes it for people, below the outcome.
	WriteText(w io.Writer) error
}

// NewResult returns the document of a command that has changed nothing yet.
func NewResult(t Target) Result {
	return Result{
		Header:      NewHeader("Result"),
		Target:      t,
		Before:      map[string]any{},
		After:       map[string]any{},
		Files:       []string{},
		Diagnostics: []diag.Record{},
		Origins:     []Origin{},
	}
}

// Failure is the document of a command that came to no result of its own.
type Failure struct {
	Header
	Error    string `json:"error"`
	Hint     string `json:"hint,omitempty"`
	ExitCode int    `json:"exitCode"`
}

// Unit is the state of the crio unit as systemd told it after the work.
type Unit struct {
	Name        string `json:"name"`
	ActiveState string `json:"activeState"`
	SubState    string `json:"subState"`
	MainPID     uint32 `json:"mainPID,omitempty"`
	NRestarts   uint32 `json:"nRestarts"`
	JobResult   string `json:"jobResult,omitempty"`
}

// Unconfirmed says that the change is undone unless it is confirmed in time.
type Unconfirmed struct {
	Token    string    `json:"token"`
	Deadline time.Time `json:"deadline"`
	Timer    string    `json:"timer"` // the systemd unit that will undo it
}

// A Format is one of the formats of --output.
type Format string

// The formats. The last three are for commands that report findings.
const (
	Text   Format = "text"
	JSON   Format = "json"
	YAML   Format = "yaml"
	SARIF  Format = "sarif"
	GitHub Format = "github"
	JUnit  Format = "junit"
)

// Machine reports whether the format is for programs, so that nothing but the
// document may stand on standard output.
func (f Format) Machine() bool { return f != Text }

// WriteDocument writes doc as JSON or YAML. YAML is the same document with its
// keys in the order of JSON's tags sorted by name.
func WriteDocument(w io.Writer, f Format, doc any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("encode document: %w", err)
	}
	out := b.Bytes()
	if f == YAML {
		y, err := yaml.JSONToYAML(out)
		if err != nil {
			return fmt.Errorf("encode document: %w", err)
		}
		out = y
	}
	_, err := w.Write(out)
	return err
}
