package canon

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Surname gives the family name of an author in the form in which names are
// compared: folded, without particles ("van der"), generational suffixes and
// hyphens. It reads "Family, Given", "Given Family", "Family GI" and names in
// Han, Hangul or kana (the family name stands first). The name of a group comes
// back whole; "" means that there is no name.
func Surname(a state.Author) string { return parseName(a).family }

// SameAuthor reports whether two author entries may be one person or group:
// family names agree up to spelling and no initial contradicts.
func SameAuthor(a, b state.Author) bool { return parseName(a).match(parseName(b)) == agree }

// AuthorOverlap gives how many authors two lists share, and the share of the
// shorter list that this is; 0, 0 when a list is empty.
func AuthorOverlap(a, b []state.Author) (shared int, share float64) {
	o := overlap(parseNames(a), parseNames(b))
	if o.smaller == 0 {
		return 0, 0
	}
	return o.shared, float64(o.shared) / float64(o.smaller)
}

// tri is the outcome of comparing facts that may be missing.
type tri int8

const (
	differ  tri = -1
	unknown tri = 0
	agree   tri = 1
)

type name struct {
	family     string   // compact
	parts      []string // of the family name, without particles
	full       string   // for scripts that write family and given name together
	initials   string
	given      string
	collective bool
	script     byte // 'l' Latin, 'c' Cyrillic or Greek, 'h' Han and neighbours, 'o' other
}

// longestList bounds the authors compared: what decides stands at the front of
// a list, and some lists have three thousand names.
const longestList = 60

// longestName is the part of a name that is looked at, in bytes. An entry that
// holds a whole run-together list may be longer, see runTogether.
const (
	longestName = 300
	longestRun  = 6000
)

func parseNames(as []state.Author) []name {
	out := make([]name, 0, min(len(as), longestList))
	for _, a := range as {
		for _, one := range runTogether(a) {
			if n := parseName(one); n.family != "" {
				out = append(out, n)
			}
		}
		if len(out) >= longestList {
			break
		}
	}
	return out
}

var (
	joinedNames = regexp.MustCompile(`([\p{Lu}]\.)\s?([\p{Lu}][\p{L}'’-]*[\p{Ll}])`)
	familyFirst = regexp.MustCompile(`^[\p{L}'’ -]*[\p{L}'’-]{2,}(\s+\p{Lu}\.?){1,4}\s*$`)
)

// runTogether splits an entry such as "Adeli K.Lewis G. F.", which EndNote
// exports with lost separators.
func runTogether(a state.Author) []state.Author {
	if a.Family != "" || a.Collective || strings.Contains(a.Name, ",") || strings.Count(a.Name, ".") < 2 || len(a.Name) > longestRun {
		return []state.Author{a}
	}
	pieces := strings.Split(joinedNames.ReplaceAllString(a.Name, "$1\x00$2"), "\x00")
	out := make([]state.Author, 0, len(pieces))
	for _, p := range pieces {
		if !familyFirst.MatchString(strings.ReplaceAll(p, ".", ". ")) {
			return []state.Author{a}
		}
		out = append(out, state.Author{Name: p})
	}
	return out
}

func parseName(a state.Author) name {
	raw := strings.TrimSpace(text.Strip(capped(a.Name, longestName)))
	family, given := text.Strip(capped(a.Family, longestName)), text.Strip(capped(a.Given, longestName))
	if raw == "" {
		raw = strings.TrimSpace(given + " " + family)
	}
	if nobody[strings.Trim(text.Fold(raw), ".,[]&; ")] || !strings.ContainsFunc(raw, unicode.IsLetter) {
		return name{}
	}
	if a.Collective || family == "" && collectiveName(raw) {
		key := text.TitleKey(raw)
		return name{family: strings.ReplaceAll(key, " ", ""), collective: true, script: scriptOf(key)}
	}
	if family == "" {
		family, given = splitName(raw)
	}
	n := name{script: scriptOf(family)}
	fam := text.Fold(family)
	if n.script == 'h' {
		n.full = strings.Join(strings.Fields(text.Fold(family+given)), "")
		n.family = strings.Join(strings.Fields(fam), "")
		n.parts = []string{n.family}
		return n
	}
	n.parts = familyParts(fam)
	n.family = strings.Join(n.parts, "")
	n.given = lettersOnly(text.Fold(given))
	n.initials = initialsOf(given)
	return n
}

var nobody = setOf("na n/a none anonymous anon unknown other others null nan unlisted")

var collectiveWords = setOf(`group consortium collaboration committee team network society association organization organisation institute
	university foundation investigators initiative openai deepmind department ministry office council college agency commission
	federation center centre academy union bank trial study project inc ltd corporation hospital laboratory federal national working`)

func collectiveName(s string) bool {
	for _, w := range strings.Fields(text.Fold(s)) {
		if collectiveWords[strings.Trim(w, ".,;()")] {
			return true
		}
	}
	return false
}

// splitName finds the family name in a display name.
func splitName(s string) (family, given string) {
	if f, g, ok := strings.Cut(s, ","); ok {
		if strings.TrimSpace(f) != "" && !suffixes[strings.Trim(text.Fold(g), " .")] {
			g, _, _ = strings.Cut(g, ",")
			return strings.TrimSpace(f), strings.TrimSpace(g)
		}
		s = f
	}
	words := strings.Fields(s)
	for len(words) > 1 && suffixes[strings.Trim(text.Fold(words[len(words)-1]), ".")] {
		words = words[:len(words)-1]
	}
	if scriptOf(s) == 'h' {
		return splitUnspaced(words)
	}
	if len(words) < 2 {
		return s, ""
	}
	upper := !strings.ContainsFunc(s, unicode.IsLower)
	k := len(words)
	for k > 1 && initialWord(words[k-1], upper) {
		k--
	}
	if k < len(words) && !initialWord(words[0], upper) {
		return strings.Join(words[:k], " "), strings.Join(words[k:], " ")
	}
	k = len(words) - 1
	for k > 1 && particles[text.Fold(words[k-1])] {
		k--
	}
	return strings.Join(words[k:], " "), strings.Join(words[:k], " ")
}

func splitUnspaced(words []string) (family, given string) {
	if len(words) > 1 {
		return words[0], strings.Join(words[1:], "")
	}
	rs := []rune(words[0])
	k := 1
	if len(rs) > 2 && compoundSurnames[string(rs[:2])] {
		k = 2
	}
	return string(rs[:k]), string(rs[k:])
}

var compoundSurnames = setOf("欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 夏侯 东方 皇甫 尉迟 公孙 慕容 令狐 宇文 长孙 司徒 南宮 남궁 황보 제갈 선우 독고")

var particles = setOf("van von vom der den de del della di da do dos das du la le lo ten ter te el al bin ibn af av zu zur zum st y e i")

var suffixes = setOf("jr sr ii iii iv phd md dr msc bsc mph esq frcp facs mbbs dds rn")

func initialWord(w string, upper bool) bool {
	letters := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '‐' {
			return -1
		}
		return r
	}, w)
	n := utf8.RuneCountInString(letters)
	if n == 0 || strings.ContainsFunc(letters, func(r rune) bool { return !unicode.IsUpper(r) }) {
		return false
	}
	return n == 1 || strings.Contains(w, ".") && n <= 4 || !upper && n <= 3
}

func familyParts(folded string) []string {
	words := strings.FieldsFunc(strings.ReplaceAll(folded, "'", ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	var parts []string
	for _, w := range words {
		if !particles[w] && !suffixes[w] {
			parts = append(parts, w)
		}
	}
	if len(parts) == 0 {
		return words
	}
	return parts
}

func initialsOf(given string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(given, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".-‐,", r) }) {
		if initialWord(w, false) {
			b.WriteString(text.Fold(w))
			continue
		}
		r, _ := utf8.DecodeRuneInString(text.Fold(w))
		if unicode.IsLetter(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func lettersOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s)
}

func scriptOf(s string) byte {
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
		case r < 0x0370:
			return 'l'
		case r < 0x0530:
			return 'c'
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
			return 'h'
		default:
			return 'o'
		}
	}
	return 'l'
}

// match compares two names. Names in different scripts and a group beside a
// person say nothing.
func (n name) match(m name) tri {
	switch {
	case n.family == "" || m.family == "" || n.collective != m.collective || n.script != m.script:
		return unknown
	case n.collective:
		return triOf(n.family == m.family || strings.Contains(n.family, m.family) || strings.Contains(m.family, n.family))
	case n.script == 'h':
		return triOf(n.full == m.full || n.full == m.family || m.full == n.family)
	case sameFamily(n, m):
		return triOf(initialsAgree(n.initials, m.initials) || shortened(n, m))
	}
	// "Wei Chen" and "Chen Wei": family and given name exchanged.
	return triOf(n.given != "" && m.given != "" && n.family == m.given && m.family == n.given)
}

func triOf(same bool) tri {
	if same {
		return agree
	}
	return differ
}

func sameFamily(n, m name) bool {
	if n.family == m.family || loose(n.family) == loose(m.family) {
		return true
	}
	if partOf(n, m) || partOf(m, n) {
		return true
	}
	return min(len(n.family), len(m.family)) >= 6 && levenshtein.ComputeDistance(n.family, m.family) <= 1
}

// partOf reports whether n is the first or last part of the double name m.
func partOf(n, m name) bool {
	return len(m.parts) > 1 && len(n.family) >= 3 && (m.parts[0] == n.family || m.parts[len(m.parts)-1] == n.family)
}

// loose levels the ways of transliterating umlauts and Slavic names.
func loose(s string) string { return looser.Replace(looser.Replace(s)) }

var looser = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "aa", "a", "kh", "h", "iy", "i", "yi", "i", "yu", "u", "ju", "u",
	"ya", "a", "ja", "a", "ye", "e", "ii", "i", "j", "i", "y", "i", "ks", "x", "shch", "sch", "tz", "z", "ts", "z", "w", "v", "ss", "s")

// initialsAgree compares first initials; a missing one says nothing.
func initialsAgree(a, b string) bool {
	if a == "" || b == "" {
		return true
	}
	x, _ := utf8.DecodeRuneInString(a)
	y, _ := utf8.DecodeRuneInString(b)
	return x == y || strings.ContainsRune(a, y) && strings.ContainsRune(b, x)
}

// shortened reports whether one entry of a double family name took the other's
// first part for a given name ("Garcia Lopez, M" and "Lopez, M Garcia").
func shortened(n, m name) bool {
	return len(n.parts) != len(m.parts) && (strings.Contains(n.initials, m.initials) || strings.Contains(m.initials, n.initials))
}

// shared is the comparison of two author lists.
type shared struct {
	first   tri // first author against first author
	shared  int // authors found in both
	smaller int // length of the shorter list; 0 = a list is missing
	compare int // pairs that could be compared
}

func overlap(a, b []name) shared {
	o := shared{}
	if len(a) == 0 || len(b) == 0 {
		return o
	}
	o.smaller = min(len(a), len(b))
	o.first = a[0].match(b[0])
	if len(a) > len(b) {
		a, b = b, a
	}
	used := make([]bool, len(b))
	for _, x := range a {
		for j, y := range b {
			if used[j] {
				continue
			}
			m := x.match(y)
			if m != unknown {
				o.compare++
			}
			if m == agree {
				used[j] = true
				o.shared++
				break
			}
		}
	}
	return o
}

// verdict says whether the lists agree: the same first author, or at least half
// of the shorter list shared.
func (o shared) verdict() tri {
	switch {
	case o.smaller == 0 || o.compare == 0 && o.first == unknown:
		return unknown
	case o.first == agree || o.shared > 0 && 2*o.shared >= o.smaller:
		return agree
	}
	return differ
}
