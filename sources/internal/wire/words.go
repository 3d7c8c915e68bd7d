package wire

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// longWord is the most characters of one word; nothing longer is one.
const longWord = 200

// Words splits on white space and on the characters that drop names, and
// leaves out what holds neither a letter nor a digit. Apostrophes at the ends
// of a word go.
func Words(s string, drop func(rune) bool) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return unicode.IsSpace(r) || drop(r) }) {
		w = strings.Trim(w, "'")
		if runes := []rune(w); len(runes) > longWord {
			w = strings.Trim(string(runes[:longWord]), "'")
		}
		if HasWord(w) {
			out = append(out, w)
		}
	}
	return out
}

// HasWord reports whether a text holds a letter or a digit. A modifier letter
// that folding takes for an accent, such as ˊ, is none.
func HasWord(s string) bool {
	is := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	sure := func(r rune) bool { return is(r) && !unicode.Is(unicode.Lm, r) }
	return strings.ContainsFunc(s, sure) || strings.ContainsFunc(s, is) && strings.ContainsFunc(text.Fold(s), is)
}

// JoinWords joins words by spaces as long as they fit into most characters.
func JoinWords(words []string, most int) string {
	length := 0
	for i, w := range words {
		length += utf8.RuneCountInString(w) + 1
		if length > most+1 {
			return strings.Join(words[:i], " ")
		}
	}
	return strings.Join(words, " ")
}

// DropFields removes the field syntax of other services from a straightened
// query, such as ti: before a word, and keeps the word.
func DropFields(s string) string { return fieldPrefix.ReplaceAllString(s, "$1") }

var fieldPrefix = regexp.MustCompile(`(?i)(^|[\s(])(?:(?:ti|title|abs|abstract|tiab|all|au|author|kw|keyword|keywords|title_abs|title_and_abstract|(?:title|default|display_name|title_and_abstract)\.search):)+`)

// OperatorOf maps a word in capitals to the operator it is, "" if it is none.
func OperatorOf(word string) string {
	switch word {
	case "AND", "OR", "NOT":
		return word
	case "ANDNOT":
		return "NOT"
	}
	return ""
}

// Ends reports whether what follows in a query begins with an operator, where
// an open phrase ends (see CloseQuotes).
func Ends(rest string) bool {
	w, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	return OperatorOf(w) != ""
}
