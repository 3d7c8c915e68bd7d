package fetch

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A replayed run meets the failure that the run met, word for word, and not
// the lack of a recording; a resumed run asks again.
func TestReplayOfAFailure(t *testing.T) {
	up := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !up {
			http.Error(w, "<html>maintenance</html>", http.StatusServiceUnavailable)
			return
		}
		w.Write([]byte("{}"))
	}))
	defer s.Close()
	rec := &MemoryRecorder{}
	do := func(mode Mode) (*Response, error) {
		c, err := New(Options{Recorder: rec, Mode: mode, MaxRetries: 2, Sleep: func(context.Context, time.Duration) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.Do(context.Background(), Request{Service: "arxiv", Op: "search Q1", Base: s.URL, Path: "/api/query"})
	}
	_, live := do(Record)
	_, replayed := do(Replay)
	if KindOf(live) != Down || replayed == nil || replayed.Error() != live.Error() || KindOf(replayed) != Down {
		t.Errorf("live:   %v\nreplay: %v", live, replayed)
	}
	up = true
	if r, err := do(Resume); err != nil || r.FromRecording {
		t.Errorf("resume: %+v, %v; want a fresh answer", r, err)
	}
	if r, err := do(Replay); err != nil || !r.FromRecording {
		t.Errorf("replay after the resume: %+v, %v; want the answer", r, err)
	}
}
