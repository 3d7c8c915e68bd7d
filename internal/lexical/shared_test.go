package lexical

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"sort"
	"testing"
)

// sharedData gives the path of a file of the shared data beside the repository,
// or skips the test.
func sharedData(t *testing.T, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skip("no go.mod above the test: the shared data cannot be located")
		}
		dir = parent
	}
	path := filepath.Join(append([]string{dir, "..", "shared", "data"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared data are absent: %v", err)
	}
	return path
}

// jsonLines reads JSON lines, gzipped or not.
func jsonLines[T any](t *testing.T, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	var out []T
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var x T
		if err := json.Unmarshal(sc.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// Titles alone, without abstracts: hardly any work on another kind of memory may
// pass, and the order must be far from random.
func TestRelevanceOnTitlesOfAgentMemory(t *testing.T) {
	works := jsonLines[struct{ ID, Title, Topic string }](t, sharedData(t, "agent_memory", "works.jsonl"))
	var docs []Doc
	for _, w := range works {
		docs = append(docs, Doc{ID: w.ID, Title: w.Title})
	}
	got := Relevance(NewIndex(docs), "recent research in AI agent memory", "")
	var on, off []float64
	for _, w := range works {
		switch w.Topic {
		case "core", "benchmark", "survey":
			on = append(on, got[w.ID].Score)
		case "offtopic", "retracted":
			off = append(off, got[w.ID].Score)
		}
	}
	wrong, auc := 0, 0.0
	for _, y := range off {
		if y >= 0.5 {
			wrong++
		}
		for _, x := range on {
			switch {
			case x > y:
				auc++
			case x == y:
				auc += 0.5
			}
		}
	}
	auc /= float64(len(on) * len(off))
	if wrong > 2 || auc < 0.8 {
		t.Errorf("%d works on other kinds of memory pass (want at most 2), AUC %.3f (want 0.8)", wrong, auc)
	}
}

// Three published reviews of different fields. The bounds are those of BM25 over
// title and question, which a first map must clearly beat.
func TestRelevanceOnScreenedReviews(t *testing.T) {
	for _, c := range []struct {
		review               string
		precision, recallTen float64 // of BM25: average precision, recall among the first tenth
	}{
		{"Kitchenham_2010", 0.069, 0.267},
		{"Kwok_2020", 0.195, 0.430},
		{"Cohen_NSAIDS", 0.239, 0.195},
	} {
		records := jsonLines[struct {
			ID       string `json:"record_id"`
			Title    string
			Abstract string
			Included int `json:"label_included"`
		}](t, sharedData(t, "screening", c.review, "records.jsonl.gz"))
		raw, err := os.ReadFile(sharedData(t, "screening", c.review, "review.json"))
		if err != nil {
			t.Fatal(err)
		}
		var review struct{ Title, Question string }
		if err := json.Unmarshal(raw, &review); err != nil {
			t.Fatal(err)
		}
		var docs []Doc
		for _, r := range records {
			docs = append(docs, Doc{ID: r.ID, Title: r.Title, Body: r.Abstract})
		}
		got := Relevance(NewIndex(docs), review.Question, review.Title)
		sort.Slice(records, func(i, j int) bool {
			a, b := got[records[i].ID].Score, got[records[j].ID].Score
			return a > b || a == b && records[i].ID < records[j].ID
		})
		found, precision, early := 0.0, 0.0, 0.0
		tenth := int(math.Ceil(float64(len(records)) / 10))
		for i, r := range records {
			if r.Included == 1 {
				found++
				precision += found / float64(i+1)
				if i < tenth {
					early++
				}
			}
		}
		precision /= found
		early /= found
		if precision < 1.3*c.precision || early < 1.2*c.recallTen {
			t.Errorf("%s: average precision %.3f (BM25 %.3f), recall among the first tenth %.3f (BM25 %.3f)",
				c.review, precision, c.precision, early, c.recallTen)
		}
	}
}

// Randomised trials: the sentence chosen for an outcome is the one that reports
// it more often than not.
func TestSelectOnTrials(t *testing.T) {
	type trial struct {
		ID        string `json:"doc_id"`
		Sentences []string
	}
	trials := map[string]trial{}
	for _, x := range jsonLines[trial](t, sharedData(t, "claims", "evidence_inference", "docs.jsonl.gz")) {
		trials[x.ID] = x
	}
	prompts := jsonLines[struct {
		ID                                string `json:"doc_id"`
		Intervention, Comparator, Outcome string
		Rationales                        [][]int
	}](t, sharedData(t, "claims", "evidence_inference", "prompts.jsonl.gz"))
	right := 0
	for _, p := range prompts {
		var body string
		var spans [][2]int
		for _, s := range trials[p.ID].Sentences {
			spans = append(spans, [2]int{len(body), len(body) + len(s)})
			body += s + " "
		}
		q := Query{Terms: Vector(p.Intervention + " " + p.Comparator + " " + p.Outcome)}
		best := Select(Doc{Body: body}, q, 1)
		if len(best) == 0 {
			continue
		}
	rationales:
		for _, r := range p.Rationales {
			for _, i := range r {
				if best[0].Start < spans[i][1] && spans[i][0] < best[0].End {
					right++
					break rationales
				}
			}
		}
	}
	if share := float64(right) / float64(len(prompts)); share < 0.55 {
		t.Errorf("%.3f of the first sentences report the outcome, want 0.55", share)
	}
}
