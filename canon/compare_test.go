package canon

import (
	"testing"

	"optimistresearch/state"
)

// rec builds a published record. Authors are separated by ";".
func rec(title, authors string, year int, venue string, more ...func(*state.Record)) state.Record {
	r := state.Record{Source: "crossref", Title: title, Year: year, Venue: venue, Kind: state.Published, IDs: state.IDs{}}
	r.Authors = people(authors)
	for _, f := range more {
		f(&r)
	}
	if r.Key == "" {
		r.Key = state.RecordKey(r.Source, r.IDs[state.DOI], r)
	}
	return r
}

func people(s string) []state.Author {
	var out []state.Author
	for _, n := range splitList(s) {
		out = append(out, state.Author{Name: n})
	}
	return out
}

func splitList(s string) []string {
	var out []string
	start := 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ';' {
			if part := trimSpace(s[start:i]); part != "" {
				out = append(out, part)
			}
			start = i + 1
		}
	}
	return out
}

func trimSpace(s string) string {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	return s
}

func doi(s string) func(*state.Record)        { return func(r *state.Record) { r.IDs.SetDOI(s) } }
func id(scheme, v string) func(*state.Record) { return func(r *state.Record) { r.IDs[scheme] = v } }
func at(volume, issue, pages string) func(*state.Record) {
	return func(r *state.Record) { r.Volume, r.Issue, r.Pages = volume, issue, pages }
}
func typ(s string) func(*state.Record)    { return func(r *state.Record) { r.Type = s } }
func source(s string) func(*state.Record) { return func(r *state.Record) { r.Source = s } }
func alt(s string) func(*state.Record)    { return func(r *state.Record) { r.AltTitle = s } }
func preprint(arxiv string) func(*state.Record) {
	return func(r *state.Record) { r.Source, r.Kind, r.IDs[state.ArXiv] = "arxiv", state.Preprint, arxiv }
}

const (
	designs  = "Bias and efficiency in case-control studies of rare outcomes. Part I. Design and denominators"
	designs2 = "Bias and efficiency in case-control studies of rare outcomes. Part II. Results and interpretation"
	memory   = "Integrating reliable memory in databases"
	bias     = "Prevalence of publication bias in trials of surgical wound dressings"
)

func TestCompare(t *testing.T) {
	cases := []struct {
		name string
		a, b state.Record
		same bool
		rule string
		veto string
		look bool // a person should look
	}{
		{name: "R1: parts of one study on adjacent pages, two DOIs",
			a: rec(designs, "Miller A;Olsen B", 1990, "Stat Med", doi("10.1002/sim.1"), at("9", "1", "1-20")),
			b: rec(designs2, "Miller A;Olsen B", 1990, "Stat Med", doi("10.1002/sim.2"), at("9", "1", "21-40")), veto: "title"},
		{name: "R1: parts whose titles differ in the numeral only",
			a: rec("Theory of reliable memory. Part I", "Miller A", 1990, "Stat Med"),
			b: rec("Theory of reliable memory. Part II", "Miller A", 1990, "Stat Med"), veto: "numeral"},
		{name: "R2: chapters share the DOI of a book",
			a:    rec("Introduction", "Daley D", 2013, "Point Processes", doi("10.1201/b14859")),
			b:    rec("Spike trains as event sequences: fundamental implications", "Daley D", 2013, "Point Processes", doi("10.1201/b14859")),
			rule: "doi", veto: "container_doi", look: true},
		{name: "R2: preface under the DOI of a book",
			a:    rec("Preface", "Nagel J", 2016, "", doi("10.4324/9781315630045")),
			b:    rec("Housing and welfare in southern cities", "Nagel J", 2016, "", doi("10.4324/9781315630045")),
			rule: "doi", veto: "notice", look: true},
		{name: "R3: spellings of one DOI",
			a:    rec("Ancestral state reconstruction of gene content in bacteria", "Chang B", 2006, "MBE", doi("10.1093/MOLBEV/MSL010")),
			b:    rec("Ancestral state reconstruction of gene content in bacteria", "Chang, Belinda", 2006, "Molecular Biology and Evolution", doi("https://doi.org/10.1093/molbev/msl010")),
			same: true, rule: "doi"},
		{name: "R3: with a label and spaces",
			a:    rec("Ancestral state reconstruction of gene content in bacteria", "Chang B", 2006, "MBE", doi("10.1093/MOLBEV/MSL010")),
			b:    rec("Ancestral state reconstruction of gene content in bacteria", "", 0, "", doi("doi: 10.1093/molbev/msl010 ")),
			same: true, rule: "doi"},
		{name: "arXiv DOI equals the arXiv id",
			a:    rec("Attention Is All You Need", "Ashish Vaswani;Noam Shazeer", 2017, "", preprint("1706.03762")),
			b:    rec("Attention is all you need", "Vaswani, A.", 2017, "", doi("10.48550/arXiv.1706.03762"), source("openalex")),
			same: true, rule: "arxiv"},
		{name: "same identifier, cut title",
			a:    rec("MemoryBank: Enhancing Large Language Models with Long-Term Memory", "Wanjun Zhong", 2024, "AAAI", doi("10.1609/aaai.v38i17.29946")),
			b:    rec("MemoryBank", "Wanjun Zhong", 2024, "AAAI", doi("10.1609/aaai.v38i17.29946")),
			same: true, rule: "doi"},
		{name: "same identifier, dropped subtitle with a year",
			a:    rec("Global burden of childhood asthma: findings of the 2019 study", "Lee K", 2020, "", doi("10.1000/gba")),
			b:    rec("Global burden of childhood asthma", "Lee K", 2020, "", doi("10.1000/gba")),
			same: true, rule: "doi"},
		{name: "versions of a figshare deposit",
			a:    rec("An imaging method for nontransparent samples", "Kerstens, Axelle", 2019, "", doi("10.6084/m9.figshare.c.4358387")),
			b:    rec("An imaging method for nontransparent samples", "Kerstens, Axelle", 2019, "", doi("10.6084/m9.figshare.c.4358387.v1")),
			same: true, rule: "doi"},
		{name: "English and German edition of Angewandte Chemie",
			a:    rec("Die Huisgen-Reaktion: Meilensteine der 1,3-Dipolaren Cycloaddition", "Breugst, Martin", 2020, "", doi("10.1002/ange.202003115")),
			b:    rec("The Huisgen Reaction: Milestones of the 1,3-Dipolar Cycloaddition", "Breugst, Martin", 2020, "", doi("10.1002/anie.202003115")),
			same: true, rule: "doi"},
		{name: "conference and journal version",
			a:    rec(memory, "Wee Teck Ng;Peter M. Chen", 1997, "VLDB", typ("inproceedings"), id(state.DBLP, "conf/vldb/NgC97")),
			b:    rec(memory, "Wee Teck Ng;Peter M. Chen", 1998, "VLDB Journal", typ("article"), id(state.DBLP, "journals/vldb/NgC98")),
			rule: "title_author", veto: "conference_journal", look: true},
		{name: "conference and journal version told by venue and type",
			a:    rec("Cultural Universality Versus Particularity in CMC", "Stahl, Bernd-Carsten", 2003, "Americas Conference on Information Systems", typ("inproceedings")),
			b:    rec("Cultural Universality Versus Particularity in CMC", "Stahl, Bernd Carsten;Elbeltagi, Ibrahim", 2004, "Journal of Global Information Technology Management", at("7", "4", "47--65")),
			rule: "title_author", veto: "conference_journal", look: true},
		{name: "minitrack introductions of two years",
			a:    rec("Introduction to the Minitrack on Crowdsourcing and Digital Workforce in the Gig Economy", "Deng, Xuefei", 2021, "Hawaii International Conference on System Sciences", doi("10.24251/HICSS.2021.510")),
			b:    rec("Introduction to the Minitrack on Crowdsourcing and Digital Workforce in the Gig Economy", "Deng, Xuefei", 2022, "Hawaii International Conference on System Sciences", doi("10.24251/HICSS.2022.544")),
			rule: "title_author", veto: "doi", look: true},
		{name: "preprint and publication",
			a:    rec("Local Cloning of Entangled Qubits", "Sujit K. Choudhary;Samir Kunkri", 2007, "", preprint("0706.2459")),
			b:    rec("Local cloning of entangled qubits", "Choudhary, S. K.;Kunkri, S.", 2007, "Physical Review A", doi("10.1103/physreva.76.052305"), at("76", "", "052305")),
			same: true, rule: "title_author"},
		{name: "preprint years before its publication",
			a:    rec("Reasoning about programs with partial memory", "Ann Weber", 2018, "", preprint("1801.00001")),
			b:    rec("Reasoning about programs with partial memory", "Weber A", 2021, "Journal of Logic", doi("10.1000/jl.1")),
			same: true, rule: "title_author"},
		{name: "bioRxiv and journal", a: rec("Phage resistance costs in lake bacteria", "Weber A", 2020, "bioRxiv", doi("10.1101/2020.01.02.123456")),
			b: rec("Phage resistance costs in lake bacteria", "Weber A", 2021, "mBio", doi("10.1128/mbio.1"), at("12", "", "e1")), same: true, rule: "title_author"},
		{name: "two arXiv papers of one title", a: rec("Notes on reliable distributed memory", "Weber A", 2019, "", preprint("1901.00001")),
			b: rec("Notes on reliable distributed memory", "Weber A", 2019, "", preprint("1902.00002")), rule: "title_author", veto: "arxiv", look: true},
		{name: "R28: two records of one preprint, one with a venue", a: rec("Jailbreaking leading safety-aligned models", "M. Andriushchenko", 2024, "", preprint("2406.14302")),
			b:    rec("Jailbreaking Leading Safety-Aligned Models", "Maksym Andriushchenko", 2024, "International Conference on Learning Representations", source("semanticscholar"), id(state.ArXiv, "2406.14302")),
			same: true, rule: "arxiv"},

		{name: "model numbers", a: rec("Llama 2: open foundation models", "Touvron H", 2023, ""), b: rec("Llama 3: open foundation models", "Touvron H", 2023, ""), veto: "numeral"},
		{name: "model suffix", a: rec("GPT-4 in clinical practice: an appraisal", "Weber A", 2024, ""), b: rec("GPT-4o in clinical practice: an appraisal", "Weber A", 2024, ""), veto: "numeral"},
		{name: "parts by letter", a: rec("Handbook of soil physics, Part A", "Weber A", 2001, ""), b: rec("Handbook of soil physics, Part B", "Weber A", 2001, ""), veto: "numeral"},
		{name: "Roman and Arabic numerals agree", a: rec("Phase II trial of wound dressings in diabetic feet", "Weber A", 2001, "Diabetes"),
			b: rec("Phase 2 trial of wound dressings in diabetic feet", "Weber A", 2001, "Diabetes"), same: true, rule: "similarity"},
		{name: "number word and numeral agree", a: rec("Two dressings for diabetic foot wounds in primary care", "Weber A", 2001, "Diabetes"),
			b: rec("2 dressings for diabetic foot wounds in primary care", "Weber A", 2001, "Diabetes"), same: true, rule: "similarity"},
		{name: "hypo and hyper", a: rec("Outcomes after hypoglycemia in elderly patients with stroke", "Weber A", 2001, "Stroke"),
			b: rec("Outcomes after hyperglycemia in elderly patients with stroke", "Weber A", 2001, "Stroke"), veto: "title"},
		{name: "with and without", a: rec("Survival of patients with chronic renal disease and anaemia", "Weber A", 2001, "Kidney"),
			b: rec("Survival of patients without chronic renal disease and anaemia", "Weber A", 2001, "Kidney"), veto: "title"},

		{name: "erratum", a: rec(bias, "Weber A", 2010, "BMJ", at("3", "1", "10")), b: rec("Erratum: "+bias, "Weber A", 2010, "BMJ", at("3", "2", "99")), veto: "notice"},
		{name: "erratum under the article's DOI", a: rec(bias, "Weber A", 2010, "BMJ", doi("10.1000/x1")), b: rec("Corrigendum to “"+bias+"”", "Weber A", 2010, "BMJ", doi("10.1000/x1")), rule: "doi", veto: "notice", look: true},
		{name: "erratum told by type", a: rec(bias, "Weber A", 2010, "BMJ", typ("journal article")), b: rec(bias, "Weber A", 2010, "BMJ", typ("published erratum")), veto: "notice"},
		{name: "erratum told by the place of the article", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec(bias+" (vol 3, pg 10, 2010)", "Weber A", 2010, "BMJ"), veto: "notice"},
		{name: "article that was corrected later", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec(bias+".[Erratum appears in BMJ. 2010 Oct;3(2):99]", "Weber A", 2010, "BMJ"), same: true, rule: "title_author"},
		{name: "retracted article", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec("RETRACTED: "+bias, "Weber A", 2010, "BMJ"), same: true, rule: "title_author"},
		{name: "retraction notice", a: rec(bias, "Weber A", 2010, "BMJ", doi("10.1000/x1")), b: rec("Retraction notice to: "+bias, "Weber A", 2010, "BMJ", doi("10.1000/x1")), rule: "doi", veto: "notice", look: true},
		{name: "comment", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec("Comment on: "+bias, "Lee K", 2010, "BMJ"), veto: "notice"},
		{name: "reply", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec(bias+" - Reply", "Weber A", 2010, "BMJ"), veto: "notice"},
		{name: "editorial", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec("Editorial: "+bias, "Weber A", 2010, "BMJ"), veto: "notice"},
		{name: "protocol", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec(bias+": protocol", "Weber A", 2010, "BMJ"), veto: "notice"},
		{name: "supplementary file", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec("Additional file 1 of "+bias, "Weber A", 2010, "figshare"), veto: "notice"},
		{name: "updated Cochrane review", a: rec("Dressings for venous leg ulcers", "Palfreyman S", 2006, "Cochrane Database of Systematic Reviews", doi("10.1002/14651858.CD001103")),
			b:    rec("Dressings for venous leg ulcers", "Palfreyman S", 2006, "Cochrane Database of Systematic Reviews", doi("10.1002/14651858.CD001103.pub2")),
			rule: "title_author", veto: "cochrane_update", look: true},
		{name: "updated Cochrane review without DOI", a: rec("Dressings for venous leg ulcers in adults", "Palfreyman S", 2006, "Cochrane Database Syst Rev", source("pubmed"), typ("")),
			b: rec("Dressings for venous leg ulcers in adults", "Palfreyman S", 2014, "Cochrane Database of Systematic Reviews"), rule: "title_author", veto: "cochrane_update", look: true},

		{name: "generic title, same author and year, other issue", a: rec("Editorial Introduction", "Zwass, Vladimir", 2000, "Journal of MIS", at("17", "1", "3--8")),
			b: rec("Editorial Introduction", "Zwass, Vladimir", 2000, "Journal of MIS", at("17", "2", "3--4")), rule: "title_author", veto: "generic_title"},
		{name: "generic title without place", a: rec("Introduction", "Weber A", 2010, "BMJ"), b: rec("Introduction", "Weber A", 2010, "BMJ"), rule: "title_author", veto: "generic_title", look: true},
		{name: "generic title, same place", a: rec("Introduction", "Weber A", 2010, "BMJ", at("3", "1", "10-12")), b: rec("Introduction.", "Weber, Ann", 2010, "BMJ", at("3", "1", "10")), same: true, rule: "title_author"},
		{name: "short title of two works", a: rec("Fournier's gangrene", "Nabelek, L", 1958, "", at("37", "5", "305-10")), b: rec("Fournier's gangrene", "A V Prokhorov", 2016, "", at("97", "", "256-261")), rule: "title_author", veto: "year"},
		{name: "full title, authors rendered otherwise", a: rec("GPT technical report on large multimodal models", "OpenAI", 2023, ""),
			b: rec("GPT technical report on large multimodal models", "Josh Achiam;Steven Adler", 2023, ""), same: true, rule: "title_year"},
		{name: "full title, disjoint authors, no contradiction", a: rec(bias, "Weber A", 2010, "BMJ"), b: rec(bias, "Sarah Collins", 2010, "BMJ"), same: true, rule: "title_year"},
		{name: "full title, disjoint authors, far years", a: rec("The Future of Psychiatry as Clinical Neuroscience", "Charles F. Reynolds", 2009, "", at("84", "", "446-450")),
			b: rec("The Future of Psychiatry as Clinical Neuroscience", "David A. Ross", 2015, "", at("72", "", "413")), rule: "title_author", veto: "year"},

		{name: "dropped subtitle", a: rec("Upsizing file server architectures: lessons of ten sites", "Weber A", 2001, "SIGMOD Record"), b: rec("Upsizing file server architectures", "Weber A", 2001, "SIGMOD Record"), veto: "numeral"},
		{name: "dropped subtitle without numerals", a: rec("Upsizing file server architectures: lessons of the field", "Weber A", 2001, "SIGMOD Record"),
			b: rec("Upsizing file server architectures", "Weber A", 2001, "SIGMOD Record"), same: true, rule: "truncation"},
		{name: "beginning with too few words", a: rec("Deep learning for protein folding and design", "Weber A", 2001, "Nature"), b: rec("Deep learning", "Weber A", 2001, "Nature"), rule: "truncation", look: true},
		{name: "cut off by the source", a: rec("Inherited complement deficiency predisposes to human disease in acute injury and inflammation", "Richards A", 2007, "Adv Immunol", at("96", "", "141-177")),
			b: rec("Inherited complement deficiency predisposes to human disease in acute inj", "Richards A", 2007, "Advances in Immunology", at("96", "", "141")), same: true, rule: "truncation"},
		{name: "salami slices of one group", a: rec("Vitamin status and fracture risk in nursing homes", "Weber A", 2001, "Bone"),
			b: rec("Vitamin status and fracture risk, muscle strength and falls in nursing homes of Norway", "Weber A", 2001, "Bone"), rule: "truncation", look: true},
		{name: "meeting abstract printed in two journals", a: rec("Stroke and aphasia; overcoming the challenges of capacity evaluation", "Carling-Rowland A", 2010, "Canadian Journal of Neurological Sciences", at("37", "3", "S42")),
			b: rec("Stroke and aphasia; overcoming the challenges of capacity evaluation", "Carling-Rowland A", 2010, "Stroke", at("41", "7", "e505")), rule: "title_author", veto: "publication", look: true},
		{name: "two DOIs of one printed article", a: rec("Early Steps toward a National Energy Information System", "Lincoln E. Moses", 1979, "", doi("10.1080/00031305.1979.10482671"), at("33", "", "97-101")),
			b: rec("Early Steps toward a National Energy Information System", "Lincoln E. Moses", 1979, "", doi("10.2307/2683808"), at("33", "", "97")), same: true, rule: "title_author"},
		{name: "markup, entities and dashes", a: rec("Effects of CO<sub>2</sub> on &alpha;-synuclein—a review", "Müller, J", 2001, "Cell"),
			b: rec("Effects of CO2 on α‐synuclein - a review", "Mueller J", 2001, "Cell"), same: true, rule: "title_author"},
		{name: "translated title beside the original", a: rec("Wirksamkeit von Wundauflagen bei Ulcus cruris", "Weber A", 2001, "Phlebologie", alt("Efficacy of wound dressings in leg ulcers")),
			b: rec("Efficacy of wound dressings in leg ulcers. [German]", "Weber A", 2001, "Phlebologie"), same: true, rule: "title_author"},
		{name: "Chinese title", a: rec("基于大语言模型的智能体记忆研究综述", "张三", 2024, "计算机学报"), b: rec("基于大语言模型的智能体记忆研究综述。", "张三;李四", 2024, "计算机学报"), same: true, rule: "title_author"},
		{name: "other works", a: rec("A survey of graph databases in industry", "Weber A", 2001, "TODS"), b: rec("Crop rotation in dry highland farming", "Lee K", 2011, "Soil"), veto: "title"},
		{name: "no title, same place", a: rec("", "Zuber J", 2011, "Nat Rev Nephrol", at("7", "1", "23-35")), b: rec("New insights into postrenal transplant hemolytic uremic syndrome.", "Zuber J", 2011, "Nat Rev Nephrol", at("7", "1", "23-35")), look: true},
		{name: "nothing known", a: rec("", "", 0, ""), b: rec("", "", 0, "")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v := Compare(c.a, c.b)
			if v.Same != c.same || v.Veto != c.veto || v.Uncertain != c.look || c.rule != "" && v.Rule != c.rule {
				t.Errorf("got same=%v rule=%q veto=%q uncertain=%v, want %v %q %q %v\n%s", v.Same, v.Rule, v.Veto, v.Uncertain, c.same, c.rule, c.veto, c.look, v.Compare)
			}
			if w := Compare(c.b, c.a); w != v {
				t.Errorf("not symmetric:\n%+v\n%+v", v, w)
			}
			if v.Same && v.Veto != "" {
				t.Errorf("same under the veto %q", v.Veto)
			}
		})
	}
}
