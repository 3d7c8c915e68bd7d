package fetch

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Request is one question to one service.
//
// Path is already escaped (url.PathEscape every part that comes from outside) and begins with "/" or is empty. Base may
// be a whole address, with path and query, as for an open copy found in a record.
type Request struct {
	Service string // "openalex", "arxiv", "openai"…: names the pace, the recordings and the errors
	Op      string // short human words: "search Q7"

	Method string // empty means GET
	Base   string // scheme://host[:port][/prefix]; never part of the hash for a configured base
	Path   string
	Query  url.Values
	Header http.Header
	Body   []byte

	MaxBytes int64         // cap on the decoded body; 0 means Options.MaxBytes
	Timeout  time.Duration // one attempt; 0 means Options.Timeout
	Secrets  []string      // values that must never appear in events, errors, recordings (keys in headers are found without this)

	// Types are the media types of a usable 2xx answer: "application/json", "text/*", or "+json" for a suffix. Empty
	// means any. An answer without Content-Type passes.
	Types []string

	// OK is the adapter's verdict on a whole answer, live or recorded, of any status. nil leaves the verdict of the
	// status. An *Error replaces it: kinds Throttled, Down and Broken are retried unless Final, the others end the
	// call; any other error counts as Broken. A 400, 401, 403 or 404 may get another kind but is never retried.
	// The body is redacted and must not be changed.
	OK func(status int, h http.Header, body []byte) error

	CrossHost bool // follow redirects to other hosts (full text only); keys stay behind
	Untrusted bool // the address comes from a record, not from the configuration

	NoRecord bool // neither saved nor answered from a recording
	Fresh    bool // in Resume mode ask the service even if a recording exists; a replay still uses the recording
}

// Response is a whole answer. Its header has no volatile and no secret entries and its body no secrets, so that an
// answer from a recording equals the first one.
type Response struct {
	Status        int
	Header        http.Header
	Body          []byte
	Request       string // hash of the request, see the rules at Request.hash
	Raw           string // SHA-256 of Body, hex
	FromRecording bool
	Attempts      int           // requests sent; 0 from a recording
	Waited        time.Duration // for a turn and between attempts
	Elapsed       time.Duration // all of Do
}

// foreign reports whether the host belongs to the data rather than to the configuration.
func (r *Request) foreign() bool { return r.CrossHost || r.Untrusted }

// method is the verb in upper case.
func (r *Request) method() string {
	if r.Method == "" {
		return http.MethodGet
	}
	return strings.ToUpper(r.Method)
}

// form is the decoded body if it is a URL-encoded form, else nil.
func (r *Request) form() url.Values {
	if len(r.Body) == 0 {
		return nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil
	}
	q, err := url.ParseQuery(string(r.Body))
	if err != nil {
		return nil
	}
	return q
}

// url joins base, path and query. The error never repeats the address, since it may hold a key.
func (r *Request) url() (*url.URL, error) {
	u, err := url.Parse(r.Base)
	if err != nil {
		return nil, errors.New("the base URL cannot be parsed")
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the base URL must be http://host or https://host")
	}
	if strings.ContainsAny(r.Path, "?#") {
		return nil, errors.New("the path holds an unescaped ? or #")
	}
	if r.Path != "" {
		if !strings.HasPrefix(r.Path, "/") {
			return nil, errors.New("the path must begin with /")
		}
		path := strings.TrimRight(u.EscapedPath(), "/") + r.Path
		plain, err := url.PathUnescape(path)
		if err != nil {
			return nil, errors.New("the path has a broken percent escape")
		}
		u.Path, u.RawPath = plain, path
	}
	if len(r.Query) > 0 {
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += r.Query.Encode()
	}
	u.Fragment, u.RawFragment = "", ""
	if r.Untrusted {
		u.User = nil
	}
	return u, nil
}

// checkHeader finds what net/http would refuse, before anything is sent and without repeating the value.
func checkHeader(h http.Header) error {
	for name, values := range h {
		for _, v := range values {
			if !cleanHeaderValue(v) {
				return fmt.Errorf("header %q holds a line break or another control character (a key copied with its line end?)", name)
			}
		}
	}
	return nil
}

func cleanHeaderValue(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
