package pubmed

import (
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// Sample records with the quirks that no recording has.
func TestRecord(t *testing.T) {
	got := decodeAll(t, []byte(sample(t, "efetch.xml")))
	if len(got.Records) != 3 || len(got.Skips) != 1 || got.Skips[0].Reason != "no title" {
		t.Fatalf("%d records, skips %+v", len(got.Records), got.Skips)
	}
	compare(t, got.Records[0], state.Record{
		Key: "pubmed:104", Title: "Dowsing in the Harz: CO2 and p < 0.05", AltTitle: "Rutengehen im Harz", Language: "de",
		Venue: "Wasser & Rute", Volume: "3", Issue: "2-3", Pages: "12-19", Year: 1998, Date: "1998", Type: "retracted publication",
		IDs: state.IDs{"pmid": "104", "doi": "10.5555/right.1", "pmcid": "PMC77"}, AuthorsCut: true,
		Authors: []state.Author{
			{Name: "Ada B Sample 3rd", Family: "Sample", Given: "Ada B", ORCID: "0000-0001-7093-6988"},
			{Name: "C Probe", Family: "Probe", Given: "C"},
			{Name: "The Rod & Pendulum Group", Collective: true},
		},
		Abstract:   "[fr] Résumé court. [de] ZIEL: Kurz.",
		Retraction: &state.Retract{Status: state.RetractRetracted, Notice: "10.5555/retract.1"},
		Related: []state.Related{
			{Type: "has-erratum", ID: "pmid:201"}, {Type: "has-retraction", ID: "doi:10.5555/retract.1"}, {Type: "has-retraction", ID: "pmid:202"},
		},
		Notes: []string{"the title is PubMed's translation", "dated “1998 Dec-1999 Jan”", "also in en", "the abstract is in fr, de; PubMed has no other"},
	})
	compare(t, got.Records[1], state.Record{
		Key: "pubmed:101", Kind: state.Preprint, Type: "preprint", Year: 2021, Date: "2021", Abstract: "BACKGROUND: [Rods] bend. They do.",
		Related: []state.Related{{Type: "is-preprint-of", ID: "doi:10.5555/jrods.1"}, {Type: "is-preprint-of", ID: "pmid:303"}},
	})
	compare(t, got.Records[2], state.Record{
		Key: "pubmed:102", Kind: state.Other, Type: "book", Title: "Rods & Roots", Year: 2010, Date: "2010-06",
		Authors: []state.Author{{Name: "Eve Editor", Family: "Editor", Given: "Eve"}},
	})
}

// one decodes a single article from the inside of its MedlineCitation.
func one(t *testing.T, inside string) state.Record {
	t.Helper()
	got := decodeAll(t, []byte("<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID>"+inside+"</MedlineCitation></PubmedArticle></PubmedArticleSet>"))
	if len(got.Records) != 1 {
		t.Fatalf("%d records, skips %+v", len(got.Records), got.Skips)
	}
	return got.Records[0]
}

// R26: abstracts in other languages only, no authors, no translation of the
// title: kept, language marked, nothing lost.
func TestOtherLanguages(t *testing.T) {
	r := one(t, `<Article><ArticleTitle>[Not Available].</ArticleTitle><Language>fre</Language><VernacularTitle>La baguette.</VernacularTitle></Article>
		<OtherAbstract Type="Publisher" Language="fre"><AbstractText>En bref.</AbstractText></OtherAbstract>`)
	compare(t, r, state.Record{Title: "La baguette", Language: "fr", Abstract: "En bref.", Notes: []string{"the abstract is in fr; PubMed has no other"}})
	if r.AltTitle != "" || len(r.Authors) != 0 {
		t.Errorf("alternative title %q, authors %v", r.AltTitle, r.Authors)
	}
	r = one(t, `<Article><ArticleTitle>Rods.</ArticleTitle><Abstract><AbstractText>In short.</AbstractText></Abstract></Article>
		<OtherAbstract Type="Publisher" Language="spa"><AbstractText>En breve.</AbstractText></OtherAbstract>`)
	compare(t, r, state.Record{Abstract: "In short.", Notes: []string{"has further abstracts: publisher in es"}})
	r = one(t, `<Article><ArticleTitle>Rods.</ArticleTitle><Abstract><AbstractText>[Synopsis] Ours.</AbstractText></Abstract></Article>`)
	compare(t, r, state.Record{Abstract: "Ours.", Synopsis: true})
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Rods.", "Rods"},
		{"Rods?", "Rods?"},
		{"And so on...", "And so on..."},
		{"Dowsing in the U.S.", "Dowsing in the U.S."},
		{"[Rods].", "Rods"},
		{"[Rods?]", "Rods?"},
		{"[18F]FDG PET with [11C]", "[18F]FDG PET with [11C]"},
		{"[Rods [sic] and roots].", "Rods [sic] and roots"},
		{"On H<sub>2</sub>O &amp; <i>E. coli</i>.", "On H2O & E. coli"},
		{"A &lt; B.", "A < B"},
	} {
		if r := one(t, "<Article><ArticleTitle>"+c.in+"</ArticleTitle></Article>"); r.Title != c.want {
			t.Errorf("title %q became %q, want %q", c.in, r.Title, c.want)
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		date pubDate
		year int
		want string
	}{
		{pubDate{Year: "2022", Month: "May", Day: "3"}, 2022, "2022-05-03"},
		{pubDate{Year: "2022", Month: "05"}, 2022, "2022-05"},
		{pubDate{Year: "2022", Month: "June"}, 2022, "2022-06"},
		{pubDate{Year: "2022", Month: "Jan-Feb"}, 2022, "2022"},
		{pubDate{Year: "2022", Month: "13", Day: "3"}, 2022, "2022"},
		{pubDate{Year: "2022", Month: "Feb", Day: "32"}, 2022, "2022-02"},
		{pubDate{Medline: "1998 Dec-1999 Jan"}, 1998, "1998"},
		{pubDate{Medline: "Spring 2000"}, 2000, "2000"},
		{pubDate{Medline: "2019"}, 2019, "2019"},
		{pubDate{Medline: "undated"}, 0, ""},
		{pubDate{Year: "in press"}, 0, ""},
		{pubDate{}, 0, ""},
	} {
		if year, date, _ := c.date.read(); year != c.year || date != c.want {
			t.Errorf("%+v is %d, %q; want %d, %q", c.date, year, date, c.year, c.want)
		}
	}
}

func TestLanguages(t *testing.T) {
	for code, want := range map[string]string{"eng": "en", "ger": "de", "chi": "zh", "jpn": "ja", "und": "", "mul": "mul", "scr": "hr", "": "", "x-klingon": ""} {
		if got := languageOf(code); got != want {
			t.Errorf("languageOf(%q) is %q, want %q", code, got, want)
		}
	}
}

func TestCorrections(t *testing.T) {
	notice := func(kinds ...string) []correction {
		var out []correction
		for i, k := range kinds {
			out = append(out, correction{Type: k, PMID: string(rune('1' + i))})
		}
		return out
	}
	for _, c := range []struct {
		name        string
		types       []string
		corrections []correction
		want        state.Retract
	}{
		{"nothing is said", nil, nil, state.Retract{Status: "none"}},
		{"an erratum alone is no retraction", nil, notice("ErratumIn"), state.Retract{Status: "corrected", Notice: "pmid:1"}},
		{"the gravest wins", nil, notice("ErratumIn", "RetractionIn", "ExpressionOfConcernIn"), state.Retract{Status: "retracted", Notice: "pmid:2"}},
		{"a part", nil, notice("PartialRetractionIn"), state.Retract{Status: "concern", Notice: "pmid:1"}},
		{"only the type says it", []string{"Journal Article", "Retracted Publication"}, notice("ErratumIn"), state.Retract{Status: "retracted"}},
		{"the notice itself is not retracted", []string{"Retraction of Publication"}, notice("RetractionOf"), state.Retract{Status: "none"}},
		{"comments say nothing against it", nil, notice("CommentIn", "UpdateIn"), state.Retract{Status: "none"}},
	} {
		r := state.Record{Kind: state.Published}
		addCorrections(&r, c.types, c.corrections)
		if *r.Retraction != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, *r.Retraction, c.want)
		}
	}
}

func TestUpdates(t *testing.T) {
	for _, c := range []struct {
		kind   state.Kind
		update correction
		want   string
	}{
		{state.Published, correction{Type: "UpdateOf", Source: "medRxiv. 2021 May 3:2021.04.30. doi: 10.1101/2021.04.30.21256383.", PMID: "9"}, "has-preprint"},
		{state.Published, correction{Type: "UpdateOf", Source: "Cochrane Database Syst Rev. 2016;(5):CD001. doi: 10.1002/14651858.CD001.pub2.", PMID: "9"}, "updates"},
		{state.Published, correction{Type: "UpdateIn", Source: "Cochrane Database Syst Rev. 2020", PMID: "9"}, "updated-by"},
		{state.Published, correction{Type: "UpdateOf", Source: "Genome Res. 2001. doi: 10.1101/gr.1234", PMID: "9"}, "updates"},
		{state.Preprint, correction{Type: "UpdateIn", Source: "J Rods. 2022", PMID: "9"}, "is-preprint-of"},
		{state.Preprint, correction{Type: "UpdateOf", Source: "bioRxiv. 2020", PMID: "9"}, "updates"},
	} {
		r := state.Record{Kind: c.kind}
		addCorrections(&r, nil, []correction{c.update})
		if len(r.Related) == 0 || r.Related[0].Type != c.want {
			t.Errorf("%s of a %s, %q: %+v, want %s", c.update.Type, c.kind, c.update.Source, r.Related, c.want)
		}
	}
}

func TestPreprintOnArXiv(t *testing.T) {
	r := one(t, `<Article><Journal><Title>ArXiv</Title></Journal><ArticleTitle>Rods.</ArticleTitle><ELocationID EIdType="pii" ValidYN="Y">arXiv:2301.01234v2</ELocationID></Article>`)
	compare(t, r, state.Record{Kind: state.Preprint, Version: "v2", IDs: state.IDs{"pmid": "1", "arxiv": "2301.01234"}})
}

func FuzzDecodeArticles(f *testing.F) {
	f.Add([]byte(sample(f, "efetch.xml")))
	f.Add([]byte("<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>\x00&#2;&nbsp;\xff[</ArticleTitle></Article></MedlineCitation></PubmedArticle>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		_ = checkArticles(body)
		entries, err := decodeArticles(body)
		if err != nil {
			return
		}
		var result sources.Result
		seen := map[string]bool{}
		for _, e := range entries {
			if r, why := e.record(); why != "" {
				result.AddSkip(why, r.Title)
			} else if !seen[r.Key] {
				seen[r.Key] = true
				result.Records = append(result.Records, r)
			}
		}
		for _, fault := range sourcetest.ResultFaults(Name, result) {
			t.Error(fault)
		}
	})
}

func FuzzDecodeJSON(f *testing.F) {
	for _, name := range []string{"esearch.json", "esearch_zero.json", "elink.json", "elink_none.json"} {
		f.Add([]byte(sample(f, name)))
	}
	f.Add([]byte("{\"esearchresult\":{\"ERROR\":\"a\nb\"}}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if found, err := decodeSearch(body); err == nil {
			if found.Count < 0 {
				t.Errorf("%d hits", found.Count)
			}
			for _, n := range found.notes() {
				if strings.ContainsAny(n, "\r\n") {
					t.Errorf("a note of two lines: %q", n)
				}
			}
		}
		if ids, err := decodeLinks(body, "pubmed_pubmed_refs"); err == nil {
			seen := map[string]bool{}
			for _, id := range ids {
				if seen[id] {
					t.Errorf("%s twice", id)
				}
				seen[id] = true
			}
		}
	})
}
