package pubmed

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/sources"
)

// Caps in bytes as sent, after percent-encoding. Long queries go as a form, so
// the cap only keeps what PubMed would take minutes for.
const (
	longestQuery = 12000
	longestTerm  = 600
	mostTerms    = 1000 // of a group, and groups of a query; more never fit
)

// Write implements sources.Source: ("a b"[tiab] OR RAG[tiab] OR dowsing) AND ….
// Phrases, acronyms and names with digits are bound to title and abstract,
// where PubMed's mapping would lead astray (RAG is an author). Ordinary words
// stay bare, so that PubMed adds MeSH headings, plurals and British spelling.
// Years are left to the request, where PubMed has a filter for them.
func (s *Source) Write(e sources.Expr) string {
	var groups [][]string
	for _, operators := range []bool{false, true} {
		for _, group := range e.All {
			if terms := writeTerms(group, operators); len(terms) > 0 && len(groups) < mostTerms {
				groups = append(groups, terms)
			}
		}
		if len(groups) > 0 {
			break
		}
	}
	groups = shorten(groups)
	parts := make([]string, len(groups))
	for i, g := range groups {
		parts[i] = strings.Join(g, " OR ")
		if len(g) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " AND ")
}

var ordinaryWord = regexp.MustCompile(`^[A-Z]?[a-z]{3,}$`)

// writeTerms renders the alternatives of one group. Terms that are nothing
// but operators are left out unless there is nothing else.
func writeTerms(group []string, operators bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, term := range group {
		w := words(straighten(term), false)
		if len(w) == 0 || !operators && onlyOperators(w) {
			continue
		}
		term := capTerm(strings.Join(w, " "))
		switch {
		case strings.Contains(term, " "), onlyOperators(w):
			term = `"` + term + `"[tiab]`
		case !ordinaryWord.MatchString(term):
			term += "[tiab]"
		}
		if !seen[term] {
			seen[term] = true
			out = append(out, term)
		}
		if len(out) == mostTerms {
			break
		}
	}
	return out
}

func onlyOperators(words []string) bool {
	for _, w := range words {
		switch strings.ToUpper(w) {
		case "AND", "OR", "NOT":
		default:
			return false
		}
	}
	return true
}

// shorten drops terms until the query fits: the last alternative of the first
// longest group, and the last group when each has one term.
func shorten(groups [][]string) [][]string {
	cost := func(term string) int { return len(url.QueryEscape(term)) + len("+AND+%28%29") }
	total := 0
	for _, g := range groups {
		for _, term := range g {
			total += cost(term)
		}
	}
	for total > longestQuery {
		most := 0
		for i, g := range groups {
			if len(g) > len(groups[most]) {
				most = i
			}
		}
		if len(groups[most]) == 1 {
			most = len(groups) - 1
		}
		g := groups[most]
		total -= cost(g[len(g)-1])
		groups[most] = g[:len(g)-1]
		if len(g) == 1 {
			groups = groups[:most]
		}
	}
	return groups
}

// straighten brings a string to characters with which the dialect can be
// read: straight quotation marks, hyphens, spaces; full-width forms as ASCII;
// nothing invisible. A pair of single quotation marks around several words
// becomes a pair of double ones. Letters stay as they are: PubMed folds
// accents itself.
func straighten(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			r -= 0xFEE0
		case r == utf8.RuneError, unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		}
		switch {
		case strings.ContainsRune("“”„‟«»″‶〝〞〟", r):
			return '"'
		case strings.ContainsRune("‘’‚‛′‵‹›ʹʻʼˈ´`", r):
			return '\''
		case unicode.Is(unicode.Pd, r), r == '−', r == '⁃':
			return '-'
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
	for {
		t := singleQuoted.ReplaceAllString(s, `$1"$2"$3`)
		if t == s {
			return s
		}
		s = t
	}
}

var singleQuoted = regexp.MustCompile(`(^|[\s(])'([^\s'"()]\S*\s[^'"()]*)'($|[\s)\[])`)

// parting are characters that part words: those with a meaning in the dialect
// (# is a search number, & and | are operators, : is a range) and those that
// PubMed drops in any case.
const parting = `"()[]{}?#&|\^<>=~!;$@:*_`

// words are the words of a text. With truncated, an asterisk after four
// letters or more stays.
func words(s string, truncated bool) []string {
	var out []string
	for _, field := range strings.Fields(s) {
		keep := truncated && truncation.MatchString(field)
		parts := strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune(parting, r) })
		for i, w := range parts {
			w = strings.Trim(w, "-+'/,.")
			if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
				continue
			}
			if keep && i == len(parts)-1 {
				w += "*"
			}
			out = append(out, w)
		}
	}
	return out
}

// truncation is a word that PubMed takes with an asterisk.
var truncation = regexp.MustCompile(`[\pL\pN]{4,}\*$`)

// capTerm cuts a term that alone would fill a query, at a word if it can.
func capTerm(s string) string {
	if len(s) > longestTerm {
		s = strings.TrimRight(strings.ToValidUTF8(s[:longestTerm], ""), " -+'/,.*")
	}
	for len(url.QueryEscape(s)) > longestTerm {
		if i := strings.LastIndexByte(s, ' '); i > 0 {
			s = s[:i]
			continue
		}
		r := []rune(s)
		s = strings.TrimRight(string(r[:min(len(r)-1, longestTerm/3)]), "-+'/,.*")
	}
	return s
}
