package pubmed

import (
	"reflect"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// decodeAll turns an answer of efetch into records and skips.
func decodeAll(t *testing.T, body []byte) sources.Result {
	t.Helper()
	if err := checkArticles(body); err != nil {
		t.Fatal(err)
	}
	entries, err := decodeArticles(body)
	if err != nil {
		t.Fatal(err)
	}
	var result sources.Result
	for _, e := range entries {
		if r, why := e.record(); why != "" {
			result.AddSkip(why, r.Title)
		} else {
			result.Records = append(result.Records, r)
		}
	}
	for _, fault := range sourcetest.ResultFaults(Name, result) {
		t.Error(fault)
	}
	return result
}

// The recorded articles, by what they hold; checked by eye.
func TestRecordedArticles(t *testing.T) {
	none := &state.Retract{Status: state.RetractNone}
	for _, c := range []struct {
		file    string
		records int
		authors int          // of the first record
		begins  string       // of its abstract; "-" = it has none
		first   state.Record // the fields that are set here are compared
	}{
		{"efetch_3_articles.xml", 3, 5, "", state.Record{
			Key: "pubmed:41884867", Year: 2026, Date: "2026", Type: "journal article", Kind: state.Published, Language: "en", Retraction: none,
		}},
		{"efetch_author_suffix.xml", 1, 3, "Research paradigms guide scientific discoveries", state.Record{
			Key: "pubmed:31789841", Title: "The Positivism Paradigm of Research", Year: 2020, Date: "2020-05",
			Venue: "Academic medicine : journal of the Association of American Medical Colleges", Volume: "95", Issue: "5", Pages: "690-694",
			IDs: state.IDs{"pmid": "31789841", "doi": "10.1097/acm.0000000000003093"}, URL: "https://pubmed.ncbi.nlm.nih.gov/31789841/",
			Authors: []state.Author{
				{Name: "Yoon Soo Park", Family: "Park", Given: "Yoon Soo"}, {Name: "Lars Konge", Family: "Konge", Given: "Lars"},
				{Name: "Anthony R Artino Jr", Family: "Artino", Given: "Anthony R"},
			},
			ISSN: []string{"1040-2446"}, Subjects: []string{"Humans", "*Knowledge", "*Research Design/trends"},
		}},
		{"efetch_book_article.xml", 1, 2, "CLINICAL CHARACTERISTICS: The clinical manifestations of CACNA1C-related disorders include", state.Record{
			Key: "pubmed:20301577", Title: "CACNA1C-Related Disorders", Venue: "GeneReviews®", Kind: state.Other, Type: "book chapter",
			Year: 2006, Date: "2006-02-15", Publisher: "University of Washington, Seattle", Language: "en",
			IDs:   state.IDs{"pmid": "20301577"},
			Links: []state.OALink{{URL: "https://www.ncbi.nlm.nih.gov/books/NBK1403/", Kind: "html", Source: "pubmed"}},
		}},
		{"efetch_bp_pubmed4.xml", 1, 22, "OBJECTIVE: ", state.Record{Key: "pubmed:27797938", Date: "2017-06", Type: "observational study"}},
		{"efetch_bp_pubmed6.xml", 1, 2, "Maximal Lactate Steady State (MLSS) and Lactate Threshold (LT)", state.Record{Key: "pubmed:30108519", Year: 2018, Date: "2018",
			Title: `A "Blood Relationship" Between the Overlooked Minimum Lactate Equivalent and Maximal Lactate Steady State in Trained Runners. Back to the Old Days?`}},
		{"efetch_bp_pubmed7.xml", 1, 9, "", state.Record{Key: "pubmed:29963580", Date: "2018-04"}},
		{"efetch_collective_author.xml", 1, 9, "BACKGROUND: ", state.Record{Key: "pubmed:38534005", Date: "2024-08-27"}},
		{"efetch_collective_investigators.xml", 1, 18, "", state.Record{Key: "pubmed:39382274", Date: "2024-11-06"}},
		{"efetch_comment_on.xml", 1, 1, "-", state.Record{
			Key: "pubmed:34529508", Type: "comment", Retraction: none,
			Related: []state.Related{{Type: "comment-on", ID: "doi:10.2105/ajph.2021.306412"}, {Type: "comment-on", ID: "pmid:34473563"}},
		}},
		{"efetch_erratum_in.xml", 1, 10, "", state.Record{
			Key: "pubmed:35649368", Date: "2022-05-31", Pages: "110870", Retraction: &state.Retract{Status: state.RetractCorrected, Notice: "10.1016/j.celrep.2022.111044"},
		}},
		{"efetch_inline_markup.xml", 1, 10, "", state.Record{Key: "pubmed:38329942", Date: "2024-03-19"}},
		{"efetch_missing_pmid.xml", 0, 0, "", state.Record{}},
		{"efetch_no_abstract.xml", 1, 1, "-", state.Record{Title: "The London Patient", Date: "2020-04"}},
		{"efetch_no_abstract_comment.xml", 1, 0, "-", state.Record{
			Title: "Correction", Type: "published erratum", Issue: "sup1", Pages: "228-229",
			Related: []state.Related{{Type: "erratum-of", ID: "doi:10.1080/09540121.2024.2308745"}, {Type: "erratum-of", ID: "pmid:38446048"}},
		}},
		{"efetch_no_pmid_2019.xml", 1, 1, "-", state.Record{Key: "pubmed:31393839", Year: 2019, Date: "2019", Title: "Career-Turning Moments"}},
		{"efetch_preprint_update_of.xml", 1, 8, "", state.Record{
			Key: "pubmed:36156117", Kind: state.Published, Date: "2023-01-13",
			Related: []state.Related{{Type: "has-preprint", ID: "doi:10.21203/rs.3.rs-1800050/v1"}, {Type: "has-preprint", ID: "pmid:35794888"}},
		}},
		{"efetch_structured_abstract.xml", 1, 7, "AIM: This study proposes a new artificial intelligence model", state.Record{Key: "pubmed:35573891", Date: "2021-07-01",
			Funding: []state.Grant{{Funder: "British Heart Foundation", Award: "AA/18/3/34220"}, {Funder: "Medical Research Council", Award: "MC_PC_17171"}}}},
		{"efetch_structured_mesh_copyright.xml", 1, 9, "BACKGROUND: ", state.Record{Key: "pubmed:33474827", Date: "2021-03",
			ISSN: []string{"1759-7714", "1759-7706"}, Keywords: []string{"SNORD55", "TEP", "biomarker", "diagnosis", "snoRNA"}}},
		{"efetch_sul_64kb.xml", 1, 474, "", state.Record{Key: "pubmed:26430984", Date: "2015-09-18"}},
		{"efetch_sul_batch.xml", 4, 5, "-", state.Record{Key: "pubmed:211", Year: 1975, Date: "1975", Type: "comparative study", Pages: "101-105"}},
		{"efetch_sul_empty.xml", 0, 0, "", state.Record{}},
		{"efetch_vernacular_no_abstract.xml", 1, 5, "-", state.Record{
			Title: "A Broader Scope - Bio-Psycho-Social Medicine In Global Focus", AltTitle: "A Broader Scope – Bio-psycho-soziale Medizin im globalen Fokus",
			Language: "de", Type: "editorial", Notes: []string{"the title is PubMed's translation", "published online 2023-12-04"},
			Subjects: []string{"Humans", "*Social Medicine"},
		}},
		{"efetch_vernacular_title.xml", 1, 7, "BACKGROUND: The number of burn patients", state.Record{
			Title:    "Patients over 75 years admitted to the National Burn Centre, Haukeland University Hospital, 2000-19",
			AltTitle: "Pasienter over 75 år innlagt ved Brannskadeavdelinga, Haukeland universitetssjukehus 2000–19", Language: "en",
			Notes: []string{"published online 2023-03-27", "also in no"},
		}},
		{"efetch_references_large.xml.gz", 1, 8, "", state.Record{Key: "pubmed:32051057", Type: "review", Date: "2020-12"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			got := decodeAll(t, sourcetest.Recorded(t, "pubmed/"+c.file))
			if len(got.Records) != c.records || len(got.Skips) != 0 {
				t.Fatalf("%d records, skips %+v; want %d and none", len(got.Records), got.Skips, c.records)
			}
			if c.records == 0 {
				return
			}
			r := got.Records[0]
			if len(r.Authors) != c.authors {
				t.Errorf("%d authors, want %d", len(r.Authors), c.authors)
			}
			if c.begins == "-" && r.Abstract != "" || c.begins != "-" && (r.Abstract == "" || !strings.HasPrefix(r.Abstract, c.begins)) {
				t.Errorf("the abstract is %.80q, want %q", r.Abstract, c.begins)
			}
			compare(t, r, c.first)
		})
	}
}

// compare checks the fields that are set in want.
func compare(t *testing.T, got, want state.Record) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range w.NumField() {
		if !w.Field(i).IsZero() && !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
			t.Errorf("%s\n got %+v\nwant %+v", w.Type().Field(i).Name, g.Field(i).Interface(), w.Field(i).Interface())
		}
	}
}

func TestRecordedDetails(t *testing.T) {
	authors := decodeAll(t, sourcetest.Recorded(t, "pubmed/efetch_collective_author.xml")).Records[0].Authors
	groups := 0
	for _, a := range authors {
		if a.Collective {
			groups++
		}
	}
	if groups != 1 || !authors[len(authors)-1].Collective {
		t.Errorf("%d groups among the authors: %+v", groups, authors)
	}
	plainWords := decodeAll(t, sourcetest.Recorded(t, "pubmed/efetch_3_articles.xml")).Records[2]
	if notes := strings.Join(plainWords.Notes, "; "); !strings.Contains(notes, "has further abstracts: plain-language-summary in en") {
		t.Errorf("notes %q", notes)
	}
	orcid := decodeAll(t, sourcetest.Recorded(t, "pubmed/efetch_vernacular_title.xml")).Records[0].Authors[0]
	if orcid != (state.Author{Name: "Øyvind Bruserud", Family: "Bruserud", Given: "Øyvind", ORCID: "0000-0001-7093-6988"}) {
		t.Errorf("author %+v", orcid)
	}
}

func TestRecordedSearches(t *testing.T) {
	for _, c := range []struct {
		file  string
		count int
		ids   int
		notes string // some words of the notes
	}{
		{"esearch_json.json", 115258, 3, `PubMed read it as: ("attention"[MeSH Terms]`},
		{"esearch_json_author_tag.json", 603, 20, "PubMed read it as: Darwin[Author]"},
		{"esearch_json_usehistory.json", 28198, 0, ""},
		{"esearch_json_zero_hits.json", 0, 0, "searched without them: zzzxxyyqq"},
		{"pmc_esearch_json.json", 1894053, 3, ""},
		{"esearch_xml_errorlist.xml", 0, 0, "searched without them: abcXYZ"},
		{"esearch_xml_history.xml", 42249, 100, ""},
		{"esearch_xml_sul_author.xml", 334, 334, ""},
		{"esearch_xml_translation.xml", 63, 20, ""},
		{"esearch_xml_translationset.xml", 4, 4, ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			f, err := decodeSearch(sourcetest.Recorded(t, "pubmed/"+c.file))
			if err != nil {
				t.Fatal(err)
			}
			if f.Count != c.count || len(f.IDs) != c.ids {
				t.Errorf("%d hits and %d ids, want %d and %d", f.Count, len(f.IDs), c.count, c.ids)
			}
			if notes := strings.Join(f.notes(), "; "); !strings.Contains(notes, c.notes) {
				t.Errorf("notes %q, want %q", notes, c.notes)
			}
		})
	}
}

func TestRecordedLinks(t *testing.T) {
	for _, c := range []struct {
		file, link string
		ids        int
		first      string
	}{
		{"elink_neighbor_refs_citedin.xml", "pubmed_pubmed_refs", 56, "14732139"},
		{"elink_neighbor_refs_citedin.xml", "pubmed_pubmed_citedin", 39, "38830800"},
		{"elink_neighbor_refs_citedin.xml", "pubmed_pubmed", 101, "9298984"},
		{"elink_scores.xml", "pubmed_pubmed", 284, "39386366"},
		{"elink_empty.xml", "pubmed_pubmed_refs", 0, ""},
		{"elink_json_neighbor_score.json", "pubmed_pubmed", 5, "42026145"},
		{"elink_json_neighbor_score.json", "pubmed_pubmed_refs", 0, ""},
	} {
		ids, err := decodeLinks(sourcetest.Recorded(t, "pubmed/"+c.file), c.link)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if len(ids) != c.ids || c.first != "" && (len(ids) == 0 || ids[0] != c.first) {
			t.Errorf("%s: %d ids of %s, beginning with %.30v; want %d, %s", c.file, len(ids), c.link, ids, c.ids, c.first)
		}
	}
}

func TestRecordedErrors(t *testing.T) {
	search := func(b []byte) error { _, err := decodeSearch(b); return err }
	links := func(b []byte) error { _, err := decodeLinks(b, "pubmed_pubmed_refs"); return err }
	for _, c := range []struct {
		file   string
		status int
		judge  func([]byte) error
		kind   fetch.Kind // "" = a plain error, which the HTTP path calls broken
		says   string
	}{
		{"error_429_no_key.json", 429, search, fetch.Throttled, "API rate limit exceeded"},
		{"error_429_no_key.json", 200, checkArticles, fetch.Throttled, "API rate limit exceeded"},
		{"error_429_with_key.json", 429, links, fetch.Throttled, "API rate limit exceeded"},
		{"error_400_bad_key.json", 400, search, fetch.Refused, "API key invalid"},
		{"esearch_json_error_empty_term.json", 200, search, "", "Empty term and query_key"},
		{"esearch_json_error_expired_history.json", 200, search, "", "Unable to obtain query #1"},
		{"esearch_json_error_retstart_9998.json", 200, search, "", "Exception: 'retstart' cannot be larger than 9998"},
		{"esearch_json_error_unbalanced.json", 200, search, "", "Query syntax error"},
		{"elink_json_error.json", 200, links, "", "NCBI C++ Exception: Error: TXCLIENT(CException::eUnknown)"},
		{"efetch_error_expired_history.xml", 200, checkArticles, "", "Unable to obtain query #1"},
		{"efetch_text_error_page.html", 200, checkArticles, "", "<html> instead of a PubmedArticleSet"},
		{"esummary_error.xml", 200, checkArticles, "", "it says: "},
		{"epost_invalid_id.xml", 200, checkArticles, "", "Empty ID list; Nothing to store; Some IDs have invalid value"},
		{"efetch_text_error_page.html", 200, search, "", "cannot be read"},
		{"efetch_text_error_page.html", 200, links, "", "cannot be read"},
	} {
		err := verdict(c.judge)(c.status, nil, sourcetest.Recorded(t, "pubmed/"+c.file))
		if err == nil || fetch.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s with status %d: %v, want kind %q and %q", c.file, c.status, err, c.kind, c.says)
		}
	}
}
