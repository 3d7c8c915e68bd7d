package fetch

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeTime is a clock whose sleeps pass at once and are remembered.
type fakeTime struct {
	mu    sync.Mutex
	at    time.Time
	slept []time.Duration
}

func newFakeTime() *fakeTime { return &fakeTime{at: time.Now()} }

func (f *fakeTime) now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at
}

func (f *fakeTime) sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = f.at.Add(d)
	f.slept = append(f.slept, d)
	return nil
}

func (f *fakeTime) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = f.at.Add(d)
}

func (f *fakeTime) sleeps() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]time.Duration(nil), f.slept...)
}

// bench is a client with a fake clock and all it told its observer.
type bench struct {
	*Client
	time   *fakeTime
	mu     sync.Mutex
	events []Event
}

func newBench(t testing.TB, o Options) *bench {
	t.Helper()
	b := &bench{time: newFakeTime()}
	if o.Sleep == nil {
		o.Sleep, o.Now = b.time.sleep, b.time.now
	}
	o.Observe = func(e Event) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.events = append(b.events, e)
	}
	c, err := New(o)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	b.Client = c
	t.Cleanup(c.Close)
	return b
}

func (b *bench) lastEvent(t testing.TB) Event {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.events) == 0 {
		t.Fatal("no event was observed")
	}
	return b.events[len(b.events)-1]
}

// serve starts a loopback server and counts its requests.
type counted struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
}

func serve(t testing.TB, h func(n int, w http.ResponseWriter, r *http.Request)) *counted {
	t.Helper()
	c := &counted{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.seen = append(c.seen, r)
		n := len(c.seen)
		c.mu.Unlock()
		h(n, w, r)
	}))
	t.Cleanup(c.Server.Close)
	return c
}

func (c *counted) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.seen)
}

func (c *counted) request(i int) *http.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[i]
}

// answers serves one status after the other, the last one for ever.
func answers(body string, statuses ...int) func(int, http.ResponseWriter, *http.Request) {
	return func(n int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(statuses[min(n, len(statuses))-1])
		_, _ = w.Write([]byte(body))
	}
}

// search is the request that most tests send.
func search(base string) Request {
	return Request{Service: "openalex", Op: "search Q7", Base: base, Path: "/works", Query: url.Values{"search": {"dowsing rods"}}}
}

// asError fails the test unless err is an *Error of the kind.
func asError(t testing.TB, err error, k Kind) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error = %v, want an *Error of kind %s", err, k)
	}
	if e.Kind != k {
		t.Fatalf("kind = %s, want %s (%v)", e.Kind, k, e)
	}
	return e
}

// roundTrip is a fake transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }
