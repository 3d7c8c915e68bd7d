package canon

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

func TestNumerals(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"Reliable memory", ""},
		{"Part II", "2"},
		{"Part IV of the Handbook", "4"},
		{"part two", "2"},
		{"World War I and World War II", "1 2"},
		{"Phase III trial in 1,204 patients", "1204 3"},
		{"Infection among 10 000 women", "10000"},
		{"Llama 2 and Llama 3", "2 3"},
		{"GPT-4o", "4o"},
		{"GPT-4", "4"},
		{"Qwen2.5-72B", "2.5 72b"},
		{"p16INK4a and p16(INK4a)", "16 16 4a 4a"},
		{"The 21st century and the 1990s", "1990 21"},
		{"Part A", "a"},
		{"Hepatitis B and hepatitis C", "b c"},
		{"A mix of civic duties, mild DM and MD", ""},
		{"COVID‐19 in 2020", "19 2020"},
		{"2,4-dichlorophenol", "2 4"},
		{"Version 007", "7"},
		{"Memory IIII", ""},
		{"Quantum Monte Carlo, V", "5"},
	} {
		if got := strings.Join(numerals(c.in), " "); got != c.want {
			t.Errorf("numerals(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestNumbersConflict(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"", "", false}, {"1", "2", true}, {"1", "1 2", false}, {"1 1", "1 2", true}, {"", "3", false}} {
		if numbersConflict(c.a, c.b) != c.want || numbersConflict(c.b, c.a) != c.want {
			t.Errorf("numbersConflict(%q, %q) is not %v", c.a, c.b, c.want)
		}
	}
}

func TestNotice(t *testing.T) {
	for _, c := range []struct {
		in   string
		want notice
	}{
		{"Prevalence of bias", ""},
		{"Erratum", erratum},
		{"Corrigendum to: Prevalence of bias", erratum},
		{"Author Correction: Prevalence of bias", erratum},
		{"Correction to Lancet 2020", erratum},
		{"Correction of adolescent scoliosis by bracing", ""},
		{"Prevalence of bias (vol 142, pg 310, 2003)", erratum},
		{"Prevalence of bias (New England Journal of Medicine (2009) 360 (542-544))", erratum},
		{"Prevalence of bias: Erratum", erratum},
		{"Retraction: Prevalence of bias", retracted},
		{"Retraction Note to: Prevalence of bias", retracted},
		{"Expression of Concern: Prevalence of bias", retracted},
		{"RETRACTED ARTICLE: Prevalence of bias", ""},
		{"Retraction of the foreskin in boys", ""},
		{"Comment on “Prevalence of bias”", comment},
		{"Re: Prevalence of bias", comment},
		{"Letter to the Editor", comment},
		{"Authors' reply", reply},
		{"Prevalence of bias - Reply", reply},
		{"Reply to Smith", reply},
		{"Response to thermal exposure of powder blends", ""},
		{"The pricing of inputs: rejoinder and epilogue", reply},
		{"Editorial: prevalence of bias", editorial},
		{"Information Visualization, Guest Editors' Foreword", editorial},
		{"Faculty of 1000 evaluation for Prevalence of bias", review},
		{"Additional file 5 of Prevalence of bias", component},
		{"Data from: Prevalence of bias", component},
		{"Prevalence of bias: study protocol for a trial", protocol},
		{"Reviewing the reviewers", ""},
	} {
		if got := newTitle(c.in).notice; got != c.want {
			t.Errorf("notice of %q = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestVenues(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want tri
	}{
		{"", "BMJ", unknown},
		{"Current Opinion in Lipidology", "Curr Opin Lipidol", agree},
		{"Proc Natl Acad Sci U S A", "Proceedings of the National Academy of Sciences of the United States of America", agree},
		{"VLDB", "Very Large Data Bases", agree},
		{"ICIS", "International Conference on Information Systems", agree},
		{"VLDB", "VLDB J.", differ},
		{"SIGMOD Record", "ACM SIGMOD Record", agree},
		{"Journal of Clinical Virology", "Journal of clinical virology : the official publication of the Pan American Society for Clinical Virology", agree},
		{"FASEB Journal. Conference: Experimental Biology", "FASEB J", agree},
		{"Cancer Prevention Research", "Clinical Cancer Research", differ},
		{"Stroke", "Canadian Journal of Neurological Sciences", unknown}, // one short word may be an acronym
		{"Journal of Logic", "Annals of Botany", unknown},
		{"Plant Cell Physiology", "Annals of Forest Botany", differ},
		{"New Engl J Med", "The New England Journal of Medicine", agree},
		{"Dept State Bull", "Department of State Bulletin", agree},
		{"Int J Geriatr Psychiatry", "International Journal of Geriatric Psychiatry", agree},
		{"Am J Public Health", "American Journal of Psychiatry", differ},
		{"Journal of Thrombosis.Conference: 23rd Congress of the Society Kyoto", "23rd Congress of the Society Kyoto", agree},
	} {
		a, b := newVenue(c.a, "", nil), newVenue(c.b, "", nil)
		if a.same(b) != c.want || b.same(a) != c.want {
			t.Errorf("%q and %q: %d, %d, want %d", c.a, c.b, a.same(b), b.same(a), c.want)
		}
	}
}

func TestVenueClass(t *testing.T) {
	for _, c := range []struct {
		venue, typ, dblp string
		want             venueClass
	}{
		{"Proceedings of the 2016 CHI Conference on Human Factors", "", "", conference},
		{"Proceedings of the National Academy of Sciences", "", "", journal},
		{"Proceedings of the VLDB Endowment", "proceedings-article", "", journal},
		{"VLDB", "inproceedings", "", conference},
		{"VLDB Journal", "article", "", journal},
		{"", "journal-article", "", journal},
		{"", "article", "", ""},
		{"VLDB", "article", "conf/vldb/NgC97", conference},
		{"CoRR", "article", "journals/corr/abs-1", ""},
	} {
		if got := newVenue(c.venue, c.typ, state.IDs{state.DBLP: c.dblp}).class; got != c.want {
			t.Errorf("class of %q, %q, %q = %q, want %q", c.venue, c.typ, c.dblp, got, c.want)
		}
	}
}

func TestStartPage(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"221-8", "221"}, {"E001469", "e1469"}, {"pp. 12–19", "12"}, {"S28-S42", "s28"}, {"28???42", "28"}, {"11-Sep", "9"}, {"Nov-19", "11"}, {"", ""}, {"6 -- 15", "6"}, {"ix-xii", ""},
	} {
		if got := startPage(c.in); got != c.want {
			t.Errorf("startPage(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestDOIStem(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"10.6084/m9.figshare.c.4358387.v1", "10.6084/m9.figshare.c.4358387"},
		{"10.21203/rs.3.rs-12345/v2", "10.21203/rs.3.rs-12345"},
		{"10.7287/peerj.preprints.3100v3", "10.7287/peerj.preprints.3100"},
		{"10.12688/f1000research.7654.2", "10.12688/f1000research.7654"},
		{"10.1145/2644865.2541946", "10.1145/2541946"},
		{"10.1002/ange.202003115", "10.1002/anie.202003115"},
		{"10.1002/14651858.cd001103.pub2", "10.1002/14651858.cd001103.pub2"},
		{"10.1000/v1", "10.1000/v1"},
		{"", ""},
	} {
		if got := doiStem(c.in); got != c.want {
			t.Errorf("doiStem(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCleanTitle(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Efficacy of batroxobin. [Chinese]", "Efficacy of batroxobin."},
		{"Efficacy of batroxobin [see comment]", "Efficacy of batroxobin"},
		{"Efficacy of batroxobin.[Erratum appears in Exp Brain Res. 2010 May;202(4):943]", "Efficacy of batroxobin"},
		{"Efficacy of batroxobin [Review] [41 refs]", "Efficacy of batroxobin"},
		{"RETRACTED: Efficacy of batroxobin", "Efficacy of batroxobin"},
		{"[Efficacy of batroxobin]", "[Efficacy of batroxobin]"},
		{"Efficacy (and safety) of batroxobin", "Efficacy (and safety) of batroxobin"},
	} {
		if got := cleanTitle(c.in); got != c.want {
			t.Errorf("cleanTitle(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSpelling(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"behaviour", "behavior", true}, {"agents", "agent", true}, {"semistructured", "semistructurd", true}, {"fourth", "foruth", false},
		{"hypoglycemia", "hyperglycemia", false}, {"male", "female", false}, {"invasive", "noninvasive", false}, {"liver", "fever", false}, {"p16", "p15", false},
	} {
		if spelling(c.a, c.b) != c.want || spelling(c.b, c.a) != c.want {
			t.Errorf("spelling(%q, %q) is not %v", c.a, c.b, c.want)
		}
	}
}

// The blocking indexes must bring together what Compare would join.
func TestCandidatesFindDuplicates(t *testing.T) {
	pairsOf := func(a, b state.Record) bool {
		a.Key, b.Key = "x:1", "x:2"
		b2 := blocking{ps: []profile{*newProfile(a), *newProfile(b)}, fresh: []bool{true, true}, workers: 1}
		return slices.Contains(b2.candidates(), pair{0, 1})
	}
	base := rec("Integrating reliable memory in relational databases", "Weber A", 2001, "TODS")
	for _, title := range []string{"Integrating reliable memory in relational databases: a study", "Intergrating reliable memory in relational databases", "Reliable memory in relational databases",
		"INTEGRATING RELIABLE MEMORY IN RELATIONAL DATA BASES", "Integrating reliable memry in relational databses"} {
		if !pairsOf(base, rec(title, "Weber A", 2001, "TODS")) {
			t.Errorf("%q is no candidate", title)
		}
		if !pairsOf(base, rec(title, "", 0, "")) {
			t.Errorf("%q without authors is no candidate", title)
		}
	}
	if pairsOf(base, rec("Crop rotation in dry highland farming", "Lee K", 2011, "Soil")) {
		t.Error("works without a common word are candidates")
	}
}

func TestHostileRecordsAreQuick(t *testing.T) {
	for _, part := range []string{": a", "(", "[", "<i>", "\\alpha ", "1,", "i. ", "A.B", "，", "e\u0301", "$x"} {
		long := strings.Repeat(part, 200_000/len(part))
		a := state.Record{Key: "a", Title: long, Venue: long, Pages: long, Volume: long, Authors: []state.Author{{Name: long}}}
		b := state.Record{Key: "b", Title: long + "x", AltTitle: long, Venue: long + "y", Authors: []state.Author{{Name: long + "z"}}}
		start := time.Now()
		Compare(a, b)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("records full of %q took %v", part, took)
		}
	}
}

// The fast ways through plain text give what internal/text gives.
func TestPlainTextIsReadAlike(t *testing.T) {
	ascii := rapid.StringOfN(rapid.RuneFrom([]rune("aAbB cC,.'-12(?:)&<;x")), 0, 60, -1)
	any := rapid.OneOf(ascii, rapid.StringN(0, 40, -1), rapid.SampledFrom([]string{"don't", "O' B", "a  b ", " x", "R&D", "p < 0.05"}))
	rapid.Check(t, func(t *rapid.T) {
		a, b := any.Draw(t, "a"), any.Draw(t, "b")
		if got, want := fold(a), text.Fold(a); got != want {
			t.Fatalf("fold(%q) = %q, want %q", a, got, want)
		}
		if got, want := strip(a), text.Strip(a); got != want {
			t.Fatalf("strip(%q) = %q, want %q", a, got, want)
		}
		if got, want := titleKey(a), text.TitleKey(a); got != want {
			t.Fatalf("titleKey(%q) = %q, want %q", a, got, want)
		}
		if got, want := similarity(a, b), text.Similarity(a, b); math.Abs(got-want) > 1e-9 {
			t.Fatalf("similarity(%q, %q) = %v, want %v", a, b, got, want)
		}
		s, ok := similar(a, b, 0.8)
		if want, enough := text.Similar(a, b, 0.8); ok != enough || ok && math.Abs(s-want) > 1e-9 {
			t.Fatalf("similar(%q, %q) = %v, %v, want %v, %v", a, b, s, ok, want, enough)
		}
	})
}

// The cheap test before the replacer must not miss a name that it changes.
func TestLoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("abcehijkostuwyz")), 0, 12, -1).Draw(t, "name")
		if got, want := loose(s), looser.Replace(looser.Replace(s)); got != want {
			t.Fatalf("loose(%q) = %q, want %q", s, got, want)
		}
	})
}
