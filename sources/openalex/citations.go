package openalex

import (
	"context"
	"net/url"
	"strings"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

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
			j.Result.AddSkip("no OpenAlex id", string(raw))
		case listed[id]:
			j.Result.AddSkip("listed twice", id)
		default:
			listed[id] = true
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return j.noList("OpenAlex has no reference list of %s", w.name())
	}
	limit = max(limit, 1)
	j.Result.Total = len(ids)
	for len(ids) > 0 && len(j.Result.Records) < limit {
		n := min(batchSize, limit-len(j.Result.Records), len(ids))
		if err := j.fetchListed(ctx, ids[:n]); err != nil {
			return j.fail(err)
		}
		ids = ids[n:]
	}
	if len(ids) > 0 {
		j.Note("the list has %d works, %d of them were not fetched", j.Result.Total, len(ids))
	}
	return j.Result, nil
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
	j.Result.Filters = "cites:" + id
	query := url.Values{"filter": {j.Result.Filters}, "sort": {"cited_by_count:desc"}}
	if err := j.list(ctx, query, min(max(limit, 1), sources.MostRecords), filterPrice); err != nil {
		return j.fail(err)
	}
	if j.Result.Total == 0 {
		return j.noList("OpenAlex knows no work that cites %s", w.name())
	}
	return j.Result, nil
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
			j.Result.Sent = "works/" + singleton(scheme, id)
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
				j.Result.Verified = &rec
				return w, nil
			}
		}
	}
	if len(asked) == 0 {
		return nil, wire.NotAsked(Name, j.op, "the work has no identifier that OpenAlex understands ("+strings.Join(j.s.Schemes(), ", ")+")")
	}
	return nil, wire.NoList(Name, j.op, "OpenAlex has no usable record under "+strings.Join(asked, ", "))
}
