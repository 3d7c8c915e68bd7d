package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// longestGap is the longest run of characters without a letter, a terminator or
// a line end inside one sentence, in bytes. A longer one (a table, a ruler) is
// cut at the next space, and after twice that length anywhere. It also keeps the
// boundary search linear, which looks ahead over such runs.
const longestGap = 160

// Sentences gives the sentences of s as trimmed byte ranges, in order, without
// overlap. It starts from the Unicode boundaries (UAX 29) and repairs what they
// get wrong in scholarly text: abbreviations ("et al.", "Fig.", "vs."),
// initials, numbered headings and hard-wrapped lines are joined; "end.The",
// where the space was lost, is split. A blank line always ends a sentence.
func Sentences(s string) []Span {
	var out []Span
	for from := 0; from < len(s); {
		to := from + chunkEnd(s[from:])
		out = sentencesOf(s, from, to, out)
		from = to
	}
	return out
}

// chunkEnd gives the place where the first over-long run without letters is
// cut, or the length of s.
func chunkEnd(s string) int {
	run := 0
	for i, r := range s {
		if unicode.IsLetter(r) || strings.ContainsRune(".!?。\n\r", r) {
			run = 0
			continue
		}
		if run > longestGap && (r == ' ' || run > 2*longestGap) {
			return i
		}
		run += utf8.RuneLen(r)
	}
	return len(s)
}

// sentencesOf appends the sentences of s[from:to] to out.
func sentencesOf(s string, from, to int, out []Span) []Span {
	rest, state, at, start := s[from:to], -1, from, from
	for rest != "" {
		var piece string
		piece, rest, state = uniseg.FirstSentenceInString(rest, state)
		at += len(piece)
		if rest != "" && !endsSentence(s[start:at], rest) {
			continue
		}
		out = splitLost(s, start, at, out)
		start = at
	}
	return out
}

// endsSentence decides whether a boundary found by UAX 29 between head, the
// sentence so far, and tail is real.
func endsSentence(head, tail string) bool {
	trimmed := strings.TrimRight(head, " \t\r\n\u00a0\u2028\u2029\"'”’»)]")
	if strings.TrimSpace(head) == "" {
		return true
	}
	gap := head[len(strings.TrimRight(head, " \t\r\n")):]
	if strings.Count(gap, "\n") >= 2 || strings.Contains(gap, "\u2029") || strings.HasPrefix(strings.TrimLeft(tail, " \t\r"), "\n") {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	if last != '.' {
		// A line end without a terminator only wraps the line.
		return strings.ContainsRune("!?。！？｡؟।…", last) || !strings.ContainsAny(gap, "\r\n")
	}
	return !abbreviated(trimmed[:len(trimmed)-1], strings.TrimLeft(tail, " \t\r\n\"'“‘«(["))
}

// abbreviated reports whether the period after head belongs to an abbreviation,
// an initial or a number, so that the sentence goes on with next.
func abbreviated(head, next string) bool {
	word := head[1+strings.LastIndexFunc(head, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("([{\"'“‘/–—,;", r)
	}):]
	word = strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	lower := strings.ToLower(word)
	switch {
	case word == "":
		return false
	case alwaysAbbreviated[lower]:
		return true
	case beforeNumber[lower]:
		return next != "" && (asciiDigit(next[0]) || romanStart(next))
	case maybeAbbreviated[lower]:
		return !startsSentence(next)
	case allDigits(word):
		// "1. Introduction": a number that is all there is so far.
		return strings.TrimSpace(head) == word
	case utf8.RuneCountInString(word) == 1 || isInitials(word):
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(r) && !startsSentence(next)
	}
	return false
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789.") == "" }

// isInitials reports whether s looks like "J.R" or "U.S".
func isInitials(s string) bool {
	for i, r := range s {
		if (i%2 == 0) != unicode.IsUpper(r) || i%2 == 1 && r != '.' {
			return false
		}
	}
	return len(s)%2 == 1
}

func romanStart(s string) bool {
	n := 0
	for n < len(s) && strings.IndexByte("IVX", s[n]) >= 0 {
		n++
	}
	return n > 0 && (n == len(s) || !letterOrDigit(s[n]))
}

// startsSentence reports whether next begins with a word that seldom follows an
// abbreviation inside a sentence.
func startsSentence(next string) bool {
	n := 0
	for n < len(next) && (next[n] >= 'a' && next[n] <= 'z' || next[n] >= 'A' && next[n] <= 'Z') {
		n++
	}
	return sentenceStarts[next[:n]]
}

// splitLost appends s[start:end], cut where the space after a period was lost
// ("performance.We propose").
func splitLost(s string, start, end int, out []Span) []Span {
	for i := start + 4; i+1 < end; i++ {
		if s[i] != '.' || s[i+1] < 'A' || s[i+1] > 'Z' {
			continue
		}
		if lowerTail(s[start:i]) >= 3 && (startsSentence(s[i+1:end]) || acronymStart(s[i+1:end])) {
			out = appendTrimmed(s, start, i+1, out)
			start = i + 1
		}
	}
	return appendTrimmed(s, start, end, out)
}

// acronymStart reports whether s begins with a word of three or more capitals.
func acronymStart(s string) bool {
	n := 0
	for n < len(s) && s[n] >= 'A' && s[n] <= 'Z' {
		n++
	}
	return n >= 3 && n < len(s) && s[n] == ' '
}

// lowerTail counts the lower-case letters at the end of s, up to three.
func lowerTail(s string) int {
	n := 0
	for n < 3 && n < len(s) && s[len(s)-1-n] >= 'a' && s[len(s)-1-n] <= 'z' {
		n++
	}
	return n
}

func appendTrimmed(s string, start, end int, out []Span) []Span {
	part := s[start:end]
	left := len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	part = strings.TrimSpace(part)
	if part == "" {
		return out
	}
	return append(out, Span{Start: start + left, End: start + left + len(part)})
}

var alwaysAbbreviated = setOf(`e.g i.e cf vs viz resp fig figs eq eqs eqn sec sect secs tab ref refs ch chap vol dr drs prof mr mrs ms
	st mt approx ca al.s e.g.:`)

// beforeNumber are abbreviations only when a number follows.
var beforeNumber = setOf("no nos p pp art jan feb mar apr jun jul aug sep sept oct nov dec app thm lem prop def alg ver")

// maybeAbbreviated may also end a sentence; the next word decides.
var maybeAbbreviated = setOf(`al etc inc ltd co corp jr sr ph.d m.d u.s u.k a.m p.m a.d b.c i.v spp sp subsp var dept univ assoc intl int
	proc conf symp trans j est avg min max std`)

var sentenceStarts = setOf(`The This These Those That We Our In It Its They Their However Moreover Furthermore Therefore Thus Hence
	Here There To For From With Although While When Where If As At By On Of An And But Yet All Both Each Most Many Some Such
	Results Conclusions Conclusion Methods Background Objective Objectives Purpose Finally First Second Third Also Additionally
	Recently Specifically Overall Experiments Extensive Existing Despite Due Given Using Based After Before During Between
	Compared Similarly Instead Nevertheless Consequently Unlike Because Since Participants Patients Data Findings Then`)
