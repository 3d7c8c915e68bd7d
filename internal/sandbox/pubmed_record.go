package sandbox

import (
	"fmt"
	"strings"
)

// efetch gives whole records as XML. Unknown ids are left out without a word.
func (s *Server) efetch(c *call) reply {
	f := s.finders[PubMed]
	records, _, fault := s.uids(c)
	if fault != "" {
		return reply{kind: xmlType, body: []byte(xmlHead +
			`<!DOCTYPE eEfetchResult PUBLIC "-//NLM//DTD efetch 20131226//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20131226/efetch.dtd">` +
			"\n<eFetchResult>\n\t<ERROR>" + escapeText(fault) + "</ERROR>\n</eFetchResult>\n")}
	}
	records = page(c, records)
	if c.param("rettype") == "uilist" {
		var b strings.Builder
		for _, r := range records {
			b.WriteString(f.records[r].id + "\n")
		}
		return reply{kind: "text/plain; charset=UTF-8", body: []byte(b.String())}
	}
	if mode := c.param("retmode"); mode != "" && mode != "xml" {
		return reply{status: 400, kind: textType, body: []byte("The sandbox gives records with retmode=xml, and ids with rettype=uilist.\n")}
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" ?>` + "\n" +
		`<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">` +
		"\n<PubmedArticleSet>\n")
	for _, r := range records {
		f.pubMedArticle(&b, r)
	}
	b.WriteString("</PubmedArticleSet>\n")
	return reply{kind: xmlType, body: []byte(b.String())}
}

// pubMedArticle writes one record. Elements for which the library has no fact
// (ISSN, volume, pages, MeSH) are missing, as they are in old records.
func (f finder) pubMedArticle(b *strings.Builder, r int32) {
	rec, w := f.records[r], f.of(r)
	put := func(format string, args ...any) {
		for i, a := range args {
			if s, ok := a.(string); ok {
				args[i] = escapeText(s)
			}
		}
		fmt.Fprintf(b, format, args...)
	}
	date := func(name string) {
		put("<%s><Year>"+day[:4]+"</Year><Month>"+day[5:7]+"</Month><Day>"+day[8:]+"</Day></%[1]s>", name)
	}
	put(`<PubmedArticle><MedlineCitation Status="PubMed-not-MEDLINE" Owner="NLM"><PMID Version="1">%s</PMID>`, rec.id)
	date("DateRevised")
	put(`<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print">`)
	switch {
	case rec.year == 0:
		put(`<PubDate/>`)
	case share(w.ID, "medline date", 10):
		put(`<PubDate><MedlineDate>%d</MedlineDate></PubDate>`, rec.year)
	default:
		put(`<PubDate><Year>%d</Year></PubDate>`, rec.year)
	}
	put(`</JournalIssue>`)
	if w.Venue != "" {
		put(`<Title>%s</Title>`, w.Venue)
	}
	put(`</Journal><ArticleTitle>%s</ArticleTitle>`, titleIn(PubMed, w))
	if w.DOI != "" {
		put(`<ELocationID EIdType="doi" ValidYN="Y">%s</ELocationID>`, w.DOI)
	}
	if rec.abstract {
		put(`<Abstract><AbstractText>%s</AbstractText></Abstract>`, w.text())
	}
	if len(w.Authors) > 0 {
		complete := "Y"
		if w.Cut {
			complete = "N"
		}
		put(`<AuthorList CompleteYN="%s">`, complete)
		for _, a := range w.Authors {
			n := split(a)
			put(`<Author ValidYN="Y"><LastName>%s</LastName>`, n.family)
			if n.given != "" {
				put(`<ForeName>%s</ForeName><Initials>%s</Initials>`, n.given, n.initials(""))
			}
			put(`</Author>`)
		}
		put(`</AuthorList>`)
	}
	put(`<Language>%s</Language><PublicationTypeList>`, languageCode(w))
	for _, t := range publicationTypes(w) {
		put(`<PublicationType UI="%s">%s</PublicationType>`, t[0], t[1])
	}
	put(`</PublicationTypeList></Article><MedlineJournalInfo>`)
	if w.Venue != "" {
		put(`<MedlineTA>%s</MedlineTA>`, w.Venue)
	}
	put(`</MedlineJournalInfo>`)
	if w.Retracted != nil {
		put(`<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><RefSource>%s. %d. doi: %s</RefSource></CommentsCorrections></CommentsCorrectionsList>`,
			w.Venue, w.Retracted.Year, w.Retracted.Notice)
	}
	put(`</MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">%s</ArticleId>`, rec.id)
	if w.DOI != "" {
		put(`<ArticleId IdType="doi">%s</ArticleId>`, w.DOI)
	}
	if w.PMCID != "" {
		put(`<ArticleId IdType="pmc">%s</ArticleId>`, w.PMCID)
	}
	put(`</ArticleIdList>`)
	f.pubMedReferences(put, rec.work)
	put("</PubmedData></PubmedArticle>\n")
}

// pubMedReferences writes the reference list, each entry with ids of its own.
func (f finder) pubMedReferences(put func(string, ...any), work int32) {
	cites := f.lib.Cites(int(work))
	if len(cites) == 0 {
		return
	}
	put(`<ReferenceList>`)
	for _, to := range cites {
		cited := &f.lib.Works[to]
		put(`<Reference><Citation>%s</Citation>`, unstructured(cited))
		m := f.main(to)
		if m >= 0 || cited.DOI != "" {
			put(`<ArticleIdList>`)
			if cited.DOI != "" {
				put(`<ArticleId IdType="doi">%s</ArticleId>`, cited.DOI)
			}
			if m >= 0 {
				put(`<ArticleId IdType="pubmed">%s</ArticleId>`, f.records[m].id)
			}
			put(`</ArticleIdList>`)
		}
		put(`</Reference>`)
	}
	put(`</ReferenceList>`)
}

// publicationTypes are pairs of the type's id and name.
func publicationTypes(w *Work) [][2]string {
	types := [][2]string{{"D016428", "Journal Article"}}
	switch w.Type {
	case "review":
		types = append(types, [2]string{"D016454", "Review"})
	case "preprint":
		if w.DOI == "" {
			types = [][2]string{{"D000076942", "Preprint"}}
		}
	}
	if w.Retracted != nil {
		types = append(types, [2]string{"D016441", "Retracted Publication"})
	}
	return types
}

// languageCode is the three-letter code that PubMed uses; what it has no room
// for here is "und".
func languageCode(w *Work) string {
	if code := medlineCodes[language(w)]; code != "" {
		return code
	}
	return "und"
}

// medlineCodes are MEDLINE's codes of languages by ISO 639-1.
var medlineCodes = map[string]string{
	"ar": "ara", "cs": "cze", "da": "dan", "de": "ger", "en": "eng", "es": "spa", "fi": "fin", "fr": "fre", "hu": "hun", "it": "ita", "ja": "jpn",
	"ko": "kor", "nl": "dut", "no": "nor", "pl": "pol", "pt": "por", "ru": "rus", "sv": "swe", "tr": "tur", "uk": "ukr", "zh": "chi",
}

// medlineNames are the names of languages that PubMed takes, by ISO 639-1.
var medlineNames = map[string]string{
	"ar": "arabic", "cs": "czech", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
	"hu": "hungarian", "it": "italian", "ja": "japanese", "ko": "korean", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
	"ru": "russian", "sv": "swedish", "tr": "turkish", "uk": "ukrainian", "zh": "chinese",
}

// esummary gives short records, as JSON or as the older XML.
func (s *Server) esummary(c *call) reply {
	f := s.finders[PubMed]
	records, unknown, fault := s.uids(c)
	json := wantsJSON(c)
	switch {
	case fault != "" && json:
		return ncbi("esummary", member{"error", fault})
	case fault != "":
		return reply{kind: xmlType, body: []byte(xmlHead + summaryDoctype + "<eSummaryResult>\n\t<ERROR>" + escapeText(fault) + "</ERROR>\n</eSummaryResult>\n")}
	case json && len(records)+len(unknown) > mostSummary:
		return ncbi("esummary", member{"error", "Too many UIDs in request. Maximum number of UIDs is 500 for JSON format output."})
	}
	records = page(c, records)
	if json {
		uids, result := []string{}, object{}
		for _, r := range records {
			uids = append(uids, f.records[r].id)
			result = append(result, member{f.records[r].id, f.summaryObject(r)})
		}
		for _, id := range unknown {
			uids = append(uids, id)
			result = append(result, member{id, object{{"uid", id}, {"error", "cannot get document summary"}}})
		}
		return ncbi("esummary", member{"result", append(object{{"uids", uids}}, result...)})
	}
	var b strings.Builder
	b.WriteString(xmlHead + summaryDoctype + "<eSummaryResult>\n")
	for _, r := range records {
		f.summaryXML(&b, r)
	}
	for i, id := range unknown {
		fmt.Fprintf(&b, "<ERROR>Invalid uid %s at position= %d</ERROR>\n", escapeText(id), i)
	}
	b.WriteString("</eSummaryResult>\n")
	return reply{kind: xmlType, body: []byte(b.String())}
}

const summaryDoctype = `<!DOCTYPE eSummaryResult PUBLIC "-//NLM//DTD esummary v1 20041029//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20041029/esummary-v1.dtd">` + "\n"

// medlineName is "Family AB".
func medlineName(author string) string {
	n := split(author)
	return strings.TrimSpace(n.family + " " + n.initials(""))
}

func yearText(year int) string {
	if year == 0 {
		return ""
	}
	return itoa(year)
}

func (f finder) summaryObject(r int32) object {
	rec, w := f.records[r], f.of(r)
	authors, last := list{}, ""
	for _, a := range w.Authors {
		last = medlineName(a)
		authors = append(authors, object{{"name", last}, {"authtype", "Author"}, {"clusterid", ""}})
	}
	ids := list{object{{"idtype", "pubmed"}, {"idtypen", 1}, {"value", rec.id}}}
	if w.PMCID != "" {
		ids = append(ids, object{{"idtype", "pmc"}, {"idtypen", 8}, {"value", w.PMCID}},
			object{{"idtype", "pmcid"}, {"idtypen", 5}, {"value", "pmc-id: " + w.PMCID + ";"}})
	}
	if w.DOI != "" {
		ids = append(ids, object{{"idtype", "doi"}, {"idtypen", 3}, {"value", w.DOI}})
	}
	types := []string{}
	for _, t := range publicationTypes(w) {
		types = append(types, t[1])
	}
	attributes := []string{}
	if rec.abstract {
		attributes = append(attributes, "Has Abstract")
	}
	sortDate := ""
	if rec.year != 0 {
		sortDate = itoa(rec.year) + "/01/01 00:00"
	}
	title := titleIn(PubMed, w)
	return object{{"uid", rec.id}, {"pubdate", yearText(rec.year)}, {"epubdate", ""}, {"source", w.Venue}, {"authors", authors}, {"lastauthor", last},
		{"title", title}, {"sorttitle", strings.ToLower(strings.TrimRight(title, "."))}, {"volume", ""}, {"issue", ""}, {"pages", ""},
		{"lang", []string{languageCode(w)}}, {"nlmuniqueid", ""}, {"issn", ""}, {"essn", ""}, {"pubtype", types}, {"recordstatus", "PubMed"},
		{"pubstatus", "4"}, {"articleids", ids}, {"history", list{}}, {"references", list{}}, {"attributes", attributes},
		{"pmcrefcount", ""}, {"fulljournalname", w.Venue}, {"elocationid", elocation(w)}, {"doctype", "citation"}, {"srccontriblist", list{}},
		{"booktitle", ""}, {"medium", ""}, {"edition", ""}, {"publisherlocation", ""}, {"publishername", ""}, {"srcdate", ""}, {"reportnumber", ""},
		{"availablefromurl", ""}, {"locationlabel", ""}, {"doccontriblist", list{}}, {"docdate", ""}, {"bookname", ""}, {"chapter", ""},
		{"sortpubdate", sortDate}, {"sortfirstauthor", firstMedline(w)}, {"vernaculartitle", ""}}
}

func elocation(w *Work) string {
	if w.DOI == "" {
		return ""
	}
	return "doi: " + w.DOI
}

func firstMedline(w *Work) string {
	if len(w.Authors) == 0 {
		return ""
	}
	return medlineName(w.Authors[0])
}

func (f finder) summaryXML(b *strings.Builder, r int32) {
	rec, w := f.records[r], f.of(r)
	item := func(name, kind, value string) {
		fmt.Fprintf(b, "\t<Item Name=\"%s\" Type=\"%s\">%s</Item>\n", name, kind, escapeText(value))
	}
	fmt.Fprintf(b, "<DocSum>\n\t<Id>%s</Id>\n", rec.id)
	item("PubDate", "Date", yearText(rec.year))
	item("EPubDate", "Date", "")
	item("Source", "String", w.Venue)
	b.WriteString("\t<Item Name=\"AuthorList\" Type=\"List\">\n")
	last := ""
	for _, a := range w.Authors {
		last = medlineName(a)
		b.WriteString("\t")
		item("Author", "String", last)
	}
	b.WriteString("\t</Item>\n")
	item("LastAuthor", "String", last)
	item("Title", "String", titleIn(PubMed, w))
	item("DOI", "String", w.DOI)
	item("HasAbstract", "Integer", itoa(btoi(rec.abstract)))
	item("FullJournalName", "String", w.Venue)
	b.WriteString("</DocSum>\n")
}
