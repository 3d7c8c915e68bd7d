package semanticscholar

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"
)

// ranked pages through the ranked search until the result holds limit records,
// and reports whether there are more than it reaches.
func (j *job) ranked(ctx context.Context, query url.Values, limit int) (more bool, err error) {
	query = maps.Clone(query)
	size := min(pageSize, limit)
	papers := 0 // that came, repeats not counted
	for offset := 0; ; {
		query.Set("offset", strconv.Itoa(offset))
		query.Set("limit", strconv.Itoa(min(size, depth-offset)))
		p, err := j.page(ctx, "/paper/search", query, searchFault(offset == 0))
		if err != nil {
			return false, err
		}
		if offset == 0 {
			j.Result.Total, _ = p.Total.Int()
		}
		fresh := 0
		for _, raw := range p.Data {
			if len(j.Result.Records) == limit {
				return false, nil
			}
			if j.add(raw, limit) {
				fresh++
			}
		}
		papers += fresh
		next, goesOn := p.Next.Int()
		switch {
		case len(j.Result.Records) == limit:
			return false, nil
		case next >= depth || offset+size >= depth:
			return j.Result.Total > papers, nil
		case !goesOn || next <= offset || fresh == 0:
			j.ended(papers)
			return false, nil
		}
		offset = next
	}
}

// bulk pages through the Boolean search until the result holds limit records.
func (j *job) bulk(ctx context.Context, query url.Values, limit int) error {
	query = maps.Clone(query)
	query.Set("sort", "citationCount:desc")
	before := len(j.Result.Records) // of the ranked search
	papers := before
	for token, known := "", map[string]bool{}; ; {
		known[token] = true
		p, err := j.page(ctx, "/paper/search/bulk", query, searchFault(token == "" && before == 0))
		if err != nil {
			return err
		}
		if token == "" {
			j.Result.Total, _ = p.Total.Int()
		}
		fresh := 0
		for _, raw := range p.Data {
			if len(j.Result.Records) == limit {
				return nil
			}
			if j.add(raw, limit) {
				fresh++
			}
		}
		papers += fresh
		if len(j.Result.Records) == limit {
			return nil
		}
		// A page of what the ranked search gave before brings nothing new.
		token = string(p.Token)
		if token == "" || known[token] || len(p.Data) == 0 || fresh == 0 && before == 0 {
			j.ended(papers)
			return nil
		}
		query.Set("token", token)
	}
}

// ended says that a list was shorter than its total.
func (j *job) ended(papers int) {
	if papers < j.Result.Total {
		j.Result.Capped = fmt.Sprintf("Semantic Scholar estimates %d papers, but its list ends after %d", j.Result.Total, papers)
	}
}
