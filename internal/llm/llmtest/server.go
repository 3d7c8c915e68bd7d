package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Server is a model server on loopback that answers from a script, one step a
// request, and keeps every request. Close it when done.
type Server struct {
	http *httptest.Server
	quit chan struct{}

	mu       sync.Mutex
	key      string
	refused  []string
	steps    []Step
	answer   func(Request) Step
	requests []Request
	billed   Bill
	closed   bool
}

// NewServer starts a server with these steps.
func NewServer(steps ...Step) *Server {
	s := &Server{steps: steps, quit: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Listen starts a server at an address such as 127.0.0.1:8100; port 0 takes a
// free one.
func Listen(addr string, steps ...Step) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("starting the model server: %w", err)
	}
	s := &Server{steps: steps, quit: make(chan struct{})}
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}}
	s.http.Start()
	return s, nil
}

// Base is the base URL of the OpenAI wire, "/v1" included.
func (s *Server) Base() string { return s.http.URL + "/v1" }

// BaseOf is the base URL of a wire.
func (s *Server) BaseOf(wire string) string {
	switch wire {
	case Google:
		return s.http.URL + "/v1beta"
	case Ollama:
		return s.http.URL
	}
	return s.Base()
}

// Bill is what the server would put on the account: the tokens that its answers
// reported.
type Bill struct{ Answers, Prompt, Cached, Output int }

// Bill returns the sum over all answers.
func (s *Server) Bill() Bill {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.billed
}

// Close releases hanging requests and stops the server. A second Close does
// nothing.
func (s *Server) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.quit)
	s.mu.Unlock()
	s.http.CloseClientConnections()
	s.http.Close()
}

// Func sets what answers when no step is left. It returns s. answer must be safe
// for concurrent use.
func (s *Server) Func(answer func(Request) Step) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
	return s
}

// Want makes the server refuse any other key. It returns s.
func (s *Server) Want(key string) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
	return s
}

// Refuse makes the server answer 400, naming the parameter, to every request
// that holds one of these, without using up a step. It returns s.
func (s *Server) Refuse(params ...string) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = append(s.refused, params...)
	return s
}

// Requests returns every request so far, refused ones included.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left returns how many steps were not used.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.steps)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		return // the client went away
	}
	req := Request{Method: r.Method, Path: r.URL.Path, Wire: wireOf(r.URL.Path), Header: r.Header.Clone(), Raw: raw}
	broken := json.Unmarshal(raw, &req.Body)
	res := s.next(req, broken)(req)
	if res.Hang {
		select {
		case <-r.Context().Done():
		case <-s.quit:
		}
		panic(http.ErrAbortHandler) // a return would be an empty answer
	}
	s.mu.Lock()
	s.billed.Answers += res.bill.Answers
	s.billed.Prompt += res.bill.Prompt
	s.billed.Cached += res.bill.Cached
	s.billed.Output += res.bill.Output
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	for k, v := range res.Header {
		w.Header().Set(k, v)
	}
	if res.Cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(res.Body)+100))
	}
	w.WriteHeader(res.Status)
	io.WriteString(w, res.Body)
}

// next keeps the request and chooses what answers it.
func (s *Server) next(req Request, broken error) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	switch {
	case req.Method != http.MethodPost || req.Wire == "":
		return Failure(http.StatusNotFound, "invalid_request_error", "", "", fmt.Sprintf("Invalid URL (%s %s)", req.Method, req.Path))
	case s.key != "" && req.Key() != s.key:
		return Unauthorized()
	case broken != nil || req.Model() == "" || len(req.Messages()) == 0:
		return Failure(http.StatusBadRequest, "invalid_request_error", "", "", "We could not parse the JSON body of your request.")
	}
	for _, p := range s.refused {
		if req.Has(p) {
			return Failure(http.StatusBadRequest, "invalid_request_error", p, "unsupported_parameter",
				fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model.", p))
		}
	}
	if len(s.steps) > 0 {
		step := s.steps[0]
		s.steps = s.steps[1:]
		return step
	}
	if s.answer != nil {
		return s.answer(req)
	}
	return Failure(http.StatusBadRequest, "invalid_request_error", "", "", "the script of the fake server has no step left")
}
