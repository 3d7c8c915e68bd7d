package evidence

import (
	_ "embed"
	"strings"
	"sync"

	"optimistresearch/internal/text"
)

//go:embed lexicon.txt
var lexiconText string

// words is what lexicon.txt holds. It is read once and never changes.
type words struct {
	sign          map[string]int8 // by folded word; stems under "~"+stem
	evaluative    map[string]bool // same keys
	unwanted      map[string]bool // same keys
	relation      map[string]bool // same keys
	link          map[string]bool // same keys
	versus        map[string]bool // same keys
	concession    map[string]bool
	part          map[string]bool
	cause         map[string]bool // same keys
	signed        map[string]bool // same keys
	measure       map[string]bool // same keys
	same          map[string]bool
	negator       map[string]bool
	contracted    map[string]bool
	notOnly       map[string]bool
	breaks        map[string]bool
	stops         map[string]bool
	be            map[string]bool
	leadIn        map[string]bool
	denied        map[string]string
	exclusive     map[string]string // stem → name of its set of alternatives
	synonym       map[string]string // stem → stem of the head word
	figures       map[string][]string
	numerals      map[string]bool
	label         map[string]bool
	connective    map[string]bool
	pronoun       map[string]bool
	demonstrative map[string]bool
	backward      map[string]bool // after the
	itself        map[string]bool
	finding       map[string]bool
	relative      map[string]bool
	types         map[string]string // stem → type
	abbrev        map[string]bool
	circumstance  map[string]bool // stems under "~"+stem
	// The lists by which a text addresses its reader; see lexicon.txt.
	command, noun, charge, object, polite, adverb, intro, modal, yours, summons, reader, machine, text, pointing, verdict, deed, asked, tell map[string]bool
}

var lexicon = sync.OnceValue(func() *words { return parseLexicon(lexiconText) })

func parseLexicon(src string) *words {
	w := &words{
		sign: map[string]int8{}, evaluative: map[string]bool{}, denied: map[string]string{}, exclusive: map[string]string{},
		synonym: map[string]string{}, figures: map[string][]string{}, types: map[string]string{},
	}
	sets := map[string]map[string]bool{}
	list := ""
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			list = strings.Trim(line, "[]")
			continue
		}
		if strings.HasSuffix(list, ":") {
			head, rest, _ := strings.Cut(line, ":")
			w.mapping(list, strings.TrimSpace(head), strings.Fields(rest))
			continue
		}
		name := strings.TrimSuffix(list, "=")
		if sets[name] == nil {
			sets[name] = map[string]bool{}
		}
		for _, word := range strings.Fields(line) {
			key := word
			if name == list {
				key = "~" + text.Stem(word)
			}
			sets[name][key] = true
			switch name {
			case "up", "good":
				w.sign[key] = 1
			case "down", "bad":
				w.sign[key] = -1
			}
			if name == "good" || name == "bad" {
				w.evaluative[key] = true
			}
		}
	}
	w.unwanted, w.relation, w.link, w.versus, w.same = sets["unwanted"], sets["relation"], sets["link"], sets["versus"], sets["same"]
	w.negator, w.contracted, w.notOnly, w.breaks, w.stops = sets["negator"], sets["contracted"], sets["notonly"], sets["break"], sets["stop"]
	w.be, w.leadIn, w.numerals, w.label, w.connective = sets["be"], sets["leadin"], sets["numerals"], sets["label"], sets["connective"]
	w.pronoun, w.demonstrative, w.itself, w.finding = sets["pronoun"], sets["demonstrative"], sets["itself"], sets["finding"]
	w.cause, w.signed, w.measure = sets["cause"], sets["signed"], sets["measure"]
	w.concession, w.part = sets["concession"], sets["part"]
	w.backward, w.relative, w.abbrev = sets["backward"], sets["relative"], sets["abbreviation"]
	w.circumstance = sets["circumstance"]
	w.command, w.noun, w.charge, w.object = sets["command"], sets["noun"], sets["charge"], sets["object"]
	w.polite, w.adverb, w.intro, w.modal, w.yours, w.summons = sets["polite"], sets["adverb"], sets["intro"], sets["modal"], sets["yours"], sets["summons"]
	w.reader, w.machine, w.text, w.pointing, w.verdict = sets["reader"], sets["machine"], sets["text"], sets["pointing"], sets["verdict"]
	w.deed, w.asked, w.tell = sets["deed"], sets["asked"], sets["tell"]
	return w
}

func (w *words) mapping(list, head string, rest []string) {
	for _, word := range rest {
		switch list {
		case "denied:":
			w.denied[head] = word
		case "exclusive:":
			w.exclusive[text.Stem(word)] = head
		case "same:":
			w.synonym[text.Stem(word)] = text.Stem(head)
		case "figures:":
			w.figures[head] = append(w.figures[head], word)
		case "types:":
			w.types[text.Stem(word)] = head
		}
	}
}

// has looks a word up as it stands, then by its stem.
func has(set map[string]bool, word, stem string) bool { return set[word] || set["~"+stem] }
