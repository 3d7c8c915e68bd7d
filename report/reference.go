package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/biblio"
	"optimistresearch/state"
)

// maxAuthors is how many authors a reference names before it cuts the list
// (APA style, 7th edition, section 9.8).
const maxAuthors = 20

// Reference is the full reference of a document as Markdown: authors (year).
// Title. Venue. Identifiers as links. Retraction and preprint status are
// marked. Facts that no source gives are left out, never guessed.
func Reference(s *state.State, d state.Document) string {
	rec := citedRecord(s, d)
	var b strings.Builder
	year := "n.d."
	if y := d.Year(); y != 0 {
		year = fmt.Sprint(y)
	}
	t := md(d.Title())
	if t == "" {
		t = "(no title)"
	}
	t += retraction(d)
	if names := authorList(d, rec.AuthorsCut); names != "" {
		fmt.Fprintf(&b, "%s (%s). %s", names, year, sentence(t))
	} else {
		fmt.Fprintf(&b, "%s (%s).", sentence(t), year)
	}
	if where := venue(d.Best(), rec); where != "" {
		b.WriteString(" " + sentence(where))
	}
	if d.Kind() == state.Preprint {
		b.WriteString(" [preprint]")
	}
	for _, l := range identifierLinks(d, rec) {
		b.WriteString(" " + l)
	}
	return b.String()
}

// citedRecord is the record behind the version that is cited; the zero Record
// when it is not in the state.
func citedRecord(s *state.State, d state.Document) state.Record {
	best := d.Best()
	for _, key := range state.Keys(d.Versions) {
		if d.Versions[key] == best {
			return s.Records[key]
		}
	}
	return state.Record{}
}

// venue writes "Venue, 12(3), 45–67" or the publisher when there is no venue.
func venue(v state.Version, rec state.Record) string {
	name := v.Venue
	if name == "" {
		return md(rec.Publisher)
	}
	out := "*" + md(name) + "*"
	if rec.Volume != "" {
		out += ", " + md(rec.Volume)
		if rec.Issue != "" {
			out += "(" + md(rec.Issue) + ")"
		}
	}
	if rec.Pages != "" {
		out += ", " + md(rec.Pages)
	}
	return out
}

// identifierLinks are the places where the work can be found: the DOI, the
// arXiv preprint, PubMed; the source's own address only when there is none of
// them.
func identifierLinks(d state.Document, rec state.Record) []string {
	var out []string
	best := d.Best()
	doi := best.DOI
	if doi == "" {
		doi = d.ID1(state.DOI)
	}
	if doi != "" {
		out = append(out, "<"+doiURL(doi)+">")
	}
	arxiv := best.ArXiv
	if arxiv == "" {
		arxiv = d.ID1(state.ArXiv)
	}
	if arxiv != "" {
		if l := link("https://arxiv.org/abs/" + arxiv); l != "" {
			name := "arXiv"
			if d.Kind() == state.Published {
				name = "Preprint"
			}
			out = append(out, name+": "+l)
		}
	}
	if pmid := d.ID1(state.PMID); pmid != "" {
		if l := link("https://pubmed.ncbi.nlm.nih.gov/" + pmid + "/"); l != "" {
			out = append(out, "PubMed: "+l)
		}
	}
	if len(out) == 0 {
		if l := link(rec.URL); l != "" {
			out = append(out, l)
		}
	}
	return out
}

func authorList(d state.Document, cut bool) string {
	var names []string
	for _, a := range d.Authors {
		if n := md(authorName(a)); n != "" {
			names = append(names, n)
		}
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case cut:
		return strings.Join(names[:min(n, maxAuthors)], ", ") + ", et al."
	case n > maxAuthors:
		return strings.Join(names[:maxAuthors-1], ", ") + ", … " + names[n-1]
	case n == 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " & " + names[n-1]
	}
}

// authorName is "Family, G. H." or the whole name when its parts are unknown.
func authorName(a state.Author) string {
	a = parted(a)
	if a.Collective || a.Family == "" {
		return a.Name
	}
	if r, _ := utf8.DecodeRuneInString(a.Given); !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return strings.TrimRight(a.Family+", "+a.Given, ", ") // other scripts have no initials
	}
	var initials []string
	for _, g := range strings.FieldsFunc(a.Given, func(r rune) bool { return r == ' ' || r == '.' || r == '\u00a0' }) {
		var parts []string
		for _, p := range strings.Split(g, "-") {
			for _, r := range p {
				parts = append(parts, string(r)+".")
				break
			}
		}
		initials = append(initials, strings.Join(parts, "-"))
	}
	if len(initials) == 0 {
		return a.Family
	}
	return a.Family + ", " + strings.Join(initials, " ")
}

// parted takes the name of a person apart where the source gave it as one, as
// arXiv does, so that all references of a list are written alike.
func parted(a state.Author) state.Author {
	if a.Collective || a.Family != "" {
		return a
	}
	n := biblio.NameOf(a.Name, "", "", false)
	if n.Literal == "" {
		a.Family, a.Given = n.Family, n.Given
	}
	return a
}

// shortAuthors names the authors in a table: "Packer et al.". Of a name whose
// parts are unknown the last word stands for it.
func shortAuthors(d state.Document) string {
	name := func(a state.Author) string {
		a = parted(a)
		if a.Family != "" {
			return a.Family
		}
		if words := strings.Fields(a.Name); len(words) > 0 && !a.Collective {
			return words[len(words)-1]
		}
		return a.Name
	}
	switch len(d.Authors) {
	case 0:
		return ""
	case 1:
		return name(d.Authors[0])
	case 2:
		return name(d.Authors[0]) + " & " + name(d.Authors[1])
	}
	return name(d.Authors[0]) + " et al."
}

func yearText(d state.Document) string {
	if y := d.Year(); y != 0 {
		return fmt.Sprint(y)
	}
	return "n.d."
}
