package sourcetest

import (
	"net/url"
	"reflect"
	"testing"

	"optimistresearch/sources"
)

// Pager plays a service with many hits, for the checks of deep paging.
type Pager struct {
	// Answer is the body that the service gives to a request, whose path and
	// parameters (of the address or of a form) are as sent.
	Answer func(path string, params url.Values, l Library) string
	// Most is the number of records that the service gives of one query at
	// most; 0 = all there are.
	Most int
}

// Library is what a played service holds: hits numbered from 1 to Hits, of
// which it reports Total.
type Library struct {
	Hits, Total int
	// Repeats is the fault of a service that gives the first page, and the
	// same cursor, whatever page it is asked for.
	Repeats bool
}

// Page gives the numbers of the hits on a page of size hits after the first
// start ones; last is below first on an empty page.
func (l Library) Page(start, size int) (first, last int) {
	if l.Repeats {
		start = 0
	}
	start = max(start, 0)
	return start + 1, min(start+size, l.Hits)
}

// mostRequests is more than any adapter needs to find out that a service does
// not keep its word.
const mostRequests = 60

// depth asks for more records than a page holds, of services that keep their
// word and of services that do not.
func (s suite) depth(t testing.TB) {
	p := s.cases.Pager
	if p == nil {
		return
	}
	ask := func(l Library, limit int) (sources.Result, int) {
		t.Helper()
		service := Play(t, func(path string, params url.Values) Answer { return Answer{Body: p.Answer(path, params, l)} })
		c := s.cases.Search
		c.Request.Limit = limit
		source := s.source(service.Doer())
		result, err := search(t.Context(), source, c)
		if err != nil {
			t.Errorf("%d of %+v: %v", limit, l, err)
		}
		for _, fault := range ResultFaults(source.Name(), result) {
			t.Errorf("%d of %+v: %s", limit, l, fault)
		}
		if len(result.Records) > limit {
			t.Errorf("%d of %+v: %d records", limit, l, len(result.Records))
		}
		if len(result.Records) == limit && result.Capped != "" {
			t.Errorf("%d of %+v: Capped although all that was wanted came: %s", limit, l, result.Capped)
		}
		return result, service.requests()
	}

	honest := Library{Hits: 450, Total: 450}
	all, _ := ask(honest, 1000)
	for _, limit := range []int{1, 150, 449, 450, sources.MostRecords} {
		result, _ := ask(honest, limit)
		want := min(limit, honest.Hits)
		if len(result.Records) != want || result.Capped != "" {
			t.Errorf("%d of %d hits: %d records, Capped %q; want %d and none", limit, honest.Hits, len(result.Records), result.Capped, want)
		}
		for i, r := range result.Records {
			if i >= len(all.Records) || !reflect.DeepEqual(r, all.Records[i]) {
				t.Errorf("record %d of the first %d is not record %d of all: the order depends on the limit", i+1, limit, i+1)
				break
			}
		}
	}

	for _, c := range []struct {
		name string
		l    Library
		some int // records at least
	}{
		{"a total that is too high", Library{Hits: 250, Total: 9000}, 250},
		{"a first page for ever", Library{Hits: 500, Total: 9000, Repeats: true}, 1},
		{"a total that is too low", Library{Hits: 450, Total: 3}, 1},
	} {
		result, requests := ask(c.l, 2000)
		if n := len(result.Records); n < c.some || n > c.l.Hits {
			t.Errorf("%s: %d records, want %d to %d", c.name, n, c.some, c.l.Hits)
		}
		if requests > mostRequests {
			t.Errorf("%s: %d requests were sent, want at most %d", c.name, requests, mostRequests)
		}
		if c.l.Total > c.l.Hits && result.Capped == "" && len(result.Notes) == 0 {
			t.Errorf("%s: %d records of %d, and neither Capped nor a note says why", c.name, len(result.Records), c.l.Total)
		}
	}

	if p.Most == 0 {
		return
	}
	deep := Library{Hits: p.Most + 500, Total: p.Most + 500}
	result, _ := ask(deep, p.Most+200)
	if len(result.Records) != p.Most || result.Capped == "" {
		t.Errorf("%d of %d hits: %d records, Capped %q; want %d and the reason why there are no more",
			p.Most+200, deep.Hits, len(result.Records), result.Capped, p.Most)
	}
}
