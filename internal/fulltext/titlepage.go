package fulltext

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// banners are what stands in large letters on first pages and is no title.
var banners = regexp.MustCompile(`(?i)^(research|review|original|short|clinical|case|brief|technical|invited)?\s*(research )?(article|paper|communication|report|study|trial|note|review|letter)s?$|^open access$|^(contents|table of contents|editorial|correspondence|preprint|proceedings|clinical science|www\.|https?:|doi)|^vol(ume|\.)? \d`)

// front takes title, authors and abstract out of the blocks and returns the rest.
func (c *composer) front(bs []block, metaTitle string) []block {
	d := c.doc
	from, to := c.title(bs, metaTitle)
	if to > from {
		// The look of the title decides what else is part of it; what stands before
		// it (journal, kind of article) stays in the text.
		rest := append([]block{}, bs[:from]...)
		after := bs[to:]
		d.Authors = c.authors(after)
		a, b := c.abstract(after)
		rest = append(rest, after[:a]...)
		for i := range rest {
			_, known := knownHeadings[bare(rest[i].text)]
			rest[i].plain = !known
		}
		return append(rest, after[b:]...)
	}
	a, b := c.abstract(bs)
	return append(append([]block{}, bs[:a]...), bs[b:]...)
}

// title finds the title's blocks and sets it. Only the first three pages count;
// a title page before the paper may be one of them.
func (c *composer) title(bs []block, meta string) (from, to int) {
	best := 0.0
	for i := 0; i < len(bs) && bs[i].page <= 3 && i < 60; i++ {
		b := bs[i]
		s := strings.TrimSpace(b.text)
		if captionHead.MatchString(s) || banners.MatchString(s) || utf8.RuneCountInString(s) > 400 {
			continue
		}
		j := i + 1
		for j < len(bs) && j < i+4 && bs[j].page == b.page && math.Abs(bs[j].size-b.size) < 0.04*b.size && b.size > 1.1*c.t.size &&
			bs[j].style&bold == b.style&bold && near(bs[j-1], bs[j]) && !banners.MatchString(bs[j].text) {
			s = c.v.join(s, bs[j].text)
			j++
		}
		words := len(strings.Fields(s))
		letters := 0
		for _, r := range s {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		if letters < 8 || words > 45 || 2*letters < utf8.RuneCountInString(s) {
			continue
		}
		score := b.size / c.t.size
		if b.style&bold != 0 && !c.t.bold {
			score += 0.1
		}
		if words == 1 {
			score *= 0.6
		} else if words < 4 {
			score *= 0.85
		}
		if b.page > 1 {
			score *= 0.75
		}
		if _, known := knownHeadings[bare(s)]; known || headingNumber.MatchString(s) {
			score *= 0.3
		}
		if c.t.size > 0 && score > best+0.01 && score >= 1.04 {
			best, from, to = score, i, j
			c.doc.Title = s
		}
	}
	meta = clean(meta)
	key := text.TitleKey(meta)
	if utf8.RuneCountInString(key) >= 15 && len(strings.Fields(key)) >= 3 && strings.Contains(text.TitleKey(cut(c.doc.Front, 4000)), key) {
		if text.Similarity(text.TitleKey(c.doc.Title), key) < 0.9 {
			// The printed title is not the largest text; find it by its words.
			for i := 0; i < len(bs) && bs[i].page <= 2; i++ {
				s := ""
				for j := i; j < len(bs) && j < i+5; j++ {
					s = c.v.join(s, bs[j].text)
					if text.TitleKey(s) == key {
						from, to = i, j+1
					}
				}
			}
		}
		c.doc.Title = meta
	}
	c.doc.Title = strings.TrimRight(c.doc.Title, " *†‡∗")
	return from, to
}

// near says whether two blocks follow each other as lines of one title do.
func near(a, b block) bool {
	if len(a.lines) == 0 || len(b.lines) == 0 {
		return false
	}
	d := b.lines[0].y - a.lines[len(a.lines)-1].y
	return d > 0 && d < 2*a.size
}

var (
	nameParts   = regexp.MustCompile(`\s*(?:,|;|&|·|•|\band\b|\bund\b|\bet\b)\s*`)
	nameNoise   = regexp.MustCompile(`[\d*†‡§¶∗⋆✉#⁎]+|\(.*?\)|\b(?:PhD|MD|MSc|Dr|Prof|Jr|RN|MPH)\b\.?`)
	personName  = regexp.MustCompile(`^(?:\p{Lu}[\p{L}'’.-]*|de|van|von|der|den|la|le|di|da|del|bin|al|el)(?:[ -](?:\p{Lu}[\p{L}'’.-]*|de|van|von|der|den|la|le|di|da|del|bin|al|el)){1,4}$`)
	institution = regexp.MustCompile(`(?i)universit|institut|department|depart[ae]ment|school|college|hospital|laborator|centre|center|faculty|research|gmbh|inc\b|ltd|street|avenue|abstract|google|microsoft|allen|brain|email|@|http|received|accepted|published|academic|editor|correspond|usa|germany|india|china|kingdom|france|canada|switzerland|science|health|open access|college|medicine|road|city|group|green|design|street|avenue|technology|systems|society|association`)
)

// authors reads names from what stands between title and abstract.
func (c *composer) authors(bs []block) (names []string) {
	seen := map[string]bool{}
	size := 0.0 // of the line with the first name
	for i, b := range bs {
		if i > 12 || b.page > 2 || len(names) > 0 && (runIn.MatchString(b.text) || isHeading(b, c.t) && knownHeadings[bare(b.text)]) || len(b.text) > 900 {
			break
		}
		for _, l := range b.lines {
			s := clean(l.text)
			if runIn.MatchString(s) {
				return names
			}
			if size > 0 && math.Abs(l.size-size) > 0.07*size {
				continue
			}
			for _, part := range nameParts.Split(nameNoise.ReplaceAllString(s, ","), -1) {
				part = strings.Trim(part, " .,:;-")
				if personName.MatchString(part) && !institution.MatchString(part) && utf8.RuneCountInString(part) < 50 && !seen[part] && len(names) < 100 {
					seen[part], size = true, l.size
					names = append(names, part)
				}
			}
		}
		if len(names) > 0 && len(b.lines) > 0 && utf8.RuneCountInString(b.text) > 300 {
			break
		}
	}
	return names
}

var (
	abstractHead = regexp.MustCompile(`^(?:Abstract|ABSTRACT|A B S T R A C T|a b s t r a c t|Summary|SUMMARY|Résumé|Zusammenfassung|Resumen)\s*[:.—–-]?\s*`)
	abstractEnd  = regexp.MustCompile(`^(?:Keywords?|KEYWORDS?|Key ?words|KEY WORDS|Index Terms|INDEX TERMS|CCS Concepts|CCS CONCEPTS|ACM Reference|Categories and Subject|Subjects|Correspondence|\*?Corresponding|How to cite|Received|Submitted|Copyright|Permission to|This is an|©|e-mail)\b|^(?:©|\*Corr)`)
	abstractPart = regexp.MustCompile(`^(?:Background|Introduction|Objectives?|Purpose|Aims?|Context|Importance|Design|Setting|Methods?|Methods and [Ff]indings|Methodology|Materials? and [Mm]ethods|Participants|Results?|Findings|Conclusions?|Interpretation|Discussion|Significance|Trial [Rr]egistration)\s*[:.—–]\s*\p{L}`)
)

// abstract finds the blocks of the abstract and sets it.
func (c *composer) abstract(bs []block) (from, to int) {
	for i, b := range bs {
		if b.page > 3 || i > 80 {
			break
		}
		m := abstractHead.FindString(b.text)
		if m == "" {
			continue
		}
		rest := strings.TrimSpace(b.text[len(m):])
		if rest != "" && len(strings.Fields(rest)) < 6 && isHeading(b, c.t) {
			continue // "Summary of findings"
		}
		if rest == "" && i+1 >= len(bs) {
			continue
		}
		out, j := rest, i+1
		for ; j < len(bs) && j < i+40 && utf8.RuneCountInString(out) < 6000; j++ {
			n := bs[j]
			if abstractEnd.MatchString(n.text) {
				if len(out) < 40 { // heads side by side
					continue
				}
				break
			}
			head := isHeading(n, c.t)
			if head && len(out) < 40 && !strings.HasPrefix(bare(n.text), "introduction") {
				continue
			}
			if head && !(structured(bs[i+1], out) && abstractLabel(n, bs[j+1:])) || captionHead.MatchString(n.text) {
				break
			}
			if out != "" && n.page > b.page+1 {
				break
			}
			if out != "" && ends(out) && !abstractPart.MatchString(n.text) && !head && utf8.RuneCountInString(out) > 500 && (n.column != bs[j-1].column || math.Abs(n.size-bs[j-1].size) > 0.06*n.size || !c.moreAbstract(bs[j:])) {
				break
			}
			out = c.v.join(out, n.text)
		}
		if utf8.RuneCountInString(out) >= 80 {
			c.doc.Abstract = strings.TrimSpace(out)
			return i, j
		}
	}
	// Without a label: the first long paragraph before the first usual heading.
	for i, b := range bs {
		if b.page > 2 || i > 40 {
			break
		}
		if isHeading(b, c.t) && (knownHeadings[bare(b.text)] || headingNumber.MatchString(b.text)) {
			break
		}
		if n := len(strings.Fields(b.text)); n >= 50 && n <= 500 && ends(b.text) && b.size > 0.7*c.t.size && !abstractEnd.MatchString(b.text) {
			c.doc.Abstract = b.text
			return i, i + 1
		}
	}
	return 0, 0
}

// structured says whether an abstract begins with the name of one of its parts.
func structured(first block, out string) bool {
	switch bare(first.text) {
	case "background", "introduction", "objective", "objectives", "purpose", "aim", "aims", "context", "importance":
		return true
	}
	return out == "" || abstractPart.MatchString(out)
}

// abstractLabel says whether a heading is a part of a structured abstract: such
// a name, with text behind it that is followed by another such name.
func abstractLabel(b block, rest []block) bool {
	switch bare(b.text) {
	case "objective", "objectives", "purpose", "aim", "aims", "context", "importance", "design", "setting", "participants", "interpretation", "findings", "significance":
		return true
	case "background", "introduction", "methods", "method", "results", "conclusion", "conclusions", "discussion":
	default:
		return false
	}
	n := 0
	for i, r := range rest {
		n += len(strings.Fields(r.text))
		if i > 4 || n > 220 {
			return false
		}
		switch bare(r.text) {
		case "methods", "method", "results", "conclusion", "conclusions", "findings", "discussion", "keywords", "key words":
			return true
		}
		if abstractEnd.MatchString(r.text) {
			return true
		}
	}
	return false
}

// moreAbstract says whether the next blocks lead to an end of the abstract
// before a heading comes.
func (c *composer) moreAbstract(bs []block) bool {
	for i, b := range bs {
		if i > 3 {
			return false
		}
		if abstractEnd.MatchString(b.text) || isHeading(b, c.t) {
			return i > 0
		}
	}
	return false
}
