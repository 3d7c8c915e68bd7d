package canon

import (
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// venueClass tells conference from journal publication; "" when the record does
// not say.
type venueClass string

const (
	conference venueClass = "conference"
	journal    venueClass = "journal"
)

type venue struct {
	key     string
	words   []string // without filler, numerals and years
	letters string   // initials of all words but articles and prepositions
	class   venueClass
}

// meeting is what Embase adds to the journal of a meeting abstract.
var meeting = regexp.MustCompile(`(?i)[.:;]\s*conference:.*$`)

var (
	conferenceName = regexp.MustCompile(`\b(proceedings|proc|conference|conf|symposium|symp|workshops?|congress|annual meeting|minitrack|hicss|amcis|icis|ecis|pacis)\b`)
	journalName    = regexp.MustCompile(`\b(journal|journals|transactions|trans|j|letters|lett|magazine|reviews?|annals|bulletin|quarterly|archives|record|communications|zeitschrift|revista|revue|acta|notices)\b`)
	// Journals whose names look like those of proceedings.
	journalProceedings = regexp.MustCompile(`\bproc(eedings)? (of )?(the )?(national academy|natl acad|ieee$|royal society|r soc|acm on|vldb endowment|institution of|london mathematical|american mathematical|edinburgh|nutrition society|nutr soc|biological|mayo|west)|mayo clin\w* proc|\bplos\b|\blancet\b|\bnature\b|\bscience\b`)
)

func newVenue(s, typ string, ids state.IDs) venue {
	v := venue{key: text.TitleKey(meeting.ReplaceAllString(capped(s, longestTitle), ""))}
	var letters strings.Builder
	for _, w := range strings.Fields(v.key) {
		if strings.ContainsAny(w, "0123456789") {
			continue
		}
		if !smallWords[w] {
			letters.WriteByte(w[0])
		}
		if !venueFiller[w] {
			v.words = append(v.words, w)
		}
	}
	v.letters = letters.String()
	v.class = classOf(v.key, strings.ToLower(typ), ids[state.DBLP])
	return v
}

func classOf(key, typ, dblp string) venueClass {
	switch {
	case strings.HasPrefix(dblp, "conf/"):
		return conference
	case strings.HasPrefix(dblp, "journals/") && !strings.HasPrefix(dblp, "journals/corr/"):
		return journal
	case journalProceedings.MatchString(key):
		return journal
	case conferenceName.MatchString(key):
		return conference
	}
	switch typ {
	case "inproceedings", "proceedings-article", "paper-conference", "conference", "conference paper", "conference-paper", "conference_item":
		return conference
	}
	if journalName.MatchString(key) {
		return journal
	}
	switch typ {
	case "article-journal", "journal-article", "journal article", "journalarticle", "jour":
		return journal
	}
	return ""
}

var smallWords = setOf("the of and for on in a an de la le der die und et y e")

var venueFiller = setOf(`the of and for on in a an de la le der die und et y e proceedings proc annual international intl int conference conf
	symposium symp workshop workshops congress meeting journal j official publication print online electronic edition part series vol volume
	issue first second third fourth fifth sixth seventh eighth ninth tenth`)

// same compares two venues: equal words, one name an abbreviation of the other
// ("Curr Opin Lipidol"), or an acronym ("VLDB" and "Very Large Data Bases"). An
// acronym that fits nothing says nothing.
func (v venue) same(w venue) tri {
	switch {
	case v.key == "" || w.key == "":
		return unknown
	case v.key != w.key && short(v) && short(w) && v.words[0] == w.words[0] && (v.class == journal) != (w.class == journal):
		return differ // "VLDB" and "VLDB Journal"
	case v.key == w.key || strings.Join(v.words, "") == strings.Join(w.words, ""):
		return agree
	case len(v.words) == 0 || len(w.words) == 0:
		return unknown
	case abbreviates(v.words, w.words) || abbreviates(w.words, v.words):
		return agree
	case acronym(v, w) || acronym(w, v):
		return agree
	case short(v) || short(w):
		return unknown
	}
	return differ
}

// abbreviates reports whether each word of a is the beginning of a word of b, in
// order, with at most a third of b's words (a subtitle, a place) left over.
func abbreviates(a, b []string) bool {
	if len(a) > len(b) || len(a) == 1 && len(b) > 1 {
		return false
	}
	j := 0
	for _, w := range a {
		for j < len(b) && !startsAlike(w, b[j]) {
			j++
		}
		if j == len(b) {
			return false
		}
		j++
	}
	return len(b)-len(a) <= len(b)/3 || len(a) >= 2 && j == len(a) // the rest is a subtitle
}

func startsAlike(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	// "natl" and "national" share the beginning and end in the same letter.
	return n == len(a) || n >= 3 && n >= len(a)-2 && a[len(a)-1] == b[len(b)-1]
}

func acronym(a, b venue) bool {
	for _, w := range a.words {
		if len(w) < 3 || len(w) > 8 {
			continue
		}
		if len(w) > 3 && b.letters == w || len(a.words) <= 3 && strings.Contains(b.letters, w) || len(a.words) == 1 && containsWord(b.words, w) {
			return true
		}
	}
	return false
}

func containsWord(words []string, w string) bool {
	for _, x := range words {
		if x == w {
			return true
		}
	}
	return false
}

func short(v venue) bool { return len(v.words) == 1 && len(v.words[0]) <= 6 }

var (
	pageStart  = regexp.MustCompile(`^[^\pL0-9]*([a-z]{0,4})\.?\s?0*([0-9]+)`)
	pageDate   = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b`)
	firstDigit = regexp.MustCompile(`[0-9]+`)
)

// startPage gives the normalised first page or article number, "" if there is
// none or if a spreadsheet turned the range into a date ("11-Sep").
func startPage(s string) string {
	s = text.Fold(capped(s, longestName))
	if pageDate.MatchString(s) {
		return ""
	}
	m := pageStart.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	p := strings.TrimPrefix(strings.TrimPrefix(m[1], "pp"), "p")
	return p + m[2]
}

// volumeKey gives the first number of a volume or issue, else its folded text.
func volumeKey(s string) string {
	s = text.Fold(capped(s, longestName))
	if m := firstDigit.FindString(s); m != "" {
		return trimZeros(m)
	}
	return strings.Trim(s, " .&;")
}

func sameText(a, b string) tri {
	if a == "" || b == "" {
		return unknown
	}
	return triOf(a == b)
}
