package evidence

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"optimistresearch/state"
)

// corpus makes a state with one document per claim and its admitted evidence.
func corpus(claims ...string) (*state.State, []state.Evidence) {
	s := state.New(state.Question{Text: "memory of language agents", Year: 2026}, state.DefaultSettings())
	s.Subquestions = map[string]state.Subquestion{"RQ1": {ID: "RQ1", Text: "Does memory help agents?", Status: state.Open}}
	s.Documents, s.Evidence, s.Reviews = map[string]state.Document{}, map[string]state.Evidence{}, map[string]state.Review{}
	var items []state.Evidence
	for i, c := range claims {
		doc := fmt.Sprintf("doc_%04d", i+1)
		e := state.Evidence{ID: fmt.Sprintf("ev_%04d", i+1), Document: doc, Subquestion: "RQ1", Claim: c, Quote: c, Strength: 0.6, Type: "empirical"}
		s.Documents[doc] = state.Document{ID: doc, Authors: []state.Author{{Name: fmt.Sprintf("Given%d Family%d", i, i)}}}
		s.Evidence[e.ID], s.Reviews[e.ID] = e, state.Review{Evidence: e.ID, Admitted: true}
		items = append(items, e)
	}
	return s, items
}

func TestClusterPairs(t *testing.T) {
	cases := []struct {
		name, a, b string
		one        bool
	}{
		{"same words", "Memory improves recall.", "memory improves recall", true},
		{"order and inflection", "Episodic memory improves long-dialogue recall of agents", "Long-dialogue recall in agents is improved by episodic memory", true},
		{"cue verbs", "Retrieval augmentation increases the factual accuracy of answers", "Retrieval augmentation enhances factual accuracy of answers", true},
		{"spelling", "Tumour behaviour is affected by anaemia", "Tumor behavior is affected by anemia", true},
		{"abbreviation", "Large language models (LLMs) forget facts of early sessions", "LLMs forget early-session facts", true},
		{"unwanted outcome", "Retrieval reduces hallucination in dialogue agents", "Hallucination in dialogue agents is reduced by retrieval", true},
		{"numbers", "Memory raises LoCoMo F1 by 12 points", "Memory raises LoCoMo F1 by 27 points", false},
		{"negation", "Memory helps agents on short dialogues", "Memory does not help agents on short dialogues", false},
		{"direction", "Summaries increase recall of early facts", "Summaries decrease recall of early facts", false},
		{"no effect", "Summaries increase recall of early facts", "Summaries have no effect on recall of early facts", false},
		{"system", "A-MEM improves recall on LoCoMo", "MemGPT improves recall on LoCoMo", false},
		{"data set", "A-MEM improves recall on LoCoMo", "A-MEM improves recall on LongMemEval", false},
		{"population", "Memory training improves recall in children", "Memory training improves recall in older adults", false},
		{"setting", "Short-term memory predicts reading skill", "Long-term memory predicts reading skill", false},
		{"sides", "BM25 outperforms dense retrieval on code search", "Dense retrieval outperforms BM25 on code search", false},
		{"sides of more … than", "Exercise is more effective than medication for chronic pain", "Medication is more effective than exercise for chronic pain", false},
		{"cause and effect", "Stress increases forgetfulness", "Forgetfulness increases stress", false},
		{"outcome", "Bariatric surgery increases rates of colorectal cancer", "Bariatric surgery increases rates of breast cancer", false},
		{"a system named besides the data", "The LoCoMo benchmark has three tasks: question answering, event summarisation and dialogue generation", "MemInsight was evaluated on recommendation with LLM-REDIAL and on question answering and event summarization with LoCoMo", false},
		{"low and high", "Low occupancy correlates with high methylation", "Low occupancy correlates with low methylation", false},
		{"who compares with whom", "The risk of female prisoners is ten times that of male prisoners", "The risk of male prisoners is ten times that of female prisoners", false},
		{"the winner loses", "Exercise therapy is more effective than stretching for the painful shoulder", "Rotator cuff training is more effective than exercise therapy for the painful shoulder", false},
		{"from and to", "Cytochrome moves from the cytosol to the mitochondrial space in apoptosis", "Cytochrome moves from the mitochondrial space to the cytosol in apoptosis", false},
		{"subject", "Basophils prevent disease development in patients with lupus", "Statins prevent disease development in patients with lupus", false},
		{"several words replaced", "GATA3 regulates cell cycle progression in bone marrow hematopoietic stem cells", "GATA3 regulates self-renewal capacity in bone marrow hematopoietic stem cells", false},
		{"a noun in -ly replaced", "Splenomegaly is observed in mice that lack the MAPK pathway", "Lymphadenopathy is observed in mice that lack the MAPK pathway", false},
		{"adverb replaced", "Bariatric surgery markedly reduces body weight in adolescents", "Bariatric surgery strongly reduces body weight in adolescents", true},
		{"one word replaced", "Microglia belong to the central nervous tissue", "Microglia belong to the peripheral nervous tissue", false},
		{"nothing in common", "Memory improves recall", "Tokenisers differ between languages", false},
		{"CJK, same", "记忆提高了准确率。", "记忆提高了准确率", true},
	}
	for _, c := range cases {
		s, items := corpus(c.a, c.b)
		if got := len(Cluster(s, items)) == 1; got != c.one {
			x := newIndex(items, s.Subquestions["RQ1"].Text, acronyms(s, items))
			sim := 1.0
			if len(x.profiles) == 2 {
				sim = similarity(x.profiles[0], x.profiles[1])
			}
			t.Errorf("%s: one cluster is %v, want %v (similarity %.2f)", c.name, got, c.one, sim)
		}
	}
}

func TestClusterSupport(t *testing.T) {
	claim := "Episodic memory improves recall of early facts"
	s, items := corpus(claim, claim, claim, "Tokenisers differ between languages")
	items[2].Document = "doc_0001" // a second item of the first document
	items[1].Strength = 0.4
	author := func(id string, names ...string) {
		d := s.Documents[id]
		d.Authors = nil
		for _, n := range names {
			d.Authors = append(d.Authors, state.Author{Name: n})
		}
		s.Documents[id] = d
	}
	author("doc_0001", "Ada Lovelace", "Emmy Noether")
	author("doc_0002", "Noether, E.", "Kurt Gödel")
	got := Cluster(s, items)
	if len(got) != 2 {
		t.Fatalf("%d clusters: %+v", len(got), got)
	}
	c := got[0]
	if strings.Join(c.Documents, " ") != "doc_0001 doc_0002" || len(c.Evidence) != 3 || c.AuthorGroups != 1 || c.Weak {
		t.Errorf("%+v", c)
	}
	if math.Abs(c.MeanStrength-1.6/3) > 1e-9 {
		t.Errorf("mean strength %v, want %v", c.MeanStrength, 1.6/3)
	}
	if !got[1].Weak || len(got[1].Documents) != 1 {
		t.Errorf("one document is weak support: %+v", got[1])
	}
	for i := range items {
		items[i].Strength = 0.3
	}
	if c := Cluster(s, items)[0]; !c.Weak {
		t.Errorf("a mean strength of 0.3 is weak: %+v", c)
	}
	if got := Cluster(s, nil); len(got) != 0 {
		t.Errorf("clusters of nothing: %+v", got)
	}
}

// Two subquestions never share a cluster.
func TestClusterKeepsSubquestionsApart(t *testing.T) {
	s, items := corpus("Memory improves recall", "Memory improves recall")
	items[1].Subquestion = "RQ2"
	if got := Cluster(s, items); len(got) != 2 || got[0].Subquestion != "RQ1" || got[1].Subquestion != "RQ2" {
		t.Errorf("%+v", got)
	}
}

var subjects = []string{"Episodic memory", "Retrieval", "A-MEM", "MemGPT", "Summaries", "Reflection"}
var verbs = []string{"improves", "reduces", "increases", "does not affect", "enhances", "degrades", "has no effect on"}
var objects = []string{"recall of early facts", "early-fact recall", "latency", "hallucination in dialogue", "factual accuracy", "accuracy by 12 %", "accuracy by 30 %"}

// Every item is in one cluster; order and repetition of the input do not
// matter; no cluster holds a vetoed pair; the state stays as it was.
func TestClusterLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 25).Draw(r, "n")
		var claims []string
		for range n {
			claims = append(claims, rapid.SampledFrom(subjects).Draw(r, "s")+" "+rapid.SampledFrom(verbs).Draw(r, "v")+" "+rapid.SampledFrom(objects).Draw(r, "o"))
		}
		s, items := corpus(claims...)
		before, err := s.JSON()
		if err != nil {
			r.Fatal(err)
		}
		got, contra := Cluster(s, items), Contradictions(s, items)
		shuffled := append(append([]state.Evidence(nil), items...), items...)
		rand.New(rand.NewSource(int64(n))).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(got, Cluster(s, shuffled)); diff != "" {
			r.Fatalf("the order of items matters:\n%s", diff)
		}
		if diff := cmp.Diff(contra, Contradictions(s, shuffled)); diff != "" {
			r.Fatalf("the order of items matters:\n%s", diff)
		}
		seen := map[string]string{}
		for _, c := range got {
			for i, id := range c.Evidence {
				if seen[id] != "" {
					r.Fatalf("%s is in two clusters", id)
				}
				seen[id] = c.ID
				for _, other := range c.Evidence[:i] {
					a, b := newProfile(s.Evidence[id], nil), newProfile(s.Evidence[other], nil)
					if a.item.Claim != b.item.Claim && !same(a, b) {
						r.Fatalf("vetoed pair in one cluster: %q, %q", a.item.Claim, b.item.Claim)
					}
				}
			}
		}
		if len(seen) != n {
			r.Fatalf("%d of %d items are in clusters", len(seen), n)
		}
		for _, c := range contra {
			if c.A >= c.B || seen[c.A] == seen[c.B] {
				r.Fatalf("a contradiction inside a cluster: %+v", c)
			}
		}
		if after, _ := s.JSON(); string(after) != string(before) {
			r.Fatal("the state was changed")
		}
	})
}

// The index finds every pair that comparing all with all finds.
func TestIndexFindsAllPairs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		words := strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa model study")
		var claims []string
		for range rapid.IntRange(2, 30).Draw(r, "n") {
			claims = append(claims, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 7).Draw(r, "w"), " "))
		}
		_, items := corpus(claims...)
		x := newIndex(items, "alpha", nil)
		found := map[[2]int]bool{}
		for _, p := range x.pairs(MinSame) {
			found[[2]int{p.a, p.b}] = true
		}
		for b := range x.profiles {
			for a := range b {
				if want := similarity(x.profiles[a], x.profiles[b]) >= MinSame; want != found[[2]int{a, b}] {
					r.Fatalf("%q and %q: found %v, want %v", x.profiles[a].item.Claim, x.profiles[b].item.Claim, !want, want)
				}
			}
		}
	})
}

func TestClusterIsNearLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	rnd := rand.New(rand.NewSource(1))
	var claims []string
	for range 5000 {
		var w []string
		for range 12 {
			w = append(w, fmt.Sprintf("word%c%c%c", 'a'+rnd.Intn(4), 'a'+rnd.Intn(26), 'a'+rnd.Intn(26)))
		}
		claims = append(claims, strings.Join(w, " "))
	}
	for range 2000 {
		claims = append(claims, "the same claim of everybody")
	}
	s, items := corpus(claims...)
	start := time.Now()
	Cluster(s, items)
	Contradictions(s, items)
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("7000 claims took %v", d)
	}
}
