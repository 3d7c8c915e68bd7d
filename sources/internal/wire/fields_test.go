package wire

import (
	"reflect"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/state"
)

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestFields(t *testing.T) {
	same(t, "ISSN", ISSNs([]Scalar{"0028-0836", "14764687", "http://id.crossref.org/issn/2050-084x", "0028-0836", "no", ""}), []string{"0028-0836", "1476-4687", "2050-084X"})
	same(t, "ISBN", ISBNs([]Scalar{"http://id.crossref.org/isbn/978-3-16-148410-0", "0 306 40615 X", "9783161484100", "12345"}), []string{"9783161484100", "030640615X"})
	same(t, "distinct", Distinct([]Scalar{"<i>Water</i>", "water", " ", "a\nb", "long word"}, 4), []string{"Wat…", "a b", "lon…"})
	same(t, "funding", Funding([]state.Grant{{Funder: "A"}, {Funder: "A", Award: "1"}, {Funder: "A", Award: "1"}, {Funder: "B"}, {}, {Award: "7"}}),
		[]state.Grant{{Funder: "A", Award: "1"}, {Funder: "B"}, {Award: "7"}})
	for in, want := range map[string]string{
		" https://example.org/a?b=1 ": "https://example.org/a?b=1", "ftp://example.org": "", "javascript:alert(1)": "", "https:///x": "",
		"https://example.org/a b": "", "https://" + strings.Repeat("x", 3000): "",
	} {
		same(t, in, WebAddress(in), want)
	}
	same(t, "ORCID", []string{ORCID("https://orcid.org/0000-0002-1825-009x"), ORCID("x")}, []string{"0000-0002-1825-009X", ""})
}

func TestWords(t *testing.T) {
	bar := func(r rune) bool { return r == '|' }
	same(t, "words", Words("'a b|c ' -- two's 12 ˊ 々 深層", bar), []string{"a", "b", "c", "two's", "12", "々", "深層"})
	same(t, "a long word", len([]rune(Words(strings.Repeat("é", 500), bar)[0])), longWord)
	same(t, "joined", []string{JoinWords([]string{"ab", "cd", "é"}, 7), JoinWords([]string{"ab", "cd", "é"}, 6), JoinWords([]string{"ab"}, 1)}, []string{"ab cd é", "ab cd", ""})
	same(t, "fields", DropFields("ti:a (abs:b title_and_abstract.search:c vitamin:d ti:ti:e"), "a (b c vitamin:d e")
}

func TestLookup(t *testing.T) {
	works := []state.IDs{{"doi": "A", "pmid": "1"}, {"doi": "b"}, {"doi": "a"}, {"doi": "?", "pmid": "2"}, {"acl": "x"}, nil}
	l := NewLookup(works, []string{"doi", "pmid"}, func(scheme, id string) string { return strings.Trim(strings.ToLower(id), "?") })
	same(t, "by DOI", l.Wanted("doi"), []string{"a", "b"})
	l.Found("doi", map[string]bool{"a": true})
	same(t, "by PMID", l.Wanted("pmid"), []string{"2"})
	l.Found("pmid", nil)
	j := NewJob()
	l.Close(&j, "Toy")
	same(t, "notes", j.Result.Notes, []string{"Toy has no record for doi b, pmid 2", "2 works have no identifier that Toy understands"})
	same(t, "the list of the caller", len(works), 6)
	same(t, "not asked", sources.OutcomeOf(NotAsked("toy", "references", "no DOI")), state.Skipped)
}
