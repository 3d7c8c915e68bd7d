package sourcetest

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/sources"
	"optimistresearch/state"
)

var dateShape = regexp.MustCompile(`^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$`)

var issnShape = regexp.MustCompile(`^[0-9]{4}-[0-9]{3}[0-9X]$`)

// ResultFaults lists what is wrong with the result of a source, whatever was
// asked: records that RecordFaults objects to, keys that occur twice, skips
// without reason or count, and the key of the service anywhere.
func ResultFaults(source string, r sources.Result) []string {
	var faults []string
	seen := map[string]bool{}
	for i, rec := range r.Records {
		for _, f := range RecordFaults(source, rec) {
			faults = append(faults, fmt.Sprintf("record %d (%s): %s", i+1, rec.Key, f))
		}
		if seen[rec.Key] {
			faults = append(faults, "two records have the key "+rec.Key)
		}
		seen[rec.Key] = true
	}
	for _, s := range r.Skips {
		if s.Count < 1 || s.Reason == "" {
			faults = append(faults, fmt.Sprintf("a skip without reason or count: %+v", s))
		}
	}
	if r.Total < -1 {
		faults = append(faults, fmt.Sprintf("Total is %d; what is not reported is −1", r.Total))
	}
	shown := fmt.Sprintf("%+v", r)
	for _, secret := range []string{Key, url.QueryEscape(Key), url.PathEscape(Key)} {
		if strings.Contains(shown, secret) {
			faults = append(faults, "the result shows the key")
			break
		}
	}
	return faults
}

// RecordFaults lists what is wrong with one record of a source.
func RecordFaults(source string, r state.Record) []string {
	var faults []string
	wrong := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }

	if r.Source != source {
		wrong("Source is %q, want %q", r.Source, source)
	}
	if !strings.HasPrefix(r.Key, source+":") || r.Key == source+":" {
		wrong("the key does not begin with %q and go on", source+":")
	}
	if r.Title == "" {
		wrong("no title; such an entry is a skip")
	}
	switch r.Kind {
	case state.Published, state.Preprint, state.Other:
	default:
		wrong("Kind is %q, want published, preprint or other", r.Kind)
	}
	if r.Year < 0 || r.Year > 0 && (r.Year < 1000 || r.Year > 9999) {
		wrong("Year is %d", r.Year)
	}
	if r.Date != "" && (!dateShape.MatchString(r.Date) || !strings.HasPrefix(r.Date, fmt.Sprintf("%04d", r.Year))) {
		wrong("Date is %q beside the year %d; want YYYY[-MM[-DD]] of that year", r.Date, r.Year)
	}
	if len(r.Seen) > 0 {
		wrong("Seen is set; that is for the step that asked")
	}
	if strings.HasPrefix(r.Abstract, state.SynopsisMark) {
		wrong("the abstract keeps the mark of a synopsis")
	}
	if r.Citations != nil && *r.Citations < 0 {
		wrong("Citations is %d", *r.Citations)
	}
	if r.Retraction != nil {
		switch r.Retraction.Status {
		case state.RetractNone, state.RetractCorrected, state.RetractConcern, state.RetractRetracted:
		default:
			wrong("Retraction.Status is %q", r.Retraction.Status)
		}
	}
	for _, rel := range r.Related {
		if scheme, value, _ := strings.Cut(rel.ID, ":"); rel.Type == "" || scheme == "" || value == "" {
			wrong("related %+v; want a type and an identifier with its scheme", rel)
		}
	}
	for _, l := range r.Links {
		u, err := url.Parse(l.URL)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			wrong("the link %q is no web address", l.URL)
		}
		switch l.Kind {
		case "pdf", "html", "xml", "landing":
		default:
			wrong("the link %s is of kind %q, want pdf, html, xml or landing", l.URL, l.Kind)
		}
	}
	for _, issn := range r.ISSN {
		if !issnShape.MatchString(issn) {
			wrong("the ISSN %q is not of the form NNNN-NNNX", issn)
		}
	}
	for _, list := range []struct {
		name  string
		words []string
	}{{"keyword", r.Keywords}, {"subject", r.Subjects}, {"ISSN", r.ISSN}, {"ISBN", r.ISBN}} {
		for i, w := range list.words {
			if why := textFault(w); why != "" {
				wrong("the %s %q %s", list.name, w, why)
			}
			if w == "" || slices.Contains(list.words[:i], w) {
				wrong("the %s %q is empty or stands twice", list.name, w)
			}
		}
	}
	for _, g := range r.Funding {
		if g == (state.Grant{}) || textFault(g.Funder) != "" || textFault(g.Award) != "" {
			wrong("the grant %+v is empty or no plain text", g)
		}
	}
	faults = append(faults, idFaults(r.IDs)...)
	faults = append(faults, textFaults(r)...)
	return faults
}

// idFaults lists identifiers that are not in their normal form.
func idFaults(ids state.IDs) []string {
	normal := map[string]func(string) string{
		state.DOI:      state.NormalizeDOI,
		state.ArXiv:    func(s string) string { id, _ := state.NormalizeArXiv(s); return id },
		state.PMID:     state.NormalizePMID,
		state.PMCID:    state.NormalizePMCID,
		state.OpenAlex: state.NormalizeOpenAlex,
		state.S2:       state.NormalizeS2,
	}
	var faults []string
	for _, scheme := range state.Keys(ids) {
		id := ids[scheme]
		if f := normal[scheme]; id == "" || f != nil && f(id) != id {
			faults = append(faults, fmt.Sprintf("the %s %q is not in its normal form", scheme, id))
		}
	}
	if strings.HasPrefix(ids[state.DOI], "10.48550/arxiv.") {
		faults = append(faults, "an arXiv DOI stands as a DOI; it is the arXiv id")
	}
	return faults
}

// textFaults lists fields that are not plain, folded text.
func textFaults(r state.Record) []string {
	fields := []struct{ name, text string }{
		{"title", r.Title}, {"alternative title", r.AltTitle}, {"abstract", r.Abstract}, {"venue", r.Venue},
		{"type", r.Type}, {"version", r.Version}, {"language", r.Language}, {"volume", r.Volume},
		{"issue", r.Issue}, {"pages", r.Pages}, {"publisher", r.Publisher}, {"url", r.URL},
	}
	for _, a := range r.Authors {
		if a.Name == "" {
			fields = append(fields, struct{ name, text string }{"name of an author", "\x00"})
		}
		fields = append(fields,
			struct{ name, text string }{"name of an author", a.Name},
			struct{ name, text string }{"family name", a.Family},
			struct{ name, text string }{"given name", a.Given})
	}
	var faults []string
	for _, f := range fields {
		if why := textFault(f.text); why != "" {
			faults = append(faults, "the "+f.name+" "+why)
		}
	}
	if r.Type != strings.ToLower(r.Type) {
		faults = append(faults, "the type is not in lower case")
	}
	return faults
}

var markup = regexp.MustCompile(`</?(jats:)?(i|b|em|p|sub|sup|scp|sec|title|italic|bold|mml:[a-z]+)>|&(amp|lt|gt|quot|nbsp|#[0-9]+);`)

func textFault(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case strings.IndexFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) >= 0:
		return "is absent or holds a control character"
	case s != strings.TrimSpace(s) || strings.Contains(s, "  "):
		return "is not folded: white space at an end, or two spaces"
	case markup.MatchString(s):
		return "keeps markup: " + markup.FindString(s)
	}
	return ""
}
