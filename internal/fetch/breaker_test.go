package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// ask sends a request that was not sent before.
func (b *bench) ask(t *testing.T, base string, n int) error {
	t.Helper()
	r := search(base)
	r.Query.Set("n", fmt.Sprint(n))
	_, err := b.Do(t.Context(), r)
	return err
}

// A service that fails in a row is left alone, tried again after a while, and
// asked as before once it answers.
func TestBreaker(t *testing.T) {
	for _, c := range []struct {
		status int
		want   Kind
		asked  int // requests until it is left alone
	}{{403, Refused, 2}, {429, Throttled, 2}, {503, Down, 3}, {404, NotFound, 9}, {400, BadRequest, 9}} {
		s := serve(t, answers("", c.status))
		b := newBench(t, Options{Break: true, MaxRetries: -1})
		for i := range 9 {
			err := b.ask(t, s.URL, i)
			e := asError(t, err, c.want)
			if c.asked < 9 && s.count() == c.asked && e.Attempts == 0 &&
				(!strings.Contains(e.Error(), "not asked") || !strings.Contains(e.Error(), fmt.Sprintf("HTTP %d", c.status)) || e.Hint == "") {
				t.Errorf("%d: %v", c.status, e)
			}
		}
		if s.count() != c.asked {
			t.Errorf("%d: asked %d times of 9, want %d", c.status, s.count(), c.asked)
		}
		if c.asked == 9 {
			continue
		}
		b.time.pass(breakFor + time.Second)
		b.ask(t, s.URL, 10)
		b.ask(t, s.URL, 11)
		if s.count() != c.asked+1 {
			t.Errorf("%d: after the pause it was asked %d times, want once", c.status, s.count()-c.asked)
		}
	}
}

func TestBreakerClosesOnSuccess(t *testing.T) {
	s := serve(t, answers(`{"a":1}`, 503, 503, 200, 503, 503, 200))
	b := newBench(t, Options{Break: true, MaxRetries: -1})
	for i := range 6 {
		b.ask(t, s.URL, i)
	}
	if s.count() != 6 {
		t.Errorf("asked %d times of 6", s.count())
	}
}

// A wait that the service named is kept, once it is longer than the cap.
func TestBreakerKeepsTheNamedWait(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "36000")
		w.WriteHeader(429)
	})
	b := newBench(t, Options{Break: true})
	b.ask(t, s.URL, 1)
	b.time.pass(9 * time.Hour)
	err := b.ask(t, s.URL, 2)
	if asError(t, err, Throttled); s.count() != 1 {
		t.Errorf("asked %d times within ten hours, want once", s.count())
	}
	b.time.pass(2 * time.Hour)
	if b.ask(t, s.URL, 3); s.count() != 2 {
		t.Error("not asked again after the wait")
	}
}

// Without the option, and for addresses from records, everything is asked.
func TestBreakerIsAsked(t *testing.T) {
	s := serve(t, answers("", 403))
	b := newBench(t, Options{})
	for range 5 {
		b.Do(t.Context(), search(s.URL))
	}
	b = newBench(t, Options{Break: true, AllowPrivate: true})
	for range 5 {
		r := search(s.URL)
		r.Untrusted = true
		b.Do(t.Context(), r)
	}
	if s.count() != 10 {
		t.Errorf("asked %d times of 10", s.count())
	}
}

func TestWaitsAreAnnounced(t *testing.T) {
	s := serve(t, answers(`{"a":1}`, 200, 503, 200))
	var told []Wait
	b := newBench(t, Options{Limits: map[string]Limit{"openalex": {Every: 3 * time.Second}}, Waiting: func(w Wait) { told = append(told, w) }})
	b.Do(t.Context(), search(s.URL))
	b.Do(t.Context(), search(s.URL))
	turns, retries := 0, 0
	for _, w := range told {
		if w.Service != "openalex" || w.For < noticed {
			t.Errorf("wait = %+v", w)
		}
		if w.Retry {
			retries++
		} else {
			turns++
		}
	}
	if turns == 0 || retries != 1 {
		t.Errorf("told of %d turns and %d retries: %+v", turns, retries, told)
	}
}

// The same request fails the same way again, as it does when it is replayed:
// a later failure must not change what the first one was recorded as.
func TestTheSameRequestFailsTheSameWay(t *testing.T) {
	s := serve(t, answers(`{"a":1}`, 503, 403, 200))
	tape := &MemoryRecorder{}
	b := newBench(t, Options{Break: true, MaxRetries: -1, Recorder: tape})
	_, first := b.Do(t.Context(), search(s.URL))
	_, second := b.Do(t.Context(), search(s.URL))
	if KindOf(first) != Down || first.Error() != second.Error() || s.count() != 1 {
		t.Errorf("first %v, then %v, after %d requests", first, second, s.count())
	}
	if err := b.ask(t, s.URL, 1); KindOf(err) != Refused {
		t.Errorf("another request: %v", err)
	}
}
