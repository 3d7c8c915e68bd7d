package europepmc

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// title reads a title: without the full stop that MEDLINE puts behind it, and
// without the brackets around one that was translated.
func title(s scalar) (t string, translated bool) {
	t = field(s, longTitle)
	if inner, ok := strings.CutPrefix(strings.TrimSuffix(t, "."), "["); ok && strings.HasSuffix(inner, "]") {
		inner = strings.TrimSuffix(inner, "]")
		if !strings.ContainsAny(inner, "[]") {
			t, translated = strings.TrimSpace(inner), true
		}
	}
	// One full stop, unless it belongs to an ellipsis or an abbreviation.
	last := t[strings.LastIndexByte(t, ' ')+1:]
	if strings.HasSuffix(t, ".") && strings.Count(last, ".") == 1 {
		t = strings.TrimSpace(strings.TrimSuffix(t, "."))
	}
	return t, translated
}

var (
	// sectionTitle is the heading of a part of a structured abstract.
	sectionTitle = regexp.MustCompile(`(?is)<h[1-6][^>]*>(.*?)</h[1-6]>`)
	// aloneHeading opens abstracts that are not structured.
	aloneHeading = regexp.MustCompile(`(?i)^(abstract|summary)$`)
)

// abstract is the text of an abstract, which holds HTML in a third of the
// records: headings end in a colon, a heading "Abstract" goes.
func abstract(s string) (plain string, synopsis bool) {
	if len(s) > 16*longAbstract {
		s = strings.ToValidUTF8(s[:16*longAbstract], "")
	}
	s = sectionTitle.ReplaceAllStringFunc(s, func(h string) string {
		words := strings.TrimRight(text.OneLine(text.Strip(sectionTitle.FindStringSubmatch(h)[1])), ":. ")
		if words == "" || aloneHeading.MatchString(words) {
			return " "
		}
		return " " + words + ": "
	})
	plain = text.Truncate(text.OneLine(text.Strip(s)), longAbstract)
	return state.CutSynopsis(plain)
}

// telling are the publication types that say most about a work, best first.
var telling = []string{
	"retracted publication", "retraction of publication", "retraction notice", "expression of concern", "published erratum", "correction",
	"preprint", "systematic review", "systematic-review", "meta-analysis", "network meta-analysis", "scoping review", "practice guideline", "guideline",
	"randomized controlled trial", "controlled clinical trial", "clinical trial protocol", "clinical trial", "observational study",
	"review", "review-article", "case reports", "case-report", "comment", "editorial", "letter", "news", "dataset", "journal article", "research-article",
}

// types are the publication types in lower case.
func (w *work) types() []string {
	var out []string
	for _, t := range w.Types.Type {
		out = append(out, strings.ToLower(field(t, longField)))
	}
	if len(out) == 0 {
		for t := range strings.SplitSeq(strings.ToLower(field(w.Type, longField)), ";") {
			out = append(out, strings.TrimSpace(t))
		}
	}
	return slices.DeleteFunc(out, func(t string) bool { return t == "" })
}

// kindWord is the publication type that says most.
func (w *work) kindWord() string {
	given := w.types()
	for _, t := range telling {
		if slices.Contains(given, t) {
			return t
		}
	}
	for _, t := range given {
		if !strings.HasPrefix(t, "research support") {
			return t
		}
	}
	return map[scalar]string{"PPR": "preprint", "ETH": "thesis", "PAT": "patent", "NBK": "book", "HIR": "guideline"}[w.Source]
}

func (w *work) kind() state.Kind {
	switch {
	case w.Source == "PPR" || slices.Contains(w.types(), "preprint"):
		return state.Preprint
	case slices.Contains([]scalar{"MED", "PMC"}, w.Source):
		return state.Published
	case cmp.Or(w.Journal.Journal.Title, w.JournalTitle) != "" && slices.Contains([]scalar{"AGR", "CBA", "CTX"}, w.Source):
		return state.Published
	}
	return state.Other // books, theses, patents, guidelines
}

// terms are the distinct plain values of a list.
func terms(list texts) []string {
	var out []string
	for _, t := range list {
		if s := field(t, longField); s != "" && !slices.Contains(out, s) && len(out) < mostTerms {
			out = append(out, s)
		}
	}
	return out
}

// subjects are the MeSH headings, each with its qualifiers where it has some,
// the major ones with a leading asterisk.
func (w *work) subjects() []string {
	var out []string
	add := func(name string, major bool) {
		if major {
			name = "*" + name
		}
		if !slices.Contains(out, name) && len(out) < mostTerms {
			out = append(out, name)
		}
	}
	for _, h := range w.MeSH.Heading {
		name := field(h.Name, longField)
		if name == "" {
			continue
		}
		qualified := false
		for _, q := range h.Qualifiers.Qualifier {
			if word := field(q.Name, longField); word != "" {
				add(name+"/"+word, yes(q.Major) || yes(h.Major))
				qualified = true
			}
		}
		if !qualified {
			add(name, yes(h.Major))
		}
	}
	return out
}

func (w *work) funding() []state.Grant {
	var out []state.Grant
	for _, g := range w.Grants.Grant {
		one := state.Grant{Funder: field(g.Agency, longField), Award: field(g.ID, longField)}
		if one != (state.Grant{}) && !slices.Contains(out, one) && len(out) < mostTerms {
			out = append(out, one)
		}
	}
	return out
}

var (
	issnShape = regexp.MustCompile(`[0-9]{4}-[0-9]{3}[0-9Xx]`)
	isbnShape = regexp.MustCompile(`^(97[89])?[0-9]{9}[0-9X]$`)
)

func issns(given ...string) []string {
	var out []string
	for _, g := range given {
		for _, issn := range issnShape.FindAllString(g[:min(len(g), longField)], -1) {
			if issn = strings.ToUpper(issn); !slices.Contains(out, issn) {
				out = append(out, issn)
			}
		}
	}
	return out
}

func isbns(given ...string) []string {
	var out []string
	for _, g := range given {
		g = strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(g))
		if isbnShape.MatchString(g) && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// languages are the codes of MEDLINE by ISO 639-1.
var languages = map[string]string{
	"af": "afr", "ar": "ara", "az": "aze", "bg": "bul", "bs": "bos", "ca": "cat", "cs": "cze", "da": "dan", "de": "ger", "el": "gre",
	"en": "eng", "es": "spa", "et": "est", "eu": "baq", "fa": "per", "fi": "fin", "fr": "fre", "gl": "glg", "he": "heb", "hi": "hin",
	"hr": "hrv", "hu": "hun", "hy": "arm", "id": "ind", "is": "ice", "it": "ita", "ja": "jpn", "ka": "geo", "ko": "kor", "la": "lat",
	"lt": "lit", "lv": "lav", "mk": "mac", "ms": "may", "nl": "dut", "no": "nor", "pl": "pol", "pt": "por", "ro": "rum", "ru": "rus",
	"sk": "slo", "sl": "slv", "sq": "alb", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "chi",
}

// language is the ISO 639-1 code of a language of a record, or what the record
// says.
func language(s scalar) string {
	given := strings.ToLower(field(s, 20))
	for short, long := range languages {
		if long == given {
			return short
		}
	}
	return given
}
