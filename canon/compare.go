package canon

import (
	"fmt"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Verdict is the outcome of comparing two records.
type Verdict struct {
	Same      bool
	Uncertain bool    // not merged, but a person should look
	Rule      string  // the rule that holds, or the strongest that held before a veto: doi, arxiv, …, title_author, similarity, truncation
	Veto      string  // why two records with agreeing evidence stay apart: numeral, container_doi, conference_journal, …; "title" when the titles differ
	Compare   string  // the values compared, one line
	Score     float64 // similarity of the titles, 0 when a bound told that they differ
}

// Compare decides whether two records describe one work. It is symmetric and
// depends on nothing else than the two records.
func Compare(a, b state.Record) Verdict { return compareProfiles(newProfile(a), newProfile(b), true) }

// compareProfiles compares; the line of values is built only when explain is
// set or the records are, or may be, the same.
func compareProfiles(p, q *profile, explain bool) Verdict {
	if p.print > q.print || p.print == q.print && p.rec.Key > q.rec.Key {
		p, q = q, p
	}
	c := comparison{p: p, q: q, facts: compareFacts(p, q), authors: overlap(p.authors, q.authors)}
	c.titles(identified(p, q))
	c.recurring = p.recurring || q.recurring
	v := c.decide()
	v.Score = c.sim
	if explain || v.Same || v.Uncertain {
		v.Compare = c.line(v)
	}
	return v
}

// identified gives the strongest scheme in which both records carry the same
// identifier.
func identified(p, q *profile) string {
	for _, scheme := range identifierRules {
		x, y := p.rec.IDs[scheme], q.rec.IDs[scheme]
		if scheme == state.DOI {
			x, y = p.stem, q.stem
		}
		if x != "" && x == y {
			return scheme
		}
	}
	return ""
}

type comparison struct {
	p, q    *profile
	facts   facts
	authors shared
	scheme  string // of the agreeing identifier
	grade   grade
	sim     float64
	a, b    *title // the pair of titles with the best grade
	// recurring: the corpus holds the title several times, as columns do.
	recurring bool
}

// titles finds the best agreeing pair among titles and alternative titles.
func (c *comparison) titles(scheme string) {
	c.scheme = scheme
	least := nearTitle
	if scheme != "" {
		least = looseTitle
	}
	for i := range c.p.titles {
		for j := range c.q.titles {
			a, b := &c.p.titles[i], &c.q.titles[j]
			g, sim := compareTitles(*a, *b, least)
			if c.a == nil || g > c.grade || g == c.grade && sim > c.sim {
				c.grade, c.sim, c.a, c.b = g, sim, a, b
			}
		}
	}
}

func (c *comparison) decide() Verdict {
	veto := c.veto()
	if c.scheme != "" {
		return c.byIdentifier(veto)
	}
	switch {
	case c.grade == incompatible:
		// A translated title, or two abstracts of one group on one page.
		f := c.facts
		if veto != "" && c.sim >= nearTitle {
			return Verdict{Veto: veto}
		}
		return Verdict{Veto: "title", Uncertain: f.located && f.volume == agree && f.yearKnown && f.years == 0 && c.authors.first == agree && 2*c.authors.shared >= c.authors.smaller}
	case veto != "":
		return Verdict{Veto: veto, Uncertain: c.grade == full && veto != "notice" && c.authors.verdict() == agree}
	case c.grade == unknownGrade:
		return c.byPlace()
	case c.grade == full:
		return c.byTitle()
	}
	return c.bySimilarTitle()
}

// veto gives what keeps two records apart whatever else agrees.
func (c *comparison) veto() string {
	p, q := c.p.titles[0], c.q.titles[0]
	switch {
	case p.key != "" && q.key != "" && p.notice != q.notice:
		return "notice"
	case c.scheme == "" && c.p.typed != c.q.typed && p.notice == "":
		return "notice"
	case c.grade == unknownGrade:
		return ""
	case c.scheme == "" && !equal(c.a.numbers, c.b.numbers), numbersConflict(c.a.numbers, c.b.numbers):
		return "numeral"
	}
	return ""
}

func equal(a, b []string) bool { return strings.Join(a, " ") == strings.Join(b, " ") }

// byIdentifier applies rules 1 and 2: an agreeing identifier with compatible
// titles.
func (c *comparison) byIdentifier(veto string) Verdict {
	v := Verdict{Rule: c.scheme, Veto: veto}
	switch {
	case veto != "":
		v.Uncertain = true
	case !c.compatible():
		v.Veto, v.Uncertain = "title", true
		if c.scheme == state.DOI {
			v.Veto = "container_doi"
		}
	case c.scheme != state.DOI && c.facts.cochrane && c.facts.conflict() != "":
		v.Veto, v.Uncertain = "cochrane_update", true
	case c.scheme == state.ArXiv && c.facts.classes && c.facts.doi == differ && !c.facts.version:
		v.Veto, v.Uncertain = "conference_journal", true
	default:
		v.Same = true
	}
	return v
}

// compatible reports whether two titles may stand on one work whose identifier
// agrees.
func (c *comparison) compatible() bool {
	short := c.a.distinct
	if len(c.b.distinct) < len(short) {
		short = c.b.distinct
	}
	switch c.grade {
	case full, near:
		return true
	case unknownGrade:
		return c.p.titles[0].key == "" || c.q.titles[0].key == "" || c.authors.verdict() != differ
	case subtitle:
		return len(short) >= 1
	case prefix:
		return len(short) >= 2
	case contained:
		return len(short) >= 3
	}
	if (c.sim >= looseTitle || jaccard(c.a.distinct, c.b.distinct) >= 0.6) && c.facts.page != differ {
		return true // a title reworded between versions, not two parts of a volume
	}
	// A translated title: another language, the same place in print and the same
	// first author.
	return c.facts.located && c.authors.first == agree && !c.a.generic() && !c.b.generic() && translated(c.a.clean, c.b.clean)
}

// translated reports whether two titles are clearly in different languages.
func translated(a, b string) bool {
	x, sureX := text.Language(a)
	y, sureY := text.Language(b)
	return sureX && sureY && x != y
}

func jaccard(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	common := 0
	for _, w := range a {
		if containsWord(b, w) {
			common++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// byTitle applies rule 3: the same title, with the first author's surname or,
// for a title that tells enough, with facts of publication.
func (c *comparison) byTitle() Verdict {
	f, who := c.facts, c.authors.verdict()
	conflict := f.conflict()
	if c.a.generic() || c.recurring {
		return c.byGenericTitle(conflict)
	}
	weak := c.a.weak()
	switch {
	case conflict != "":
		return Verdict{Rule: ruleTitle, Veto: conflict, Uncertain: who == agree || who == unknown && !weak && f.near()}
	case who == agree:
		if f.far() && !f.located {
			return Verdict{Rule: ruleTitle, Veto: "year", Uncertain: true}
		}
		if weak && !f.located && !f.version && (!f.yearKnown || f.years > 0 || f.issue == differ) {
			return Verdict{Rule: ruleTitle, Uncertain: true}
		}
		if f.doi == differ && f.copied && (weak || !f.near() || c.authors.shared < c.authors.smaller) {
			return Verdict{Rule: ruleTitle, Veto: "doi", Uncertain: true}
		}
		rule := ruleTitle
		if c.authors.first != agree {
			rule = ruleSimilarity
		}
		return Verdict{Same: true, Rule: rule}
	case f.located && !(weak && who == differ):
		return Verdict{Same: true, Rule: ruleSimilarity}
	case who == unknown:
		if weak && (f.volume != agree || f.issue != agree) || !f.near() {
			return Verdict{Rule: ruleTitle, Uncertain: !weak || f.near()}
		}
		return Verdict{Same: true, Rule: ruleSimilarity}
	case len(c.a.distinct) >= 4 && f.near() && (f.venue != differ || f.version):
		return Verdict{Same: true, Rule: ruleSimilarity}
	}
	return Verdict{Rule: ruleTitle, Veto: "authors", Uncertain: f.near() && !weak}
}

// byGenericTitle: titles such as "Introduction" need venue, year, author and the
// place in print.
func (c *comparison) byGenericTitle(conflict string) Verdict {
	f, who := c.facts, c.authors.verdict()
	switch {
	case conflict != "":
		return Verdict{Rule: ruleTitle, Veto: conflict}
	case f.venue == agree && f.yearKnown && f.years == 0 && who == agree && f.issue != differ && (f.located || f.volume == agree && f.issue == agree && f.page != differ):
		return Verdict{Same: true, Rule: ruleTitle}
	case f.venue != differ && f.near() && who != differ && f.volume != differ && f.issue != differ && f.page != differ:
		return Verdict{Rule: ruleTitle, Veto: "generic_title", Uncertain: true}
	}
	return Verdict{Rule: ruleTitle, Veto: "generic_title"}
}

// bySimilarTitle applies rule 4 and the rules on cut titles. The evidence of the
// title is weak here, so the authors must agree or the place in print must.
func (c *comparison) bySimilarTitle() Verdict {
	f, who := c.facts, c.authors.verdict()
	short := c.a
	if len(c.b.compact) < len(c.a.compact) {
		short = c.b
	}
	v := Verdict{Rule: ruleTruncation}
	enough := false
	switch c.grade {
	case near:
		v.Rule = ruleSimilarity
		enough = true
	case subtitle:
		enough = len(short.distinct) >= 3 && !(f.copied && f.doi == differ)
	case prefix:
		enough = len(short.distinct) >= 3 && (cut(short.clean) || f.located || f.venue == agree && f.near())
	case contained:
		enough = len(short.distinct) >= 4 && f.located
	}
	if c.recurring {
		v.Uncertain = who == agree && f.near() && f.conflict() == ""
		return v
	}
	if v.Veto = f.conflict(); v.Veto != "" {
		v.Uncertain = who == agree && c.grade == near
		return v
	}
	supported := who == agree && !f.far() && (f.yearKnown || f.version || f.located || c.grade == near) || who == unknown && f.near() && (f.located || f.venue == agree)
	switch {
	case enough && supported && !short.generic():
		v.Same = true
	case c.grade == near:
		v.Uncertain = who == agree || who == unknown && f.near()
	case len(short.distinct) < 2:
	default:
		v.Uncertain = who == agree && !f.far() && (f.near() || f.version) && (enough || c.grade != contained || len(short.distinct) >= 4)
	}
	return v
}

// cut reports whether a source cut the title off.
func cut(s string) bool { return strings.HasSuffix(s, "…") || strings.HasSuffix(s, "...") }

// byPlace compares records whose titles can't be compared: the place in print
// and the authors make a pair for a person, never a merge.
func (c *comparison) byPlace() Verdict {
	f := c.facts
	return Verdict{Uncertain: f.located && f.near() && c.authors.verdict() != differ && f.conflict() == ""}
}

// line writes the values compared.
func (c *comparison) line(v Verdict) string {
	var b strings.Builder
	if c.scheme != "" {
		fmt.Fprintf(&b, "%s %s; ", c.scheme, text.Truncate(text.OneLine(c.p.rec.IDs[c.scheme]), 80))
	}
	if c.p.rec.Title == c.q.rec.Title {
		fmt.Fprintf(&b, "title “%s”", c.p.label())
	} else {
		fmt.Fprintf(&b, "title “%s” / “%s”", c.p.label(), c.q.label())
		if c.sim > 0 {
			b.WriteString(" " + strconv.FormatFloat(c.sim, 'f', 2, 64))
		}
	}
	pair := func(label, x, y string) {
		if x != "" || y != "" {
			fmt.Fprintf(&b, "; %s %s / %s", label, orUnknown(x), orUnknown(y))
		}
	}
	pair("first author", c.p.first(), c.q.first())
	pair("year", yearText(c.p.rec.Year), yearText(c.q.rec.Year))
	if v.Veto != "" || v.Rule == "" || ruleRank(v.Rule) > len(identifierRules) {
		pair("venue", text.Truncate(text.OneLine(c.p.rec.Venue), 60), text.Truncate(text.OneLine(c.q.rec.Venue), 60))
		pair("volume", c.p.volume, c.q.volume)
		pair("page", c.p.page, c.q.page)
	}
	switch v.Veto {
	case "numeral":
		pair("numerals", strings.Join(c.a.numbers, " "), strings.Join(c.b.numbers, " "))
	case "doi", "pmid", "arxiv", "dblp", "cochrane_update":
		if scheme := strings.Replace(v.Veto, "cochrane_update", "doi", 1); scheme != c.scheme {
			pair(scheme, text.OneLine(c.p.rec.IDs[scheme]), text.OneLine(c.q.rec.IDs[scheme]))
		}
	}
	return text.OneLine(b.String())
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func yearText(y int) string {
	if y == 0 {
		return ""
	}
	return strconv.Itoa(y)
}
