package arxiv

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// An outage is waited through once: the queries that follow are sent once each
// and give up at once, until arXiv answers again.
func TestAnOutageIsWaitedThroughOnce(t *testing.T) {
	var requests, waits atomic.Int64
	var up atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		if !up.Load() {
			w.WriteHeader(http.StatusTooManyRequests)
			w.Write([]byte("Rate exceeded."))
			return
		}
		w.Write([]byte(`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><opensearch:totalResults>1</opensearch:totalResults><entry><id>http://arxiv.org/abs/2310.08560v1</id><title>MemGPT</title></entry></feed>`))
	}))
	defer s.Close()
	var clock atomic.Int64 // waiting moves it on
	client, err := fetch.New(fetch.Options{RetryAfterCap: time.Hour,
		Now:   func() time.Time { return time.Unix(0, clock.Load()) },
		Sleep: func(_ context.Context, d time.Duration) error { waits.Add(1); clock.Add(int64(d)); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	src := New(client, Config{Base: s.URL})
	ask := func() error {
		_, err := src.Search(context.Background(), sources.Request{Query: "all:memory", Limit: 5, Op: "search Q1"})
		return err
	}
	if err := ask(); sources.OutcomeOf(err) != state.Throttled || requests.Load() < 2 {
		t.Fatalf("the first query: %v after %d requests, want throttled after retries", err, requests.Load())
	}
	before, waited := requests.Load(), waits.Load()
	if err := ask(); sources.OutcomeOf(err) != state.Throttled || requests.Load() != before+1 || waits.Load() != waited {
		t.Errorf("the second query: %v, %d requests and %d waits; want one request and no wait", err, requests.Load()-before, waits.Load()-waited)
	}
	up.Store(true)
	if err := ask(); err != nil {
		t.Errorf("arXiv answers again: %v", err)
	}
}
