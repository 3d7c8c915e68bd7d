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
func (s *Service) Doer() Doer {
	client, err := fetch.New(fetch.Options{
		UserAgent:  "optimistresearch-test",
		MaxRetries: 2,
		Transport:  s,
		Sleep:      func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
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
	r := s.answer(req.Method, req.URL, string(sent))
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
