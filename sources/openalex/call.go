package openalex

import (
	"context"
	"maps"
	"math"
	"net/http"
	"net/url"
	"strconv"
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

// page fetches one page of a list.
func (j *job) page(ctx context.Context, query url.Values) (*page, error) {
	resp, err := j.send(ctx, "/works", query, pageFault(query))
	if err != nil {
		return nil, err
	}
	var p page
	if _, err := wire.Lenient(resp.Body, &p); err != nil {
		return nil, err
	}
	if p.Meta.CostUSD != "" && resp.Header.Get("X-RateLimit-Credits-Used") == "" {
		if usd, err := strconv.ParseFloat(string(p.Meta.CostUSD), 64); err == nil && usd > 0 && usd < 1_000 {
			j.Result.Credits += int(math.Round(usd * 10_000)) // a credit is $0.0001
		}
	}
	return &p, nil
}

// single fetches one work, nil when OpenAlex does not know it.
func (j *job) single(ctx context.Context, scheme, id, fields string) (rawRecord, error) {
	resp, err := j.send(ctx, "/works/"+singleton(scheme, id), url.Values{"select": {fields}}, recordFault)
	switch {
	case fetch.KindOf(err) == fetch.NotFound:
		// GET /works/doi:10.1046/j.1365-2699.2003.00795 answers 404 with an
		// HTML page (November 2025): the work is unknown, nothing is broken.
		return nil, nil
	case err != nil:
		return nil, err
	}
	return resp.Body, nil
}

// send sends one request and notes its hashes and its price. fault says what
// is wrong with a successful answer.
func (j *job) send(ctx context.Context, path string, query url.Values, fault func([]byte) error) (*fetch.Response, error) {
	query = maps.Clone(query)
	r := fetch.Request{
		Service: Name, Op: j.op, Base: j.s.cfg.Base, Path: path, Query: query,
		Types: []string{"application/json"},
		OK: func(status int, h http.Header, body []byte) error {
			if status/100 == 2 {
				return fault(body)
			}
			return verdict(status, h, body)
		},
	}
	if j.s.cfg.Key != "" {
		query.Set("api_key", j.s.cfg.Key)
		r.Secrets = []string{j.s.cfg.Key}
	}
	resp, err := j.s.do.Do(ctx, r)
	if resp != nil {
		j.Answered(resp)
		if n, err := strconv.Atoi(resp.Header.Get("X-RateLimit-Credits-Used")); err == nil && n > 0 {
			j.Result.Credits += n
		}
		if n, err := strconv.Atoi(resp.Header.Get("X-RateLimit-Remaining")); err == nil && n >= 0 {
			j.Result.CreditsLeft = n
		}
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

// singleton is the path of one work, escaped: doi:…, pmid:…, pmcid:… or an OpenAlex id.
// These calls are free, full URLs in their place cost a credit (August 2026).
func singleton(scheme, id string) string {
	switch scheme {
	case state.OpenAlex:
		return url.PathEscape(id)
	case state.ArXiv:
		return url.PathEscape("doi:" + state.ArXivDOI(id))
	}
	return url.PathEscape(scheme + ":" + id)
}

// filterOf selects works by identifiers.
func filterOf(scheme string, ids []string) string {
	if scheme == state.ArXiv {
		dois := make([]string, len(ids))
		for i, id := range ids {
			dois[i] = state.ArXivDOI(id)
		}
		return "doi:" + strings.Join(dois, "|")
	}
	return scheme + ":" + strings.Join(ids, "|")
}

// normal brings an identifier to its normal form, "" if it is none.
func normal(scheme, id string) string {
	switch scheme {
	case state.DOI:
		return state.NormalizeDOI(id)
	case state.OpenAlex:
		return state.NormalizeOpenAlex(id)
	case state.ArXiv:
		id, _ = state.NormalizeArXiv(id)
		return id
	case state.PMID:
		return state.NormalizePMID(id)
	case state.PMCID:
		return state.NormalizePMCID(id)
	}
	return ""
}
