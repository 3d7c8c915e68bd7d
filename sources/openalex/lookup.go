package openalex

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string {
	return []string{state.DOI, state.OpenAlex, state.ArXiv, state.PMID, state.PMCID}
}

// Lookup asks for one or two works by calls that cost nothing, and for more by
// filters of up to 100 identifiers, which cost one credit each; when the day's
// credit is used up, all are asked for one by one. A work that is not found
// under its best identifier is asked for by the next one, and named in Notes
// when it is under none.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	j := s.begin("lookup")
	l := wire.NewLookup(works, s.Schemes(), normal)
	for _, scheme := range s.Schemes() {
		found, err := j.fetchAll(ctx, scheme, l.Wanted(scheme))
		if err != nil {
			return j.fail(err)
		}
		l.Found(scheme, found)
	}
	l.Close(&j.Job, "OpenAlex")
	return j.Result, nil
}

// fetchAll adds the records of the works with the given identifiers and says
// which identifiers were answered.
func (j *job) fetchAll(ctx context.Context, scheme string, ids []string) (map[string]bool, error) {
	found := map[string]bool{}
	var alone, batch []string
	for _, id := range ids {
		// A comma in a DOI ends the filter and a bar its value: /works?filter=…
		// answers 400 "A filter value contains an unescaped comma" (August
		// 2026). Such a DOI is asked for alone.
		if len(ids) <= aFew || strings.ContainsAny(id, `,|"`) {
			alone = append(alone, id)
		} else {
			batch = append(batch, id)
		}
	}
	if err := j.fetchAlone(ctx, scheme, alone, found); err != nil {
		return nil, err
	}
	for len(batch) > 0 {
		some := batch[:min(batchSize, len(batch))]
		err := j.fetchBatch(ctx, scheme, some, found)
		if spent(err) {
			j.Note("the day's credit is used up; %d works were looked up one by one, which is free", len(batch))
			return found, j.fetchAlone(ctx, scheme, batch, found)
		}
		if err != nil {
			return nil, err
		}
		batch = batch[len(some):]
	}
	return found, nil
}

// fetchAlone asks for works one by one.
func (j *job) fetchAlone(ctx context.Context, scheme string, ids []string, found map[string]bool) error {
	for _, id := range ids {
		raw, err := j.single(ctx, scheme, id, selected)
		if err != nil {
			return err
		}
		if raw == nil {
			continue
		}
		found[id] = true
		before := len(j.Result.Records)
		j.add(raw, -1)
		for _, rec := range j.Result.Records[before:] {
			// Merged works answer 301 to the id that they have now.
			if got := rec.IDs[scheme]; got != id {
				j.Note("asked for %s %s, OpenAlex answered with %s", scheme, id, cmp.Or(got, rec.Key))
			}
		}
	}
	return nil
}

// fetchBatch asks for works by one filter. A page holds them all, unless
// OpenAlex has several works of one identifier.
func (j *job) fetchBatch(ctx context.Context, scheme string, ids []string, found map[string]bool) error {
	before := len(j.Result.Records)
	err := j.list(ctx, url.Values{"filter": {filterOf(scheme, ids)}}, before+2*batchSize, filterPrice)
	j.Result.Total, j.Result.Capped = -1, ""
	if err != nil {
		return err
	}
	for _, rec := range j.Result.Records[before:] {
		found[rec.IDs[scheme]] = true
	}
	return nil
}
