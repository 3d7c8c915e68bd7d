package evidence

import "strings"

func readStance(s string) stance { return stanceOf(readWords(s)) }

func stanceOf(ws []word) stance {
	ws = ws[:min(len(ws), longestStance)]
	r := stanceReader{ws: ws, sign: make([]int8, len(ws)), evaluative: make([]bool, len(ws)),
		denied: make([]bool, len(ws)), used: make([]bool, len(ws))}
	r.st.versus, r.st.main = -1, -1
	r.cues()
	r.negations()
	r.concessions()
	r.combine()
	r.settle()
	return r.st
}

// stanceReader holds the passes over one text.
type stanceReader struct {
	ws         []word
	sign       []int8 // of the cue at each place, 0 where there is none
	evaluative []bool // the cue is good or bad whatever its object
	denied     []bool // the word is in the scope of a negation
	used       []bool // the cue belongs to another one or to "without"
	st         stance
}

func (r *stanceReader) at(i int) string {
	if i < 0 || i >= len(r.ws) {
		return ""
	}
	return r.ws[i].Word
}

func (r *stanceReader) stemAt(i int) string {
	if i < 0 || i >= len(r.ws) {
		return ""
	}
	return r.ws[i].stem
}

// cueOf gives the sign of a word as a cue.
func cueOf(w word) (sign int8, evaluative bool) {
	lex := lexicon()
	switch {
	case lex.sign[w.Word] != 0:
		return lex.sign[w.Word], lex.evaluative[w.Word]
	case lex.negator[w.Word] || lex.stops[w.Word]:
		return 0, false
	}
	return lex.sign["~"+w.stem], lex.evaluative["~"+w.stem]
}

func (r *stanceReader) cues() {
	lex := lexicon()
	for i, w := range r.ws {
		r.sign[i], r.evaluative[i] = cueOf(w)
		switch {
		case !r.evaluative[i] && (strings.HasSuffix(w.Word, "ive") || strings.HasSuffix(w.Word, "ory")) && !lexicon().be[r.at(i-1)],
			lex.part[r.at(i+1)] && (w.Word == "lower" || w.Word == "growth"):
			r.sign[i] = 0
		}
		switch w.Word {
		case "more", "less", "fewer", "longer": // "more than 20 tasks", "no longer": no direction
			if r.at(i+1) == "than" && isNumber(r.at(i+2)) || r.at(i-1) == "no" {
				r.sign[i] = 0
			}
		case "positive", "positively", "negative", "negatively", "inverse", "inversely":
			if lex.signed["~"+r.stemAt(i+1)] {
				r.sign[i] = 1
				if w.Word[0] != 'p' {
					r.sign[i] = -1
				}
			}
		}
		if _, ok := lex.denied[w.Word]; ok {
			r.st.negated = true
			r.denied[i] = true
		}
	}
}

func (r *stanceReader) negations() {
	lex := lexicon()
	for i, w := range r.ws {
		negator := lex.negator[w.Word] || w.Word == "t" && w.Gap && lex.contracted[r.at(i-1)]
		if w.stem == "fail" && r.at(i+1) == "to" {
			negator, r.sign[i] = true, 0
		}
		if !negator || lex.notOnly[r.at(i+1)] {
			continue
		}
		if w.Word == "without" {
			for j := i + 1; j < len(r.ws) && j < i+objectReach && !r.ws[j].Gap && !lex.breaks[r.at(j)]; j++ {
				r.used[j] = true
			}
			continue
		}
		r.st.negated = true
		reach := negationReach
		for j := i + 1; j < len(r.ws) && j <= i+reach && !lex.breaks[r.at(j)] && !(r.ws[j].Gap && j > i+1 && reach == negationReach); j++ {
			r.denied[j] = true
			if r.stemAt(j) == "differ" {
				reach = equalityReach
			}
		}
	}
}

// concessions takes out what a clause concedes: "Despite higher cost, …".
func (r *stanceReader) concessions() {
	for i := range r.ws {
		if !lexicon().concession[r.at(i)] || i > 0 && !r.ws[i].Gap {
			continue
		}
		end := i + 1
		for end < len(r.ws) && !r.ws[end].Gap {
			end++
		}
		if i == 0 && end == len(r.ws) {
			continue // no main clause would be left
		}
		for j := i + 1; j < end; j++ {
			r.used[j] = true
		}
	}
}

// combine lets each cue act on its object, from the last to the first: "reduces
// errors", "more resistant to infection".
func (r *stanceReader) combine() {
	lex := lexicon()
	for i := len(r.ws) - 1; i >= 0; i-- {
		if r.sign[i] == 0 || r.used[i] {
			continue
		}
		found := false
		for j := i + 1; j < len(r.ws) && j <= i+objectReach && !r.ws[j].Gap && !lex.stops[r.at(j)] && (r.at(j) != "to" || r.stemAt(i) == "resist"); j++ {
			unwanted := r.unwanted(j)
			if r.sign[j] == 0 && !unwanted {
				continue
			}
			found = true
			switch {
			case r.evaluative[i]:
			case r.sign[j] != 0:
				r.sign[i] *= r.sign[j]
			default:
				r.sign[i] = -r.sign[i]
			}
			r.used[j] = r.sign[j] != 0
			break
		}
		if !found && !r.evaluative[i] && r.predicate(i) {
			for j := i - 1; j >= 0 && j >= i-objectReach-1 && !r.ws[j+1].Gap && !lex.stops[r.at(j)]; j-- {
				if r.unwanted(j) {
					r.sign[i] = -r.sign[i]
					break
				}
			}
		}
	}
}

// unwanted reports whether less of what stands at i is better. "Time" is, but
// not in "over time" or "real time".
func (r *stanceReader) unwanted(i int) bool {
	if r.at(i) == "time" {
		switch r.at(i - 1) {
		case "over", "real", "first", "of", "each", "same", "long", "lead":
			return false
		}
	}
	return has(lexicon().unwanted, r.ws[i].Word, r.ws[i].stem)
}

// predicate reports whether the cue at i says something of what stands before
// it ("mortality was lower", "error rates decreased").
func (r *stanceReader) predicate(i int) bool {
	if i+1 == len(r.ws) || r.ws[i+1].Gap || lexicon().stops[r.at(i+1)] {
		return true
	}
	switch r.at(i + 1) {
	case "in", "after", "with", "from", "to", "significantly", "for", "at", "on", "during", "among", "over", "under":
		return true
	}
	return lexicon().be[r.at(i-1)] || lexicon().be[r.at(i-2)]
}

// settle reads the stance off the cues that are left.
func (r *stanceReader) settle() {
	lex := lexicon()
	start := r.outcomeStart()
	condition, plus, minus := 1, false, false
	var signs []byte
	for i, w := range r.ws {
		if i >= start && r.noDifference(i) || r.denied[i] && has(lex.relation, w.Word, w.stem) && r.at(i-1) != "side" && r.at(i-1) != "adverse" {
			r.st.null = true
		}
		if r.st.versus < 0 && has(lex.versus, w.Word, w.stem) && (lex.versus["~"+w.stem] || r.comparison(i) > 0) {
			r.st.versus = i
		}
		switch {
		case r.sign[i] == 0 || r.used[i]:
		case r.denied[i]:
			r.st.null = true
		case i < start:
			condition *= int(r.sign[i])
		default:
			plus, minus = plus || r.sign[i] > 0, minus || r.sign[i] < 0
			signs = append(signs, "-0+"[r.sign[i]+1])
			if r.st.main < 0 {
				r.st.main = i
			}
			if r.at(i+1) == "by" || lex.be[r.at(i-1)] && strings.HasSuffix(w.Word, "ed") {
				r.st.passive = true
			}
		}
	}
	stated := plus || minus
	switch {
	case plus && minus:
		r.st.mixed = true
	case plus:
		r.st.outcome = 1
	case minus:
		r.st.outcome = -1
	}
	if stated && r.st.null {
		r.st.mixed, r.st.null = true, false // "improves recall but not latency"
	}
	r.st.relation = r.st.outcome * condition
	switch {
	case r.st.mixed:
		r.st.relation, r.st.signs = 0, string(signs)
	case !stated && !r.st.null:
		r.causes(condition)
	}
}

// noDifference reports whether the word at i says that things do not differ.
func (r *stanceReader) noDifference(i int) bool {
	switch r.at(i) {
	case "same":
		return has(lexicon().measure, r.at(i+1), r.stemAt(i+1))
	case "stable", "constant":
		return r.stemAt(i-1) == "remain" || r.stemAt(i-1) == "stay"
	}
	return lexicon().same[r.at(i)]
}

// causes gives a claim without a direction of its own the one that "X causes Y"
// implies: more of Y.
func (r *stanceReader) causes(condition int) {
	lex := lexicon()
	for i, w := range r.ws {
		if !lex.cause["~"+w.stem] || r.denied[i] || r.used[i] {
			continue
		}
		r.st.relation, r.st.main = condition, i
		for j := i + 1; j < len(r.ws) && j <= i+objectReach; j++ {
			if r.unwanted(j) {
				r.st.relation = -condition
				return
			}
		}
		return
	}
}

// comparison gives the place of the word that opens the second side of the
// comparison at i, 0 if there is none.
func (r *stanceReader) comparison(i int) int { return comparison(r.ws, i) }

func comparison(ws []word, i int) int {
	for j := i + 1; j < len(ws) && j <= i+14; j++ {
		switch ws[j].Word {
		case "than", "compared", "versus", "vs":
			return j
		}
	}
	return 0
}

// outcomeStart gives the place before which cues modify the condition: the verb
// of an association ("higher X is associated with …") or the first cue that is
// a verb or predicate ("Reduced X increases …"). 0 if no cue stands before it.
func (r *stanceReader) outcomeStart() int {
	lex := lexicon()
	for i, w := range r.ws {
		if has(lex.link, w.Word, w.stem) && (r.cueIn(i+1, len(r.ws)) || lex.cause["~"+w.stem]) && r.cueIn(0, i) {
			return i
		}
		if r.sign[i] != 0 && !r.used[i] && r.verb(i) {
			return i
		}
	}
	return 0
}

// verb reports whether the cue at i is a finite verb or a predicate rather than
// a noun ("inhibition") or a modifier ("higher X").
func (r *stanceReader) verb(i int) bool {
	w, lex := r.at(i), lexicon()
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		switch r.at(j) {
		case "has", "have", "had", "show", "shows", "showed", "shown", "exhibit", "exhibits", "did", "does", "do", "can", "could", "may",
			"might", "will", "would", "should", "achieve", "achieves", "achieved", "yields", "experienced", "reported":
			return true
		}
		if lex.be[r.at(j)] {
			return true
		}
	}
	switch {
	case i == 0, r.ws[i].joined, strings.HasSuffix(w, "ion"), strings.HasSuffix(w, "ment"), strings.HasSuffix(w, "ing"), lex.leadIn[r.at(i-1)] && r.at(i-1) != "to":
		return false
	case lex.sign[w] != 0 && lex.sign["~"+r.ws[i].stem] == 0:
		return strings.HasSuffix(w, "s") && w != "less" || strings.HasSuffix(w, "ed")
	}
	return true
}

func (r *stanceReader) cueIn(from, to int) bool {
	for i := from; i < to; i++ {
		if r.sign[i] != 0 && !r.used[i] {
			return true
		}
	}
	return false
}
