package crossref

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources/internal/wire"
)

// job is one operation: it sends requests and gathers the result. A failed
// operation gives the error alone.
type job struct {
	wire.Job
	s      *Source
	opWord string
	op     string // opWord and what it is done on, for errors
}

func (s *Source) begin(op string) *job {
	return &job{Job: wire.NewJob(), s: s, opWord: op, op: op}
}

// list fetches one page of a list. The first page of a list that counts works
// must not be empty.
func (j *job) list(ctx context.Context, query url.Values, first bool) (*list, error) {
	resp, err := j.send(ctx, "/works", query, listFault(first))
	if err != nil {
		return nil, err
	}
	var a listAnswer
	if _, err := wire.Lenient(resp.Body, &a); err != nil {
		return nil, err
	}
	return &list{Total: a.Message.Total, Next: a.Message.Next, Items: *a.Message.Items}, nil
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
		j.Answered(resp)
	}
	return resp, err
}

// add turns one entry of an answer into a record or a counted skip, and
// reports whether it had not come before. A limit below zero is none.
func (j *job) add(raw rawRecord, limit int) bool {
	w, note, err := decode(raw)
	if err != nil {
		j.Result.AddSkip("not a work record", string(raw))
		return true
	}
	rec, why := w.record()
	if note != "" {
		rec.Notes = append(rec.Notes, note)
	}
	return j.Keep(rec, why, w.name(), limit) || why != ""
}
