// Package check looks whether a literature service still is what its adapter
// takes it for: it sends one real request for each operation and compares the
// raw answers with the recorded shape, name by name and type by type.
//
// It must never pass over a difference: what the adapters tolerate in a run is
// named here. Start with Run.
package check

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/shape"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// Verdict on one operation.
type Verdict string

const (
	OK       Verdict = "ok"        // answered, in the known shape
	Changed  Verdict = "changed"   // answered with fields that are new; what is used is there
	Broken   Verdict = "broken"    // a field is gone or has another type, or records could not be used
	Failed   Verdict = "failed"    // no usable answer
	NotTried Verdict = "not tried" // nothing to ask about was found
	Absent   Verdict = "–"         // the service has no such operation
)

// Row is the verdict on one operation of one source.
type Row struct {
	Source      string             `json:"source"`
	Operation   string             `json:"operation"`
	Verdict     Verdict            `json:"verdict"`
	Records     int                `json:"records"`
	Detail      string             `json:"detail,omitempty"` // why, in a sentence
	Differences []shape.Difference `json:"differences,omitempty"`
	Outcome     state.Outcome      `json:"outcome,omitempty"` // of a failure
	Hint        string             `json:"hint,omitempty"`
}

// Tape keeps the answers of a client, as its recorder. Give it to the client
// that the source sends through. It is safe for concurrent use.
type Tape struct {
	mu   sync.Mutex
	kept []*fetch.Recording
}

// Load implements fetch.Recorder: nothing is ever answered from the tape.
func (t *Tape) Load(string) (*fetch.Recording, bool, error) { return nil, false, nil }

// Save implements fetch.Recorder.
func (t *Tape) Save(_ string, r *fetch.Recording) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, r)
	return nil
}

// take returns what was kept since the last call.
func (t *Tape) take() []*fetch.Recording {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.kept
	t.kept = nil
	return out
}

// wanted is how many hits the probe asks for: enough that what is usually
// there shows, and that one of them has a citation list.
const wanted = 10

// Run sends a search for terms (OR between them), then looks up what it found
// by each identifier scheme, and asks for references and citing works of the
// hits until one has a list. tape must be the recorder of the source's client.
// The rows are in a fixed order.
func Run(ctx context.Context, src sources.Source, tape *Tape, terms ...string) []Row {
	c := checker{ctx: ctx, src: src, tape: tape}
	tape.take()
	res, err := src.Search(ctx, sources.Request{Query: src.Write(sources.Expr{All: [][]string{terms}}), Limit: wanted, Op: "check: search"})
	c.judge("search", res, err)
	hits := res.Records
	c.lookups(hits)
	c.lists(hits)
	c.facts()
	return c.rows
}

type checker struct {
	ctx  context.Context
	src  sources.Source
	tape *Tape
	rows []Row
	met  []state.Record // by look-up, else by search
}

// judge turns the result of one call into a row.
func (c *checker) judge(operation string, res sources.Result, err error) Row {
	row := Row{Source: c.src.Name(), Operation: operation, Records: len(res.Records), Verdict: OK}
	var details []string
	for _, rec := range c.tape.take() {
		if rec.Failure != nil {
			continue
		}
		diffs, problem := c.compare(rec)
		if problem != "" {
			details = append(details, problem)
		}
		for _, d := range diffs {
			if !slices.Contains(row.Differences, d) {
				row.Differences = append(row.Differences, d)
			}
		}
	}
	for _, d := range row.Differences {
		switch {
		case d.Kind == shape.Missing || d.Kind == shape.Retyped:
			row.Verdict = Broken
		case d.Kind == shape.Unknown && row.Verdict == OK:
			row.Verdict = Changed
		}
	}
	for _, s := range res.Skips {
		details = append(details, fmt.Sprintf("%d not used: %s", s.Count, s.Reason))
	}
	switch {
	case err != nil:
		row.Outcome = sources.OutcomeOf(err)
		if row.Verdict != Broken {
			row.Verdict = Failed
		}
		details = append([]string{err.Error()}, details...)
	case len(res.Records) == 0:
		row.Verdict = Broken
		details = append([]string{"no record came back"}, details...)
	}
	row.Detail = strings.Join(details, "; ")
	c.rows = append(c.rows, row)
	return row
}

// compare looks for the shape of an answer. Answers of no known shape are named.
func (c *checker) compare(rec *fetch.Recording) ([]shape.Difference, string) {
	shaped, ok := c.src.(sources.Shaped)
	if !ok {
		return nil, "the adapter knows no shape to compare with"
	}
	for _, known := range shaped.Shapes() {
		re, err := regexp.Compile(known.Path + "$")
		if err != nil || !re.MatchString(rec.Path) {
			continue
		}
		s, err := shape.Decode(known.Text)
		if err != nil {
			return nil, fmt.Sprintf("the shape %s cannot be read: %v", known.Name, err)
		}
		diffs, err := s.Compare(rec.Body, known.At, known.Used, known.Needed)
		if err != nil {
			return nil, err.Error()
		}
		for i := range diffs {
			diffs[i].Path = known.Name + ": " + diffs[i].Path
		}
		return diffs, ""
	}
	return nil, fmt.Sprintf("no shape is known for answers to %s", rec.Path)
}

func (c *checker) absent(operation, why string) {
	verdict := Absent
	if why != "" {
		verdict = NotTried
	}
	c.rows = append(c.rows, Row{Source: c.src.Name(), Operation: operation, Verdict: verdict, Detail: why})
}

// lookups asks for hits by each identifier scheme that they have.
func (c *checker) lookups(hits []state.Record) {
	r, ok := c.src.(sources.Resolver)
	if !ok {
		c.absent("look-up", "")
		c.met = hits
		return
	}
	for _, scheme := range r.Schemes() {
		operation := "look-up by " + scheme
		var ids []state.IDs
		for _, h := range hits {
			if v := h.IDs[scheme]; v != "" && len(ids) < 2 {
				ids = append(ids, state.IDs{scheme: v})
			}
		}
		if len(ids) == 0 {
			c.absent(operation, "no hit has such an identifier")
			continue
		}
		res, err := r.Lookup(c.ctx, ids)
		row := c.judge(operation, res, err)
		if err == nil && row.Records < len(ids) {
			last := &c.rows[len(c.rows)-1]
			last.Detail = strings.TrimPrefix(last.Detail+fmt.Sprintf("; %d of %d came back", row.Records, len(ids)), "; ")
		}
		c.met = append(c.met, res.Records...)
	}
	if len(c.met) == 0 {
		c.met = hits
	}
}

// lists asks for references and citing works of one hit after the other until
// one has a list.
func (c *checker) lists(hits []state.Record) {
	citer, ok := c.src.(sources.Citer)
	if !ok {
		c.absent("references", "")
		c.absent("citing works", "")
		return
	}
	references, citing := citer.Cites()
	var related []state.Record
	for _, op := range []struct {
		name string
		has  bool
		list func(context.Context, sources.Seed, int) (sources.Result, error)
	}{{"references", references, citer.References}, {"citing works", citing, citer.Citing}} {
		if !op.has {
			c.absent(op.name, "")
			continue
		}
		tried := 0
		for _, h := range slices.Concat(hits, related) {
			seed := sources.Seed{IDs: map[string][]string{}, Title: h.Title, Year: h.Year}
			for scheme, v := range h.IDs {
				seed.IDs[scheme] = []string{v}
			}
			for _, a := range h.Authors {
				seed.Authors = append(seed.Authors, a.Name)
			}
			res, err := op.list(c.ctx, seed, wanted)
			out := sources.OutcomeOf(err)
			if out == state.NoList || out == state.Skipped || err == nil && len(res.Records) == 0 {
				tried++
				c.tape.take()
				continue
			}
			c.judge(op.name, res, err)
			related = append(related, res.Records[:min(len(res.Records), wanted)]...) // what is cited has a citing work
			tried = -1
			break
		}
		if tried >= 0 {
			c.absent(op.name, fmt.Sprintf("none of %d works has such a list", tried))
		}
	}
}

// facts looks whether what was met holds the places of full texts and the
// retraction status.
func (c *checker) facts() {
	links, status := 0, 0
	for _, r := range c.met {
		if len(r.Links) > 0 {
			links++
		}
		if r.Retraction != nil {
			status++
		}
	}
	for _, f := range []struct {
		name string
		n    int
	}{{"full-text locations", links}, {"retraction status", status}} {
		row := Row{Source: c.src.Name(), Operation: f.name, Verdict: OK, Records: f.n, Detail: fmt.Sprintf("in %d of %d records", f.n, len(c.met))}
		if f.n == 0 {
			row.Verdict = NotTried
			row.Detail = fmt.Sprintf("none of %d records says so", len(c.met))
		}
		c.rows = append(c.rows, row)
	}
}
