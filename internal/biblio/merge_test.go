package biblio

import (
	"slices"
	"testing"
)

func TestMerge(t *testing.T) {
	preprint := Entry{ID: "a", Type: Preprint, Title: "Sleep and memory: a trial", Date: "2019-05-02", ArXiv: "1905.00001", Container: "arXiv",
		Abstract: "A long abstract of the preprint, with all that it says.", Authors: []Name{{Family: "Berg", Given: "Anna Maria"}, {Family: "Ito", Given: "Ken"}}, Keywords: []string{"Sleep"}}
	article := Entry{ID: "b", Type: Journal, Title: "Sleep and memory", Date: "2020", Container: "Sleep", Volume: "3", DOI: "10.1/x", PMID: "7",
		Authors: []Name{{Family: "Berg", Given: "A."}, {Family: "Ito", Given: "K."}}, Keywords: []string{"sleep", "memory"}}
	copy := Entry{ID: "c", Type: Journal, Title: "Sleep and memory", Date: "2020-03", Container: "SLEEP", Pages: "1-9", ISSN: []string{"1234-5678"}}
	got := Merge([]Entry{preprint, article, copy})
	if got.Type != Journal || got.Container != "Sleep" || got.Volume != "3" || got.Pages != "1-9" || got.Date != "2020-03" || got.DOI != "10.1/x" {
		t.Errorf("the version is blended or incomplete: %+v", got)
	}
	if got.ArXiv != "1905.00001" || got.PMID != "7" || got.Abstract != preprint.Abstract || got.Authors[0].Given != "Anna Maria" || got.Title != preprint.Title {
		t.Errorf("the best value is not there: %+v", got)
	}
	if !slices.Equal(got.Keywords, []string{"sleep", "memory"}) || len(got.ISSN) != 1 {
		t.Errorf("lists are not united: %q, %q", got.Keywords, got.ISSN)
	}
	if one := Merge([]Entry{article}); one.Title != article.Title || one.ID != "b" {
		t.Errorf("one entry alone: %+v", one)
	}
	// Inputs stay as they are.
	if len(article.Keywords) != 2 || len(preprint.Keywords) != 1 {
		t.Error("an input was changed")
	}
}

// Names whose letters were lost or written as entities are still names.
func TestBrokenNames(t *testing.T) {
	for in, want := range map[string][]Name{
		"Michael H. B&#246;hlen":                  {{Family: "Böhlen", Given: "Michael H."}},
		"V&#233;ronique Benzaken, Anne Doucet":    {{Family: "Benzaken", Given: "Véronique"}, {Family: "Doucet", Given: "Anne"}},
		"Anne Doucet, V?ronique Benzaken":         {{Family: "Doucet", Given: "Anne"}, {Family: "Benzaken", Given: "V?ronique"}},
		"Michael H. B?hlen":                       {{Family: "B?hlen", Given: "Michael H."}},
		"B&#246;hlen, Michael &amp; Co; Lee, Ann": {{Family: "Böhlen", Given: "Michael & Co"}, {Family: "Lee", Given: "Ann"}},
	} {
		if got := splitNames(in); !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
}
