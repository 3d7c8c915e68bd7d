package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Options of a Server. The zero value serves the built-in library on a free
// port of 127.0.0.1, without faults.
type Options struct {
	Library *Library // nil = the built-in one
	Addr    string   // host:port on loopback; "" = 127.0.0.1:0, any free port
	Faults  Faults   // what goes wrong, by service
	// Limits are enforced and announced; a service that is not here never
	// refuses for haste, and announces limits that nobody reaches.
	Limits map[string]Limit
	// Keys are the keys that a service accepts; without an entry it accepts
	// any key. All services also answer without one.
	Keys map[string][]string
	Now  func() time.Time // the clock of the limits; nil = time.Now
}

// Limit is how much one service answers.
type Limit struct {
	PerSecond int           // requests in one second; 0 = no limit
	Every     time.Duration // between the starts of two requests that are answered; 0 = no limit
	Credits   int           // OpenAlex only: the budget of a day; 0 = no limit
	// Shared is the share, from 0 to 1, of the requests without a key that are
	// refused because others use up the pool that all of them share; which
	// ones depends on the request and on how often it came.
	Shared float64
}

// RealLimits are the limits of the live services for a client without keys
// (September 2026): arXiv answers one request in three seconds, OpenAlex ten a
// second within 1,000 credits a day, Crossref one list a second, PubMed three a
// second, Europe PMC about ten; Semantic Scholar refuses a part of what comes
// without a key.
func RealLimits() map[string]Limit {
	return map[string]Limit{
		ArXiv: {Every: 3 * time.Second}, OpenAlex: {PerSecond: 10, Credits: 1000}, Crossref: {PerSecond: 1}, PubMed: {PerSecond: 3},
		SemanticScholar: {Shared: 0.3}, EuropePMC: {PerSecond: 10},
	}
}

// Server plays the services. It is safe for concurrent use.
type Server struct {
	opts     Options
	lib      *Library
	finders  map[string]finder
	services map[string]func(*call) reply
	listener net.Listener
	http     *http.Server
	done     chan struct{}
	stop     context.CancelFunc
	faults   *faultState
	budget   *budget
	history  *history
}

// Start loads the library into the services and begins to listen. The caller
// must Close the server.
func Start(opts Options) (*Server, error) {
	if opts.Addr == "" {
		opts.Addr = "127.0.0.1:0"
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if err := check(opts); err != nil {
		return nil, err
	}
	lib := opts.Library
	if lib == nil {
		var err error
		if lib, err = Builtin(); err != nil {
			return nil, err
		}
	}
	s := &Server{opts: opts, lib: lib, done: make(chan struct{}), finders: lib.prepare(),
		faults: newFaultState(opts.Faults), budget: newBudget(opts), history: &history{}}
	s.services = map[string]func(*call) reply{
		ArXiv: s.arXiv, OpenAlex: s.openAlex, Crossref: s.crossref, PubMed: s.pubMed, SemanticScholar: s.semanticScholar, EuropePMC: s.europePMC,
	}
	var err error
	if s.listener, err = net.Listen("tcp", opts.Addr); err != nil {
		return nil, fmt.Errorf("sandbox: cannot listen on %s: %w; choose another port, or port 0 for a free one", opts.Addr, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.http = &http.Server{
		Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }, ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(s.listener) // it ends when Close closes the listener
	}()
	return s, nil
}

// check refuses options that cannot work.
func check(opts Options) error {
	host, _, err := net.SplitHostPort(opts.Addr)
	if err != nil {
		return fmt.Errorf("sandbox: the address %q cannot be read: %w; write it as 127.0.0.1:8080", opts.Addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("sandbox: %q is not a loopback address, and the sandbox answers this machine only; use 127.0.0.1 or [::1]", host)
	}
	for what, given := range map[string]map[string]bool{"faults": names(opts.Faults), "limits": names(opts.Limits), "keys": names(opts.Keys)} {
		for source := range given {
			if !known(source) {
				return fmt.Errorf("sandbox: the %s name the service %q; the services are %s", what, source, strings.Join(Sources(), ", "))
			}
		}
	}
	return checkFaults(opts.Faults)
}

func names[T any](m map[string]T) map[string]bool {
	out := map[string]bool{}
	for name := range m {
		out[name] = true
	}
	return out
}

// URL is the base address of a service, to be used in place of its live base
// address; "" for a service that the sandbox does not play.
func (s *Server) URL(source string) string {
	if !known(source) {
		return ""
	}
	return "http://" + s.listener.Addr().String() + "/" + source
}

// Close ends the server. Answers under way are finished for up to two seconds,
// delays are cut short. It may be called again.
func (s *Server) Close() error {
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	<-s.done
	if err != nil {
		return fmt.Errorf("sandbox: closing: %w", err)
	}
	return nil
}

// call is one request to one service.
type call struct {
	source string
	method string
	path   string // below the service's prefix, unescaped
	query  url.Values
	form   url.Values // query and body of a form
	header http.Header
	body   []byte
	url    string // path and query as sent
	fault  Fault  // zero = healthy
	now    time.Time
}

// param is a parameter of the query or of a form, by the first name that has a
// value.
func (c *call) param(names ...string) string {
	for _, n := range names {
		if v := c.form.Get(n); v != "" {
			return v
		}
	}
	return ""
}

// reply is an answer before faults.
type reply struct {
	status int
	kind   string // content type
	body   []byte
	header map[string]string
}

func (r *reply) set(name, value string) {
	if r.header == nil {
		r.header = map[string]string{}
	}
	r.header[name] = value
}

const (
	mostBody = 4 << 20
	jsonType = "application/json"
	htmlType = "text/html; charset=utf-8"
	textType = "text/plain"
)

// prefixes of paths in the live services. Each service answers with and
// without its prefix, so that either may be part of the base address.
var prefixes = map[string]string{ArXiv: "/api", PubMed: "/entrez/eutils", SemanticScholar: "/graph/v1",
	EuropePMC: "/europepmc/webservices/rest"}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	source, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	handler := s.services[source]
	if handler == nil {
		http.Error(w, "The sandbox serves /"+strings.Join(Sources(), ", /")+".", http.StatusNotFound)
		return
	}
	path, err := url.PathUnescape("/" + rest)
	if err != nil {
		path = "/" + rest
	}
	c := &call{source: source, method: r.Method, path: strings.TrimPrefix(path, prefixes[source]), query: r.URL.Query(),
		header: r.Header, url: "/" + rest, now: s.opts.Now()}
	if r.URL.RawQuery != "" {
		c.url += "?" + r.URL.RawQuery
	}
	if c.body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody)); err != nil {
		http.Error(w, "The request body is too large or was cut.", http.StatusRequestEntityTooLarge)
		return
	}
	c.form = c.query
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		if sent, err := url.ParseQuery(string(c.body)); err == nil {
			c.form = merged(c.query, sent)
		}
	}
	c.fault = s.faults.next(c)
	s.send(w, r, c, s.answer(c, handler))
}

func merged(a, b url.Values) url.Values {
	out := url.Values{}
	for _, from := range []url.Values{a, b} {
		for k, v := range from {
			out[k] = append(out[k], v...)
		}
	}
	return out
}

// answer is the healthy answer, a refusal for haste or key, or the answer that
// a fault puts in its place.
func (s *Server) answer(c *call, handler func(*call) reply) reply {
	var out reply
	switch refused, ok := s.refuse(c); {
	case ok:
		out = refused
	case c.method != http.MethodGet && c.method != http.MethodPost && c.method != http.MethodHead:
		out = reply{status: http.StatusMethodNotAllowed, kind: textType, body: []byte("Method Not Allowed")}
	default:
		out = handler(c)
	}
	if out.status == 0 {
		out.status = http.StatusOK
	}
	return out
}

// send writes an answer, damaged where the fault says so.
func (s *Server) send(w http.ResponseWriter, r *http.Request, c *call, out reply) {
	if c.fault.Kind == Slow {
		timer := time.NewTimer(c.fault.Wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
	for name, value := range out.header {
		// Set would change the spelling of names such as x-rate-limit-limit;
		// HTTP does not care.
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", out.kind)
	body := out.body
	if out.status == http.StatusOK {
		body = damaged(c.fault, body)
	}
	switch c.fault.Kind {
	case EmptyBody:
		body = nil
	case WrongType:
		w.Header().Set("Content-Type", htmlType)
		body = []byte("<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Sign in to this network to go on.</p></body></html>\n")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(out.status)
	if c.fault.Kind == CutBody {
		// Fewer bytes than announced: the connection breaks.
		body = body[:len(body)/2]
	}
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, bytes.NewReader(body)) // a client that has gone away is no error of ours
	}
}
