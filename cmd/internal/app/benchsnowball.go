package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"optimistresearch/config"
	"optimistresearch/internal/citegraph"
	"optimistresearch/rank"
	"optimistresearch/screening"
	"optimistresearch/sources"
	"optimistresearch/state"
	"optimistresearch/steps/chase"
)

// SnowballBench is what a measurement of citation chasing on labelled reviews
// gives. Means are macro means over reviews and seed sets.
type SnowballBench struct {
	Label    string           `json:"label"`
	Reviews  []ChasedReview   `json:"reviews"`
	Variants []ChaseVariant   `json:"variants"`
	Ranking  []RankingVariant `json:"ranking"`
}

// Chased is how good a chase was, as tools for the purpose count it: seeds count
// in neither recall nor precision.
type Chased struct {
	Recall        float64 `json:"recall"`         // included records screened / included records that are not seeds
	Precision     float64 `json:"precision"`      // of what was screened
	Share         float64 `json:"share_screened"` // of all records
	Rounds        float64 `json:"rounds"`
	KeptRecall    float64 `json:"kept_recall"`
	KeptPrecision float64 `json:"kept_precision"` // 0 if nothing was kept

	// Curve is the recall when a hundredth, two hundredths … of the records were
	// screened; it stays where the chase ended.
	Curve []float64 `json:"curve,omitempty"`
}

// ChasedReview is one review with both screeners, the means over its seed sets.
type ChasedReview struct {
	ID       string `json:"id"`
	Records  int    `json:"records"`
	Included int    `json:"included"`
	Oracle   Chased `json:"oracle"`
	Words    Chased `json:"words"`
}

// ChaseVariant is a variant of the chase.
type ChaseVariant struct {
	Name   string `json:"name"`
	Oracle Chased `json:"oracle"`
	Words  Chased `json:"words"`
}

// RankingVariant is the rank score with or without one of its terms.
type RankingVariant struct {
	Name    string  `json:"name"`
	AP      float64 `json:"ap"`
	First40 float64 `json:"precision_40"` // of the first 40, the budget of documents to read
	Recall  float64 `json:"recall_40"`
}

// chaseVariants change the options; the first is the method.
var chaseVariants = []struct {
	name   string
	change func(*chase.Options)
}{
	{"the whole method", func(*chase.Options) {}},
	{"no snowballing", nil},
	{"backward alone", func(o *chase.Options) { o.Forward, o.Through = false, false }},
	{"forward alone", func(o *chase.Options) { o.Backward, o.Through = false, false }},
	{"both directions, nothing through other works", func(o *chase.Options) { o.Through = false }},
	{"both, through works of two or more kept alone", func(o *chase.Options) { o.Single = false }},
	{"order by links alone", func(o *chase.Options) { o.WordsAside = true }},
	{"order by words alone", func(o *chase.Options) { o.LinksAside = true }},
	{"25 in a round", func(o *chase.Options) { o.PerRound = 25 }},
	{"100 in a round", func(o *chase.Options) { o.PerRound = 100 }},
	{"no saturation: until nothing is left", func(o *chase.Options) { o.Settings.Snowball.LowYieldRounds = 1 << 30 }},
}

// chased is one review of the data.
type chased struct {
	labelled
	lib        *citegraph.Library
	seeds      map[string][]string
	background *chase.Background
}

// BenchSnowball measures chasing on every review below dir, which has
// graph.jsonl.gz and review.json with seed_sets. Abstracts and criteria come from
// the folder of the same name below records.
func BenchSnowball(ctx context.Context, cfg *config.Config, dir, records, label string, progress func(string)) (SnowballBench, error) {
	out := SnowballBench{Label: label}
	reviews, err := readChased(dir, records, label)
	if err != nil {
		return out, err
	}
	type cell struct{ oracle, words []Chased }
	cells := make([][]cell, len(reviews))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(cfg.Runtime.Parallel, 1))
	for i, r := range reviews {
		cells[i] = make([]cell, len(chaseVariants))
		g.Go(func() error {
			for v, variant := range chaseVariants {
				for _, set := range state.Keys(r.seeds) {
					oracle, err := r.chase(gctx, cfg, set, variant.change, &chase.Labels{Included: r.included, Review: r.review, Background: r.background})
					if err != nil {
						return err
					}
					words, err := r.chase(gctx, cfg, set, variant.change, &chase.Words{Review: r.review, Background: r.background})
					if err != nil {
						return err
					}
					cells[i][v].oracle = append(cells[i][v].oracle, oracle)
					cells[i][v].words = append(cells[i][v].words, words)
				}
			}
			if progress != nil {
				progress(r.id)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return out, err
	}
	for v, variant := range chaseVariants {
		var oracle, words []Chased
		for i := range reviews {
			oracle, words = append(oracle, meanChased(cells[i][v].oracle)), append(words, meanChased(cells[i][v].words))
		}
		out.Variants = append(out.Variants, ChaseVariant{variant.name, meanChased(oracle), meanChased(words)})
	}
	for i, r := range reviews {
		out.Reviews = append(out.Reviews, ChasedReview{ID: r.id, Records: len(r.lib.Records()), Included: len(r.included), Oracle: meanChased(cells[i][0].oracle), Words: meanChased(cells[i][0].words)})
	}
	out.Ranking = benchRanking(cfg, reviews)
	return out, nil
}

// chase makes one chase and measures it; without a change there is none.
func (r chased) chase(ctx context.Context, cfg *config.Config, set string, change func(*chase.Options), judge chase.Judge) (Chased, error) {
	if change == nil {
		return Chased{Curve: make([]float64, 101)}, nil
	}
	o := chase.Options{Sources: []sources.Source{r.lib}, Settings: cfg.Settings, Year: 2023, Judge: judge, Backward: true, Forward: true, Through: true, Single: true,
		PerRound: PerRound, Frozen: true, Parallel: 1}
	o.Settings.Snowball.CandidatesLimit = sources.MostRecords
	change(&o)
	isSeed := map[string]bool{}
	for _, id := range r.seeds[set] {
		isSeed[id] = true
	}
	for _, rec := range r.lib.Records() {
		if isSeed[citegraph.ID(rec)] {
			o.Seeds = append(o.Seeds, rec)
		}
	}
	res, err := chase.Run(ctx, o)
	return measureChase(res, r.included, isSeed, len(r.lib.Records())), err
}

func measureChase(res chase.Outcome, included, seeds map[string]bool, records int) Chased {
	target := 0
	for id := range included {
		if !seeds[id] {
			target++
		}
	}
	m := Chased{Rounds: float64(len(res.Rounds)), Share: float64(len(res.Rows)) / float64(max(records, 1)), Curve: make([]float64, 101)}
	found, kept, right := 0, 0, 0
	at := 1
	for i, row := range res.Rows {
		if included[row.ID] {
			found++
		}
		if row.Kept {
			kept++
			if included[row.ID] {
				right++
			}
		}
		for ; at <= 100 && at*records <= 100*(i+1); at++ {
			m.Curve[at] = float64(found) / float64(max(target, 1))
		}
	}
	m.Recall = float64(found) / float64(max(target, 1))
	for ; at <= 100; at++ {
		m.Curve[at] = m.Recall
	}
	if target == 0 {
		m.Recall = 1
	}
	m.Precision = float64(found) / float64(max(len(res.Rows), 1))
	m.KeptRecall = float64(right) / float64(max(target, 1))
	m.KeptPrecision = float64(right) / float64(max(kept, 1))
	return m
}

func meanChased(all []Chased) Chased {
	m := Chased{Curve: make([]float64, 101)}
	for _, x := range all {
		n := float64(len(all))
		m.Recall += x.Recall / n
		m.Precision += x.Precision / n
		m.Share += x.Share / n
		m.Rounds += x.Rounds / n
		m.KeptRecall += x.KeptRecall / n
		m.KeptPrecision += x.KeptPrecision / n
		for i, v := range x.Curve {
			m.Curve[i] += v / n
		}
	}
	return m
}

// rankingVariants take one term away from the rank score.
var rankingVariants = []struct {
	name   string
	change func(*state.RankingSettings)
}{
	{"all terms", func(*state.RankingSettings) {}},
	{"without relevance", func(w *state.RankingSettings) { w.Relevance = 0 }},
	{"without impact", func(w *state.RankingSettings) { w.Impact = 0 }},
	{"without recency", func(w *state.RankingSettings) { w.Recency = 0 }},
	{"relevance alone", func(w *state.RankingSettings) { w.Impact, w.Recency, w.Corroboration = 0, 0, 0 }},
}

// benchRanking orders the records of each review by the rank score.
func benchRanking(cfg *config.Config, reviews []chased) []RankingVariant {
	out := make([]RankingVariant, len(rankingVariants))
	for _, r := range reviews {
		works := WorksOf(r.lib)
		records := make([]screening.Record, len(works))
		for i, w := range works {
			records[i] = screening.Record{ID: w.ID, Title: w.Title, Abstract: w.Abstract, Year: w.Year}
		}
		scores := map[string]float64{}
		for _, x := range screening.Rank(screening.NewCorpus(records), r.review, screening.Options{}) {
			scores[x.ID] = x.Score
		}
		for v, variant := range rankingVariants {
			s := rankingState(cfg, r, scores)
			variant.change(&s.Settings.Ranking)
			var order []string
			for _, x := range rank.Rank(s) {
				order = append(order, x.Document)
			}
			m := screening.Measure(order, r.included)
			hits := 0
			first := order[:min(len(order), 40)]
			for _, id := range first {
				if r.included[id] {
					hits++
				}
			}
			n := float64(len(reviews))
			out[v].Name = variant.name
			out[v].AP += m.AP / n
			out[v].First40 += float64(hits) / float64(max(len(first), 1)) / n
			out[v].Recall += float64(hits) / float64(max(len(r.included), 1)) / n
		}
	}
	return out
}

// rankingState is a corpus of all records, each with its score of screening. Its
// year is that of the newest record, as if the review were made then.
func rankingState(cfg *config.Config, r chased, scores map[string]float64) *state.State {
	year := 0
	for _, rec := range r.lib.Records() {
		year = max(year, rec.Year)
	}
	set := cfg.Settings
	set.Screening.Relevant = 0
	s := state.New(state.Question{Text: r.review.Question, Year: year}, set)
	part := state.State{Records: map[string]state.Record{}, Documents: map[string]state.Document{},
		Subquestions: map[string]state.Subquestion{theQuestion: {ID: theQuestion, Text: r.review.Question, Priority: 1, Status: state.Open}}}
	for _, rec := range r.lib.Records() {
		d := state.DocumentFrom(rec)
		d.ID = citegraph.ID(rec)
		d.Relevance = map[string]state.Relevance{theQuestion: {Score: state.Clamp(scores[d.ID])}}
		part.Records[rec.Key], part.Documents[d.ID] = rec, d
	}
	s.Merge(&part)
	return s
}

func readChased(dir, records, label string) ([]chased, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "graph.jsonl.gz"))
	if err != nil || len(files) == 0 {
		return nil, wrong("name a folder that has a folder with graph.jsonl.gz and review.json for each review", "there is no citation graph in %s", dir)
	}
	slices.Sort(files)
	var out []chased
	for _, f := range files {
		id := filepath.Base(filepath.Dir(f))
		described := filepath.Join(records, id)
		l, err := readLabelled(described, label)
		if err != nil {
			return nil, err
		}
		if len(l.included) == 0 {
			continue
		}
		r := chased{labelled: l}
		if r.lib, _, err = ReadGraph(f, filepath.Join(described, "records.jsonl.gz")); err != nil {
			return nil, err
		}
		var meta struct {
			Seeds map[string][]string `json:"seed_sets"`
		}
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(f), "review.json"))
		if err == nil {
			err = json.Unmarshal(raw, &meta)
		}
		if err == nil && len(meta.Seeds) == 0 {
			err = fmt.Errorf("it has no seed_sets")
		}
		if err != nil {
			return nil, wrong("give it a review.json with seed_sets", "reading the seeds of %s: %w", id, err)
		}
		r.seeds = meta.Seeds
		r.background = chase.NewBackground(WorksOf(r.lib), r.review)
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, wrong("for example: --label label_included", "no review in %s has the label %s", records, label)
	}
	return out, nil
}
