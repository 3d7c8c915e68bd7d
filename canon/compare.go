package canon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Verdict is the outcome of comparing two records.
type Verdict struct {
	Same      bool
	Uncertain bool    // not merged, but a person should look
	Rule      string  // the rule that holds, or the strongest evidence that a veto stands against: doi, arxiv, …, title_author, similarity, truncation
	Veto      string  // why two records stay apart: numeral, container_doi, conference_journal, …; "title" when the titles differ
	Compare   string  // the values compared, one line
	Score     float64 // similarity of the titles, 0 when a bound told that they differ
}

// Compare decides whether two records describe one work under the default
// policy. It is symmetric and depends on nothing else than the two records.
func Compare(a, b state.Record) Verdict { return Versions.Compare(a, b) }

// Compare decides whether two records describe one work. It is symmetric and
// depends on nothing else than the two records and the policy.
func (p Policy) Compare(a, b state.Record) Verdict {
	return compareProfiles(newProfile(a), newProfile(b), p)
}

func compareProfiles(p, q *profile, policy Policy) Verdict {
	c := compareOnly(p, q, policy)
	d := c.decide(policy)
	v := Verdict{Same: d.outcome == one, Uncertain: d.look, Score: c.sim}
	switch d.outcome {
	case one:
		v.Rule = d.row.name
	case apart:
		v.Veto, v.Rule = d.row.name, c.evidence()
	default:
		v.Rule = c.evidence()
	}
	v.Compare = c.line(v)
	return v
}

// comparison is all that the rows of the table look at.
type comparison struct {
	p, q     *profile
	facts    facts
	conflict string // of the facts, see facts.conflict
	authors  shared
	who      tri    // do the authors agree
	scheme   string // of the agreeing identifier
	grade    grade
	sim      float64
	a, b     *title // the pair of titles with the best grade
	forms    tri
}

// compareOnly gathers what two records share.
func compareOnly(p, q *profile, policy Policy) *comparison {
	if string(p.print[:]) > string(q.print[:]) || p.print == q.print && p.rec.Key > q.rec.Key {
		p, q = q, p
	}
	c := &comparison{p: p, q: q, scheme: identified(p, q)}
	c.titles()
	if c.grade == incompatible && c.scheme == "" && p.page != q.page {
		// Nothing below can join them: spare the authors.
		c.facts = facts{venue: unknown}
		return c
	}
	c.authors = overlap(p.authors, q.authors)
	c.who = c.authors.verdict()
	c.facts = compareFacts(p, q, c.authors)
	if policy == Works {
		c.facts.version = c.facts.version || c.facts.classes
		c.facts.updates = c.facts.cochrane
	}
	c.conflict = c.facts.conflict()
	if x, y := p.titles[0].form, q.titles[0].form; x != "" && y != "" {
		c.forms = triOf(x == y)
	}
	return c
}

// strength orders links of one rule: by the similarity of the titles, then by
// what a source noted beside the title, the venue and the years.
func (c *comparison) strength() float32 {
	s := c.sim
	if c.p.titles[0].form != c.q.titles[0].form {
		s -= 0.01
	}
	if c.facts.venue != agree {
		s -= 0.004
	}
	if !c.facts.yearKnown || c.facts.years > 0 {
		s -= 0.002
	}
	return float32(s)
}

// decision is the row that decided.
type decision struct {
	row     *row
	outcome outcome
	look    bool
}

func (c *comparison) decide(policy Policy) decision {
	bit := policy.bit()
	for i := range table {
		r := &table[i]
		if r.policies&bit == 0 || !r.holds(c) {
			continue
		}
		return decision{r, r.outcome, r.look != nil && r.look(c)}
	}
	return decision{&table[len(table)-1], open, false}
}

// identified gives the strongest scheme in which both records carry the same
// identifier.
func identified(p, q *profile) string {
	if p.stem != "" && p.stem == q.stem {
		return state.DOI
	}
	if len(p.rec.IDs) == 0 || len(q.rec.IDs) == 0 {
		return ""
	}
	for _, scheme := range identifierRules[1:] {
		if x := p.rec.IDs[scheme]; x != "" && x == q.rec.IDs[scheme] {
			return scheme
		}
	}
	return ""
}

// titles finds the best agreeing pair among the titles of both records.
func (c *comparison) titles() {
	least := nearTitle
	if c.scheme != "" {
		least = looseTitle
	}
	for i := range c.p.titles {
		for j := range c.q.titles {
			a, b := &c.p.titles[i], &c.q.titles[j]
			g, sim := compareTitles(a, b, least)
			if c.a == nil || g > c.grade || g == c.grade && sim > c.sim {
				c.grade, c.sim, c.a, c.b = g, sim, a, b
			}
		}
	}
}

// evidence names the rule that the titles or an identifier speak for.
func (c *comparison) evidence() string {
	switch {
	case c.scheme != "":
		return c.scheme
	case c.grade == full:
		return ruleTitle
	case c.grade == near:
		return ruleSimilarity
	case c.grade > unknownGrade:
		return ruleTruncation
	}
	return ""
}

func (c *comparison) sharesIdentifier() bool { return c.scheme != "" }

// noticesDiffer reports whether only one of two records is a notice, told by its
// title or, without an agreeing identifier, by its type. Where an article and
// its erratum are one work, that pair is let through.
func (c *comparison) noticesDiffer() bool {
	p, q := &c.p.titles[0], &c.q.titles[0]
	if p.key != "" && q.key != "" && p.notice != q.notice {
		return true
	}
	return c.scheme == "" && c.p.typed != c.q.typed && p.notice == ""
}

// numeralsDiffer compares the numeric signatures. An agreeing identifier allows
// that a dropped subtitle took numerals with it, and so do the same pages; a
// footnote mark left at the end of a title is no numeral of it.
func (c *comparison) numeralsDiffer() bool {
	switch {
	case c.grade == unknownGrade || c.a.numbers == c.b.numbers:
		return false
	case c.scheme != "":
		return numbersConflict(c.a.numbers, c.b.numbers)
	case c.grade == incompatible && c.sim < nearTitle && !c.facts.pages:
		return false // the titles differ anyhow
	case c.facts.pages && c.authors.all():
		return numbersConflict(c.a.numbers, c.b.numbers)
	}
	return !(c.facts.located && footnoted(c.a.key, c.b.key))
}

// footnoted reports whether one key is the other with a single digit behind it.
func footnoted(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(b) == len(a)+2 && strings.HasPrefix(b, a) && b[len(a)] == ' ' && b[len(b)-1] >= '1' && b[len(b)-1] <= '9'
}

// compatible reports whether two titles may stand on one work whose identifier
// agrees.
func (c *comparison) compatible() bool {
	short := c.shorter().distinct
	switch c.grade {
	case full, near:
		return true
	case unknownGrade:
		return c.p.titles[0].key == "" || c.q.titles[0].key == "" || c.who != differ
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
	return c.facts.located && c.authors.first == agree && !c.a.generic() && !c.b.generic() && translated(c.a, c.b)
}

// shorter is the title with fewer characters.
func (c *comparison) shorter() *title {
	if c.b.size < c.a.size {
		return c.b
	}
	return c.a
}

// translated reports whether two titles are clearly in different languages.
func translated(a, b *title) bool {
	if a.latin != b.latin {
		return a.key != "" && b.key != ""
	}
	x, sureX := text.Language(a.clean())
	y, sureY := text.Language(b.clean())
	return sureX && sureY && x != y
}

// foreign reports whether two titles seem to be in different languages; it asks
// for less than translated.
func foreign(a, b *title) bool {
	x, sureX := text.Language(a.clean())
	y, sureY := text.Language(b.clean())
	return a.latin != b.latin || x != y && (sureX || sureY)
}

func jaccard(a, b []uint64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	n := common(a, b)
	return float64(n) / float64(len(a)+len(b)-n)
}

// samePages reports whether the same people fill the same pages under titles
// that may be two forms of one: alike, marked as translated or in two languages.
func (c *comparison) samePages() bool {
	if !c.facts.pages || c.authors.first != agree || c.authors.shared < c.authors.smaller || c.conflict != "" || c.a.key == "" || c.b.key == "" {
		return false
	}
	if c.a.generic() || c.b.generic() || c.grade >= near {
		return false // the rules on titles say more
	}
	return c.grade >= contained || c.a.tagged || c.b.tagged || jaccard(c.a.distinct, c.b.distinct) >= 0.3 || foreign(c.a, c.b)
}

// corrects reports whether one record is the erratum of the other: the same
// title but for the wording of the notice, in one journal.
func (c *comparison) corrects() bool {
	x, y := c.p.titles[0].notice, c.q.titles[0].notice
	if x == y || x != "" && x != erratum || y != "" && y != erratum {
		return false
	}
	f := c.facts
	return c.grade >= near && !c.a.weak() && f.venue != differ && f.yearKnown && f.years <= 3 && c.who != differ
}

// samePlace: another title, but the place in print and the authors of this one,
// as a translated title or two abstracts of one group on one page have.
func (c *comparison) samePlace() bool {
	f := c.facts
	return f.located && f.volume == agree && f.yearKnown && f.years == 0 && c.authors.first == agree && 2*c.authors.shared >= c.authors.smaller
}

// common reports whether many works carry the title.
func (c *comparison) common() bool {
	return c.grade == full && (c.a.generic() || c.p.recurring || c.q.recurring)
}

// enough reports whether an incomplete title holds enough of the longer one.
func (c *comparison) enough() bool {
	short, f := c.shorter(), c.facts
	switch c.grade {
	case subtitle:
		return len(short.distinct) >= 3 && !(f.copied && f.doi == differ)
	case prefix:
		return len(short.distinct) >= 3 && (short.cut || f.located || f.venue == agree && f.near())
	case contained:
		return len(short.distinct) >= 4 && (f.located || c.sameNumber())
	}
	return false
}

// sameNumber reports whether both stand in one issue of one journal, without
// pages that tell more.
func (c *comparison) sameNumber() bool {
	f := c.facts
	return f.venue == agree && f.yearKnown && f.years == 0 && f.issue == agree && f.volume != differ && f.page == unknown && c.authors.all()
}

// supported reports whether authors or place carry a title that is weak
// evidence by itself.
func (c *comparison) supported() bool {
	f := c.facts
	if c.p.recurring || c.q.recurring {
		return false
	}
	if c.grade == near && f.located && f.page == agree && f.volume == agree && f.years == 0 {
		return true // a misprint in a name beside one in the title
	}
	return c.who == agree && !f.far() && (f.yearKnown || f.version || f.located || c.grade == near) || c.who == unknown && f.near() && (f.located || f.venue == agree)
}

// alike reports whether a person should look at two similar titles.
func (c *comparison) alike() bool {
	f := c.facts
	switch {
	case c.p.recurring || c.q.recurring:
		return c.who == agree && f.near()
	case c.grade == near:
		return c.who == agree || c.who == unknown && f.near()
	case len(c.shorter().distinct) < 2:
		return false
	}
	if c.grade == near && f.located && f.page == agree && f.volume == agree && f.years == 0 {
		return true // a misprint in a name beside one in the title
	}
	return c.who == agree && !f.far() && (f.near() || f.version) && (c.enough() || c.grade != contained || len(c.shorter().distinct) >= 4)
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
	if v.Veto != "" || v.Rule == "" || !slices.Contains(identifierRules, v.Rule) {
		pair("venue", text.Truncate(text.OneLine(c.p.rec.Venue), 60), text.Truncate(text.OneLine(c.q.rec.Venue), 60))
		pair("volume", c.p.volume, c.q.volume)
		pair("page", c.p.page, c.q.page)
	}
	switch v.Veto {
	case "numeral":
		pair("numerals", c.a.numbers, c.b.numbers)
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
