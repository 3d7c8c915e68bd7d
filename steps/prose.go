package steps

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

var (
	// firstPerson finds sentences in which the authors speak of themselves.
	firstPerson = regexp.MustCompile(`\b(?:[Ww]e|[Oo]urs?|us|[Mm]y)\b|^I [a-z]`)
	// selfReference finds sentences that point at their own document.
	selfReference = regexp.MustCompile(`(?i)\b(this|the present|the current) (paper|study|work|article|survey|review|thesis|report|chapter)\b|\bhere,? `)
	// own finds where a sentence means its own document.
	own = regexp.MustCompile(`\b[Tt]he (?:paper|study|work|article|survey|review|report|chapter|thesis|trial|meta-analysis|benchmark|experiments?)\b`)
	// made finds a subject that means what the document's authors made.
	made = regexp.MustCompile(`^(The (?:approach|method|system|framework|model|architecture|algorithm|technique|tool|pipeline|agent|data set|dataset|dialogues|data|results|findings)) (is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|will|also|further|then|first|still|only)\b`)
	// authors finds the authors where they are spoken of as such.
	authors = regexp.MustCompile(`\b[Tt]he authors\b`)
	// verbs end what a sentence begins with to say what it is about.
	verbs = regexp.MustCompile(`^(?:is|are|was|were|be|has|have|had|do|does|did|can|cannot|could|may|might|will|includes?|included|shows?|showed|uses?|used|compares?|compared|contains?|remains?|suggests?|indicates?)$`)
	// label is the part of a structured abstract that a sentence opens.
	label = regexp.MustCompile(`^(?:(?:BACKGROUND|INTRODUCTION|CONTEXT|IMPORTANCE|RATIONALE|OBJECTIVES?|AIMS?|PURPOSE|METHODS?|DESIGN|SETTING|(?:MAIN |KEY )?RESULTS?|FINDINGS?|CONCLUSIONS?|INTERPRETATION|DISCUSSION|SIGNIFICANCE|RELEVANCE|COMPARISON WITH EXISTING METHODS?)(?: AND [A-Z]+)?:?|Conclusions? and Relevance:?|[A-Z][A-Z&/ ]{3,40}:|(?:Main |Key )?(?:Results?|Conclusions?|Findings?|Background|Methods?|Objectives?|Aims?|Purpose|Interpretation|Discussion|Significance):)\s+`)
	// connective ties a sentence to the one before it.
	connective = regexp.MustCompile(`^(?:However|Moreover|Furthermore|Additionally|In addition|Besides|Therefore|Thus|Hence|Consequently|As a result|In contrast|By contrast|Nevertheless|Nonetheless|Finally|Meanwhile|Similarly|Likewise|Accordingly|Instead|Conversely|Also|Specifically|Notably|In particular|In fact|Overall|To this end|In conclusion|In summary|Taken together|Altogether|Collectively|Interestingly|Importantly),?\s+`)
	// foreignID finds what would be taken for a citation or a claim's id of ours.
	foreignID = regexp.MustCompile(`(?i)\b(?:doc[ _-]?[0-9]{1,9}|ev_[0-9a-z]+)\b`)
)

// Sentence renders one claim as a sentence of prose that stands alone, with its
// citation. What a reader of the claim's own document would know is said: a
// claim that speaks for its authors is quoted and attributed, since nobody else
// could say it; "the survey" and "the authors" get their names; and a claim that
// names no system of its own is given as what its authors report. A word that
// ties it to a sentence that is not there goes.
func Sentence(s *state.State, e state.Evidence) string {
	return sentence(s, e, nil, []string{e.Document})
}

// Passage renders claims of one document, in order, as one run of prose. Only
// the first must stand alone. cites gives the documents that a claim rests on.
func Passage(s *state.State, items []state.Evidence, cites func(state.Evidence) []string) string {
	var out []string
	for i := range items {
		var before *state.Evidence
		if i > 0 && items[i-1].Document == items[i].Document {
			before = &items[i-1]
		}
		out = append(out, sentence(s, items[i], before, cites(items[i])))
	}
	return strings.Join(out, " ")
}

// sentence renders a claim; before is the claim of the same document that the
// reader has just read, if any.
func sentence(s *state.State, e state.Evidence, before *state.Evidence, cites []string) string {
	// A source must not cite for us: an id in its words would read as ours.
	claim := strings.TrimRight(foreignID.ReplaceAllString(text.OneLine(e.Claim), "…"), ". ")
	claim = label.ReplaceAllString(claim, "")
	d := s.Documents[e.Document]
	if before == nil || !adjacent(s.AbstractText(d), *before, e) {
		if rest := connective.ReplaceAllString(claim, ""); rest != claim {
			claim = capital(rest)
		}
	}
	who := writers(d)
	cite := " [" + strings.Join(cites, ", ") + "]."
	switch {
	case firstPerson.MatchString(claim) || selfReference.MatchString(claim):
		return fmt.Sprintf("%s: “%s”%s", who.say("write"), claim, cite)
	case before != nil || who.name == "":
		return claim + cite
	}
	if named, ok := who.placed(claim); ok {
		return named + cite
	}
	clause, ok := lowered(s.AbstractText(d), claim)
	if !ok || !english(s.AbstractText(d)) {
		return claim + cite
	}
	verb := "state"
	switch c := lexical.Cues(claim); {
	case c.Result || c.Number || c.Comparison:
		verb = "report"
	case c.Limitation:
		verb = "note"
	}
	return who.say(verb) + " that " + clause + cite
}

// placed writes the writers where a claim speaks of them, of their document or
// of what they made without saying whose it is; the first place only.
func (w who) placed(claim string) (string, bool) {
	put := func(at []int, s string) (string, bool) { return claim[:at[0]] + s + claim[at[1]:], true }
	if at := own.FindStringIndex(claim); at != nil && bare(claim[at[1]:]) {
		return put(at, claim[at[0]:at[1]]+w.by())
	}
	if at := made.FindStringSubmatchIndex(claim); at != nil {
		return put(at[2:4], claim[at[2]:at[3]]+" of "+w.name)
	}
	if at := authors.FindStringIndex(claim); at != nil && (w.several || w.title) && !strings.HasSuffix(claim[:at[0]], "by ") {
		named, ok := put(at, w.people())
		return capital(named), ok
	}
	return claim, false
}

// told are the words that may follow a noun that means a document; another noun
// would make it part of a name ("the study population").
var told = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`is are was were has have had do does did can cannot could may might will also further then first
		finally still only and but or analyses analyzes asks builds combines compares concludes considers contains converts covers
		defines describes develops discusses distinguishes evaluates examines explains extends explores finds focuses gives highlights
		identifies include includes introduces list lists investigates notes observes offers outlines points presents proposes provides relates reports
		reviews selects separates shows studies suggests summarises summarizes surveys traces treats compared concluded found
		identified included introduced observed proposed reported reviewed showed suggested used tested compare`) {
		m[w] = true
	}
	return m
}()

// bare reports whether what follows a noun that means a document leaves open
// which one is meant.
func bare(rest string) bool {
	if rest == "" || strings.ContainsRune(",;:.)", rune(rest[0])) {
		return true
	}
	next, _, _ := strings.Cut(strings.TrimPrefix(rest, " "), " ")
	return told[strings.TrimRight(next, ",;:.")]
}

func english(t string) bool {
	code, sure := text.Language(t)
	return !sure || code == "en"
}

// adjacent tells whether the quote of b follows that of a in their text.
func adjacent(stored string, a, b state.Evidence) bool {
	return a.Text == b.Text && a.End >= 0 && a.End <= b.Start && b.Start <= len(stored) && strings.TrimSpace(stored[a.End:b.Start]) == ""
}

// subjectReach is how many words at the start of a claim may name what it is
// about.
const subjectReach = 8

// lowered writes the first letter of a claim small, so that the claim can follow
// "that". It does not when the claim begins with a name, names something in its
// first words, or when the text it was read from does not show that its first
// word is written small elsewhere.
func lowered(stored, claim string) (string, bool) {
	words := strings.Fields(claim)
	if len(words) == 0 {
		return "", false
	}
	for i, w := range words[:min(len(words), subjectReach)] {
		if verbs.MatchString(w) {
			break
		}
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		r, n := utf8.DecodeRuneInString(w)
		if i > 0 && unicode.IsUpper(r) || n < len(w) && strings.IndexFunc(w[n:], unicode.IsUpper) >= 0 {
			return "", false
		}
	}
	first := strings.TrimRight(words[0], ",")
	r, n := utf8.DecodeRuneInString(first)
	if !unicode.IsUpper(r) {
		return "", false
	}
	small := string(unicode.ToLower(r)) + first[n:]
	if folded := text.Fold(first); !text.IsStopword(folded) && !text.IsGenericWord(folded) && !strings.Contains(" "+stored+" ", " "+small+" ") {
		return "", false
	}
	return small + claim[len(first):], true
}

// capital writes the first letter large, unless the first word is a name that
// begins small ("mTORC1").
func capital(s string) string {
	if first, _, _ := strings.Cut(s, " "); strings.Contains(first, "_") || strings.IndexFunc(first, unicode.IsUpper) > 0 {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// Authors names the authors of a document in running text: "Packer et al.
// (2023)"; the title stands in for authors that are not known.
func Authors(d state.Document) string {
	w := writers(d)
	if w.name == "" {
		return "The authors" + w.year
	}
	return w.name
}

// who is whoever speaks in a document.
type who struct {
	name    string // with the year; "" if neither authors nor title are known
	year    string // " (2023)", or ""
	several bool
	title   bool // the name is the document's title
}

func (w who) say(verb string) string {
	switch {
	case w.name == "":
		return "The authors" + w.year + " " + verb
	case w.several:
		return w.name + " " + verb
	}
	return w.name + " " + verb + "s"
}

// by goes behind a noun that means the document.
func (w who) by() string {
	if w.title {
		return " " + w.name
	}
	return " by " + w.name
}

// people goes where the authors are spoken of.
func (w who) people() string {
	if w.title {
		return "the authors of " + w.name
	}
	return w.name
}

const longestTitle = 80 // characters of a title in running text

func writers(d state.Document) who {
	// A source must not cite for us in its names either.
	clean := func(s string) string { return text.OneLine(foreignID.ReplaceAllString(s, "…")) }
	family := func(a state.Author) string {
		if a.Family != "" {
			return a.Family
		}
		if a.Collective {
			return a.Name
		}
		if before, _, ok := strings.Cut(a.Name, ","); ok {
			return before
		}
		if f := strings.Fields(a.Name); len(f) > 0 {
			return f[len(f)-1]
		}
		return a.Name
	}
	var w who
	if y := d.Year(); y != 0 {
		w.year = fmt.Sprintf(" (%d)", y)
	}
	var names []string
	for _, a := range d.Authors {
		if n := clean(family(a)); n != "" {
			names = append(names, n)
			w.several = w.several || a.Collective
		}
	}
	w.several = w.several || len(names) > 1
	switch len(names) {
	case 0:
		title, _, _ := strings.Cut(clean(d.Title()), ": ")
		if title == "" {
			w.several = true
			return w
		}
		w.name, w.title = "“"+text.Truncate(title, longestTitle)+"”", true
	case 1:
		w.name = names[0]
	case 2:
		w.name = names[0] + " and " + names[1]
	default:
		w.name = names[0] + " et al."
	}
	w.name += w.year
	return w
}

// Cites reports whether prose cites at least one of the documents that items
// come from, by the document's id or by a claim's, in whatever form it writes
// them: [doc_0001], [Doc 1], (ev_0123456789ab).
func Cites(prose string, items []state.Evidence) bool {
	known := map[string]bool{}
	for _, e := range items {
		known[idKey(e.Document)], known[idKey(e.ID)] = true, true
	}
	for _, id := range foreignID.FindAllString(prose, -1) {
		if known[idKey(id)] {
			return true
		}
	}
	return false
}

var idDigits = regexp.MustCompile(`^doc[ _-]?0*([0-9]+)$`)

// idKey is an id without what models vary: case, separator, leading zeros.
func idKey(id string) string {
	id = strings.ToLower(id)
	if m := idDigits.FindStringSubmatch(id); m != nil {
		return "doc " + m[1]
	}
	return id
}

var small = []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"}

// Few writes a number inside a sentence, a small one in words.
func Few(n int) string {
	if n > 0 && n < len(small) {
		return strings.ToLower(small[n])
	}
	return strconv.Itoa(n)
}

// Count writes a number at the start of a sentence.
func Count(n int) string {
	if n >= 0 && n < len(small) {
		return small[n]
	}
	return strconv.Itoa(n)
}
