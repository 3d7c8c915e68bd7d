package report

import (
	"strings"
	"testing"

	"optimistresearch/state"
)

const (
	hashA = "aa11111111111111111111111111111111111111111111111111111111111111"
	hashB = "bb22222222222222222222222222222222222222222222222222222222222222"
	hashC = "cc33333333333333333333333333333333333333333333333333333333333333"
	rawA  = "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"
)

// fixtureDays dates the answers of the fixture.
var fixtureDays = Days{hashA: "2026-03-01", hashB: "2026-03-02", hashC: "2026-03-02"}

// fixture is a small finished run: two sources, one joined work, one chased
// work, one excluded, one outside the years, one retracted, one without text.
func fixture(t *testing.T) *state.State {
	t.Helper()
	set := state.DefaultSettings()
	set.Sources = []string{"arxiv", "crossref"}
	set.SinceYear = 2020
	set.Models = map[string]string{"reader": "builtin", "writer": "builtin"}
	s := state.New(state.Question{Text: "Memory in AI agents", Scope: "empirical evaluations", Started: "2026-03-01T10:00:00Z", Year: 2026, Version: "0.1.0"}, set)
	s.Subquestions = map[string]state.Subquestion{
		"RQ1": {ID: "RQ1", Text: "Which memory designs have been compared?", Rationale: "designs differ", Focus: []string{"episodic memory"}, Priority: 1, Status: state.Open, Origin: state.FromPlanner, By: "builtin"},
		"RQ2": {ID: "RQ2", Text: "What are the costs of memory?", Priority: 2, Status: state.Open, Origin: state.FromCritic, By: "builtin", Revision: 1},
	}
	s.Intents = map[string]state.Intent{
		"I1": {ID: "I1", Subquestion: "RQ1", Description: "comparisons of memory designs", Iteration: 1, Status: state.Open, Origin: state.FromPlanner, By: "builtin"},
		"I2": {ID: "I2", Subquestion: "RQ2", Description: "measurements of cost", Iteration: 2, Status: state.Open, Origin: state.FromCritic, By: "builtin"},
	}
	s.Queries = map[string]state.Query{
		"Q1": {ID: "Q1", Revision: 1, Iteration: 1, Intent: "I1", Source: "arxiv", Written: `abs:"agent memory"`, Sent: `all:"agent memory" AND all:comparison`, Outcome: state.Hits, Total: 1234, Hits: 3, By: "builtin"},
		"Q2": {ID: "Q2", Revision: 1, Iteration: 1, Intent: "I1", Source: "crossref", Written: "agent memory comparison", Sent: "agent memory", Filters: "from-pub-date:2020", Rung: 1,
			Rungs: []state.Rung{{Sent: "agent memory comparison", Change: "as written"}, {Sent: "agent memory", Change: "without the rarest term “comparison”", Total: 7}}, Outcome: state.Hits, Total: 7, Hits: 3, Skipped: 1, By: "builtin"},
		"Q3": {ID: "Q3", Revision: 1, Iteration: 2, Intent: "I2", Source: "arxiv", Written: "memory cost", Outcome: state.Throttled, Reason: "arxiv: search Q3: HTTP 429 after 5 attempts", Total: -1, By: "builtin"},
	}
	s.Calls = map[string]state.SourceCall{
		"search/Q1":                  {ID: "search/Q1", Source: "arxiv", Operation: "search", Subject: "Q1", Sent: "x", Outcome: state.Hits, Records: 3, Raw: rawA, Requests: []string{hashA}},
		"search/Q2":                  {ID: "search/Q2", Source: "crossref", Operation: "search", Subject: "Q2", Outcome: state.Hits, Records: 3, Skipped: []state.Skip{{Reason: "no title", Count: 1, Sample: `{"DOI":"10.1/x"}`}}, Raw: rawA, Requests: []string{hashB}},
		"search/Q3":                  {ID: "search/Q3", Source: "arxiv", Operation: "search", Subject: "Q3", Outcome: state.Throttled, Reason: "arxiv: search Q3: HTTP 429 after 5 attempts"},
		"backward/doc_0001/crossref": {ID: "backward/doc_0001/crossref", Source: "crossref", Operation: "references", Subject: "doc_0001", Outcome: state.Hits, Records: 2, Raw: rawA, Requests: []string{hashC}},
		"forward/doc_0001/crossref":  {ID: "forward/doc_0001/crossref", Source: "crossref", Operation: "citing works", Subject: "doc_0001", Outcome: state.NoList, Reason: "no list"},
	}
	cites := 120
	search := func(q, source string, rank, round int) state.Provenance {
		return state.Provenance{Source: source, Via: state.ViaSearch, Subquestion: "RQ1", Intent: "I1", Query: q, Rank: rank, Round: round, Raw: rawA}
	}
	chase := state.Provenance{Source: "crossref", Via: state.ViaSnowball, Seed: "doc_0001", Direction: state.Backward, Rank: 1, Round: 101, Raw: rawA}
	seen := func(ps ...state.Provenance) map[string]state.Provenance {
		m := map[string]state.Provenance{}
		for _, p := range ps {
			m[p.Key()] = p
		}
		return m
	}
	packer := []state.Author{{Name: "Ada Packer", Family: "Packer", Given: "Ada"}, {Name: "Jean-Luc Ito", Family: "Ito", Given: "Jean-Luc"}, {Name: "Zoë Müller", Family: "Müller", Given: "Zoë"}}
	records := []state.Record{
		{Key: "arxiv:2301.00001", Source: "arxiv", IDs: state.IDs{state.ArXiv: "2301.00001"}, Title: "Paged memory for agents", Authors: packer, Year: 2023, Kind: state.Preprint, Type: "preprint",
			Abstract: "We page context. Paged memory raises accuracy from 32 % to 93 % on document tasks. It costs one more call per turn.", Seen: seen(search("Q1", "arxiv", 1, 100))},
		{Key: "crossref:10.1234/paged", Source: "crossref", IDs: state.IDs{state.DOI: "10.1234/paged"}, Title: "Paged Memory for Agents", Authors: packer, Year: 2024, Venue: "Journal of Agents", Volume: "12", Issue: "3", Pages: "45-67",
			Kind: state.Published, Type: "journal-article", Citations: &cites, Seen: seen(search("Q2", "crossref", 2, 100), chase)},
		{Key: "arxiv:2302.00002", Source: "arxiv", IDs: state.IDs{state.ArXiv: "2302.00002"}, Title: "Flat stores <b>beat</b> pages | a re-test", Authors: []state.Author{{Name: "李 明", Family: "李", Given: "明"}}, Year: 2025, Kind: state.Preprint, Type: "preprint",
			Abstract: "Paged memory lowers accuracy by 4 points against a flat store on dialogue tasks.", Seen: seen(search("Q1", "arxiv", 2, 100), state.Provenance{Source: "arxiv", Via: state.ViaSearch, Query: "Q9", Rank: 4, Round: 100, Raw: rawA})},
		{Key: "crossref:10.1234/retracted", Source: "crossref", IDs: state.IDs{state.DOI: "10.1234/retracted"}, Title: "A withdrawn result on memory", Year: 2022, Venue: "Old Journal", Kind: state.Published, Type: "journal-article",
			Retraction: &state.Retract{Status: state.RetractRetracted, Notice: "10.1234/notice"}, Abstract: "Memory always helps.", Seen: seen(search("Q2", "crossref", 1, 100))},
		{Key: "arxiv:2303.00003", Source: "arxiv", IDs: state.IDs{state.ArXiv: "2303.00003"}, Title: "Cooking with cast iron", Year: 2023, Kind: state.Preprint, Abstract: "Iron.", Seen: seen(search("Q1", "arxiv", 3, 100))},
		{Key: "crossref:10.1/old", Source: "crossref", IDs: state.IDs{state.DOI: "10.1/old"}, Title: "Old memory", Year: 1999, Kind: state.Published, Seen: seen(search("Q2", "crossref", 3, 100))},
		{Key: "crossref:10.1/base", Source: "crossref", IDs: state.IDs{state.DOI: "10.1/base"}, Title: "Foundations of memory (ذاكرة)", Authors: []state.Author{{Name: "Memory Consortium", Collective: true}}, Year: 2021, Venue: "Proc. M", Kind: state.Published, Type: "proceedings-article",
			Seen: seen(func() state.Provenance { p := chase; p.Rank = 2; return p }())},
	}
	s.Records, s.Links, s.Documents = map[string]state.Record{}, map[string]state.Link{}, map[string]state.Document{}
	owner := []string{"doc_0001", "doc_0001", "doc_0002", "doc_0003", "doc_0004", "doc_0005", "doc_0006"}
	for i, r := range records {
		s.Records[r.Key] = r
		l := state.Link{Record: r.Key, Document: owner[i], Rule: "first", Round: 100}
		if i == 1 {
			l.Rule, l.With, l.Compare = "title_author", records[0].Key, "paged memory for agents = paged memory for agents; packer = packer"
		}
		s.Links[r.Key] = l
		d := state.DocumentFrom(r)
		d.ID = owner[i]
		if old, ok := s.Documents[d.ID]; ok {
			d = state.JoinDocuments(old, d)
		}
		s.Documents[d.ID] = d
	}
	decide := func(id string, status state.DocStatus, rel map[string]float64) {
		d := s.Documents[id]
		d.Status = status
		for q, x := range rel {
			if d.Relevance == nil {
				d.Relevance = map[string]state.Relevance{}
			}
			d.Relevance[q] = state.Relevance{Score: x, Note: "shares its terms", By: "builtin"}
		}
		s.Documents[id] = d
	}
	decide("doc_0001", state.Read, map[string]float64{"RQ1": 0.9, "RQ2": 0.6})
	decide("doc_0002", state.Read, map[string]float64{"RQ1": 0.8})
	decide("doc_0003", state.Screened, map[string]float64{"RQ1": 0.7})
	decide("doc_0004", state.Screened, map[string]float64{"RQ1": 0.1, "RQ2": 0})
	decide("doc_0006", state.Read, map[string]float64{"RQ1": 0.75})
	old := s.Documents["doc_0005"]
	old.Exclusion = map[string]state.Exclusion{"rule": {Reason: state.ExcludeYear, Text: "published 1999, asked for 2020 or later", By: "rule"}}
	s.Documents["doc_0005"] = old

	s.Evidence, s.Reviews = map[string]state.Evidence{}, map[string]state.Review{}
	item := func(doc, q, record, quote, claim string, strength float64, direction int, admitted bool) string {
		text := s.Records[record].Abstract
		start := strings.Index(text, quote)
		if start < 0 {
			t.Fatalf("the quote %q is not in %s", quote, record)
		}
		id := state.EvidenceID(doc, q, claim, quote)
		s.Evidence[id] = state.Evidence{ID: id, Document: doc, Subquestion: q, Claim: claim, Quote: quote, Text: "abstract:" + record, Start: start, End: start + len(quote),
			Match: "exact", Location: "Abstract", Type: "empirical", Strength: strength, Direction: direction, By: "builtin"}
		s.Reviews[id] = state.Review{Revision: 1, Evidence: id, Admitted: admitted, Supports: admitted, Satisfies: true, Unique: true, Reason: map[bool]string{false: "the quote gives no figure"}[admitted], By: "builtin"}
		return id
	}
	e1 := item("doc_0001", "RQ1", "arxiv:2301.00001", "Paged memory raises accuracy from 32 % to 93 % on document tasks.", "Paged memory raises accuracy from 32 % to 93 % on document tasks", 0.6, 1, true)
	e2 := item("doc_0002", "RQ1", "arxiv:2302.00002", "Paged memory lowers accuracy by 4 points against a flat store on dialogue tasks.", "Paged memory lowers accuracy by 4 points against a flat store on dialogue tasks", 0.5, -1, true)
	e3 := item("doc_0001", "RQ2", "arxiv:2301.00001", "It costs one more call per turn.", "Paged memory costs one more call per turn", 0.4, 0, true)
	item("doc_0001", "RQ1", "arxiv:2301.00001", "We page context.", "Paging is always best", 0.2, 0, false)
	s.Readings = map[string]state.Reading{
		"doc_0001": {Document: "doc_0001", Text: "abstract:arxiv:2301.00001", Notes: "Compares paging with truncation", Terms: []string{"paging", "archival store"}, Rejected: []string{`"it wins": the quote is not in the text`}, By: "builtin"},
		"doc_0002": {Document: "doc_0002", Text: "abstract:arxiv:2302.00002", By: "builtin"},
		"doc_0006": {Document: "doc_0006", Notes: "there was no text to read", By: "rule"},
	}
	s.Clusters = &state.ClusterSet{Revision: 2, Clusters: []state.Cluster{
		{ID: "C1", Subquestion: "RQ1", Claim: s.Evidence[e1].Claim, Evidence: []string{e1}, Documents: []string{"doc_0001"}, AuthorGroups: 1, MeanStrength: 0.6, Weak: true},
		{ID: "C2", Subquestion: "RQ1", Claim: s.Evidence[e2].Claim, Evidence: []string{e2}, Documents: []string{"doc_0002"}, AuthorGroups: 1, MeanStrength: 0.5, Weak: true},
	}}
	a, b := min(e1, e2), max(e1, e2)
	s.Contradictions = map[string]state.Contradiction{"x_1": {ID: "x_1", Subquestion: "RQ1", A: a, B: b, Kind: "direction", Explanation: "accuracy goes up in one and down in the other", By: "rule"}}
	s.Answers = map[string]state.Answer{
		"RQ1": {Subquestion: "RQ1", Text: "Two documents give admitted evidence on this subquestion. Paged memory raises accuracy from 32 % to 93 % on document tasks [doc_0001]. It lowers accuracy elsewhere [doc_0002].", Gaps: []string{"No claim states a limitation."}, Coverage: 0.4, Evidence: []string{e1, e2}, By: "builtin"},
		"RQ2": {Subquestion: "RQ2", Text: "Paged memory costs one more call per turn [doc_0001].", Coverage: 0.2, Evidence: []string{e3}, By: "builtin"},
	}
	s.Synthesis = &state.Synthesis{Revision: 2, By: "builtin",
		Narrative: "This review rests on 3 admitted claims from 2 documents. Paged memory raises accuracy from 32 % to 93 % on document tasks [doc_0001]. Paged memory lowers accuracy by 4 points against a flat store on dialogue tasks [doc_0002].",
		Outline:   []state.OutlineSection{{ID: "S1", Title: "Memory designs", Evidence: []string{e1, e2}}, {ID: "S2", Title: "Costs of memory", Evidence: []string{e3}}}}
	s.Sections = map[string]state.Section{
		"S1": {ID: "S1", Title: "Memory designs", By: "builtin", Text: "Paged memory raises accuracy from 32 % to 93 % on document tasks [doc_0001, doc_0099]. Flat stores win every dialogue benchmark by far.\n\nLimits are stated as well. Paged memory lowers accuracy by 4 points against a flat store on dialogue tasks [" + e2 + "]."},
		"S2": {ID: "S2", Title: "Costs of memory", By: "builtin", Text: "Paged memory costs one more call per turn [doc_0001]. Storage is cheap on disks [doc_0002]."},
	}
	s.Rounds = map[string]state.Round{
		"r100": {Revision: 1, Number: 100, Iteration: 1, New: 5, Relevant: 3, Closed: true},
		"r101": {Revision: 1, Number: 101, Iteration: 1, Snowball: true, Seeds: []string{"doc_0001|backward"}, New: 1, Relevant: 1, LowYield: true, Closed: true},
		"r201": {Revision: 1, Number: 201, Iteration: 2, Snowball: true, Seeds: []string{"doc_0001|forward"}, Empty: true, Closed: true},
	}
	s.Expanded = map[string]state.Expansion{
		"doc_0001|backward": {Seed: "doc_0001", Direction: state.Backward, Round: 101, Outcomes: map[string]string{"crossref": "hits"}, Found: 2},
		"doc_0001|forward":  {Seed: "doc_0001", Direction: state.Forward, Round: 201, Outcomes: map[string]string{"crossref": "no_list"}},
	}
	s.Critiques = map[string]state.Critique{
		"it1": {Iteration: 1, Summary: "costs are missing", Edits: []state.Edit{{Op: state.EditAdd, Text: "What are the costs of memory?"}}, By: "builtin",
			Assess: []state.Dimension{{Name: "coverage", Score: 0.4, Finding: "one subquestion only"}}},
		"it2": {Iteration: 2, Summary: "two documents are few", Edits: []state.Edit{{Op: state.EditSnowball, Target: "doc_0002", Direction: state.Forward, Rationale: "recent and relevant"}}, Gaps: []string{"no study on latency"}, By: "builtin"},
	}
	s.Applied = map[string]state.AppliedEdit{"it1/0": {Iteration: 1, Edit: s.Critiques["it1"].Edits[0], Applied: true, Result: "added RQ2"}}
	s.Ledger = map[string]state.Spend{"it1/read/doc_0001": {Documents: 1}, "it1/search/Q1": {Searches: 1, Credits: map[string]int{"openalex": 3}}, "it1/seeds/1": {Rounds: 1}}
	d := state.NewDegradation(state.Degradation{Iteration: 2, Step: "search", Subject: "Q3", Kind: "throttled", Reason: "arxiv: search Q3: HTTP 429 after 5 attempts", Fallback: "the other sources were searched"})
	s.Degradations = map[string]state.Degradation{d.ID: d}
	s.Stop = &state.Stop{Iteration: 2, Reason: state.StopBudget, Detail: "all 2 planned iterations are done (budgets.iterations)"}
	return s
}
