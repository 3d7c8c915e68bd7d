package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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
// nothing, and behind every sentence that lost its citations whatever it says,
// and counts the marks. Headings are left alone; a citation right
// after a sentence's full stop belongs to that sentence. A claim that stands in
// the prose word for word is one sentence, whatever stops it holds.
func mark(prose string, claims []string) (marked string, n int) {
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
			if !header && !tableRule.MatchString(trimmed) && !cited.MatchString(line) && (strings.Contains(line, lost) || Claims(strings.ReplaceAll(trimmed, "|", " "))) {
				line = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(line, " "), "|"), " ") + " " + NoCitation + " |"
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
			m, k := markParagraph(strings.Join(lines[i:j], "\n"), claims)
			out = append(out, m)
			n += k
			i = j
		}
	}
	return strings.ReplaceAll(strings.Join(out, "\n"), lost, ""), n
}

var (
	tableRule = regexp.MustCompile(`^\|?[ :|-]*-[ :|-]*$`)
	listStart = regexp.MustCompile(`^\s*(?:[-*+]|[0-9]{1,9}[.)])\s`)
)

func continues(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "|") && !listStart.MatchString(line)
}

// markParagraph marks the sentences of one paragraph or list item.
func markParagraph(p string, claims []string) (string, int) {
	lead := listStart.FindString(p)
	body := p[len(lead):]
	var b strings.Builder
	b.WriteString(lead)
	at, n := 0, 0
	for _, x := range statements(body, claims) {
		b.WriteString(body[at:x.end])
		at = x.end
		if !x.cited && (strings.Contains(body[x.start:x.end], lost) || Claims(body[x.start:x.end])) {
			b.WriteString(" " + NoCitation)
			n++
		}
	}
	b.WriteString(body[at:])
	return b.String(), n
}

// statement is a sentence with the citations that belong to it.
type statement struct {
	start, end int
	cited      bool
}

// statements finds the sentences of a paragraph. Sentences inside one pair of
// quotation marks are one; citations behind a full stop belong to the sentence
// before, unless that has its own or they are the subject of what follows.
func statements(body string, claims []string) []statement {
	var out []statement
	open := false // inside quotation marks
	for _, span := range text.Sentences(masked(body, claims)) {
		s := body[span.Start:span.End]
		if open {
			last := &out[len(out)-1]
			last.end, last.cited = span.End, last.cited || cited.MatchString(s)
			open = quoteOpen(body[last.start:last.end], body[last.end:])
			continue
		}
		start := span.Start
		if len(out) > 0 && !out[len(out)-1].cited {
			if skip := leading(s); skip > 0 {
				last := &out[len(out)-1]
				last.cited, last.end = true, span.Start+skip
				if strings.Trim(s[skip:], " .,;\n") == "" {
					last.end = span.End
					continue
				}
				start += skip + len(s[skip:]) - len(strings.TrimLeft(s[skip:], " .,;\n"))
			}
		}
		out = append(out, statement{start, span.End, cited.MatchString(body[start:span.End])})
		open = quoteOpen(body[start:span.End], body[span.End:])
	}
	return out
}

// masked hides citations behind capital letters of the same length, so that a
// sentence may end before one, and the stops inside claims.
func masked(s string, claims []string) string {
	for _, c := range claims {
		if len(c) > 20 && strings.Contains(s, c) {
			s = strings.ReplaceAll(s, c, stops.ReplaceAllStringFunc(c, func(stop string) string { return strings.Repeat("_", len(stop)) }))
		}
	}
	return cited.ReplaceAllStringFunc(s, func(c string) string { return strings.Repeat("X", len(c)) })
}

var stops = regexp.MustCompile(`[.!?…。！？]`)

// leading is the length of the citations that s starts with when a new
// sentence, or nothing, follows them; 0 otherwise.
func leading(s string) int {
	skip := 0
	for {
		m := cited.FindStringIndex(s[skip:])
		if m == nil || strings.Trim(s[skip:skip+m[0]], " ,;\n") != "" {
			break
		}
		skip += m[1]
	}
	rest := strings.TrimLeft(s[skip:], " .,;\n")
	if r, _ := utf8.DecodeRuneInString(rest); rest != "" && unicode.IsLower(r) {
		return 0
	}
	return skip
}

// quoteOpen reports whether s opens a quotation that rest closes.
func quoteOpen(s, rest string) bool {
	return strings.Count(s, "“") > strings.Count(s, "”") && strings.Contains(rest, "”")
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}
