package fulltext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	headingNumber = regexp.MustCompile(`^((\d{1,2}(\.\d{1,2}){0,3})\.?|([IVX]{1,5}|[A-Z])\.|[A-H](\.\d{1,2}){0,2})\s+\p{Lu}`)
	arabic        = regexp.MustCompile(`^(\d{1,2}|[A-H])((?:\.\d{1,2}){0,3})\.?\s`)
)

// knownHeadings are the usual headings of papers; true ones stand on the top level.
var knownHeadings = map[string]bool{
	"abstract": true, "introduction": true, "background": true, "related work": true, "literature review": true,
	"methods": true, "method": true, "methodology": true, "materials and methods": true, "methods and materials": true, "material and methods": true,
	"patients and methods": true, "experimental": true, "results": true, "findings": true, "results and discussion": true,
	"experiments": true, "evaluation": true, "discussion": true, "discussions": true, "limitations": true, "conclusion": true, "conclusions": true,
	"discussion and conclusion": true, "discussion and conclusions": true, "conclusion and future work": true, "conclusions and future work": true,
	"future work": true, "acknowledgments": true, "acknowledgements": true, "acknowledgment": true, "acknowledgement": true,
	"references": true, "bibliography": true, "literature cited": true, "works cited": true, "reference list": true,
	"références": true, "bibliographie": true, "literatur": true, "literaturverzeichnis": true, "referencias": true, "bibliografía": true,
	"appendix": true, "appendices": true, "supplementary material": true, "supporting information": true, "funding": true,
	"competing interests": true, "conflict of interest": true, "conflicts of interest": true, "declaration of interests": true,
	"authors' contributions": true, "author contributions": true, "author contribution": true, "authors’ contributions": true,
	"data availability": true, "abbreviations": true, "clinical perspectives": true, "summary": true,
	"keywords": false, "key words": false, "pre-publication history": false, "statistical analysis": false, "data collection": false, "data analysis": false,
}

var referenceHeadings = map[string]bool{"references": true, "bibliography": true, "literature cited": true, "works cited": true, "reference list": true, "references and notes": true, "références": true, "bibliographie": true, "literatur": true, "literaturverzeichnis": true, "referencias": true, "bibliografía": true}

// bare is a heading without its number and end, in small letters.
func bare(s string) string {
	s = strings.TrimSpace(s)
	if headingNumber.MatchString(s) {
		if i := strings.IndexByte(s, ' '); i > 0 {
			s = s[i:]
		}
	}
	return strings.ToLower(strings.Trim(s, " .:—–-"))
}

// isHeading says whether a block is a heading: larger, bolder, numbered, in
// capitals, or one of the usual ones on a line of its own.
func isHeading(b block, t typography) bool {
	n := utf8.RuneCountInString(b.text)
	words := len(strings.Fields(b.text))
	if n < 3 || n > 160 || words > 20 || len(b.lines) > 4 || captionHead.MatchString(b.text) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(b.text)
	letters, upper, others := 0, 0, 0
	for _, r := range b.text {
		switch {
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
			}
		case !unicode.IsSpace(r):
			others++
		}
	}
	if letters < 3 || others > letters || strings.ContainsAny(b.text, "=∑∫@") || !(unicode.IsUpper(first) || unicode.IsDigit(first) || !unicode.IsLower(first) && unicode.IsLetter(first)) {
		return false
	}
	_, known := knownHeadings[bare(b.text)]
	stop := ends(b.text) && !strings.HasSuffix(b.text, "?")
	if stop && !known && !(headingNumber.MatchString(b.text) && words <= 10 && b.style&(bold|italic) != 0) {
		return false
	}
	larger := b.size > 1.07*t.size
	heavy := b.style&bold != 0 && !t.bold
	caps := upper == letters && letters >= 4
	number := headingNumber.MatchString(b.text)
	switch {
	case known:
		return larger || heavy || caps || number || len(b.lines) == 1
	case b.size < 0.93*t.size:
		return false
	case heavy, larger:
		return words <= 16 && (unicode.IsUpper(first) || number)
	case number:
		return caps || b.style&italic != 0
	case caps:
		return words <= 10 && words > 1
	}
	return false
}

// levels sets the levels of headings: by their numbers where they have them, or
// by their look, the look of the usual top-level headings being the highest.
type look struct {
	size  float64
	style style
	caps  bool
}

func lookOf(b block) look {
	caps := b.text == strings.ToUpper(b.text)
	return look{float64(int(b.size*2+0.5)) / 2, b.style & (bold | italic), caps}
}

func levels(hs []block) []int {
	top := map[look]int{}
	for _, h := range hs {
		if knownHeadings[bare(h.text)] {
			top[lookOf(h)]++
		}
	}
	var main look
	best := 0
	for _, h := range hs {
		if l := lookOf(h); top[l] > best {
			main, best = l, top[l]
		}
	}
	out := make([]int, len(hs))
	for i, h := range hs {
		l := lookOf(h)
		switch m := arabic.FindStringSubmatch(h.text); {
		case m != nil && headingNumber.MatchString(h.text):
			out[i] = 1 + strings.Count(m[2], ".")
		case best == 0 || l == main || top[l] > 0 || knownHeadings[bare(h.text)] || l.size > main.size+0.4:
			out[i] = 1
		case l.style&italic != 0 && main.style&italic == 0:
			out[i] = 3
		default:
			out[i] = 2
		}
	}
	return out
}
