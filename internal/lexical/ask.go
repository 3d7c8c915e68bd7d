package lexical

import (
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// Asked is a question taken apart. Topic is a noun phrase for what it is about,
// in the question's own words, prepositions and all: "sleep and memory
// consolidation in adults". A question about the relation of two things also
// gives the relation ("the effect of metformin on cancer incidence in adults")
// and its parts. Verbatim says that words alone give no such phrase, as in a
// language that the built-in method cannot take apart; Topic then is the
// question itself, for quotation marks.
type Asked struct {
	Topic    string
	Relation string
	Kind     RelationKind
	Cause    string
	Setting  string // with its preposition: "in adults"
	Aspects  []string
	Verbatim bool
	Language string // of the question if it is not English and known: "de", "zh"
}

// RelationKind is how a question relates two things.
type RelationKind string

const (
	NoRelation  RelationKind = ""
	Effect      RelationKind = "effect"      // one acts on the other
	Association RelationKind = "association" // they go together, or one plays a role in the other
)

const longestTopic = 200 // characters

// Ask takes a question apart.
func Ask(question string) Asked {
	c := cutQuestion(question)
	_, aspects := QuestionPhrases(question)
	a := c.ask()
	a.Aspects = aspects
	a.Topic = text.Truncate(a.Topic, longestTopic)
	a.Relation = text.Truncate(a.Relation, longestTopic+40)
	return a
}

func (c *cutter) ask() Asked {
	from, to := c.sentence()
	if from == to {
		return Asked{Topic: strings.Trim(text.OneLine(c.question), " ?!.;…"), Verbatim: true}
	}
	if c.language != "" || strings.IndexFunc(c.question[c.tokens[from].Start:c.tokens[to-1].End], cjk) >= 0 {
		return Asked{Topic: c.whole(from, to), Verbatim: true, Language: c.speaks()}
	}
	if a, ok := c.named(from, to); ok {
		return a
	}
	if a, ok := c.doing(from, to); ok {
		return a
	}
	if v := c.first(from, to, func(w string) bool { return c.w.auxiliary[w] }); v >= 0 && !c.core(from, v) {
		if a, ok := c.clause(v, to); ok {
			return a
		}
	}
	if a, ok := c.which(from, to); ok {
		return a
	}
	return Asked{Topic: c.noun(from, to)}
}

// speaks gives the language of a question that is not English.
func (c *cutter) speaks() string {
	switch q := c.question; {
	case c.language != "":
		return c.language
	case strings.IndexFunc(q, hangul) >= 0:
		return "ko"
	case strings.IndexFunc(q, kana) >= 0:
		return "ja"
	}
	return "zh"
}

// sentence gives the tokens of the first sentence that names a topic.
func (c *cutter) sentence() (from, to int) {
	for i := range c.tokens {
		if i > 0 && c.ends(i) {
			if c.core(from, i) {
				return from, i
			}
			from = i
		}
	}
	if c.core(from, len(c.tokens)) {
		return from, len(c.tokens)
	}
	return 0, len(c.tokens)
}

// core reports whether a phrase of the topic lies between two places.
func (c *cutter) core(from, to int) bool {
	return slices.ContainsFunc(c.out, func(p phrase) bool { return !p.aspect && p.from >= from && p.to <= to })
}

// first gives the first token between two places whose word fits, or −1.
func (c *cutter) first(from, to int, fits func(string) bool) int {
	for i := from; i < to; i++ {
		if fits(c.tokens[i].Word) && !c.hyphened(i) {
			return i
		}
	}
	return -1
}

func (c *cutter) word(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return c.tokens[i].Word
}

// slice gives the text of tokens as written, without forms of "be".
func (c *cutter) slice(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from && slices.Contains([]string{"is", "are", "was", "were", "be", "been", "being"}, c.tokens[i].Word) {
			continue
		}
		if i > from {
			between := c.question[c.tokens[i-1].End:max(c.tokens[i-1].End, c.tokens[i].Start)]
			if strings.Trim(between, " \t\n|") == "" {
				between = " "
			}
			b.WriteString(between)
		}
		b.WriteString(c.question[c.tokens[i].Start:max(c.tokens[i].Start, c.tokens[i].End)])
	}
	return text.OneLine(b.String())
}

// noun gives the noun phrase between two places: from the first phrase of the
// topic to the last, with what joins them.
func (c *cutter) noun(from, to int) string {
	start, end := -1, -1
	for _, p := range c.out {
		if p.from >= from && p.to <= to && !p.aspect {
			if start < 0 {
				start = p.from
			}
			end = p.to
		}
	}
	if start < 0 { // aspects are all there is
		for _, p := range c.out {
			if p.from >= from && p.to <= to {
				if start < 0 {
					start = p.from
				}
				end = p.to
			}
		}
	}
	if start < 0 {
		return ""
	}
	return c.slice(start, end)
}

// doing reads "how to teach X", "the best way to teach X".
func (c *cutter) doing(from, to int) (Asked, bool) {
	i := c.first(from, to, func(w string) bool { return w == "to" })
	if i <= from || !slices.Contains([]string{"how", "way", "ways"}, c.word(i-1)) || c.core(from, i) || !c.core(i+1, to) {
		return Asked{}, false
	}
	end := c.last(i+1, to)
	if end < i+3 {
		return Asked{}, false
	}
	return Asked{Topic: gerund(c.word(i+1)) + " " + c.slice(i+2, end)}, true
}

// whole gives a question from its first phrase to its last.
func (c *cutter) whole(from, to int) string {
	start, end := to, from
	for _, p := range c.out {
		if p.from >= from && p.to <= to {
			start, end = min(start, p.from), max(end, p.to)
		}
	}
	if c.language != "" || start >= end { // what asks belongs to the sentence
		start, end = from, to
	}
	s := c.question[c.tokens[start].Start:c.tokens[end-1].End]
	if words := strings.Fields(s); len(words) > 0 { // a particle points at what was cut off
		if w := words[len(words)-1]; strings.IndexFunc(w, hangul) == 0 {
			s = strings.TrimSuffix(s, w) + withoutParticle(w)
		}
	}
	return strings.Trim(text.OneLine(s), " ?!.;…？！。¿¡")
}

// setting splits a noun phrase at the first preposition that says where, when
// or in whom.
func (c *cutter) setting(from, to int) int {
	for i := from + 1; i < to; i++ {
		switch c.word(i) {
		case "in", "among", "amongst", "during", "within", "across", "under", "after", "at", "throughout":
			if c.core(from, i) && c.core(i, to) {
				return i
			}
		}
	}
	return to
}

// related builds a relation of what stands in two stretches of the question.
func (c *cutter) related(kind RelationKind, of, joined string, a, b, y, to int) (Asked, bool) {
	at := c.setting(y, to)
	cause, effect := c.noun(a, b), c.noun(y, at)
	if cause == "" || effect == "" {
		return Asked{}, false
	}
	out := Asked{Kind: kind, Cause: cause, Topic: cause + " and " + effect, Relation: of + " " + cause + " " + joined + " " + effect}
	if at < to {
		if s := c.noun(at, to); s != "" {
			out.Setting = c.tokens[at].Word + " " + s
			out.Topic += " " + out.Setting
			out.Relation += " " + out.Setting
		}
	}
	return out, true
}

// relations are nouns that relate two things: the words after the noun, what
// stands between the two, and how the relation is put.
var relations = []struct {
	nouns      []string
	after      string
	between    []string
	kind       RelationKind
	of, joined string
}{
	{[]string{"effect", "effects", "impact", "impacts", "influence", "influences", "consequences"}, "of", []string{"on", "upon"}, Effect, "the effect of", "on"},
	{[]string{"role", "roles"}, "of", []string{"in"}, Association, "the role of", "in"},
	{[]string{"association", "associations", "relationship", "relationships", "relation", "relations", "link", "links", "correlation", "correlations", "interplay", "interaction"},
		"between", []string{"and"}, Association, "the association between", "and"},
	{[]string{"association", "associations", "correlation", "relationship"}, "of", []string{"with", "to", "and"}, Association, "the association between", "and"},
}

// named looks for a noun that relates two things: "the effect of X on Y".
func (c *cutter) named(from, to int) (Asked, bool) {
	for _, r := range relations {
		i := c.first(from, to, func(w string) bool { return slices.Contains(r.nouns, w) })
		if i < 0 || c.word(i+1) != r.after || c.core(from, i) {
			continue
		}
		for k := i + 2; k < to; k++ {
			if slices.Contains(r.between, c.word(k)) && c.core(i+1, k) && c.core(k, to) {
				if a, ok := c.related(r.kind, r.of, r.joined, i+2, k, k+1, to); ok {
					return a, true
				}
			}
		}
	}
	return Asked{}, false
}

// nominal gives verbs and qualities as nouns: "is X effective for Y" asks for
// the effectiveness of X for Y.
var nominal = map[string]string{
	"effective": "the effectiveness of", "efficacious": "the efficacy of", "safe": "the safety of", "accurate": "the accuracy of",
	"reliable": "the reliability of", "valid": "the validity of", "feasible": "the feasibility of", "useful": "the usefulness of",
	"acceptable": "the acceptability of", "robust": "the robustness of",
	"used": "the use of", "adopted": "the adoption of", "perceived": "the perception of", "applied": "the application of",
	"evaluated": "the evaluation of", "assessed": "the assessment of", "measured": "the measurement of", "detected": "the detection of",
	"prevented": "the prevention of", "predicted": "the prediction of", "improved": "the improvement of", "reduced": "the reduction of",
	"treated": "the treatment of", "managed": "the management of", "diagnosed": "the diagnosis of", "taught": "the teaching of",
	"monitored": "the monitoring of", "restored": "the restoration of", "identified": "the identification of", "designed": "the design of",
	"protected": "the protection of", "validated": "the validation of", "trained": "the training of", "tested": "the testing of",
	"perform": "the performance of", "performs": "the performance of", "fail": "failures of", "fails": "failures of", "scale": "the scaling of",
	"scales": "the scaling of", "respond": "the responses of", "adapt": "the adaptation of", "occur": "the occurrence of", "work": "",
}

// agents are verbs whose object is what is asked about: "how do teachers use X"
// asks for the use of X by teachers.
var agents = map[string]string{
	"use": "the use of", "adopt": "the adoption of", "perceive": "the perception of", "choose": "the choice of",
	"understand": "the understanding of", "interpret": "the interpretation of", "evaluate": "the evaluation of", "assess": "the assessment of",
}

// associated are participles that relate, with the preposition that follows.
var associated = []string{"associated", "linked", "related", "correlated"}

// clause reads what follows an auxiliary: "does X reduce Y in Z", "is X
// effective for Y".
func (c *cutter) clause(aux, to int) (Asked, bool) {
	be := slices.Contains(copulas, c.word(aux)) || c.first(aux+1, to, func(w string) bool { return w == "be" }) >= 0
	how := aux > 0 && c.word(aux-1) == "how"
	for i := aux + 2; i < to; i++ {
		w := c.word(i)
		if c.hyphened(i) || !c.subject(aux+1, i) {
			continue
		}
		rest := func() string {
			if !c.core(i+1, to) {
				return ""
			}
			return " " + c.slice(i+1, c.last(i+1, to))
		}
		switch {
		case be && slices.Contains(associated, w) && c.core(i+1, to):
			return c.related(Association, "the association between", "and", aux+1, i, i+1, to)
		case be && (w == "better" || w == "worse" || w == "superior") && c.core(i+1, to):
			return Asked{Topic: c.noun(aux+1, i) + " compared with " + c.slice(i+2, c.last(i+2, to))}, true
		case (c.w.nounverb[w] || c.w.relate[w]) && !c.verb(i):
			continue
		case nominal[w] != "" || w == "work" || w == "works":
			if !be && !slices.Contains([]string{"perform", "performs", "fail", "fails", "scale", "scales", "respond", "adapt", "occur", "work", "works"}, w) {
				continue
			}
			return Asked{Topic: strings.TrimSpace(nominal[w] + " " + c.noun(aux+1, i) + rest())}, true
		case be:
			continue
		case agents[w] != "" && c.core(i+1, to):
			at := c.setting(i+1, to)
			topic := agents[w] + " " + c.noun(i+1, at) + " by " + c.noun(aux+1, i)
			if at < to {
				topic += " " + c.slice(at, c.last(at, to))
			}
			return Asked{Topic: topic}, true
		case slices.Contains([]string{"help", "helps", "enable", "allow", "let", "make"}, w):
			return Asked{Topic: strings.Trim(c.question, " ?!.;"), Verbatim: true}, true
		case c.verb(i) && c.core(i+1, to):
			if how && c.w.means[c.word(aux)] { // asks how to, not whether
				return Asked{Topic: c.noun(aux+1, i) + " " + gerund(w) + rest()}, true
			}
			return c.related(Effect, "the effect of", "on", aux+1, i, i+1, to)
		}
	}
	if be {
		return Asked{}, false
	}
	if slices.Contains([]string{"do", "does", "did"}, c.word(aux)) || !c.core(aux, to) {
		return Asked{Topic: strings.Trim(text.OneLine(c.question), " ?!.;"), Verbatim: true}, true
	}
	if c.w.means[c.word(aux)] {
		return Asked{Topic: strings.Trim(text.OneLine(c.question), " ?!.;"), Verbatim: true}, true
	}
	return Asked{}, false
}

// subject reports whether something that can act stands between two places.
func (c *cutter) subject(from, to int) bool {
	return slices.ContainsFunc(c.out, func(p phrase) bool { return p.from >= from && p.to <= to && (!p.aspect || c.w.aspect[p.words[0]]) })
}

// last gives the place after the last phrase of the topic between two places.
func (c *cutter) last(from, to int) int {
	end := from
	for _, p := range c.out {
		if !p.aspect && p.from >= from && p.to <= to {
			end = max(end, p.to)
		}
	}
	if end == from {
		return to
	}
	return end
}

// drivers ask what stands behind a thing; the topic is the thing.
var drivers = []string{"factors", "variables", "determinants", "predictors", "drivers", "causes", "reasons", "barriers"}

// which reads "which interventions reduce anxiety in students", "what causes
// coral bleaching".
func (c *cutter) which(from, to int) (Asked, bool) {
	if w := c.word(from); w != "which" && w != "what" {
		return Asked{}, false
	}
	for _, p := range c.out {
		w := p.words[0]
		if !p.aspect || len(p.words) > 1 || !c.verb(p.from) || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || p.from <= from || !c.core(p.to, to) {
			continue
		}
		rest := c.slice(p.to, c.last(p.to, to))
		if p.from == from+1 {
			if w == "causes" || w == "cause" {
				return Asked{Topic: "the causes of " + rest}, true
			}
			return Asked{}, false
		}
		if subject := c.noun(from, p.from); subject != "" && !slices.Contains(drivers, subject) {
			return Asked{Topic: subject + " " + gerund(w) + " " + rest}, true
		}
	}
	return Asked{}, false
}

// gerund gives the -ing form of an English verb.
func gerund(verb string) string {
	v := verb
	switch {
	case strings.HasSuffix(v, "sses") || strings.HasSuffix(v, "ches") || strings.HasSuffix(v, "shes"):
		v = v[:len(v)-2]
	case strings.HasSuffix(v, "ies"):
		v = v[:len(v)-3] + "y"
	case strings.HasSuffix(v, "s") && !strings.HasSuffix(v, "ss"):
		v = v[:len(v)-1]
	}
	vowel := func(i int) bool { return strings.IndexByte("aeiou", v[i]) >= 0 }
	n := len(v)
	switch {
	case n < 3:
		return v + "ing"
	case strings.HasSuffix(v, "ie"):
		return v[:n-2] + "ying"
	case strings.HasSuffix(v, "e") && !strings.HasSuffix(v, "ee"):
		return v[:n-1] + "ing"
	case n <= 4 && !vowel(n-1) && vowel(n-2) && !vowel(n-3) && !strings.ContainsAny(v[n-1:], "wxy"):
		return v + v[n-1:] + "ing"
	}
	return v + "ing"
}
