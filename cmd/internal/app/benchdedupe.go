package app

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"optimistresearch/canon"
	"optimistresearch/internal/advice"
)

// DedupeScore is how well the engine does on one labelled set, by automatic
// decisions alone.
type DedupeScore struct {
	Set       string  `json:"set"`
	Records   int     `json:"records"`
	Lost      int     `json:"works_lost"` // −1 where only pairs are labelled
	Left      int     `json:"copies_left"`
	True      int     `json:"pairs_found"`
	False     int     `json:"pairs_wrong"`
	Missed    int     `json:"pairs_missed"`
	Precision float64 `json:"pair_precision"`
	Recall    float64 `json:"pair_recall"`
	Uncertain int     `json:"uncertain_pairs"`
	CPU       float64 `json:"cpu_seconds"` // reading, comparing; the whole process
	Wall      float64 `json:"wall_seconds"`
}

// BenchDedupe measures every labelled set below dir: a folder each, with
// records.jsonl.gz and gold.csv (record_id,cluster_id) or pairs.csv
// (id_a,id_b,label).
func BenchDedupe(ctx context.Context, dir string, policy canon.Policy, told func(set string)) ([]DedupeScore, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", "records.jsonl*"))
	names = slices.DeleteFunc(names, func(name string) bool {
		_, gold := os.Stat(filepath.Join(filepath.Dir(name), "gold.csv"))
		_, pairs := os.Stat(filepath.Join(filepath.Dir(name), "pairs.csv"))
		return gold != nil && pairs != nil
	})
	if err != nil || len(names) == 0 {
		return nil, &InputError{advice.New("name a folder that holds one folder for each labelled set", "%s holds no folder with records.jsonl.gz and gold.csv or pairs.csv", dir)}
	}
	slices.Sort(names)
	var out []DedupeScore
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		score, err := benchSet(name, policy)
		if err != nil {
			return out, err
		}
		out = append(out, score)
		if told != nil {
			told(score.Set)
		}
	}
	return out, nil
}

func benchSet(name string, policy canon.Policy) (DedupeScore, error) {
	score := DedupeScore{Set: filepath.Base(filepath.Dir(name)), Lost: -1, Left: -1}
	began, cpu := time.Now(), cpuTime()
	var res DedupeResult
	set, err := readSet(DedupeOptions{Files: []string{name}}, &res)
	if err != nil {
		return score, err
	}
	found := canon.Dedupe(set.records, canon.Options{Policy: policy})
	score.Wall, score.CPU = time.Since(began).Seconds(), cpuTime()-cpu
	score.Records, score.Uncertain = len(set.records), len(found.Uncertain)
	predicted := map[string]string{}
	for _, c := range found.Clusters {
		for _, i := range c.Members {
			predicted[set.ids[i]] = c.ID
		}
	}
	gold, err := readLabels(filepath.Join(filepath.Dir(name), "gold.csv"), 2)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		pairs, err := readLabels(filepath.Join(filepath.Dir(name), "pairs.csv"), 3)
		if err != nil {
			return score, err
		}
		score.pairs(pairs, predicted)
	case err != nil:
		return score, err
	default:
		score.clusters(gold, predicted)
	}
	score.Precision, score.Recall = ratio(score.True, score.True+score.False), ratio(score.True, score.True+score.Missed)
	return score, nil
}

func readLabels(name string, columns int) ([][]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 || len(rows[0]) < columns {
		return nil, &InputError{advice.New("restore the file", "%s is no table of labels", name)}
	}
	return rows[1:], nil
}

// pairs scores judged pairs.
func (s *DedupeScore) pairs(rows [][]string, predicted map[string]string) {
	for _, r := range rows {
		a, okA := predicted[r[0]]
		b, okB := predicted[r[1]]
		joined := okA && okB && a == b
		switch r[2] {
		case "same":
			s.True, s.Missed = s.True+one(joined), s.Missed+one(!joined)
		case "different":
			s.False += one(joined)
		}
	}
}

// clusters scores a clustering against another: over pairs of records, and over
// works. A work is lost when all its records stand behind the record of another
// work; which record of a cluster survives is chosen kindly, as the one that
// loses least.
func (s *DedupeScore) clusters(rows [][]string, predicted map[string]string) {
	gold := map[string]string{}
	for _, r := range rows {
		gold[r[0]] = r[1]
	}
	both, byGold, byPredicted := map[[2]string]int{}, map[string]int{}, map[string]int{}
	members := map[string][]string{}
	for id, p := range predicted {
		g, ok := gold[id]
		if !ok {
			g = "alone " + id
		}
		both[[2]string{g, p}]++
		byGold[g]++
		byPredicted[p]++
		members[p] = append(members[p], g)
	}
	choose := func(n int) int { return n * (n - 1) / 2 }
	for _, n := range both {
		s.True += choose(n)
	}
	for _, n := range byPredicted {
		s.False += choose(n)
	}
	for _, n := range byGold {
		s.Missed += choose(n)
	}
	s.False, s.Missed = s.False-s.True, s.Missed-s.True
	s.Lost, s.Left = 0, 0
	// A predicted cluster keeps one record; a work survives where any of the
	// clusters that hold its records keeps one of them. Mixed clusters are few:
	// taking the work with the fewest other places first is the kindest choice.
	places := map[string]int{}
	for k := range both {
		places[k[0]]++
	}
	kept := map[string]int{}
	var mixed [][]string
	for _, list := range members {
		slices.Sort(list)
		works := slices.Compact(list)
		if len(works) == 1 {
			kept[works[0]]++
			continue
		}
		mixed = append(mixed, works)
	}
	slices.SortFunc(mixed, func(a, b []string) int { return slices.Compare(a, b) })
	for _, works := range mixed {
		slices.SortStableFunc(works, func(a, b string) int {
			if (kept[a] > 0) != (kept[b] > 0) {
				return one(kept[a] > 0) - one(kept[b] > 0)
			}
			return places[a] - places[b]
		})
		kept[works[0]]++
	}
	for g := range byGold {
		switch n := kept[g]; {
		case n == 0:
			s.Lost++
		default:
			s.Left += n - 1
		}
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// String is one line for a person.
func (s DedupeScore) String() string {
	return fmt.Sprintf("%s: precision %.4f, recall %.4f", s.Set, s.Precision, s.Recall)
}
