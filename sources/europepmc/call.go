package europepmc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

// longestAddress is the length of a query from which a search is sent as a
// form: the service speaks of 1,500 characters, and answers 414 near 12,000.
const longestAddress = 1_400

// job is one operation: it sends requests and gathers the result. A failed
// operation gives the error alone.
type job struct {
	s        *Source
	op       string // what is done, and on what
	seedName string // the seed of a list, for errors
	typed    bool   // the query may be one that a person typed
	wire.Job
}

func (s *Source) begin(op string) *job {
	return &job{s: s, op: op, Job: wire.NewJob()}
}

// page fetches one page of a search.
func (j *job) page(ctx context.Context, query, cursor string, size int) (*page, error) {
	q := url.Values{
		"query": {query}, "resultType": {"core"}, "format": {"json"},
		"cursorMark": {cursor}, "pageSize": {strconv.Itoa(size)},
	}
	path := "/search"
	if len(url.QueryEscape(query)) > longestAddress {
		path = "/searchPOST"
	}
	return j.send(ctx, path, q, cursor == "*")
}

// list fetches one page of a list of citations.
func (j *job) list(ctx context.Context, path string, q url.Values) (*page, error) {
	q.Set("format", "json")
	p, err := j.send(ctx, path, q, false)
	if fetch.KindOf(err) == fetch.NotFound {
		return &page{}, nil // 404 with an empty body: the work or its list is unknown
	}
	return p, err
}

// send sends one request and notes its hashes. A first page that counts hits
// and holds none is no answer.
func (j *job) send(ctx context.Context, path string, q url.Values, first bool) (*page, error) {
	if j.s.cfg.Contact != "" {
		q.Set("email", j.s.cfg.Contact)
	}
	var p *page
	r := fetch.Request{
		Service: Name, Op: j.op, Base: j.s.cfg.Base, Path: path, Query: q,
		Types: []string{"application/json"},
		OK: func(status int, _ http.Header, body []byte) error {
			if status/100 != 2 {
				return nil
			}
			var err error
			if p, err = readPage(body); err != nil {
				return err
			}
			if n, _ := p.Hits.Int(); first && n > 0 && len(p.Records) == 0 {
				return fmt.Errorf("the answer counts %d works and holds none", n)
			}
			return nil
		},
	}
	if path == "/searchPOST" {
		r.Method, r.Query, r.Body = http.MethodPost, nil, []byte(q.Encode())
		r.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	}
	resp, err := j.s.do.Do(ctx, r)
	if resp != nil {
		j.Answered(resp)
	}
	if err != nil {
		return nil, err
	}
	if p == nil {
		if p, err = readPage(resp.Body); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// readPage decodes the answer to a search or a list, which may be an error or
// an outage under a status of 200.
func readPage(body []byte) (*page, error) {
	var a answer
	if _, err := wire.Lenient(body, &a); err != nil {
		return nil, err
	}
	p := &page{Hits: a.Hits, Next: string(a.Next)}
	switch {
	case a.Code != "" || a.Message != "":
		return nil, reported(a)
	case a.Results != nil:
		p.Records = a.Results.Records
	case a.Citations != nil:
		p.Records = a.Citations.Records
	case a.References != nil:
		p.Records = a.References.Records
	case a.Hits == "0":
		// Without a hit the list may be left out.
	case a.Hits == "":
		// The shell {"version":"6.9"} has come in place of an answer when the
		// search behind it was down (sciety/sciety 1041).
		return nil, errors.New("the answer is an empty shell, without a count and a list")
	default:
		return nil, fmt.Errorf("the answer counts %s works and has no list", text.Truncate(text.OneLine(string(a.Hits)), 20))
	}
	return p, nil
}

// reported is the error that came inside an answer.
func reported(a answer) error {
	e := &fetch.Error{Kind: fetch.BadRequest, Final: true,
		Err: fmt.Errorf("error %s is reported: %s", orNone(a.Code), orNone(a.Message))}
	switch code, _ := a.Code.Int(); {
	case code == 429:
		e.Kind, e.Final = fetch.Throttled, false
	case code == 401 || code == 403:
		e.Kind = fetch.Refused
	case code >= 500:
		e.Kind, e.Final = fetch.Down, false
	}
	return e
}

func orNone(s scalar) string {
	if t := text.Truncate(text.OneLine(string(s)), 300); t != "" {
		return t
	}
	return "without a word"
}

// add turns one entry of an answer into a record or a counted skip.
func (j *job) add(raw rawRecord) {
	w, note, err := decode(raw)
	if err != nil {
		j.Result.AddSkip("not a work record", string(raw))
		return
	}
	rec, why := w.record(note)
	j.Keep(rec, why, w.name(), -1)
}

// fail words a failed operation and gives it the outcome that the method knows.
func (j *job) fail(err error) (sources.Result, error) {
	e, kind := wire.Fail(Name, j.op, err)
	switch {
	case kind == fetch.Refused:
		e.Hint = "Europe PMC wants no key, but shuts out addresses that ask too fast: wait an hour, then set contact (OPTIMISTRESEARCH_CONTACT) to an e-mail address"
	case kind == fetch.BadRequest && e.Hint == "" && j.typed:
		e.Hint = "check the query: quotation marks, parentheses and field names"
	}
	return sources.Result{}, e
}
