package sourcetest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"optimistresearch/sources"
)

// kinds are all values of Request.Types.
var kinds = []string{
	sources.TypeArticle, sources.TypeReview, sources.TypePreprint, sources.TypeConference, sources.TypeBook,
	sources.TypeChapter, sources.TypeThesis, sources.TypeDataset, sources.TypeTrial,
}

// limits checks that a limit on types or languages is sent, or named in a
// note, and that what a person typed is sent untouched.
func (s suite) limits(t testing.TB) {
	plain, _ := s.limited(t, sources.Request{})
	for _, kind := range kinds {
		asked, notes := s.limited(t, sources.Request{Types: []string{kind}})
		if slices.Equal(asked, plain) && !strings.Contains(notes, kind) {
			t.Errorf("a search for the type %s alone is sent like any other, and no note names %s: %q", kind, kind, notes)
		}
	}
	for _, code := range []string{"de", "zh"} {
		asked, notes := s.limited(t, sources.Request{Languages: []string{code}})
		if slices.Equal(asked, plain) && !strings.Contains(notes, code) {
			t.Errorf("a search in the language %s alone is sent like any other, and no note names %s: %q", code, code, notes)
		}
	}
	if _, notes := s.limited(t, sources.Request{Types: []string{"no-such-type"}, Languages: []string{"no-such-language"}}); !strings.Contains(notes, "no-such-type") || !strings.Contains(notes, "no-such-language") {
		t.Errorf("a type and a language that do not exist are named in no note: %q", notes)
	}
}

// limited sends the healthy search with limits, and returns what was sent and
// the notes in one text.
func (s suite) limited(t testing.TB, limits sources.Request) (asked []string, notes string) {
	t.Helper()
	c := s.cases.Search
	c.Request.Types, c.Request.Languages = limits.Types, limits.Languages
	service := NewService(t, c.Answers)
	result, err := search(t.Context(), s.source(service.Doer()), c)
	if err != nil {
		t.Errorf("search with types %v and languages %v: %v", limits.Types, limits.Languages, err)
	}
	return service.Asked(), strings.Join(result.Notes, "\n")
}

// untouched checks that a query is sent as it was typed, however wrong: only
// Clean changes it.
func (s suite) untouched(t testing.TB) {
	const typed = `dowsing?  (rods AND "unbalanced`
	c := s.cases.Search
	c.Answers = slices.Clone(c.Answers)
	for i, a := range c.Answers { // the answers are those to another query
		c.Answers[i].Query = maps.Clone(a.Query)
		maps.DeleteFunc(c.Answers[i].Query, func(_, v string) bool { return v == c.Request.Query })
	}
	c.Request.Query = typed
	service := NewService(t, c.Answers)
	result, err := search(t.Context(), s.source(service.Doer()), c)
	if err != nil {
		t.Errorf("search for %s: %v", typed, err)
		return
	}
	if !strings.Contains(result.Sent, typed) {
		t.Errorf("search for %s: Sent is %s", typed, result.Sent)
	}
	if !service.carried(typed) {
		t.Errorf("search for %s: no request carries it: %q", typed, service.Asked())
	}
}
