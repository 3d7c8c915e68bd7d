package canon

import (
	"regexp"
	"strings"

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
	key      string
	event    string   // key of the meeting that Embase names after the journal
	words    []string // without filler, numerals and years
	letters  string   // initials of all words but articles and prepositions
	class    venueClass
	cochrane bool
	theses   bool // Dissertation Abstracts
}

// meeting is what Embase adds to the journal of a meeting abstract:
// "Pediatric Nephrology.Conference: 44th Annual Scientific Meeting".
var meeting = regexp.MustCompile(`(?i)[.:;]\s*conference:(.*)$`)

var (
	conferenceName = regexp.MustCompile(`\b(proceedings|proc|conference|conf|symposium|symp|workshops?|congress|annual meeting|minitrack|hicss|amcis|icis|ecis|pacis)\b`)
	journalName    = regexp.MustCompile(`\b(journal|journals|transactions|trans|j|letters|lett|magazine|reviews?|annals|bulletin|quarterly|archives|record|communications|zeitschrift|revista|revue|acta|notices)\b`)
	// Journals whose names look like those of proceedings.
	journalProceedings = regexp.MustCompile(`\bproc(eedings)? (of )?(the )?(national academy|natl acad|ieee$|royal society|r soc|acm on|vldb endowment|institution of|london mathematical|american mathematical|edinburgh|nutrition society|nutr soc|biological|mayo|west)|mayo clin\w* proc|\bplos\b|\blancet\b|\bnature\b|\bscience\b`)
)

// venues remembers the venues read; most stand on many records.
type venues map[venueName]*venue

type venueName struct{ name, typ, dblp string }

func (vs venues) of(r *state.Record) *venue {
	dblp := r.IDs[state.DBLP]
	switch {
	case strings.HasPrefix(dblp, "conf/"):
		dblp = "conf/"
	case strings.HasPrefix(dblp, "journals/corr/"):
		dblp = "journals/corr/"
	case strings.HasPrefix(dblp, "journals/"):
		dblp = "journals/"
	default:
		dblp = ""
	}
	k := venueName{r.Venue, r.Type, dblp}
	v := vs[k]
	if v == nil {
		v = newVenue(r.Venue, r.Type, state.IDs{state.DBLP: dblp})
		vs[k] = v
	}
	return v
}

func newVenue(s, typ string, ids state.IDs) *venue {
	v := &venue{}
	s = capped(s, longestTitle)
	if m := meeting.FindStringSubmatchIndex(s); m != nil {
		v.event, s = titleKey(s[m[2]:m[3]]), s[:m[0]]
	}
	v.key = titleKey(s)
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
	v.cochrane = strings.Contains(v.key, "cochrane database")
	v.theses = strings.Contains(v.key, "dissertation abstracts") || strings.HasPrefix(v.key, "dissertations abstracts")
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
func (v *venue) same(w *venue) tri {
	switch {
	case v == w && v.key != "":
		return agree
	case v.key == "" || w.key == "":
		return unknown
	case v.meets(w):
		return agree
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

// meets reports whether one is the journal that prints the abstracts of a
// meeting, and the other the meeting.
func (v *venue) meets(w *venue) bool {
	return v.event != "" && v.event == w.key || w.event != "" && w.event == v.key
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
	// ISO 4 cuts a word off ("opin") or takes letters out of it ("natl", "dept").
	return n == len(a) || n > 0 && len(a) >= 3 && len(a) < len(b) && a[len(a)-1] == b[len(b)-1] && (n >= 3 && n >= len(a)-2 || within(a, b))
}

// within reports whether the letters of a stand in b in the same order.
func within(a, b string) bool {
	for i := range len(b) {
		if a != "" && b[i] == a[0] {
			a = a[1:]
		}
	}
	return a == ""
}

func acronym(a, b *venue) bool {
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

func short(v *venue) bool { return len(v.words) == 1 && len(v.words[0]) <= 6 }
