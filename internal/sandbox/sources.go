package sandbox

import (
	"hash/fnv"
	"slices"
	"strings"
)

// The services, by the names that the program gives them.
const (
	ArXiv           = "arxiv"
	OpenAlex        = "openalex"
	Crossref        = "crossref"
	PubMed          = "pubmed"
	SemanticScholar = "semanticscholar"
	EuropePMC       = "europepmc"
)

// Sources lists the services that the sandbox plays.
func Sources() []string {
	return []string{ArXiv, OpenAlex, Crossref, PubMed, SemanticScholar, EuropePMC}
}

func known(source string) bool { return slices.Contains(Sources(), source) }

// record is a work as one service holds it. OpenAlex and Europe PMC may hold
// two of one work: the venue version and the preprint.
type record struct {
	work     int32
	preprint bool   // it describes the preprint although there is a venue version
	id       string // of the service, as it compares ids
	year     int    // 0 = the service does not know
	abstract bool   // the service has the text
}

// holdings are the records of one service.
type holdings struct {
	lib     *Library
	source  string
	records []record
	start   []int32          // the records of work w are those from start[w] to start[w+1], venue version first
	byID    map[string]int32 // every identifier under which a record can be asked for, see key
}

// key is how holdings index an identifier.
func key(scheme, id string) string { return scheme + ":" + strings.ToLower(id) }

// holds tells which services hold a work by the rules:
//
//	arXiv             what has an arXiv id
//	Crossref          what has a DOI (arXiv DOIs are not Crossref's)
//	PubMed            what has a PubMed id, and articles of psychology, biology and medicine with a DOI
//	OpenAlex          nearly all that has a DOI, an arXiv or an OpenAlex id, and more than half of the rest
//	Europe PMC        what PubMed has, what has a PubMed Central id, and preprints of psychology, biology and medicine
//	Semantic Scholar  nearly all that has a DOI, an arXiv or a DBLP id, and few of the rest
//
// A work that would be nowhere is in OpenAlex.
func holds(w *Work) map[string]bool {
	if len(w.In) > 0 {
		in := map[string]bool{}
		for _, s := range w.In {
			in[s] = true
		}
		in[EuropePMC] = in[EuropePMC] || in[PubMed] // it takes in all of PubMed
		return in
	}
	in := map[string]bool{
		ArXiv:    w.ArXiv != "",
		Crossref: w.DOI != "",
		PubMed:   w.PMID != "" || w.DOI != "" && w.Type == "article" && biomedical(w.Fields),
	}
	in[EuropePMC] = in[PubMed] || w.PMCID != "" || w.ArXiv != "" && biomedical(w.Fields)
	indexed := in[ArXiv] || in[Crossref] || in[PubMed]
	switch {
	case w.OpenAlex != "":
		in[OpenAlex] = true
	case indexed:
		in[OpenAlex] = share(w.ID, "openalex", 94)
	default:
		in[OpenAlex] = share(w.ID, "openalex", 60)
	}
	switch {
	case w.S2 != "" || w.CorpusID != 0:
		in[SemanticScholar] = true
	case indexed || w.DBLP != "":
		in[SemanticScholar] = share(w.ID, "s2", 92)
	default:
		in[SemanticScholar] = share(w.ID, "s2", 25)
	}
	if !indexed && !in[SemanticScholar] {
		in[OpenAlex] = true
	}
	return in
}

func biomedical(fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return f == "Psychology" || f == "Biology" || f == "Medicine" })
}

// share picks percent of all works, always the same ones for the same purpose.
func share(id, purpose string, percent uint32) bool { return hash(id, purpose)%100 < percent }

func hash(id, purpose string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	h.Write([]byte(id))
	// The last step of FNV leaves neighbours close; this spreads them.
	x := h.Sum32()
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	return x ^ x>>16
}

// hold builds the holdings of all services.
func hold(lib *Library) map[string]*holdings {
	all := map[string]*holdings{}
	for _, s := range Sources() {
		all[s] = &holdings{lib: lib, source: s, start: make([]int32, 1, len(lib.Works)+1), byID: map[string]int32{}}
	}
	for i := range lib.Works {
		in := holds(&lib.Works[i])
		for _, s := range Sources() {
			if in[s] {
				all[s].add(int32(i), in)
			}
			all[s].start = append(all[s].start, int32(len(all[s].records)))
		}
	}
	return all
}

// add files the record or the two records of a work, which the services in in
// hold.
func (h *holdings) add(work int32, in map[string]bool) {
	w := &h.lib.Works[work]
	text := w.text() != ""
	switch h.source {
	case ArXiv:
		h.file(record{work: work, id: w.ArXiv, year: arXivYear(w), abstract: text}, "arxiv", w.ArXiv)
	case Crossref:
		h.file(record{work: work, id: w.DOI, year: venueYear(w), abstract: text && share(w.ID, "jats", 50)}, "doi", w.DOI)
	case PubMed:
		pmid := pmid(w, int(work))
		h.file(record{work: work, id: pmid, year: venueYear(w), abstract: text}, "pmid", pmid, "doi", w.DOI, "pmcid", w.PMCID)
	case OpenAlex:
		h.addOpenAlex(work, w, text)
	case EuropePMC:
		h.addEuropePMC(work, w, text, in[PubMed])
	case SemanticScholar:
		withheld := w.DOI != "" && share(w.ID, "withheld", 45) || share(w.ID, "elided", 8)
		r := record{work: work, id: paperID(w, int(work)), year: w.Year, abstract: text && !withheld}
		h.file(r, "s2", r.id, "doi", w.DOI, "arxiv", w.ArXiv, "pmid", w.PMID, "pmcid", w.PMCID, "corpusid", itoa(corpusID(w, int(work))))
	}
}

// addOpenAlex files the venue version and, of half of the pairs, the preprint
// under a second id; or the one version that there is.
func (h *holdings) addOpenAlex(work int32, w *Work, text bool) {
	text = text && !share(w.ID, "inverted", 12)
	id := w.OpenAlex
	if id == "" {
		id = madeW(int(work))
	}
	one := record{work: work, id: id, year: venueYear(w), abstract: text}
	if w.ArXiv != "" && w.DOI == "" {
		one.year = w.Year
		h.file(one, "openalex", id, "doi", arXivDOI(w.ArXiv), "pmid", w.PMID)
		return
	}
	h.file(one, "openalex", id, "doi", w.DOI, "pmid", w.PMID, "pmcid", w.PMCID)
	if w.ArXiv != "" && w.DOI != "" && share(w.ID, "twin", 50) {
		twin := record{work: work, preprint: true, id: madeWTwin(int(work)), year: w.Year, abstract: w.text() != ""}
		h.file(twin, "openalex", twin.id, "doi", arXivDOI(w.ArXiv))
	}
}

// addEuropePMC files the article, under MED or, where PubMed does not hold it,
// under PMC, and the preprint, under PPR.
func (h *holdings) addEuropePMC(work int32, w *Work, text, inPubMed bool) {
	preprint := w.ArXiv != "" && (biomedical(w.Fields) || !inPubMed && w.PMCID == "")
	pmid := pmid(w, int(work))
	switch {
	case inPubMed || w.PMCID == "" && !preprint:
		h.file(record{work: work, id: "MED/" + pmid, year: venueYear(w), abstract: text}, "pmid", pmid, "doi", w.DOI, "pmcid", w.PMCID)
	case w.PMCID != "":
		h.file(record{work: work, id: "PMC/" + w.PMCID, year: venueYear(w), abstract: text}, "doi", w.DOI, "pmcid", w.PMCID)
	}
	if preprint {
		ppr := madePPR(int(work))
		h.file(record{work: work, preprint: true, id: "PPR/" + ppr, year: arXivYear(w), abstract: text}, "ppr", ppr, "doi", arXivDOI(w.ArXiv))
	}
}

// file adds a record under pairs of scheme and id.
func (h *holdings) file(r record, ids ...string) {
	n := int32(len(h.records))
	h.records = append(h.records, r)
	for i := 0; i+1 < len(ids); i += 2 {
		if ids[i+1] != "" {
			if _, taken := h.byID[key(ids[i], ids[i+1])]; !taken {
				h.byID[key(ids[i], ids[i+1])] = n
			}
		}
	}
}

// find gives the record with an identifier, -1 if there is none.
func (h *holdings) find(scheme, id string) int32 {
	if n, ok := h.byID[key(scheme, id)]; ok {
		return n
	}
	return -1
}

// of gives the work that a record describes.
func (h *holdings) of(n int32) *Work { return &h.lib.Works[h.records[n].work] }

// versions are the records of a work, by their numbers: from and up to, not including, to.
func (h *holdings) versions(work int32) (from, to int32) { return h.start[work], h.start[work+1] }

// main gives the record that stands for a work in citation lists, -1 if the
// service does not hold the work.
func (h *holdings) main(work int32) int32 {
	if from, to := h.versions(work); from < to {
		return from
	}
	return -1
}
