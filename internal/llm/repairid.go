package llm

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// RepairID finds the one known id that a model meant when it echoed it inexactly:
//
//	RQ1: How do agents remember?   → RQ1
//	"rq1" · **[RQ1]** · RQ 1 · RQ01 → RQ1
//	doc 12                         → doc_0012
//	action-search                  → search
//
// Case, width, quotes, brackets, separators and leading zeros are forgiven, a
// label word before the id and, after an id with a number, a title. A word
// without a number ("search", "supported") may be followed by a colon or dash
// only, and nothing but label words may come before it, so that "not supported" is
// never read as "supported". Where two known ids would do, neither is chosen.
func RepairID(echoed string, known []string) (string, bool) {
	for _, k := range known {
		if k != "" && k == echoed {
			return k, true
		}
	}
	if len(echoed) > 4000 {
		echoed = echoed[:4000]
	}
	text := bare(echoed)
	if id, n := only(known, func(k string) bool { return bare(k) == text && text != "" }); n > 0 {
		if n > 1 {
			return "", false
		}
		return id, true
	}
	runs := split(echoed)
	for start := 0; start < len(runs) && start <= maxLabels; start++ {
		if id, ok, done := matchAt(runs, start, known); done {
			return id, ok
		}
		if !labelWords[runs[start].text] {
			break
		}
	}
	return "", false
}

const maxLabels = 3

// labelWords may stand before an id without changing what is meant.
var labelWords = map[string]bool{
	"action": true, "answer": true, "choice": true, "claim": true, "doc": true, "document": true, "id": true, "ids": true,
	"intent": true, "kind": true, "label": true, "name": true, "number": true, "option": true, "paper": true, "query": true,
	"question": true, "ref": true, "reference": true, "source": true, "status": true, "step": true, "sub": true,
	"subquestion": true, "the": true, "tool": true, "type": true, "value": true, "verdict": true,
}

// only returns the known id that fits and how many different ones do.
func only(known []string, fits func(string) bool) (id string, n int) {
	for _, k := range known {
		if k != "" && k != id && fits(k) {
			id = k
			n++
		}
	}
	return id, n
}

// bare folds case and width and takes off what surrounds an id; nothing is left
// of a negative number.
func bare(s string) string {
	s = strings.ToLower(norm.NFKC.String(strings.ToValidUTF8(s, "")))
	t := strings.TrimFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	if t != "" && unicode.IsDigit(rune(t[0])) && strings.ContainsAny(s[:strings.Index(s, t)], "-−") {
		return "" // a negative number is no id
	}
	return t
}

// run is a stretch of letters or of digits with the separator before it.
type run struct {
	text  string
	sep   string
	digit bool
}

func split(s string) []run {
	s = strings.ToLower(norm.NFKC.String(strings.ToValidUTF8(s, "")))
	var runs []run
	var sep strings.Builder
	var cur []rune
	class := 0
	flush := func() {
		if len(cur) == 0 {
			return
		}
		text := string(cur)
		if class == 2 {
			if t := strings.TrimLeft(text, "0"); t != "" {
				text = t
			} else {
				text = "0"
			}
		}
		runs = append(runs, run{text: text, sep: sep.String(), digit: class == 2})
		sep.Reset()
		cur = cur[:0]
	}
	for _, r := range s {
		c := 0
		switch {
		case unicode.IsDigit(r):
			c = 2
		case unicode.IsLetter(r) || unicode.IsMark(r):
			c = 1
		}
		if c != class {
			flush()
			class = c
		}
		if c == 0 {
			sep.WriteRune(r)
		} else {
			cur = append(cur, r)
		}
	}
	flush()
	if sep.Len() > 0 { // what ends the text, as the separator of nothing
		runs = append(runs, run{sep: sep.String()})
	}
	return runs
}

// matchAt looks for a known id that starts at runs[start]. done is false if none does.
func matchAt(runs []run, start int, known []string) (id string, ok, done bool) {
	best, length := "", 0
	numbered := false
	tie := false
	for _, k := range known {
		n, digits := fitsAt(runs[start:], split(k))
		switch {
		case n == 0 || n < length || k == best:
		case n == length:
			tie = true
		default:
			best, length, numbered, tie = k, n, digits, false
		}
	}
	if length == 0 {
		return "", false, false
	}
	rest := runs[start+length:]
	if tie || !endsThere(rest, numbered) {
		return "", false, true
	}
	for i := range rest {
		for _, k := range known {
			if n, _ := fitsAt(rest[i:], split(k)); n > 0 && k != best {
				return "", false, true
			}
		}
	}
	return best, true, true
}

// fitsAt returns how many runs of text the id covers (0 = it does not fit) and
// whether the id has both letters and a number. A bare number never fits.
func fitsAt(text, id []run) (n int, numbered bool) {
	if len(id) > 0 && id[len(id)-1].text == "" {
		id = id[:len(id)-1]
	}
	if len(id) == 0 || len(id) > len(text) {
		return 0, false
	}
	letters, digits := false, false
	for i, r := range id {
		if text[i].text != r.text || i > 0 && !sameSeparator(text[i].sep, r.sep) {
			return 0, false
		}
		letters = letters || !r.digit
		digits = digits || r.digit
	}
	if !letters {
		return 0, false
	}
	return len(id), digits
}

func sameSeparator(a, b string) bool {
	return a == b || loose[a] && loose[b]
}

var loose = map[string]bool{"": true, " ": true, "_": true, "-": true}

// endsThere tells whether an id may end before rest.
func endsThere(rest []run, numbered bool) bool {
	if len(rest) == 0 || rest[0].text == "" {
		return true
	}
	sep := rest[0].sep
	if sep == "" || sep == "_" {
		return false
	}
	trimmed := strings.TrimSpace(sep)
	if !numbered {
		return trimmed != "" && strings.Trim(trimmed, ":–—-\"'*)]") == "" && strings.ContainsAny(trimmed, ":–—") ||
			trimmed == "-" && sep != "-"
	}
	switch sep {
	case ".", "/":
		return false // a longer id: RQ1.2, RQ1.a
	case "-":
		return !rest[0].digit
	}
	return true
}
