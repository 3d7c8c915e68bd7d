package canon

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// numerals gives the numeric signature of a title: the sorted multiset of its
// Arabic and Roman numerals, number words and part letters. "Part II", "part 2"
// and "part two" have the same signature; "GPT-4" and "GPT-4o", "Part A" and
// "Part B" have not.
func numerals(title string) []string {
	words := numeralWords(fold(title))
	var out []string
	for i, w := range words {
		if v := numeral(words, i, w); v != "" {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// numeralWords splits a folded title into runs of letters and runs that start
// with a digit, the latter with a decimal part and an attached suffix of at most
// two letters.
func numeralWords(s string) []string {
	var out []string
	rs := []rune(s)
	for i := 0; i < len(rs); {
		switch {
		case unicode.IsDigit(rs[i]):
			n, end := readNumber(rs, i)
			out = append(out, n)
			i = end
		case unicode.IsLetter(rs[i]):
			j := i
			for j < len(rs) && (unicode.IsLetter(rs[j]) || unicode.IsMark(rs[j])) {
				j++
			}
			out = append(out, string(rs[i:j]))
			i = j
		default:
			i++
		}
	}
	return out
}

func readNumber(rs []rune, i int) (string, int) {
	var b strings.Builder
	for i < len(rs) {
		switch {
		case unicode.IsDigit(rs[i]):
			b.WriteRune(rs[i])
		case rs[i] == '.' && i+1 < len(rs) && unicode.IsDigit(rs[i+1]):
			b.WriteByte('.')
		case (rs[i] == ',' || rs[i] == ' ' && b.Len() <= 3) && thousands(rs, i+1):
		default:
			return withSuffix(trimZeros(b.String()), rs, i)
		}
		i++
	}
	return trimZeros(b.String()), i
}

// withSuffix adds the letters that are attached to a number (4o, 70b, 2a) but
// not an ordinal ending, a plural or the first word of running text.
func withSuffix(n string, rs []rune, i int) (string, int) {
	j := i
	for j < len(rs) && unicode.IsLetter(rs[j]) && rs[j] < unicode.MaxLatin1 {
		j++
	}
	switch s := string(rs[i:j]); {
	case s == "" || len(s) > 2 || j < len(rs) && unicode.IsDigit(rs[j]):
		return n, i
	case s == "st" || s == "nd" || s == "rd" || s == "th" || s == "s":
		return n, j
	default:
		return n + s, j
	}
}

func thousands(rs []rune, i int) bool {
	n := 0
	for i+n < len(rs) && n < 4 && unicode.IsDigit(rs[i+n]) {
		n++
	}
	return n == 3
}

func trimZeros(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" && t[0] != '.' {
		return t
	} else if t != "" {
		return "0" + t
	}
	return "0"
}

// numeral gives the canonical value of word i, or "" if it is none.
func numeral(words []string, i int, w string) string {
	if w[0] >= '0' && w[0] <= '9' {
		return w
	}
	if v, ok := numberWords[w]; ok {
		return strconv.Itoa(v)
	}
	after := i > 0 && numberedThings[words[i-1]]
	if v := roman(w); v > 0 && (len(w) > 1 || strings.Contains("ivx", w)) {
		// A lone i, v or x is a numeral only where one is expected; longer forms are
		// numerals unless they are words.
		if len(w) > 1 && !romanLookalikes[w] || after || len(w) == 1 && i == len(words)-1 && i > 1 {
			return strconv.Itoa(v)
		}
	}
	if after && len([]rune(w)) == 1 {
		return w
	}
	return ""
}

// numeralWord reports whether a folded word is a numeral wherever it stands.
func numeralWord(w string) bool {
	return w[0] >= '0' && w[0] <= '9' || numberWords[w] > 0 || len(w) > 1 && !romanLookalikes[w] && roman(w) > 0
}

var numberWords = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6,
	"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
}

var numberedThings = setOf(`part parts volume vol chapter section book phase type stage class grade series supplement suppl appendix
	group tome teil paper report lecture act act level version release experiment study case hepatitis vitamin factor influenza
	apolipoprotein protein kinase complex mode model table figure annex addendum category tier round world war`)

// romanLookalikes are words and abbreviations that happen to be written with
// the letters of Roman numerals.
var romanLookalikes = setOf("mix di li mi dim mild civic mid lid did dl ml cd mm dm cm cc dc md mc mcm dd ll mil cv vim livid vivid civil lil ci mdl dci xl xx xxx")

func roman(s string) int {
	if len(s) > 9 || strings.Trim(s, "ivxlcdm") != "" || s == "" {
		return 0
	}
	total := 0
	for i := range len(s) {
		v := romanDigit(s[i])
		if i+1 < len(s) && romanDigit(s[i+1]) > v {
			total -= v
		} else {
			total += v
		}
	}
	if total <= 0 || romanText(total) != s {
		return 0
	}
	return total
}

func romanDigit(c byte) int {
	switch c {
	case 'i':
		return 1
	case 'v':
		return 5
	case 'x':
		return 10
	case 'l':
		return 50
	case 'c':
		return 100
	case 'd':
		return 500
	}
	return 1000
}

func romanText(n int) string {
	var b strings.Builder
	for _, d := range [...]struct {
		v int
		s string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for n >= d.v {
			b.WriteString(d.s)
			n -= d.v
		}
	}
	return b.String()
}

// mayHoldNumerals is a cheap test of a key and its words before numerals.
func mayHoldNumerals(key string, words []string) bool {
	for i := range len(key) {
		if key[i] >= '0' && key[i] <= '9' || key[i] >= 0x80 {
			return true
		}
	}
	for i, w := range words {
		if numberWords[w] > 0 || strings.Trim(w, "ivxlcdm") == "" || len(w) == 1 && i > 0 && numberedThings[words[i-1]] {
			return true
		}
	}
	return false
}

// numbersConflict reports whether each title holds a numeral that the other
// lacks. A dropped subtitle may take numerals with it, so one-sided differences
// do not count here.
func numbersConflict(a, b string) bool { return a != b && !subset(a, b) && !subset(b, a) }

// subset reports whether the sorted multiset a is contained in b.
func subset(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	j := 0
	for _, v := range x {
		for j < len(y) && y[j] < v {
			j++
		}
		if j == len(y) || y[j] != v {
			return false
		}
		j++
	}
	return true
}

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
