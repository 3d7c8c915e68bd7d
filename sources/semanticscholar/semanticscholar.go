// Package semanticscholar asks the Semantic Scholar academic graph: ranked
// search, look-up by many kinds of identifier, reference lists and citing
// works.
//
// It must never decide whether two records are one work (Semantic Scholar
// itself keeps a preprint and its publication in one), and never send but
// through internal/fetch. Start with New, then Search:
//
//	s := semanticscholar.New(client, semanticscholar.Config{Key: key})
//	result, err := s.Search(ctx, sources.Request{Query: "graph neural networks", Limit: 25, Op: "search Q7"})
package semanticscholar

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
const Name = "semanticscholar"

// DefaultBase is the live address of the graph interface.
const DefaultBase = "https://api.semanticscholar.org/graph/v1"

const (
	pageSize  = 100   // of a search
	depth     = 1_000 // offset + limit of a search
	batchSize = 100   // 500 are allowed, but an answer of over 10 MB is refused
	edgePage  = 500   // of a list; 1,000 are allowed, with the same cap
	edgeDepth = 9_500 // offset + limit of a list stay under 10,000
)

// Doer is the HTTP path.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config says where the service is and who asks.
type Config struct {
	Base    string // scheme, host and path, "" = DefaultBase
	Key     string // "" = the pool of all clients without a key, mostly exhausted
	Contact string // not sent: the service takes none
}

// Limit is the pace of the service: one request a second over all calls with
// a key; without one a slower pace in the shared pool.
func Limit(key string) fetch.Limit {
	if key == "" {
		return fetch.Limit{Every: 3 * time.Second, Concurrent: 1}
	}
	return fetch.Limit{Every: 1050 * time.Millisecond, Concurrent: 1}
}

// Source is Semantic Scholar. It is safe for concurrent use.
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

// Search sends one query, 100 papers a page and at most 1,000. Total is an
// estimate of the service.
func (s *Source) Search(ctx context.Context, r sources.Request) (sources.Result, error) {
	j := s.begin(cmp.Or(r.Op, "search"))
	j.result.Sent = s.Clean(r.Query)
	if j.result.Sent == "" {
		return j.nothingToSend(r.Query)
	}
	query := url.Values{"query": {j.result.Sent}, "fields": {fields}}
	if years := yearRange(r.SinceYear, r.UntilYear); years != "" {
		query.Set("year", years)
		j.result.Filters = "year=" + years
	}
	limit := min(max(r.Limit, 1), depth)
	for offset := 0; offset < limit; {
		size := min(pageSize, limit-offset)
		query.Set("offset", strconv.Itoa(offset))
		query.Set("limit", strconv.Itoa(size))
		p, err := j.page(ctx, "/paper/search", query, searchFault(offset))
		if err != nil {
			return j.fail(err)
		}
		if offset == 0 {
			j.result.Total, _ = p.Total.Int()
		}
		for _, raw := range p.Data[:min(len(p.Data), size)] {
			j.add(raw)
		}
		next, more := p.Next.Int()
		if !more || next <= offset || len(p.Data) == 0 {
			break
		}
		offset = next
	}
	return j.result, nil
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string {
	return []string{state.DOI, state.S2, state.ArXiv, state.PMID, state.PMCID, state.CorpusID, state.ACL, state.MAG}
}

// Lookup asks for one work by its own call and for more in batches. A work
// that is not found under its best identifier is asked for by the next one.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	j := s.begin("lookup")
	j.result.Total = -1
	pending := works
	for _, scheme := range s.Schemes() {
		var ids []string
		asked := map[string]bool{"": true}
		for _, w := range pending {
			if id := paperID(scheme, w[scheme]); !asked[id] {
				asked[id] = true
				ids = append(ids, id)
			}
		}
		found := map[string]bool{}
		for batch := range slices.Chunk(ids, batchSize) {
			papers, err := j.batch(ctx, batch)
			if err != nil {
				return j.fail(err)
			}
			for i, raw := range papers {
				if isNull(raw) {
					continue // unknown
				}
				// Order is by position, but not to be relied on: the identifiers
				// in the record say which one was answered, where they can.
				id := ""
				if p, _, err := decode(raw); err == nil {
					id = paperID(scheme, p.ids()[scheme])
				}
				switch {
				case slices.Contains(batch, id):
					found[id] = true
				case i < len(batch):
					found[batch[i]] = true
				}
				j.add(raw)
			}
		}
		pending = slices.DeleteFunc(slices.Clone(pending), func(w state.IDs) bool { return found[paperID(scheme, w[scheme])] })
	}
	return j.result, nil
}

// Cites implements sources.Citer.
func (s *Source) Cites() (references, citing bool) { return true, true }

// References lists the works that the seed cites. References that Semantic
// Scholar could not match have a title at most and become thin records.
func (s *Source) References(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	return s.edges(ctx, seed, limit, "references", func(p *paper) scalar { return p.ReferenceCount })
}

// Citing lists the works that cite the seed, in the order of the service.
func (s *Source) Citing(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	return s.edges(ctx, seed, limit, "citations", func(p *paper) scalar { return p.CitationCount })
}

// edges resolves the seed and pages through one of its lists.
func (s *Source) edges(ctx context.Context, seed sources.Seed, limit int, list string, count func(*paper) scalar) (sources.Result, error) {
	j := s.begin(list)
	p, err := j.resolve(ctx, seed)
	if err != nil {
		return j.fail(err)
	}
	limit = max(limit, 1)
	j.result.Total = -1
	if n, ok := count(p).Int(); ok && n >= 0 {
		j.result.Total = n
	}
	path := "/paper/" + state.NormalizeS2(string(p.PaperID)) + "/" + list
	query := url.Values{"fields": {edgeFields}}
	got := 0
	for offset := 0; got < limit; {
		size := min(edgePage, limit-got, edgeDepth-offset)
		if size <= 0 {
			j.note("Semantic Scholar lists the first %d only", edgeDepth)
			break
		}
		query.Set("offset", strconv.Itoa(offset))
		query.Set("limit", strconv.Itoa(size))
		page, err := j.page(ctx, path, query, edgeFault)
		if fetch.KindOf(err) == fetch.NotFound {
			break
		}
		if err != nil {
			return j.fail(err)
		}
		for _, raw := range page.Data[:min(len(page.Data), size)] {
			j.addEdge(raw)
		}
		got += len(page.Data)
		next, more := page.Next.Int()
		if !more || next <= offset || len(page.Data) == 0 {
			break
		}
		offset = next
	}
	if got == 0 {
		// "data" is null where the publisher withholds the list.
		return j.noList("Semantic Scholar lists no %s of %s, or the publisher withholds them", list, p.name())
	}
	return j.result, nil
}

// resolve fetches the record of a seed by its identifiers, most trusted first,
// and keeps it in Result.Verified for the caller to compare.
func (j *job) resolve(ctx context.Context, seed sources.Seed) (*paper, error) {
	var asked []string
	for _, scheme := range j.s.Schemes() {
		for _, value := range seed.IDs[scheme] {
			id := paperID(scheme, value)
			if id == "" {
				continue
			}
			j.op, j.result.Sent = j.opWord+" of "+id, "paper/"+id
			asked = append(asked, id)
			raw, err := j.single(ctx, id, seedFields)
			if err != nil {
				return nil, err
			}
			if isNull(raw) {
				continue
			}
			p, _, err := decode(raw)
			if err != nil || state.NormalizeS2(string(p.PaperID)) == "" {
				continue
			}
			if rec, why := p.record(); why == "" {
				j.result.Verified = &rec
				return p, nil
			}
		}
	}
	if len(asked) == 0 {
		return nil, wire.NoList(Name, j.op, "the work has no identifier that Semantic Scholar understands ("+strings.Join(j.s.Schemes(), ", ")+")")
	}
	return nil, wire.NoList(Name, j.op, "Semantic Scholar has no usable record under "+strings.Join(asked, ", "))
}

// yearRange is the publication window in the service's own notation.
func yearRange(since, until int) string {
	switch {
	case since > 0 && until > 0:
		return fmt.Sprintf("%04d-%04d", since, until)
	case since > 0:
		return fmt.Sprintf("%04d-", since)
	case until > 0:
		return fmt.Sprintf("-%04d", until)
	}
	return ""
}
