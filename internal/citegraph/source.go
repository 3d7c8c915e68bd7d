package citegraph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// A Library can be asked like any service.
var (
	_ sources.Resolver = (*Library)(nil)
	_ sources.Citer    = (*Library)(nil)
)

// Name is the name of the source.
func (l *Library) Name() string { return Name }

// Write renders an expression as words: the library has no operators.
func (l *Library) Write(e sources.Expr) string {
	var out []string
	for _, group := range e.All {
		out = append(out, group...)
	}
	return strings.Join(out, " ")
}

// Clean brings a query onto one line.
func (l *Library) Clean(q string) string { return text.OneLine(q) }

// Search gives the works whose titles and abstracts fit the query best, which
// may be a question (see lexical.Find).
func (l *Library) Search(ctx context.Context, req sources.Request) (sources.Result, error) {
	l.once.Do(func() {
		docs := make([]lexical.Doc, len(l.works))
		for i, w := range l.works {
			docs[i] = lexical.Doc{ID: ID(w.record), Title: w.record.Title, Body: w.record.Abstract}
		}
		l.index = lexical.NewIndex(docs)
	})
	res := sources.Result{Sent: req.Query, CreditsLeft: -1}
	for _, h := range lexical.Find(l.index, req.Query, 0, 0) {
		r := l.works[l.at[h.ID]].record
		if req.SinceYear != 0 && r.Year != 0 && r.Year < req.SinceYear || req.UntilYear != 0 && r.Year > req.UntilYear {
			continue
		}
		if res.Total++; len(res.Records) < req.Limit {
			res.Records = append(res.Records, r)
		}
	}
	return res, ctx.Err()
}

// Schemes are the identifiers that works are found by.
func (l *Library) Schemes() []string {
	return []string{Scheme, state.OpenAlex, state.DOI, state.PMID, state.PMCID, state.ArXiv, state.S2}
}

// Lookup gives the works with the given identifiers.
func (l *Library) Lookup(ctx context.Context, list []state.IDs) (sources.Result, error) {
	res := sources.Result{Total: -1, CreditsLeft: -1}
	seen := map[int]bool{}
	for _, ids := range list {
		for _, scheme := range l.Schemes() {
			if i, ok := l.known[scheme+":"+ids[scheme]]; ok && ids[scheme] != "" {
				if !seen[i] {
					seen[i] = true
					res.Records = append(res.Records, l.works[i].record)
				}
				break
			}
		}
	}
	return res, ctx.Err()
}

// Cites reports both directions.
func (l *Library) Cites() (references, citing bool) { return true, true }

// References gives what a work cites. A work that is not in the library comes
// as a record of its id alone.
func (l *Library) References(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	i, ok := l.find(seed)
	if !ok || len(l.works[i].references) == 0 {
		return sources.Result{}, l.noList(seed, "references")
	}
	res := l.answer(i, seed)
	for _, id := range l.works[i].references {
		if len(res.Records) == limit {
			res.Capped = fmt.Sprintf("%d of %d were asked for", limit, len(l.works[i].references))
			break
		}
		if at, ok := l.at[id]; ok {
			res.Records = append(res.Records, l.works[at].record)
			continue
		}
		r := state.Record{Source: Name, Kind: state.Other, IDs: idsOf(id)}
		r.Key = state.RecordKey(Name, id, r)
		res.Records = append(res.Records, r)
	}
	return res, ctx.Err()
}

// Citing gives the works of the library that cite a work, which need not be in
// the library itself.
func (l *Library) Citing(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	i, ok := l.find(seed)
	var citing []int
	var res sources.Result
	if ok {
		res, citing = l.answer(i, seed), l.citing[ID(l.works[i].record)]
	} else {
		res = sources.Result{Total: -1, CreditsLeft: -1}
		for _, scheme := range []string{Scheme, state.OpenAlex} {
			for _, v := range seed.IDs[scheme] {
				if citing == nil {
					citing = l.citing[v]
				}
			}
		}
	}
	if len(citing) == 0 {
		return sources.Result{}, l.noList(seed, "citing works")
	}
	res.Total = len(citing)
	for _, c := range citing[:min(len(citing), max(limit, 0))] {
		res.Records = append(res.Records, l.works[c].record)
	}
	if len(res.Records) < len(citing) {
		res.Capped = fmt.Sprintf("%d of %d were asked for", limit, len(citing))
	}
	return res, ctx.Err()
}

// answer begins a list of work i, with the library's record of it for the
// caller to verify if it was asked for by another id than the library's own.
func (l *Library) answer(i int, seed sources.Seed) sources.Result {
	res := sources.Result{Total: len(l.works[i].references), CreditsLeft: -1}
	r := l.works[i].record
	if !slices.Contains(seed.IDs[Scheme], ID(r)) {
		res.Verified = &r
	}
	return res
}

func (l *Library) find(seed sources.Seed) (int, bool) {
	for _, scheme := range l.Schemes() {
		for _, v := range seed.IDs[scheme] {
			if i, ok := l.known[scheme+":"+v]; ok {
				return i, true
			}
		}
	}
	return 0, false
}

func (l *Library) noList(seed sources.Seed, what string) error {
	name := seed.Title
	if name == "" && len(seed.IDs[Scheme]) > 0 {
		name = seed.IDs[Scheme][0]
	}
	return &sources.Error{Source: Name, Op: fmt.Sprintf("%s of %q", what, text.Truncate(name, 80)), Outcome: state.NoList}
}
