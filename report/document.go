package report

import (
	"fmt"
	"strconv"
	"strings"

	"optimistresearch/state"
)

// documentPage is everything the run knows of one work.
func (v *view) documentPage(id string) []byte {
	d := v.s.Documents[id]
	p := &page{}
	v.frontMatter(p, id, d)
	p.head(1, title(d))
	if isRetracted(d) {
		p.line("> **Retracted.** %s\n", v.retractionNotice(d))
	} else if r := d.Retracted(); r.Status == state.RetractConcern || r.Status == state.RetractCorrected {
		p.line("> %s\n", v.retractionNotice(d))
	}
	p.line("%s\n", Reference(v.s, d))
	p.line("In this review: **%s**. Back to the [report](../report.md) or the [index](index.md).", md(v.stage[id].String()))
	v.documentText(p, d)
	v.documentRelevance(p, d)
	v.documentClaims(p, id)
	v.documentVersions(p, d)
	v.documentProvenance(p, d)
	return p.bytes()
}

func (v *view) frontMatter(p *page, id string, d state.Document) {
	p.line("---")
	p.line("id: %s", yamlString(id))
	p.line("title: %s", yamlString(d.Title()+retraction(d)))
	p.line("aliases: [%s]", yamlString(strings.TrimSpace(shortAuthors(d)+" "+yearText(d))))
	if len(d.Authors) > 0 {
		p.line("authors:")
		for _, a := range d.Authors {
			p.line("  - %s", yamlString(a.Name))
		}
	}
	if y := d.Year(); y != 0 {
		p.line("year: %d", y)
	}
	b := d.Best()
	for _, f := range [][2]string{{"venue", b.Venue}, {"type", b.Type}, {"kind", string(d.Kind())}, {"status", string(d.Status)}} {
		if f[1] != "" {
			p.line("%s: %s", f[0], yamlString(f[1]))
		}
	}
	for _, scheme := range state.Keys(d.IDs) {
		if v := d.ID1(scheme); v != "" && safeID(scheme) {
			p.line("%s: %s", scheme, yamlString(v))
		}
	}
	if n, ok := d.CitationCount(); ok {
		p.line("citations: %d", n)
	}
	if r := d.Retracted().Status; r != "" {
		p.line("retraction: %s", yamlString(r))
	} else {
		p.line("retraction: unknown")
	}
	if r, ok := v.relevance(d); ok {
		p.line("relevance: %s", score(r))
	}
	p.line("stage: %s", yamlString(v.stage[id].String()))
	p.line("admitted_claims: %d", v.admittedOf(id))
	if d.Abstract.Synopsis {
		p.line("text: synopsis")
	}
	p.line("tags: [document%s]", yes(isRetracted(d), ", retracted")+yes(d.Kind() == state.Preprint, ", preprint"))
	p.line("---")
}

func (v *view) retractionNotice(d state.Document) string {
	var parts []string
	for _, source := range state.Keys(d.Retraction) {
		r := d.Retraction[source]
		parts = append(parts, md(source)+" says "+md(r.Status)+yes(r.Notice != "", ", notice "+code(r.Notice)))
	}
	return sentence(capital(strings.Join(parts, "; ")))
}

func (v *view) documentText(p *page, d state.Document) {
	head := "Abstract"
	if d.Abstract.Synopsis {
		head = "Synopsis"
	}
	p.head(2, head)
	t := v.s.AbstractText(d)
	if t == "" {
		p.line("No source gave an abstract.")
		return
	}
	if d.Abstract.Synopsis {
		p.line("*%s; not the authors' abstract.*\n", yes(v.q.Library == "", "Written for the demonstration library")+yes(v.q.Library != "", "From the library "+code(v.q.Library)))
	}
	p.line("%s", quoteBlock(t))
	p.line("\nText of record %s.", code(d.Abstract.Record))
	if r, ok := v.s.Readings[d.ID]; ok {
		if r.Notes != "" {
			p.head(2, "Reading notes")
			p.line("%s (%s)", sentence(md(r.Notes)), md(r.By))
		}
		if len(r.Terms) > 0 {
			p.line("\nTerms met: %s.", md(strings.Join(r.Terms, "; ")))
		}
		if len(r.Rejected) > 0 {
			p.line("\n%s did not pass the check of quotes and numbers:\n", capital(count(len(r.Rejected), "item")))
			for _, x := range r.Rejected {
				p.line("- %s", md(x))
			}
		}
	}
}

func (v *view) documentRelevance(p *page, d state.Document) {
	if len(d.Relevance)+len(d.Unscored)+len(d.Exclusion) == 0 {
		return
	}
	p.head(2, "Screening")
	if len(d.Relevance)+len(d.Unscored) > 0 {
		p.line("| Subquestion | Relevance | Why | By |\n| --- | ---: | --- | --- |")
		for _, q := range state.SortedIDs(d.Relevance) {
			r := d.Relevance[q]
			p.line("| %s | %s | %s | %s |", v.toSubquestion("../", q), score(r.Score), orDash(cell(r.Note, 400)), orDash(md(r.By)))
		}
		for _, q := range state.SortedIDs(d.Unscored) {
			if _, scored := d.Relevance[q]; !scored {
				p.line("| %s | not scored | %s | – |", v.toSubquestion("../", q), cell(d.Unscored[q], 400))
			}
		}
	}
	for _, who := range state.Keys(d.Exclusion) {
		x := d.Exclusion[who]
		p.line("\nExcluded by %s: %s%s.", md(x.By), md(exclusionText(x)), yes(x.Text != "", " ("+md(x.Text)+")"))
	}
}

func (v *view) documentClaims(p *page, id string) {
	items := v.byDoc[id]
	if len(items) == 0 {
		return
	}
	p.head(2, "Claims")
	for _, e := range items {
		p.line("%s", v.claim(e, "../", false))
	}
}

// claim renders one evidence item: the claim, its quote, where it stands and
// the verdict on it. up is the way to the run's folder; named says whose claim
// it is.
func (v *view) claim(e state.Evidence, up string, named bool) string {
	var b strings.Builder
	who := ""
	if named {
		d := v.s.Documents[e.Document]
		who = v.to(up, e.Document) + " " + md(shortAuthors(d)) + " (" + yearText(d) + ")" + marks(d) + " · "
	} else {
		who = v.toSubquestion(up, e.Subquestion) + " · "
	}
	fmt.Fprintf(&b, "- **%s**  \n", sentence(md(e.Claim)))
	fmt.Fprintf(&b, "  “%s”  \n", md(e.Quote))
	fmt.Fprintf(&b, "  %s%s · %s · strength %s%s · quote %s · %s", who, orDash(md(e.Location)), orDash(md(e.Type)), score(e.Strength),
		yes(e.Capped != "", " ("+md(e.Capped)+")"), orDash(words(e.Match)), code(e.ID))
	b.WriteString("  \n  " + v.verdict(e.ID))
	return b.String()
}

// verdict says whether the verifier admitted an item, and why not.
func (v *view) verdict(id string) string {
	r, ok := v.s.Reviews[id]
	switch {
	case !ok:
		return "Not verified yet."
	case r.Stale != "":
		return "Verdict withdrawn: " + sentence(md(r.Stale))
	case r.Admitted:
		return fmt.Sprintf("Admitted by %s.", orDash(md(r.By)))
	}
	var why []string
	if r.Reason != "" {
		why = append(why, md(strings.TrimRight(r.Reason, ".")))
	}
	if r.Rival != "" {
		why = append(why, "rival reading: “"+md(r.Rival)+"”")
	}
	return fmt.Sprintf("Not admitted (%s): %s.", orDash(md(r.By)), orDash(strings.Join(why, "; ")))
}

func (v *view) documentVersions(p *page, d state.Document) {
	p.head(2, "Records and versions")
	p.line("| Record | Kind | Title | Year | Venue | Identifiers | Joined by |\n| --- | --- | --- | ---: | --- | --- | --- |")
	keys := d.Records
	if len(keys) == 0 {
		keys = state.Keys(d.Versions)
	}
	for _, key := range keys {
		x := d.Versions[key]
		var ids []string
		for _, scheme := range state.Keys(v.s.Records[key].IDs) {
			ids = append(ids, md(scheme)+" "+codeCell(v.s.Records[key].IDs[scheme]))
		}
		year := "–"
		if x.Year != 0 {
			year = strconv.Itoa(x.Year)
		}
		p.line("| %s | %s | %s | %s | %s | %s | %s |", codeCell(key), orDash(md(string(x.Kind))), cell(x.Title, 300), year, orDash(md(x.Venue)),
			orDash(strings.Join(ids, ", ")), v.linkText(key))
	}
	for _, key := range keys {
		for _, note := range v.s.Records[key].Notes {
			p.line("\n%s: %s", code(key), sentence(md(note)))
		}
	}
}

// linkText says by which rule a record belongs to its document.
func (v *view) linkText(key string) string {
	l, ok := v.s.Links[key]
	if !ok {
		return "–"
	}
	out := "rule " + words(l.Rule)
	if l.Rule == "first" {
		out = "first record of the document"
	}
	if l.With != "" {
		out += " with " + codeCell(l.With)
	}
	if l.Compare != "" {
		out += ": " + cell(l.Compare, 400)
	}
	return out
}

func (v *view) documentProvenance(p *page, d state.Document) {
	list := v.s.Provenance(d)
	if len(list) == 0 {
		return
	}
	p.head(2, "Provenance")
	p.line("| Round | Source | Found by | Subquestion | Rank | Raw response |\n| ---: | --- | --- | --- | ---: | --- |")
	for _, o := range list {
		p.line("| %d | %s | %s | %s | %s | %s |", o.Round, md(o.Source), v.occasion(o), orDash(v.toSubquestion("../", o.Subquestion)),
			orDash(yes(o.Rank > 0, strconv.Itoa(o.Rank))), orDash(codeCell(short(o.Raw))))
	}
}

// occasion says how a record came back.
func (v *view) occasion(o state.Provenance) string {
	switch o.Via {
	case state.ViaSnowball:
		if o.Direction == state.Backward {
			return "reference of " + v.to("../", o.Seed)
		}
		return "citing work of " + v.to("../", o.Seed)
	case state.ViaImport:
		return "import"
	}
	q := v.s.Queries[o.Query]
	sent := q.Sent
	if sent == "" {
		sent = q.Written
	}
	return strings.TrimSpace("query " + md(o.Query) + " " + codeCell(sent))
}

// short is the beginning of a hash, enough to tell it from its neighbours.
func short(hash string) string { return hash[:min(12, len(hash))] }
