package semanticscholar

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

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
	limit = min(max(limit, 1), sources.MostRecords)
	counted, known := count(p).Int()
	if known && counted >= 0 {
		j.Result.Total = counted
	}
	path := "/paper/" + state.NormalizeS2(string(p.PaperID)) + "/" + list
	query := url.Values{"fields": {edgeFields}}
	entries := 0
	for offset := 0; len(j.Result.Records) < limit; {
		size := min(edgePage, limit, edgeDepth-offset)
		if size <= 0 {
			j.Result.Capped = fmt.Sprintf("Semantic Scholar lists the first %d only", edgeDepth)
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
		for _, raw := range page.Data {
			if len(j.Result.Records) < limit {
				j.addEdge(raw, limit)
			}
		}
		entries += len(page.Data)
		next, more := page.Next.Int()
		if !more || next <= offset || len(page.Data) == 0 {
			break
		}
		offset = next
	}
	switch {
	case entries == 0 && counted > 0:
		// "data" is null where the publisher withholds the list.
		return j.noList("Semantic Scholar counts %d %s of %s and lists none: its publisher withholds them", counted, list, p.name())
	case entries == 0:
		return j.noList("Semantic Scholar lists no %s of %s, or the publisher withholds them", list, p.name())
	case entries < counted && len(j.Result.Records) < limit && j.Result.Capped == "":
		j.Note("Semantic Scholar counts %d %s and lists %d", counted, list, entries)
	}
	return j.Result, nil
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
			j.op, j.Result.Sent = j.opWord+" of "+id, "paper/"+id
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
				j.Result.Verified = &rec
				return p, nil
			}
		}
	}
	if len(asked) == 0 {
		return nil, wire.NotAsked(Name, j.op, "the work has no identifier that Semantic Scholar understands ("+strings.Join(j.s.Schemes(), ", ")+")")
	}
	return nil, wire.NoList(Name, j.op, "Semantic Scholar has no usable record under "+strings.Join(asked, ", "))
}
