// Package openalex asks OpenAlex for works: ranked search, look-up by
// identifier, reference lists and citing works.
//
// It must never decide whether two records are one work, and never send but
// through internal/fetch. Start with New, then Search:
//
//	s := openalex.New(client, openalex.Config{})
//	result, err := s.Search(ctx, sources.Request{
//		Query: s.Write(sources.Expr{All: [][]string{{"dowsing"}}}), Limit: 25, Op: "search Q7",
//	})
package openalex

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Name is the source's name in settings, state and errors.
const Name = "openalex"

// DefaultBase is the live address.
const DefaultBase = "https://api.openalex.org"

const (
	pageSize   = 100 // documented maximum of per_page; 200 is tolerated and deprecated
	batchSize  = 100 // values in one filter joined by |
	maxRecords = 1000
	// longWait is the Retry-After from which waiting is no use: it is the
	// daily budget, not the pace.
	longWait = 120 * time.Second
)

// Doer is the HTTP path.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config says where the service is and who asks.
type Config struct {
	Base    string // scheme and host, "" = DefaultBase
	Key     string // "" = a daily budget of 1,000 credits per client address
	Contact string // not sent: OpenAlex accepts a contact address and ignores it since 2026
}

// Limit is the pace of the service for a client with the key, or without one:
// 10 requests a second, with a free key 30 (measured by the server's source,
// August 2026; the documentation says 100).
func Limit(key string) fetch.Limit {
	if key == "" {
		return fetch.Limit{Every: 110 * time.Millisecond, Concurrent: 4}
	}
	return fetch.Limit{Every: 40 * time.Millisecond, Concurrent: 8}
}

// Source is OpenAlex. It is safe for concurrent use.
type Source struct {
	do  Doer
	cfg Config
}

var _ interface {
	sources.Resolver
	sources.Citer
} = (*Source)(nil)

// New returns the source.
func New(do Doer, cfg Config) *Source {
	cfg.Base = cmp.Or(cfg.Base, DefaultBase)
	return &Source{do: do, cfg: cfg}
}

// Name implements sources.Source.
func (s *Source) Name() string { return Name }

// Search sends one query, 100 works a page.
func (s *Source) Search(ctx context.Context, r sources.Request) (sources.Result, error) {
	j := s.begin(cmp.Or(r.Op, "search"))
	j.result.Sent = s.Clean(r.Query)
	if j.result.Sent == "" {
		return j.nothingToSend(r.Query)
	}
	j.result.Filters = yearFilter(r.SinceYear, r.UntilYear)
	query := url.Values{"search": {j.result.Sent}}
	if j.result.Filters != "" {
		query.Set("filter", j.result.Filters)
	}
	if err := j.list(ctx, query, min(max(r.Limit, 1), maxRecords)); err != nil {
		return j.fail(err)
	}
	return j.result, nil
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string {
	return []string{state.DOI, state.OpenAlex, state.ArXiv, state.PMID}
}

// Lookup asks for one work by a call that costs nothing, and for more by
// filters of up to 100 identifiers. A work that is not found under its best
// identifier is asked for by the next one.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	j := s.begin("lookup")
	pending := works
	for _, scheme := range s.Schemes() {
		var ids []string
		asked := map[string]bool{"": true}
		for _, w := range pending {
			if id := normal(scheme, w[scheme]); !asked[id] {
				asked[id] = true
				ids = append(ids, id)
			}
		}
		found, err := j.fetchAll(ctx, scheme, ids)
		if err != nil {
			return j.fail(err)
		}
		pending = slices.DeleteFunc(slices.Clone(pending), func(w state.IDs) bool {
			return found[normal(scheme, w[scheme])]
		})
	}
	j.result.Total = -1
	return j.result, nil
}

// Cites implements sources.Citer.
func (s *Source) Cites() (references, citing bool) { return true, true }

// References resolves the seed and fetches the works of its referenced_works
// in the order of that list. OpenAlex lists ids that it has no record of
// (LocalCitationNetwork 4); they are counted as skips.
func (s *Source) References(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	j := s.begin("references")
	w, err := j.resolve(ctx, seed)
	if err != nil {
		return j.fail(err)
	}
	var ids []string
	listed := map[string]bool{}
	for _, raw := range w.ReferencedWorks {
		id := state.NormalizeOpenAlex(string(raw))
		switch {
		case id == "":
			j.result.AddSkip("no OpenAlex id", string(raw))
		case listed[id]:
			j.result.AddSkip("listed twice", id)
		default:
			listed[id] = true
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return j.noList("OpenAlex has no reference list of %s", w.name())
	}
	j.result.Total = len(ids)
	for len(ids) > 0 && len(j.result.Records) < limit {
		n := min(batchSize, limit-len(j.result.Records), len(ids))
		if err := j.fetchListed(ctx, ids[:n]); err != nil {
			return j.fail(err)
		}
		ids = ids[n:]
	}
	if len(ids) > 0 {
		j.note("the list has %d works, %d of them were not fetched", j.result.Total, len(ids))
	}
	return j.result, nil
}

// Citing resolves the seed and lists the works that cite it, most cited first.
func (s *Source) Citing(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	j := s.begin("citing works")
	w, err := j.resolve(ctx, seed)
	if err != nil {
		return j.fail(err)
	}
	id := state.NormalizeOpenAlex(string(w.ID))
	if id == "" {
		return j.noList("OpenAlex gives no id for %s", w.name())
	}
	j.result.Filters = "cites:" + id
	query := url.Values{"filter": {j.result.Filters}, "sort": {"cited_by_count:desc"}}
	if err := j.list(ctx, query, limit); err != nil {
		return j.fail(err)
	}
	if j.result.Total == 0 {
		return j.noList("OpenAlex knows no work that cites %s", w.name())
	}
	return j.result, nil
}

// resolve fetches the record of a seed by its identifiers, most trusted first,
// and keeps it in Result.Verified for the caller to compare. OpenAlex answers
// for 10.48550/arxiv.2106.09685 with another work (2026), so nobody may
// believe it unseen.
func (j *job) resolve(ctx context.Context, seed sources.Seed) (*work, error) {
	var asked []string
	for _, scheme := range j.s.Schemes() {
		for _, value := range seed.IDs[scheme] {
			id := normal(scheme, value)
			if id == "" {
				continue
			}
			j.op = j.opWord + " of " + scheme + " " + id
			j.result.Sent = "works/" + singleton(scheme, id)
			asked = append(asked, scheme+" "+id)
			raw, err := j.single(ctx, scheme, id, selected+",referenced_works")
			if err != nil {
				return nil, err
			}
			if raw == nil {
				continue
			}
			w, _, err := decode(raw)
			if err != nil {
				continue
			}
			if rec, why := w.record(); why == "" {
				j.result.Verified = &rec
				return w, nil
			}
		}
	}
	if len(asked) == 0 {
		return nil, wire.NoList(Name, j.op, "the work has no identifier that OpenAlex understands ("+strings.Join(j.s.Schemes(), ", ")+")")
	}
	return nil, wire.NoList(Name, j.op, "OpenAlex has no usable record under "+strings.Join(asked, ", "))
}

// list pages through the works that a query selects, by cursor, up to limit.
func (j *job) list(ctx context.Context, query url.Values, limit int) error {
	limit = max(limit, 1)
	per := min(pageSize, limit)
	query.Set("select", selected)
	query.Set("per_page", strconv.Itoa(per))
	cursor, got := "*", 0
	for got < limit {
		query.Set("cursor", cursor)
		p, err := j.page(ctx, query)
		if err != nil {
			return err
		}
		if cursor == "*" {
			j.result.Total, _ = p.Meta.Count.Int()
		}
		for _, raw := range p.Results[:min(len(p.Results), limit-got)] {
			j.add(raw)
		}
		got += len(p.Results)
		// Older captures give a cursor after a short page and then an empty
		// page (works_cursor_last_page_empty, 2026): stop on either.
		if len(p.Results) < per || p.Meta.NextCursor == "" {
			break
		}
		cursor = string(p.Meta.NextCursor)
	}
	if want := min(limit, j.result.Total); got < want {
		j.note("OpenAlex reported %d works and sent %d", j.result.Total, got)
	}
	return nil
}

// fetchAll adds the records of the works with the given identifiers and says
// which identifiers were answered.
func (j *job) fetchAll(ctx context.Context, scheme string, ids []string) (map[string]bool, error) {
	found := map[string]bool{}
	var plain []string
	for _, id := range ids {
		// A comma in a DOI ends the filter and a bar its value: /works?filter=…
		// answers 400 "A filter value contains an unescaped comma" (August
		// 2026). Such a DOI is asked for alone.
		if len(ids) > 1 && !strings.ContainsAny(id, `,|"`) {
			plain = append(plain, id)
			continue
		}
		raw, err := j.single(ctx, scheme, id, selected)
		if err != nil {
			return nil, err
		}
		if raw != nil {
			found[id] = true
			j.add(raw)
		}
	}
	for batch := range slices.Chunk(plain, batchSize) {
		filter := filterOf(scheme, batch)
		before := len(j.result.Records)
		err := j.list(ctx, url.Values{"filter": {filter}}, 2*batchSize)
		if err != nil {
			return nil, err
		}
		for _, rec := range j.result.Records[before:] {
			found[rec.IDs[scheme]] = true
		}
	}
	return found, nil
}

// fetchListed adds the works with the given OpenAlex ids in the order given.
func (j *job) fetchListed(ctx context.Context, ids []string) error {
	query := url.Values{
		"filter": {filterOf(state.OpenAlex, ids)}, "select": {selected},
		"per_page": {strconv.Itoa(pageSize)}, "cursor": {"*"},
	}
	p, err := j.page(ctx, query)
	if err != nil {
		return err
	}
	answered := map[string]rawRecord{}
	for _, raw := range p.Results {
		w, _, err := decode(raw)
		switch id := state.NormalizeOpenAlex(string(w.ID)); {
		case err != nil || !slices.Contains(ids, id):
			j.result.AddSkip("sent, but not asked for", string(raw))
		case answered[id] != nil:
			j.result.AddSkip("sent twice", id)
		default:
			answered[id] = raw
		}
	}
	for _, id := range ids {
		if answered[id] == nil {
			j.result.AddSkip("listed as a reference, but OpenAlex has no record of it", id)
			continue
		}
		j.add(answered[id])
	}
	return nil
}

// yearFilter is the publication window in the service's own filters.
func yearFilter(since, until int) string {
	var parts []string
	if since > 0 {
		parts = append(parts, fmt.Sprintf("from_publication_date:%04d-01-01", since))
	}
	if until > 0 {
		parts = append(parts, fmt.Sprintf("to_publication_date:%04d-12-31", until))
	}
	return strings.Join(parts, ",")
}
