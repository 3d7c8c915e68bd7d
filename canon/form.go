package canon

import (
	"regexp"
	"strings"
)

// form is the kind of contribution that a source notes beside a title: the
// tutorial, panel or demonstration of a conference.
type form string

var (
	formNote = regexp.MustCompile(`(?i)\s*[\[(]\s*((an? |the )?(invited|extended|short|long|full|experience|position|vision|challenges?|industrial|industry|research|tutorial|` +
		`panel|demo|demonstration|poster|keynote|plenary|oral|conference|meeting|workshop|system|prototype)\s+)*` +
		`(abstracts?( only)?|paper|tutorial|panel|demo|demonstration|poster|keynote|talk|session|presentation|description|address)\s*[\])]`)
	formBefore = regexp.MustCompile(`(?i)^\W*(tutorial|panel|keynote|poster|demo|demonstration)( session| abstract| address| talk)?\s*:\s+`)
	formAfter  = regexp.MustCompile(`(?i)[?!.:;–—]\s*(tutorial|panel)( session)?\W*$`)
)

// forms are looked for in a note, in this order.
var forms = [...]form{"tutorial", "panel", "demo", "poster", "keynote"}

// formOf takes the note off a title. A note that leaves fewer than two words is
// the title itself.
func formOf(s string) (string, form) {
	var note, rest string
	for _, re := range [...]*regexp.Regexp{formNote, formBefore, formAfter} {
		if re == formNote && !strings.ContainsAny(s, "([") || re != formNote && !formed(s) {
			continue
		}
		m := re.FindStringIndex(s)
		if m == nil {
			continue
		}
		note, rest = s[m[0]:m[1]], strings.TrimSpace(s[:m[0]]+" "+s[m[1]:])
		if re == formNote {
			rest = strings.TrimSpace(s[:m[0]] + s[m[1]:])
		}
		break
	}
	if note == "" || len(strings.Fields(rest)) < 2 {
		return s, ""
	}
	note = strings.ToLower(note)
	for _, f := range forms {
		if strings.Contains(note, string(f)) {
			return rest, f
		}
	}
	return rest, ""
}

// formed is a cheap test before the patterns at both ends.
func formed(s string) bool {
	s = strings.ToLower(s)
	for _, f := range forms {
		if strings.HasPrefix(strings.TrimLeft(s, " \"'“"), string(f)) || strings.HasSuffix(strings.TrimRight(s, " .!"), string(f)) || strings.HasSuffix(s, "session") {
			return true
		}
	}
	return false
}
