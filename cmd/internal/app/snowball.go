package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"optimistresearch/canon"
	"optimistresearch/config"
	"optimistresearch/internal/biblio"
	"optimistresearch/internal/citegraph"
	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/screening"
	"optimistresearch/sources"
	"optimistresearch/sources/all"
	"optimistresearch/state"
	"optimistresearch/steps/chase"
)

// SnowballOptions of Snowball.
type SnowballOptions struct {
	Config *config.Config
	Now    time.Time
	Seeds  []string // identifiers, or names of files that hold identifiers or records

	// Graph is a frozen citation library, Records a file with the abstracts and
	// identifiers of its works; "" = the literature services, or their
	// simulation over Library ("builtin" or a path).
	Graph, Records, Library string

	Review   screening.Review
	Included map[string]bool // the labels that decide; nil = the screener does

	Backward, Forward bool
	Through, Single   bool
	Rounds, PerRound  int
	Share             float64 // of the known works that the built-in screener keeps; 0 = its own

	Observe func(chase.Round)
	Waiting func(service string, d time.Duration, retry bool)
}

// Snowballed is what a chase gave.
type Snowballed struct {
	chase.Outcome
	Unknown []UnknownSeed `json:"unknown_seeds,omitempty"`
	Notices []string      `json:"notices,omitempty"`
}

// What the commands see of a chase.
type (
	SnowballRow   = chase.Row
	SnowballRound = chase.Round
)

// PerRound is how many candidates a round of a chase screens.
const PerRound = 50

// UnknownSeed is a seed that could not be told for sure.
type UnknownSeed struct {
	Seed   string `json:"seed"`
	Reason string `json:"reason"`
}

// followLive is how many works are asked in one round who else cites them, where
// each is a request to a service.
const followLive = 25

// Snowball chases citations from a few seeds, outside any run.
func Snowball(ctx context.Context, o SnowballOptions) (out Snowballed, err error) {
	seeds, err := readSeeds(o.Seeds)
	if err != nil {
		return out, err
	}
	opt := chase.Options{
		Settings: o.Config.Settings, Year: o.Now.Year(), Backward: o.Backward, Forward: o.Forward, Through: o.Through, Single: o.Single,
		Rounds: o.Rounds, PerRound: o.PerRound, Parallel: o.Config.Runtime.Parallel, Observe: o.Observe,
	}
	var background *chase.Background
	if o.Graph != "" {
		lib, notices, err := ReadGraph(o.Graph, o.Records)
		if err != nil {
			return out, err
		}
		out.Notices = notices
		opt.Sources, opt.Frozen = []sources.Source{lib}, true
		opt.Settings.Snowball.CandidatesLimit = sources.MostRecords
		background = chase.NewBackground(WorksOf(lib), o.Review)
	} else {
		list, done, err := o.services()
		if err != nil {
			return out, err
		}
		defer done()
		opt.Sources, opt.Follow = list, followLive
	}
	found, unknown, failed, err := identify(ctx, opt.Sources, seeds)
	if err != nil {
		return out, err
	}
	out.Unknown = unknown
	switch {
	case len(found) > 0:
	case failed != nil:
		return out, fmt.Errorf("%w: none of the %d seeds could be looked up: %w", ErrUnreachable, len(seeds), failed)
	default:
		reason := ""
		if len(unknown) > 0 {
			reason = ": " + unknown[0].Seed + ": " + unknown[0].Reason
		}
		return out, wrong("check the identifiers, or name another seed", "none of the %d seeds could be told for sure%s", len(seeds), reason)
	}
	opt.Seeds = found
	switch {
	case o.Included != nil:
		opt.Judge = &chase.Labels{Included: o.Included, Review: o.Review, Background: background}
	default:
		words := &chase.Words{Review: o.Review, Background: background, Share: o.Share}
		opt.Judge = words
		if spec := o.Config.Roles(RoleNames())[string(llm.Screener)]; spec != "" && spec != llm.Builtin {
			opt.Judge = &modelJudge{Words: words, o: o, notice: func(s string) { out.Notices = append(out.Notices, s) }}
		}
	}
	out.Outcome, err = chase.Run(ctx, opt)
	if err == nil && len(out.Rounds) == 0 && out.FailureCount > 0 {
		err = fmt.Errorf("%w: no list of any seed could be had: %s", ErrUnreachable, out.Failures[0].Reason)
	}
	return out, err
}

// services makes the clients of the literature services.
func (o SnowballOptions) services() ([]sources.Source, func(), error) {
	opt := fetchOptions(o.Config)
	if o.Waiting != nil {
		opt.Waiting = func(w fetch.Wait) { o.Waiting(w.Service, w.For, w.Retry) }
	}
	how := sourceOptions{bases: map[string]string{}, simulated: o.Library != ""}
	closers := []func(){}
	done := func() {
		for i := len(closers) - 1; i >= 0; i-- {
			closers[i]()
		}
	}
	if o.Library != "" {
		server, err := startSandbox(o.Library)
		if err != nil {
			return nil, nil, err
		}
		closers = append(closers, func() { server.Close() })
		for _, name := range all.Names() {
			how.bases[name] = server.URL(name)
		}
		opt.Limits = nil
	}
	client, err := fetch.New(opt)
	if err != nil {
		done()
		return nil, nil, err
	}
	closers = append(closers, client.Close)
	list, _, err := buildSources(o.Config, client, o.Config.Settings.Sources, how)
	if err == nil && len(list) == 0 {
		err = wrong("switch one on, or give a frozen library with --library", "no source is on")
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return list, done, nil
}

// ReadGraph reads a frozen citation library and, if records is not "", what that
// file says of its works. notices say what could not be used.
func ReadGraph(graph, records string) (lib *citegraph.Library, notices []string, err error) {
	data, err := unpacked(graph)
	if err != nil {
		return nil, nil, err
	}
	lib, err = citegraph.Read(bytes.NewReader(data))
	if err != nil {
		return nil, nil, wrong("give JSON lines with record_id, title, year, cited_by_count and references, packed with gzip or not", "the citation library %s cannot be read: %w", graph, err)
	}
	for i, s := range lib.Skipped {
		if i == 3 {
			notices = append(notices, fmt.Sprintf("%s: %d more lines are left out", graph, len(lib.Skipped)-i))
			break
		}
		notices = append(notices, fmt.Sprintf("%s: line %d is left out: %s", graph, s.Line, s.Reason))
	}
	if records == "" {
		return lib, notices, nil
	}
	data, err = os.ReadFile(records)
	if err != nil {
		return nil, nil, &InputError{fmt.Errorf("reading records: %w", err)}
	}
	strangers := 0
	if _, err := biblio.Read(bytes.NewReader(data), records, func(e biblio.Entry) error {
		if !lib.Describe(e.ID, e.Record(citegraph.Name, e.ID)) {
			strangers++
		}
		return nil
	}); err != nil {
		return nil, nil, &InputError{fmt.Errorf("reading records: %w", err)}
	}
	if strangers > 0 {
		notices = append(notices, fmt.Sprintf("%s: %d records are not in the citation library and are left out", records, strangers))
	}
	return lib, notices, nil
}

// unpacked reads a file, packed with gzip or not.
func unpacked(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, wrong("name a file that exists and can be read", "%w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largestImport+1))
	if err == nil && bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		data, err = gunzip(data)
	}
	if err != nil {
		return nil, wrong("pack it again", "reading %s: %w", name, err)
	}
	if len(data) > largestImport {
		return nil, wrong("split it", "%s has more than %d MB", name, largestImport>>20)
	}
	return data, nil
}

// WorksOf lists the works of a library as a judge sees them.
func WorksOf(lib *citegraph.Library) []chase.Work {
	var out []chase.Work
	for _, r := range lib.Records() {
		if r.Title != "" {
			id := citegraph.ID(r)
			out = append(out, chase.Work{ID: id, Name: id, Title: r.Title, Abstract: r.Abstract, Keywords: r.Keywords, Year: r.Year})
		}
	}
	return out
}

const unknownSeed = "no source knows it"

// identify looks the seeds up in every source that can, each with what the ones
// before it added. A record counts only if it carries an identifier of the seed
// and, where the seed has a title, is that work. failed is the last failure of a
// source.
func identify(ctx context.Context, list []sources.Source, seeds []seed) (found []state.Record, unknown []UnknownSeed, failed, err error) {
	taken := map[string]bool{}
	for _, s := range seeds {
		why, ok := unknownSeed, false
		s.ids = maps.Clone(s.ids)
		for _, src := range list {
			r, is := src.(sources.Resolver)
			if !is {
				continue
			}
			ids := state.IDs{}
			for _, scheme := range r.Schemes() {
				if v := s.ids[scheme]; v != "" {
					ids[scheme] = v
				}
			}
			if len(ids) == 0 {
				continue
			}
			res, err := r.Lookup(ctx, []state.IDs{ids})
			if ctx.Err() != nil {
				return nil, nil, nil, ctx.Err()
			}
			if err != nil {
				why, failed = err.Error(), err
				continue
			}
			for _, rec := range res.Records {
				same, reason := s.is(rec)
				if !same {
					why = reason
					continue
				}
				ok = true
				s.learn(rec)
				if !taken[rec.Key] {
					taken[rec.Key] = true
					found = append(found, rec)
				}
				break
			}
		}
		if !ok {
			switch {
			case slices.ContainsFunc(state.Keys(s.ids), func(scheme string) bool { return scheme != citegraph.Scheme }):
			case s.record.Title != "":
				why = "it has no identifier to look up"
			case why == unknownSeed:
				why = "it is no DOI, PMID, PMCID, arXiv, OpenAlex or Semantic Scholar id, and no id of the library"
			}
			unknown = append(unknown, UnknownSeed{s.name, why})
		}
	}
	return found, unknown, failed, nil
}

// learn adds the identifiers of a record that is the seed, and its title if the
// seed has none.
func (s *seed) learn(r state.Record) {
	for scheme, v := range r.IDs {
		if s.ids[scheme] == "" {
			s.ids[scheme] = v
		}
	}
	if s.record.Title == "" {
		s.record = r
	}
}

// is tells whether a record is the seed.
func (s seed) is(r state.Record) (bool, string) {
	carries := false
	for scheme, v := range s.ids {
		if v != "" && strings.EqualFold(r.IDs[scheme], v) {
			carries = true
		}
	}
	if !carries {
		return false, fmt.Sprintf("%s gave a record without the identifier that was asked for", r.Source)
	}
	if s.record.Title == "" || s.record.Key == r.Key {
		return true, ""
	}
	var authors []string
	for _, a := range s.record.Authors {
		authors = append(authors, a.Name)
	}
	return canon.VerifyLookup(s.record.Title, authors, s.record.Year, r)
}

// modelJudge asks the model of the role "screener"; the built-in judge orders,
// and decides where the model gave nothing.
type modelJudge struct {
	*chase.Words
	o      SnowballOptions
	notice func(string)
}

func (j *modelJudge) Keep(ctx context.Context, batch []chase.Placed) ([]chase.Decision, error) {
	out, err := j.Words.Keep(ctx, batch)
	if err != nil {
		return nil, err
	}
	records := make([]screening.Record, len(batch))
	for i, p := range batch {
		records[i] = screening.Record{ID: p.ID, Title: p.Title, Abstract: p.Abstract, Keywords: p.Keywords, Year: p.Year}
	}
	session := &screening.Session{}
	res, err := Screen(ctx, ScreenOptions{Config: j.o.Config, Now: j.o.Now, Corpus: screening.NewCorpus(records), Review: j.o.Review, Session: session, Waiting: j.o.Waiting})
	if err != nil {
		return nil, err
	}
	for _, n := range res.Notices {
		j.notice(n)
	}
	for i, p := range batch {
		if d, ok := session.Of(p.ID); ok {
			out[i] = chase.Decision{Keep: d.Verdict != screening.Exclude, Reason: chase.Linked(p.Link) + "; " + d.By + ": " + d.Note}
		}
	}
	return out, nil
}
