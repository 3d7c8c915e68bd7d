package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// noNetwork fails the test when anything is sent.
func noNetwork(t testing.TB) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		t.Errorf("the network was used for %s", r.URL.Path)
		return nil, errors.New("no network")
	})
}

func TestReplayEqualsTheFirstRun(t *testing.T) {
	const key = "sk-live-0123456789"
	s := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-RateLimit-Remaining", "99")
		w.Header().Set("X-Request-Id", "volatile")
		w.Header().Set("Set-Cookie", "session=secret")
		w.Header().Set("X-Echo", r.Header.Get("X-Api-Key"))
		fmt.Fprintf(w, `{"your key":%q}`, r.URL.Query().Get("api_key"))
	})
	kept := &MemoryRecorder{}
	ask := func(base, key string) Request {
		r := search(base)
		r.Query = url.Values{"search": {"dowsing rods"}, "api_key": {key}, "mailto": {"me@example.org"}}
		r.Header = http.Header{"X-Api-Key": {key}}
		return r
	}
	live, err := newBench(t, Options{Recorder: kept}).Do(t.Context(), ask(s.URL, key))
	if err != nil {
		t.Fatal(err)
	}
	// Another port, another key, no network.
	b := newBench(t, Options{Recorder: kept, Mode: Replay, Transport: noNetwork(t)})
	again, err := b.Do(t.Context(), ask("http://127.0.0.1:1/other", "quite another key"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(live, again, cmpopts.IgnoreFields(Response{}, "FromRecording", "Attempts", "Elapsed", "Waited")); diff != "" {
		t.Errorf("replay differs (-first +replay):\n%s", diff)
	}
	if !again.FromRecording || again.Attempts != 0 || live.FromRecording {
		t.Errorf("first %+v, replay %+v", live, again)
	}
	if e := b.lastEvent(t); !e.FromRecording || e.Kind != "" || e.Raw != live.Raw || e.Request != live.Request || e.Bytes != len(live.Body) {
		t.Errorf("event %+v", e)
	}
	if live.Header.Get("X-RateLimit-Remaining") != "99" || live.Header.Get("X-Request-Id") != "" || live.Header.Get("Set-Cookie") != "" {
		t.Errorf("header %v", live.Header)
	}
	rec, _, _ := kept.Load(live.Request)
	if dump := fmt.Sprintf("%+v %s %s", rec, rec.Body, rec.RequestBody); strings.Contains(dump, key) || strings.Contains(dump, "me@example.org") || strings.Contains(dump, "127.0.0.1") {
		t.Errorf("recording: %s", dump)
	}
	if rec.Query.Has("api_key") || rec.Query.Has("mailto") || rec.Query.Get("search") != "dowsing rods" {
		t.Errorf("recorded query %v", rec.Query)
	}
}

func TestReplayWithoutRecordingIsOffline(t *testing.T) {
	b := newBench(t, Options{Recorder: &MemoryRecorder{}, Mode: Replay, Transport: noNetwork(t)})
	_, err := b.Do(t.Context(), search("http://h"))
	if e := asError(t, err, Offline); !strings.Contains(e.Hint, "--replay") {
		t.Errorf("%v", e)
	}
	r := search("http://h")
	r.NoRecord = true
	_, err = b.Do(t.Context(), r)
	asError(t, err, Offline)
	if b.lastEvent(t).Kind != Offline {
		t.Error("no event")
	}
}

func TestReplayOfARefusalOfTheRequest(t *testing.T) {
	kept := &MemoryRecorder{}
	for status, kind := range map[int]Kind{404: NotFound, 400: BadRequest, 422: BadRequest} {
		s := serve(t, answers(`{"message":"invalid filter"}`, status))
		r := search(s.URL)
		r.Path = fmt.Sprint("/", status)
		_, live := newBench(t, Options{Recorder: kept}).Do(t.Context(), r)
		_, again := newBench(t, Options{Recorder: kept, Mode: Replay, Transport: noNetwork(t)}).Do(t.Context(), r)
		a, b := asError(t, live, kind), asError(t, again, kind)
		if a.Error() != b.Error() || string(a.Body) != string(b.Body) || a.Status != b.Status {
			t.Errorf("first: %v\nreplay: %v", a, b)
		}
	}
}

func TestOnlyFinalAnswersAreRecorded(t *testing.T) {
	pass := func(int, http.Header, []byte) error { return nil }
	say := func(k Kind) func(int, http.Header, []byte) error {
		return func(int, http.Header, []byte) error { return &Error{Kind: k} }
	}
	for _, c := range []struct {
		status int
		ok     func(int, http.Header, []byte) error
		body   string
		want   bool
	}{
		{200, pass, "x", true}, {404, pass, "x", true}, {404, pass, "", true}, {400, pass, "x", true}, {422, pass, "x", true},
		{401, pass, "x", false}, {402, pass, "x", false}, {403, pass, "x", false}, {429, pass, "x", false}, {408, pass, "x", false},
		{500, pass, "x", false}, {501, pass, "x", false}, {503, pass, "x", false}, {529, pass, "x", false}, {304, pass, "", false},
		{200, pass, "", false},
		{200, say(Throttled), "x", false}, {200, say(Broken), "x", false}, {200, say(Down), "x", false}, {200, say(Refused), "x", false},
		{200, say(BadRequest), "x", true}, {200, say(NotFound), "x", true},
		{400, say(Refused), "x", false}, {404, say(Refused), "x", false}, {429, say(BadRequest), "x", false},
	} {
		s := serve(t, answers(c.body, c.status))
		for name, change := range map[string]func(*Request){"": func(*Request) {}, "not to be kept": func(r *Request) { r.NoRecord = true }} {
			kept := &MemoryRecorder{}
			r := search(s.URL)
			r.OK = c.ok
			change(&r)
			_, err := newBench(t, Options{Recorder: kept, MaxRetries: -1}).Do(t.Context(), r)
			if got := len(kept.Hashes()) == 1; got != (c.want && name == "") {
				t.Errorf("%d %q %s: recorded = %v (%v)", c.status, c.body, name, got, err)
			}
		}
	}
}

func TestResume(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "answer %d", n) })
	kept := &MemoryRecorder{}
	b := newBench(t, Options{Recorder: kept, Mode: Resume})
	r := search(s.URL)
	get := func() string {
		t.Helper()
		resp, err := b.Do(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return string(resp.Body)
	}
	if a, again := get(), get(); a != "answer 1" || again != "answer 1" || s.count() != 1 {
		t.Errorf("%q, %q, %d requests: paid twice", a, again, s.count())
	}
	r.Fresh = true
	if got := get(); got != "answer 2" {
		t.Errorf("fresh: %q", got)
	}
	r.Fresh = false
	if got := get(); got != "answer 2" {
		t.Errorf("the fresh answer did not replace the old one: %q", got)
	}
	r.NoRecord = true
	if got := get(); got != "answer 3" {
		t.Errorf("unrecorded: %q", got)
	}
	r.NoRecord = false
	r.OK = func(_ int, _ http.Header, body []byte) error {
		if string(body) == "answer 2" {
			return errors.New("cannot be decoded")
		}
		return nil
	}
	if got := get(); got != "answer 4" {
		t.Errorf("a recording that the adapter rejects must be asked for again: %q", got)
	}

	r.OK = nil
	rec := newBench(t, Options{Recorder: kept, Mode: Record})
	if resp, err := rec.Do(t.Context(), r); err != nil || string(resp.Body) != "answer 5" {
		t.Errorf("record mode always sends: %v, %v", resp, err)
	}
}

func TestResumeSendsEqualRequestsOnce(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		time.Sleep(20 * time.Millisecond)
		fmt.Fprint(w, "paid")
	})
	b := newBench(t, Options{Recorder: &MemoryRecorder{}, Mode: Resume})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := b.Do(t.Context(), search(s.URL)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s.count() != 1 {
		t.Errorf("%d requests for one question", s.count())
	}
}

func TestWaitingForAnEqualRequestCanBeCancelled(t *testing.T) {
	arrived, free := make(chan struct{}), make(chan struct{})
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-free
		fmt.Fprint(w, "x")
	})
	b := newBench(t, Options{Recorder: &MemoryRecorder{}, Mode: Resume})
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = b.Do(t.Context(), search(s.URL)) })
	<-arrived
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := b.Do(ctx, search(s.URL))
	if e := asError(t, err, Cancelled); e.Attempts != 0 {
		t.Errorf("%v", e)
	}
	close(free)
	wg.Wait()
}

// trouble is a recorder that fails.
type trouble struct {
	MemoryRecorder
	load, save error
}

func (r *trouble) Load(hash string) (*Recording, bool, error) {
	if r.load != nil {
		return nil, false, r.load
	}
	return r.MemoryRecorder.Load(hash)
}

func (r *trouble) Save(hash string, rec *Recording) error {
	if r.save != nil {
		return r.save
	}
	return r.MemoryRecorder.Save(hash, rec)
}

func TestFullDiskIsToldApart(t *testing.T) {
	s := serve(t, answers("x", 200))
	_, err := newBench(t, Options{Recorder: &trouble{save: fmt.Errorf("write recording: %w", syscall.ENOSPC)}}).Do(t.Context(), search(s.URL))
	if e := asError(t, err, Unsaved); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(e.Hint, "space") || s.count() != 1 {
		t.Errorf("%v", e)
	}
}

func TestDamagedRecordings(t *testing.T) {
	s := serve(t, answers("good", 200))
	good := &MemoryRecorder{}
	live, err := newBench(t, Options{Recorder: good}).Do(t.Context(), search(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(*Recording) error{
		"body":    func(r *Recording) error { r.Body = []byte("bad!"); return nil },
		"version": func(r *Recording) error { r.Version = 99; return nil },
		"disk":    func(*Recording) error { return syscall.EIO },
	} {
		t.Run(name, func(t *testing.T) {
			rec, _, _ := good.Load(live.Request)
			kept := &trouble{load: damage(rec)}
			_ = kept.MemoryRecorder.Save(live.Request, rec)
			_, err := newBench(t, Options{Recorder: kept, Mode: Replay, Transport: noNetwork(t)}).Do(t.Context(), search(s.URL))
			if e := asError(t, err, Broken); !strings.Contains(e.Error(), live.Request) {
				t.Errorf("replay: %v", e)
			}
			before := s.count()
			resp, err := newBench(t, Options{Recorder: kept, Mode: Resume}).Do(t.Context(), search(s.URL))
			if err != nil || string(resp.Body) != "good" || resp.FromRecording || s.count() != before+1 {
				t.Errorf("resume: %+v, %v", resp, err)
			}
		})
	}
}

func TestMemoryRecorderKeepsCopies(t *testing.T) {
	var m MemoryRecorder
	rec := &Recording{Body: []byte("abc"), Header: http.Header{"A": {"1"}}, Query: url.Values{"q": {"x"}}}
	_ = m.Save("h", rec)
	rec.Body[0], rec.Header["A"][0], rec.Query["q"][0] = 'X', "2", "y"
	got, found, err := m.Load("h")
	if err != nil || !found || string(got.Body) != "abc" || got.Header.Get("A") != "1" || got.Query.Get("q") != "x" {
		t.Errorf("%+v %v %v", got, found, err)
	}
	got.Body[0] = 'Y'
	if again, _, _ := m.Load("h"); string(again.Body) != "abc" {
		t.Error("a loaded recording shares memory with the kept one")
	}
	if _, found, _ := m.Load("unknown"); found {
		t.Error("found what was never saved")
	}
}
