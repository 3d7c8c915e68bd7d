package canon

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"optimistresearch/internal/text"
)

// nearTitle is the similarity from which two titles may be the same, and
// looseTitle the one that an agreeing identifier asks for.
const (
	nearTitle  = 0.93
	looseTitle = 0.75
)

// longestTitle is the part of a title that is looked at, in bytes.
const longestTitle = 1500

// cutLength is the length from which a title may have been cut inside a word.
const cutLength = 60

// title is one title of a record, prepared for comparing. What only few
// comparisons need, such as its words, is made again from key and raw.
type title struct {
	raw       string
	key       string   // as text.TitleKey gives it, without cataloguers' additions
	numbers   string   // numeric signature, separated by spaces
	distinct  []uint64 // hashes of the words that tell works apart, ascending
	signature uint64   // one bit of each, to tell quickly that two titles share little
	hash      uint64   // of key without spaces
	size      int32    // of key without spaces
	notice    notice
	form      form
	latin     bool // mostly Latin letters
	cut       bool // a source cut it off
	tagged    bool // marked as a translation
	part      bool // one of two parallel titles
	column    bool // no word but those of standing columns
}

func newTitle(raw string) title {
	t := title{raw: raw}
	clean := t.clean()
	t.tagged = strings.ContainsAny(raw, "[(") && translation.MatchString(capped(raw, longestTitle))
	corrected := strings.HasSuffix(strings.TrimRight(clean, ". "), ")") && corrects.MatchString(clean)
	if corrected {
		clean = corrects.ReplaceAllString(clean, "")
	}
	if t.notice = noticeOf(clean); corrected && t.notice == "" {
		t.notice = erratum
	}
	if t.notice == erratum || t.notice == retracted {
		clean = noticed(clean)
	}
	clean, t.form = formOf(clean)
	t.key = titleKey(clean)
	t.hash, t.size = sized(t.key)
	t.latin = mostlyLatin(t.key)
	words := t.words()
	t.setDistinct(words)
	if mayHoldNumerals(t.key, words) {
		t.numbers = strings.Join(numerals(clean), " ")
	}
	t.cut = strings.HasSuffix(clean, "…") || strings.HasSuffix(clean, "...")
	return t
}

// setDistinct keeps the words that text.Distinctive keeps.
func (t *title) setDistinct(words []string) {
	t.column = true
	t.distinct = make([]uint64, 0, len(words))
	for _, w := range words {
		if len(w) < 2 || len(w) < 4 && w[0] <= '9' && strings.Trim(w, "0123456789.") == "" || text.IsStopword(w) || text.IsGenericWord(w) {
			continue
		}
		t.column = t.column && columnWords[w]
		t.distinct = append(t.distinct, wordHash(w))
	}
	t.column = t.column || genericTitles[t.key]
	slices.Sort(t.distinct)
	t.distinct = slices.Compact(t.distinct)
	if cap(t.distinct) > len(t.distinct)+4 {
		t.distinct = slices.Clone(t.distinct)
	}
	for _, h := range t.distinct {
		t.signature |= 1 << (h & 63)
	}
}

func sized(key string) (uint64, int32) {
	h, n := compactHash(key)
	return h, int32(n)
}

// clean is the title without markup and cataloguers' additions.
func (t *title) clean() string { return cleanTitle(t.raw) }

// words splits the key; scripts without spaces give pairs of characters.
func (t *title) words() []string {
	if t.latin {
		return strings.Fields(t.key)
	}
	return text.Tokens(t.key)
}

// parallel gives the two titles of an entry that holds the title twice, in two
// languages, as "Vivienda y ciudad / Housing and town" or "Wundauflagen bei
// Ulcus cruris [Wound dressings in leg ulcers]"; nil for any other.
func parallel(raw string) []string {
	if !strings.ContainsAny(raw, "[/=") {
		return nil
	}
	s := cleanTitle(raw)
	for _, sep := range [...]string{" / ", " = "} {
		if a, b, ok := strings.Cut(s, sep); ok && !strings.Contains(b, sep) && severalWords(a) && severalWords(b) {
			return []string{a, b}
		}
	}
	if i := strings.IndexByte(s, '['); i > 0 && strings.IndexByte(s[i+1:], '[') < 0 {
		if b, ok := strings.CutSuffix(strings.TrimRight(s[i+1:], ". "), "]"); ok && severalWords(s[:i]) && severalWords(b) {
			return []string{s[:i], b}
		}
	}
	return nil
}

func severalWords(s string) bool { return len(strings.Fields(s)) >= 3 }

var languages = `chinese|english|french|german|japanese|spanish|russian|italian|portuguese|polish|korean|turkish|dutch|czech|danish|swedish|norwegian|hungarian|hebrew|arabic|persian|ukrainian|croatian|serbian|bulgarian|romanian|greek|finnish|slovak|slovenian|lithuanian|icelandic|catalan|indonesian|thai|vietnamese`

var (
	// additions are what databases append in brackets to a title, e.g.
	// Ovid's "[see comment]", "[Erratum appears in …]", "[41 refs]" and
	// Embase's "[Chinese]".
	additions = regexp.MustCompile(`(?i)[\[(]\s*(see comments?|comments?|letter|letters|(?:provisional|structured|english|author'?s?) abstract|cochrane review|internet|electronic resource|` +
		`multiple letters\s*[\])]\s*[\[(]1|multiple letters|comment in[^\])]*|corrected|corrected and republished[^\])]*|retract(ed|ion) in[^\])]*|retracted( article)?[^\])]*|republished[^\])]*|summary for patients[^\])]*|review( of \d+ refs)?|review article|\d+ ref(s|erences)?\.?|conference abstract|abstract|meeting abstract|article in (` + languages + `)|in (` + languages + `)|(` + languages + `)(([,;/ ]| and )+(` + languages + `))*)\s*\.?[\])]`)
	// translation is the mark of a translated title: Ovid's "[Chinese]" at the
	// end, PubMed's brackets around the whole.
	translation = regexp.MustCompile(`(?i)^\[.*\]\W*$|[\[(](article )?(in )?(` + languages + `)\s*\.?[\])]\W*$`)
	// cited is the reference that CINAHL appends to the title of a comment:
	// "... N Engl J Med. 2009 Jan 29;360(5):544-6".
	cited = regexp.MustCompile(`\s*\.{3}\s*\pL[\pL .&-]{2,60}[. ]+(19|20)[0-9]{2}\b[^;]{0,20};\s*[0-9]+\S*\W*$`)
	// department is the column that IEEE appends to a title: "- [Careers]".
	department = regexp.MustCompile(`\s[-–—]\s*\[[^\[\]]{2,40}\]\W*$`)
	// orEqual is how databases write ≥ and ≤.
	orEqual = regexp.MustCompile(`([<>])\s*(or|/)\s*=`)
	// later is how Ovid and CINAHL end the title of an article that was corrected.
	later = regexp.MustCompile(`(?i)\.{0,3}\s*\[((published )?errat(um|a)|correction) (appears|in|to be)\b.*$`)
	// corrects is how Web of Science and Scopus name the place of the corrected
	// article at the end of an erratum's title.
	corrects        = regexp.MustCompile(`(?i)\s*\((vol(ume)?\.? [0-9]+, (pp?g?|art\w*)\.? [^)]*|[^()]+\([0-9]{4}\) [0-9]+[^()]*\([^()]*\))\)\s*\.?$`)
	retractedPrefix = regexp.MustCompile(`(?i)^\W*(retracted( article| paper| chapter)?|withdrawn( article)?)\s*[:.\-–—]\s*`)
)

// cleanTitle removes markup, cataloguers' additions and the mark of a retracted
// article, which is still the same work.
func cleanTitle(raw string) string {
	s := strip(capped(raw, longestTitle))
	if strings.ContainsAny(s, "[(") {
		s = later.ReplaceAllString(s, "")
		s = additions.ReplaceAllString(s, " ")
		s = department.ReplaceAllString(s, "")
	}
	if strings.Contains(s, "...") {
		s = cited.ReplaceAllString(s, "")
	}
	if strings.Contains(s, "=") {
		s = orEqual.ReplaceAllString(s, "$1=")
	}
	if markedRetracted(s) {
		s = retractedPrefix.ReplaceAllString(s, "")
	}
	return collapse(s)
}

// markedRetracted is a cheap test before the pattern.
func markedRetracted(s string) bool {
	for i := 0; i < min(len(s), 12); i++ {
		if c := s[i] | 0x20; c == 'r' && len(s) > i+5 && strings.EqualFold(s[i:i+6], "retrac") || c == 'w' && len(s) > i+5 && strings.EqualFold(s[i:i+6], "withdr") {
			return true
		}
	}
	return false
}

func mostlyLatin(key string) bool {
	latin, other := 0, 0
	for _, r := range key {
		switch {
		case r == ' ':
		case r < 0x0370:
			latin++
		default:
			other++
		}
	}
	return latin >= other
}

// generic reports whether the title says nothing about the work, such as
// "Introduction" or "Letters to the Editor".
func (t *title) generic() bool { return t.column }

// columnWords name the standing columns of journals.
var columnWords = setOf("editor editors editorial comments column columns remarks news forum message chair chairs president presidents vice guest welcome corner viewpoint highlights reviewers thanks")

// weak reports whether the title alone can't tell works apart.
func (t *title) weak() bool { return len(t.distinct) < 3 }

var genericTitles = map[string]bool{
	"letters to the editor": true, "letter to the editor": true, "table of contents": true, "front matter": true, "back matter": true,
	"in this issue": true, "from the editor": true, "from the editors": true, "news": true, "book reviews": true, "books received": true,
	"contributor biographies": true, "about the authors": true, "list of contributors": true, "notes on contributors": true,
	"chairs message": true, "presidents message": true, "editors notes": true, "editors note": true, "guest editorial": true,
	"guest editors introduction": true, "invited editorial": true, "calendar": true, "author index": true, "subject index": true,
	"news and notices": true, "call for papers": true, "announcements": true, "masthead": true, "cover": true, "title page": true,
	"frontmatter": true, "backmatter": true, "glossary": true, "bibliography": true, "references": true, "symposium": true,
	"correspondence": true, "obituary": true, "errata": true, "summary": true, "review of": true, "bibliographie": true,
}

// Grades of agreement between two titles, ascending.
type grade int

const (
	incompatible grade = iota
	unknownGrade       // a title is missing, or in another script
	contained          // every distinctive word of one in the other
	prefix             // one is the beginning of the other
	subtitle           // one is the other without its subtitle
	near               // at least 0.93 similar, differing words look like spellings
	full               // equal keys
)

// compareTitles grades two titles and gives their similarity (0 when a cheap
// bound already tells that they differ). min is the similarity from which the
// exact value is of interest.
func compareTitles(a, b *title, min float64) (grade, float64) {
	if a.key == "" || b.key == "" || a.latin != b.latin {
		return unknownGrade, 0
	}
	if a.hash == b.hash && a.size == b.size && compact(a.key) == compact(b.key) {
		if a.part || b.part {
			return subtitle, 1
		}
		return full, 1
	}
	sim, ok := similar(a.key, b.key, min)
	if !ok {
		sim = 0
	}
	if ok && sim >= nearTitle && !a.part && !b.part && sameWords(a, b) {
		return near, sim
	}
	short, long := a, b
	if a.size > b.size {
		short, long = b, a
	}
	switch {
	case startsWith(long.key, short.key):
		if atBoundary(long.clean(), compact(short.key)) {
			return subtitle, sim
		}
		if strings.HasPrefix(long.key, short.key+" ") || !long.latin || short.size >= cutLength {
			return prefix, sim
		}
	case len(short.distinct) > 0 && containsAll(long.distinct, short.distinct) && !negated(a, b):
		return contained, sim
	}
	return incompatible, sim
}

// startsWith reports whether a key begins with another, whatever the spaces.
func startsWith(long, short string) bool {
	if short == "" {
		return false
	}
	j := 0
	for i := range len(short) {
		if short[i] == ' ' {
			continue
		}
		for j < len(long) && long[j] == ' ' {
			j++
		}
		if j == len(long) || long[j] != short[i] {
			return false
		}
		j++
	}
	return true
}

// atBoundary reports whether a subtitle of long starts where the compact key
// of the short title ends.
func atBoundary(long, short string) bool {
	for i, r := range long {
		if i == 0 || !strings.ContainsRune(":.?!;–—-", r) {
			continue
		}
		if k := compact(titleKey(long[:i])); k == short {
			return true
		} else if len(k) > len(short) {
			return false
		}
	}
	return false
}

// containsAll reports whether the ascending hashes long hold all of short.
func containsAll(long, short []uint64) bool { return common(long, short) == len(short) }

// common counts what two ascending lists share.
func common(a, b []uint64) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			n, i, j = n+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}

// sameWords reports whether two similar titles differ only in spelling,
// inflection, spacing and function words. A whole word exchanged for another
// ("liver" for "fever", "hypo-" for "hyper-", "with" for "without") makes
// another work, however similar the strings.
func sameWords(a, b *title) bool {
	x, y := a.words(), b.words()
	left, right := minus(x, y), minus(y, x)
	if strings.Join(left, "") == strings.Join(right, "") {
		return true
	}
	for i := 0; i < len(left); i++ {
		for j := range right {
			if spelling(left[i], right[j]) {
				left, right = slices.Delete(left, i, i+1), slices.Delete(right, j, j+1)
				i--
				break
			}
		}
	}
	if l, r := strings.Join(left, ""), strings.Join(right, ""); l == r {
		return true
	} else if len(left)+len(right) <= 3 && len(left) > 0 && len(right) > 0 && spelling(l, r) {
		return true
	}
	for _, w := range append(left, right...) {
		if numeralWord(w) {
			continue // the numeric signatures are compared apart
		}
		if negations[w] || len(w) == 1 && w != "a" || !text.IsStopword(w) {
			return false
		}
	}
	return true
}

var negations = setOf("not no non without versus vs never neither nor against before after above below up down in out")

// negated reports whether only one of two titles has a word that turns the
// meaning, such as "without".
func negated(a, b *title) bool {
	x, y := a.words(), b.words()
	for _, w := range append(minus(x, y), minus(y, x)...) {
		if w == "not" || w == "no" || w == "without" || w == "non" {
			return true
		}
	}
	return false
}

// minus gives the words of a that b lacks, counting repetitions.
func minus(a, b []string) []string {
	have := make(map[string]int, len(b))
	for _, w := range b {
		have[w]++
	}
	var out []string
	for _, w := range a {
		if have[w] > 0 {
			have[w]--
			continue
		}
		out = append(out, w)
	}
	return out
}

// spelling reports whether two words may be two spellings of one.
func spelling(a, b string) bool {
	if a == b {
		return true
	}
	if strings.ContainsAny(a+b, "0123456789") || numberWords[a] > 0 || numberWords[b] > 0 {
		return false
	}
	if text.Stem(a) == text.Stem(b) {
		return true
	}
	allowed := 0
	switch n := min(len(a), len(b)); {
	case n >= 9:
		allowed = 2
	case n >= 5:
		allowed = 1
	}
	return allowed > 0 && (levenshtein.ComputeDistance(a, b) <= allowed || oneEdit(a, b)) && !opposed(a, b)
}

// opposed reports whether two words differ in a prefix that turns the meaning.
func opposed(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	p, q := a[:len(a)-n], b[:len(b)-n]
	if p == "" {
		switch q {
		case "un", "non", "in", "im", "ir", "il", "dis", "de", "anti", "a", "an", "re", "co", "bi", "di", "tri", "fe", "sub", "pre", "post", "mis", "ab", "e":
			return true
		}
		return false
	}
	for _, pair := range opposites {
		if strings.HasPrefix(a, pair[0]) && strings.HasPrefix(b, pair[1]) || strings.HasPrefix(a, pair[1]) && strings.HasPrefix(b, pair[0]) {
			return true
		}
	}
	return false
}

var opposites = [...][2]string{
	{"hypo", "hyper"}, {"pre", "post"}, {"pre", "pro"}, {"intra", "inter"}, {"intra", "extra"}, {"in", "ex"}, {"up", "down"}, {"mono", "poly"},
	{"macro", "micro"}, {"endo", "exo"}, {"homo", "hetero"}, {"uni", "bi"}, {"anterior", "posterior"}, {"afferent", "efferent"},
	{"ab", "ad"}, {"im", "em"}, {"im", "ex"}, {"di", "tri"}, {"ante", "anti"}, {"inc", "dec"}, {"male", "female"}, {"neo", "pre"}, {"inductive", "deductive"},
}
