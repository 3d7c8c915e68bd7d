package canon

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"optimistresearch/state"
)

// together tells which records share a cluster, by key.
func together(records []state.Record, res Result) map[string]string {
	out := map[string]string{}
	for _, c := range res.Clusters {
		for _, i := range c.Members {
			out[records[i].Key] = records[c.Members[0]].Key
		}
	}
	return out
}

func TestDedupe(t *testing.T) {
	records := []state.Record{
		rec(wounds, "Weber A;Lee K", 2010, "BMJ", key("b:1"), at("3", "1", "10-19"), source("embase")),
		rec(wounds+" [Erratum appears in BMJ. 2010;3(2):99]", "Weber, Ann;Lee, Kim", 2010, "British Medical Journal", key("a:1"), at("3", "", "10-9"), source("medline")),
		rec(wounds, "Weber A", 2010, "BMJ", key("a:2"), source("medline")),
		rec("Crop rotation in dry highland farming", "Lee K", 2011, "Soil", key("a:3"), source("medline")),
		rec(wounds, "Weber A", 2016, "BMJ", key("a:4"), source("medline")),
	}
	res := Dedupe(records, Options{})
	want := []Cluster{{ID: "doc_0001", Members: []int{0, 1, 2}}, {ID: "doc_0002", Members: []int{3}}, {ID: "doc_0003", Members: []int{4}}}
	if d := cmp.Diff(want, res.Clusters); d != "" {
		t.Error(d)
	}
	if len(res.Links) != 2 {
		t.Fatalf("%d links, want 2: %+v", len(res.Links), res.Links)
	}
	for _, l := range res.Links {
		if l.Rule == "" || l.Compare == "" || l.Similarity != 1 || l.A >= l.B {
			t.Errorf("link %+v", l)
		}
	}
	if len(res.Uncertain) != 1 || res.Uncertain[0].Why != "year_veto" || res.Uncertain[0].Veto != "year" {
		t.Errorf("uncertain %+v", res.Uncertain)
	}
	s := res.Summary
	if s.Records != 5 || s.Clusters != 3 || s.Duplicates != 2 {
		t.Errorf("summary %+v", s)
	}
	if len(s.Links) != 1 || s.Links[0].Count != 2 || s.Links[0].Reason == "" {
		t.Errorf("links by rule %+v", s.Links)
	}
	if d := cmp.Diff([]SourceCount{{"embase", 1, 0}, {"medline", 4, 2}}, s.Sources); d != "" {
		t.Error(d)
	}
}

func TestDedupeNothing(t *testing.T) {
	if res := Dedupe(nil, Options{}); len(res.Clusters)+len(res.Links)+len(res.Uncertain) != 0 {
		t.Errorf("%+v", res)
	}
	if res := Dedupe(make([]state.Record, 3), Options{}); len(res.Clusters) != 3 {
		t.Errorf("three empty records are %d clusters", len(res.Clusters))
	}
}

// TestDedupeLaws: every record is in one cluster, the links are a forest that
// spans the clusters, neither the order of the records nor the number of
// goroutines matters, and Canonicalise finds the same.
func TestDedupeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rs []state.Record
		for i := range rapid.IntRange(0, 14).Draw(t, "records") {
			rs = append(rs, drawRecord(t, "x:"+string(rune('a'+i))))
		}
		opt := Options{Policy: rapid.SampledFrom(Policies[:]).Draw(t, "policy"), Workers: 1}
		res := Dedupe(rs, opt)
		seen := map[int]bool{}
		for _, c := range res.Clusters {
			for _, i := range c.Members {
				if seen[i] {
					t.Fatalf("record %d is in two clusters", i)
				}
				seen[i] = true
			}
		}
		if len(seen) != len(rs) || len(res.Links) != len(rs)-len(res.Clusters) {
			t.Fatalf("%d records, %d placed, %d clusters, %d links", len(rs), len(seen), len(res.Clusters), len(res.Links))
		}
		first := together(rs, res)
		for _, l := range res.Links {
			if first[l.A] != first[l.B] {
				t.Fatalf("link %+v joins two clusters", l)
			}
		}
		for _, u := range res.Uncertain {
			if first[u.A] == first[u.B] {
				t.Fatalf("%+v is in one cluster", u)
			}
		}
		byKey := map[string]state.Record{}
		for _, r := range rs {
			byKey[r.Key] = r
		}
		for a, x := range first {
			for b, y := range first {
				if a >= b || x != y {
					continue
				}
				if v := opt.Policy.Compare(byKey[a], byKey[b]); v.Veto != "" && newProfile(byKey[a]).print != newProfile(byKey[b]).print && !catalogued(byKey[a], byKey[b], v.Veto) {
					t.Fatalf("%s and %s are in one cluster under the veto %q", a, b, v.Veto)
				}
			}
		}
		shuffled := slices.Clone(rs)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		opt.Workers = 4
		again := Dedupe(shuffled, opt)
		if d := cmp.Diff(first, together(shuffled, again)); d != "" {
			t.Fatal(d)
		}
		if d := cmp.Diff(res.Links, again.Links); d != "" {
			t.Fatal(d)
		}
		if d := cmp.Diff(res.Uncertain, again.Uncertain); d != "" {
			t.Fatal(d)
		}
		part := opt.Policy.Canonicalise(with(&state.State{}, rs...), 1)
		for a := range first {
			for b := range first {
				if (first[a] == first[b]) != (part.Links[a].Document == part.Links[b].Document) {
					t.Fatalf("Canonicalise and Dedupe differ on %s and %s", a, b)
				}
			}
		}
	})
}

// A second import joins what is known and leaves it where it was.
func TestDedupeAddsToWhatIsKnown(t *testing.T) {
	old := []state.Record{
		rec(wounds, "Weber A", 2010, "BMJ", key("a:1")),
		rec("Crop rotation in dry highland farming", "Lee K", 2011, "Soil", key("a:2")),
		rec(wounds+".", "Weber A", 2010, "BMJ", key("a:9")), // kept apart from a:1 at the time
	}
	known := map[string]string{"a:1": "doc_0004", "a:2": "doc_0007", "a:9": "doc_0008"}
	all := append(old, rec("Crop rotation in dry highland farming", "Lee, Kim", 2011, "Soil", key("b:1")), rec("Sleep and memory consolidation in mice", "Ito R", 2015, "Brain", key("b:2")))
	res := Dedupe(all, Options{Known: known})
	want := []Cluster{{"doc_0004", []int{0}}, {"doc_0007", []int{1, 3}}, {"doc_0008", []int{2}}, {"doc_0009", []int{4}}}
	if d := cmp.Diff(want, res.Clusters); d != "" {
		t.Error(d)
	}
	if res.Summary.Compared != 1 || len(res.Links) != 1 {
		t.Errorf("%d pairs compared, links %+v: old pairs must not be compared again", res.Summary.Compared, res.Links)
	}
}

func TestChainIsNotSwallowed(t *testing.T) {
	// The stub fits both articles, which are two works.
	records := []state.Record{
		rec("Memory systems in language agents", "Weber A", 2024, "TACL", key("a:stub")),
		rec("Memory systems in language agents: episodic stores", "Weber A", 2024, "TACL", key("a:x")),
		rec("Memory systems in language agents: forgetting curves", "Weber A", 2024, "TACL", key("a:y")),
	}
	res := Dedupe(records, Options{})
	if got := together(records, res); got["a:x"] == got["a:y"] {
		t.Errorf("two works joined through a cut title: %v", got)
	}
	if len(res.Uncertain) != 1 {
		t.Errorf("the link that was not followed is not listed: %+v", res.Uncertain)
	}
}
