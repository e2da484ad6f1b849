package oracle

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
)

// A Report is the result of comparing many cases.
type Report struct {
	Scores        map[Cell]*Score
	Disagreements []Disagreement
}

// A Cell names a group of cases and a release.
type Cell struct{ Group, Version string }

// Run compares all cases, on all processors. The error is the first case that
// could not be asked.
func Run(cases []Case) (*Report, error) {
	type result struct {
		index  int
		report *Report
		err    error
	}
	jobs, results := make(chan int), make(chan result)
	var wait sync.WaitGroup
	var c comparer
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range jobs {
				r, err := c.one(cases[i])
				results <- result{i, r, err}
			}
		})
	}
	go func() {
		for i := range cases {
			jobs <- i
		}
		close(jobs)
		wait.Wait()
		close(results)
	}()
	parts := make([]*Report, len(cases))
	var failed error
	for r := range results {
		parts[r.index] = r.report
		failed = cmp.Or(failed, r.err)
	}
	if failed != nil {
		return nil, failed
	}
	all := &Report{Scores: map[Cell]*Score{}}
	for _, p := range parts {
		all.merge(p)
	}
	return all, nil
}

func (m *comparer) one(c Case) (*Report, error) {
	r := &Report{Scores: map[Cell]*Score{}}
	for _, o := range c.Outcomes {
		for _, v := range o.Versions {
			list, a, err := m.compare(c, v, o)
			if err != nil {
				return nil, fmt.Errorf("%s for %s: %w", c.ID, v, err)
			}
			r.score(Cell{c.Group(), v}).add(list, a, o)
			r.Disagreements = append(r.Disagreements, list...)
		}
	}
	return r, nil
}

func (r *Report) score(c Cell) *Score {
	if r.Scores[c] == nil {
		r.Scores[c] = &Score{}
	}
	return r.Scores[c]
}

func (r *Report) merge(other *Report) {
	for c, s := range other.Scores {
		to := r.score(c)
		to.Cases += s.Cases
		to.Refused += s.Refused
		to.Effective += s.Effective
		to.EffectiveOf += s.EffectiveOf
		to.Random += s.Random
		to.RandomOf += s.RandomOf
		to.Later += s.Later
	}
	r.Disagreements = append(r.Disagreements, other.Disagreements...)
}

// Print writes the agreements per group and release, then each disagreement.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "group\tversion\tcases\trefused or not\teffective\trandom\trefused later\t")
	for _, c := range slices.SortedFunc(maps.Keys(r.Scores), compareCells) {
		s := r.Scores[c]
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d/%d\t%d/%d\t%d\t\n",
			c.Group, c.Version, s.Cases, s.Refused, s.Effective, s.EffectiveOf, s.Random, s.RandomOf, s.Later)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, d := range r.Disagreements {
		if _, err := fmt.Fprintln(w, d); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d answers, %d disagreements\n", r.answers(), len(r.Disagreements))
	return err
}

func (r *Report) answers() int {
	n := 0
	for _, s := range r.Scores {
		n += s.Cases
	}
	return n
}

func compareCells(a, b Cell) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), minor(a.Version)-minor(b.Version))
}

func minor(version string) int {
	_, after, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(after)
	if err != nil {
		return 0
	}
	return n
}
