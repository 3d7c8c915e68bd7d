package openalex

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"optimistresearch/state"
)

// list pages through the works that a query selects, by cursor, until the
// result holds limit records. price is what a page costs in credits.
func (j *job) list(ctx context.Context, query url.Values, limit, price int) error {
	per := min(pageSize, limit)
	query.Set("select", selected)
	query.Set("per_page", strconv.Itoa(per))
	works := 0 // that came, repeats not counted
	for cursor, known := "*", map[string]bool{}; ; {
		known[cursor] = true
		query.Set("cursor", cursor)
		spentBefore := j.Result.Credits
		p, err := j.page(ctx, query)
		if err != nil {
			return err
		}
		if cursor == "*" {
			j.Result.Total, _ = p.Meta.Count.Int()
		}
		fresh := 0
		for _, raw := range p.Results {
			if len(j.Result.Records) == limit {
				return nil
			}
			if j.add(raw, limit) {
				fresh++
			}
		}
		works += fresh
		// Older captures give a cursor after a short page and then an empty
		// page (works_cursor_last_page_empty, 2026).
		ended := len(p.Results) < per && works >= j.Result.Total
		if len(j.Result.Records) == limit || ended {
			return nil
		}
		if cursor = string(p.Meta.NextCursor); cursor == "" || known[cursor] || fresh == 0 {
			break
		}
		if paid := j.Result.Credits - spentBefore; paid > 0 {
			price = paid
		}
		if left := j.Result.CreditsLeft; left >= 0 && left < price {
			j.Result.Capped = "the credit of the day (" + strconv.Itoa(left) + " left, a page costs " + strconv.Itoa(price) +
				") does not pay for more; it is renewed at midnight UTC"
			return nil
		}
	}
	if works < j.Result.Total {
		j.Result.Capped = "OpenAlex counts " + strconv.Itoa(j.Result.Total) + " works, but its list ends after " + strconv.Itoa(works)
	}
	return nil
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
			j.Result.AddSkip("sent, but not asked for", string(raw))
		case answered[id] != nil:
			j.Result.AddSkip("sent twice", id)
		default:
			answered[id] = raw
		}
	}
	for _, id := range ids {
		if answered[id] == nil {
			j.Result.AddSkip("listed as a reference, but OpenAlex has no record of it", id)
			continue
		}
		j.add(answered[id], -1)
	}
	return nil
}
