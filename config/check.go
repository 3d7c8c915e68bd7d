package config

import (
	"cmp"
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strings"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// origin names where a value came from, for an error about it.
func (l *loader) origin(key string) string {
	if o := l.origins[key]; o != "" {
		return o
	}
	return "default"
}

func (l *loader) bad(key, format string, args ...any) {
	l.fail(l.origin(key), fmt.Errorf("%s %s", key, fmt.Sprintf(format, args...)))
}

// check tests every value against its range and the values against each other.
func (l *loader) check() {
	s, r := &l.doc.Settings, &l.doc.Runtime
	for _, x := range []struct {
		key   string
		value float64
	}{
		{"screening.relevant", s.Screening.Relevant}, {"screening.clearly_relevant", s.Screening.ClearlyRelevant},
		{"snowball.low_yield_share", s.Snowball.LowYieldShare}, {"reading.abstract_strength_cap", s.Reading.AbstractStrengthCap},
		{"budgets.writing_share", s.Budgets.WritingShare},
	} {
		if x.value < 0 || x.value > 1 {
			l.bad(x.key, "is %g and must be between 0 and 1", x.value)
		}
	}
	if s.Screening.Relevant > s.Screening.ClearlyRelevant {
		l.bad("screening.relevant", "is %g and must not be above screening.clearly_relevant, %g", s.Screening.Relevant, s.Screening.ClearlyRelevant)
	}
	for _, x := range []struct {
		key         string
		value       int
		least, most int
	}{
		{"plan.max_subquestions", s.Plan.MaxSubquestions, 1, 20}, {"plan.intents_per_subquestion", s.Plan.IntentsPerSubquestion, 1, 10},
		{"plan.queries_per_intent", s.Plan.QueriesPerIntent, 1, 20}, {"search.hits_per_query", s.Search.HitsPerQuery, 1, 1000},
		{"search.rungs", s.Search.Rungs, 0, 3}, {"screening.batch", s.Screening.Batch, 1, 100},
		{"snowball.low_yield_minimum", s.Snowball.LowYieldMinimum, 0, 1000}, {"snowball.low_yield_rounds", s.Snowball.LowYieldRounds, 1, 20},
		{"snowball.seeds_per_round", s.Snowball.SeedsPerRound, 1, 20}, {"snowball.candidates_per_seed", s.Snowball.CandidatesLimit, 1, 10_000},
		{"reading.claims_per_pair", s.Reading.ClaimsPerPair, 1, 50},
		{"budgets.iterations", s.Budgets.Iterations, 1, 50}, {"budgets.documents", s.Budgets.Documents, 1, 1_000_000},
		{"budgets.searches", s.Budgets.Searches, 1, 1_000_000}, {"budgets.snowball_rounds", s.Budgets.SnowballRounds, 0, 90},
		{"budgets.tokens", s.Budgets.Tokens, 0, 1 << 40}, {"since_year", s.SinceYear, 0, 2200}, {"until_year", s.UntilYear, 0, 2200},
		{"retries", r.Retries, 0, 20}, {"max_response_mb", r.MaxResponseMB, 1, 4096}, {"parallel", r.Parallel, 1, 64},
	} {
		if x.value < x.least || x.value > x.most {
			l.bad(x.key, "is %d and must be between %d and %d", x.value, x.least, x.most)
		}
	}
	if s.SinceYear != 0 && s.UntilYear != 0 && s.SinceYear > s.UntilYear {
		l.bad("since_year", "is %d and must not be after until_year, %d", s.SinceYear, s.UntilYear)
	}
	for _, x := range []struct {
		key   string
		value float64
	}{
		{"ranking.relevance", s.Ranking.Relevance}, {"ranking.impact", s.Ranking.Impact}, {"ranking.recency", s.Ranking.Recency},
		{"ranking.corroboration", s.Ranking.Corroboration}, {"budgets.dollars", s.Budgets.Dollars}, {"budgets.minutes", s.Budgets.Minutes},
	} {
		if x.value < 0 {
			l.bad(x.key, "is %g and must not be negative", x.value)
		}
	}
	if s.Ranking.Relevance+s.Ranking.Impact+s.Ranking.Recency+s.Ranking.Corroboration <= 0 {
		l.bad("ranking.relevance", "and the other weights are all 0; at least one must be positive")
	}
	if s.Ranking.RecencyHalfLife <= 0 {
		l.bad("ranking.recency_half_life", "is %g and must be positive", s.Ranking.RecencyHalfLife)
	}
	l.checkSources()
	l.checkModels()
	if r.Contact != "" {
		if a, err := mail.ParseAddress(r.Contact); err != nil || a.Address != r.Contact {
			l.bad("contact", "is %q and must be an e-mail address", r.Contact)
		}
	}
	if r.Timeout <= 0 {
		l.bad("timeout", "is %s and must be positive", r.Timeout)
	}
	if r.RetryAfterCap < 0 {
		l.bad("retry_after_cap", "is %s and must not be negative", r.RetryAfterCap)
	}
}

func (l *loader) checkSources() {
	s := &l.doc.Settings
	if len(s.Sources) == 0 {
		l.bad("sources", "is empty; name at least one of %s", strings.Join(l.opt.Sources, ", "))
	}
	seen := map[string]bool{}
	for _, name := range s.Sources {
		if !slices.Contains(l.opt.Sources, name) {
			l.bad("sources", "names %q, which is not a source; the sources are %s", name, strings.Join(l.opt.Sources, ", "))
		}
		if seen[name] {
			l.bad("sources", "names %s twice", name)
		}
		seen[name] = true
	}
	for _, name := range sortedKeys(s.Budgets.Credits) {
		if n := s.Budgets.Credits[name]; n < 0 {
			l.bad("budgets.credits."+name, "is %d and must not be negative", n)
		}
	}
	for _, name := range sortedKeys(l.doc.Source) {
		if d := l.doc.Source[name].Every; d < 0 {
			l.bad("source."+name+".every", "is %s and must not be negative", d)
		}
		l.checkURL("source."+name+".base", l.doc.Source[name].Base)
	}
}

func (l *loader) checkModels() {
	s := &l.doc.Settings
	l.profile = l.chooseProfile()
	for _, role := range sortedKeys(s.Models) {
		key, spec := "models."+role, s.Models[role]
		provider, model, ok := strings.Cut(spec, ":")
		switch {
		case spec == "builtin" || spec == "":
		case !ok || model == "":
			l.bad(key, "is %q and must be builtin or provider:model, such as openai:MODEL", spec)
		case l.doc.Provider[provider].Base == "":
			l.bad(key, "names the provider %q, which has no address; set provider.%s.base to that of its server (and provider.%[2]s.api, unless it is OpenAI-compatible), or use one of %[3]s", provider, provider, strings.Join(sortedKeys(l.doc.Provider), ", "))
		}
	}
	for _, name := range sortedKeys(l.doc.Provider) {
		l.checkURL("provider."+name+".base", l.doc.Provider[name].Base)
		if n := l.doc.Provider[name].Parallel; n < 0 || n > 64 {
			l.bad("provider."+name+".parallel", "is %d and must be between 0 and 64", n)
		}
	}
	for _, spec := range sortedKeys(l.doc.Prices) {
		if p := l.doc.Prices[spec]; p.Prompt < 0 || p.Cached < 0 || p.Written < 0 || p.Output < 0 {
			l.bad("prices."+spec, "has a negative price")
		}
	}
	for _, spec := range sortedKeys(l.doc.Contexts) {
		if n := l.doc.Contexts[spec]; n < 512 {
			l.bad("contexts."+spec, "is %d and must be the size of a context window in tokens, 512 or more", n)
		}
	}
}

func (l *loader) checkURL(key, raw string) {
	if raw == "" {
		return
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		l.bad(key, "must be an http or https address without user, query or fragment, such as https://api.example.org")
	}
}

// Roles expands models.default and the profile: the spec of every role.
func (c *Config) Roles(all []string) map[string]string {
	out := map[string]string{}
	for _, role := range all {
		out[role] = cmp.Or(c.Settings.Models[role], c.Settings.Models["default"], c.profile[role], c.profile["default"], "builtin")
	}
	return out
}
