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

// Bounds of a definition: characters of a short form, and bytes looked at around
// a parenthesis.
const (
	longestAcronym    = 8
	longestDefinition = 160
)

// learn notes the definitions in s and gives them back, so that they can be
// forgotten. It follows Schwartz and Hearst (2003).
func (a *acronyms) learn(s string) []acronym {
	var defined []acronym
	for at := 0; ; {
		open := strings.IndexByte(s[at:], '(')
		if open < 0 {
			break
		}
		open += at
		at = open + 1
		end := strings.IndexByte(s[at:min(len(s), at+longestDefinition)], ')')
		if end < 0 {
			continue
		}
		inner := strings.TrimSpace(s[at : at+end])
		if i := strings.IndexAny(inner, ",;"); i > 0 {
			inner = strings.TrimSpace(inner[:i])
		}
		before := strings.ToValidUTF8(s[max(0, open-longestDefinition):open], "")
		var d acronym
		ok := false
		if isShortForm(inner) {
			d, ok = definition(inner, lastWords(before, min(len(inner)+5, 2*len(inner))))
		} else if words := strings.Fields(before); len(words) > 0 && isShortForm(words[len(words)-1]) {
			d, ok = definition(words[len(words)-1], inner)
		}
		if ok {
			defined = append(defined, d)
		}
	}
	for _, d := range defined {
		if a.seen[d.short] == nil {
			a.seen[d.short] = map[string]int{}
		}
		a.seen[d.short][strings.Join(d.long, " ")]++
	}
	return defined
}

// forget takes back definitions that learn gave.
func (a *acronyms) forget(defined []acronym) {
	for _, d := range defined {
		long := strings.Join(d.long, " ")
		if a.seen[d.short][long]--; a.seen[d.short][long] <= 0 {
			delete(a.seen[d.short], long)
		}
		if len(a.seen[d.short]) == 0 {
			delete(a.seen, d.short)
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

// definition matches the letters of a short form from right to left against a
// long form; all must be found, the first at the beginning of a word.
func definition(short, long string) (acronym, bool) {
	sf := []rune(strings.ToLower(strings.TrimSuffix(short, "s")))
	lf := []rune(strings.ToLower(long))
	l := len(lf) - 1
	for k := len(sf) - 1; k >= 0; k-- {
		if !letterOrDigit(sf[k]) {
			continue
		}
		for l >= 0 && (lf[l] != sf[k] || k == 0 && l > 0 && letterOrDigit(lf[l-1])) {
			l--
		}
		if l < 0 {
			return acronym{}, false
		}
		l--
	}
	form := stems(string(lf[l+1:]))
	key := stem(text.Fold(short))
	if len(form) < 2 || len(form) > 6 || key == "" || strings.Contains(key, " ") || slices.Contains(form, key) {
		return acronym{}, false
	}
	return acronym{key, form}, true
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
