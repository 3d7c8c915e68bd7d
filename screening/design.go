package screening

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
)

// What the kind of a study adds to the log-odds of a record. A question about
// the effect of an intervention is answered by trials first (the hierarchy of
// evidence that clinical queries build on: Haynes et al. 2005), and a review
// draws on primary studies, unless reviews are what it is about.
const (
	trialGain      = 0.7
	comparisonGain = 0.3
	secondaryLoss  = 0.5
	animalLoss     = 0.5
	noAbstractLoss = 0.5
	kindGain       = 0.3 // of a kind of study that the inclusion criteria name
	kindLoss       = 1.0 // of one that the exclusion criteria name, found in the title
)

//go:embed design.txt
var designWords string

var signs = sync.OnceValue(func() map[string][][]string {
	out, name := map[string][][]string{}, ""
	for line := range strings.Lines(designWords) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		default:
			for _, f := range strings.Fields(line) {
				out[name] = append(out[name], strings.Split(f, "_"))
			}
		}
	}
	return out
})

// sign finds the first sign of a list in folded words, "" if there is none.
func sign(words []string, list [][]string) string {
	for i := range words {
		for _, f := range list {
			if i+len(f) <= len(words) && slices.Equal(words[i:i+len(f)], f) {
				return strings.Join(f, " ")
			}
		}
	}
	return ""
}

// designer weighs the kind of study that records show.
type designer struct {
	effect, reviews  bool
	wanted, unwanted [][]string // signs of the kinds that the criteria name
}

func newDesigner(rv Review) designer {
	asked := text.Tokens(rv.Title + ". " + rv.Question + ". " + rv.Inclusion)
	d := designer{
		effect:  sign(text.Tokens(rv.Question+". "+rv.Inclusion), signs()["asks-effect"]) != "",
		reviews: sign(asked, signs()["asks-reviews"]) != "",
	}
	kinds := func(list string) (out [][]string) {
		for _, c := range criteria(list) {
			for _, w := range lexical.DesignWords(c) {
				out = append(out, strings.Fields(w))
			}
		}
		return out
	}
	d.wanted = kinds(rv.Inclusion)
	for _, f := range kinds(rv.Exclusion) {
		if !slices.ContainsFunc(d.wanted, func(w []string) bool { return slices.Equal(w, f) }) {
			d.unwanted = append(d.unwanted, f)
		}
	}
	if d.reviews {
		d.unwanted = slices.DeleteFunc(d.unwanted, func(f []string) bool { return f[0] == "review" || f[0] == "meta" || f[0] == "overview" })
	}
	return d
}

// weigh gives what the kind of study adds to the log-odds of a record, and why.
func (d designer) weigh(r Record) (gain float64, why []string) {
	title := text.Tokens(r.Title)
	all := append(slices.Clone(title), text.Tokens(r.Abstract)...)
	add := func(g float64, s, reason string) {
		if s != "" && g != 0 {
			gain += g
			why = append(why, reason+" ('"+s+"')")
		}
	}
	if d.effect {
		add(trialGain, sign(all, signs()["trial"]), "a trial")
		add(comparisonGain, sign(all, signs()["comparison"]), "compares")
		add(-animalLoss, sign(title, signs()["animals"]), "about animals")
	}
	if d.reviews {
		add(secondaryLoss, sign(title, signs()["secondary"]), "a review")
	} else {
		add(-secondaryLoss, sign(title, signs()["secondary"]), "no primary study")
	}
	add(kindGain, sign(all, d.wanted), "a kind of study that the criteria want")
	add(-kindLoss, sign(title, d.unwanted), "a kind of study that the criteria leave out")
	if strings.TrimSpace(r.Abstract) == "" {
		gain -= noAbstractLoss
		why = append(why, "no abstract")
	}
	return gain, why
}
