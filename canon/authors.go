package canon

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

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
func SameAuthor(a, b state.Author) bool {
	n, m := parseName(a), parseName(b)
	return n.match(&m) == agree
}

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
	family     string // compact
	parts      string // of a double family name, without particles, separated by spaces; "" for a simple one
	given      string // letters only; for scripts that write both together the whole name
	initials   string
	loose      uint64 // hash of the family name in its loosest transliteration
	collective bool
	lost       bool // a "?" stands for a letter that an encoding lost
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
		list := runTogether(a)
		if list == nil {
			if n := parseName(a); n.family != "" {
				out = append(out, n)
			}
		}
		for _, one := range list {
			if n := parseName(one); n.family != "" {
				out = append(out, n)
			}
		}
		if len(out) >= longestList {
			return out[:longestList]
		}
	}
	return out
}

var (
	joinedNames = regexp.MustCompile(`([\p{Lu}]\.)\s?([\p{Lu}][\p{L}'’-]*[\p{Ll}])`)
	familyFirst = regexp.MustCompile(`^[\p{L}'’ -]*[\p{L}'’-]{2,}(\s+\p{Lu}\.?){1,4}\s*$`)
)

// runTogether splits an entry that holds several names and gives nil for any
// other: "Adeli K.Lewis G. F.", which EndNote exports with lost separators,
// "Smith J; Lee K", "Ann Weber, Bo Ito, Kim Lee".
func runTogether(a state.Author) []state.Author {
	if a.Family != "" || a.Collective || len(a.Name) > longestRun {
		return nil
	}
	if strings.Contains(a.Name, ";") && !strings.Contains(a.Name, "&") {
		return entries(strings.Split(a.Name, ";"))
	}
	if strings.Count(a.Name, ",") >= 2 {
		if pieces := strings.Split(a.Name, ","); fullNames(pieces) {
			return entries(pieces)
		}
	}
	if strings.Contains(a.Name, ",") || strings.Count(a.Name, ".") < 2 {
		return nil
	}
	pieces := strings.Split(joinedNames.ReplaceAllString(a.Name, "$1\x00$2"), "\x00")
	out := make([]state.Author, 0, len(pieces))
	for _, p := range pieces {
		if !familyFirst.MatchString(strings.ReplaceAll(p, ".", ". ")) {
			return nil
		}
		out = append(out, state.Author{Name: p})
	}
	return out
}

// entries makes one author of each piece that is not empty.
func entries(pieces []string) []state.Author {
	var out []state.Author
	for _, p := range pieces {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, state.Author{Name: p})
		}
	}
	return out
}

// fullNames reports whether every piece reads as a given and a family name.
func fullNames(pieces []string) bool {
	for _, p := range pieces {
		words := strings.Fields(p)
		if len(words) < 2 || len(words) > 4 || suffixes[strings.Trim(fold(words[len(words)-1]), ".")] || initialWord(words[len(words)-1], false) {
			return false
		}
	}
	return true
}

func parseName(a state.Author) name {
	raw := strip(capped(a.Name, longestName))
	family, given := strip(capped(a.Family, longestName)), strip(capped(a.Given, longestName))
	if raw == "" {
		raw = strings.TrimSpace(given + " " + family)
	}
	folded := fold(raw)
	if nobody[strings.Trim(folded, ".,[]&; ")] || !strings.ContainsFunc(raw, unicode.IsLetter) {
		return name{}
	}
	if a.Collective || family == "" && collectiveName(folded) {
		key := titleKey(strings.TrimPrefix(raw, "CORPORATE ")) // the mark of the ACM Digital Library
		n := name{family: compact(key), collective: true, script: scriptOf(key)}
		n.loose = wordHash(n.family)
		return n
	}
	if family == "" {
		family, given = splitName(raw)
	}
	n := name{script: scriptOf(family)}
	fam := fold(family)
	if n.script == 'h' {
		n.given = strings.Join(strings.Fields(fold(family+given)), "")
		n.family = strings.Join(strings.Fields(fam), "")
		n.loose = wordHash(n.family)
		return n
	}
	n.lost = lostLetter(fam)
	parts := familyParts(fam, n.lost)
	n.family = strings.Join(parts, "")
	if len(parts) > 1 {
		n.parts = strings.Join(parts, " ")
	}
	n.loose = wordHash(loose(n.family))
	n.given = lettersOnly(fold(given))
	n.initials = initialsOf(given)
	return n
}

// lostLetter reports whether a "?" or the replacement character stands within a
// word or before one, as encodings leave it: "B?hlen", "?zsu".
func lostLetter(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '?' && i+1 < len(s) && (letter(s[i+1]) || s[i+1] == '?') || strings.HasPrefix(s[i:], "\uFFFD") {
			return true
		}
	}
	return false
}

var nobody = setOf("na n/a none anonymous anon unknown other others null nan unlisted")

var collectiveWords = setOf(`group consortium collaboration committee team network society association organization organisation institute
	university foundation investigators initiative openai deepmind department ministry office council college agency commission
	federation center centre academy union bank trial study project inc ltd corporation hospital laboratory federal national working`)

func collectiveName(folded string) bool {
	for w := range strings.FieldsSeq(folded) {
		if len(w) > 2 && collectiveWords[strings.Trim(w, ".,;()")] {
			return true
		}
	}
	return false
}

// splitName finds the family name in a display name.
func splitName(s string) (family, given string) {
	if f, g, ok := strings.Cut(s, ","); ok {
		if strings.TrimSpace(f) != "" && !suffixes[strings.Trim(fold(g), " .")] {
			g, _, _ = strings.Cut(g, ",")
			return strings.TrimSpace(f), strings.TrimSpace(g)
		}
		s = f
	}
	words := strings.Fields(s)
	for len(words) > 1 && suffixes[strings.Trim(fold(words[len(words)-1]), ".")] {
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
	for k > 1 && particles[fold(words[k-1])] {
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

func familyParts(folded string, lost bool) []string {
	if lost {
		folded = strings.ReplaceAll(folded, "\uFFFD", "?")
	}
	if !lost && !strings.ContainsFunc(folded, func(r rune) bool { return r < 'a' || r > 'z' }) && !particles[folded] && !suffixes[folded] && folded != "" {
		return []string{folded}
	}
	words := strings.FieldsFunc(strings.ReplaceAll(folded, "'", ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !(lost && r == '?') })
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
			b.WriteString(fold(w))
			continue
		}
		r, _ := utf8.DecodeRuneInString(fold(w))
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
func (n *name) match(m *name) tri {
	switch {
	case n.family == "" || m.family == "" || n.collective != m.collective || n.script != m.script:
		return unknown
	case n.collective:
		return triOf(n.family == m.family || strings.Contains(n.family, m.family) || strings.Contains(m.family, n.family))
	case n.script == 'h':
		return triOf(n.given == m.given || n.given == m.family || m.given == n.family)
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

func sameFamily(n, m *name) bool {
	if n.loose == m.loose || n.family == m.family {
		return true
	}
	if n.lost || m.lost {
		return fits(n.family, m.family) || fits(m.family, n.family)
	}
	if partOf(n, m) || partOf(m, n) {
		return true
	}
	return min(len(n.family), len(m.family)) >= 6 && oneEdit(n.family, m.family)
}

// fits reports whether s matches a pattern in which "?" stands for one or two
// letters.
func fits(pattern, s string) bool {
	i := strings.IndexByte(pattern, '?')
	if i < 0 {
		return pattern == s
	}
	if !strings.HasPrefix(s, pattern[:i]) || i == len(s) {
		return false
	}
	for k := 1; k <= 2 && i+k <= len(s); k++ {
		if fits(pattern[i+1:], s[i+k:]) {
			return true
		}
	}
	return false
}

// oneEdit reports whether two words differ by at most one letter, or by two
// neighbouring letters exchanged.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > utf8.UTFMax {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < len(a)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	x, y := a[i:len(a)-j], b[i:len(b)-j]
	switch {
	case x == "" || len(x) == 1:
		return utf8.RuneCountInString(y) <= 1
	case len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]:
		return true
	}
	return utf8.RuneCountInString(x) <= 1 && utf8.RuneCountInString(y) <= 1 || levenshtein.ComputeDistance(a, b) <= 1
}

// partOf reports whether n is the first or last part of the double name m.
func partOf(n, m *name) bool {
	return m.parts != "" && len(n.family) >= 3 && len(n.family) < len(m.parts) &&
		(strings.HasPrefix(m.parts, n.family) && m.parts[len(n.family)] == ' ' ||
			strings.HasSuffix(m.parts, n.family) && m.parts[len(m.parts)-len(n.family)-1] == ' ')
}

// loose levels the ways of transliterating umlauts and Slavic names.
func loose(s string) string {
	for i := range len(s) {
		if c := s[i]; c == 'j' || c == 'y' || c == 'w' || i > 0 && levelled(s[i-1], c) {
			return looser.Replace(looser.Replace(s))
		}
	}
	return s
}

// levelled reports whether two letters begin a pattern of looser or stand in it.
func levelled(a, b byte) bool {
	switch b {
	case 'e':
		return a == 'a' || a == 'o' || a == 'u'
	case 'a', 'i', 's':
		return a == b || b == 's' && (a == 'k' || a == 't')
	case 'h':
		return a == 'k' || a == 's'
	case 'z':
		return a == 't'
	}
	return false
}

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
func shortened(n, m *name) bool {
	return strings.Count(n.parts, " ") != strings.Count(m.parts, " ") && (strings.Contains(n.initials, m.initials) || strings.Contains(m.initials, n.initials))
}

// shared is the comparison of two author lists.
type shared struct {
	first   tri // first author against first author
	shared  int // authors found in both
	smaller int // length of the shorter list; 0 = a list is missing
	larger  int
	compare int // pairs that could be compared
}

func overlap(a, b []name) shared {
	o := shared{}
	if len(a) == 0 || len(b) == 0 {
		return o
	}
	o.smaller, o.larger = min(len(a), len(b)), max(len(a), len(b))
	o.first = a[0].match(&b[0])
	if len(a) > len(b) {
		a, b = b, a
	}
	var used [longestList]bool
	for i := range a {
		// Lists mostly keep their order, so look at the same place first.
		for k := range b {
			j := i + k
			if j >= len(b) {
				j -= len(b)
			}
			if used[j] {
				continue
			}
			m := a[i].match(&b[j])
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

// all reports whether both lists name the same people.
func (o shared) all() bool { return o.smaller > 0 && o.shared == o.smaller && o.smaller == o.larger }

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
