package sourcetest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"optimistresearch/internal/fetch"
)

// Doer is the program's own HTTP path in front of the service: only the
// network and the waiting are played.
func (s *Service) Doer() Doer { return s.client(fetch.Options{}) }

// agent is the identity of the tests.
const agent = "optimistresearch-test"

// client is the HTTP path with options of a check.
func (s *Service) client(o fetch.Options) Doer {
	o.UserAgent, o.MaxRetries, o.Transport = agent, 2, s
	o.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	client, err := fetch.New(o)
	if err != nil {
		s.t.Fatalf("the HTTP path cannot be built: %v", err)
	}
	return client
}

// RoundTrip makes the Service a network. It fails the test when a body is left
// open.
func (s *Service) RoundTrip(req *http.Request) (*http.Response, error) {
	var sent []byte
	if req.Body != nil {
		var err error
		sent, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	s.lookForKey(req, string(sent))
	var r reply
	answer := func() { r = s.answer(req.Method, req.URL, string(sent)) }
	if s.around != nil {
		s.around(answer)
	} else {
		answer()
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	if r.err != nil {
		return nil, r.err
	}
	body := &body{Reader: strings.NewReader(r.body)}
	s.t.Cleanup(func() {
		if !body.isClosed() {
			s.t.Errorf("the body of the answer to %s %s was left open", req.Method, req.URL.Path)
		}
	})
	return &http.Response{
		Status: http.StatusText(r.status), StatusCode: r.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: r.header, Body: body, ContentLength: -1, Request: req,
	}, nil
}

// body remembers whether it was closed.
type body struct {
	io.Reader
	mu     sync.Mutex
	closed bool
}

func (b *body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return nil
}

func (b *body) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// watch notes the hashes of what went through a Doer.
type watch struct {
	Doer
	mu   sync.Mutex
	sent map[string]bool
	raw  string // of the last response
}

// Do implements Doer.
func (w *watch) Do(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
	resp, err := w.Doer.Do(ctx, r)
	if err == nil {
		w.mu.Lock()
		w.sent[resp.Request], w.raw = true, resp.Raw
		w.mu.Unlock()
	}
	return resp, err
}
