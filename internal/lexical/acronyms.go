package lexical

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"optimistresearch/internal/text"
)

//go:embed acronyms.txt
var acronymList string

// acronym is a short form and the stems of its long form, stop words left out.
type acronym struct {
	short string
	long  []string
}

// generalAcronyms are those of acronyms.txt, sorted by short form.
var generalAcronyms = sync.OnceValue(func() []acronym {
	var out []acronym
	for line := range strings.Lines(acronymList) {
		short, long, ok := strings.Cut(line, "=")
		if ok && !strings.HasPrefix(line, "#") {
			out = append(out, acronym{text.Fold(short), stems(long)})
		}
	}
	slices.SortFunc(out, func(x, y acronym) int { return cmp.Compare(x.short, y.short) })
	return out
})

// acronyms collects definitions such as "large language model (LLM)" from
// documents. The most frequent long form of a short form counts, ties by
// alphabet, so the order of the documents does not matter.
type acronyms struct {
	seen map[string]map[string]int // short form, stems of the long form joined, times
}

func newAcronyms() *acronyms { return &acronyms{seen: map[string]map[string]int{}} }

// longestAcronym bounds what is taken for a short form, in characters.
const longestAcronym = 8

// learn notes the definitions in s. It follows Schwartz and Hearst (2003).
func (a *acronyms) learn(s string) {
	for at := 0; ; {
		open := strings.IndexByte(s[at:], '(')
		if open < 0 {
			return
		}
		open += at
		at = open + 1
		end := strings.IndexByte(s[at:min(len(s), at+120)], ')')
		if end < 0 {
			continue
		}
		inner := strings.TrimSpace(s[at : at+end])
		if i := strings.IndexAny(inner, ",;"); i > 0 {
			inner = strings.TrimSpace(inner[:i])
		}
		before := s[max(0, open-160):open]
		if isShortForm(inner) {
			a.note(inner, lastWords(before, min(len(inner)+5, 2*len(inner))))
			continue
		}
		if words := strings.Fields(before); len(words) > 0 && isShortForm(words[len(words)-1]) {
			a.note(words[len(words)-1], inner)
		}
	}
}

func isShortForm(s string) bool {
	upper, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-':
			other++
		default:
			return false
		}
	}
	return upper >= 2 && upper+other <= longestAcronym && other <= upper
}

func lastWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[max(0, len(words)-n):], " ")
}

// note matches the letters of a short form from right to left against a long
// form and keeps the definition if all are found, the first at the beginning of
// a word.
func (a *acronyms) note(short, long string) {
	sf := []rune(strings.ToLower(strings.TrimSuffix(short, "s")))
	lf := []rune(strings.ToLower(long))
	l := len(lf) - 1
	for k := len(sf) - 1; k >= 0; k-- {
		if !unicode.IsLetter(sf[k]) && !unicode.IsDigit(sf[k]) {
			continue
		}
		for l >= 0 && (lf[l] != sf[k] || k == 0 && l > 0 && (unicode.IsLetter(lf[l-1]) || unicode.IsDigit(lf[l-1]))) {
			l--
		}
		if l < 0 {
			return
		}
		l--
	}
	form := stems(string(lf[l+1:]))
	key := stem(text.Fold(short))
	if len(form) < 2 || len(form) > 6 || slices.Contains(form, key) {
		return
	}
	if a.seen[key] == nil {
		a.seen[key] = map[string]int{}
	}
	a.seen[key][strings.Join(form, " ")]++
}

// pairs gives the acronyms known, those of the documents first.
func (a *acronyms) pairs() []acronym {
	out := make([]acronym, 0, len(a.seen))
	for _, short := range sortedKeys(a.seen) {
		best, most := "", 0
		for _, long := range sortedKeys(a.seen[short]) {
			if n := a.seen[short][long]; n > most {
				best, most = long, n
			}
		}
		out = append(out, acronym{short, strings.Fields(best)})
	}
	for _, g := range generalAcronyms() {
		if a.seen[g.short] == nil {
			out = append(out, g)
		}
	}
	return out
}
