package synth

import (
	"regexp"
	"strings"
	"unicode"

	"optimistresearch/internal/text"
)

// titles turns questions into noun phrases, the first that fits. A clause that
// asks for more (", and how do they work") goes.
var titles = []struct {
	question *regexp.Regexp
	title    string
}{
	{regexp.MustCompile(`^What is (?:known|reported) about (.+)$`), "$1"},
	{regexp.MustCompile(`^What are the (.+)$`), "$1"},
	{regexp.MustCompile(`^What (.+?) do .+ report$`), "$1"},
	{regexp.MustCompile(`^What do (.+?) (?:show|find|conclude|report) (?:about|on) (.+?)(?:, and .+)?$`), "Findings of $1 on $2"},
	{regexp.MustCompile(`^Which (.+?) (?:have been|are|were) (?:proposed|reported)(?:, and .+)?$`), "$1"},
	{regexp.MustCompile(`^Which (.+?) are reported for (.+)$`), "$1 of $2"},
	{regexp.MustCompile(`^Which (.+?) are reported (in .+)$`), "$1 $2"},
	{regexp.MustCompile(`^Which (.+?) (?:are|is) (?:proposed|used) to explain (.+?)(?:, and .+)?$`), "$1 behind $2"},
	{regexp.MustCompile(`^Which (.+?) do(?:es)? (.+?) build on$`), "$1 behind $2"},
	{regexp.MustCompile(`^Which (.+?) do .+? of (.+) name$`), "$1 in $2"},
	{regexp.MustCompile(`^Which (.+?) remain ((?:in|on) .+)$`), "$1 $2"},
	{regexp.MustCompile(`^(?:On|With) which (.+?) (?:are|is|do studies) (.+?) (?:evaluated|studied)(?:, .+)?$`), "$1 for $2"},
	{regexp.MustCompile(`^With which (.+?) do studies (?:examine|address) (.+?)(?:, .+)?$`), "$1 in studies of $2"},
	{regexp.MustCompile(`^(?:In|Under) which (.+?) is (.+?) (?:larger|stronger).*$`), "$1 that change $2"},
	{regexp.MustCompile(`^How (?:is|are) (.+?) evaluated(?:, .+)?$`), "Evaluation of $1"},
	{regexp.MustCompile(`^How (?:is|are) (.+?) explained(?:, .+)?$`), "Explanations of $1"},
	{regexp.MustCompile(`^How do studies explain (?:their )?(.+)$`), "Explanations of $1"},
	{regexp.MustCompile(`^How well do(?:es)? (.+?) perform(?:, .+)?$`), "Performance of $1"},
	{regexp.MustCompile(`^How sound is (.+?)(?:, .+)?$`), "Soundness of $1"},
	{regexp.MustCompile(`^How do(?:es)? (.+?) (?:differ|vary) ((?:between|with|across) .+)$`), "Differences of $1 $2"},
}

// heading turns a subquestion into a title. A question that no rule turns into a
// noun phrase stays a question.
func heading(q string) string {
	title, _ := subject(q)
	return title
}

// subject gives the title of a subquestion and whether it is a noun phrase.
func subject(q string) (title string, phrase bool) {
	q = strings.TrimSpace(text.OneLine(q))
	bare := strings.TrimRight(q, "?. ")
	for _, t := range titles {
		if t.question.MatchString(bare) {
			return capital(t.question.ReplaceAllString(bare, t.title)), true
		}
	}
	return capital(q), false
}

func capital(s string) string {
	r := []rune(s)
	if first, _, _ := strings.Cut(s, " "); len(r) > 0 && !strings.Contains(first, "_") {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// small writes the first letter of a title small, unless its first word is an
// abbreviation or a name with inner capitals.
func small(title string) string {
	r := []rune(title)
	first, _, _ := strings.Cut(title, " ")
	if len(r) == 0 || strings.IndexFunc(string([]rune(first)[1:]), unicode.IsUpper) >= 0 {
		return title
	}
	r[0] = unicode.ToLower(r[0])
	return string(r)
}
