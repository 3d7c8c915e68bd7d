package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func limits(l Limit) map[string]Limit { return map[string]Limit{"openalex": l} }

// A limiter in front of go-retryablehttp does not see its retries; ours stands behind it.
func TestPaceHoldsForRetries(t *testing.T) {
	clk := newFakeTime()
	var starts []time.Time
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		starts = append(starts, clk.now())
		w.WriteHeader([]int{503, 503, 503, 200}[n-1])
		fmt.Fprint(w, "x")
	})
	b := newBench(t, Options{Limits: limits(Limit{Every: 3 * time.Second}), RetryWait: time.Nanosecond, Sleep: clk.sleep, Now: clk.now})
	resp, err := b.Do(t.Context(), search(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(starts); i++ {
		if gap := starts[i].Sub(starts[i-1]); gap < 3*time.Second-time.Millisecond || gap > 3*time.Second+time.Millisecond {
			t.Errorf("gap %d is %s, want 3 s in all: back-off and turn overlap", i, gap)
		}
	}
	if total := starts[3].Sub(starts[0]); resp.Waited < total-time.Millisecond || resp.Waited > total+time.Millisecond {
		t.Errorf("Waited = %s, waited %s", resp.Waited, total)
	}
}

func TestPaceHoldsForRedirectsAndRealTime(t *testing.T) {
	var mu sync.Mutex
	var starts []time.Time
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		starts = append(starts, time.Now())
		mu.Unlock()
		if r.URL.Path == "/works" {
			http.Redirect(w, r, "/end", http.StatusFound)
			return
		}
		fmt.Fprint(w, "x")
	})
	b := newBench(t, Options{Limits: limits(Limit{Every: 40 * time.Millisecond}), Now: time.Now, Sleep: sleep})
	var wg sync.WaitGroup
	began := time.Now()
	for range 2 {
		wg.Go(func() {
			if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if took := time.Since(began); len(starts) != 4 || took < 119*time.Millisecond {
		t.Errorf("%d requests in %s, want 4 in at least 120 ms", len(starts), took)
	}
}

func TestBurst(t *testing.T) {
	s := serve(t, answers("x", 200))
	b := newBench(t, Options{Limits: limits(Limit{Every: time.Minute, Burst: 3})})
	for range 3 {
		if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
			t.Fatal(err)
		}
	}
	if slept := b.time.sleeps(); len(slept) != 0 {
		t.Errorf("slept %v within the burst", slept)
	}
	if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
		t.Fatal(err)
	}
	if slept := b.time.sleeps(); len(slept) != 1 || slept[0] < 59*time.Second {
		t.Errorf("slept %v after the burst", slept)
	}
}

func TestLanesAreSharedOrNot(t *testing.T) {
	one, two := serve(t, answers("x", 200)), serve(t, answers("x", 200))
	pool := NewPool()
	clk := newFakeTime()
	client := func() *bench {
		return newBench(t, Options{Pool: pool, Limits: map[string]Limit{"openalex": {Every: time.Minute}, "crossref": {Every: time.Minute}}, Sleep: clk.sleep, Now: clk.now})
	}
	a, b := client(), client()
	ask := func(c *bench, base, service, key string) bool {
		t.Helper()
		r := search(base)
		r.Service, r.Secrets = service, []string{key}
		before := len(clk.sleeps())
		if _, err := c.Do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		return len(clk.sleeps()) > before
	}
	for _, step := range []struct {
		name               string
		client             *bench
		base, service, key string
		waits              bool
	}{
		{"first", a, one.URL, "openalex", "key-00001", false},
		{"other client, same lane", b, one.URL, "openalex", "key-00001", true},
		{"other host", a, two.URL, "openalex", "key-00001", false},
		{"other key", a, one.URL, "openalex", "key-00002", false},
		{"other service", a, one.URL, "crossref", "key-00001", false},
	} {
		if got := ask(step.client, step.base, step.service, step.key); got != step.waits {
			t.Errorf("%s: waited = %v", step.name, got)
		}
	}
}

func TestServiceWithoutLimitNeverWaits(t *testing.T) {
	s := serve(t, answers("x", 200))
	b := newBench(t, Options{Limits: limits(Limit{Every: time.Hour})})
	for range 50 {
		if _, err := b.Do(t.Context(), Request{Service: "ollama", Base: s.URL}); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.time.sleeps()) != 0 {
		t.Error("waited")
	}
}

func TestConcurrencyCap(t *testing.T) {
	var now, most atomic.Int32
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		k := now.Add(1)
		for old := most.Load(); k > old && !most.CompareAndSwap(old, k); old = most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		now.Add(-1)
		if n%3 == 0 {
			w.WriteHeader(503) // failing requests give their place back too
		}
		fmt.Fprint(w, strings.Repeat("x", 1000))
	})
	b := newBench(t, Options{Limits: limits(Limit{Concurrent: 2}), MaxRetries: 20})
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 2 {
		t.Errorf("%d requests at a time, want 2", most.Load())
	}
}

func TestQueueCanBeLeft(t *testing.T) {
	arrived, free := make(chan struct{}, 1), make(chan struct{})
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-free
		fmt.Fprint(w, "x")
	})
	b := newBench(t, Options{Limits: limits(Limit{Concurrent: 1})})
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = b.Do(t.Context(), search(s.URL)) })
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := b.Do(ctx, search(s.URL))
	if e := asError(t, err, Cancelled); e.Attempts != 0 || s.count() != 1 {
		t.Errorf("%v, %d requests", e, s.count())
	}
	close(free)
	wg.Wait()
	if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
		t.Errorf("the place was lost: %v", err)
	}
}

// x/time/rate fails at once when a wait would pass the deadline. That is neither a network error nor a cancellation.
func TestTurnAfterTheDeadline(t *testing.T) {
	s := serve(t, answers("x", 200))
	b := newBench(t, Options{Limits: limits(Limit{Every: time.Hour}), Now: time.Now, Sleep: sleep})
	if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 3 { // the turn is given back: it does not move away with every try
		_, err := b.Do(ctx, search(s.URL))
		e := asError(t, err, Throttled)
		late, ok := errors.AsType[*tooLate](err)
		if !ok || late.wait > time.Hour || e.Attempts != 0 || s.count() != 1 || !strings.Contains(e.Error(), "the next turn is in 1h") && !strings.Contains(e.Error(), "the next turn is in 59m") || !strings.Contains(e.Hint, "pace") || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", e)
		}
	}
}

// What a service asks of one, all who share its pace do.
func TestAskedPauseHoldsForAll(t *testing.T) {
	clk := newFakeTime()
	pool := NewPool()
	var mu sync.Mutex
	var starts []time.Time
	began := clk.now()
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		starts = append(starts, clk.now())
		mu.Unlock()
		if n == 1 {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(429)
		}
		fmt.Fprint(w, "x")
	})
	first := newBench(t, Options{Pool: pool, MaxRetries: 1, Now: clk.now, Sleep: func(ctx context.Context, d time.Duration) error {
		// While the first one waits, another client of the same process asks.
		other := newBench(t, Options{Pool: pool, Now: clk.now, Sleep: clk.sleep})
		resp, err := other.Do(ctx, search(s.URL))
		if err != nil || resp.Waited != 30*time.Second {
			t.Errorf("the other one: %+v, %v", resp, err)
		}
		return nil
	}})
	resp, err := first.Do(t.Context(), search(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	if resp.Waited != 30*time.Second {
		t.Errorf("the first one waited %s: its own pause counts once", resp.Waited)
	}
	if len(starts) != 3 || starts[1].Sub(began) < 30*time.Second {
		t.Errorf("starts %v after %v", starts, began)
	}
}

// Waiting for a turn is not the time of an attempt.
func TestTimeOutBeginsAfterTheTurn(t *testing.T) {
	s := serve(t, answers("x", 200))
	b := newBench(t, Options{Limits: limits(Limit{Every: 400 * time.Millisecond}), Timeout: 300 * time.Millisecond, MaxRetries: -1, Now: time.Now, Sleep: sleep})
	for range 2 {
		if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
			t.Error(err)
		}
	}
}

// Tests often let sleeps pass at once while the clock stands; a wait must still count once.
func TestOwnPauseIsSatOutOnce(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 1 {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(429)
		}
		fmt.Fprint(w, "x")
	})
	var slept []time.Duration
	b := newBench(t, Options{Now: time.Now, Sleep: func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		return nil
	}})
	resp, err := b.Do(t.Context(), search(s.URL))
	if err != nil || resp.Waited != 30*time.Second || len(slept) != 1 {
		t.Errorf("slept %v, %+v, %v", slept, resp, err)
	}
}
