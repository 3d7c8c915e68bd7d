package semanticscholar

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
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

// page fetches one page of a search or of a list.
func (j *job) page(ctx context.Context, path string, query url.Values, fault func([]byte) error) (*page, error) {
	resp, err := j.send(ctx, fetch.Request{Path: path, Query: maps.Clone(query)}, fault)
	if err != nil {
		return nil, err
	}
	var p page
	_, err = wire.Lenient(resp.Body, &p)
	return &p, err
}

// single fetches one paper, nil when the graph does not know it.
func (j *job) single(ctx context.Context, id, fields string) (rawRecord, error) {
	path := "/paper/" + strings.ReplaceAll(url.PathEscape(id), "%2F", "/") // a DOI keeps its slashes here
	resp, err := j.send(ctx, fetch.Request{Path: path, Query: url.Values{"fields": {fields}}}, recordFault)
	switch {
	case fetch.KindOf(err) == fetch.NotFound:
		// GET /paper/0 answers 404 {"error":"Paper with id 0 not found"}
		// (December 2024).
		return nil, nil
	case err != nil:
		return nil, err
	}
	return resp.Body, nil
}

// batch fetches papers by position; null stands for an unknown one.
func (j *job) batch(ctx context.Context, ids []string) ([]rawRecord, error) {
	if len(ids) == 1 {
		raw, err := j.single(ctx, ids[0], fields)
		return []rawRecord{raw}, err
	}
	body, err := json.Marshal(map[string][]string{"ids": ids})
	if err != nil {
		return nil, err
	}
	resp, err := j.send(ctx, fetch.Request{
		Method: http.MethodPost, Path: "/paper/batch", Query: url.Values{"fields": {fields}},
		Header: http.Header{"Content-Type": {"application/json"}}, Body: body,
	}, batchFault)
	if noneKnown(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []rawRecord
	return list, json.Unmarshal(resp.Body, &list)
}

// send completes and sends one request and notes its hashes. fault says what
// is wrong with a successful answer.
func (j *job) send(ctx context.Context, r fetch.Request, fault func([]byte) error) (*fetch.Response, error) {
	r.Service, r.Op, r.Base = Name, j.op, j.s.cfg.Base
	r.Types = []string{"application/json"}
	r.OK = func(status int, _ http.Header, body []byte) error {
		if status/100 == 2 {
			return fault(body)
		}
		return nil
	}
	if j.s.cfg.Key != "" {
		if r.Header == nil {
			r.Header = http.Header{}
		}
		r.Header.Set("X-Api-Key", j.s.cfg.Key)
		r.Secrets = []string{j.s.cfg.Key}
	}
	resp, err := j.s.do.Do(ctx, r)
	if resp != nil {
		j.Answered(resp)
	}
	return resp, err
}

// addEdge turns one entry of a list into a record or a counted skip. A limit
// below zero is none.
func (j *job) addEdge(raw rawRecord, limit int) {
	var e edge
	if _, err := wire.Lenient(raw, &e); err != nil {
		j.Result.AddSkip("not a citation", string(raw))
		return
	}
	end := e.Cited
	if isNull(end) {
		end = e.Citing
	}
	if isNull(end) {
		j.Result.AddSkip("a citation without a paper", string(raw))
		return
	}
	j.add(end, limit)
}

// add turns one paper of an answer into a record or a counted skip, and
// reports whether it had not come before.
func (j *job) add(raw rawRecord, limit int) bool {
	p, note, err := decode(raw)
	if err != nil {
		j.Result.AddSkip("not a paper record", string(raw))
		return true
	}
	rec, why := p.record()
	if note != "" {
		rec.Notes = append(rec.Notes, note)
	}
	return j.Keep(rec, why, p.name(), limit) || why != ""
}

// paperID writes an identifier as the graph takes it, "" if it is none.
func paperID(scheme, value string) string {
	prefix, id := "", ""
	switch scheme {
	case state.S2:
		return state.NormalizeS2(value)
	case state.DOI:
		prefix, id = "DOI:", state.NormalizeDOI(value)
	case state.ArXiv:
		prefix = "ARXIV:"
		id, _ = state.NormalizeArXiv(value)
	case state.PMID:
		prefix, id = "PMID:", state.NormalizePMID(value)
	case state.PMCID:
		prefix, id = "PMCID:", strings.TrimPrefix(state.NormalizePMCID(value), "PMC")
	case state.CorpusID:
		prefix, id = "CorpusId:", digits(scalar(value))
	case state.MAG:
		prefix, id = "MAG:", digits(scalar(value))
	case state.ACL:
		prefix, id = "ACL:", acl(scalar(value))
	}
	if id == "" {
		return ""
	}
	return prefix + id
}

func isNull(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}
