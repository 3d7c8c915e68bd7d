package sourcetest

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"optimistresearch/internal/fetch"
)

// pace checks, on a clock of its own, that searches side by side keep to the
// service's limit together: no two requests start closer than Every (beyond
// the burst), and no more than Concurrent are under way.
func (s suite) pace(t testing.TB) {
	limit := s.cases.Limit
	if limit.Every <= 0 && limit.Concurrent <= 0 {
		return
	}
	for _, a := range s.cases.Search.Answers {
		if a.Times > 0 {
			return // the answers depend on how often they were asked for
		}
	}
	const answering = 700 * time.Millisecond
	synctest.Test(s.t, func(inner *testing.T) {
		service := NewService(t, s.cases.Search.Answers)
		var mu sync.Mutex
		var starts []time.Time
		underWay, most := 0, 0
		service.around = func(answer func()) {
			mu.Lock()
			starts = append(starts, time.Now())
			underWay++
			most = max(most, underWay)
			mu.Unlock()
			time.Sleep(answering)
			answer()
			mu.Lock()
			underWay--
			mu.Unlock()
		}
		name := s.source(service.Doer()).Name()
		client, err := fetch.New(fetch.Options{UserAgent: agent, Transport: service, Limits: map[string]fetch.Limit{name: limit}})
		if err != nil {
			t.Errorf("the HTTP path cannot be built: %v", err)
			return
		}
		defer client.Close()
		source := s.source(client)
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if _, err := search(inner.Context(), source, s.cases.Search); err != nil {
					t.Errorf("search beside other searches: %v", err)
				}
			})
		}
		all.Wait()
		burst := max(limit.Burst, 1)
		for i := burst; i < len(starts); i++ {
			if gap := starts[i].Sub(starts[i-burst]); gap < limit.Every-time.Millisecond {
				t.Errorf("request %d started %s after request %d, want %s at least", i+1, gap, i+1-burst, limit.Every)
				break
			}
		}
		if limit.Concurrent > 0 && most > limit.Concurrent {
			t.Errorf("%d requests were under way at once, want %d at most", most, limit.Concurrent)
		}
		if len(starts) < 6 {
			t.Errorf("6 searches sent %d requests", len(starts))
		}
	})
}
