package diag

// A Record is a diagnostic as JSON and YAML documents carry it. Its field names
// are a promise to programs: fields are added, never renamed or removed.
type Record struct {
	Code     Code     `json:"code"`
	Severity string   `json:"severity"`
	Effect   Effect   `json:"effect"`
	Message  string   `json:"message"`
	Detail   string   `json:"detail,omitempty"`
	Key      string   `json:"key,omitempty"`
	Location          // inlined
	Hint     string   `json:"hint,omitempty"`
	Suggest  string   `json:"suggest,omitempty"`
	Since    string   `json:"since,omitempty"`
	Until    string   `json:"until,omitempty"`
	Stage    string   `json:"stage,omitempty"`
	Related  []Nearby `json:"related,omitempty"`
}

// A Location is a Range as documents carry it. Lines and columns count from 1,
// columns in code points, the end is exclusive; what is not known is left out.
type Location struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`
}

// A Nearby is a Related as documents carry it.
type Nearby struct {
	Message string `json:"message"`
	Location
}

// Location returns r without its byte offsets.
func (r Range) Location() Location {
	return Location{File: r.File, Line: r.Start.Line, Column: r.Start.Col, EndLine: r.End.Line, EndColumn: r.End.Col}
}

// Record returns d as documents carry it.
func (d Diagnostic) Record() Record {
	r := Record{
		Code: d.Code, Severity: d.Severity.String(), Effect: d.Effect,
		Message: d.Summary, Detail: d.Detail, Key: d.Key.String(), Location: d.Range.Location(),
		Hint: d.Hint, Suggest: d.Suggest, Since: d.Since, Until: d.Until, Stage: d.Stage,
	}
	if r.Effect == "" {
		r.Effect = None
	}
	for _, n := range d.Related {
		r.Related = append(r.Related, Nearby{Message: n.Message, Location: n.Range.Location()})
	}
	return r
}

// Records returns the list as documents carry it. It is never nil, so that a
// document without findings has an empty list and not null.
func (l List) Records() []Record {
	rs := make([]Record, 0, len(l))
	for _, d := range l {
		rs = append(rs, d.Record())
	}
	return rs
}
