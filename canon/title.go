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

// capped cuts outside text that is longer than any honest value.
func capped(s string, n int) string {
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// cutLength is the length from which a title may have been cut inside a word.
const cutLength = 60

// title is one title of a record, prepared for comparing.
type title struct {
	clean    string   // without markup and cataloguers' additions
	key      string   // text.TitleKey
	compact  string   // key without spaces
	words    []string // of key; pairs of characters for scripts without spaces
	distinct []string // the words that tell works apart
	numbers  []string // numeric signature
	notice   notice
	latin    bool // mostly Latin letters
}

func newTitle(raw string) title {
	t := title{clean: cleanTitle(raw)}
	corrected := strings.HasSuffix(strings.TrimRight(t.clean, ". "), ")") && corrects.MatchString(t.clean)
	if corrected {
		t.clean = corrects.ReplaceAllString(t.clean, "")
	}
	t.key = text.TitleKey(t.clean)
	t.compact = strings.ReplaceAll(t.key, " ", "")
	t.latin = mostlyLatin(t.key)
	if t.latin {
		t.words = strings.Fields(t.key)
	} else {
		t.words = text.Tokens(t.key)
	}
	t.distinct = text.Distinctive(t.words)
	t.numbers = numerals(t.clean)
	if t.notice = noticeOf(t.clean); corrected && t.notice == "" {
		t.notice = erratum
	}
	return t
}

var languages = `chinese|english|french|german|japanese|spanish|russian|italian|portuguese|polish|korean|turkish|dutch|czech|danish|swedish|norwegian|hungarian|hebrew|arabic|persian|ukrainian|croatian|serbian|bulgarian|romanian|greek|finnish|slovak|slovenian|lithuanian|icelandic|catalan|indonesian|thai|vietnamese`

var (
	// additions are what databases append in brackets to a title, e.g.
	// Ovid's "[see comment]", "[Erratum appears in …]", "[41 refs]" and
	// Embase's "[Chinese]".
	additions = regexp.MustCompile(`(?i)[\[(]\s*(see comments?|comments?|comment in[^\])]*|corrected|corrected and republished[^\])]*|retract(ed|ion) in[^\])]*|retracted( article)?[^\])]*|republished[^\])]*|summary for patients[^\])]*|review( of \d+ refs)?|review article|\d+ ref(s|erences)?\.?|conference abstract|abstract|meeting abstract|article in (` + languages + `)|in (` + languages + `)|(` + languages + `)( and (` + languages + `))?)\s*\.?[\])]`)
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
	s := text.Strip(capped(raw, longestTitle))
	if strings.ContainsAny(s, "[(") {
		s = later.ReplaceAllString(s, "")
		s = additions.ReplaceAllString(s, " ")
	}
	s = retractedPrefix.ReplaceAllString(s, "")
	return strings.Join(strings.Fields(s), " ")
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
func (t title) generic() bool {
	if genericTitles[t.key] {
		return true
	}
	for _, w := range t.distinct {
		if !columnWords[w] {
			return false
		}
	}
	return true
}

// columnWords name the standing columns of journals.
var columnWords = setOf("editor editors editorial comments column columns remarks news forum message chair chairs president presidents vice guest welcome corner viewpoint highlights reviewers thanks")

// weak reports whether the title alone can't tell works apart.
func (t title) weak() bool { return len(t.distinct) < 3 }

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
func compareTitles(a, b title, min float64) (grade, float64) {
	if a.key == "" || b.key == "" || a.latin != b.latin {
		return unknownGrade, 0
	}
	if a.compact == b.compact {
		return full, 1
	}
	sim, ok := text.Similar(a.key, b.key, min)
	if !ok {
		sim = 0
	}
	if ok && sim >= nearTitle && sameWords(a, b) {
		return near, sim
	}
	short, long := a, b
	if len(a.compact) > len(b.compact) {
		short, long = b, a
	}
	switch {
	case strings.HasPrefix(long.compact, short.compact) && short.compact != "":
		if atBoundary(long.clean, short.compact) {
			return subtitle, sim
		}
		if strings.HasPrefix(long.key, short.key+" ") || !long.latin || len(short.compact) >= cutLength {
			return prefix, sim
		}
	case len(short.distinct) > 0 && containsAll(long.distinct, short.distinct) && !negated(a, b):
		return contained, sim
	}
	return incompatible, sim
}

// atBoundary reports whether a subtitle of long starts where the compact key
// of the short title ends.
func atBoundary(long, short string) bool {
	for i, r := range long {
		if i == 0 || !strings.ContainsRune(":.?!;–—-", r) {
			continue
		}
		if k := strings.ReplaceAll(text.TitleKey(long[:i]), " ", ""); k == short {
			return true
		} else if len(k) > len(short) {
			return false
		}
	}
	return false
}

func containsAll(long, short []string) bool {
	for _, w := range short {
		if !slices.Contains(long, w) {
			return false
		}
	}
	return true
}

// sameWords reports whether two similar titles differ only in spelling,
// inflection, spacing and function words. A whole word exchanged for another
// ("liver" for "fever", "hypo-" for "hyper-", "with" for "without") makes
// another work, however similar the strings.
func sameWords(a, b title) bool {
	left, right := minus(a.words, b.words), minus(b.words, a.words)
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
func negated(a, b title) bool {
	for _, w := range append(minus(a.words, b.words), minus(b.words, a.words)...) {
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
	if strings.ContainsAny(a+b, "0123456789") {
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
	return allowed > 0 && levenshtein.ComputeDistance(a, b) <= allowed && !opposed(a, b)
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
