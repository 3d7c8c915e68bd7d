package report

import (
	"regexp"
	"strings"

	"optimistresearch/internal/text"
)

// NoCitation marks a statement of a findings section that cites nothing.
const NoCitation = "[no citation]"

// claimWords is how many content words make a sentence a statement about the
// field.
const claimWords = 2

// selfWords are words by which a review speaks of itself. They carry no
// finding.
var selfWords = wordSet(`review reviews report section sections subsection paragraph evidence claim claims document documents
	subquestion subquestions question questions finding findings limit limits limitation limitations stated state states admitted
	rest rests support supports supported source sources cited citation citations following summary summarise summarize turn turns
	group groups theme themes picture`)

// announces finds a sentence that only tells what the text does next.
var announces = regexp.MustCompile(`(?i)^(?:this|the present|the next|the following|the previous) (?:review|report|section|subsection|chapter|paragraph|part)s? (?:turns?|looks?|covers?|discuss\w*|summari[sz]\w*|reviews?|describes?|presents?|examines?|deals?|rests?|is|are)\b`)

// Claims reports whether a sentence states something about the field, so that
// it needs a citation. The rule looks at the sentence alone: it states
// something when at least two content words are left after stop words, words
// of scholarly writing as such ("study", "approach"), words by which a review
// speaks of itself ("section", "evidence", "limits") and figures are put
// aside. Questions, lead-ins that end with a colon, and sentences that only
// announce what the text does next state nothing.
func Claims(sentence string) bool {
	s := strings.TrimSpace(cited.ReplaceAllString(sentence, ""))
	s = strings.TrimSpace(strings.TrimRight(s, " *_\"”’)"))
	if s == "" || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, ":") || announces.MatchString(s) {
		return false
	}
	seen := map[string]bool{}
	for _, w := range text.Tokens(s) {
		if text.IsStopword(w) || text.IsGenericWord(w) || selfWords[w] || strings.Trim(w, "0123456789.") == "" || len(w) < 2 {
			continue
		}
		seen[w] = true
	}
	return len(seen) >= claimWords
}

// mark puts NoCitation behind every statement of filtered prose that cites
// nothing and counts the marks. Headings are left alone; a citation right
// after a sentence's full stop belongs to that sentence.
func mark(prose string) (marked string, n int) {
	lines := strings.Split(prose, "\n")
	var out []string
	for i := 0; i < len(lines); {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
			out = append(out, line)
			i++
		case strings.HasPrefix(trimmed, "|"):
			header := i+1 < len(lines) && tableRule.MatchString(strings.TrimSpace(lines[i+1]))
			if !header && !tableRule.MatchString(trimmed) && !cited.MatchString(line) && Claims(strings.ReplaceAll(trimmed, "|", " ")) {
				line = strings.TrimSuffix(strings.TrimRight(line, " "), "|") + " " + NoCitation + " |"
				n++
			}
			out = append(out, line)
			i++
		default:
			// Lines that are wrapped belong to one paragraph or list item.
			j := i + 1
			for j < len(lines) && continues(lines[j]) {
				j++
			}
			m, k := markParagraph(strings.Join(lines[i:j], "\n"))
			out = append(out, m)
			n += k
			i = j
		}
	}
	return strings.Join(out, "\n"), n
}

var (
	tableRule = regexp.MustCompile(`^\|?[ :|-]*-[ :|-]*$`)
	listStart = regexp.MustCompile(`^\s*(?:[-*+]|[0-9]{1,9}[.)])\s`)
)

func continues(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "|") && !listStart.MatchString(line)
}

func markParagraph(p string) (string, int) {
	lead := listStart.FindString(p)
	body := p[len(lead):]
	type part struct {
		start, end int // of the sentence, without a citation that leads it
		cited      bool
	}
	var parts []part
	for _, span := range text.Sentences(body) {
		s := body[span.Start:span.End]
		// Citations at the start belong to the sentence before.
		skip := 0
		for {
			m := cited.FindStringIndex(s[skip:])
			if m == nil || strings.Trim(s[skip:skip+m[0]], " ,;\n") != "" {
				break
			}
			skip += m[1]
		}
		if skip > 0 && len(parts) > 0 {
			parts[len(parts)-1].cited = true
			parts[len(parts)-1].end = span.Start + skip
			rest := strings.TrimLeft(s[skip:], " .,;\n")
			if rest == "" {
				parts[len(parts)-1].end = span.End
				continue
			}
			skip = len(s) - len(rest)
		} else {
			skip = 0
		}
		parts = append(parts, part{span.Start + skip, span.End, cited.MatchString(s[skip:])})
	}
	var b strings.Builder
	b.WriteString(lead)
	at, n := 0, 0
	for _, x := range parts {
		b.WriteString(body[at:x.end])
		at = x.end
		if !x.cited && Claims(body[x.start:x.end]) {
			b.WriteString(" " + NoCitation)
			n++
		}
	}
	b.WriteString(body[at:])
	return b.String(), n
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}
