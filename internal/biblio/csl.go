package biblio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

type cslItem struct {
	ID              string    `json:"id"`
	Type            string    `json:"type"`
	Title           string    `json:"title,omitempty"`
	Author          []cslName `json:"author,omitempty"`
	Issued          *cslDate  `json:"issued,omitempty"`
	Container       string    `json:"container-title,omitempty"`
	Volume          string    `json:"volume,omitempty"`
	Issue           string    `json:"issue,omitempty"`
	Page            string    `json:"page,omitempty"`
	Publisher       string    `json:"publisher,omitempty"`
	Abstract        string    `json:"abstract,omitempty"`
	Language        string    `json:"language,omitempty"`
	DOI             string    `json:"DOI,omitempty"`
	PMID            string    `json:"PMID,omitempty"`
	PMCID           string    `json:"PMCID,omitempty"`
	Archive         string    `json:"archive,omitempty"`
	ArchiveLocation string    `json:"archive_location,omitempty"`
	URL             string    `json:"URL,omitempty"`
	Keyword         string    `json:"keyword,omitempty"`
	Note            string    `json:"note,omitempty"`
}

type cslName struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

type cslDate struct {
	Parts [][]int `json:"date-parts"`
}

// WriteCSL writes entries as CSL-JSON.
func WriteCSL(entries []Entry) ([]byte, error) {
	items := make([]cslItem, 0, len(entries))
	for _, e := range entries {
		e = e.Normal()
		x := cslItem{ID: e.ID, Type: e.Type, Title: e.Title, Container: e.Container, Volume: e.Volume, Issue: e.Issue, Page: e.Pages, Publisher: e.Publisher,
			Abstract: e.Abstract, Language: e.Language, DOI: e.DOI, PMID: e.PMID, PMCID: e.PMCID, URL: e.URL,
			Keyword: strings.Join(e.Keywords, ", "), Note: strings.Join(e.Notes, "\n")}
		for _, n := range e.Authors {
			x.Author = append(x.Author, cslName(n))
		}
		if e.ArXiv != "" {
			x.Archive, x.ArchiveLocation = "arXiv", e.ArXiv
		}
		if e.Date != "" {
			var parts []int
			for _, p := range strings.Split(e.Date, "-") {
				n, err := strconv.Atoi(p)
				if err != nil {
					return nil, fmt.Errorf("writing CSL-JSON: the date %q of %s: %w", e.Date, e.ID, err)
				}
				parts = append(parts, n)
			}
			x.Issued = &cslDate{Parts: [][]int{parts}}
		}
		items = append(items, x)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(items); err != nil {
		return nil, fmt.Errorf("writing CSL-JSON: %w", err)
	}
	return b.Bytes(), nil
}

// cslInput takes what other programs write: numbers for strings, a date in
// words, one object for a list.
type cslInput struct {
	ID              loose     `json:"id"`
	Type            loose     `json:"type"`
	Title           loose     `json:"title"`
	Author          []cslName `json:"author"`
	Issued          cslIssued `json:"issued"`
	Container       loose     `json:"container-title"`
	Volume          loose     `json:"volume"`
	Issue           loose     `json:"issue"`
	Page            loose     `json:"page"`
	Publisher       loose     `json:"publisher"`
	Abstract        loose     `json:"abstract"`
	Language        loose     `json:"language"`
	DOI             loose     `json:"DOI"`
	PMID            loose     `json:"PMID"`
	PMCID           loose     `json:"PMCID"`
	Archive         loose     `json:"archive"`
	ArchiveLocation loose     `json:"archive_location"`
	URL             loose     `json:"URL"`
	Keyword         loose     `json:"keyword"`
	Note            loose     `json:"note"`
}

type cslIssued struct {
	Parts   [][]loose `json:"date-parts"`
	Raw     loose     `json:"raw"`
	Literal loose     `json:"literal"`
}

func (d cslIssued) text() string {
	if len(d.Parts) > 0 {
		var parts []string
		for _, p := range d.Parts[0] {
			parts = append(parts, string(p))
		}
		return date(strings.Join(parts, "-"))
	}
	if d.Raw != "" {
		return date(string(d.Raw))
	}
	return date(string(d.Literal))
}

// loose is a string, a number, a list whose first string counts, or nothing.
type loose string

func (l *loose) UnmarshalJSON(b []byte) error {
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	switch x := v.(type) {
	case string:
		*l = loose(x)
	case json.Number:
		*l = loose(x.String())
	}
	return nil
}

// ReadCSL reads CSL-JSON: a list of items, or one. An item that cannot be read
// is a problem; the others are kept.
func ReadCSL(data []byte) (entries []Entry, problems []Problem) {
	raw := bytes.TrimSpace([]byte(decode(data)))
	var items []json.RawMessage
	if len(raw) > 0 && raw[0] == '{' {
		items = []json.RawMessage{raw}
	} else if err := json.Unmarshal(raw, &items); err != nil {
		return nil, []Problem{{Message: fmt.Sprintf("the file is not a list in JSON: %v", err)}}
	}
	for i, item := range items {
		var x cslInput
		if err := json.Unmarshal(item, &x); err != nil {
			problems = append(problems, Problem{Entry: string(x.ID), Message: fmt.Sprintf("item %d could not be read: %v", i+1, err)})
			continue
		}
		e := Entry{ID: string(x.ID), Type: cslType(string(x.Type)), Title: string(x.Title), Container: string(x.Container), Date: x.Issued.text(), Volume: string(x.Volume),
			Issue: string(x.Issue), Pages: string(x.Page), Publisher: string(x.Publisher), Abstract: string(x.Abstract), Language: string(x.Language),
			DOI: string(x.DOI), PMID: string(x.PMID), PMCID: string(x.PMCID), URL: string(x.URL), Keywords: []string{string(x.Keyword)},
			Notes: strings.Split(string(x.Note), "\n")}
		for _, n := range x.Author {
			e.Authors = append(e.Authors, Name(n))
		}
		if strings.EqualFold(string(x.Archive), "arXiv") {
			e.ArXiv = string(x.ArchiveLocation)
		}
		entries = append(entries, e.Normal())
	}
	return entries, problems
}

// cslType maps the finer types of CSL to ours.
func cslType(t string) string {
	switch t {
	case "article-magazine", "article-newspaper", "review", "review-book":
		return Journal
	case "entry", "entry-encyclopedia", "entry-dictionary":
		return Chapter
	case "post", "post-weblog":
		return Webpage
	}
	return t
}
