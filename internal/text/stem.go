package text

import (
	"strings"

	"github.com/kljensen/snowball/english"
)

// Stem gives the stem of a folded word: British spelling is levelled
// (behaviour, anaemia, organisation), then the English Snowball stemmer runs.
// Words with a digit or a letter outside a-z come back unchanged.
func Stem(word string) string {
	if len(word) <= 2 {
		return word
	}
	for i := 0; i < len(word); i++ {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return english.Stem(american(word), false)
}

// american levels British spellings. It may also change words that have no
// other spelling; that is harmless, as it does so everywhere.
func american(w string) string {
	if len(w) >= 6 {
		if i := strings.LastIndex(w, "our"); i >= 2 && (i+3 == len(w) || ouredEnds[w[i+3:]]) {
			w = w[:i] + "or" + w[i+3:]
		}
		if i := strings.LastIndex(w, "is"); i >= 3 && isedEnds[w[i+2:]] && !neverIze(w[:i]) {
			w = w[:i] + "iz" + w[i+2:]
		}
		if i := strings.LastIndex(w, "yz"); i >= 2 {
			w = w[:i] + "ys" + w[i+2:]
		}
	}
	if strings.Contains(w, "ae") || strings.Contains(w, "oe") {
		for _, p := range digraphs {
			w = strings.Replace(w, p[0], p[1], 1)
		}
	}
	return w
}

// ouredEnds follow -our in words such as behaviours, tumoural, favourite.
var ouredEnds = setOf("s ed ing al ally er ers able ite less")

// isedEnds follow -is in words that American spelling writes with -iz.
var isedEnds = setOf("e es ed er ers ing ation ations ational able")

// neverIze lists the beginnings of words that keep -ise in every spelling, and
// of those that would merge with another word.
func neverIze(head string) bool {
	switch head {
	case "adv", "rev", "superv", "dev", "telev", "improv", "prom", "comprom", "prem", "compr", "surpr", "enterpr",
		"expert", "exerc", "exc", "inc", "circumc", "prec", "conc", "franch", "merchand", "parad", "treat", "disgu",
		"otherw", "likew", "ra", "pra", "appra", "upra", "ar", "wa", "no", "po", "cho", "turquo", "chast", "desp", "dem":
		return true
	}
	return false
}

// digraphs of medical English.
var digraphs = [...][2]string{
	{"haem", "hem"}, {"aemi", "emi"}, {"paed", "ped"}, {"aetio", "etio"}, {"faec", "fec"}, {"caec", "cec"},
	{"gynaec", "gynec"}, {"anaes", "anes"}, {"oesoph", "esoph"}, {"oedem", "edem"}, {"oestr", "estr"},
	{"foet", "fet"}, {"diarrhoe", "diarrhe"}, {"coeli", "celi"},
}
