package semanticscholar

import (
	"context"
	"slices"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string {
	return []string{state.DOI, state.S2, state.ArXiv, state.PMID, state.PMCID, state.CorpusID, state.ACL, state.MAG}
}

// Lookup asks for one work by its own call and for more in batches of 500. A
// work that is not found under its best identifier is asked for by the next
// one, and named in Notes when it is under none.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	j := s.begin("lookup")
	l := wire.NewLookup(works, s.Schemes(), paperID)
	for _, scheme := range s.Schemes() {
		found := map[string]bool{}
		for batch := range slices.Chunk(l.Wanted(scheme), batchSize) {
			if err := j.fetch(ctx, scheme, batch, found); err != nil {
				return j.fail(err)
			}
		}
		l.Found(scheme, found)
	}
	l.Close(&j.Job, "Semantic Scholar")
	return j.Result, nil
}

// fetch adds the papers of a batch and marks the identifiers that were
// answered. A batch whose answer would be too large is asked for in halves.
func (j *job) fetch(ctx context.Context, scheme string, ids []string, found map[string]bool) error {
	papers, err := j.batch(ctx, ids)
	if tooLarge(err) && len(ids) > 1 {
		half := len(ids) / 2
		if err := j.fetch(ctx, scheme, ids[:half], found); err != nil {
			return err
		}
		return j.fetch(ctx, scheme, ids[half:], found)
	}
	if err != nil {
		return err
	}
	for i, raw := range papers {
		if isNull(raw) {
			continue // unknown
		}
		id := ""
		if p, _, err := decode(raw); err == nil {
			id = paperID(scheme, p.ids()[scheme])
		}
		switch {
		case slices.Contains(ids, id):
			found[id] = true
		case len(papers) == len(ids):
			found[ids[i]] = true // by its place: the record may lack the identifier
		}
		j.add(raw, -1)
	}
	return nil
}
