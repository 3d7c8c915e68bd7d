package report

import (
	"fmt"
	"strconv"
	"strings"

	"optimistresearch/state"
)

// indexPage lists every document, the included ones first.
func (v *view) indexPage() []byte {
	p := &page{}
	p.head(1, "Documents")
	p.line("%s, by what became of them in the review, then by relevance. The same list for a spreadsheet: [index.csv](index.csv), for a reference manager: [all.ris](all.ris).", capital(count(len(v.docs), "document")))
	last := -1
	for _, id := range v.ranked {
		if o := v.stage[id].order(); o != last {
			last = o
			p.head(2, capital(boxNames[o]))
			p.line("| Document | Title | Authors | Year | Venue | Relevance | Claims admitted | Why |\n| --- | --- | --- | ---: | --- | ---: | ---: | --- |")
		}
		d := v.s.Documents[id]
		r := "–"
		if x, ok := v.relevance(d); ok {
			r = score(x)
		}
		name := md(id)
		if safeID(id) {
			name = fmt.Sprintf("[%s](%s.md)", id, id)
		}
		p.line("| %s | %s | %s | %s | %s | %s | %d | %s |", name, cell(d.Title(), 200)+marks(d), orDash(cell(shortAuthors(d), 80)), yearText(d),
			orDash(cell(d.Best().Venue, 80)), r, v.admittedOf(id), orDash(md(v.stage[id].reason)))
	}
	return p.bytes()
}

func (v *view) indexCSV() []byte {
	var b strings.Builder
	b.WriteString(csvRow("id", "title", "authors", "year", "venue", "kind", "type", "doi", "arxiv", "pmid", "pmcid", "openalex", "semanticscholar",
		"citations", "retraction", "sources", "depth", "status", "stage", "reason", "relevance", "admitted_claims"))
	for _, id := range v.docs {
		d := v.s.Documents[id]
		best := d.Best()
		var authors []string
		for _, a := range d.Authors {
			authors = append(authors, a.Name)
		}
		year, citations, depth, relevance := "", "", "", ""
		if y := d.Year(); y != 0 {
			year = strconv.Itoa(y)
		}
		if n, ok := d.CitationCount(); ok {
			citations = strconv.Itoa(n)
		}
		if d.Depth != nil {
			depth = strconv.Itoa(*d.Depth)
		}
		if r, ok := v.relevance(d); ok {
			relevance = score(r)
		}
		retracted := d.Retracted().Status
		if retracted == "" {
			retracted = "unknown"
		}
		st := v.stage[id]
		b.WriteString(csvRow(id, plain(d.Title())+retraction(d), strings.Join(authors, "; "), year, best.Venue, string(d.Kind()), best.Type,
			d.ID1(state.DOI), d.ID1(state.ArXiv), d.ID1(state.PMID), d.ID1(state.PMCID), d.ID1(state.OpenAlex), d.ID1(state.S2),
			citations, retracted, strings.Join(v.s.Sources(d), "; "), depth, string(d.Status), boxNames[st.box], st.reason, relevance, strconv.Itoa(v.admittedOf(id))))
	}
	return []byte(b.String())
}
