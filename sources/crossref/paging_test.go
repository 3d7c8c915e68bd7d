package crossref

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// serve plays the service and returns a source that asks it.
func serve(t *testing.T, cfg Config, h http.HandlerFunc) *Source {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	client, err := fetch.New(fetch.Options{
		MaxRetries: -1, AllowPrivate: true,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	cfg.Base = server.URL
	return New(client, cfg)
}

type object = map[string]any

func answer(w http.ResponseWriter, message any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(object{"status": "ok", "message": message})
}

// registry answers searches over count entries, every third of which is a
// component.
func registry(count int, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		*asked = append(*asked, q.Get("offset")+q.Get("cursor")+"+"+q.Get("rows"))
		offset, _ := strconv.Atoi(q.Get("offset") + strings.TrimPrefix(q.Get("cursor"), "*"))
		rows, _ := strconv.Atoi(q.Get("rows"))
		items := []object{}
		for n := offset + 1; n <= min(offset+rows, count); n++ {
			kind := "journal-article"
			if n%3 == 0 {
				kind = "component"
			}
			items = append(items, object{"DOI": fmt.Sprintf("10.5555/%d", n), "type": kind, "title": []string{fmt.Sprint("Work ", n)}})
		}
		answer(w, object{"total-results": count, "items": items, "next-cursor": strconv.Itoa(offset + rows)})
	}
}

func TestSearchPages(t *testing.T) {
	for _, c := range []struct {
		count, limit, records, skips int
		asked                        string
	}{
		{100_000, 2, 2, 0, "[0+2]"},
		{100_000, 9, 9, 4, "[0+9 9+9]"},
		{100_000, 150, 150, 74, "[0+100 100+100 200+100]"},
		{10, 25, 7, 3, "[0+25]"},
		{100_000, 1_001, 1_001, 500, "[*+300 300+300 600+300 900+300 1200+300 1500+300]"},
		{400, 100_000, 267, 133, "[*+300 300+300]"},
		{0, 25, 0, 0, "[0+25]"},
	} {
		var asked []string
		s := serve(t, Config{}, registry(c.count, &asked))
		r, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		skips := 0
		for _, k := range r.Skips {
			skips += k.Count
		}
		if len(r.Records) != c.records || skips != c.skips || r.Total != c.count || fmt.Sprint(asked) != c.asked {
			t.Errorf("limit %d: %d records, %d skips, total %d, asked %v; want %d, %d and %s", c.limit, len(r.Records), skips, r.Total, asked, c.records, c.skips, c.asked)
		}
	}
}

// A search that finds components only ends after four times the limit.
func TestSearchDoesNotDigForEver(t *testing.T) {
	calls := 0
	s := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		calls++
		items := []object{}
		rows, _ := strconv.Atoi(r.URL.Query().Get("rows"))
		for i := range rows {
			items = append(items, object{"DOI": fmt.Sprintf("10.5555/%d.%d", calls, i), "type": "component"})
		}
		answer(w, object{"total-results": 1_000_000, "items": items})
	})
	r, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: 20})
	if err != nil || calls != 4 || len(r.Skips) != 1 || r.Skips[0].Reason != "not a work: component" || r.Skips[0].Count != 80 || r.Capped == "" {
		t.Errorf("%d calls, skips %+v, error %v", calls, r.Skips, err)
	}
}

func TestRequest(t *testing.T) {
	var got http.Request
	s := serve(t, Config{Key: "plus-token", Contact: "librarian@example.org"}, func(w http.ResponseWriter, r *http.Request) {
		got = *r
		answer(w, object{"total-results": 0, "items": []object{}})
	})
	r, err := s.Search(t.Context(), sources.Request{Query: s.Clean("what works?"), Types: []string{"conference", "book", "review"}, Languages: []string{"de"}, SinceYear: 2016, UntilYear: 2020, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	q := got.URL.Query()
	if want := "from-pub-date:2016,until-pub-date:2020,type:proceedings-article,type:book,type:monograph,type:edited-book,type:reference-book"; q.Get("filter") != want || r.Filters != want {
		t.Errorf("filter sent %q, noted %q, want %q", q.Get("filter"), r.Filters, want)
	}
	if q.Get("query.bibliographic") != "what works" || r.Sent != "what works" || q.Get("mailto") != "librarian@example.org" {
		t.Errorf("sent %v, noted %q", q, r.Sent)
	}
	if strings.Join(r.Notes, "; ") != "Crossref cannot be limited to the type review; Crossref cannot be limited to the language de" {
		t.Errorf("notes are %q", r.Notes)
	}
	if r, err = s.Search(t.Context(), sources.Request{Query: `query.title=a NOT "b"`, Limit: 5}); err != nil || len(r.Notes) != 1 || got.URL.Query().Get("query.title") != `a NOT "b"` {
		t.Errorf("sent %v, notes %q, error %v", got.URL.Query(), r.Notes, err)
	}
	if h := got.Header.Get("Crossref-Plus-API-Token"); h != "Bearer plus-token" {
		t.Errorf("the token was sent as %q", h)
	}
}

func TestLookup(t *testing.T) {
	var asked []string
	s := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		filter := r.URL.Query().Get("filter")
		asked = append(asked, strings.TrimPrefix(r.URL.EscapedPath(), "/works")+filter)
		if filter != "" {
			answer(w, object{"total-results": 1, "items": []object{
				{"DOI": "10.5555/B", "title": []string{"B"}}, {"DOI": "10.5555/other", "title": []string{"Not asked for"}},
			}})
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "Resource not found.")
	})
	r, err := s.Lookup(t.Context(), []state.IDs{
		{state.DOI: "10.5555/a"}, {state.DOI: "10.5555/b"}, {state.DOI: "10.5555/A"}, {state.ArXiv: "2106.09685"},
		{state.DOI: "10.1002/(sici)1099-0771(199806)11:2<107::aid-bdm292>3.0.co;2-y"}, {state.DOI: "10.1001/jama.251.19.2504,2509"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/10.1001%2Fjama.251.19.2504%2C2509",
		"doi:10.5555/a,doi:10.5555/b,doi:10.1002/(sici)1099-0771(199806)11:2<107::aid-bdm292>3.0.co;2-y",
	}
	if strings.Join(asked, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
	if len(r.Records) != 1 || r.Records[0].Key != "crossref:10.5555/b" || r.Total != -1 || len(r.Skips) != 1 {
		t.Errorf("records %+v, total %d, skips %+v", r.Records, r.Total, r.Skips)
	}
	if len(r.Notes) != 2 || !strings.Contains(r.Notes[0], "doi 10.5555/a, ") || !strings.Contains(r.Notes[0], "10.1001/jama.251.19.2504,2509") {
		t.Errorf("what is absent is not named: %q", r.Notes)
	}
	one, err := s.Lookup(t.Context(), []state.IDs{{state.DOI: "10.5555/gone"}})
	if err != nil || len(one.Records) != 0 || len(one.Requests) != 1 {
		t.Errorf("an unknown DOI: %+v, error %v", one, err)
	}
}

// 120 references with DOIs are looked up 50 at a time, in the order of the
// list, and no more than needed.
func TestReferencesInBatches(t *testing.T) {
	var batches []int
	s := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/works/10.5555/seed" {
			refs := []object{}
			for n := range 120 {
				refs = append(refs, object{"key": fmt.Sprint(n), "DOI": fmt.Sprintf("10.5555/%d", n)})
			}
			answer(w, object{"DOI": "10.5555/seed", "title": []string{"The seed"}, "reference": refs})
			return
		}
		dois := strings.Split(strings.TrimPrefix(r.URL.Query().Get("filter"), "doi:"), ",doi:")
		batches = append(batches, len(dois))
		items := []object{}
		for i := len(dois) - 1; i >= 0; i-- {
			items = append(items, object{"DOI": dois[i], "title": []string{"Work " + dois[i]}})
		}
		answer(w, object{"total-results": len(dois), "items": items})
	})
	seed := sources.Seed{IDs: map[string][]string{state.DOI: {"https://doi.org/10.5555/SEED"}}}
	r, err := s.References(t.Context(), seed, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(batches) != "[50 50 20]" || len(r.Records) != 120 || r.Total != 120 || r.Records[0].Title != "Work 10.5555/0" || r.Records[119].Title != "Work 10.5555/119" {
		t.Errorf("batches %v, %d records, total %d", batches, len(r.Records), r.Total)
	}
	if r.Verified == nil || r.Verified.Title != "The seed" {
		t.Errorf("Verified is %+v", r.Verified)
	}
	batches = nil
	if r, err = s.References(t.Context(), seed, 60); err != nil || len(r.Records) != 60 || fmt.Sprint(batches) != "[50 10]" || len(r.Notes) != 1 {
		t.Errorf("%d records in batches %v, notes %q, error %v", len(r.Records), batches, r.Notes, err)
	}
}

func TestNoList(t *testing.T) {
	s := serve(t, Config{}, http.NotFound)
	if _, err := s.Citing(t.Context(), sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/x"}}}, 10); sources.OutcomeOf(err) != state.NoList {
		t.Errorf("citing works: %v", err)
	}
	_, err := s.References(t.Context(), sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/gone"}}}, 10)
	if sources.OutcomeOf(err) != state.NoList || !strings.Contains(err.Error(), "10.5555/gone") {
		t.Errorf("references of an unknown DOI: %v", err)
	}
}

func TestRefusal(t *testing.T) {
	s := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) { http.Error(w, "blocked", http.StatusForbidden) })
	_, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: 1})
	if sources.OutcomeOf(err) != state.Refused || !strings.Contains(err.Error(), "OPTIMISTRESEARCH_CONTACT") {
		t.Errorf("a block: %v", err)
	}
}
