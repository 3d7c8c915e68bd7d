package rank

import (
	"strings"
	"testing"
)

func TestReasons(t *testing.T) {
	s := corpus(2,
		doc{"doc_0001", 2026, 10, []string{"arxiv", "openalex"}, map[string]float64{"RQ1": 0.9, "RQ2": 0.6}, nil, false},
		doc{"doc_0002", 2021, -1, []string{"openalex"}, map[string]float64{"RQ2": 0.7}, nil, false},
		doc{"doc_0003", 2020, 1, []string{"openalex"}, map[string]float64{"RQ1": 0.8}, []string{"RQ1"}, false},
		doc{"doc_0004", 2010, 1, []string{"openalex"}, map[string]float64{"RQ1": 0.5}, nil, false},
		doc{"doc_0005", 2010, 1, []string{"openalex"}, map[string]float64{"RQ1": 0.3}, nil, false},
	)
	ranked := Rank(s)
	got := Reasons(s, ranked, Allocate(s, ranked, 2), 2)
	for id, want := range map[string]string{
		"doc_0001": "place 1 of 4, score 0.940 = 0.60 × relevance 0.90 + 0.15 × impact 1.00 + 0.15 × recency 1.00 + 0.10 × corroboration 1.00; read for RQ1, which took it in turn 1, and at no cost for RQ2",
		"doc_0002": "impact (no source counts its citations: the median)",
		"doc_0003": "not read again: it was read for every subquestion that it is relevant to",
		"doc_0004": "not read in this iteration: the subquestions took others in their turns until the 2 documents of this iteration's reading budget were chosen",
	} {
		if !strings.Contains(got[id], want) {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
	if !strings.Contains(got["doc_0002"], "read for RQ2, which took it in turn 1") {
		t.Errorf("doc_0002: %q", got["doc_0002"])
	}
	if r, ok := got["doc_0005"]; ok {
		t.Errorf("doc_0005 is not relevant and has the reason %q", r)
	}
	s.Settings.Ranking.Relevance, s.Settings.Ranking.Impact, s.Settings.Ranking.Recency, s.Settings.Ranking.Corroboration = 0, 0, 0, 0
	ranked = Rank(s)
	if r := Reasons(s, ranked, nil, 0)["doc_0001"]; !strings.Contains(r, "all weights are 0") || !strings.Contains(r, "nothing was left of the reading budget") {
		t.Errorf("without weights: %q", r)
	}
}
