package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"optimistresearch/internal/biblio"
	"optimistresearch/screening"
)

// ScreenBench is what a measurement of screening on labelled reviews gives.
// Means are macro means over the reviews.
type ScreenBench struct {
	Label   string           `json:"label"`
	Reviews []BenchedReview  `json:"reviews"`
	Rank    []BenchedVariant `json:"rank"` // orders without a label, the whole method first
	Loop    []BenchedVariant `json:"loop"` // reading orders with feedback, the whole method first
	// Covered is the share of checkpoints, one for every hundredth of a review
	// read, at which no more was left than the estimate allows for.
	Covered float64 `json:"covered"`
	Speed   Speed   `json:"speed"`
}

// BenchedReview is one review: the order without a label, the reading order with
// feedback, and where the advices to stop would have ended it.
type BenchedReview struct {
	ID       string             `json:"id"`
	Rank     screening.Measures `json:"rank"`
	Loop     screening.Measures `json:"loop"`
	Probably Stopped            `json:"probably"`
	Enough   Stopped            `json:"enough"`
}

// Stopped tells what share was read, and found, when an advice came first.
type Stopped struct {
	Read   float64 `json:"read"`
	Recall float64 `json:"recall"`
}

// BenchedVariant is a variant of the method.
type BenchedVariant struct {
	Name string             `json:"name"`
	Mean screening.Measures `json:"mean"`
}

// Speed of the ranking anew after a decision.
type Speed struct {
	Records int           `json:"records"`
	Index   time.Duration `json:"index_ns"` // indexing and the first order
	Mean    time.Duration `json:"mean_ns"`  // of one decision
	Slowest time.Duration `json:"slowest_ns"`
}

// variants of the orders; the first is the method.
var (
	rankVariants = []struct {
		name    string
		without screening.Part
	}{
		{"the whole method", 0},
		{"without the criteria", screening.Criteria},
		{"without the kind of study", screening.Design},
		{"without learning from the best", screening.Feedback},
		{"question alone", screening.Criteria | screening.Design | screening.Feedback},
	}
	loopVariants = []struct {
		name    string
		without screening.Part
	}{
		{"the whole method", 0},
		{"without the first order", screening.Prior},
		{"without the question as an example", screening.Topic},
		{"without presumed exclusions", screening.Presumed},
	}
)

// labelled is one review of the data.
type labelled struct {
	id       string
	review   screening.Review
	records  []screening.Record
	included map[string]bool
}

// BenchScreen measures the built-in screening on every review below dir, which
// has records.jsonl.gz and review.json. label is the field that tells what was
// included; reviews without it are left out.
func BenchScreen(ctx context.Context, dir, label string, parallel int, progress func(review string)) (ScreenBench, error) {
	out := ScreenBench{Label: label}
	files, err := filepath.Glob(filepath.Join(dir, "*", "review.json"))
	if err != nil || len(files) == 0 {
		return out, wrong("name a folder that has a folder with records.jsonl.gz and review.json for each review", "there is no review in %s", dir)
	}
	var reviews []labelled
	for _, f := range files {
		r, err := readLabelled(filepath.Dir(f), label)
		if err != nil {
			return out, err
		}
		if len(r.included) > 0 {
			reviews = append(reviews, r)
		}
	}
	if len(reviews) == 0 {
		return out, wrong("for example: --label label_included", "no review in %s has the label %s", dir, label)
	}
	out.Reviews = make([]BenchedReview, len(reviews))
	ranks, loops := table2(len(rankVariants), len(reviews)), table2(len(loopVariants), len(reviews))
	covered, points := make([]int, len(reviews)), make([]int, len(reviews))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(parallel, 1))
	for i, r := range reviews {
		g.Go(func() error {
			c := screening.NewCorpus(r.records)
			var whole []screening.Ranked
			for v, variant := range rankVariants {
				ranked := screening.Rank(c, r.review, screening.Options{Without: variant.without})
				if v == 0 {
					whole = ranked
				}
				scores := map[string]float64{}
				for _, x := range ranked {
					scores[x.ID] = x.Score
				}
				ranks[v][i] = screening.Measure(screening.OrderOf(scores), r.included)
			}
			var order []string
			for v, variant := range loopVariants {
				if err := gctx.Err(); err != nil {
					return err
				}
				read := screening.Replay(screening.NewLearner(c, r.review, whole, variant.without), r.included)
				if v == 0 {
					order = read
				}
				loops[v][i] = screening.Measure(read, r.included)
			}
			b := BenchedReview{ID: r.id, Rank: ranks[0][i], Loop: loops[0][i]}
			covered[i], points[i] = judged(&b, order, r.included)
			out.Reviews[i] = b
			if progress != nil {
				progress(r.id)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return out, err
	}
	for v, variant := range rankVariants {
		out.Rank = append(out.Rank, BenchedVariant{variant.name, screening.Mean(ranks[v])})
	}
	for v, variant := range loopVariants {
		out.Loop = append(out.Loop, BenchedVariant{variant.name, screening.Mean(loops[v])})
	}
	in, all := 0, 0
	for i := range covered {
		in, all = in+covered[i], all+points[i]
	}
	out.Covered = float64(in) / float64(max(all, 1))
	out.Speed, err = speed(ctx, reviews)
	return out, err
}

func table2(variants, reviews int) [][]screening.Measures {
	out := make([][]screening.Measures, variants)
	for i := range out {
		out[i] = make([]screening.Measures, reviews)
	}
	return out
}

// judged follows the estimates along a reading order.
func judged(b *BenchedReview, order []string, included map[string]bool) (covered, points int) {
	found := make([]bool, len(order))
	left := len(included)
	b.Probably, b.Enough = Stopped{1, 1}, Stopped{1, 1}
	probably, enough := false, false
	step := max(len(order)/100, 1)
	for i, id := range order {
		if found[i] = included[id]; found[i] {
			left--
		}
		if (i+1)%step != 0 || i+1 == len(order) {
			continue
		}
		e := screening.Judge(found[:i+1], len(order))
		if e.Advice == screening.TooEarly {
			continue
		}
		points++
		if left <= e.LeftMost {
			covered++
		}
		at := Stopped{float64(i+1) / float64(len(order)), 1 - float64(left)/float64(len(included))}
		if !probably && (e.Advice == screening.Probably || e.Advice == screening.Enough) {
			probably, b.Probably = true, at
		}
		if !enough && e.Advice == screening.Enough {
			enough, b.Enough = true, at
		}
	}
	return covered, points
}

// speed times decisions on all records together, each third one included, which
// is more than any review has and the slower for it.
func speed(ctx context.Context, reviews []labelled) (Speed, error) {
	const decisions = 200
	var records []screening.Record
	for _, r := range reviews {
		for _, x := range r.records {
			x.ID = r.id + "/" + x.ID
			records = append(records, x)
		}
	}
	s := Speed{Records: len(records)}
	began := time.Now()
	c := screening.NewCorpus(records)
	rv := reviews[0].review
	l := screening.NewLearner(c, rv, screening.Rank(c, rv, screening.Options{}), 0)
	s.Index = time.Since(began)
	for n := range decisions {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		began := time.Now()
		id, ok := l.Next()
		if !ok {
			break
		}
		v := screening.Exclude
		if n%3 == 0 {
			v = screening.Include
		}
		l.Learn(id, v)
		took := time.Since(began)
		s.Mean += took / decisions
		s.Slowest = max(s.Slowest, took)
	}
	return s, nil
}

func readLabelled(dir, label string) (labelled, error) {
	out := labelled{id: filepath.Base(dir), included: map[string]bool{}}
	raw, err := os.ReadFile(filepath.Join(dir, "review.json"))
	if err == nil {
		err = json.Unmarshal(raw, &out.review)
	}
	if err != nil {
		return out, wrong("mend it", "reading the review in %s: %w", dir, err)
	}
	name := filepath.Join(dir, "records.jsonl.gz")
	err = func() error {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := biblio.Read(f, name, func(e biblio.Entry) error {
			out.records = append(out.records, RecordOf(e))
			return nil
		}); err != nil {
			return err
		}
		return eachLine(name, func(line []byte) error {
			var fields map[string]any
			if json.Unmarshal(line, &fields) == nil {
				if n, _ := fields[label].(float64); n == 1 {
					id, _ := fields["record_id"].(string)
					out.included[id] = true
				}
			}
			return nil
		})
	}()
	if err != nil {
		return out, wrong("mend it", "reading the records in %s: %w", name, err)
	}
	known := func(id string) bool {
		return slices.ContainsFunc(out.records, func(r screening.Record) bool { return r.ID == id })
	}
	for id := range out.included {
		if !known(id) {
			return out, fmt.Errorf("the record %s in %s has a label and was not read", id, name)
		}
	}
	return out, nil
}
