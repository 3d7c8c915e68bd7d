package pubmed

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

func sample(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConformance(t *testing.T) {
	articles := sample(t, "efetch.xml")
	answer := func(utility, body string) sourcetest.Answer {
		return sourcetest.Answer{Path: "/" + utility + ".fcgi", Query: map[string]string{"db": "pubmed", "tool": DefaultTool, "email": sourcetest.Contact, "api_key": sourcetest.Key}, Body: body}
	}
	search := []sourcetest.Answer{answer("esearch", sample(t, "esearch.json")), answer("efetch", articles)}
	link := []sourcetest.Answer{answer("elink", sample(t, "elink.json")), answer("efetch", articles)}
	none := []sourcetest.Answer{answer("elink", sample(t, "elink_none.json"))}
	seed := sources.Seed{IDs: map[string][]string{state.PMID: {"100"}}, Title: "Any"}
	failing := func(name, body string, outcome state.Outcome, says string) sourcetest.Failure {
		return sourcetest.Failure{Name: name, Answers: []sourcetest.Answer{answer("esearch", body)}, Outcome: outcome, Says: says}
	}
	sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
		return New(do, Config{Key: sourcetest.Key, Contact: sourcetest.Contact})
	}, sourcetest.Cases{
		Search: sourcetest.Scenario{
			Request: sources.Request{Query: "dowsing xyzzy", Limit: 10, Op: "search Q1"}, Answers: search,
			Total: 5, Records: 3, Skips: 2, // one without title, one that efetch does not return
		},
		Zero: sourcetest.Scenario{
			Request: sources.Request{Query: "xyzzy", Limit: 10, Op: "search Q2"},
			Answers: []sourcetest.Answer{answer("esearch", sample(t, "esearch_zero.json"))},
		},
		Lookup: &sourcetest.Scenario{
			IDs:     []state.IDs{{state.PMID: "101"}, {state.DOI: "10.5555/right.1"}, {state.PMID: "999"}},
			Answers: []sourcetest.Answer{answer("esearch", strings.Replace(sample(t, "esearch.json"), `["101",102,"103","104","105"]`, `["104"]`, 1)), answer("efetch", articles)},
			Records: 2, Skips: 4, // two that nobody asked for, in each of two answers
		},
		References:   &sourcetest.Scenario{Seed: seed, Answers: link, Records: 2, Skips: 2},
		Citing:       &sourcetest.Scenario{Seed: seed, Answers: link, Records: 2, Skips: 2},
		NoReferences: &sourcetest.Scenario{Seed: seed, Answers: none},
		NoCiting:     &sourcetest.Scenario{Seed: seed, Answers: none},
		Limit:        Limit(sourcetest.Key),
		Pager:        &sourcetest.Pager{Most: depth, Answer: play},
		Failures: []sourcetest.Failure{
			failing("a rate limit under status 200", `{"error":"API rate limit exceeded","api-key":"`+sourcetest.Key+`","count":"4","limit":"3"}`, state.Throttled, "API rate limit exceeded"),
			failing("an error inside the answer", `{"esearchresult":{"ERROR":"Search Backend failed: Query syntax error"}}`, state.Broken, "Query syntax error"),
			failing("an error with a raw line break", "{\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.\"}}", state.Broken, "Exception: 'retstart'"),
			failing("hits without ids", `{"esearchresult":{"count":"5","idlist":[]}}`, state.Broken, "5 hits"),
			{Name: "a bad key", Answers: []sourcetest.Answer{{Status: 400, Body: `{"error":"API key invalid","api-key":"` + sourcetest.Key + `"}`}}, Outcome: state.Refused, Says: "source.pubmed.key"},
			{Name: "an error instead of articles", Answers: []sourcetest.Answer{search[0], answer("efetch", "<eFetchResult>\n\t<ERROR>Unable to obtain query #1</ERROR>\n</eFetchResult>")}, Outcome: state.Broken, Says: "Unable to obtain query #1"},
		},
		Queries: []string{
			`"heart attack"[Title/Abstract] AND 2020:2024[dp]`, `"2020/01/01"[Date - Publication] : "3000"[Date - Publication]`, "asthma[mh:noexp]",
			`"gene therapy"[tiab:~3]`, "(a OR b)[tiab]", "(a[ti] OR (b OR c))[tiab]", "smith j[au]", "neoplasms/therapy[mh]", "#1 AND #2", "child*", "ch*",
			"10.1016/s0140-6736(00)02799-9[doi]", "100% [sic]", "a [tiab] [ti]", "]x[", "[tiab]",
		},
	})
}

// play answers esearch and efetch for a library of numbered works whose PMIDs
// begin at 1000001; the date of publication changes nothing.
func play(path string, q url.Values, l sourcetest.Library) string {
	if strings.HasSuffix(path, "/efetch.fcgi") {
		var b strings.Builder
		for _, id := range strings.Split(q.Get("id"), ",") {
			fmt.Fprintf(&b, "<PubmedArticle><MedlineCitation><PMID>%s</PMID><Article><ArticleTitle>Paper %s.</ArticleTitle></Article></MedlineCitation></PubmedArticle>", id, id)
		}
		return "<PubmedArticleSet>" + b.String() + "</PubmedArticleSet>"
	}
	start, _ := strconv.Atoi(q.Get("retstart"))
	size, _ := strconv.Atoi(q.Get("retmax"))
	if start > depth-1 {
		return "{\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.\"}}"
	}
	first, last := l.Page(start, min(size, depth-start))
	list := []string{}
	for i := first; i <= last; i++ {
		list = append(list, strconv.Itoa(1_000_000+i))
	}
	b, _ := json.Marshal(map[string]any{"esearchresult": map[string]any{"count": strconv.Itoa(l.Total), "idlist": list}})
	return string(b)
}

func TestSearchRequests(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{
		{Method: "GET", Path: "/esearch.fcgi", Query: map[string]string{
			"term": "dowsing", "retmode": "json", "retmax": "3", "sort": "relevance", "datetype": "pdat", "mindate": "2019", "maxdate": "3000",
		}, Body: sample(t, "esearch.json")},
		{Method: "GET", Path: "/efetch.fcgi", Query: map[string]string{"id": "101,102,103", "retmode": "xml", "rettype": "abstract"}, Body: sample(t, "efetch.xml")},
	})
	got, err := New(service.Doer(), Config{}).Search(t.Context(), sources.Request{Query: "dowsing", SinceYear: 2019, Limit: 3, Op: "search Q1"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Sent != "dowsing" || got.Filters != "pdat 2019:3000" || got.Total != 5 {
		t.Errorf("sent %q with %q, total %d", got.Sent, got.Filters, got.Total)
	}
	var keys []string
	for _, r := range got.Records {
		keys = append(keys, r.Key)
	}
	if fmt.Sprint(keys) != "[pubmed:101 pubmed:102]" { // the order of esearch, not of efetch
		t.Errorf("records %v", keys)
	}
	want := []string{
		"words unknown to PubMed, searched without them: xyzzy",
		"field tags unknown to PubMed: title2",
		"words that PubMed ignored: the",
		`phrases unknown to PubMed's index, loosened: "water witching rods"`,
		`PubMed read it as: "dowsing"[All Fields]`,
	}
	if fmt.Sprintf("%q", got.Notes) != fmt.Sprintf("%q", want) {
		t.Errorf("notes\n got %q\nwant %q", got.Notes, want)
	}
	for _, asked := range service.Asked() {
		if strings.Contains(asked, "email=") || strings.Contains(asked, "api_key=") {
			t.Errorf("an empty contact or key is sent: %s", asked)
		}
	}
}

// articleSet is an answer of efetch with the articles from first to last.
func articleSet(first, last int) string {
	var b strings.Builder
	b.WriteString("<PubmedArticleSet>")
	for i := first; i <= last; i++ {
		fmt.Fprintf(&b, "<PubmedArticle><MedlineCitation><PMID>%d</PMID><Article><ArticleTitle>Paper %d.</ArticleTitle></Article></MedlineCitation></PubmedArticle>", i, i)
	}
	return b.String() + "</PubmedArticleSet>"
}

func idList(first, last int) string {
	var ids []string
	for i := first; i <= last; i++ {
		ids = append(ids, fmt.Sprint(i))
	}
	return strings.Join(ids, ",")
}

func TestMissingRecordsAreAskedForAgain(t *testing.T) {
	efetch := func(method, ids, body string) sourcetest.Answer {
		return sourcetest.Answer{Method: method, Path: "/efetch.fcgi", Query: map[string]string{"id": ids}, Times: 1, Body: body}
	}
	service := sourcetest.NewService(t, []sourcetest.Answer{
		{Path: "/esearch.fcgi", Body: `{"esearchresult":{"count":"900","idlist":["` + strings.ReplaceAll(idList(1001, 1450), ",", `","`) + `"]}}`},
		efetch("GET", idList(1001, 1200), articleSet(1001, 1190)), // cut by ten
		efetch("POST", idList(1191, 1200), articleSet(1191, 1199)),
		efetch("GET", idList(1201, 1400), articleSet(1201, 1400)),
		efetch("GET", idList(1401, 1450), articleSet(1, 0)), // nothing at all
		efetch("POST", idList(1401, 1450), articleSet(1401, 1450)),
	})
	got, err := New(service.Doer(), Config{}).Search(t.Context(), sources.Request{Query: "x", Limit: 450})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 449 || got.Records[448].Key != "pubmed:1450" {
		t.Errorf("%d records, want 449", len(got.Records))
	}
	if len(got.Skips) != 1 || got.Skips[0] != (state.Skip{Reason: "not returned by efetch", Count: 1, Sample: "1200"}) {
		t.Errorf("skips %+v", got.Skips)
	}
	if len(got.Notes) != 2 {
		t.Errorf("notes %q", got.Notes)
	}
	distinct := map[string]bool{}
	for _, r := range got.Requests {
		distinct[r] = true
	}
	if len(distinct) != 6 {
		t.Errorf("%d of 6 requests are distinct; a recorded run could not tell them apart", len(distinct))
	}
}

func TestLongQueriesGoAsAForm(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{{Method: "POST", Path: "/esearch.fcgi", Body: sample(t, "esearch_zero.json")}})
	var terms []string
	for i := range 400 {
		terms = append(terms, fmt.Sprintf("synonym number %d", i))
	}
	src := New(service.Doer(), Config{Contact: "me@example.org"})
	q := src.Write(sources.Expr{All: [][]string{terms}})
	if _, err := src.Search(t.Context(), sources.Request{Query: q, Limit: 5}); err != nil {
		t.Fatal(err)
	}
	if sent := service.Asked()[0]; !strings.Contains(sent, "term="+url.QueryEscape(q)) || !strings.Contains(sent, "email=me%40example.org") {
		t.Errorf("the form is %.200s", sent)
	}
}

func TestLookupByDOI(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{
		{Path: "/esearch.fcgi", Query: map[string]string{"term": `10.5555/right.1[doi] OR "10.1016/s0140-6736(00)02799-9"[doi]`}, Body: `{"esearchresult":{"count":"2","idlist":["104","101"]}}`},
		{Path: "/efetch.fcgi", Query: map[string]string{"id": "102,104,101"}, Body: sample(t, "efetch.xml")},
	})
	got, err := New(service.Doer(), Config{}).Lookup(t.Context(), []state.IDs{
		{state.DOI: "10.5555/right.1"}, {state.DOI: "10.1016/s0140-6736(00)02799-9"}, {state.PMID: "102", state.DOI: "10.5555/unused"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 2 || got.Records[0].Key != "pubmed:102" || got.Records[1].Key != "pubmed:104" {
		t.Errorf("records %+v", got.Records)
	}
	if skips := fmt.Sprint(got.Skips); !strings.Contains(skips, "not one of the works asked for") {
		t.Errorf("the work with another DOI is not counted: %s", skips)
	}
}

// A look-up by each kind of identifier says which of them PubMed has not.
func TestLookupAccounts(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{
		{Path: "/esearch.fcgi", Query: map[string]string{"term": `10.5555/right.1[doi] OR 10.5555/unknown[doi] OR PMC77[pmcid] OR PMC88[pmcid]`}, Body: `{"esearchresult":{"count":"1","idlist":["104"]}}`},
		{Path: "/efetch.fcgi", Body: sample(t, "efetch.xml")},
	})
	got, err := New(service.Doer(), Config{}).Lookup(t.Context(), []state.IDs{
		{state.DOI: "10.5555/right.1"}, {state.DOI: "10.5555/unknown"}, {state.PMCID: "PMC77"}, {state.PMCID: "PMC88"},
		{state.PMID: "999"}, {state.PMID: "103"}, {state.OpenAlex: "W1"}, {state.DOI: "10.5555/right.1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"PubMed has no record for DOI 10.5555/unknown, PMC88, PMID 999", "1 of 8 works have neither PMID nor DOI nor PMCID"}
	if fmt.Sprintf("%q", got.Notes) != fmt.Sprintf("%q", want) {
		t.Errorf("notes\n got %q\nwant %q", got.Notes, want)
	}
	if len(got.Records) != 1 || got.Records[0].Key != "pubmed:104" || !strings.Contains(fmt.Sprint(got.Skips), "PMID 103") {
		t.Errorf("%d records, skips %+v", len(got.Records), got.Skips)
	}
}

func TestFilters(t *testing.T) {
	for _, c := range []struct {
		types, languages []string
		term, filters    string
		notes            string
	}{
		{nil, nil, "a OR b", "", ""},
		{[]string{sources.TypeReview}, []string{"en"}, `(a OR b) AND (review[pt] OR "systematic review"[pt]) AND (eng[la])`,
			`review[pt] OR "systematic review"[pt] AND eng[la]`, ""},
		{[]string{sources.TypeTrial, sources.TypeDataset}, []string{"de", "zh", "ger"}, `(a OR b) AND ("clinical trial"[pt] OR dataset[pt]) AND (ger[la] OR chi[la])`,
			`"clinical trial"[pt] OR dataset[pt] AND ger[la] OR chi[la]`, ""},
		{[]string{sources.TypeBook, sources.TypeChapter}, nil, `(a OR b) AND (booksdocs[filter])`, "booksdocs[filter]", "does not tell books from chapters"},
		{[]string{sources.TypeArticle, sources.TypePreprint}, nil, `(a OR b) AND (("journal article"[pt] NOT preprint[pt]) OR preprint[pt])`,
			`("journal article"[pt] NOT preprint[pt]) OR preprint[pt]`, ""},
		{[]string{"podcast"}, []string{"klingonese"}, "a OR b", "", "PubMed cannot limit to the type podcast; PubMed knows no language klingonese"},
	} {
		a := New(nil, Config{}).begin("search")
		term, filters := a.filtered(sources.Request{Query: "a OR b", Types: c.types, Languages: c.languages})
		notes := strings.Join(a.Result.Notes, "; ")
		if term != c.term || strings.Join(filters, " AND ") != c.filters || !strings.Contains(notes, c.notes) || c.notes == "" && notes != "" {
			t.Errorf("types %v, languages %v: %s with %q, notes %q", c.types, c.languages, term, filters, notes)
		}
		if got := New(nil, Config{}).Clean(term); got != term {
			t.Errorf("the dialect does not know %s: it becomes %s", term, got)
		}
	}
	for code, want := range map[string]string{"de": "ger", "en": "eng", "zh": "chi", "hr": "hrv", "ja": "jpn", "fra": "fre", "xx-no": "", "": ""} {
		if got := medlineCode(code); got != want {
			t.Errorf("medlineCode(%q) is %q, want %q", code, got, want)
		}
	}
}

func TestSeedWithoutPMID(t *testing.T) {
	esearch := sourcetest.Answer{Path: "/esearch.fcgi", Query: map[string]string{"term": "10.5555/right.1[doi]"}, Body: `{"esearchresult":{"count":"1","idlist":["104"]}}`}
	service := sourcetest.NewService(t, []sourcetest.Answer{
		esearch,
		{Path: "/efetch.fcgi", Query: map[string]string{"id": "104"}, Body: sample(t, "efetch.xml")},
		{Path: "/elink.fcgi", Query: map[string]string{"id": "104", "linkname": "pubmed_pubmed_refs", "cmd": "neighbor", "dbfrom": "pubmed"}, Body: sample(t, "elink.json")},
		{Path: "/efetch.fcgi", Query: map[string]string{"id": "101"}, Body: sample(t, "efetch.xml")},
	})
	seed := sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/Right.1"}}}
	got, err := New(service.Doer(), Config{}).References(t.Context(), seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Verified == nil || got.Verified.Key != "pubmed:104" {
		t.Errorf("the record to verify is %+v", got.Verified)
	}
	if len(got.Records) != 1 || got.Total != 2 || !strings.Contains(fmt.Sprint(got.Notes), "took the first 1 of 2 references") {
		t.Errorf("%d records of %d, notes %q", len(got.Records), got.Total, got.Notes)
	}

	byPMC := sourcetest.NewService(t, []sourcetest.Answer{
		{Path: "/esearch.fcgi", Query: map[string]string{"term": "PMC77[pmcid]"}, Body: `{"esearchresult":{"count":"1","idlist":["104"]}}`},
		{Path: "/efetch.fcgi", Body: sample(t, "efetch.xml")},
		{Path: "/elink.fcgi", Query: map[string]string{"id": "104"}, Body: sample(t, "elink.json")},
	})
	got, err = New(byPMC.Doer(), Config{}).Citing(t.Context(), sources.Seed{IDs: map[string][]string{state.PMCID: {"PMC77"}}}, 5)
	if err != nil || got.Verified == nil || got.Verified.Key != "pubmed:104" {
		t.Errorf("a seed with a PMCID: %v, to verify %+v", err, got.Verified)
	}

	other := sourcetest.NewService(t, []sourcetest.Answer{
		{Path: "/esearch.fcgi", Body: `{"esearchresult":{"count":"1","idlist":["101"]}}`},
		{Path: "/efetch.fcgi", Body: sample(t, "efetch.xml")},
	})
	_, err = New(other.Doer(), Config{}).References(t.Context(), seed, 1)
	if sources.OutcomeOf(err) != state.NoList || !strings.Contains(err.Error(), "does not have DOI 10.5555/right.1") {
		t.Errorf("a seed that PubMed takes for another work: %v", err)
	}
}

func TestLimit(t *testing.T) {
	perSecond := func(l fetch.Limit) float64 { return 1 / l.Every.Seconds() }
	if r := perSecond(Limit("")); r > 3 || r < 2.5 {
		t.Errorf("%.2f requests a second without a key, want just below 3", r)
	}
	if r := perSecond(Limit("k")); r > 10 || r < 8 {
		t.Errorf("%.2f requests a second with a key, want just below 10", r)
	}
}
