package diag

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// JUnit writes findings as a JUnit XML report: one test suite per file, in it
// one test case per diagnostic, and one case that passes for a file without
// any. Make one with NewJUnit, Add to it file by file, then Close it.
type JUnit struct {
	w       io.Writer
	options JUnitOptions
	started bool
}

// JUnitOptions say what a report looks like.
type JUnitOptions struct {
	Name    string                   // of the whole report
	FailOn  Severity                 // the lowest severity that is a failure; zero means Error. What is below passes and is told on system-out
	Sources func(file string) []byte // as in Printer
}

// NewJUnit returns a report that is written to w. Nothing is written before the
// first Add or Close.
func NewJUnit(w io.Writer, o JUnitOptions) *JUnit {
	if o.FailOn == 0 {
		o.FailOn = Error
	}
	return &JUnit{w: w, options: o}
}

// Add writes the suites of the files, in that order, and of whatever else the
// diagnostics are about. All diagnostics of one file belong into one call.
func (j *JUnit) Add(files []string, l List) error {
	if err := j.start(); err != nil {
		return err
	}
	names, by := groupByFile(files, l)
	for _, name := range names {
		if err := j.write(j.suite(name, by[name])); err != nil {
			return err
		}
	}
	return nil
}

// A Case is a test case with a name of its own: a check and what it came to.
type Case struct {
	Name     string
	Skipped  string // why it was not made, "" when it was
	Saw      string // what it has seen, told when it passes
	Findings List
}

// AddCases writes a suite of named cases. A case fails with the worst of its
// findings when that is at least what a report is to fail on; else it passes.
func (j *JUnit) AddCases(name string, cases []Case) error {
	if err := j.start(); err != nil {
		return err
	}
	s := suite{Name: clean(name), Tests: len(cases)}
	src := newSources(j.options.Sources)
	for _, c := range cases {
		t := j.named(src, c)
		t.ClassName = s.Name
		switch {
		case t.Failure != nil:
			s.Failures++
		case t.Skipped != nil:
			s.Skipped++
		}
		s.Cases = append(s.Cases, t)
	}
	return j.write(s)
}

func (j *JUnit) named(src *sources, c Case) testCase {
	t := testCase{Name: clean(c.Name)}
	text := strings.Join(cleanLines(c.Saw), "\n")
	worst := -1
	for i, d := range c.Findings {
		if text != "" {
			text += "\n"
		}
		text += Printer{}.one(src, d)
		if d.Severity >= j.options.FailOn && (worst < 0 || d.Severity > c.Findings[worst].Severity) {
			worst = i
		}
	}
	switch {
	case worst >= 0:
		d := c.Findings[worst]
		t.File, t.Line = clean(d.Range.File), d.Range.Start.Line
		t.Failure = &failure{Message: clean(d.Summary), Type: d.Severity.String(), Text: text}
		return t
	case c.Skipped != "" && len(c.Findings) == 0:
		t.Skipped = &skip{clean(c.Skipped)}
	}
	if text != "" {
		t.SystemOut = &output{Text: text}
	}
	return t
}

// Close writes the end of the report. It does not close the writer below.
func (j *JUnit) Close() error {
	if err := j.start(); err != nil {
		return err
	}
	_, err := io.WriteString(j.w, "</testsuites>\n")
	return err
}

func (j *JUnit) start() error {
	if j.started {
		return nil
	}
	j.started = true
	head, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
	}{Name: clean(j.options.Name)})
	if err != nil {
		return err
	}
	head = head[:len(head)-len("</testsuites>")]
	_, err = fmt.Fprintf(j.w, "%s%s\n", xml.Header, head)
	return err
}

func (j *JUnit) write(s suite) error {
	b, err := xml.MarshalIndent(s, "  ", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "%s\n", b)
	return err
}

type suite struct {
	XMLName  xml.Name   `xml:"testsuite"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []testCase `xml:"testcase"`
}

type testCase struct {
	Name      string   `xml:"name,attr"`
	ClassName string   `xml:"classname,attr"`
	File      string   `xml:"file,attr,omitempty"`
	Line      int      `xml:"line,attr,omitempty"`
	Skipped   *skip    `xml:"skipped"`
	Failure   *failure `xml:"failure"`
	SystemOut *output  `xml:"system-out"`
}

type skip struct {
	Message string `xml:"message,attr"`
}

type output struct {
	Text string `xml:",cdata"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// nowhere is the suite of diagnostics that are about no file.
const nowhere = "configuration"

func (j *JUnit) suite(file string, l List) suite {
	name := clean(file)
	if name == "" {
		name = nowhere
	}
	s := suite{Name: name}
	src := newSources(j.options.Sources)
	for _, d := range l {
		c := testCase{ClassName: name, File: clean(file), Line: d.Range.Start.Line}
		c.Name = clean(string(d.Code))
		if d.Range.Start.Line > 0 {
			c.Name = fmt.Sprintf("%d:%d: %s", d.Range.Start.Line, d.Range.Start.Col, c.Name)
		}
		text := Printer{}.one(src, d)
		if d.Severity >= j.options.FailOn {
			c.Failure = &failure{Message: clean(d.Summary), Type: d.Severity.String(), Text: text}
			s.Failures++
		} else {
			c.SystemOut = &output{Text: text}
		}
		s.Cases = append(s.Cases, c)
	}
	if len(s.Cases) == 0 {
		s.Cases = []testCase{{Name: "no findings", ClassName: name, File: clean(file)}}
	}
	s.Tests = len(s.Cases)
	return s
}

// groupByFile returns the diagnostics by the file that they are in, and the
// names of files and of those that come on top, in the order of the list.
func groupByFile(files []string, l List) ([]string, map[string]List) {
	by := make(map[string]List)
	var names []string
	for _, f := range files {
		if _, ok := by[f]; !ok {
			names = append(names, f)
			by[f] = nil
		}
	}
	for _, d := range l {
		f := d.Range.File
		if _, ok := by[f]; !ok {
			names = append(names, f)
		}
		by[f] = append(by[f], d)
	}
	return names, by
}
