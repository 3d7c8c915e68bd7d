package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Citations are written [doc_0012] or, for several, [doc_0001, doc_0002].
var (
	// bracketed is a bracket without brackets inside that may hold ids,
	// also in the full-width form, doubled, or as the text of a link.
	bracketed = regexp.MustCompile(`(?:\[{1,2}|【)([^\[\]【】\n]{1,400})(?:\]{1,2}|】)(\([^()\n]*\))?`)
	// loose is an id as a model may write it inside brackets.
	loose = regexp.MustCompile(`(?i)\b(?:doc[ _-]?[0-9]{1,9}|ev_[0-9a-z]+)\b`)
	// bare is an id outside brackets.
	bare     = regexp.MustCompile(`\b(?:doc_[0-9]{1,9}|ev_[0-9a-f]{6,})\b`)
	digitsIn = regexp.MustCompile(`[0-9]+$`)
	// cited is a citation in filtered text.
	cited = regexp.MustCompile(`\[doc_[0-9]{1,9}(?:, doc_[0-9]{1,9})*\]`)
	docID = regexp.MustCompile(`doc_[0-9]{1,9}`)
)

// Filter keeps the citations of allowed ids and takes out all others, in
// whatever form they are written: [doc_0001], [doc_0001; doc_0002], [Doc 1],
// 【doc_0001】, [doc_0001](address), or an id that stands free. What is kept
// comes out as [doc_0001] or [doc_0001, doc_0002]. removed lists what was taken
// out, in order, as it was written.
func Filter(prose string, allowed func(id string) bool) (clean string, removed []string) {
	return filter(prose, allowed, false)
}

// lost stands in filtered prose where nothing is left of a citation. It is a
// private-use character, which text from outside is freed of before.
const lost = "\uE0FF"

// filter is Filter; with marking it leaves lost in every sentence that a
// citation was taken out of as a whole.
func filter(prose string, allowed func(id string) bool, marking bool) (clean string, removed []string) {
	var b strings.Builder
	at := 0
	for _, m := range bracketed.FindAllStringSubmatchIndex(prose, -1) {
		inside := prose[m[2]:m[3]]
		if !loose.MatchString(inside) {
			continue
		}
		b.WriteString(filterBare(prose[at:m[0]], allowed, &removed, marking))
		at = m[1]
		var keep []string
		for _, found := range loose.FindAllString(inside, -1) {
			id := normalID(found)
			switch {
			case !allowed(id):
				removed = append(removed, found)
			case !contains(keep, id):
				keep = append(keep, id)
			}
		}
		if len(keep) == 0 {
			closeGap(&b, prose[at:])
			if marking {
				leaveMark(&b)
			}
			continue
		}
		b.WriteString("[" + strings.Join(keep, ", ") + "]")
	}
	b.WriteString(filterBare(prose[at:], allowed, &removed, marking))
	return b.String(), removed
}

// filterBare brings ids that stand free into the form of a citation.
func filterBare(prose string, allowed func(string) bool, removed *[]string, marking bool) string {
	var b strings.Builder
	at := 0
	for _, m := range bare.FindAllStringIndex(prose, -1) {
		b.WriteString(prose[at:m[0]])
		at = m[1]
		found := prose[m[0]:m[1]]
		if id := normalID(found); allowed(id) {
			b.WriteString("[" + id + "]")
			continue
		}
		*removed = append(*removed, found)
		closeGap(&b, prose[at:])
		if marking {
			leaveMark(&b)
		}
	}
	b.WriteString(prose[at:])
	return b.String()
}

// leaveMark writes lost, before the full stop if the citation stood behind it:
// it belongs to the sentence before.
func leaveMark(b *strings.Builder) {
	s := strings.TrimRight(b.String(), " \t\n")
	body := strings.TrimRight(s, ".!?…。！？")
	if body == s {
		b.WriteString(lost)
		return
	}
	rest := b.String()[len(body):]
	b.Reset()
	b.WriteString(body + lost + rest)
}

// closeGap drops the space before a citation that was taken out, when what
// follows brings its own or needs none.
func closeGap(b *strings.Builder, next string) {
	r, _ := utf8.DecodeRuneInString(next)
	if next != "" && !unicode.IsSpace(r) && !strings.ContainsRune(".,;:!?)。，", r) {
		return
	}
	s := strings.TrimRight(b.String(), " \t")
	b.Reset()
	b.WriteString(s)
}

// normalID is the registry's form of a document id: doc_ and at least four
// digits.
func normalID(s string) string {
	s = strings.ToLower(s)
	if !strings.HasPrefix(s, "doc") {
		return s
	}
	n := strings.TrimLeft(digitsIn.FindString(s), "0")
	return "doc_" + strings.Repeat("0", max(4-len(n), 0)) + n
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// citations gives the ids that filtered prose cites, in order, each once.
func citations(prose string) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range cited.FindAllString(prose, -1) {
		for _, id := range docID.FindAllString(c, -1) {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}
