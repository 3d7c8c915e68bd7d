package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"optimistresearch/config"
	"optimistresearch/internal/embed"
	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/screening"
	"optimistresearch/state"
	"optimistresearch/steps"
	"optimistresearch/steps/screen"
)

// ScreenOptions of Screen.
type ScreenOptions struct {
	Config *config.Config
	Now    time.Time
	Corpus *screening.Corpus
	Review screening.Review
	// Embeddings is the provider:model that embeds question and records; "" = none.
	Embeddings string
	Builtin    bool // leave the model out: a person decides
	// Session holds what was decided before: a record that a person or a model
	// decided on is not asked about again. Keep, if not nil, is given each
	// decision of a model before it counts.
	Session *screening.Session
	Keep    func(screening.Decision) error
	// Progress, if not nil, is told what is done; it may be called from many
	// goroutines.
	Progress func(what string, done, of int)
	Waiting  func(service string, d time.Duration, retry bool)
}

// Screened is what Screen says of a corpus.
type Screened struct {
	Ranked  []screening.Ranked // by the question and the criteria, best first
	Notices []string           // what a person should know: fallbacks, records left unscored
}

// Screen ranks the records by the built-in method, and asks the model of the
// role "screener" for a decision on every record if one is configured. What a
// model decided goes to Keep and Session.
func Screen(ctx context.Context, o ScreenOptions) (Screened, error) {
	var out Screened
	opt := fetchOptions(o.Config)
	if o.Waiting != nil {
		opt.Waiting = func(w fetch.Wait) { o.Waiting(w.Service, w.For, w.Retry) }
	}
	client, err := fetch.New(opt)
	if err != nil {
		return out, err
	}
	defer client.Close()
	var rank screening.Options
	if o.Embeddings != "" {
		if rank.Embedded, err = embedded(ctx, o, client); err != nil {
			return out, err
		}
	}
	out.Ranked = screening.Rank(o.Corpus, o.Review, rank)
	if o.Builtin {
		return out, nil
	}
	router, err := buildRouter(o.Config, client, o.Config.Roles(RoleNames()), false)
	if err != nil {
		return out, err
	}
	if !router.Configured(llm.Screener) {
		return out, nil
	}
	out.Notices, err = askScreener(ctx, o, steps.Models{Router: router}, out.Ranked)
	return out, err
}

// embedded gives the likeness of each record to the question.
func embedded(ctx context.Context, o ScreenOptions, client *fetch.Client) ([]float64, error) {
	name, model, ok := strings.Cut(o.Embeddings, ":")
	if !ok {
		return nil, wrong("for example: --embeddings ollama:nomic-embed-text", "the embedding model is %q, which is not provider:model", o.Embeddings)
	}
	pc := o.Config.Runtime.Provider[name]
	base := strings.TrimRight(pc.Base, "/")
	switch pc.API {
	case "", "openai":
	case "ollama": // its own protocol lives beside the compatible one
		if base != "" && !strings.HasSuffix(base, "/v1") {
			base += "/v1"
		}
	default:
		return nil, wrong("use ollama or a server that speaks the OpenAI protocol", "%s cannot be asked for embeddings: provider.%s.api is %s", name, name, pc.API)
	}
	c, err := embed.New(embed.Options{Name: name, Base: base, Key: pc.Key, Model: model, Doer: client})
	if err != nil {
		return nil, &InputError{err}
	}
	texts := []string{strings.TrimSpace(o.Review.Title + "\n" + o.Review.Question + "\n" + o.Review.Inclusion)}
	for _, r := range o.Corpus.Records {
		texts = append(texts, strings.TrimSpace(r.Title+"\n"+r.Abstract))
	}
	vectors, err := c.Embed(ctx, texts, func(done int) { o.progress("embedded", done-1, len(texts)-1) })
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	out := make([]float64, len(vectors)-1)
	for i, v := range vectors[1:] {
		out[i] = embed.Likeness(vectors[0], v)
	}
	return out, nil
}

func (o ScreenOptions) progress(what string, done, of int) {
	if o.Progress != nil {
		o.Progress(what, done, of)
	}
}

// theQuestion is the one subquestion that records of a file are screened for.
const theQuestion = "RQ1"

// askScreener asks the model about every record without a decision, best first,
// a batch at a time.
func askScreener(ctx context.Context, o ScreenOptions, models steps.Models, ranked []screening.Ranked) ([]string, error) {
	s, batches, ids := screenState(o, ranked)
	node := screen.New(models)
	var mu sync.Mutex
	var notices []string
	done, total := 0, 0
	for _, b := range batches {
		total += len(s.Work[state.WorkScreen].Items[b].IDs)
	}
	fallback, unscored, reason := 0, 0, ""
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(o.Config.Runtime.Parallel, 1))
	for _, b := range batches {
		g.Go(func() error {
			part, err := node.Run(gctx, s, state.Task{ID: "it1/screen/" + b + "/0", Node: "screen", Iteration: 1, Args: []string{b}})
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, d := range part.Degradations {
				if reason == "" {
					reason = d.Reason
				}
			}
			for _, id := range state.SortedIDs(part.Documents) {
				r, ok := part.Documents[id].Relevance[theQuestion]
				switch {
				case !ok:
					unscored++
				case r.By == llm.Builtin:
					fallback++ // its place is that of the ranking
				default:
					if err := o.keep(ids[id], r); err != nil {
						return err
					}
				}
				done++
			}
			o.progress("screened", done, total)
			return nil
		})
	}
	err := g.Wait()
	if fallback > 0 {
		notices = append(notices, fmt.Sprintf("for %d of %d records the model gave nothing usable and the built-in score holds; the same command with --decisions asks for them again: %s", fallback, total, reason))
	}
	if unscored > 0 {
		notices = append(notices, fmt.Sprintf("the model left out %d of %d records, also when asked again; the built-in score holds for them", unscored, total))
	}
	if err == nil && total > 0 && fallback == total {
		err = fmt.Errorf("%w: the screener %s decided on none of %d records: %s", ErrUnreachable, models.Router.Spec(llm.Screener), total, reason)
	}
	return notices, err
}

func (o ScreenOptions) keep(id string, r state.Relevance) error {
	score := r.Score
	d := screening.Decision{Record: id, Verdict: screening.Exclude, Note: r.Note, At: o.Now, By: r.By, Model: true, Score: &score}
	if score >= o.Config.Settings.Screening.Relevant {
		d.Verdict = screening.Include
	}
	if o.Keep != nil {
		return o.Keep(d)
	}
	o.Session.Apply(d)
	return nil
}

// screenState holds the undecided records as the steps read them: one
// subquestion, batches in the order of the ranking. ids leads from documents
// back to records.
func screenState(o ScreenOptions, ranked []screening.Ranked) (s *state.State, batches []string, ids map[string]string) {
	scope := ""
	if o.Review.Inclusion != "" {
		scope = "Inclusion criteria:\n" + o.Review.Inclusion
	}
	if o.Review.Exclusion != "" {
		scope = strings.TrimSpace(scope + "\nExclusion criteria:\n" + o.Review.Exclusion)
	}
	s = state.New(state.Question{Text: o.Review.Question, Scope: scope, Year: o.Now.Year()}, o.Config.Settings)
	part := state.State{Records: map[string]state.Record{}, Documents: map[string]state.Document{},
		Subquestions: map[string]state.Subquestion{theQuestion: {ID: theQuestion, Text: o.Review.Question, Priority: 1, Status: state.Open}}}
	ids = map[string]string{}
	work := state.WorkList{Round: 100, Items: map[string]state.WorkItem{}}
	var batch []string
	flush := func() {
		if len(batch) > 0 {
			id := fmt.Sprintf("b%05d", len(batches)+1)
			work.Items[id] = state.WorkItem{IDs: batch, Subquestions: []string{theQuestion}}
			batches, batch = append(batches, id), nil
		}
	}
	for n, x := range ranked {
		if _, decided := o.Session.Of(x.ID); decided {
			continue
		}
		i, ok := o.Corpus.Find(x.ID)
		if !ok {
			continue
		}
		r := o.Corpus.Records[i]
		rec := state.Record{Key: fmt.Sprintf("%s:%d", fileSource, n+1), Source: fileSource, Title: r.Title, Abstract: r.Abstract, Year: r.Year}
		doc := state.DocumentFrom(rec)
		doc.ID = fmt.Sprintf("doc_%05d", n+1)
		part.Records[rec.Key], part.Documents[doc.ID], ids[doc.ID] = rec, doc, r.ID
		if batch = append(batch, doc.ID); len(batch) == max(o.Config.Settings.Screening.Batch, 1) {
			flush()
		}
	}
	flush()
	part.Work = map[string]state.WorkList{state.WorkScreen: work}
	s.Merge(&part)
	return s, batches, ids
}

// Scored is one row of the answer of a screening.
type Scored struct {
	ID       string             `json:"record_id"`
	Score    float64            `json:"score"`
	Decision *screening.Verdict `json:"decision,omitempty"` // a person's or a model's
	Reason   string             `json:"reason"`
}

// Scores joins ranking and decisions. A person's decision is above everything: an
// included record scores 1, an excluded one 0, a maybe at least the middle. A
// model's score is next; equal ones keep the order of the ranking.
func Scores(ranked []screening.Ranked, session *screening.Session) []Scored {
	const tie = 0.001 // share of the ranking in a model's score
	out := make([]Scored, len(ranked))
	for i, r := range ranked {
		row := Scored{ID: r.ID, Score: r.Score, Reason: r.Reason}
		if d, ok := session.Of(r.ID); ok {
			row.Decision = &d.Verdict
			what := map[screening.Verdict]string{screening.Include: "included", screening.Exclude: "excluded", screening.Maybe: "put aside as maybe"}[d.Verdict]
			said := []string{fmt.Sprintf("%s by %s on %s", what, d.By, d.At.UTC().Format(time.DateOnly))}
			for _, s := range []string{d.Reason, d.Note} {
				if s != "" {
					said = append(said, s)
				}
			}
			row.Reason = strings.Join(said, ": ")
			switch {
			case d.Model && d.Score != nil:
				row.Score = (1-tie)**d.Score + tie*r.Score
			case d.Verdict == screening.Include:
				row.Score = 1
			case d.Verdict == screening.Exclude:
				row.Score = 0
			default:
				row.Score = max(r.Score, 0.5)
			}
		}
		out[i] = row
	}
	return out
}
