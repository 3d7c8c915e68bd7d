package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// outcome of one search operation with its relaxed retries.
type outcome struct {
	written  string // the unrelaxed query
	result   sources.Result
	rung     int
	rungs    []state.Rung
	requests []string
	credits  int
}

// climb sends the query and, while a healthy source has no hit for it, its
// relaxed forms: at most Settings.Search.Rungs more. Each form is recorded,
// also one that is not worth sending. A failure ends the climb: it says nothing
// about hits.
func climb(ctx context.Context, src sources.Source, q state.Query, s *state.State) (outcome, error) {
	var out outcome
	forms := ladder(src, q, s)
	out.written = forms[0].query
	sent := 0
	for _, f := range forms {
		if sent > s.Settings.Search.Rungs {
			break
		}
		if f.skip != "" {
			out.rungs = append(out.rungs, state.Rung{Change: f.change + ": not sent, " + f.skip, Total: -1})
			continue
		}
		sent++
		res, err := src.Search(ctx, sources.Request{
			Query: f.query, SinceYear: s.Settings.SinceYear, UntilYear: s.Settings.UntilYear,
			Limit: s.Settings.Search.HitsPerQuery, Op: "search " + q.ID,
		})
		out.requests = append(out.requests, res.Requests...)
		out.credits += res.Credits
		if res.Sent == "" {
			res.Sent = f.query
		}
		out.result, out.rung = res, len(out.rungs)
		if err != nil {
			return out, err
		}
		out.rungs = append(out.rungs, state.Rung{Sent: res.Sent, Change: f.change, Total: res.Total})
		if len(res.Records) > 0 || len(res.Skips) > 0 {
			break
		}
	}
	if len(out.rungs) == 1 {
		out.rungs = nil // sent as written and nothing else: Query.Sent says it all
	}
	return out, nil
}

type form struct {
	query  string
	change string
	skip   string // why it is not sent
}

// ladder lists the forms of a query from strict to loose, without repeats: as
// written, without the rarest concept, with phrases loosened to words, with the
// core terms OR-ed. A form of a single word is marked as not worth sending,
// unless the question is that word: what it finds has hardly to do with the
// question.
func ladder(src sources.Source, q state.Query, s *state.State) []form {
	written := src.Clean(q.Written)
	all := slices.DeleteFunc(slices.Clone(q.All), func(g []string) bool { return len(g) == 0 })
	expr := sources.Expr{All: all, SinceYear: s.Settings.SinceYear, UntilYear: s.Settings.UntilYear}
	if len(expr.All) == 0 {
		expr.All = groups(q.Written)
	}
	if strings.TrimSpace(written) == "" {
		written = src.Write(expr)
	}
	forms := []form{{query: written, change: "as written"}}
	several := len(expr.All) > 1 && !asksOneWord(s.Question)
	add := func(e sources.Expr, change string) {
		if len(e.All) == 0 {
			return
		}
		text := src.Write(e)
		if text != "" && !slices.ContainsFunc(forms, func(f form) bool { return f.query == text }) {
			f := form{query: text, change: change}
			if w := oneWord(text); w != "" && several {
				f.skip = fmt.Sprintf("since all that %s would look for is the word “%s”", src.Name(), w)
			}
			forms = append(forms, f)
		}
	}
	without, dropped := dropRarest(expr, s, state.RoundNumber(q.Iteration, 0))
	if dropped != "" {
		add(without, fmt.Sprintf("without the concept “%s”, the rarest", dropped))
	}
	loose := loosen(without)
	add(loose, "phrases loosened to words")
	add(anyOf(core(loosen(expr), s.Question)), "any of the core terms")
	return forms
}

// oneWord gives the word of a query that looks for nothing but a single word.
func oneWord(written string) string {
	if g := groups(written); len(g) == 1 && len(g[0]) == 1 && !strings.ContainsAny(g[0][0], " -") {
		return g[0][0]
	}
	return ""
}

// asksOneWord reports whether a question names a single word.
func asksOneWord(q *state.Question) bool {
	return q != nil && len(text.Distinctive(text.Tokens(q.Text))) == 1
}

// core keeps the groups that name what the question is about: those with a
// word of the question. What an intent adds ("benchmark or data set") would,
// OR-ed, find anything. If no group has a word of the question, all stay.
func core(e sources.Expr, q *state.Question) sources.Expr {
	if q == nil {
		return e
	}
	asked := map[string]bool{}
	for _, w := range text.Tokens(q.Text) {
		asked[text.Stem(w)] = true
	}
	named := slices.DeleteFunc(slices.Clone(e.All), func(g []string) bool {
		return !slices.ContainsFunc(g, func(term string) bool {
			return slices.ContainsFunc(text.Tokens(term), func(w string) bool { return asked[text.Stem(w)] })
		})
	})
	if len(named) > 0 {
		e.All = named
	}
	return e
}

// groups reads a query that was written as a string: quoted phrases and words,
// alternatives of OR in one group; operators, fields, function words and what
// is excluded are left out.
func groups(written string) [][]string {
	var out [][]string
	op, excluded := "", false
	term := func(t string) {
		excluded = op == "not" || op == "or" && excluded
		switch {
		case excluded, slices.ContainsFunc(out, func(g []string) bool { return slices.Contains(g, t) }):
		case op == "or" && len(out) > 0:
			out[len(out)-1] = append(out[len(out)-1], t)
		default:
			out = append(out, []string{t})
		}
		op = ""
	}
	for i, part := range strings.Split(written, `"`) {
		if i%2 == 1 {
			if p := text.OneLine(part); p != "" {
				term(p)
			}
			continue
		}
		for _, w := range text.Tokens(part) {
			switch w {
			case "and", "or", "not":
				if op != "not" { // AND NOT
					op = w
				}
			case "andnot":
				op = "not"
			case "all", "ti", "abs", "tiab", "mh":
			default:
				if len(text.Distinctive([]string{w})) > 0 {
					term(w)
				}
			}
		}
	}
	return out
}

// dropRarest leaves out the group that the fewest records of earlier rounds
// mention, and gives its alternatives; ties go to the longer, then the later one. What this round brought
// does not count: it depends on which queries were faster. A query of one group
// stays as it is.
func dropRarest(e sources.Expr, s *state.State, round int) (sources.Expr, string) {
	if len(e.All) < 2 {
		return e, ""
	}
	counts := make([]int, len(e.All))
	for _, r := range s.Records {
		if !seenBefore(r, round) {
			continue
		}
		hay := text.Fold(r.Title + " " + r.Abstract)
		for i, g := range e.All {
			if slices.ContainsFunc(g, func(term string) bool { return strings.Contains(hay, text.Fold(term)) }) {
				counts[i]++
			}
		}
	}
	rarest := 0
	for i := range e.All {
		a, b := counts[i], counts[rarest]
		if a < b || a == b && utf8.RuneCountInString(e.All[i][0]) >= utf8.RuneCountInString(e.All[rarest][0]) {
			rarest = i
		}
	}
	dropped := strings.Join(e.All[rarest], " / ")
	e.All = slices.Delete(slices.Clone(e.All), rarest, rarest+1)
	return e, dropped
}

func seenBefore(r state.Record, round int) bool {
	for _, p := range r.Seen {
		if p.Round < round {
			return true
		}
	}
	return false
}

// loosen turns every phrase into its words, each of which must occur.
func loosen(e sources.Expr) sources.Expr {
	var all [][]string
	seen := map[string]bool{}
	for _, g := range e.All {
		if len(g) > 1 {
			all = append(all, g)
			continue
		}
		for _, w := range strings.Fields(g[0]) {
			if !seen[w] {
				seen[w] = true
				all = append(all, []string{w})
			}
		}
	}
	e.All = all
	return e
}

// anyOf makes one OR group of everything.
func anyOf(e sources.Expr) sources.Expr {
	var any []string
	for _, g := range e.All {
		for _, t := range g {
			if !slices.Contains(any, t) {
				any = append(any, t)
			}
		}
	}
	if len(any) == 0 {
		e.All = nil
		return e
	}
	e.All = [][]string{any}
	return e
}
