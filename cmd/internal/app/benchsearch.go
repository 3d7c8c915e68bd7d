package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"optimistresearch/config"
	"optimistresearch/internal/lexical"
	"optimistresearch/rank"
	"optimistresearch/state"
)

// SearchBench is what a measurement of search on queries with gold papers gives.
type SearchBench struct {
	Sets       []SearchSet         `json:"sets"`
	Allocation []AllocationVariant `json:"allocation"`
}

// SearchSet is one set of queries over one pool of papers.
type SearchSet struct {
	Name    string          `json:"name"`
	Queries int             `json:"queries"`
	Papers  int             `json:"papers"` // in the pool
	Results []SearchVariant `json:"results"`
}

// SearchVariant is a way to search, measured over the queries of a set.
type SearchVariant struct {
	Name      string  `json:"name"`
	Recall5   float64 `json:"recall_5"`
	Recall20  float64 `json:"recall_20"`
	Recall50  float64 `json:"recall_50"`
	Recall100 float64 `json:"recall_100"`
	NDCG10    float64 `json:"ndcg_10"`
	MAP       float64 `json:"map"`
}

// AllocationVariant is a way to fill the reading queue of many subquestions.
type AllocationVariant struct {
	Name   string  `json:"name"`
	Budget int     `json:"budget"`
	Served float64 `json:"served"` // share of subquestions with a gold paper among what is read for them
	Gold   float64 `json:"gold"`   // share of all pairs of subquestion and gold paper that are read
	Least  float64 `json:"least"`  // the same for the worse served half of the subquestions
	Right  float64 `json:"right"`  // share of the documents read that are gold for a subquestion they are read for
}

// searchVariants are ways to search; the first is the method.
var searchVariants = []struct {
	name string
	find func(ix *lexical.Index, question string, n int) []lexical.Hit
}{
	{"the whole method: one query of the topic", finding(0)},
	{"the question taken apart, a query for each phrase", lexical.FindApart},
	{"without learning from the first hits", finding(lexical.FindFeedback)},
	{"without the other spelling of acronyms", finding(lexical.FindAcronyms)},
	{"all words of the question alike", finding(lexical.FindTopic)},
	{"BM25 of all words", finding(lexical.FindTopic | lexical.FindAcronyms | lexical.FindFeedback)},
}

func finding(without lexical.Finding) func(*lexical.Index, string, int) []lexical.Hit {
	return func(ix *lexical.Index, q string, n int) []lexical.Hit { return lexical.Find(ix, q, n, without) }
}

// searchQuery is a question with the papers that answer it: sets of keys, one
// of which a hit must have.
type searchQuery struct {
	id, text string
	gold     []map[string]bool
}

// pool is the papers that are searched; keys gives what a gold paper may be
// called by.
type pool struct {
	docs []lexical.Doc
	keys map[string][]string
}

// BenchSearch measures the built-in search on every set below dir that has
// queries.jsonl.gz and either docs.jsonl.gz of its own or gold papers by title in
// title_pool. Sets without papers to search are left out.
func BenchSearch(ctx context.Context, cfg *config.Config, dir string, progress func(string)) (SearchBench, error) {
	var out SearchBench
	files, err := filepath.Glob(filepath.Join(dir, "*", "queries.jsonl.gz"))
	if err != nil || len(files) == 0 {
		return out, wrong("name a folder that has a folder with queries.jsonl.gz for each set", "there is no set of queries in %s", dir)
	}
	slices.Sort(files)
	var titles *pool
	for _, f := range files {
		set := filepath.Dir(f)
		queries, byTitle, err := readQueries(f)
		if err != nil {
			return out, err
		}
		var p *pool
		switch {
		case len(queries) == 0:
			continue
		case byTitle:
			if titles == nil {
				if titles, err = readPool(filepath.Join(dir, "title_pool", "titles.jsonl.gz")); err != nil {
					return out, err
				}
			}
			p = titles
		default:
			if _, err := os.Stat(filepath.Join(set, "docs.jsonl.gz")); err != nil {
				continue
			}
			if p, err = readPool(filepath.Join(set, "docs.jsonl.gz")); err != nil {
				return out, err
			}
		}
		ix := lexical.NewIndex(p.docs)
		s := SearchSet{Name: filepath.Base(set), Queries: len(queries), Papers: len(p.docs)}
		for _, v := range searchVariants {
			r := SearchVariant{Name: v.name}
			for _, q := range queries {
				if err := ctx.Err(); err != nil {
					return out, err
				}
				r.count(q, v.find(ix, q.text, 0), p.keys, float64(len(queries)))
			}
			s.Results = append(s.Results, r)
		}
		out.Sets = append(out.Sets, s)
		if !byTitle && out.Allocation == nil {
			out.Allocation = benchAllocation(cfg, p, queries)
		}
		if progress != nil {
			progress(s.Name)
		}
	}
	if len(out.Sets) == 0 {
		return out, wrong("give one of them docs.jsonl.gz, or gold papers by title with title_pool/titles.jsonl.gz", "no set in %s has papers to search", dir)
	}
	return out, nil
}

// count adds one query's share to the means. A gold paper counts once.
func (r *SearchVariant) count(q searchQuery, hits []lexical.Hit, keys map[string][]string, queries float64) {
	used := make([]bool, len(q.gold))
	found, dcg, ap := 0, 0.0, 0.0
	at := map[int]int{}
	for i, h := range hits {
		for g, gold := range q.gold {
			if !used[g] && slices.ContainsFunc(keys[h.ID], func(k string) bool { return gold[k] }) {
				used[g] = true
				found++
				ap += float64(found) / float64(i+1)
				if i < 10 {
					dcg += 1 / math.Log2(float64(i+2))
				}
				break
			}
		}
		at[i+1] = found
	}
	recall := func(k int) float64 {
		return float64(at[min(k, len(hits))]) / float64(max(len(q.gold), 1)) / queries
	}
	r.Recall5 += recall(5)
	r.Recall20 += recall(20)
	r.Recall50 += recall(50)
	r.Recall100 += recall(100)
	ideal := 0.0
	for i := range min(len(q.gold), 10) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	if ideal > 0 {
		r.NDCG10 += dcg / ideal / queries
		r.MAP += ap / float64(len(q.gold)) / queries
	}
}

// allocationBudgets are how many documents may be read, as shares of two a
// subquestion.
var allocationBudgets = []int{1, 2, 4}

// benchAllocation takes all queries for the subquestions of one review and fills
// its reading queue both ways.
func benchAllocation(cfg *config.Config, p *pool, queries []searchQuery) []AllocationVariant {
	set := cfg.Settings
	s := state.New(state.Question{Text: "all of them", Year: 2026}, set)
	part := state.State{Records: map[string]state.Record{}, Documents: map[string]state.Document{}, Subquestions: map[string]state.Subquestion{}}
	ix := lexical.NewIndex(p.docs)
	judged := map[string]map[string]state.Relevance{}
	for i, q := range queries {
		id := fmt.Sprintf("RQ%d", i+1)
		part.Subquestions[id] = state.Subquestion{ID: id, Text: q.text, Priority: i + 1, Status: state.Open}
		for doc, j := range lexical.Relevance(ix, q.text, "") {
			if judged[doc] == nil {
				judged[doc] = map[string]state.Relevance{}
			}
			judged[doc][id] = state.Relevance{Score: j.Score}
		}
	}
	gold := map[string]map[string]bool{} // document → subquestions
	for _, d := range p.docs {
		r := state.Record{Source: "pool", Title: d.Title, Abstract: d.Body, Kind: state.Other}
		r.Key = state.RecordKey(r.Source, d.ID, r)
		doc := state.DocumentFrom(r)
		doc.ID, doc.Relevance = d.ID, judged[d.ID]
		part.Records[r.Key], part.Documents[d.ID] = r, doc
		gold[d.ID] = map[string]bool{}
		for i, q := range queries {
			if slices.ContainsFunc(q.gold, func(g map[string]bool) bool {
				return slices.ContainsFunc(p.keys[d.ID], func(k string) bool { return g[k] })
			}) {
				gold[d.ID][fmt.Sprintf("RQ%d", i+1)] = true
			}
		}
	}
	s.Merge(&part)
	ranked := rank.Rank(s)
	var out []AllocationVariant
	for _, n := range allocationBudgets {
		budget := n * len(queries)
		turns := rank.Allocate(s, ranked, budget)
		out = append(out, measureAllocation("turns of the subquestions", budget, turns, gold, queries))
		out = append(out, measureAllocation("the first of the ranking", budget, topOf(s, ranked, budget), gold, queries))
	}
	return out
}

// topOf fills the queue with the best documents of the whole ranking, each read
// for every subquestion that it is relevant to.
func topOf(s *state.State, ranked []rank.Scored, budget int) []rank.Assignment {
	var out []rank.Assignment
	for _, r := range ranked[:min(len(ranked), budget)] {
		a := rank.Assignment{Document: r.Document, Score: r.Score}
		for _, q := range s.ActiveSubquestions() {
			if s.Documents[r.Document].Relevance[q.ID].Score >= s.Settings.Screening.Relevant {
				a.Subquestions = append(a.Subquestions, q.ID)
			}
		}
		out = append(out, a)
	}
	return out
}

func measureAllocation(name string, budget int, list []rank.Assignment, gold map[string]map[string]bool, queries []searchQuery) AllocationVariant {
	v := AllocationVariant{Name: name, Budget: budget}
	read := map[string]int{}
	right := 0
	for _, a := range list {
		hit := false
		for _, q := range a.Subquestions {
			if gold[a.Document][q] {
				read[q]++
				hit = true
			}
		}
		if hit {
			right++
		}
	}
	v.Right = float64(right) / float64(max(len(list), 1))
	var shares []float64
	pairs, got := 0, 0
	for i, q := range queries {
		n := read[fmt.Sprintf("RQ%d", i+1)]
		if n > 0 {
			v.Served += 1 / float64(len(queries))
		}
		pairs, got = pairs+len(q.gold), got+n
		shares = append(shares, float64(n)/float64(max(len(q.gold), 1)))
	}
	v.Gold = float64(got) / float64(max(pairs, 1))
	slices.Sort(shares)
	half := shares[:(len(shares)+1)/2]
	for _, x := range half {
		v.Least += x / float64(len(half))
	}
	return v
}

// readQueries reads a set of questions. byTitle tells that their gold papers are
// named by title. Questions without gold papers that can be found, such as
// queries by example, are left out.
func readQueries(name string) (out []searchQuery, byTitle bool, err error) {
	err = eachLine(name, func(line []byte) error {
		var q struct {
			ID    string   `json:"query_id"`
			Query string   `json:"query"`
			Docs  []string `json:"gold_doc_ids"`
			Gold  []struct {
				Title string `json:"title"`
				ArXiv string `json:"arxiv_id"`
			} `json:"gold"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		s := searchQuery{id: q.ID, text: q.Query}
		for _, d := range q.Docs {
			s.gold = append(s.gold, map[string]bool{d: true})
		}
		seen := map[string]bool{}
		for _, g := range q.Gold {
			if k := titleKey(g.Title); k != "" && !seen[k] {
				seen[k], byTitle = true, true
				s.gold = append(s.gold, map[string]bool{k: true})
			}
		}
		if s.text != "" && len(s.gold) > 0 {
			out = append(out, s)
		}
		return nil
	})
	return out, byTitle, err
}

func readPool(name string) (*pool, error) {
	p := &pool{keys: map[string][]string{}}
	err := eachLine(name, func(line []byte) error {
		var d struct {
			ID       string `json:"doc_id"`
			Title    string `json:"title"`
			Abstract any    `json:"abstract"`
		}
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		abstract, _ := d.Abstract.(string)
		p.docs = append(p.docs, lexical.Doc{ID: d.ID, Title: d.Title, Body: abstract})
		p.keys[d.ID] = []string{d.ID, titleKey(d.Title)}
		return nil
	})
	if err == nil && len(p.docs) == 0 {
		err = wrong("give JSON lines with doc_id, title and abstract", "there is no paper in %s", name)
	}
	return p, err
}

// titleKey compares titles as the scorer does: Latin letters and digits in lower
// case.
func titleKey(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// eachLine gives the lines of a file, packed or not.
func eachLine(name string, take func([]byte) error) error {
	data, err := unpacked(name)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(make([]byte, 0, 1<<16), 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := take(lines.Bytes()); err != nil {
			return wrong("mend the line", "%s, line %d: %w", name, n, err)
		}
	}
	return lines.Err()
}
