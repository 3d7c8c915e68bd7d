package arxiv

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
)

// answers collects what the pages of one operation give.
type answers struct {
	wire.Job
	source *Source
	op     string
	limit  int
}

func (s *Source) begin(op string, limit int) *answers {
	return &answers{Job: wire.NewJob(), source: s, op: op, limit: limit}
}

// page asks for one page, and again after a pause when it comes back empty
// although it should not be.
//
// Under load arXiv sends feeds without an entry: totalResults above zero and
// no entry, or zero hits for a query that has thousands (arxiv.py issues 43,
// 129, 175; seen 2018 to 2026). So a first page without hits counts only when
// it came twice. A retry of a large page asks for half of it; any other asks
// for one more entry than the last, which changes nothing in a healthy answer
// but keeps the requests apart in a recorded run.
func (a *answers) page(ctx context.Context, q url.Values, start, size int) (feed, error) {
	for try := 0; ; try++ {
		q.Set("start", strconv.Itoa(start))
		if size > pageSize {
			q.Set("max_results", strconv.Itoa(size>>try))
		} else {
			q.Set("max_results", strconv.Itoa(size+try))
		}
		resp, err := a.send(ctx, q)
		if err != nil {
			return feed{}, err
		}
		f, err := decode(resp.Body)
		if err != nil {
			return feed{}, a.fail(err)
		}
		switch lookup := q.Has("id_list"); {
		case len(f.Entries) > 0:
			if try > 0 {
				a.Note("retried an empty page; it had entries at attempt %d", try+1)
			}
			return f, nil
		case f.Total == 0 && (lookup || start > 0):
			return f, nil
		case f.Total == 0 && try > 0:
			a.Note("no hit, confirmed by a second request")
			return f, nil
		case try == retries && start > 0:
			return f, nil
		case try == retries:
			return feed{}, a.fail(fmt.Errorf("it reports %d hits but sent no entry, %d times", f.Total, try+1))
		}
		if err := a.pause(ctx, resp); err != nil {
			return feed{}, err
		}
	}
}

// pause waits before a page is asked for again; a recording needs no pause.
func (a *answers) pause(ctx context.Context, resp *fetch.Response) error {
	if resp.FromRecording || a.source.cfg.Pause < 0 {
		return nil
	}
	t := time.NewTimer(a.source.cfg.Pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return a.fail(ctx.Err())
	}
}

// send sends one request and notes its hashes.
func (a *answers) send(ctx context.Context, q url.Values) (*fetch.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, a.fail(err)
	}
	resp, err := a.source.do.Do(ctx, fetch.Request{
		Service: Name, Op: a.op, Base: a.source.cfg.Base, Path: path, Query: maps.Clone(q), OK: verdict(a.source.cfg.Backoff, a.source.gaveUp.Load()),
	})
	if err != nil {
		if kind := fetch.KindOf(err); kind == fetch.Throttled || kind == fetch.Down {
			a.source.gaveUp.Store(true)
		}
		return nil, a.fail(err)
	}
	a.source.gaveUp.Store(false)
	a.Answered(resp)
	return resp, nil
}

// take turns entries into records and skips, and reports whether any of them
// had not come before.
func (a *answers) take(entries []entry) (fresh bool) {
	for _, e := range entries {
		r, why := e.record()
		if a.Keep(r, why, cmp.Or(text.OneLine(e.Title), text.OneLine(e.ID)), a.limit) || why != "" {
			fresh = true
		}
	}
	return fresh
}
