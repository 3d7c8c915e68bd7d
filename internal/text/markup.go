package text

import (
	"strings"

	"golang.org/x/net/html"
)

// inlineTags are elements that stand inside a word or a phrase: removing the
// tag leaves nothing behind. Names of HTML, JATS and MathML, without prefix.
var inlineTags = setOf(`a abbr acronym b bdi bdo big bold cite code data del dfn em email ext-link fixed-case font i
	inline-formula ins italic kbd label mark monospace named-content nobr overline q roman ruby s samp sans-serif sc small span
	strike strong styled-content sub sup tex-math time tt u underline uri var wbr xref
	math semantics mrow mi mn mo ms mtext mspace msub msup msubsup msqrt mroot mfrac mfenced mover munder
	munderover mstyle mpadded mphantom mtable mtr mtd mmultiscripts mprescripts none menclose alternatives`)

// blockTags are the other elements that are taken for markup without further
// evidence. A tag that is in neither list counts as markup only when it has a
// prefix, an attribute with a value, or a partner.
var blockTags = setOf(`abstract address article aside blockquote body br button caption center col colgroup dd details disp-formula
	disp-quote div dl dt fieldset fig figure figcaption footer form graphic h1 h2 h3 h4 h5 h6 head header hr html iframe img
	inline-graphic input kwd kwd-group li link list list-item main meta nav noscript object ol option p picture pre
	private-char sec section select source sub-title subtitle summary svg table tbody td textarea tfoot th thead title tr
	trans-abstract trans-title ul video annotation annotation-xml script style`)

// droppedTags lose their content too.
var droppedTags = setOf("script style annotation annotation-xml noscript")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// stripTags removes elements and comments and keeps everything else as it is.
func stripTags(s string) string {
	s = strings.NewReplacer("<![CDATA[", "", "]]>", "").Replace(s)
	closers := closingTags(s)
	hasMath := closers["math"] > 0
	z := html.NewTokenizer(strings.NewReader(s))
	var b strings.Builder
	b.Grow(len(s))
	dropping, depth := "", 0
	for at := 0; ; {
		tt := z.Next()
		raw := string(z.Raw())
		if tt == html.ErrorToken {
			if dropping == "" && at < len(s) { // a "<" that no ">" follows
				b.WriteString(s[at:])
			}
			return b.String()
		}
		at += len(raw)
		switch tt {
		case html.TextToken:
			if dropping == "" {
				b.WriteString(raw)
			}
		case html.CommentToken:
			if dropping == "" {
				b.WriteString(commentText(raw))
			}
		case html.DoctypeToken:
		default:
			z.NextIsNotRawText() // only the elements of droppedTags hide their content, and we do that ourselves
			name := localName(raw)
			if tt == html.EndTagToken && closers[name] > 0 {
				closers[name]--
			}
			switch {
			case dropping != "":
				if name == dropping {
					switch tt {
					case html.StartTagToken:
						depth++
					case html.EndTagToken:
						depth--
					}
					if depth == 0 {
						dropping = ""
					}
				}
			case !isMarkup(raw, name, closers):
				b.WriteString(raw)
			case tt == html.StartTagToken && closers[name] > 0 &&
				(droppedTags[name] || name == "tex-math" && hasMath):
				dropping, depth = name, 1
			case inlineTags[name]:
			default:
				b.WriteByte(' ')
			}
		}
	}
}

// commentText gives what remains of a comment token: nothing of a comment or
// processing instruction; all of a text that the tokenizer takes for one, such
// as "</ 3", "<! important" or a comment that is never closed.
func commentText(raw string) string {
	closed := strings.HasSuffix(raw, ">")
	switch {
	case closed && (strings.HasPrefix(raw, "<!--") || strings.HasPrefix(raw, "<?")):
		return ""
	case strings.HasPrefix(raw, "<!--"):
		return raw[len("<!--"):]
	}
	return raw
}

// closingTags counts the end tags of each local name.
func closingTags(s string) map[string]int {
	names := map[string]int{}
	for {
		i := strings.Index(s, "</")
		if i < 0 {
			return names
		}
		s = s[i+2:]
		if name := localName("<" + s[:min(len(s), 64)]); name != "" {
			names[name]++
		}
	}
}

// localName gives the lower-case element name of a raw tag without its prefix.
func localName(raw string) string {
	name := tagName(raw)
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}

func tagName(raw string) string {
	name := strings.TrimLeft(raw, "</")
	return name[:nameEnd(name)]
}

func nameEnd(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == ':' || c == '-' || c == '_' || c == '.') {
			return i
		}
	}
	return len(s)
}

// isMarkup tells a tag from a comparison such as "a<b and c>d".
func isMarkup(raw, name string, closers map[string]int) bool {
	full := tagName(raw)
	attributes := strings.Trim(raw[strings.Index(raw, full)+len(full):], " \t\r\n</>")
	plain := attributes == "" || strings.Contains(attributes, "=\"") || strings.Contains(attributes, "='") || len(name) > 1 && strings.Contains(attributes, "=")
	switch {
	case !plain:
		return len(name) > 1 && (inlineTags[name] || blockTags[name]) && len(strings.Fields(attributes)) == 1
	case inlineTags[name] || blockTags[name]:
		return true
	case strings.Contains(full, ":"), attributes != "":
		return true
	}
	return closers[name] > 0 || strings.HasPrefix(raw, "</")
}
