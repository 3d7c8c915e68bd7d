package biblio

import (
	"fmt"
	"strings"
)

// bibTypes are the entry types of BibTeX and biblatex that we write.
var bibTypes = map[string]string{
	Journal: "article", Conference: "inproceedings", Book: "book", Chapter: "incollection", Thesis: "phdthesis", Report: "techreport",
	Dataset: "dataset", Preprint: "misc", Webpage: "online", Document: "misc",
}

// bibNames are the entry types that we read.
var bibNames = map[string]string{
	"article": Journal, "inproceedings": Conference, "conference": Conference, "proceedings": Book, "book": Book, "mvbook": Book, "booklet": Book,
	"collection": Book, "incollection": Chapter, "inbook": Chapter, "phdthesis": Thesis, "mastersthesis": Thesis, "thesis": Thesis,
	"techreport": Report, "report": Report, "manual": Report, "dataset": Dataset, "online": Webpage, "electronic": Webpage, "www": Webpage,
	"unpublished": Preprint, "misc": Document,
}

// bibContainer is the field for the journal, proceedings or book.
var bibContainer = map[string]string{Journal: "journal", Conference: "booktitle", Chapter: "booktitle"}

// escapes are the characters that TeX does not take as they are.
var escapes = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '%': `\%`, '#': `\#`, '_': `\_`, '~': `\textasciitilde{}`,
	'^': `\textasciicircum{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`, '"': `\textquotedbl{}`,
}

func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if e, ok := escapes[r]; ok {
			b.WriteString(e)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// WriteBibTeX writes entries as BibTeX in UTF-8. Titles keep their case.
func WriteBibTeX(entries []Entry) []byte {
	var b strings.Builder
	taken := map[string]bool{}
	for i, e := range entries {
		e = e.Normal()
		fmt.Fprintf(&b, "@%s{%s", bibTypes[e.Type], key(e.ID, i, taken))
		field := func(name, value string) {
			if value != "" {
				fmt.Fprintf(&b, ",\n  %s = {%s}", name, value)
			}
		}
		if e.Title != "" {
			field("title", "{"+escape(e.Title)+"}")
		}
		var names []string
		for _, n := range e.Authors {
			names = append(names, bibName(n))
		}
		field("author", strings.Join(names, " and "))
		if e.Date != "" {
			field("year", e.Date[:4])
			if len(e.Date) > 4 {
				field("date", e.Date)
			}
		}
		container := bibContainer[e.Type]
		if container == "" {
			container = "howpublished"
		}
		field(container, escape(e.Container))
		field("volume", escape(e.Volume))
		field("number", escape(e.Issue))
		field("pages", escape(strings.ReplaceAll(e.Pages, "-", "--")))
		field(publisher(e.Type), escape(e.Publisher))
		switch {
		case e.Type == Preprint:
			field("pubstate", "preprint")
		case e.Type == Document && e.ArXiv != "":
			field("entrysubtype", "document") // else it would be read as a preprint
		}
		field("doi", e.DOI)
		if e.ArXiv != "" {
			field("eprint", e.ArXiv)
			field("archiveprefix", "arXiv")
		}
		field("pmid", e.PMID)
		field("pmcid", e.PMCID)
		field("url", e.URL)
		field("language", escape(e.Language))
		field("abstract", escape(e.Abstract))
		field("keywords", escape(strings.Join(e.Keywords, ", ")))
		field("note", escape(strings.Join(e.Notes, "; ")))
		b.WriteString("\n}\n\n")
	}
	return []byte(b.String())
}

func publisher(kind string) string {
	switch kind {
	case Thesis:
		return "school"
	case Report:
		return "institution"
	}
	return "publisher"
}

func bibName(n Name) string {
	protect := func(s string) string {
		s = escape(s)
		if strings.Contains(strings.ToLower(s), " and ") || strings.Contains(s, ",") {
			return "{" + s + "}"
		}
		return s
	}
	if n.Literal != "" {
		return "{" + escape(n.Literal) + "}"
	}
	return protect(n.Family) + ", " + protect(n.Given)
}

// key makes a citation key that BibTeX accepts and that is used once.
func key(id string, i int, taken map[string]bool) string {
	k := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("_-:.+/", r):
			return r
		}
		return -1
	}, id)
	if k == "" || taken[k] {
		k = fmt.Sprintf("%sentry%d", k, i+1)
	}
	taken[k] = true
	return k
}
