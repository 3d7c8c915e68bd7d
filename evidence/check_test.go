package evidence

import (
	"math"
	"strings"
	"testing"

	"optimistresearch/state"
)

func draft(claim, quote string) Draft {
	return Draft{Document: "doc_0001", Subquestion: "RQ1", Claim: claim, Quote: quote, Location: "Section 4", Type: "empirical", Strength: 0.9, By: "m"}
}

func TestCheckKeepsTheStoredBytes(t *testing.T) {
	set := state.DefaultSettings().Reading
	d := draft("A-MEM raises F1 on LoCoMo from 18.4 to 45.9.", "on locomo, a-mem improves the f1 score from 18.4 to 45.9")
	e, why := Check(d, Source{Text: abstract, Ref: "abstract:arxiv:1", Kind: KindAbstract}, set)
	if why != "" {
		t.Fatal(why)
	}
	if e.Quote != abstract[e.Start:e.End] || !strings.HasPrefix(e.Quote, "On LoCoMo, A-MEM") || e.Match != Folded {
		t.Errorf("quote %q at %d..%d, %s", e.Quote, e.Start, e.End, e.Match)
	}
	if e.ID != state.EvidenceID("doc_0001", "RQ1", e.Claim, e.Quote) || e.Text != "abstract:arxiv:1" {
		t.Errorf("id %s, text %s", e.ID, e.Text)
	}
	if e.Location != "Abstract" || e.Strength != 0.6 || !strings.Contains(e.Capped, "0.90 lowered to 0.60") {
		t.Errorf("location %q, strength %v, capped %q", e.Location, e.Strength, e.Capped)
	}
	if e.Direction != 1 || strings.Join(e.Numbers, " ") != "18.4 45.9" {
		t.Errorf("direction %d, numbers %v", e.Direction, e.Numbers)
	}
}

func TestCaps(t *testing.T) {
	set := state.DefaultSettings().Reading
	cases := []struct {
		kind, location string
		strength       float64
		wantLocation   string
		want           float64
		capped         bool
	}{
		{KindAbstract, "Section 4, p. 7", 0.9, "Abstract", 0.6, true},
		{KindAbstract, "", 0.5, "Abstract", 0.5, false},
		{KindSynopsis, "Abstract", 1, "Synopsis", 0.6, true},
		{KindFullText, "Section 4,\np. 7", 0.9, "Section 4, p. 7", 0.9, false},
		{KindFullText, "", 7, "Full text", 1, false},
		{"unheard of", "Section 4", 0.9, "Abstract", 0.6, true},
		{KindAbstract, "", math.NaN(), "Abstract", 0, false},
		{KindAbstract, "", math.Inf(1), "Abstract", 0.6, true},
		{KindFullText, "x", -3, "x", 0, false},
	}
	for _, c := range cases {
		d := draft("A-MEM links notes.", "an agentic memory that links notes")
		d.Location, d.Strength = c.location, c.strength
		e, why := Check(d, Source{Text: abstract, Kind: c.kind}, set)
		if why != "" || e.Location != c.wantLocation || e.Strength != c.want || (e.Capped != "") != c.capped {
			t.Errorf("%+v: location %q, strength %v, capped %q, %s", c, e.Location, e.Strength, e.Capped, why)
		}
	}
}

func TestCheckRejects(t *testing.T) {
	set := state.DefaultSettings().Reading
	good := "an agentic memory that links notes"
	cases := []struct {
		name string
		d    Draft
		text string
		why  string
	}{
		{"no quote", draft("A-MEM links notes.", " "), abstract, "quote is empty"},
		{"no claim", draft(" .\n", good), abstract, "claim is empty"},
		{"invented quote", draft("A-MEM links notes.", "A-MEM cures every known disease of agents"), abstract, "not in the stored text"},
		{"number of nowhere", draft("A-MEM links 7 notes.", good), abstract, "number 7 "},
		{"number from elsewhere in the text", draft("A-MEM links notes and reaches 45.9.", good), abstract, "number 45.9 "},
		{"number word", draft("A-MEM links twenty notes.", good), abstract, "number 20 "},
		{"a book for a claim", draft(strings.Repeat("claim ", 400), good), abstract, "more than 1000 characters"},
		{"no document", Draft{Subquestion: "RQ1", Claim: "c", Quote: good}, abstract, "names no document"},
		{"no text", draft("A-MEM links notes.", good), "", "not in the stored text"},
		{"broken text", draft("A-MEM links notes.", good), abstract + "\xff", "not valid UTF-8"},
	}
	for _, c := range cases {
		e, why := Check(c.d, Source{Text: c.text, Kind: KindAbstract}, set)
		if !strings.Contains(why, c.why) || e.ID != "" {
			t.Errorf("%s: %q, want %q; %+v", c.name, why, c.why, e)
		}
	}
}

func TestNumbersOfAClaim(t *testing.T) {
	cases := []struct {
		claim, quote, stored string
		ok                   bool
	}{
		{"Gains of 5 % on 4 tasks", "gains of 5% on four tasks", "", true},
		{"Gains on four tasks", "gains on 4 tasks", "", true},
		{"Gains on five tasks", "gains on four tasks", "", false},
		{"One agent gains", "an agent gains", "", true},
		{"The cost is 2 times lower", "the cost is halved, twice as low", "", true},
		{"1,234 patients", "1234 patients", "", true},
		{"Errors fell by 50%", "errors fell by half", "", true},
		{"Errors fell by 30%", "errors fell by 3%", "", false},
		{"GPT-4 gains 12 points", "it gains 12 points", "", true},
		{"Drug X helps in type 2 diabetes", "drug X helps these patients", "Patients with type 2 diabetes were enrolled. Drug X helps these patients", true},
		{"Drug X helps in type 2 diabetes", "drug X helps these patients", "Patients with type 1 diabetes were enrolled.", false},
		{"Type 2 patients gain 2 points", "patients gain", "type 2 patients", false},
	}
	for _, c := range cases {
		if got := unsupported(c.claim, c.quote, c.stored); (len(got) == 0) != c.ok {
			t.Errorf("%q from %q: missing %v", c.claim, c.quote, got)
		}
	}
}

func TestTypes(t *testing.T) {
	for in, want := range map[string]string{"Empirical": "empirical", "experimental study": "empirical", "systematic review": "review",
		"meta-analysis": "review", "new dataset": "benchmark", "Position paper": "opinion", "theoretical analysis": "theoretical", "": "opinion", "??": "opinion"} {
		if got := normaliseType(in); got != want {
			t.Errorf("normaliseType(%q) = %q, want %q", in, got, want)
		}
	}
}
