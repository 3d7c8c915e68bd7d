package arxiv

import (
	"context"
	"errors"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

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
	search, zero, empty := sample(t, "search.xml"), sample(t, "zero.xml"), sample(t, "empty_page.xml")
	at := func(body string) []sourcetest.Answer {
		return []sourcetest.Answer{{Method: "GET", Path: "/api/query", Body: body}}
	}
	request := sources.Request{Query: "all:dowsing", Limit: 10, Op: "search Q1"}
	sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
		return New(do, Config{Pause: -1})
	}, sourcetest.Cases{
		Search: sourcetest.Scenario{Request: request, Answers: at(search), Total: 4, Records: 3, Skips: 1},
		Zero:   sourcetest.Scenario{Request: request, Answers: at(zero)},
		Lookup: &sourcetest.Scenario{
			IDs:     []state.IDs{{state.ArXiv: "2101.00001"}, {state.ArXiv: "hep-th/9711200"}, {state.ArXiv: "2101.00003"}},
			Answers: at(search), Records: 2, Skips: 2, // one without title, one that nobody asked for
		},
		Limit: Limit(""),
		Pager: &sourcetest.Pager{Most: depth, Answer: func(_ string, q url.Values, l sourcetest.Library) string {
			start, _ := strconv.Atoi(q.Get("start"))
			size, _ := strconv.Atoi(q.Get("max_results"))
			first, last := l.Page(start, size)
			if start >= depth {
				last = first - 1
			}
			return page(l.Total, first, last)
		}},
		Failures: []sourcetest.Failure{
			{Name: "an error report under status 200", Answers: at(sample(t, "error.xml")), Outcome: state.Broken, Says: "incorrect id format for xyz"},
			{Name: "hits without entries, for ever", Answers: at(empty), Outcome: state.Broken, Says: "3000 hits"},
			{Name: "rate limit under status 200", Answers: at("Rate exceeded."), Outcome: state.Throttled, Says: "wait some minutes"},
		},
		Queries: []string{
			"au:del_maestro AND ti:checkerboard", "cat:astro-ph.GA", "ti:graph-based neural", "ti: (a OR b) ANDNOT c",
			"submittedDate:[2020 TO 20231231]", "submittedDate:[* TO 2023]", "id:hep-th/9711200v1", "abs:a/b?c", "all:", "x:y:z",
		},
	})
}

// The recorded answers, by what they hold; checked by eye.
func TestDecodeRecorded(t *testing.T) {
	for _, c := range []struct {
		file    string
		total   int
		records int
		first   state.Record // the fields that are set here are compared
	}{
		{"id_list_1207.7214.xml", 1, 1, state.Record{
			Key: "arxiv:1207.7214", Version: "v2", Year: 2012, Date: "2012-07-31", Venue: "arXiv", Kind: state.Preprint,
			Title:   "Observation of a new particle in the search for the Standard Model Higgs boson with the ATLAS detector at the LHC",
			Authors: []state.Author{{Name: "The ATLAS Collaboration", Collective: true}},
			IDs:     state.IDs{"arxiv": "1207.7214", "doi": "10.1016/j.physletb.2012.08.020"},
			Related: []state.Related{{Type: "is-preprint-of", ID: "doi:10.1016/j.physletb.2012.08.020"}},
			Notes: []string{"published as: Phys.Lett. B716 (2012) 1-29", "comment: 24 pages plus author list (38 pages total), 12 figures, 7 tables, " +
				"revised author list, matches version to appear in Physics Letters B"},
			Keywords: []string{"hep-ex"},
			Links:    []state.OALink{{URL: "https://arxiv.org/pdf/1207.7214v2", Kind: "pdf", Source: "arxiv"}},
		}},
		{"id_list_1706.03762.xml", 1, 1, state.Record{
			Key: "arxiv:1706.03762", Version: "v7", Year: 2017, Date: "2017-06-12", Title: "Attention Is All You Need",
			IDs: state.IDs{"arxiv": "1706.03762"}, URL: "https://arxiv.org/abs/1706.03762v7", Keywords: []string{"cs.CL", "cs.LG"},
		}},
		{"id_list_hep-th_9711200.xml", 1, 1, state.Record{
			Key: "arxiv:hep-th/9711200", Version: "v3", Year: 1997, Date: "1997-11-27",
			Title: "The Large N Limit of Superconformal Field Theories and Supergravity",
			IDs:   state.IDs{"arxiv": "hep-th/9711200", "doi": "10.1023/a:1026654312961"},
		}},
		{"id_list_no_version.xml", 1, 1, state.Record{Version: "v1", Title: "Heat-bath random walks with Markov bases"}},
		{"id_list_old_style.xml", 1, 1, state.Record{Key: "arxiv:astro-ph/0601001", Year: 2006}},
		{"id_list_old_style_version.xml", 1, 1, state.Record{Key: "arxiv:quant-ph/0201082", Version: "v1", Year: 2002}},
		{"id_list_two.xml", 1, 1, state.Record{Key: "arxiv:1707.08567"}},
		{"id_list_unknown_dropped.xml", 0, 0, state.Record{}},
		{"id_list_version.xml", 1, 1, state.Record{Key: "arxiv:2104.12255", Title: "0"}},
		{"search_100_relevance.xml.gz", 214881, 100, state.Record{
			Key: "arxiv:2202.12139", Date: "2022-02-24", IDs: state.IDs{"arxiv": "2202.12139", "doi": "10.1109/icstw55395.2022.00035"},
		}},
		{"search_attention_3_all_versions.xml", 314000, 3, state.Record{
			Key:   "arxiv:2002.00741",
			Title: "Déjà vu: A Contextualized Temporal Attention Mechanism for Sequential Recommendation",
		}},
		{"search_page_start0.xml", 214881, 10, state.Record{Key: "arxiv:2202.12139"}},
		{"search_page_start10.xml", 214881, 10, state.Record{Key: "arxiv:2403.16981", Version: "v2"}},
		{"search_zero_results.xml", 0, 0, state.Record{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			body := sourcetest.Recorded(t, "arxiv/"+c.file)
			if err := verdict(time.Minute, false)(200, nil, body); err != nil {
				t.Fatal(err)
			}
			f, err := decode(body)
			if err != nil {
				t.Fatal(err)
			}
			a := New(nil, Config{}).begin("search", 1000)
			a.take(f.Entries)
			if f.Total != c.total || len(a.Result.Records) != c.records || len(a.Result.Skips) != 0 {
				t.Fatalf("total %d, %d records, skips %+v; want %d, %d and none", f.Total, len(a.Result.Records), a.Result.Skips, c.total, c.records)
			}
			for _, fault := range sourcetest.ResultFaults(Name, a.Result) {
				t.Error(fault)
			}
			if c.records > 0 {
				compare(t, a.Result.Records[0], c.first)
			}
		})
	}
}

// compare checks the fields that are set in want.
func compare(t *testing.T, got, want state.Record) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range w.NumField() {
		if !w.Field(i).IsZero() && !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
			t.Errorf("%s is %+v, want %+v", w.Type().Field(i).Name, g.Field(i).Interface(), w.Field(i).Interface())
		}
	}
}

func TestRecordedAuthorsAreMended(t *testing.T) {
	f, err := decode(sourcetest.Recorded(t, "arxiv/id_list_two.xml"))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := f.Entries[0].record()
	if n := len(r.Authors); n != 34 || r.Authors[32].Name != "Dirk Wübben" {
		t.Errorf("%d authors, the last but one is %q; want 34 and Dirk Wübben", n, r.Authors[n-2].Name)
	}
}

func TestRecordedErrors(t *testing.T) {
	for _, c := range []struct {
		file   string
		status int
		kind   fetch.Kind
		says   string
	}{
		{"error_bad_id_400.xml", 400, fetch.BadRequest, "incorrect id format for abc"},
		{"error_bad_id_400.xml", 200, fetch.BadRequest, "incorrect id format for abc"},
		{"error_start_not_int.xml", 400, fetch.BadRequest, "start must be an integer"},
		{"rate_exceeded.txt", 429, fetch.Throttled, ""},
		{"rate_exceeded.txt", 200, fetch.Throttled, ""},
		{"abs_0902.4054_withdrawn_html.html", 200, "", "instead of an Atom feed"},
		{"robots_txt.txt", 200, "", "no XML"},
		{"oai_arXivRaw_1706.03762.xml", 200, "", "instead of an Atom feed"},
	} {
		err := verdict(time.Minute, false)(c.status, nil, sourcetest.Recorded(t, "arxiv/"+c.file))
		if err == nil || fetch.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s with status %d: %v, want kind %q and %q", c.file, c.status, err, c.kind, c.says)
		}
	}
}

// Back-off starts at a minute and doubles; an outage is waited for twice.
func TestVerdictBacksOff(t *testing.T) {
	throttled, outage := verdict(time.Minute, false), verdict(time.Minute, false)
	for i, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
		e, _ := errors.AsType[*fetch.Error](throttled(429, nil, []byte("Rate exceeded.")))
		if e == nil || e.Kind != fetch.Throttled || e.After != want {
			t.Errorf("429, number %d: %+v, want a wait of %s", i+1, e, want)
		}
		e, _ = errors.AsType[*fetch.Error](outage(503, nil, nil))
		if e == nil || e.Kind != fetch.Down || e.After != time.Minute || e.Final != (i == 2) {
			t.Errorf("503, number %d: %+v", i+1, e)
		}
	}
}

// Sample records with the quirks that no recording has.
func TestRecord(t *testing.T) {
	f, err := decode([]byte(sample(t, "search.xml")))
	if err != nil {
		t.Fatal(err)
	}
	var got []state.Record
	for _, e := range f.Entries {
		if r, why := e.record(); why == "" {
			got = append(got, r)
		}
	}
	compare(t, got[0], state.Record{
		Title:    "Water divining with α-weighted graphs: a naïve baseline",
		Abstract: "We divine water on graphs with p < 0.05.",
		Authors:  []state.Author{{Name: "The Rod Collaboration", Collective: true}, {Name: "Ada Sample"}},
		IDs:      state.IDs{"arxiv": "2101.00001", "doi": "10.5555/jih.2022.7"},
		Related:  []state.Related{{Type: "is-preprint-of", ID: "doi:10.5555/jih.2022.7"}, {Type: "is-preprint-of", ID: "doi:10.5555/jih.2022.8"}},
		Links:    []state.OALink{{URL: "https://arxiv.org/pdf/2101.00001v2", Kind: "pdf", Source: "arxiv"}},
		Notes:    []string{"dropped “:” from the authors: no name", "published as: J. Imaginary Hydrology 7 (2022) 1-9", "comment: 12 pages"},
		Keywords: []string{"cs.LG"},
	})
	compare(t, got[1], state.Record{
		Abstract: "Written for the demonstration library.", Synopsis: true,
		Authors: []state.Author{{Name: "Dirk Wübben"}}, IDs: state.IDs{"arxiv": "hep-th/9711200"},
	})
	if got[0].Retraction != nil {
		t.Errorf("arXiv says nothing, and the retraction is %+v", got[0].Retraction)
	}
	if r := got[2]; len(r.Links) != 0 || r.Retraction == nil || r.Retraction.Status != state.RetractRetracted || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "withdrawn, says the abstract: ") {
		t.Errorf("a withdrawn paper has links %v and notes %q", r.Links, r.Notes)
	}
}

func TestWithdrawal(t *testing.T) {
	for _, c := range []struct {
		comment, summary string
		want             bool
	}{
		{"Withdrawn by the authors", "", true},
		{"This paper has been withdrawn by the author due to a crucial sign error in equation 1", "", true},
		{"8 pages. Withdrawn.", "", false}, // too little to say which
		{"This paper supersedes an earlier article that was withdrawn", "", false},
		{"Replaces 0901.0001; that version was withdrawn", "", false},
		{"", "This paper has been withdrawn", true},
		{"", "This submission has been temporarily withdrawn by the author", true},
		{"", "We study drugs that were withdrawn from the market", false},
		{"12 pages", "Withdrawal symptoms are common.", false},
	} {
		if got := withdrawal(c.comment, c.summary) != ""; got != c.want {
			t.Errorf("withdrawal(%q, %q) is %t, want %t", c.comment, c.summary, got, c.want)
		}
	}
}

// page is a feed with the entries from first to last of total.
func page(total, first, last int) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>` +
		strconv.Itoa(total) + `</o:totalResults>`)
	for i := first; i <= last; i++ {
		id := "http://arxiv.org/abs/2001." + strconv.Itoa(10000+i)
		b.WriteString("<entry><id>" + id + "v1</id><title>Paper " + strconv.Itoa(i) + "</title></entry>")
	}
	return b.String() + "</feed>"
}

func TestPaging(t *testing.T) {
	start := func(n string, times int, body string) sourcetest.Answer {
		return sourcetest.Answer{Query: map[string]string{"start": n}, Times: times, Body: body}
	}
	for _, c := range []struct {
		name     string
		answers  []sourcetest.Answer
		limit    int
		records  int
		skips    int
		total    int
		requests int
		note     string
		capped   string
	}{
		{"as many pages as the limit needs", []sourcetest.Answer{start("0", 1, page(900, 1, 200)), start("200", 1, page(900, 201, 400)), start("400", 1, page(900, 401, 500))},
			450, 450, 0, 900, 3, "", ""},
		{"the end of the hits", []sourcetest.Answer{start("0", 1, page(201, 1, 200)), start("200", 1, page(201, 201, 201))},
			1000, 201, 0, 201, 2, "", ""},
		{"a short page is no end", []sourcetest.Answer{start("0", 1, page(5, 1, 3)), start("3", 1, page(5, 4, 5))},
			10, 5, 0, 5, 2, "", ""},
		{"an empty first page", []sourcetest.Answer{start("0", 2, page(5, 1, 0)), start("0", 1, page(5, 1, 5))},
			10, 5, 0, 5, 3, "retried an empty page", ""},
		{"zero of thousands", []sourcetest.Answer{start("0", 1, page(0, 1, 0)), start("0", 1, page(5, 1, 5))},
			10, 5, 0, 5, 2, "retried an empty page", ""},
		{"zero twice", []sourcetest.Answer{start("0", 2, page(0, 1, 0))},
			10, 0, 0, 0, 2, "confirmed by a second request", ""},
		{"pages that stay empty beyond the depth", []sourcetest.Answer{start("0", 1, page(900, 1, 200)), start("200", 3, page(900, 1, 0))},
			1000, 200, 0, 900, 4, "", "stopped after 200 of 900"},
		{"pages that overlap", []sourcetest.Answer{start("0", 1, page(4, 1, 2)), start("2", 1, page(4, 2, 3))},
			10, 3, 1, 4, 2, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			service := sourcetest.NewService(t, c.answers)
			src := New(service.Doer(), Config{Pause: -1})
			got, err := src.Search(t.Context(), sources.Request{Query: "all:x", Limit: c.limit})
			if err != nil {
				t.Fatal(err)
			}
			skips := 0
			for _, s := range got.Skips {
				skips += s.Count
			}
			if len(got.Records) != c.records || skips != c.skips || got.Total != c.total || len(service.Asked()) != c.requests {
				t.Errorf("%d records, %d skips, total %d, %d requests; want %d, %d, %d, %d\n%s", len(got.Records), skips, got.Total,
					len(service.Asked()), c.records, c.skips, c.total, c.requests, strings.Join(service.Asked(), "\n"))
			}
			if notes := strings.Join(got.Notes, "; "); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			if !strings.Contains(got.Capped, c.capped) || c.capped == "" && got.Capped != "" {
				t.Errorf("Capped %q, want %q", got.Capped, c.capped)
			}
			distinct := map[string]bool{}
			for _, r := range got.Requests {
				distinct[r] = true
			}
			if len(distinct) != c.requests {
				t.Errorf("%d of %d requests are distinct; a recorded run could not tell them apart", len(distinct), c.requests)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{{
		Query: map[string]string{
			"search_query": "(all:dowsing OR all:\"water divining\") AND submittedDate:[202001010000 TO 299912312359]",
			"start":        "0", "max_results": "25", "sortBy": "relevance", "sortOrder": "descending",
		},
		Body: page(1, 1, 1),
	}})
	src := New(service.Doer(), Config{Pause: -1})
	q := src.Write(sources.Expr{All: [][]string{{"dowsing", "water-divining"}}})
	got, err := src.Search(t.Context(), sources.Request{Query: q, SinceYear: 2020, Limit: 25, Op: "search Q1"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "submittedDate:[202001010000 TO 299912312359]"; got.Filters != want || !strings.HasSuffix(got.Sent, want) {
		t.Errorf("sent %q with filters %q", got.Sent, got.Filters)
	}
}

func TestPauseEndsWithTheContext(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{{Body: sample(t, "zero.xml")}})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := New(service.Doer(), Config{Pause: time.Hour}).Search(ctx, sources.Request{Query: "x", Limit: 1})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 10*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}

func TestLimit(t *testing.T) {
	if l := Limit(""); l.Every != 3*time.Second || l.Concurrent != 1 {
		t.Errorf("pace %+v; arXiv allows one request in three seconds over one connection", l)
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"search.xml", "zero.xml", "error.xml"} {
		f.Add([]byte(sample(f, name)))
	}
	f.Add([]byte("<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>\x00&#2;&nbsp;\xff</title></entry></feed>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		_ = verdict(time.Second, false)(200, nil, body)
		page, err := decode(body)
		if err != nil {
			return
		}
		a := New(nil, Config{}).begin("search", len(page.Entries))
		a.take(page.Entries)
		n := len(a.Result.Records)
		for _, s := range a.Result.Skips {
			n += s.Count
		}
		if n != len(page.Entries) {
			t.Errorf("%d records and skips of %d entries", n, len(page.Entries))
		}
		for _, fault := range sourcetest.ResultFaults(Name, a.Result) {
			t.Error(fault)
		}
	})
}
