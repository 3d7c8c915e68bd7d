package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// Quality is what the automatic test found in a text.
type Quality struct {
	// Score is between 0 (no text, or none that can be read) and 1.
	Score float64 `json:"score"`
	// Letters drawn, and the share of them whose meaning the file does not tell.
	Letters  int     `json:"letters"`
	Unmapped float64 `json:"unmapped"`
	// LongWords is the share of letters in words of more than 28 letters, a sign
	// of lost spaces; ShortWords that in words of one letter, a sign of false
	// ones.
	LongWords  float64 `json:"long_words"`
	ShortWords float64 `json:"short_words"`
	// Function is the share of function words (the, of, and …) among the words,
	// for the scripts and languages that have them.
	Function float64 `json:"function_words"`
}

// Good is the score from which a text is taken without trying another reader.
const Good = 0.9

// assess measures the words of a text. It knows no dictionary: it asks whether
// letters are known, whether spaces stand where a language has them, and whether
// the commonest words of the language are there.
func assess(pages []page, d *Doc) (q Quality) {
	un := 0
	for _, p := range pages {
		for _, g := range p.glyphs {
			if strings.TrimSpace(g.text) == "" {
				continue
			}
			q.Letters++
			if g.style&unmapped != 0 {
				un++
			}
		}
	}
	if q.Letters == 0 {
		return q
	}
	q.Unmapped = float64(un) / float64(q.Letters)
	var b strings.Builder
	b.WriteString(d.Title + " " + d.Abstract + " ")
	for _, s := range d.Sections {
		for _, p := range s.Paragraphs {
			b.WriteString(p.Text + " ")
		}
	}
	letters, long, short, words, function, latin := 0, 0, 0, 0, 0, 0
	for _, w := range strings.Fields(b.String()) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
		n := utf8.RuneCountInString(w)
		if n == 0 || strings.Contains(w, "/") || strings.Contains(w, "@") {
			continue
		}
		r, _ := utf8.DecodeRuneInString(w)
		if wideScript(r) {
			letters += n
			continue
		}
		words++
		letters += n
		switch {
		case n > 28 && !strings.Contains(w, "-"):
			long += n
		case n == 1:
			short++
		}
		if unicode.Is(unicode.Latin, r) {
			latin++
			if text.IsFunctionWord(strings.ToLower(w)) {
				function++
			}
		}
	}
	if letters > 0 {
		q.LongWords = float64(long) / float64(letters)
		q.ShortWords = float64(short) / float64(letters)
	}
	if latin > 0 {
		q.Function = float64(function) / float64(latin)
	}
	q.Score = 1 - min(1, 4*q.Unmapped)
	q.Score *= 1 - min(1, 5*max(0, q.LongWords-0.01))
	if words >= 100 {
		q.Score *= 1 - min(1, 4*max(0, q.ShortWords-0.06))
	}
	if latin >= 300 && q.Function < 0.2 && english(d) {
		q.Score *= max(0.5, q.Function/0.2)
	}
	return round(q)
}

func english(d *Doc) bool { return d.Language == "en" || d.Language == "" }

func round(q Quality) Quality {
	for _, p := range []*float64{&q.Score, &q.Unmapped, &q.LongWords, &q.ShortWords, &q.Function} {
		*p = float64(int(*p*1000+0.5)) / 1000
	}
	return q
}
