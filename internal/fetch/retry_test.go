package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Case R20, first half: 429, 429, 429, then 200.
func TestThrottledThreeTimesThenAnswered(t *testing.T) {
	s := serve(t, answers(`{"results":[]}`, 429, 429, 429, 200))
	b := newBench(t, Options{})
	resp, err := b.Do(t.Context(), search(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	if string(resp.Body) != `{"results":[]}` || resp.Attempts != 4 {
		t.Errorf("body %q after %d attempts", resp.Body, resp.Attempts)
	}
	slept := b.time.sleeps()
	if len(slept) != 3 {
		t.Fatalf("slept %v, want three back-offs", slept)
	}
	var total time.Duration
	for i, d := range slept {
		rise := time.Second << i
		if d < rise/2 || d > rise {
			t.Errorf("back-off %d is %s, want between %s and %s", i, d, rise/2, rise)
		}
		total += d
	}
	if e := b.lastEvent(t); resp.Waited != total || e.Waited != total || e.Attempts != 4 || e.Kind != "" || e.Status != 200 {
		t.Errorf("waited %s, want %s; event %+v", resp.Waited, total, e)
	}
}

// Case R20, second half: 403 for ever. And its siblings: what no second try can change.
func TestFinalStatusesFailAtOnce(t *testing.T) {
	for status, want := range map[int]Kind{
		400: BadRequest, 401: Refused, 402: Refused, 403: Refused, 404: NotFound, 405: BadRequest, 407: Refused,
		409: BadRequest, 410: NotFound, 413: BadRequest, 414: BadRequest, 422: BadRequest, 451: BadRequest,
		501: Down, 505: Down, 206: Broken, 304: Broken, 300: Broken,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := serve(t, answers("", status))
			b := newBench(t, Options{})
			_, err := b.Do(t.Context(), search(s.URL))
			e := asError(t, err, want)
			if e.Status != status || e.Attempts != 1 || s.count() != 1 || len(b.time.sleeps()) != 0 {
				t.Errorf("%+v after %d requests and sleeps %v", e, s.count(), b.time.sleeps())
			}
			if ev := b.lastEvent(t); ev.Kind != want || ev.Status != status {
				t.Errorf("event %+v", ev)
			}
		})
	}
}

func TestPassingStatusesAreRetriedToTheEnd(t *testing.T) {
	for status, want := range map[int]Kind{
		408: Down, 425: Down, 429: Throttled, 500: Down, 502: Down, 503: Down, 504: Down, 529: Down,
	} {
		for _, method := range []string{"GET", "POST"} {
			t.Run(fmt.Sprint(method, status), func(t *testing.T) {
				s := serve(t, answers(`{"error":{"message":"overloaded"}}`, status))
				b := newBench(t, Options{MaxRetries: 2})
				r := search(s.URL)
				r.Method, r.Body = method, []byte(`{"q":1}`)
				_, err := b.Do(t.Context(), r)
				e := asError(t, err, want)
				if e.Attempts != 3 || s.count() != 3 || e.Status != status {
					t.Errorf("%d attempts, %d requests, status %d", e.Attempts, s.count(), e.Status)
				}
				if !strings.Contains(e.Error(), "overloaded") || !strings.Contains(e.Error(), "3 attempts") {
					t.Errorf("the message loses what the service said: %v", e)
				}
			})
		}
	}
}

func TestRequestBodyIsSentWholeOnEveryAttempt(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		buf := make([]byte, 64)
		k, _ := r.Body.Read(buf)
		if string(buf[:k]) != `{"prompt":"x"}` {
			w.WriteHeader(400)
			return
		}
		if n < 3 {
			w.WriteHeader(503)
			return
		}
		fmt.Fprint(w, "ok")
	})
	b := newBench(t, Options{})
	r := search(s.URL)
	r.Method, r.Body = "post", []byte(`{"prompt":"x"}`)
	if _, err := b.Do(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// go-retryablehttp by itself would sleep for the hour.
func TestHourLongRetryAfterIsGivenUpAtOnce(t *testing.T) {
	hour := func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3600") }
	date := func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
	}
	for name, set := range map[string]func(http.ResponseWriter){"seconds": hour, "date": date} {
		for _, status := range []int{429, 503} {
			t.Run(fmt.Sprint(name, status), func(t *testing.T) {
				s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
					set(w)
					w.WriteHeader(status)
				})
				b := newBench(t, Options{})
				_, err := b.Do(t.Context(), search(s.URL))
				e := asError(t, err, Throttled)
				if s.count() != 1 || len(b.time.sleeps()) != 0 {
					t.Errorf("%d requests, slept %v", s.count(), b.time.sleeps())
				}
				if e.After < 59*time.Minute || !strings.Contains(e.Hint, "2m0s") || !(strings.Contains(e.Hint, "1h0m0s") || strings.Contains(e.Hint, "59m")) {
					t.Errorf("After %s, hint %q: want both the hour and the cap", e.After, e.Hint)
				}
			})
		}
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	for _, c := range []struct {
		name, header, value string
		low, high           time.Duration
	}{
		{"seconds", "Retry-After", "7", 7 * time.Second, 7 * time.Second},
		{"fraction", "Retry-After", "1.5", 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"at the cap", "Retry-After", "120", 2 * time.Minute, 2 * time.Minute},
		{"milliseconds", "Retry-After-Ms", "350", 350 * time.Millisecond, 350 * time.Millisecond},
		{"under the floor", "Retry-After-Ms", "5", 200 * time.Millisecond, 200 * time.Millisecond},
		{"zero", "Retry-After", "0", 500 * time.Millisecond, time.Second},
		{"negative", "Retry-After", "-3", 500 * time.Millisecond, time.Second},
		{"past date", "Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT", 500 * time.Millisecond, time.Second},
		{"nonsense", "Retry-After", "soon", 500 * time.Millisecond, time.Second},
		{"not a number", "Retry-After", "NaN", 500 * time.Millisecond, time.Second},
	} {
		for _, status := range []int{429, 503, 500, 408} {
			t.Run(fmt.Sprint(c.name, status), func(t *testing.T) {
				s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
					if n == 1 {
						w.Header().Set(c.header, c.value)
						w.WriteHeader(status)
						return
					}
					fmt.Fprint(w, "ok")
				})
				b := newBench(t, Options{})
				if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
					t.Fatal(err)
				}
				slept := b.time.sleeps()
				if len(slept) != 1 || slept[0] < c.low || slept[0] > c.high {
					t.Errorf("slept %v, want one wait between %s and %s", slept, c.low, c.high)
				}
			})
		}
	}
}

func TestRetryAfterZeroForEverIsNoTightLoop(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(429)
	})
	b := newBench(t, Options{RetryWait: time.Nanosecond})
	_, err := b.Do(t.Context(), search(s.URL))
	asError(t, err, Throttled)
	slept := b.time.sleeps()
	if len(slept) != 4 {
		t.Fatalf("slept %v", slept)
	}
	for _, d := range slept {
		if d < shortestWait {
			t.Errorf("a wait of %s is under the floor of %s", d, shortestWait)
		}
	}
}

func TestServerSaysThatRetryIsNoUse(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Should-Retry", "false")
		w.WriteHeader(429)
		fmt.Fprint(w, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`)
	})
	b := newBench(t, Options{})
	_, err := b.Do(t.Context(), search(s.URL))
	asError(t, err, Throttled)
	if s.count() != 1 {
		t.Errorf("%d requests, want 1", s.count())
	}
}

func TestNoRetriesWhenToldSo(t *testing.T) {
	s := serve(t, answers("", 503))
	b := newBench(t, Options{MaxRetries: -1})
	_, err := b.Do(t.Context(), search(s.URL))
	if e := asError(t, err, Down); e.Attempts != 1 || s.count() != 1 {
		t.Errorf("%d attempts, %d requests", e.Attempts, s.count())
	}
}

// The adapter says whether, this room says when.
func TestAdapterVerdicts(t *testing.T) {
	quota := errors.New("daily credit used up")
	for _, c := range []struct {
		name     string
		status   int
		say      error
		kind     Kind
		requests int
	}{
		{"limit under 200, as PubMed", 200, &Error{Kind: Throttled}, Throttled, 5},
		{"broken record under 200", 200, &Error{Kind: Broken, Err: quota}, Broken, 5},
		{"undecodable", 200, errors.New("unexpected end of JSON input"), Broken, 5},
		{"kind left out", 200, &Error{Err: quota}, Broken, 5},
		{"overloaded under 200", 200, &Error{Kind: Down}, Down, 5},
		{"quota is final", 429, &Error{Kind: Throttled, Final: true, Err: quota}, Throttled, 1},
		{"client error in disguise", 429, &Error{Kind: BadRequest, Err: quota}, BadRequest, 1},
		{"bad key as 400", 400, &Error{Kind: Refused}, Refused, 1},
		{"403 stays final", 403, &Error{Kind: Throttled}, Throttled, 1},
		{"nil keeps the status", 404, nil, NotFound, 1},
		{"nil pointer keeps the status", 404, (*Error)(nil), NotFound, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, answers("{}", c.status))
			b := newBench(t, Options{})
			r := search(s.URL)
			r.OK = func(status int, _ http.Header, body []byte) error {
				if status != c.status || string(body) != "{}" {
					t.Errorf("OK sees %d %q", status, body)
				}
				return c.say
			}
			_, err := b.Do(t.Context(), r)
			e := asError(t, err, c.kind)
			if s.count() != c.requests || e.Service != "openalex" || e.Op != "search Q7" || e.Status != c.status {
				t.Errorf("%d requests, want %d; %+v", s.count(), c.requests, e)
			}
			if said, ok := c.say.(*Error); ok && said != nil && said.Err != nil && !errors.Is(err, quota) {
				t.Errorf("the adapter's cause is lost: %v", err)
			}
		})
	}
}

func TestAdapterKnowsTheWait(t *testing.T) {
	// Gemini puts its wait into the body.
	s := serve(t, answers(`{"error":{"status":"RESOURCE_EXHAUSTED"}}`, 429, 200))
	b := newBench(t, Options{})
	r := search(s.URL)
	r.OK = func(status int, _ http.Header, _ []byte) error {
		if status == 429 {
			return &Error{Kind: Throttled, After: 37 * time.Second}
		}
		return nil
	}
	if _, err := b.Do(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if slept := b.time.sleeps(); len(slept) != 1 || slept[0] != 37*time.Second {
		t.Errorf("slept %v, want 37 s", slept)
	}
}

func TestConnectionRefusedIsDownWithoutAddress(t *testing.T) {
	s := serve(t, answers("", 200))
	base := s.URL
	s.Close()
	b := newBench(t, Options{MaxRetries: 1})
	_, err := b.Do(t.Context(), search(base))
	e := asError(t, err, Down)
	if e.Attempts != 2 {
		t.Errorf("%d attempts, want 2", e.Attempts)
	}
	if text := e.Error(); strings.Contains(text, "127.0.0.1") || !strings.Contains(text, "connection refused") || !strings.HasSuffix(text, "then try again") {
		t.Errorf("message: %s", text)
	}
}

func TestWaitBeyondTheDeadlineIsNotBegun(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(429)
	})
	b := newBench(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := b.Do(ctx, search(s.URL))
	e := asError(t, err, Throttled)
	if len(b.time.sleeps()) != 0 || s.count() != 1 || !strings.Contains(e.Hint, "left") {
		t.Errorf("slept %v, %d requests, hint %q", b.time.sleeps(), s.count(), e.Hint)
	}
}

func TestCancelledContextStartsNothing(t *testing.T) {
	s := serve(t, answers("x", 200))
	b := newBench(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Do(ctx, search(s.URL))
	e := asError(t, err, Cancelled)
	if s.count() != 0 || e.Attempts != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d requests, %+v", s.count(), e)
	}
	if b.lastEvent(t).Kind != Cancelled {
		t.Error("no event for it")
	}
}

func TestCancelWhileWaitingForTheNextAttempt(t *testing.T) {
	s := serve(t, answers("", 503))
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, Options{Now: time.Now, Sleep: func(ctx context.Context, d time.Duration) error {
		cancel()
		return sleep(ctx, d)
	}})
	_, err := b.Do(ctx, search(s.URL))
	asError(t, err, Cancelled)
	if s.count() != 1 {
		t.Errorf("%d requests", s.count())
	}
}

func TestCancelWhileTheServiceIsSilent(t *testing.T) {
	arrived, free := make(chan struct{}), make(chan struct{})
	s := serve(t, func(_ int, _ http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-free
	})
	defer close(free)
	b := newBench(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := b.Do(ctx, search(s.URL))
	if e := asError(t, err, Cancelled); e.Attempts != 1 {
		t.Errorf("%d attempts, want 1: a cancelled call is not repeated", e.Attempts)
	}
}

func TestDeadlineOfTheCallerIsNotRetried(t *testing.T) {
	free := make(chan struct{})
	s := serve(t, func(_ int, _ http.ResponseWriter, _ *http.Request) { <-free })
	defer close(free)
	b := newBench(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := b.Do(ctx, search(s.URL))
	if e := asError(t, err, Cancelled); e.Attempts != 1 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%+v", e)
	}
}

func TestSlowServerTimesOutAndIsRetried(t *testing.T) {
	free := make(chan struct{})
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		switch n {
		case 1: // silent before the header
			<-free
		case 2: // silent in the middle of the body
			w.Header().Set("Content-Length", "10")
			fmt.Fprint(w, "half")
			w.(http.Flusher).Flush()
			<-free
		default:
			fmt.Fprint(w, "whole")
		}
	})
	defer close(free)
	b := newBench(t, Options{Timeout: 300 * time.Millisecond})
	resp, err := b.Do(t.Context(), search(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	if string(resp.Body) != "whole" || resp.Attempts != 3 {
		t.Errorf("%q after %d attempts", resp.Body, resp.Attempts)
	}
}

func TestTimeOutForGoodIsDown(t *testing.T) {
	free := make(chan struct{})
	s := serve(t, func(_ int, _ http.ResponseWriter, _ *http.Request) { <-free })
	defer close(free)
	b := newBench(t, Options{MaxRetries: 1})
	r := search(s.URL)
	r.Timeout = 30 * time.Millisecond
	_, err := b.Do(t.Context(), r)
	e := asError(t, err, Down)
	if e.Attempts != 2 || !strings.Contains(e.Error(), "30ms") || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", e)
	}
}

func TestStaleAnswerIsNotHandedOn(t *testing.T) {
	n := 0
	b := newBench(t, Options{MaxRetries: 1, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		if n++; n == 1 {
			return &http.Response{StatusCode: 503, Header: http.Header{}, Body: readCloser("busy")}, nil
		}
		return nil, errors.New("gone")
	})})
	resp, err := b.Do(t.Context(), search("http://h"))
	e := asError(t, err, Down)
	if resp != nil || e.Status != 0 || len(e.Body) != 0 || b.lastEvent(t).Status != 0 {
		t.Errorf("the last attempt had no answer, yet: %+v, %v", resp, e)
	}
}
