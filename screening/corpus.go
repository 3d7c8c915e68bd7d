package screening

import (
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
)

// Record is a candidate. ID must be unique; everything else may be empty.
type Record struct {
	ID       string
	Title    string
	Abstract string
	Keywords []string
	Year     int
	DOI      string
	Venue    string
	Authors  string // as they are shown
}

// Corpus is the candidates of one review, ready to be ranked.
type Corpus struct {
	Records []Record

	ix     *lexical.Index
	vector *matrix
	at     map[string]int
}

// NewCorpus indexes the records. Of two records with one ID the first counts;
// use [UniqueIDs] before.
func NewCorpus(records []Record) *Corpus {
	c := &Corpus{at: make(map[string]int, len(records))}
	docs := make([]lexical.Doc, 0, len(records))
	for _, r := range records {
		if _, known := c.at[r.ID]; known {
			continue
		}
		c.at[r.ID] = len(c.Records)
		c.Records = append(c.Records, r)
		body := r.Abstract
		if len(r.Keywords) > 0 {
			body = strings.TrimSpace(body + "\n\n" + strings.Join(r.Keywords, "; "))
		}
		docs = append(docs, lexical.Doc{ID: r.ID, Title: r.Title, Body: body})
	}
	// The numbers of the terms must not tell the order of the file.
	slices.SortFunc(docs, func(x, y lexical.Doc) int { return strings.Compare(x.ID, y.ID) })
	c.ix = lexical.NewIndex(docs)
	c.vector = newMatrix(c.ix, c.Records)
	return c
}

// Find gives the place of a record in Records.
func (c *Corpus) Find(id string) (int, bool) {
	i, ok := c.at[id]
	return i, ok
}

// Marks gives the stems of the words of a question, for marking them in a text.
func (rv Review) Marks() map[string]bool {
	out := map[string]bool{}
	for t := range lexical.QueryFrom(rv.topic()).Terms {
		out[t] = true
	}
	return out
}
