package canon

import (
	"slices"

	"optimistresearch/state"
)

// A row of the table below. The first row that holds for two records decides:
// the two are one work, or are kept apart, or a person is asked.
type row struct {
	name     string
	outcome  outcome
	policies policySet // under which the row is used
	reason   string    // one sentence for a reader
	example  string    // a case that was met
	holds    func(c *comparison) bool
	look     func(c *comparison) bool // should a person look at a pair kept apart; nil = no
	partner  bool                     // two catalogues may still be matched, see catalogue.go
}

type outcome uint8

const (
	apart outcome = iota // a veto
	one                  // a rule
	open                 // neither
)

// table is read from the top. Above stand what keeps two works apart whatever
// else agrees and what an agreeing identifier says; then what the place in print
// says when titles differ; then the contradictions between publications whose
// titles agree; then the rules on titles, from strong to weak.
var table = slices.Concat([]row{
	{name: "notice", outcome: apart, policies: underWorks,
		reason:  "One is a notice about the other, and not its erratum.",
		example: "a comment and the article",
		holds:   func(c *comparison) bool { return c.noticesDiffer() && !c.corrects() }, look: (*comparison).sharesIdentifier},
	{name: "notice", outcome: apart, policies: underStrict | underVersions,
		reason:  "One is a notice about the other: an erratum, a retraction notice, a comment, a reply, an editorial, a book review, a protocol or a supplementary file.",
		example: "“Prevalence of bias” and “Prevalence of bias (vol 3, pg 10, 2010)”",
		holds:   (*comparison).noticesDiffer, look: (*comparison).sharesIdentifier},
	{name: "form", outcome: apart, policies: underAll,
		reason:  "One is noted as a demonstration, poster, panel, tutorial or keynote, the other as another of these.",
		example: "“DEVise (demo abstract)” and “DEVise (panel)”",
		holds:   func(c *comparison) bool { return c.forms == differ }, look: always},
	{name: "numeral", outcome: apart, policies: underAll,
		reason:  "The numerals, part letters or version suffixes of the titles differ.",
		example: "“Theory of reliable memory. Part I” and “… Part II”; GPT-4 and GPT-4o",
		holds:   (*comparison).numeralsDiffer, look: func(c *comparison) bool { return c.scheme != "" || c.grade == full && c.who == agree }},
	{name: "container_doi", outcome: apart, policies: underAll,
		reason:  "The DOI is the same and the titles are not: it belongs to the book, supplement or issue that contains both.",
		example: "10.1201/b14859 with “Introduction” and with “Spike trains as event sequences”",
		holds:   func(c *comparison) bool { return c.scheme == state.DOI && !c.compatible() }, look: always},
	{name: "title", outcome: apart, policies: underAll,
		reason:  "An identifier is the same and the titles are not: one of the records carries a wrong identifier.",
		example: "two articles exported with one PMID",
		holds:   func(c *comparison) bool { return c.scheme != "" && !c.compatible() }, look: always},
	{name: "cochrane_update", outcome: apart, policies: underStrict | underVersions,
		reason:  "An updated Cochrane review is a new text with new searches, under the old title.",
		example: "10.1002/14651858.CD001103 of 2000 and .pub2 of 2010",
		holds: func(c *comparison) bool {
			return c.scheme != "" && c.scheme != state.DOI && c.facts.cochrane && c.conflict != ""
		}, look: always},
	{name: "conference_journal", outcome: apart, policies: underStrict | underVersions,
		reason:  "Two publications with DOIs of their own share a preprint: the paper of the conference and the article that grew out of it.",
		example: "one arXiv id on the VLDB paper and on the VLDB Journal article",
		holds: func(c *comparison) bool {
			return c.scheme == state.ArXiv && c.facts.classes && c.facts.doi == differ && !c.facts.version
		}, look: always},
	{name: "version", outcome: apart, policies: underStrict,
		reason:  "One is a preprint, the other its publication.",
		example: "arXiv 0706.2459 and 10.1103/physreva.76.052305",
		holds: func(c *comparison) bool {
			return c.facts.version && c.scheme != state.DOI && c.grade > unknownGrade
		}},
}, identifierRows(), []row{
	{name: "same_pages", outcome: one, policies: underAll,
		reason:  "The same authors on the same three or more pages of the same volume or proceedings: one text, with a translated, shortened or reworded title.",
		example: "“Platform economy and crowdworking …” and “Plattformökonomie und Crowdworking …”, Industrielle Beziehungen 27(2) 205–226",
		holds:   (*comparison).samePages},
	{name: "thesis", outcome: open, policies: underAll,
		reason:  "A thesis and its entry in Dissertation Abstracts, which comes out up to two years later: reviewers count them as one work or as two.",
		example: "“An intelligent rehabilitation system”, Ph.D., 2011, 215 p, and Dissertation Abstracts International 73(3-B) 1524, 2012",
		holds: func(c *comparison) bool {
			return c.facts.theses && c.grade >= near && !c.a.weak() && c.facts.yearKnown && c.facts.years <= 2 && c.authors.first == agree && !c.facts.located
		}, look: always},
	{name: "erratum", outcome: one, policies: underWorks,
		reason:  "An article and its erratum in the same journal, which this policy counts as one work.",
		example: "“Eculizumab for atypical HUS” and “… (vol 360, pg 542, 2009)”",
		holds:   (*comparison).corrects},
	{name: "title", outcome: apart, policies: underAll, partner: true,
		reason:  "The titles differ.",
		example: "“Outcomes after hypoglycemia” and “Outcomes after hyperglycemia”",
		holds:   func(c *comparison) bool { return c.grade == incompatible }, look: (*comparison).samePlace},
	{name: "no_title", outcome: open, policies: underAll,
		reason:  "A title is missing or in another script; the place in print is the same.",
		example: "a record without title on the pages of another",
		holds:   func(c *comparison) bool { return c.grade == unknownGrade },
		look: func(c *comparison) bool {
			return c.facts.located && c.facts.near() && c.who != differ && c.conflict == ""
		}},
}, conflictRows(), []row{
	{name: ruleTitle, outcome: one, policies: underAll,
		reason:  "The same title, such as “Editorial”, by the same authors in the same place in print.",
		example: "“Introduction”, Weber, BMJ 3(1) 10–12, from two sources",
		holds: func(c *comparison) bool {
			f := c.facts
			return c.common() && f.venue == agree && f.yearKnown && f.years == 0 && c.who == agree && f.issue != differ &&
				(f.located || f.volume == agree && f.issue == agree && f.page != differ)
		}},
	{name: "generic_title", outcome: apart, policies: underAll, partner: true,
		reason:  "The title says nothing about the work, or the journal uses it again and again, and the place in print is not known to be the same.",
		example: "“Editorial Introduction”, Zwass, JMIS 17(1) and 17(2)",
		holds:   (*comparison).common,
		look: func(c *comparison) bool {
			f := c.facts
			return f.venue != differ && f.near() && c.who != differ && f.volume != differ && f.issue != differ && f.page != differ
		}},
	{name: "year", outcome: apart, policies: underAll,
		reason:  "The years are too far apart.",
		example: "“Fournier's gangrene” of 1958 and of 2016",
		holds: func(c *comparison) bool {
			return c.grade == full && c.who == agree && c.facts.far() && !c.facts.located
		}, look: always},
	{name: "short_title", outcome: open, policies: underAll, partner: true,
		reason:  "The title has fewer than three words that tell works apart, and year or place do not confirm it.",
		example: "“Stroke rehabilitation”, Smith, 2001 and 2002",
		holds: func(c *comparison) bool {
			f := c.facts
			return c.grade == full && c.who == agree && c.a.weak() && !f.located && !f.version && (!f.yearKnown || f.years > 0 || f.issue == differ)
		}, look: always},
	{name: "doi", outcome: apart, policies: underAll,
		reason:  "Two DOIs, one of them of a deposit that tells too little to be sure.",
		example: "a repository's copy with fewer authors",
		holds: func(c *comparison) bool {
			f := c.facts
			return c.grade == full && c.who == agree && f.doi == differ && f.copied && (c.a.weak() || !f.near() || c.authors.shared < c.authors.smaller)
		}, look: always},
	{name: ruleTitle, outcome: one, policies: underAll,
		reason:  "The same title and the same first author.",
		example: "“Attention is all you need”, Vaswani, from Crossref and OpenAlex",
		holds:   func(c *comparison) bool { return c.grade == full && c.who == agree && c.authors.first == agree }},
	{name: ruleAuthors, outcome: one, policies: underAll,
		reason:  "The same title, and at least half of the shorter author list.",
		example: "authors in alphabetical order in one source",
		holds:   func(c *comparison) bool { return c.grade == full && c.who == agree }},
	{name: rulePlace, outcome: one, policies: underAll,
		reason:  "The same title in the same place in print.",
		example: "a meeting abstract with the authors cut off, Stroke 41(7) e505",
		holds: func(c *comparison) bool {
			return c.grade == full && c.facts.located && !(c.a.weak() && c.who == differ)
		}},
	{name: "no_author", outcome: open, policies: underAll, partner: true,
		reason:  "The same title, no author to compare, and year or place do not confirm it.",
		example: "a standard without authors and year",
		holds: func(c *comparison) bool {
			f := c.facts
			return c.grade == full && c.who == unknown && (c.a.weak() && (f.volume != agree || f.issue != agree) || !f.near())
		}, look: func(c *comparison) bool { return !c.a.weak() || c.facts.near() }},
	{name: ruleYear, outcome: one, policies: underAll,
		reason:  "The same title and year, no author to compare, and nothing that contradicts.",
		example: "“GPT technical report …”, OpenAI, and the same by Achiam and 280 others: a group beside persons says nothing",
		holds:   func(c *comparison) bool { return c.grade == full && c.who == unknown }},
	{name: ruleYear, outcome: one, policies: underAll,
		reason:  "The same title of four or more words that tell works apart, the same year and no other venue; a full title is not vetoed by authors alone.",
		example: "an article under the name of its editor in one source",
		holds: func(c *comparison) bool {
			f := c.facts
			return c.grade == full && len(c.a.distinct) >= 4 && f.near() && (f.venue != differ || f.version)
		}},
	{name: "authors", outcome: apart, policies: underAll, partner: true,
		reason:  "The same title by other authors.",
		example: "“The future of psychiatry”, Reynolds and Ross",
		holds:   func(c *comparison) bool { return c.grade == full },
		look:    func(c *comparison) bool { return c.facts.near() && !c.a.weak() }},
	{name: ruleSimilarity, outcome: one, policies: underAll,
		reason:  "Titles at least 0.93 similar that differ only in spelling and small words, with the authors or the place in print.",
		example: "“Intergrating reliable memory in databases”",
		holds:   func(c *comparison) bool { return c.grade == near && c.supported() && !c.shorter().generic() }},
	{name: ruleTruncation, outcome: one, policies: underAll,
		reason:  "One title is the other without its subtitle, or cut off, or contained in it, with authors and year or place.",
		example: "“Upsizing file server architectures: lessons of ten sites” and “Upsizing file server architectures”",
		holds: func(c *comparison) bool {
			return c.grade != near && c.enough() && c.supported() && !c.shorter().generic()
		}},
	{name: "similar_title", outcome: open, policies: underAll, partner: true,
		reason:  "The titles are alike, and the rest does not settle it.",
		example: "“Cubetree: bulk updates on the data cube” and “… bulk incremental updates …”",
		holds:   func(*comparison) bool { return true }, look: (*comparison).alike},
})

// identifierRows has one rule for each scheme whose agreement is evidence.
func identifierRows() []row {
	var rows []row
	for _, scheme := range identifierRules {
		rows = append(rows, row{name: scheme, outcome: one, policies: underAll,
			reason:  "The same " + schemeNames[scheme] + ", and titles that one work may carry.",
			example: schemeExamples[scheme],
			holds:   func(c *comparison) bool { return c.scheme == scheme }})
	}
	return rows
}

var schemeNames = map[string]string{state.DOI: "DOI", state.ArXiv: "arXiv id", state.PMID: "PubMed id", state.PMCID: "PubMed Central id", state.OpenAlex: "OpenAlex id",
	state.S2: "Semantic Scholar id", state.CorpusID: "Semantic Scholar corpus id", state.DBLP: "DBLP key", state.ACL: "ACL Anthology id", state.MAG: "Microsoft Academic id"}

var schemeExamples = map[string]string{
	state.DOI:   "10.1093/MOLBEV/MSL010 and https://doi.org/10.1093/molbev/msl010",
	state.ArXiv: "arXiv:1706.03762 and the DOI 10.48550/arXiv.1706.03762",
}

// conflictRows has one veto for each contradiction that facts.conflict names.
func conflictRows() []row {
	var rows []row
	for _, x := range [...]struct {
		name, reason, example string
		policies              policySet
	}{
		{"cochrane_update", "An updated Cochrane review is a new text with new searches, under the old title.", "“Dressings for venous leg ulcers”, Cochrane 2006 and 2014", underStrict | underVersions},
		{"arxiv", "The titles agree and the arXiv ids differ.", "two notes of one title, 1901.00001 and 1902.00002", underAll},
		{"pmid", "The titles agree and the PubMed ids differ.", "an article and its republication", underAll},
		{"conference_journal", "A conference paper and a journal article of one title are two publications.", "VLDB 1997 and VLDB Journal 1998", underStrict | underVersions},
		{"dblp", "The titles agree and the DBLP keys differ.", "conf/vldb/NgC97 and conf/vldb/NgC98", underAll},
		{"catalogue", "The bibliography lists each publication once, so two of its entries are two.", "“Industry perspectives” twice in the ACM Digital Library", underAll},
		{"doi", "The titles agree and the DOIs differ, and the place in print or the authors do not show that they are two names of one text.", "minitrack introductions of 2021 and 2022; 10.1086/427305 with one author and 10.2307/3651425 with two", underAll},
		{"year", "The titles agree and the years do not.", "a column of 2001 and of 2009", underAll},
		{"publication", "The titles agree and the places in print contradict each other.", "a meeting abstract in two journals; an abstract and the article", underAll},
	} {
		rows = append(rows, row{name: x.name, outcome: apart, policies: x.policies, reason: x.reason, example: x.example,
			holds: func(c *comparison) bool { return c.conflict == x.name },
			look: func(c *comparison) bool {
				switch {
				case c.common():
					return false
				case c.grade == full:
					return c.who == agree || c.who == unknown && !c.a.weak() && c.facts.near()
				}
				return c.who == agree && c.grade == near
			}})
	}
	return rows
}

func always(*comparison) bool { return true }

// Rules of Rule.Outcome.
const (
	RuleMerges = "one work"
	RuleVetoes = "kept apart"
	RuleAsks   = "left open"
)

// Rule describes a row of the table of decisions.
type Rule struct {
	Name     string
	Outcome  string // RuleMerges, RuleVetoes or RuleAsks
	Reason   string // one sentence
	Example  string // a case, may be empty
	Policies []Policy
}

// Rules gives the table of decisions in the order in which it is read: the first
// row that holds for a pair of records decides.
func Rules() []Rule {
	out := []Rule{{Name: rulePerson, Outcome: RuleMerges, Reason: reasonPerson, Policies: Policies[:]}}
	for _, r := range table {
		x := Rule{Name: r.name, Outcome: [...]string{RuleVetoes, RuleMerges, RuleAsks}[r.outcome], Reason: r.reason, Example: r.example}
		for _, p := range Policies {
			if r.policies&p.bit() != 0 {
				x.Policies = append(x.Policies, p)
			}
		}
		out = append(out, x)
	}
	return append(out, Rule{Name: ruleCatalogue, Outcome: RuleMerges, Reason: reasonCatalogue, Policies: Policies[:],
		Example: "“Objects and SQL: strange relations? Panel” of DBLP and “Objects and SQL (panel session): strange relations?” of ACM"})
}

const (
	reasonPerson    = "A person said so."
	reasonCatalogue = "Two bibliographies that list each publication once hold these two, of one year, venue and authors, and neither holds another that would fit."
	reasonFirst     = "The first record of its work."
	reasonContainer = "So many descriptions are no work but the contents of a container."
	reasonUncertain = "Much agrees, and not enough to be sure."
)

// Reason gives the sentence that explains a rule by which two records were
// merged, or a veto (merged false) that kept them apart; "" for an unknown name.
// Where several rows carry a name, as title_author, it is the plainest.
func Reason(name string, merged bool) string {
	switch {
	case merged && name == rulePerson:
		return reasonPerson
	case merged && name == ruleCatalogue:
		return reasonCatalogue
	case name == ruleFirst:
		return reasonFirst
	case !merged && name == "container":
		return reasonContainer
	case !merged && name == "uncertain":
		return reasonUncertain
	}
	reason := ""
	for _, r := range table {
		if r.name == name && (r.outcome == one) == merged {
			reason = r.reason
		}
	}
	return reason
}
