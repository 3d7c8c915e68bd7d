package canon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"optimistresearch/state"
)

func key(k string) func(*state.Record) { return func(r *state.Record) { r.Key = k } }

func seen(ps ...state.Provenance) func(*state.Record) {
	return func(r *state.Record) {
		r.Seen = map[string]state.Provenance{}
		for _, p := range ps {
			p.Source = r.Source
			r.Seen[p.Key()] = p
		}
	}
}

func searched(query string, rank int) state.Provenance {
	return state.Provenance{Via: state.ViaSearch, Query: query, Rank: rank, Round: 100}
}

func chased(seed string, rank int) state.Provenance {
	return state.Provenance{Via: state.ViaSnowball, Seed: seed, Direction: state.Backward, Rank: rank, Round: 101}
}

func with(s *state.State, rs ...state.Record) *state.State {
	if s.Records == nil {
		s.Records = map[string]state.Record{}
	}
	for _, r := range rs {
		s.Records[r.Key] = r
	}
	return s
}

// run canonicalises and merges the part, as the program does.
func run(s *state.State, round int) state.State {
	part := Canonicalise(s, round)
	s.Merge(&part)
	return part
}

func documentOf(s *state.State) map[string]string {
	out := map[string]string{}
	for k, l := range s.Links {
		out[k] = l.Document
	}
	return out
}

func TestCanonicaliseNumbersByRank(t *testing.T) {
	s := with(&state.State{},
		rec("Crop rotation in dry highland farming", "Lee K", 2011, "Soil", key("crossref:a"), seen(searched("Q1", 2))),
		rec("A survey of graph databases in industry", "Weber A", 2001, "TODS", key("crossref:b"), seen(searched("Q1", 1))),
		rec("A Survey of Graph Databases in Industry", "Weber, Ann", 2001, "ACM TODS", key("openalex:W1"), source("openalex"), seen(searched("Q2", 9))),
		rec("Sleep and memory consolidation in mice", "Ito R", 2015, "Brain", key("openalex:W2"), source("openalex"), seen(searched("Q2", 1))),
	)
	part := run(s, 100)
	want := map[string]string{"crossref:b": "doc_0001", "openalex:W1": "doc_0001", "openalex:W2": "doc_0002", "crossref:a": "doc_0003"}
	if d := cmp.Diff(want, documentOf(s)); d != "" {
		t.Error(d)
	}
	l := part.Links["openalex:W1"]
	if l.Rule != ruleTitle || l.With != "crossref:b" || l.Round != 100 || !strings.Contains(l.Compare, "weber / weber") {
		t.Errorf("link %+v", l)
	}
	if l := part.Links["crossref:b"]; l.Rule != ruleFirst || l.With != "" {
		t.Errorf("link of the first record %+v", l)
	}
	if d := s.Documents["doc_0001"]; d.Status != state.Found || d.Depth == nil || *d.Depth != 0 || len(d.Records) != 2 || len(d.Versions) != 2 {
		t.Errorf("document %+v", d)
	}
	if again := Canonicalise(s, 101); len(again.Links)+len(again.Documents)+len(again.Pairs) != 0 {
		t.Errorf("a second call found %+v", again)
	}
}

func TestCanonicaliseAddsToDocuments(t *testing.T) {
	s := with(&state.State{},
		rec("A survey of graph databases in industry", "Weber A", 2001, "TODS", key("crossref:b"), doi("10.1000/b"), seen(searched("Q1", 1))),
		rec("Sleep and memory consolidation in mice", "Ito R", 2015, "Brain", key("crossref:c"), seen(searched("Q1", 2))))
	run(s, 100)
	with(s,
		rec("A survey of graph databases in industry", "Weber A", 2001, "", key("openalex:W9"), source("openalex"), doi("10.1000/B"), seen(chased("doc_0002", 1))),
		rec("Hippocampal replay during rest", "Ito R", 2012, "Brain", key("openalex:W5"), source("openalex"), seen(chased("doc_0002", 2))))
	part := run(s, 101)
	if got := documentOf(s); got["openalex:W9"] != "doc_0001" || got["openalex:W5"] != "doc_0003" {
		t.Errorf("documents %v", got)
	}
	if l := part.Links["openalex:W9"]; l.Rule != state.DOI || l.With != "crossref:b" {
		t.Errorf("link %+v", l)
	}
	if d := s.Documents["doc_0003"]; *d.Depth != 1 {
		t.Errorf("depth %d of a document that one step of chasing found", *d.Depth)
	}
	if d := s.Documents["doc_0001"]; *d.Depth != 0 || len(d.Records) != 2 {
		t.Errorf("document %+v", d)
	}
	// A later search returns the chased document: it comes nearer.
	r := s.Records["openalex:W5"]
	seen(chased("doc_0002", 2), searched("Q7", 4))(&r)
	with(s, r)
	run(s, 200)
	if d := s.Documents["doc_0003"]; *d.Depth != 0 {
		t.Errorf("depth %d after a search returned it", *d.Depth)
	}
}

func TestDepthFollowsTheShortestPath(t *testing.T) {
	s := with(&state.State{}, rec("Sleep and memory consolidation in mice", "Ito R", 2015, "Brain", key("x:1"), seen(searched("Q1", 1))))
	run(s, 100)
	for i, title := range []string{"Hippocampal replay during rest", "Cortical oscillations under anaesthesia", "Spindle timing across development"} {
		with(s, rec(title, "Ito R", 2012, "Brain", key(fmt.Sprintf("x:%d", i+2)), seen(chased(fmt.Sprintf("doc_%04d", i+1), 1))))
		run(s, 101+i)
	}
	if d := s.Documents["doc_0004"]; *d.Depth != 3 {
		t.Errorf("depth %d at the end of three steps", *d.Depth)
	}
	with(s, rec("Work led to by a seed nobody knows", "Ito R", 2012, "Brain", key("x:9"), seen(chased("doc_0099", 1))))
	run(s, 105)
	if d := s.Documents["doc_0005"]; *d.Depth != 1 {
		t.Errorf("depth %d without a known seed", *d.Depth)
	}
}

func TestPreprintJoinsOneOfConferenceAndJournal(t *testing.T) {
	s := with(&state.State{},
		rec(memory, "Wee Teck Ng;Peter M. Chen", 1997, "VLDB", typ("inproceedings"), key("dblp:conf"), source("dblp")),
		rec(memory, "Wee Teck Ng;Peter M. Chen", 1998, "VLDB Journal", typ("article"), key("dblp:jour"), source("dblp")),
		rec(memory, "Wee Teck Ng;Peter M. Chen", 1996, "", preprint("cs/9601001"), key("arxiv:cs/9601001")))
	part := run(s, 1)
	got := documentOf(s)
	if got["dblp:conf"] == got["dblp:jour"] {
		t.Errorf("conference and journal version became one document through the preprint: %v", got)
	}
	if got["arxiv:cs/9601001"] != got["dblp:conf"] && got["arxiv:cs/9601001"] != got["dblp:jour"] {
		t.Errorf("the preprint stays alone: %v", got)
	}
	if len(part.Pairs) == 0 {
		t.Error("no pair for a person")
	}
}

func TestTwoDocumentsAreNotJoinedSilently(t *testing.T) {
	s := with(&state.State{},
		rec("A survey of graph databases in industry", "Weber A", 2001, "TODS", key("a:1"), doi("10.1000/one")),
		rec("Graph databases: an industrial overview of storage engines", "Weber A", 2001, "TODS", key("a:2"), id(state.PMID, "77")))
	run(s, 1)
	with(s, rec("A survey of graph databases in industry", "Weber A", 2001, "TODS", key("b:1"), source("openalex"), doi("10.1000/one"), id(state.PMID, "77"),
		alt("Graph databases: an industrial overview of storage engines")))
	part := run(s, 2)
	if got := documentOf(s); got["a:1"] == got["a:2"] || got["b:1"] != got["a:1"] {
		t.Errorf("documents %v", got)
	}
	p, ok := part.Pairs[PairKey("a:2", "b:1")]
	if !ok || p.Why != "uncertain" || !strings.Contains(p.Detail, "would join doc_0001 and doc_0002") {
		t.Errorf("pairs %+v", part.Pairs)
	}
}

func TestContainerDOIIsFlagged(t *testing.T) {
	s := with(&state.State{},
		rec("Introduction", "Daley D", 2013, "Point Processes", key("a:1"), doi("10.1201/b14859")),
		rec("Spike trains as event sequences: fundamental implications", "Johnson D", 2013, "Point Processes", key("a:2"), doi("10.1201/b14859")),
		rec("Cell Host Interactions: Methods and Protocols", "Walker J", 2016, "Methods Mol Biol", key("a:3"), doi("10.1007/978-1-4939-3100-2")),
		rec("Isolation of exosomes from urine by ultracentrifugation", "Stone M", 2016, "Methods Mol Biol", key("a:4"), doi("10.1007/978-1-4939-3100-2")))
	part := run(s, 1)
	if len(s.Documents) != 4 {
		t.Errorf("%d documents, want 4", len(s.Documents))
	}
	if p := part.Pairs[PairKey("a:1", "a:2")]; p.Why != "container_doi" || !strings.Contains(p.Detail, "10.1201/b14859") {
		t.Errorf("pairs %+v", part.Pairs)
	}
	if p := part.Pairs[PairKey("a:3", "a:4")]; p.Why == "" {
		t.Errorf("pairs %+v", part.Pairs)
	}
}

// R28: the versions of one work keep their own venue, year and identifiers.
func TestVersionsAreNotBlended(t *testing.T) {
	title := "Jailbreaking leading safety-aligned models with simple attacks"
	s := with(&state.State{},
		rec(title, "Maksym Andriushchenko", 2024, "", preprint("2406.14302"), key("arxiv:2406.14302")),
		rec(title, "Maksym Andriushchenko", 2024, "International Conference on Learning Representations", source("semanticscholar"), id(state.ArXiv, "2406.14302"), key("semanticscholar:1")),
		rec(title, "Andriushchenko M", 2025, "ICLR", key("crossref:1"), doi("10.1000/iclr.1"), typ("proceedings-article")))
	run(s, 1)
	if len(s.Documents) != 1 {
		t.Fatalf("documents %v", documentOf(s))
	}
	v := s.Documents["doc_0001"].Versions
	if v["arxiv:2406.14302"].Venue != "" || v["crossref:1"].ArXiv != "" || v["crossref:1"].Year != 2025 || v["semanticscholar:1"].DOI != "" {
		t.Errorf("versions %+v", v)
	}
}

func TestPersonDecides(t *testing.T) {
	one := rec("A survey of graph databases in industry", "Weber A", 2001, "TODS", key("a:1"), doi("10.1000/one"))
	two := rec("A survey of graph databases in industry", "Weber A", 2001, "TODS", key("a:2"), doi("10.1000/ONE"))
	three := rec("Graph stores in practice", "Weber A", 2009, "TODS", key("a:3"))
	s := with(&state.State{Pairs: map[string]state.Pair{
		PairKey("a:1", "a:2"): {A: "a:1", B: "a:2", Decision: DecisionDifferent},
		PairKey("a:1", "a:3"): {A: "a:1", B: "a:3", Decision: DecisionSame},
	}}, one, two, three)
	part := run(s, 1)
	if got := documentOf(s); got["a:1"] == got["a:2"] || got["a:1"] != got["a:3"] {
		t.Errorf("documents %v", got)
	}
	if l := part.Links["a:3"]; l.Rule != rulePerson {
		t.Errorf("link %+v", l)
	}
}

func TestNoTransitiveMerge(t *testing.T) {
	// The stub fits both articles, which are two works.
	s := with(&state.State{},
		rec("Memory systems in language agents", "Weber A", 2024, "TACL", key("a:stub")),
		rec("Memory systems in language agents: episodic stores", "Weber A", 2024, "TACL", key("a:x")),
		rec("Memory systems in language agents: forgetting curves", "Weber A", 2024, "TACL", key("a:y")))
	run(s, 1)
	if got := documentOf(s); got["a:x"] == got["a:y"] {
		t.Errorf("two works joined through a cut title: %v", got)
	}
}

func TestCanonicaliseManyCopies(t *testing.T) {
	s := &state.State{}
	for i := range 1000 {
		with(s, rec(bias, "Weber A", 2010, "BMJ", key(fmt.Sprintf("files:%04d", i)), source("files"), at("3", "1", "10-19")))
		with(s, rec(fmt.Sprintf("Abstract %c%c of a meeting on wounds and scars", 'a'+i%26, 'a'+i/26%26), "Lee K", 2011, "Wounds", key(fmt.Sprintf("files:m%04d", i)), source("files"), doi("10.1000/meeting")))
	}
	part := run(s, 1)
	if got := documentOf(s); got["files:0000"] != got["files:0999"] {
		t.Error("copies of one record are in several documents")
	}
	if len(part.Pairs) > 200_000 {
		t.Errorf("%d pairs for a person", len(part.Pairs))
	}
}

func TestCanonicaliseEmpty(t *testing.T) {
	if part := Canonicalise(&state.State{}, 1); len(part.Links) != 0 || len(part.Documents) != 0 {
		t.Errorf("%+v", part)
	}
}
