package crossref

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// job is one operation: it sends requests and gathers the result. A failed
// operation gives the error alone.
type job struct {
	s      *Source
	opWord string
	op     string // opWord and what it is done on, for errors
	result sources.Result
	keys   map[string]bool // of the records so far
}

func (s *Source) begin(op string) *job {
	return &job{s: s, opWord: op, op: op, result: sources.Result{CreditsLeft: -1}, keys: map[string]bool{}}
}

// list fetches one page of a list.
func (j *job) list(ctx context.Context, query url.Values) (*list, error) {
	offset := query.Get("offset")
	resp, err := j.send(ctx, "/works", query, listFault(offset == "" || offset == "0"))
	if err != nil {
		return nil, err
	}
	var a listAnswer
	if _, err := wire.Lenient(resp.Body, &a); err != nil {
		return nil, err
	}
	return &list{Total: a.Message.Total, Items: *a.Message.Items}, nil
}

// single fetches one work, nil when Crossref does not know it. The whole DOI
// is escaped: SICI DOIs hold <, >, ; and #.
func (j *job) single(ctx context.Context, doi string) (rawRecord, error) {
	resp, err := j.send(ctx, "/works/"+url.PathEscape(doi), nil, recordFault)
	switch {
	case fetch.KindOf(err) == fetch.NotFound:
		// GET /works/10.1371/notarealdoi answers 404 text/plain "Resource not
		// found." (June 2026): the work is unknown, nothing is broken.
		return nil, nil
	case err != nil:
		return nil, err
	}
	var a recordAnswer
	if _, err := wire.Lenient(resp.Body, &a); err != nil {
		return nil, err
	}
	return a.Message, nil
}

// send sends one request and notes its hashes. fault says what is wrong with a
// successful answer.
func (j *job) send(ctx context.Context, path string, query url.Values, fault func([]byte) error) (*fetch.Response, error) {
	query = maps.Clone(query)
	r := fetch.Request{
		Service: Name, Op: j.op, Base: j.s.cfg.Base, Path: path, Query: query,
		Types: []string{"application/json"},
		OK: func(status int, _ http.Header, body []byte) error {
			if status/100 == 2 {
				return fault(body)
			}
			return nil
		},
	}
	if j.s.cfg.Contact != "" {
		if query == nil {
			r.Query = url.Values{}
		}
		r.Query.Set("mailto", j.s.cfg.Contact)
	}
	if j.s.cfg.Key != "" {
		r.Header = http.Header{"Crossref-Plus-API-Token": {"Bearer " + j.s.cfg.Key}}
		r.Secrets = []string{j.s.cfg.Key}
	}
	resp, err := j.s.do.Do(ctx, r)
	if resp != nil {
		j.result.Raw = resp.Raw
		j.result.Requests = append(j.result.Requests, resp.Request)
	}
	return resp, err
}

func (j *job) note(format string, args ...any) {
	j.result.Notes = append(j.result.Notes, fmt.Sprintf(format, args...))
}

// add turns one entry of an answer into a record or a counted skip.
func (j *job) add(raw rawRecord) {
	w, note, err := decode(raw)
	if err != nil {
		j.result.AddSkip("not a work record", string(raw))
		return
	}
	rec, why := w.record()
	if note != "" {
		rec.Notes = append(rec.Notes, note)
	}
	j.keep(rec, why, w.name())
}

// keep appends a record, or counts why it is none.
func (j *job) keep(rec state.Record, why, name string) {
	switch {
	case why != "":
		j.result.AddSkip(why, name)
	case j.keys[rec.Key]:
		j.result.AddSkip("sent twice", rec.Key)
	default:
		j.keys[rec.Key] = true
		j.result.Records = append(j.result.Records, rec)
	}
}
