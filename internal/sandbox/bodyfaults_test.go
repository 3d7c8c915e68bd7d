package sandbox

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// lists are searches with hits, in the JSON or XML that adapters ask for.
var lists = map[string]string{
	ArXiv: "/query?search_query=all:memory", OpenAlex: "/works?search=memory", Crossref: "/works?query=memory",
	PubMed: "/esearch.fcgi?term=memory&retmode=json", SemanticScholar: "/paper/search?query=memory&fields=title", EuropePMC: "/search?query=memory&format=json&resultType=core",
}

func faulted(t *testing.T, source, path string, f Fault) answer {
	t.Helper()
	s := start(t, Options{Faults: Faults{source: {f}}, Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }})
	return fetch(t, "GET", s.URL(source)+path, "", "")
}

// valid reports whether a body can be parsed.
func valid(body string) error {
	if !strings.HasPrefix(strings.TrimSpace(body), "<") {
		var v any
		return json.Unmarshal([]byte(body), &v)
	}
	dec := xml.NewDecoder(strings.NewReader(body))
	for {
		if _, err := dec.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestErrorsInBodies(t *testing.T) {
	for source, path := range lists {
		good := faulted(t, source, path, Fault{Kind: Slow, Wait: time.Millisecond})
		if a := faulted(t, source, path, Fault{Kind: BodyError}); a.status != 200 || a.body == good.body || a.body == "" {
			t.Errorf("%s: an error in the body is %d %s", source, a.status, a.body)
		}
		a := faulted(t, source, path, Fault{Kind: DailyBudget})
		if a.status != 429 || a.header.Get("Retry-After") != "43200" {
			t.Errorf("%s: a used-up budget is %d, Retry-After %s", source, a.status, a.header.Get("Retry-After"))
		}
		if a := faulted(t, source, path, Fault{Kind: DailyBudget, RetryAfter: 3 * time.Hour}); a.header.Get("Retry-After") != "10800" {
			t.Errorf("%s: Retry-After %s, want 10800", source, a.header.Get("Retry-After"))
		}
		if a := faulted(t, source, path, Fault{Kind: ControlChars}); source != PubMed && (len(a.body) != len(good.body) || valid(a.body) == nil || !strings.Contains(a.body, "\x01")) {
			t.Errorf("%s: with control characters the body has %d of %d bytes and can be parsed: %v", source, len(a.body), len(good.body), valid(a.body))
		}
	}
	a := faulted(t, PubMed, "/elink.fcgi?id=1&retmode=json", Fault{Kind: BodyError})
	if want := string(recorded(t, "pubmed/elink_json_error.json")); strings.TrimSpace(a.body) != strings.TrimSpace(want) {
		t.Errorf("PubMed: %q, recorded %q", a.body, want)
	}
}

func TestFieldFaults(t *testing.T) {
	for source, field := range map[string]string{ArXiv: "title", OpenAlex: "display_name", Crossref: "DOI", PubMed: "idlist", SemanticScholar: "title", EuropePMC: "pubYear"} {
		path := lists[source]
		healthy := start(t, Options{})
		good := fetch(t, "GET", healthy.URL(source)+path, "", "").body
		quoted := fmt.Sprintf("%q", field)
		renamed := fmt.Sprintf("%q", field+"_v2")
		if source == ArXiv {
			quoted, renamed = "<"+field+">", "<"+field+"_v2>"
		}
		n := strings.Count(good, quoted)
		if n == 0 {
			t.Fatalf("%s: no %s in %.300s", source, quoted, good)
		}
		for kind, want := range map[Kind][2]int{RenameField: {0, n}, DropField: {0, 0}, RetypeField: {n, 0}} {
			a := faulted(t, source, path, Fault{Kind: kind, Field: field})
			if err := valid(a.body); err != nil {
				t.Errorf("%s %s: %v", source, kind, err)
			}
			if got := [2]int{strings.Count(a.body, quoted), strings.Count(a.body, renamed)}; got != want || kind == RetypeField && a.body == good {
				t.Errorf("%s %s: %v fields and renamed ones, want %v", source, kind, got, want)
			}
		}
	}
	// What is not changed says the same.
	f := Fault{Kind: DropField, Field: "gone"}
	const in = `{"a":[1,2.50,"x\ny",null,true,{"gone":{"b":1},"c":{}}],"big":12345678901234567890}`
	if got, want := string(changedMembers(f, []byte(in))), `{"a":[1,2.50,"x\ny",null,true,{"c":{}}],"big":12345678901234567890}`; got != want {
		t.Errorf("%s became %s", in, got)
	}
	if got := string(changedMembers(f, []byte("{broken"))); got != "{broken" {
		t.Errorf("what is no JSON became %s", got)
	}
}

// A rate picks a share of the requests, always the same ones.
func TestRates(t *testing.T) {
	pick := func() (hit string, n int) {
		s := start(t, Options{Faults: Faults{Crossref: {{Kind: ServerError, Rate: 0.3, Times: -1}}}})
		for i := range 200 {
			met := "."
			if get(t, s, Crossref, "/works", "rows", "0", "query", fmt.Sprint("memory ", i)).status == 503 {
				met = "x"
				n++
			}
			hit += met
		}
		return hit, n
	}
	first, n := pick()
	if again, _ := pick(); first != again {
		t.Errorf("the picked requests differ:\n%s\n%s", first, again)
	}
	if n < 35 || n > 85 {
		t.Errorf("%d of 200 requests were picked, about 60 expected", n)
	}
}

// TestLyingPages checks the totals and the paging that cannot be believed.
func TestLyingPages(t *testing.T) {
	next := map[string][2]string{ // the first page, and one after it
		ArXiv: {"&start=0&max_results=3", "&start=3&max_results=3"}, OpenAlex: {"&per_page=3&page=1", "&per_page=3&page=2"},
		Crossref: {"&rows=3&offset=0", "&rows=3&offset=3"}, PubMed: {"&retmax=3&retstart=0", "&retmax=3&retstart=3"},
		SemanticScholar: {"&limit=3&offset=0", "&limit=3&offset=3"}, EuropePMC: {"&pageSize=3", "&pageSize=3&cursorMark=Y3Vyc29y"},
	}
	total := map[string]string{ArXiv: "totalResults>%d<", OpenAlex: `"count": %d,`, Crossref: `"total-results":%d,`, PubMed: `"count":"%d"`, SemanticScholar: `"total": %d,`, EuropePMC: `"hitCount":%d,`}
	titles := func(source, body string) string {
		mark := map[string]string{ArXiv: "<id>http://arxiv.org/abs/", OpenAlex: `"id": "https://openalex.org/W`, Crossref: `"DOI":`, PubMed: `"idlist":`, SemanticScholar: `"paperId":`, EuropePMC: `"id":`}[source]
		var out []string
		for _, part := range strings.Split(body, mark)[1:] {
			out = append(out, part[:min(len(part), 12)])
		}
		return strings.Join(out, " ")
	}
	healthy := start(t, Options{})
	for source, path := range lists {
		s := start(t, Options{Faults: Faults{source: {{Kind: RepeatCursor, Times: -1}}}})
		a, b := fetch(t, "GET", s.URL(source)+path+next[source][0], "", ""), fetch(t, "GET", s.URL(source)+path+next[source][1], "", "")
		if got := titles(source, a.body); got == "" || got != titles(source, b.body) {
			t.Errorf("%s: another page holds %q, the first %q", source, titles(source, b.body), got)
		}
		good := fetch(t, "GET", healthy.URL(source)+path, "", "").body
		liar := faulted(t, source, path, Fault{Kind: LyingTotal}).body
		var n int
		format := total[source]
		before, _, _ := strings.Cut(format, "%d")
		if _, rest, ok := strings.Cut(good, before); !ok {
			t.Fatalf("%s: no total in %.300s", source, good)
		} else if _, err := fmt.Sscanf(rest, "%d", &n); err != nil || n == 0 {
			t.Fatalf("%s: total %d: %v", source, n, err)
		}
		if !strings.Contains(liar, fmt.Sprintf(format, 10*n+10)) {
			t.Errorf("%s: the total is not %d: %.400s", source, 10*n+10, liar)
		}
	}
	for source, path := range map[string]string{OpenAlex: "/works?search=memory&cursor=*", Crossref: "/works?query=memory&cursor=*", EuropePMC: lists[EuropePMC]} {
		a := faulted(t, source, path, Fault{Kind: RepeatCursor})
		if !strings.Contains(strings.ReplaceAll(a.body, " ", ""), `ursor":"*"`) && !strings.Contains(a.body, `"nextCursorMark":"*"`) {
			t.Errorf("%s: the cursor moves: %.300s", source, a.body)
		}
	}
}

func TestRealPace(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := start(t, Options{Limits: RealLimits(), Now: func() time.Time { return now }})
	paper := func() int { return get(t, s, ArXiv, "/query", "search_query", "all:memory").status }
	for _, c := range []struct {
		later time.Duration
		want  int
	}{{0, 200}, {time.Second, 429}, {1900 * time.Millisecond, 429}, {200 * time.Millisecond, 200}, {3 * time.Second, 200}} {
		now = now.Add(c.later)
		if got := paper(); got != c.want {
			t.Errorf("%s later arXiv answers %d, want %d", c.later, got, c.want)
		}
	}
	refused, recovered := 0, 0
	for i := range 60 {
		ask := func() int {
			return get(t, s, SemanticScholar, "/paper/search", "query", fmt.Sprint("memory ", i)).status
		}
		if ask() != 429 {
			continue
		}
		refused++
		for range 12 {
			if ask() == 200 {
				recovered++
				break
			}
		}
	}
	if refused < 6 || refused > 36 || recovered != refused {
		t.Errorf("the shared pool refused %d of 60 requests, %d were answered later", refused, recovered)
	}
	if a := get(t, s, OpenAlex, "/works", "search", "memory"); a.header.Get("X-RateLimit-Limit") != "1000" || a.header.Get("X-RateLimit-Remaining") != "990" {
		t.Errorf("OpenAlex announces %s of %s credits", a.header.Get("X-RateLimit-Remaining"), a.header.Get("X-RateLimit-Limit"))
	}
}
