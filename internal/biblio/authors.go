package biblio

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitNames takes a list of names in one text apart, however the source
// separates them: semicolons, lines, "and", commas, or, in files whose commas
// were lost, nothing at all ("Adeli K.Lewis G. F.").
func splitNames(s string) []Name {
	s = strings.TrimSpace(s)
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s) // else "B&#246;hlen" is two names with a semicolon between
	}
	var parts []string
	switch {
	case s == "":
		return nil
	case strings.Contains(s, ";"):
		parts = strings.Split(s, ";")
	case strings.ContainsAny(s, "\n\r"):
		parts = strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	case strings.Contains(s, " and "):
		parts = strings.Split(s, " and ")
	case strings.Contains(s, "|"):
		parts = strings.Split(s, "|")
	case strings.Contains(s, ","):
		parts = splitCommas(s)
	default:
		parts = splitRun(s)
	}
	out := make([]Name, 0, len(parts))
	for _, p := range parts {
		if n := parse(withoutNumber(p)); n != (Name{}) {
			out = append(out, n)
		}
	}
	return out
}

// authorNumber is the number that Scopus puts behind a full name.
var authorNumber = regexp.MustCompile(`\s*\(\d{4,}\)\s*$`)

func withoutNumber(s string) string {
	if strings.HasSuffix(strings.TrimSpace(s), ")") {
		return authorNumber.ReplaceAllString(s, "")
	}
	return s
}

// splitCommas tells a list "Smith J, Doe A" from one name "Smith, John" and
// from pairs "Smith, J., Doe, A.".
func splitCommas(s string) []string {
	var p []string
	for _, x := range strings.Split(strings.TrimRight(s, " ,."), ",") {
		if x = oneLine(x); x != "" {
			p = append(p, x)
		}
	}
	if strings.HasSuffix(strings.TrimSpace(s), ".") && len(p) > 0 && initialsOnly(lastWord(p[len(p)-1])) {
		p[len(p)-1] += "." // the point belonged to initials, not to the list
	}
	listed, paired := len(p) > 1, len(p) > 3 && len(p)%2 == 0
	for i, x := range p {
		many := strings.Contains(x, " ") && !particles[strings.Fields(x)[0]] || eastAsian(x).Family != ""
		if !many && !Collective(x) && (i == 0 || !junior(x)) {
			listed = false
		}
		if i%2 == 1 && !initialsOnly(strings.ReplaceAll(x, " ", "")) {
			paired = false
		}
	}
	switch {
	case paired:
		out := make([]string, 0, len(p)/2)
		for i := 0; i < len(p); i += 2 {
			out = append(out, p[i]+", "+p[i+1])
		}
		return out
	case listed:
		out := p[:1:1]
		for _, x := range p[1:] {
			if junior(x) {
				out[len(out)-1] = out[len(out)-1] + " " + x
			} else {
				out = append(out, x)
			}
		}
		return out
	}
	return []string{s}
}

// commaList takes apart what is known to be a list at commas: the authors of
// PubMed's and Embase's tables.
func commaList(s string) []Name {
	if strings.Contains(s, ";") || strings.ContainsAny(s, "\n\r") {
		return splitNames(s)
	}
	s = strings.TrimSpace(s)
	if strings.Contains(s, ",") && !strings.Contains(s, ".,") { // PubMed's point behind the list
		s = strings.TrimSuffix(s, ".")
	}
	var out []Name
	for _, p := range strings.Split(s, ",") {
		p = oneLine(p)
		if (junior(p) || generation(p)) && len(out) > 0 && out[len(out)-1].Literal == "" {
			out[len(out)-1].Suffix = p
			continue
		}
		if n := person(p, true); n != (Name{}) {
			out = append(out, n)
		}
	}
	return out
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// splitRun parts names that run together: a capital with small letters right
// behind the point of an initial begins the next one.
func splitRun(s string) []string {
	if strings.Count(s, ".") < 2 {
		return []string{s}
	}
	var out []string
	from := 0
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '.' {
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i+1:])
		next, _ := utf8.DecodeRuneInString(s[i+1+size:])
		if unicode.IsUpper(r) && (unicode.IsLower(next) || next == '\'' || next == '’') && hasWord(s[from:i]) {
			out = append(out, s[from:i+1])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// hasWord reports whether s has a word of more than one letter.
func hasWord(s string) bool {
	run := 0
	for _, r := range s {
		if unicode.IsLetter(r) || r == '\'' || r == '’' {
			if run++; run > 1 {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}
