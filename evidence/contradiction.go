package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

const (
	minOpposed        = 0.6  // similarity from which opposite directions concern one outcome
	minRival          = 0.85 // similarity from which two numbers measure one thing
	minRatio          = 1.25 // of two numbers that cannot both hold
	maxContradictions = 100  // per subquestion
)

// Contradictions finds pairs of items of one subquestion, from two documents,
// that state opposite directions or incompatible numbers of the same outcome.
// It is conservative: no pair is reported whose claims name different systems,
// populations or settings. At most one pair per two documents and 100 per
// subquestion, the closest first. The result does not depend on the order of
// items.
//
// A size never stands against a direction: "improved by 24 %" and "did not
// improve" contradict each other, whatever numbers they give. Two sizes alone do
// so only when both claims name the same thing and the same data that it was
// measured on. Studies differ in participants, methods and chance, and without
// their standard errors two estimates cannot be told apart (Cochrane Handbook
// 5.1, 9.5.1; Altman and Bland 2003, doi:10.1136/bmj.326.7382.219): prevalences
// of 2 % and 3 % in two samples, or gains of two systems, are no contradiction.
func Contradictions(s *state.State, items []state.Evidence) []state.Contradiction {
	var out []state.Contradiction
	short := acronyms(s, items)
	ids, split := bySubquestion(items)
	for _, q := range ids {
		x := newIndex(split[q], s.Subquestions[q].Text, short)
		taken := map[[2]string]bool{}
		n := 0
		for _, p := range x.pairs(minOpposed) {
			a, b := x.profiles[p.a], x.profiles[p.b]
			kind, why := conflict(a, b, p.sim)
			if kind == "" {
				continue
			}
			for _, ea := range x.members[p.a] {
				for _, eb := range x.members[p.b] {
					docs := [2]string{min(ea.Document, eb.Document), max(ea.Document, eb.Document)}
					if ea.Document == eb.Document || taken[docs] || n == maxContradictions {
						continue
					}
					taken[docs] = true
					n++
					out = append(out, contradiction(ea, eb, kind, fmt.Sprintf(why, ea.Document, eb.Document)+" ("+sharedWords(a, b, x.weight)+")"))
				}
			}
		}
	}
	return out
}

func contradiction(a, b state.Evidence, kind, why string) state.Contradiction {
	if a.ID > b.ID {
		a, b = b, a
	}
	h := sha256.Sum256([]byte(a.ID + "|" + b.ID))
	return state.Contradiction{ID: "x_" + hex.EncodeToString(h[:6]), Subquestion: a.Subquestion, A: a.ID, B: b.ID,
		Kind: kind, Explanation: why, By: "rule"}
}

// conflict gives the kind of contradiction between two claims and a format for
// its explanation, "" if there is none.
func conflict(a, b *profile, sim float64) (kind, why string) {
	if aboutOthers(a, b) || otherOutcome(a, b) || bothAdd(a, b) {
		return "", ""
	}
	crossed := swapped(a, b)
	switch {
	case crossed && a.st.versus >= 0 && b.st.versus >= 0 && a.st.relation == b.st.relation && a.st.relation != 0 && sim >= minRival:
		return "direction", "%s and %s rank the same two things in opposite order"
	case crossed:
		return "", ""
	case a.st.opposed(b.st) && !circumstancesDiffer(a, b):
		return "direction", "%s " + states(a.st) + ", %s " + states(b.st) + " on the same outcome"
	case sim >= minRival && a.st.compatible(b.st):
		if x, y, unit, ok := rivalNumbers(a, b); ok {
			unit = strings.ReplaceAll(unit, "%", " %%")
			return "numbers", "%s reports " + x + unit + ", %s reports " + y + unit + " for the same outcome"
		}
	}
	return "", ""
}

func states(s stance) string {
	switch {
	case s.relation > 0:
		return "states an increase or improvement"
	case s.relation < 0:
		return "states a decrease or worsening"
	case s.null:
		return "states no difference or effect"
	case s.negated:
		return "denies it"
	}
	return "affirms it"
}

// quantity is a number with its unit.
type quantity struct{ number, unit string }

var units = map[string]string{"%": "%", "percent": "%", "percentage": " points", "points": " points", "point": " points", "pp": " points",
	"x": "×", "times": "×", "fold": "×", "ms": " ms", "seconds": " s", "minutes": " min", "hours": " h", "days": " days",
	"weeks": " weeks", "months": " months", "years": " years"}

// quantities gives the numbers of a claim that have a unit.
func quantities(claim string) []quantity {
	var out []quantity
	fields := strings.Fields(strings.NewReplacer("%", " % ", "-fold", " fold", "-point", " point", "×", " x ").Replace(text.Fold(claim)))
	for i := 0; i+1 < len(fields); i++ {
		ns := text.Numbers(fields[i])
		if unit := units[strings.Trim(fields[i+1], ".,;:()")]; unit != "" && len(ns) == 1 {
			out = append(out, quantity{ns[0], unit})
		}
	}
	return out
}

// leastNamed is how many names two claims must share before their numbers are
// taken to measure one thing: the thing and the data. A change needs one more,
// what it is measured against.
const leastNamed = 2

// rivalNumbers gives the two numbers that cannot both hold: both claims name
// the same things, enough of them, each has exactly one quantity, in the same
// unit, and they agree in all other numbers.
func rivalNumbers(a, b *profile) (x, y, unit string, ok bool) {
	least := leastNamed
	if a.st.relation != 0 {
		least++
	}
	if len(a.names) < least || a.namesBeyond(b) || b.namesBeyond(a) {
		return "", "", "", false
	}
	qa, qb := quantities(a.item.Claim), quantities(b.item.Claim)
	if len(qa) != 1 || len(qb) != 1 || qa[0].unit != qb[0].unit {
		return "", "", "", false
	}
	x, y = qa[0].number, qb[0].number
	if x == y || !subset(without(a.numbers, x), b.numbers) || !subset(without(b.numbers, y), a.numbers) {
		return "", "", "", false
	}
	fx, errX := strconv.ParseFloat(x, 64)
	fy, errY := strconv.ParseFloat(y, 64)
	if errX != nil || errY != nil || math.Max(fx, fy) < minRatio*math.Min(fx, fy) {
		return "", "", "", false
	}
	return x, y, qa[0].unit, true
}

func without(list []string, x string) []string {
	var out []string
	for _, y := range list {
		if y != x {
			out = append(out, y)
		}
	}
	return out
}
