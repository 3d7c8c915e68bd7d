package lexical

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Years are limits on the year of publication, 0 = open.
type Years struct{ Since, Until int }

// within narrows the limits.
func (y Years) within(z Years) Years {
	y.Since = max(y.Since, z.Since)
	if z.Until != 0 && (y.Until == 0 || z.Until < y.Until) {
		y.Until = z.Until
	}
	return y
}

func (y Years) String() string {
	switch {
	case y.Since == 0 && y.Until == 0:
		return ""
	case y.Until == 0:
		return fmt.Sprintf("published in %d or later", y.Since)
	case y.Since == 0:
		return fmt.Sprintf("published in %d or earlier", y.Until)
	case y.Since == y.Until:
		return fmt.Sprintf("published in %d", y.Since)
	}
	return fmt.Sprintf("published from %d to %d", y.Since, y.Until)
}

var numberWords = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20,
	"couple of": 2, "few": 0, "several": 0,
	"zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "zehn": 10, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "diez": 10,
	"deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dix": 10,
	"两": 2, "三": 3, "四": 4, "五": 5, "十": 10,
}

func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return numberWords[s]
}

// yearWording is one way to word a limit. In its pattern Y is a year and N a
// number; limits gets the years and numbers found and this year.
type yearWording struct {
	pattern *regexp.Regexp
	limits  func(v []int, this int) Years
}

func worded(pattern string, limits func(v []int, this int) Years) yearWording {
	n := make([]string, 0, len(numberWords))
	for _, w := range sortedKeys(numberWords) {
		n = append(n, regexp.QuoteMeta(w))
	}
	pattern = strings.ReplaceAll(pattern, "Y", `((?:19|20)\d\d)`)
	pattern = strings.ReplaceAll(pattern, "N", `(\d{1,2}|`+strings.Join(n, "|")+`)`)
	return yearWording{regexp.MustCompile(`(?i)` + pattern), limits}
}

func since(v []int, _ int) Years  { return Years{Since: v[0]} }
func after(v []int, _ int) Years  { return Years{Since: v[0] + 1} }
func until(v []int, _ int) Years  { return Years{Until: v[0]} }
func before(v []int, _ int) Years { return Years{Until: v[0] - 1} }
func span(v []int, _ int) Years   { return Years{min(v[0], v[1]), max(v[0], v[1])} }
func last(v []int, this int) Years {
	if v[0] == 0 {
		return Years{}
	}
	return Years{Since: this - v[0]}
}

// yearWordings in the order in which they are tried: what a longer wording
// took, a shorter one does not see.
var yearWordings = sync.OnceValue(func() []yearWording {
	const (
		month = `(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+|(?:the\s+)?(?:year|start of|beginning of|end of|early|mid|late)[\s-]+)?`
		none  = `\b(?:excluding|exclude|without|ignor\w+|omit\w*|not|no|nothing|none)(?:\s+\w+){0,3}?\s+`
	)
	return []yearWording{
		worded(`\b(?:between|zwischen|entre)\s+Y\s+(?:and|und|y|et|e)\s+Y\b`, span),
		worded(`\b(?:(?:published\s+)?(?:from|during|in|von|de|years?)\s+)?Y\s*(?:-|to|through|until|till|bis|hasta|à|～|~)\s*Y\b`, span),
		worded(none+`(?:older|earlier)\s+than\s+N\s+years?\b`, last),
		worded(none+`(?:before|prior to|earlier than|older than)\s+`+month+`Y\b`, since),
		worded(none+`(?:after|later than|newer than)\s+`+month+`Y\b`, until),
		worded(none+`since\s+`+month+`Y\b`, before),
		worded(`\b(?:(?:published\s+)?(?:in|over|from|within|during|for)\s+)?(?:the\s+)?(?:last|past|previous|recent|latest)\s+N\s+years?\b`, last),
		worded(`\b(?:letzten|vergangenen)\s+N\s+jahren?\b`, last),
		worded(`(?:últimos|ultimos)\s+N\s+años`, last),
		worded(`\bN\s+dernières\s+années`, last),
		worded(`(?:近|最近|過去|过去)N年(?:间|間)?`, last),
		worded(`\b(?:(?:in|over|from|within|during)\s+)?(?:the\s+)?(?:last|past|previous)\s+(year)\b`, func(_ []int, this int) Years { return Years{Since: this - 1} }),
		worded(`\b(?:(?:in|over|from|within|during)\s+)?(?:the\s+)?(?:last|past|previous)\s+(decade)\b`, func(_ []int, this int) Years { return Years{Since: this - 10} }),
		worded(`\b(?:(?:in|from|of|during)\s+)?(?:this|the current)\s+(year)\b`, func(_ []int, this int) Years { return Years{Since: this} }),
		worded(`Y年(?:以来|以后|以後|以降|から|起)`, since),
		worded(`Y年(?:以前|まで|之前)`, until),
		worded(`(?:\b(?:(?:published|work|studies|papers|literature|research)\s+)?(?:since|from|starting (?:in|from)|as of|seit|ab|desde|depuis|not before|no earlier than)|≥|>=)\s*`+month+`Y\b(?:\s*(?:on|onwards?|forward|and later|or later|to present|to date|to now))?`, since),
		worded(`\b(?:(?:the\s+)?year\s+)?Y\s*(?:\+|onwards?\b|and later\b|or later\b|and newer\b|or newer\b|and after\b|to present\b|to date\b|to now\b|-\s*(?:present|today|now|date)\b)`, since),
		worded(`(?:\b(?:published\s+)?(?:after|later than|newer than|nach|después de|despues de|après)|\bpost-?|>)\s*`+month+`Y\b`, after),
		worded(`(?:\b(?:published\s+)?(?:until|till|up to|through|no later than|not after|bis|hasta|jusqu'en)|<=|≤)\s*`+month+`Y\b`, until),
		worded(`\bY\s+(?:and|or)\s+(?:earlier|before|older)\b`, until),
		worded(`(?:\b(?:published\s+)?(?:before|prior to|earlier than|older than|vor|antes de|avant)|\bpre-?|<)\s*`+month+`Y\b`, before),
		worded(`\b(?:(?:published\s+)?(?:in|from|of)\s+)?(?:the\s+)?((?:19|20)\d0)s\b`, func(v []int, _ int) Years { return Years{v[0], v[0] + 9} }),
		worded(`\b(?:published\s+in|in|from|year|the year|only)\s+Y\b`, func(v []int, _ int) Years { return Years{v[0], v[0]} }),
		worded(`(?:^|[,;(]\s*)Y(?:\s*only)?\s*(?:$|[,;)])`, func(v []int, _ int) Years { return Years{v[0], v[0]} }),
	}
})

// readYears takes the wordings of years out of a note. What they mean is
// combined; a year that lies in the future, or limits that leave nothing, are
// given back as unused.
func readYears(note string, this int) (rest string, y Years, taken, unused []string) {
	note = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-").Replace(note)
	for _, w := range yearWordings() {
		note = w.pattern.ReplaceAllStringFunc(note, func(m string) string {
			var v []int
			for _, g := range w.pattern.FindStringSubmatch(m)[1:] {
				if g != "" {
					v = append(v, number(strings.ToLower(g)))
				}
			}
			said := strings.Trim(m, " ,;()")
			z := y.within(w.limits(v, this))
			switch {
			case w.limits(v, this) == (Years{}):
				unused = append(unused, fmt.Sprintf("“%s” (it names no year)", said))
			case this > 0 && z.Since > this:
				unused = append(unused, fmt.Sprintf("“%s” (it lies in the future)", said))
			case z.Since != 0 && z.Until != 0 && z.Since > z.Until:
				unused = append(unused, fmt.Sprintf("“%s” (it leaves no year)", said))
			default:
				y, taken = z, append(taken, said)
			}
			return ";"
		})
	}
	return note, y, taken, unused
}

var literature = regexp.MustCompile(`(?i)\b(?:research|stud(?:y|ies)|literature|papers?|articles?|publications?|published|works?|advances|progress|developments|evidence)\b`)

// YearsOf gives the limits that a question itself puts on the literature
// ("research on X since 2020"), with their wording. A question that does not
// speak of literature puts none: in "migration since 2015" the year belongs to
// the subject.
func YearsOf(question string, this int) (Years, string) {
	if !literature.MatchString(question) {
		return Years{}, ""
	}
	_, y, taken, _ := readYears(question, this)
	return y, strings.Join(taken, ", ")
}
