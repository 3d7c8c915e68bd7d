package lexical

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands in a question and is no wording of it. The first group breaks a
// phrase, the second only marks words up.
var (
	debris = regexp.MustCompile("(?i)" + strings.Join([]string{
		`(?:https?|ftp|file)://\S+`, `\bwww\.\S+`, // addresses
		`\]\([^)\s]*\)`,           // the target of a Markdown link
		`\b10\.\d{4,9}/\S+`,       // DOIs
		`\S+@\S+\.\S+`,            // mail addresses
		`\$\{?[a-z_]\w*\}?`,       // shell variables
		`\d?>&\d|&&|\|\|`,         // shell operators
		"`[^`\n]*\\s[^`\n]*`",     // commands
		"```\\w*", `(?m)^\s*#+\s`, // fences and headings
	}, "|"))
	option = regexp.MustCompile("(?:^|[\\s(\"'`])" + `(?:--[A-Za-z][\w-]*(?:=\S*)?|-[A-Za-z]{1,2}\b)`)
	path   = regexp.MustCompile(`(?:^|\s)(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)+`)
	markup = regexp.MustCompile("\\*+|`+|~~+|[\\[\\]]+|(?:^|[\\s(])_+|_+(?:[\\s).,;:!?]|$)")
)

// plain blanks what is no wording of a question: addresses, options and paths
// of a command line, the marks of Markdown. Bytes keep their places.
func plain(question string) string {
	gap := func(m string) string { return "|" + strings.Repeat(" ", len(m)-1) }
	s := debris.ReplaceAllStringFunc(question, gap)
	s = option.ReplaceAllStringFunc(s, gap)
	s = path.ReplaceAllStringFunc(s, gap)
	return markup.ReplaceAllStringFunc(s, func(m string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("*`~_[]", r) {
				return ' '
			}
			return r
		}, m)
	})
}

// segment puts a break in the place of what separates or asks inside runs of
// scripts that are written without spaces. Bytes keep their places.
func segment(s string) string {
	if strings.IndexFunc(s, cjk) < 0 {
		return s
	}
	lists := wordings().runs
	breaks, japanese := lists["zh"], strings.IndexFunc(s, kana) >= 0
	if japanese {
		breaks = lists["ja"]
	}
	out := []byte(s)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !cjk(r) {
			i += n
			continue
		}
		if hangul(r) {
			end := i + strings.IndexFunc(s[i:]+" ", func(r rune) bool { return !hangul(r) })
			if slices.Contains(lists["ko"], s[i:end]) {
				blank(out[i:end])
			}
			i = end
			continue
		}
		if w := prefixOf(lists["keep"], s[i:]); w != "" {
			i += len(w)
			continue
		}
		w := prefixOf(breaks, s[i:])
		if w == "" || japanese && !particle(s, i, w) {
			i += n
			continue
		}
		blank(out[i : i+len(w)])
		i += len(w)
	}
	return string(out)
}

// particle reports whether hiragana at place i stand between words and not
// inside one: what follows is no hiragana, and what stands before neither, but
// for the particles that no word goes on with.
func particle(s string, i int, w string) bool {
	next, _ := utf8.DecodeRuneInString(s[i+len(w):])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	if strings.IndexFunc(w, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) >= 0 {
		return true
	}
	if unicode.Is(unicode.Hiragana, next) {
		return false
	}
	return !unicode.Is(unicode.Hiragana, before) || w == "の" || w == "を"
}

func blank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
	if len(b) > 0 {
		b[0] = '|'
	}
}

// prefixOf gives the first of the words that s begins with; the lists are
// longest first.
func prefixOf(words []string, s string) string {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return w
		}
	}
	return ""
}

func cjk(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func hangul(r rune) bool { return unicode.Is(unicode.Hangul, r) }

func kana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// SearchTerms gives the pieces of a phrase that a search must find: a run of a
// script without spaces stays whole, Korean words lose their particles, other
// phrases are one piece.
func SearchTerms(phrase string) []string {
	if strings.IndexFunc(phrase, cjk) < 0 {
		return []string{phrase}
	}
	var out []string
	for _, w := range strings.Fields(phrase) {
		if strings.IndexFunc(w, hangul) == 0 {
			w = withoutParticle(w)
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func withoutParticle(w string) string {
	if strings.HasSuffix(w, "주의") { // -ism
		return w
	}
	for _, end := range wordings().runs["koend"] {
		if stem, ok := strings.CutSuffix(w, end); ok && utf8.RuneCountInString(stem) >= 2 {
			return stem
		}
	}
	for _, end := range []string{"이", "가"} { // many short nouns end like this
		if stem, ok := strings.CutSuffix(w, end); ok && utf8.RuneCountInString(stem) >= 4 {
			return stem
		}
	}
	return w
}
