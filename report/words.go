package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// count writes "1 document", "2 documents".
func count(n int, noun string) string { return thousands(n) + " " + plural(n, noun) }

// plural gives the noun for n of them; "y" after a consonant becomes "ies". A
// noun with an "of" takes its ending before it.
func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	if head, tail, ok := strings.Cut(noun, " of "); ok {
		return plural(n, head) + " of " + tail
	}
	if len(noun) > 1 && noun[len(noun)-1] == 'y' && strings.IndexByte("aeiou", noun[len(noun)-2]) < 0 {
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// words turns a closed list's value into words: "broken_reply" → "broken reply".
func words(s string) string { return strings.ReplaceAll(plain(s), "_", " ") }

// score writes a value in [0,1] with two decimals.
func score(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// capital makes the first letter upper case, unless the first word is an id or
// a name with capitals of its own: doc_0003, ev_2f6a, mRNA.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	first, _, _ := strings.Cut(s[n:], " ")
	if strings.Contains(first, "_") || strings.IndexFunc(first, unicode.IsUpper) >= 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// sentence makes a text end like a sentence.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}
