// Package read turns documents into evidence: claims with quotes. One task is
// one document, read for all its assigned subquestions at once.
//
// The package must never let an item pass whose quote is not in the stored
// text: evidence.Check decides. Start with New.
package read

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/evidence"
	"optimistresearch/internal/lexical"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

//go:embed prompts
var prompts embed.FS

// Reader reads documents.
type Reader struct{ models steps.Models }

// New makes a reader.
func New(models steps.Models) *Reader { return &Reader{models: models} }

type answer struct {
	Items []item   `json:"items" jsonschema:"maxItems=40"`
	Notes string   `json:"notes"`
	Terms []string `json:"terms" jsonschema:"maxItems=12"`
}

type item struct {
	Subquestion string  `json:"subquestion"`
	Claim       string  `json:"claim"`
	Quote       string  `json:"quote"`
	Type        string  `json:"type" jsonschema:"enum=empirical,enum=theoretical,enum=review,enum=benchmark,enum=opinion"`
	Strength    float64 `json:"strength" jsonschema:"minimum=0,maximum=1"`
}

// Run is the node "read". Its arguments are the document's id and the ids of
// the subquestions.
func (x *Reader) Run(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	id, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	d, ok := s.Documents[id]
	if !ok {
		return state.State{}, fmt.Errorf("document %s is not in the corpus", id)
	}
	qs := t.Args[1:]
	part := state.State{
		Documents: map[string]state.Document{id: {ID: id, Status: state.Read, ReadFor: map[string]string{}}},
		Readings:  map[string]state.Reading{},
		Evidence:  map[string]state.Evidence{},
	}
	if d.Status != state.Read { // a work that is read again, for a new subquestion, is still one work
		part.Ledger = map[string]state.Spend{t.ID: {Documents: 1}}
	}
	for _, q := range qs {
		part.Documents[id].ReadFor[q] = t.ID
	}
	reading := state.Reading{Revision: t.Iteration, Document: id}
	source, ok := stored(s, d)
	if !ok {
		reading.Notes, reading.By = "there was no text to read", "rule"
		part.Readings[id] = reading
		return part, nil
	}
	reading.Text = source.Ref
	system, version, err := steps.Prompt(prompts, "reader")
	if err != nil {
		return state.State{}, err
	}
	most := max(s.Settings.Reading.ClaimsPerPair, 1)
	var trail steps.Trail
	a, by, err := steps.Ask(ctx, x.models, t, &trail, steps.Job[answer]{
		Role: llm.Reader,
		Prompt: llm.Prompt{Name: "reader", Version: version, System: system,
			Stable: listSubquestions(s, qs),
			Input: fmt.Sprintf("At most %d items for each subquestion.\n\nDocument %s, %s, read from its %s:\n%s", most, id, published(d),
				source.Kind, llm.FenceN(id, d.Title()+"\n\n"+source.Text, 60_000))},
		Builtin: func() answer { return builtin(s, d, source, qs) },
		Subject: id,
	})
	if err != nil {
		return state.State{}, err
	}
	reading.By, reading.Notes = by, text.Truncate(text.OneLine(a.Notes), 1000)
	for _, term := range a.Terms {
		if term = text.Truncate(text.OneLine(term), 80); term != "" {
			reading.Terms = state.Union(reading.Terms, []string{term})
		}
	}
	count := map[string]int{}
	for _, it := range a.Items {
		q, ok := llm.RepairID(it.Subquestion, qs)
		if !ok {
			reading.Rejected = append(reading.Rejected, fmt.Sprintf("%q: subquestion %q was not asked for", text.Truncate(it.Claim, 80), text.Truncate(it.Subquestion, 40)))
			continue
		}
		e, why := evidence.Check(evidence.Draft{Document: id, Subquestion: q, Claim: text.OneLine(it.Claim), Quote: it.Quote,
			Location: location(source.Kind), Type: it.Type, Strength: it.Strength, By: by}, source, s.Settings.Reading)
		if why != "" {
			reading.Rejected = append(reading.Rejected, fmt.Sprintf("%q: %s", text.Truncate(it.Claim, 80), why))
			continue
		}
		if _, twice := part.Evidence[e.ID]; !twice {
			if count[q]++; count[q] > most {
				reading.Rejected = append(reading.Rejected, fmt.Sprintf("%q: more than %d claims for %s (reading.claims_per_pair)", text.Truncate(it.Claim, 80), most, q))
				continue
			}
		}
		part.Evidence[e.ID] = e
	}
	slices.Sort(reading.Rejected)
	part.Readings[id] = reading
	trail.Into(&part, t)
	return part, nil
}

func published(d state.Document) string {
	if y := d.Year(); y != 0 {
		return fmt.Sprintf("published %d", y)
	}
	return "year unknown"
}

// stored returns the text of a document that evidence is quoted from.
func stored(s *state.State, d state.Document) (evidence.Source, bool) {
	t := s.AbstractText(d)
	if t == "" {
		return evidence.Source{}, false
	}
	kind := "abstract"
	if d.Abstract.Synopsis {
		kind = "synopsis"
	}
	return evidence.Source{Text: t, Ref: "abstract:" + d.Abstract.Record, Kind: kind}, true
}

func location(kind string) string {
	if kind == "synopsis" {
		return "Synopsis"
	}
	return "Abstract"
}

func listSubquestions(s *state.State, qs []string) string {
	var b strings.Builder
	b.WriteString("Subquestions:\n")
	for _, q := range qs {
		fmt.Fprintf(&b, "%s\n", llm.Fence(q, s.Subquestions[q].Text))
	}
	return b.String()
}

// themeFit is the Fit from which a sentence also serves a subquestion that the
// critic added: such a theme cuts across the planned ones.
const themeFit = 2

// builtin picks the sentences that state findings, and gives each to the one
// subquestion that it answers best, and to a theme that it names. The claim is
// the sentence; one that leans on the sentence before it is left out, since
// nobody could check it alone.
func builtin(s *state.State, d state.Document, source evidence.Source, qs []string) answer {
	doc := lexical.Doc{ID: d.ID, Title: d.Title(), Body: source.Text}
	most := max(s.Settings.Reading.ClaimsPerPair, 1)
	about := s.Question.Text
	for _, id := range qs {
		about += ". " + s.Subquestions[id].Text + ". " + strings.Join(s.Subquestions[id].Focus, ". ")
	}
	var out answer
	count := map[string]int{}
	for _, sen := range lexical.Select(doc, lexical.QueryFrom(about), most*len(s.ActiveSubquestions())) {
		quote := source.Text[sen.Start:sen.End]
		best, _, ok := steps.Best(s, quote)
		for _, id := range qs {
			q := s.Subquestions[id]
			fits := ok && best.ID == id || q.Origin != state.FromPlanner && steps.Fit(q, quote) >= themeFit
			if !fits || count[id] >= most {
				continue
			}
			count[id]++
			out.Items = append(out.Items, item{Subquestion: id, Claim: text.OneLine(quote), Quote: quote,
				Type: lexical.Type(quote, docType(d)), Strength: strength(quote)})
		}
	}
	for _, p := range lexical.KeyPhrases([]lexical.Doc{doc}, 6, []string{s.Question.Text}) {
		out.Terms = append(out.Terms, p.Text)
	}
	return out
}

func docType(d state.Document) string { return d.Best().Type }

// strength scores what an abstract shows of a finding: a measured comparison
// most, a bare statement least. It stays at or below the cap for abstracts.
func strength(sentence string) float64 {
	c := lexical.Cues(sentence)
	x := 0.3
	if c.Result {
		x += 0.1
	}
	if c.Comparison {
		x += 0.1
	}
	if c.Number {
		x += 0.1
	}
	if c.Limitation {
		x = max(x, 0.4)
	}
	return min(x, 0.6)
}
