package sandbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// Spellings. Services do not write titles and names alike; which work is
// written how is fixed by its id.

// titleIn is the title as a service writes it: the library's own spelling for
// the service if there is one, else the title with the habits of the service.
func titleIn(source string, w *Work) string {
	if t := w.Titles[source]; t != "" {
		return t
	}
	t := w.Title
	switch source {
	case OpenAlex:
		t = strings.ReplaceAll(t, "'", "\u2019")
		if share(w.ID, "openalex hyphen", 15) {
			t = hyphens(t)
		}
	case Crossref:
		switch {
		case share(w.ID, "crossref hyphen", 25):
			t = hyphens(t)
		case share(w.ID, "crossref capitals", 25):
			t = capitals(t)
		}
	case SemanticScholar:
		if share(w.ID, "s2 case", 25) {
			t = sentenceCase(t)
		}
	case PubMed, EuropePMC:
		if !strings.HasSuffix(t, "?") && !strings.HasSuffix(t, ".") && !strings.HasSuffix(t, "!") {
			t += "."
		}
	}
	return t
}

// hyphens writes the hyphen inside words as U+2010.
func hyphens(s string) string {
	rs := []rune(s)
	for i, r := range rs {
		if r == '-' && i > 0 && i+1 < len(rs) && unicode.IsLetter(rs[i-1]) && unicode.IsLetter(rs[i+1]) {
			rs[i] = '\u2010'
		}
	}
	return string(rs)
}

// sentenceCase lowers the first letter of words, but for the first of the
// title and of the subtitle and for words with other capitals or digits.
func sentenceCase(s string) string {
	return eachWord(s, func(word string, first bool) string {
		if first || strings.ToLower(word[1:]) != word[1:] || utf8.RuneCountInString(word) < 2 {
			return word
		}
		return strings.ToLower(word)
	})
}

// capitals raises the first letter of the words that are long enough.
func capitals(s string) string {
	return eachWord(s, func(word string, _ bool) string {
		if len(word) < 4 || word[0] >= utf8.RuneSelf {
			return word
		}
		return strings.ToUpper(word[:1]) + word[1:]
	})
}

// eachWord applies a change to the words that begin with an ASCII letter.
// first is the first word, or the first after a colon.
func eachWord(s string, change func(word string, first bool) string) string {
	parts := strings.Split(s, " ")
	first := true
	for i, p := range parts {
		if p != "" && p[0] < utf8.RuneSelf && unicode.IsLetter(rune(p[0])) {
			parts[i] = change(p, first)
		}
		first = strings.HasSuffix(p, ":")
	}
	return strings.Join(parts, " ")
}

// shortName is an author as Semantic Scholar often writes one: initials and
// family name, without accents.
func shortName(w *Work, author string) string {
	n := split(author)
	if share(w.ID+n.family, "initials", 35) && n.given != "" {
		// The first initial alone, as in "I. Polosukhin".
		r, _ := utf8.DecodeRuneInString(n.given)
		return plain(string(r) + ". " + n.family)
	}
	if share(w.ID, "plain names", 50) {
		return plain(n.full())
	}
	return n.full()
}

// plain removes accents and keeps capitals.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		folded := text.Fold(string(r))
		if utf8.RuneCountInString(folded) != 1 {
			return r
		}
		f, _ := utf8.DecodeRuneInString(folded)
		if unicode.IsUpper(r) {
			return unicode.ToUpper(f)
		}
		return f
	}, s)
}
