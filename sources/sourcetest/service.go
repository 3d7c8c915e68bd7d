package sourcetest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Service plays a service: it answers requests from a table, and fails the
// test when a request fits no answer. Adapters use it for tests of their own
// too. From the request number failFrom on it answers with a fault instead.
type Service struct {
	t       testing.TB
	answers []Answer

	mu       sync.Mutex
	served   []int    // by answer
	asked    []string // every request, in order
	sawKey   bool     // whether any request carried the key
	failFrom int      // 0 = never
	fault    fault
	onAsk    func(n int) // called with the number of the request, from 1
	values   []string    // of all parameters that were sent

	play   func(path string, params url.Values) Answer // instead of the table
	around func(answer func())                         // is called for each request, to answer it
}

// reply is what goes back on the wire; err is a connection that broke.
type reply struct {
	status int
	header http.Header
	body   string
	err    error
}

// fault turns the healthy answer to a request into a failure.
type fault func(healthy reply) reply

// NewService returns a Service that gives the answers.
func NewService(t testing.TB, answers []Answer) *Service {
	return &Service{t: t, answers: answers, served: make([]int, len(answers))}
}

// Play returns a Service that gives what play makes of the path and the
// parameters, of the address or of a form, of a request.
func Play(t testing.TB, play func(path string, params url.Values) Answer) *Service {
	return &Service{t: t, play: play}
}

// answer finds the reply to one request.
func (s *Service) answer(method string, u *url.URL, body string) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	query := u.RawQuery
	if method == http.MethodPost {
		query = body
	}
	s.asked = append(s.asked, method+" "+u.Path+"?"+query)
	n := len(s.asked)
	if s.onAsk != nil {
		s.onAsk(n)
	}
	params := u.Query()
	if form, err := url.ParseQuery(body); err == nil && method == http.MethodPost {
		for k, v := range form {
			params[k] = append(params[k], v...)
		}
	}
	for _, values := range params {
		s.values = append(s.values, values...)
	}
	if s.play != nil {
		return s.play(u.Path, params).reply()
	}
	for i, a := range s.answers {
		if !a.fits(method, u.Path, params) || a.Times > 0 && s.served[i] >= a.Times {
			continue
		}
		s.served[i]++
		r := a.reply()
		if s.failFrom > 0 && n >= s.failFrom {
			r = s.fault(r)
		}
		return r
	}
	s.t.Errorf("unexpected request: %s %s %s", method, u, body)
	return reply{err: fmt.Errorf("no answer is scripted for %s %s", method, u.Path)}
}

// Asked lists the requests so far, as "METHOD path?query"; the body of a form
// stands in for the query.
func (s *Service) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// carried reports whether some parameter of some request held a text.
func (s *Service) carried(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.values, func(v string) bool { return strings.Contains(v, text) })
}

func (s *Service) requests() int { return len(s.Asked()) }

// lookForKey notes whether a request carries the key.
func (s *Service) lookForKey(r *http.Request, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	carries := func(text string) { s.sawKey = s.sawKey || strings.Contains(text, Key) }
	for _, values := range r.URL.Query() {
		carries(strings.Join(values, " "))
	}
	for _, values := range r.Header {
		carries(strings.Join(values, " "))
	}
	carries(body)
	if form, err := url.ParseQuery(body); err == nil {
		for _, values := range form {
			carries(strings.Join(values, " "))
		}
	}
}

func (a Answer) fits(method, path string, params url.Values) bool {
	if a.Method != "" && a.Method != method || !strings.HasSuffix(path, a.Path) {
		return false
	}
	for k, want := range a.Query {
		found := false
		for _, got := range params[k] {
			found = found || got == want
		}
		if !found {
			return false
		}
	}
	return true
}

func (a Answer) reply() reply {
	r := reply{status: a.Status, header: a.Header.Clone(), body: a.Body}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.header == nil {
		r.header = http.Header{}
	}
	if r.header.Get("Content-Type") == "" {
		r.header.Set("Content-Type", contentType(a.Body))
	}
	return r
}

// contentType guesses what a service would say of a body of its own.
func contentType(body string) string {
	switch head := strings.ToLower(strings.TrimSpace(body[:min(len(body), 200)])); {
	case strings.HasPrefix(head, "{"), strings.HasPrefix(head, "["):
		return "application/json"
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"):
		return "text/html; charset=utf-8"
	case strings.HasPrefix(head, "<"):
		return "application/xml; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}
