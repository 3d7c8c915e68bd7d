package evidence

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"optimistresearch/state"
)

// labelled opens a file of ../shared/data/claims beside the repository.
func labelled[T any](t *testing.T, name string) []T {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("no go.mod above the tests")
		}
		dir = up
	}
	f, err := os.Open(filepath.Join(dir, "..", "shared", "data", "claims", name))
	if err != nil {
		t.Skipf("labelled claims are not here: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

type labelledClaim struct {
	Claim    string `json:"claim"`
	Evidence []struct {
		Doc        string  `json:"doc_id"`
		Label      string  `json:"label"`
		Rationales [][]int `json:"rationales"`
	} `json:"evidence"`
	Split string `json:"split"`
}

type labelledDoc struct {
	ID        string   `json:"doc_id"`
	Title     string   `json:"title"`
	Sentences []string `json:"sentences"`
}

// claimPair are two SciFact claims about one document whose rationales share a
// sentence: of equal label they may say the same, of opposite label they cannot
// both hold.
type claimPair struct {
	a, b     string
	opposite bool
	split    string
}

func claimPairs(t *testing.T) []claimPair {
	type about struct {
		claim, label, split string
		sentences           map[int]bool
	}
	docs := map[string][]about{}
	var order []string
	for _, c := range labelled[labelledClaim](t, "scifact/claims.jsonl.gz") {
		for _, e := range c.Evidence {
			x := about{c.Claim, e.Label, c.Split, map[int]bool{}}
			for _, r := range e.Rationales {
				for _, i := range r {
					x.sentences[i] = true
				}
			}
			if docs[e.Doc] == nil {
				order = append(order, e.Doc)
			}
			docs[e.Doc] = append(docs[e.Doc], x)
		}
	}
	var out []claimPair
	for _, d := range order {
		for i, x := range docs[d] {
			for _, y := range docs[d][:i] {
				shared := false
				for s := range x.sentences {
					shared = shared || y.sentences[s]
				}
				if shared && x.claim != y.claim {
					split := x.split
					if y.split != split {
						split = "both"
					}
					out = append(out, claimPair{y.claim, x.claim, x.label != y.label, split})
				}
			}
		}
	}
	return out
}

func twoItems(a, b string) (*state.State, []state.Evidence) {
	s := state.New(state.Question{Year: 2026}, state.DefaultSettings())
	s.Subquestions = map[string]state.Subquestion{"RQ1": {ID: "RQ1", Status: state.Open}}
	items := []state.Evidence{
		{ID: "ev_a", Document: "doc_0001", Subquestion: "RQ1", Claim: a, Quote: a, Strength: 0.6},
		{ID: "ev_b", Document: "doc_0002", Subquestion: "RQ1", Claim: b, Quote: b, Strength: 0.6},
	}
	return s, items
}

// Claims that contradict each other must not be counted as support of each
// other, and a reported contradiction must be one.
func TestSciFactPairs(t *testing.T) {
	type tally struct{ opposite, falseCluster, found, alike, cluster, falseFound int }
	tallies := map[string]*tally{"train": {}, "dev": {}, "both": {}}
	var all tally
	for _, p := range claimPairs(t) {
		s, items := twoItems(p.a, p.b)
		one, found := len(Cluster(s, items)) == 1, len(Contradictions(s, items)) > 0
		for _, n := range []*tally{tallies[p.split], &all} {
			switch {
			case p.opposite:
				n.opposite++
				n.falseCluster += count(one)
				n.found += count(found)
			default:
				n.alike++
				n.cluster += count(one)
				n.falseFound += count(found)
			}
		}
	}
	for _, split := range []string{"train", "dev", "both"} {
		t.Logf("%s %+v", split, *tallies[split])
	}
	t.Logf("all %+v", all)
	if all.falseCluster > 3 || all.found < 133 || all.falseFound > 0 || all.cluster < 24 {
		t.Errorf("worse than before: %+v", all)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A claim beside the one sentence that supports or refutes it, most often in
// other words: a refuting sentence must not be counted as support.
func TestClaimsBesideSentences(t *testing.T) {
	for _, set := range []string{"scifact", "healthver_dev"} {
		docs := map[string]labelledDoc{}
		for _, d := range labelled[labelledDoc](t, set+"/docs.jsonl.gz") {
			docs[d.ID] = d
		}
		got := map[string]map[string]int{"SUPPORT": {}, "CONTRADICT": {}}
		for _, c := range labelled[labelledClaim](t, set+"/claims.jsonl.gz") {
			for _, e := range c.Evidence {
				if len(e.Rationales) == 0 || len(e.Rationales[0]) != 1 {
					continue
				}
				s, items := twoItems(c.Claim, docs[e.Doc].Sentences[e.Rationales[0][0]])
				got[e.Label]["pairs"]++
				got[e.Label]["one cluster"] += count(len(Cluster(s, items)) == 1)
				got[e.Label]["contradiction"] += count(len(Contradictions(s, items)) > 0)
			}
		}
		t.Logf("%s: %v", set, got)
		if got["CONTRADICT"]["one cluster"] > 1 || got["SUPPORT"]["contradiction"] > 1 {
			t.Errorf("%s: worse than before: %v", set, got)
		}
	}
}

type prompt struct {
	Outcome    string  `json:"outcome"`
	Doc        string  `json:"doc_id"`
	Rationales [][]int `json:"rationales"`
	Label      string  `json:"label"`
}

// The change that a trial reports of an outcome, from the sentence that says so.
func TestDirectionOnTrials(t *testing.T) {
	docs := map[string]labelledDoc{}
	for _, d := range labelled[labelledDoc](t, "evidence_inference/docs.jsonl.gz") {
		docs[d.ID] = d
	}
	right, n := 0, 0
	confusion := map[string]map[string]int{}
	for _, p := range labelled[prompt](t, "evidence_inference/prompts.jsonl.gz") {
		text := ""
		for _, r := range p.Rationales {
			for _, i := range r {
				text += docs[p.Doc].Sentences[i] + " "
			}
		}
		unwanted := 1
		for _, w := range readWords(p.Outcome) {
			if has(lexicon().unwanted, w.Word, w.stem) {
				unwanted = -1
			}
		}
		st := readStance(text)
		got := "no_difference"
		switch st.outcome * unwanted {
		case 1:
			got = "increased"
		case -1:
			got = "decreased"
		}
		n++
		if got == p.Label {
			right++
		}
		if confusion[p.Label] == nil {
			confusion[p.Label] = map[string]int{}
		}
		k := got
		if st.mixed {
			k = "mixed"
		} else if got == "no_difference" && !st.null {
			k = "none"
		}
		confusion[p.Label][k]++
	}
	t.Logf("%d of %d right (%.3f)\n%v", right, n, float64(right)/float64(n), confusion)
	if float64(right) < 0.55*float64(n) {
		t.Error("worse than before")
	}
}
