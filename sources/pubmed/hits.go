package pubmed

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"optimistresearch/sources"
)

// hits finds the PMIDs of a query, as many as are wanted and PubMed names.
func (a *answers) hits(ctx context.Context, q url.Values, req sources.Request) ([]string, error) {
	u := ids{limit: max(req.Limit, 1)}
	first, err := a.pages(ctx, q, &u)
	if err != nil {
		return nil, err
	}
	a.Result.Total = first.Count
	a.Result.Notes = append(a.Result.Notes, first.notes()...)
	wanted := min(u.limit, first.Count)
	if len(u.list) < wanted && len(u.list) >= depth {
		s := spans{answers: a, q: q, ids: &u}
		from, to := dayOf(max(req.SinceYear, earliest), time.January, 1), dayOf(latest, time.December, 31)
		if req.UntilYear > 0 {
			to = dayOf(req.UntilYear, time.December, 31)
		}
		if err := s.split(ctx, from, to, first.Count); err != nil {
			return nil, err
		}
		a.Note("PubMed names the first %d records of a query; the others were searched for by date of publication, in %d searches", depth, s.searches)
	}
	if missing := wanted - len(u.list); missing > 0 {
		a.Result.Capped = fmt.Sprintf("PubMed reports %d hits and named %d of them: split the query by years", first.Count, len(u.list))
	}
	return u.list, nil
}

// pages is esearch, again while it names fewer ids than it should, until it
// names no other. It returns the first answer.
func (a *answers) pages(ctx context.Context, q url.Values, u *ids) (first found, err error) {
	for start := 0; ; {
		want := min(u.limit, depth)
		q.Set("retstart", strconv.Itoa(start))
		q.Set("retmax", strconv.Itoa(want-start))
		f, err := a.search(ctx, q)
		if err != nil {
			return found{}, err
		}
		if start == 0 {
			first = f
		}
		fresh := a.take(u, f.IDs)
		start += len(f.IDs)
		if !fresh || start >= min(want, first.Count) {
			return first, nil
		}
	}
}

// spans searches a query by spans of the date of publication, each of which
// has no more hits than PubMed names.
type spans struct {
	*answers
	q        url.Values
	ids      *ids
	searches int
}

// The first and the last year of a date of publication, and the most searches
// for one query: enough for a million hits.
const (
	earliest     = 1700
	latest       = 2100
	mostSearches = 1000
)

// day is a number of days since 1970.
type day int

func dayOf(year int, month time.Month, of int) day {
	return day(time.Date(year, month, of, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func (d day) String() string { return time.Unix(int64(d)*86400, 0).UTC().Format("2006/01/02") }

// split halves a span with count hits, the newer half first. It stops at a
// span of one day, and where a half has as many hits as the whole in both
// directions, so that dates part nothing.
func (s *spans) split(ctx context.Context, from, to day, count int) error {
	if from >= to || len(s.ids.list) >= s.ids.limit || s.searches >= mostSearches {
		return nil
	}
	middle := from + (to-from)/2
	halves := []struct {
		from, to day
		found    found
	}{{from: middle + 1, to: to}, {from: from, to: middle}}
	parted := false
	for i := range halves {
		h := &halves[i]
		between(s.q, h.from.String(), h.to.String())
		s.q.Set("retstart", "0")
		s.q.Set("retmax", strconv.Itoa(depth))
		s.searches++
		var err error
		if h.found, err = s.search(ctx, s.q); err != nil {
			return err
		}
		parted = parted || h.found.Count < count
	}
	for _, h := range halves {
		s.take(s.ids, h.found.IDs)
		if h.found.Count <= depth || !parted {
			continue
		}
		if err := s.split(ctx, h.from, h.to, h.found.Count); err != nil {
			return err
		}
	}
	return nil
}
