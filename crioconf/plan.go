package crioconf

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/crioconf/tomlfile"
)

// DropInName is the name of the drop-in that this project writes: above the
// files of vendors and generators, below an administrator's 90s.
const DropInName = "60-crioctl-net.conf"

// DropInHeader opens a drop-in that this project makes.
const DropInHeader = `# Written by crioctl-net. CRI-O reads every file of this directory;
# run "crioctl-net show --origin" to see which of them sets a key.
`

// An Op says what a Request wants of its key.
type Op uint8

// Set makes Value the effective value. Release does the same, but first takes
// back what stands in our own drop-in, so that nothing of ours stays when the
// rest of the configuration already gives Value. Unset takes the key out of one
// file, whatever is in force afterwards.
const (
	Set Op = iota + 1
	Release
	Unset
)

// A Request is one wanted change of one key.
type Request struct {
	Op    Op
	Key   keypath.Path // concrete, as CRI-O spells it
	Value any          // of the key's kind; ignored by Unset
	In    string       // the file to change, a name in the file system; "" lets the planner choose
	Owner func(name string, src []byte) *Owner
	// Always makes Set write the key even where Value is in force already, for a
	// file that is to say it whatever else a node has.
	Always bool
}

// An Owner is somebody else who generates a file, so that an edit would be lost
// or make trouble.
type Owner struct {
	Name string // "machine-config-operator", "the package cri-o"
	Way  string // how that owner wants it changed, a sentence
}

// A FileChange is the new content of one file. Before is nil for a new file,
// After for one to be removed.
type FileChange struct {
	Name          string
	Before, After []byte
}

// A Planned is what a request comes to.
type Planned struct {
	Before, After       Value
	HadBefore, HasAfter bool
	Files               []FileChange // empty: nothing to do
	Config              *Config      // the configuration afterwards
	Diagnostics         diag.List    // of the configuration afterwards
	Changes             []Change     // every key whose effective value changes
}

// Changed reports whether files are to be written.
func (p *Planned) Changed() bool { return len(p.Files) > 0 }

// A Refusal says that a request cannot have its effect. Nothing was planned.
type Refusal struct {
	Reason  error  // one of the Err values below
	Summary string // what stands in the way, with file:line:col
	Hint    string // the way out
}

// Error returns the summary.
func (r *Refusal) Error() string { return r.Summary }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Reason }

// The reasons of a Refusal.
var (
	ErrLaterWins   = errors.New("something later wins")
	ErrForeignFile = errors.New("the file has another owner")
	ErrKeyUnread   = errors.New("this CRI-O does not read the key")
	ErrFileUnread  = errors.New("CRI-O does not read the file")
)

// Plan works out the file changes that give the request its effect, and proves
// on the merged result that they do. It changes nothing; c stays as it is.
//
// Where the key is in force in a file of the administrator's, that file is
// edited in place. Else our own drop-in is written, if it is read after the
// place that is in force.
func (c *Config) Plan(r Request) (*Planned, error) {
	if key, _ := c.schema.Lookup(r.Key); key == nil {
		return nil, &Refusal{Reason: ErrKeyUnread, Summary: fmt.Sprintf("CRI-O %s does not read %s", c.Version(), r.Key)}
	}
	p := planner{config: c, req: r}
	switch {
	case c.layout.DropInDir != "" && c.hasDropIns():
		p.ours = path.Join(c.dropInDir(), DropInName)
	default:
		p.ours = c.layout.Main // a release, or a unit, without drop-ins
	}
	if p.ours == "" {
		return nil, &Refusal{Reason: ErrFileUnread, Summary: "CRI-O is told to read no file at all", Hint: "Take --config and --config-dir out of the unit."}
	}
	if r.In != "" && !c.reads(r.In) {
		return nil, &Refusal{
			Reason:  ErrFileUnread,
			Summary: fmt.Sprintf("CRI-O does not read %s", c.options.display(r.In)),
			Hint:    fmt.Sprintf("Name a file in %s.", c.options.display(c.dropInDir())),
		}
	}
	after, err := p.plan()
	if err != nil {
		return nil, err
	}
	return p.finish(after), nil
}

type planner struct {
	config *Config
	req    Request
	ours   string
}

// plan returns the configuration with the wanted effect.
func (p *planner) plan() (*Config, error) {
	c := p.config
	if p.req.Op == Unset {
		return p.unset(c)
	}
	if p.satisfied(c) && !p.req.Always {
		return c, nil
	}
	if p.req.Op == Release && p.req.In == "" {
		released, err := p.withdraw(c)
		if err != nil {
			return nil, err
		}
		if p.satisfied(released) {
			return released, nil
		}
		c = released
	}
	target, err := p.target(c)
	if err != nil {
		return nil, err
	}
	c, err = p.write(c, target)
	if err != nil {
		return nil, err
	}
	if !p.satisfied(c) {
		v, _ := c.Lookup(p.req.Key)
		return nil, p.laterWins(v.Origin)
	}
	return c, nil
}

func (p *planner) satisfied(c *Config) bool {
	v, ok := c.Lookup(p.req.Key)
	return ok && Equal(v.V, p.req.Value)
}

// target chooses the file to write.
func (p *planner) target(c *Config) (string, error) {
	v, _ := c.Lookup(p.req.Key)
	if v.Origin.Kind == Flag || v.Origin.Kind == Variable {
		return "", p.laterWins(v.Origin)
	}
	if p.req.In != "" {
		return p.req.In, p.foreign(c, p.req.In)
	}
	// A key that an entry leaves out has the place of the entry: there it goes.
	if v.Origin.Range.IsZero() {
		return p.ours, nil
	}
	file := c.canonical(v.Origin.Range.File)
	if file == p.ours {
		return p.ours, nil
	}
	err := p.foreign(c, file)
	if err == nil {
		return file, nil
	}
	if c.readsBefore(file, p.ours) {
		return p.ours, nil
	}
	return "", err
}

// foreign returns a refusal when somebody else generates the file.
func (p *planner) foreign(c *Config, file string) error {
	if p.req.Owner == nil || file == p.ours {
		return nil
	}
	o := p.req.Owner(file, c.source(file))
	if o == nil {
		return nil
	}
	return &Refusal{
		Reason:  ErrForeignFile,
		Summary: fmt.Sprintf("%s belongs to %s", c.options.display(file), o.Name),
		Hint:    o.Way,
	}
}

func (p *planner) laterWins(o Origin) error {
	r := &Refusal{Reason: ErrLaterWins}
	switch o.Kind {
	case Flag:
		r.Summary = fmt.Sprintf("%s: the flag %s of the unit sets %s = %s and wins over every file", o.Range, o.Name, p.req.Key, FormatValue(o.Value))
		r.Hint = "Change it there, run \"systemctl daemon-reload\", and run this again."
	case Variable:
		r.Summary = fmt.Sprintf("%s: the variable %s of the unit sets %s = %s and wins over every file", o.Range, o.Name, p.req.Key, FormatValue(o.Value))
		r.Hint = "Change it there, run \"systemctl daemon-reload\" where it is a unit file, and run this again."
	default:
		r.Summary = fmt.Sprintf("%s sets %s = %s and is read later", o.Range, p.req.Key, FormatValue(o.Value))
		r.Hint = fmt.Sprintf("Change it there, or name that file with --in %s.", path.Base(o.Range.File))
	}
	return r
}

// write sets the key in the target file.
func (p *planner) write(c *Config, target string) (*Config, error) {
	f := c.file(target)
	if f == nil {
		f, _ = tomlfile.Parse(target, []byte(DropInHeader), c.schema.Dialect())
	}
	e := f.Edit()
	for _, set := range p.sets(c, f) {
		v, err := tomlValue(set.value)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", set.path, err)
		}
		if err := e.Set(set.path, v); err != nil {
			return nil, fmt.Errorf("edit %s: %w", c.options.display(target), err)
		}
	}
	edited, err := e.Apply()
	if err != nil {
		return nil, fmt.Errorf("edit %s: %w", c.options.display(target), err)
	}
	next, _ := c.With(target, edited.Source())
	return next, nil
}

type assignment struct {
	path  keypath.Path
	value any
}

// sets lists what has to be written so that the key alone changes. A key of a
// runtimes or workloads entry needs the whole entry beside it where the file
// does not have it yet, since CRI-O takes an entry from the last file that
// names it and drops what earlier ones said (cri-o pkg/config/config.go,
// UpdateFromDropInFile decodes into a map).
func (p *planner) sets(c *Config, f *tomlfile.File) []assignment {
	want := assignment{p.req.Key, p.req.Value}
	entry := c.entryOf(p.req.Key)
	if entry == nil || f.Root().At(entry) != nil {
		return []assignment{want}
	}
	var all []assignment
	for path, v := range c.All() {
		said := v.V
		if v.Adjusted {
			said = v.Origin.Value // CRI-O will put its own value in place again
		}
		if path.HasPrefix(entry) && !path.Equal(p.req.Key) && !IsZero(said) {
			all = append(all, assignment{path, said})
		}
	}
	return append(all, want)
}

// withdraw takes the key out of our own drop-in.
func (p *planner) withdraw(c *Config) (*Config, error) { return p.remove(c, p.ours) }

// unset takes the key out of the named file, else out of our own drop-in, else
// out of the file that is in force.
func (p *planner) unset(c *Config) (*Config, error) {
	switch {
	case p.req.In != "":
		if err := p.foreign(c, p.req.In); err != nil {
			return nil, err
		}
		return p.remove(c, p.req.In)
	case p.has(c, p.ours):
		return p.remove(c, p.ours)
	}
	v, ok := c.Lookup(p.req.Key)
	if !ok || v.Origin.Kind == Default {
		return c, nil
	}
	if v.Origin.Kind != File {
		return nil, p.laterWins(v.Origin)
	}
	file := c.canonical(v.Origin.Range.File)
	if err := p.foreign(c, file); err != nil {
		return nil, err
	}
	return p.remove(c, file)
}

func (p *planner) has(c *Config, file string) bool {
	f := c.file(file)
	if f == nil {
		return false
	}
	_, m := f.Lookup(p.req.Key)
	return m != tomlfile.NoMatch
}

func (p *planner) remove(c *Config, file string) (*Config, error) {
	if !p.has(c, file) {
		return c, nil
	}
	mine := path.Base(file) == DropInName
	how := tomlfile.KeepComment
	if mine {
		how = tomlfile.WithComment
	}
	e := c.file(file).Edit()
	if err := e.Delete(p.req.Key, how); err != nil {
		return nil, fmt.Errorf("edit %s: %w", c.options.display(file), err)
	}
	edited, err := e.Apply()
	if err != nil {
		return nil, fmt.Errorf("edit %s: %w", c.options.display(file), err)
	}
	src := edited.Source()
	if mine && nothingLeft(edited) {
		src = nil
	}
	next, _ := c.With(file, src)
	return next, nil
}

// nothingLeft reports whether the drop-in says nothing any more: only our
// header and empty tables. A comment of a person's keeps the file.
func nothingLeft(f *tomlfile.File) bool {
	for range f.Entries() {
		return false
	}
	rest := strings.ReplaceAll(string(f.Source()), "\r\n", "\n")
	rest = strings.Replace(rest, DropInHeader, "", 1)
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if line == "" || line == "[crio]" {
			continue
		}
		// An empty table of a runtimes or workloads entry means something to
		// CRI-O; any other empty table does not.
		if !strings.HasPrefix(line, "[crio.") || strings.HasPrefix(line, "[crio.runtime.runtimes") || strings.HasPrefix(line, "[crio.runtime.workloads") {
			return false
		}
	}
	return true
}

// finish compares before and after and collects the files that changed.
func (p *planner) finish(after *Config) *Planned {
	out := &Planned{Config: after, Diagnostics: after.Diagnostics(), Files: p.config.changedFiles(after)}
	out.Before, out.HadBefore = p.config.Lookup(p.req.Key)
	out.After, out.HasAfter = after.Lookup(p.req.Key)
	if len(out.Files) > 0 {
		out.Changes = p.config.Diff(after)
	}
	return out
}

// file returns the layer's file of that name, nil when there is none.
func (c *Config) file(name string) *tomlfile.File {
	for _, l := range c.layers {
		if l.name == name {
			return l.file
		}
	}
	return nil
}

func (c *Config) source(name string) []byte {
	if f := c.file(name); f != nil {
		return f.Source()
	}
	return nil
}

// readsBefore reports whether CRI-O reads file a before file b, so that b wins.
func (c *Config) readsBefore(a, b string) bool {
	if a == c.layout.Main || b == c.layout.Main {
		return a == c.layout.Main && b != a
	}
	return walkOrder(a, b) < 0
}

// changedFiles lists the files that differ in d, in the order in which CRI-O
// reads them, those that d no longer has last.
func (c *Config) changedFiles(d *Config) []FileChange {
	var out []FileChange
	for _, l := range d.layers {
		after := l.file.Source()
		old := c.file(l.name)
		switch {
		case old == nil:
			out = append(out, FileChange{Name: l.name, After: after})
		case !bytes.Equal(old.Source(), after):
			out = append(out, FileChange{Name: l.name, Before: old.Source(), After: after})
		}
	}
	for _, l := range c.layers {
		if d.file(l.name) == nil {
			out = append(out, FileChange{Name: l.name, Before: l.file.Source()})
		}
	}
	return out
}

// tomlValue returns the value as the editor writes it.
func tomlValue(v any) (tomlfile.Value, error) {
	switch x := v.(type) {
	case bool:
		return tomlfile.BoolValue(x), nil
	case int64:
		return tomlfile.IntValue(x), nil
	case uint64:
		if x > math.MaxInt64 {
			return tomlfile.Value{}, fmt.Errorf("%d is more than TOML can hold", x)
		}
		return tomlfile.IntValue(int64(x)), nil
	case string:
		return tomlfile.StringValue(x), nil
	case time.Duration:
		return tomlfile.StringValue(x.String()), nil
	case []string:
		return tomlfile.StringsValue(x), nil
	case map[string]string:
		return tomlfile.StringMapValue(x), nil
	}
	return tomlfile.Value{}, fmt.Errorf("a %T cannot be written", v)
}

// entryOf returns the path of the runtimes or workloads entry that the key
// belongs to, nil when it belongs to none.
func (c *Config) entryOf(p keypath.Path) keypath.Path {
	key, _ := c.schema.Lookup(p)
	if key == nil {
		return nil
	}
	i := slices.Index(key.Path, "*")
	if i < 0 {
		return nil
	}
	return p[:i+1]
}

// Files returns the layers as sources, in the order in which CRI-O reads them.
// A drop-in has the name that it has in its directory.
func (c *Config) Files() []Source {
	out := make([]Source, len(c.layers))
	for i, l := range c.layers {
		name := l.name
		if l.role == DropIn {
			name = strings.TrimPrefix(strings.TrimPrefix(name, c.dropInDir()), "/")
		}
		if name == "" {
			name = path.Base(l.name) // the drop-in directory is a file
		}
		out[i] = Source{Name: name, Data: l.file.Source(), Role: l.role}
	}
	return out
}
