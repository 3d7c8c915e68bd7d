// Package sources is the contract between the method and the literature
// services: what a source can do, and how its outcomes are told apart. Every
// service is one folder below this one; sources/all lists them, and
// sources/sourcetest is the suite that each of them passes.
//
// A source must never decide whether two records are the same work, never
// import canon or another source, and never send anything but through
// internal/fetch. Start with Source.
package sources

import (
	"context"
	"errors"
	"fmt"

	"optimistresearch/state"
)

// Source is a literature service that can be searched. Implementations are
// safe for concurrent use.
type Source interface {
	// Name is the fixed, lower-case name used in settings, state and errors.
	Name() string
	// Write renders an expression in the source's query dialect, ready to be
	// sent. It is pure and total: what the dialect cannot say is loosened,
	// never an error.
	Write(Expr) string
	// Clean makes a string that a person or a model wrote in the source's
	// dialect safe to send (see SPEC, "Queries are written per source"): what
	// breaks the service is removed, all else stays. Pure and idempotent.
	Clean(string) string
	// Search sends one query and returns up to Request.Limit records in the
	// source's order of relevance. No hits is not an error: Total and Records
	// are zero. An error is always an *Error.
	Search(context.Context, Request) (Result, error)
}

// Loosener is a Source whose dialect cannot say everything that an Expr can.
type Loosener interface {
	Source
	// Loosened tells, in clauses, what of the expression Write leaves out or
	// says more broadly, such as "Crossref has no NOT: works with “mice” are not
	// left out". Pure; nil when nothing is lost.
	Loosened(Expr) []string
}

// Resolver is a Source that can look works up by identifier.
type Resolver interface {
	Source
	// Schemes are the identifier schemes that Lookup understands, best first.
	Schemes() []string
	// Lookup returns the records of the works with the given identifiers, in
	// any order. A work the source does not know is simply absent. The caller
	// verifies that each record is the work it asked for.
	Lookup(context.Context, []state.IDs) (Result, error)
}

// Citer is a Source with a citation graph. Both calls take the identifiers of
// one work and at most limit records. A work without a list gives an error of
// kind NoList: an empty list means that the source has no list, never that
// the work cites nothing.
type Citer interface {
	Source
	References(ctx context.Context, seed Seed, limit int) (Result, error)
	Citing(ctx context.Context, seed Seed, limit int) (Result, error)
	// Cites reports which directions the source has at all.
	Cites() (references, citing bool)
}

// Seed is the work whose citations are chased. Title and Authors let the
// adapter's caller verify that the service's record is this work.
type Seed struct {
	IDs     map[string][]string // scheme → values, as in state.Document
	Title   string
	Authors []string
	Year    int
}

// Expr is a query in no dialect: AND over the concepts, OR among the
// alternatives of one, NOT for each exclusion. A term with a space is a phrase.
type Expr struct {
	All       [][]string
	Not       []string // works with one of these terms are not wanted
	Field     Field    // where the terms must occur
	SinceYear int      // 0 = open
	UntilYear int
}

// Field is where in a record a term must occur.
type Field string

// The fields that every source is asked for; one that has no such field looks
// in the next wider one.
const (
	Anywhere      Field = "" // whatever the source searches by default
	TitleAbstract Field = "title_abstract"
	Title         Field = "title"
)

// Request is one search.
type Request struct {
	Query     string // in the source's dialect: from Write, from Clean, or as a person typed it
	SinceYear int    // 0 = open; sent as the source's own filter where it has one
	UntilYear int
	// Types and Languages limit the search where the source can: kinds of
	// works from the list below, and ISO 639-1 codes; empty = all. A limit that
	// the source cannot apply is named in Result.Notes.
	Types     []string
	Languages []string
	Limit     int    // records wanted, 1 to MostRecords; the adapter pages as needed
	Op        string // a few words for logs and errors, such as "search Q7"
}

// MostRecords is the largest Request.Limit. A source that gives fewer of one
// query says so in Result.Capped.
const MostRecords = 100_000

// Kinds of works in Request.Types.
const (
	TypeArticle    = "article" // in a journal
	TypeReview     = "review"
	TypePreprint   = "preprint"
	TypeConference = "conference"
	TypeBook       = "book"
	TypeChapter    = "chapter"
	TypeThesis     = "thesis"
	TypeDataset    = "dataset"
	TypeTrial      = "trial" // randomised or other clinical trial
)

// Result is what one operation gave.
type Result struct {
	Sent    string // the query string as sent, without keys
	Filters string // the filters as sent
	Total   int    // hits as the source reports them; −1 = not reported
	Records []state.Record
	Skips   []state.Skip // records that could not be used, with reasons and counts
	// Capped says why the source gives no more records of this query although
	// there are some and more were wanted; "" if that is not so.
	Capped string
	Raw    string // sha256 of the last raw response
	// Requests are the hashes of the requests, keys of the recordings.
	Requests []string
	// Credits spent, for sources that charge (OpenAlex), and what is left;
	// CreditsLeft is −1 when the source does not say.
	Credits     int
	CreditsLeft int
	// Verified is the record that the service has for a seed, for the caller
	// to compare with the seed before it believes the list; nil when the
	// service was asked by an identifier of its own that was verified before.
	Verified *state.Record
	Notes    []string // "retried an empty page", "words unknown to the index: …"
}

// AddSkip counts a record that could not be used.
func (r *Result) AddSkip(reason, sample string) {
	for i := range r.Skips {
		if r.Skips[i].Reason == reason {
			r.Skips[i].Count++
			return
		}
	}
	const most = 120
	if runes := []rune(sample); len(runes) > most {
		sample = string(runes[:most]) + "…"
	}
	r.Skips = append(r.Skips, state.Skip{Reason: reason, Count: 1, Sample: sample})
}

// Error is a failed operation. Outcome is never hits or zero_hits.
type Error struct {
	Source  string
	Op      string
	Outcome state.Outcome
	Hint    string // what to type or to do next
	Err     error
}

func (e *Error) Error() string {
	msg := fmt.Sprintf("%s: %s: %s", e.Source, e.Op, outcomeWords[e.Outcome])
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	if e.Hint != "" {
		msg += " (" + e.Hint + ")"
	}
	return msg
}

func (e *Error) Unwrap() error { return e.Err }

var outcomeWords = map[state.Outcome]string{
	state.Skipped:   "was skipped",
	state.Throttled: "was throttled and gave up",
	state.Refused:   "was refused",
	state.Broken:    "gave a reply that cannot be read",
	state.Down:      "could not be reached",
	state.NoList:    "has no list for this work",
	state.Rejected:  "was rejected: the record is another work",
}

// OutcomeOf returns the outcome of an error, "" for nil and Down for an error
// that is not an *Error.
func OutcomeOf(err error) state.Outcome {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Outcome
	}
	return state.Down
}

// Shaped is a Source that knows what the answers of its service look like, so
// that a change of the service is found before it spoils a review (see
// sources/check).
type Shaped interface {
	Source
	Shapes() []Shape
}

// Shape is what the answers to one kind of request look like.
type Shape struct {
	Name string // "works", "efetch"; kinds of requests that share a shape share the name
	Path string // the request's path ends in this, a regular expression; the first that fits counts
	At   string // the path in the shape that the root of such an answer stands for
	Text []byte // as internal/shape encodes it
	// What examples do not show: whether answers are XML, which fields of which
	// object the adapter asks for (nil = all there are), objects whose keys are
	// data, and fields that hold text with markup.
	XML    bool
	Of     string
	Fields []string
	Maps   []string
	Leaves []string
	// Like names, for an object, the shape and the object there that it is the
	// same kind of thing as, separated by a blank.
	Like   map[string]string
	Used   []string // paths that the adapter reads
	Needed []string // of these, what records are of no use without
}
