package chase

import (
	"slices"

	"optimistresearch/canon"
	"optimistresearch/state"
)

// corpus keeps the works of a chase and tells which records are one work.
type corpus struct {
	s      *state.State
	frozen bool
	order  []string // documents with a title, in the order in which they came
	known  map[string]bool
}

func newCorpus(o Options) *corpus {
	set := o.Settings
	return &corpus{s: state.New(state.Question{Year: o.Year}, set), frozen: o.Frozen, known: map[string]bool{}}
}

// add takes records in and gives the work of each, "" for one that is no work.
func (c *corpus) add(records []state.Record, round int) []string {
	out := make([]string, len(records))
	if c.frozen {
		part := state.State{Records: map[string]state.Record{}, Documents: map[string]state.Document{}}
		for i, r := range records {
			out[i] = r.IDs[frozenScheme]
			if r.Title != "" && !c.known[out[i]] && out[i] != "" {
				d := state.DocumentFrom(r)
				d.ID = out[i]
				part.Records[r.Key], part.Documents[d.ID] = r, d
				c.note(d.ID)
			}
		}
		c.s.Merge(&part)
		return out
	}
	part := state.State{Records: map[string]state.Record{}}
	for _, r := range records {
		if old, twice := part.Records[r.Key]; !twice || len(r.Abstract) > len(old.Abstract) {
			part.Records[r.Key] = r
		}
	}
	c.s.Merge(&part)
	linked := canon.Canonicalise(c.s, round)
	c.s.Merge(&linked)
	for i, r := range records {
		out[i] = c.s.Links[r.Key].Document
	}
	for _, id := range state.SortedIDs(c.s.Documents) {
		if !c.known[id] && c.s.Documents[id].Title() != "" {
			c.note(id)
		}
	}
	return out
}

func (c *corpus) note(id string) {
	c.known[id] = true
	c.order = append(c.order, id)
}

// frozenScheme is where the records of a frozen library carry its own ids.
const frozenScheme = "library"

// mention makes a work of which only the id is known one that can be asked about.
func (c *corpus) mention(id string) {
	if _, ok := c.s.Documents[id]; !ok && c.frozen {
		ids := map[string][]string{frozenScheme: {id}}
		c.s.Documents[id] = state.Document{ID: id, IDs: ids}
	}
}

func (c *corpus) doc(id string) state.Document { return c.s.Documents[id] }

// works lists what the judge can read.
func (c *corpus) works() []Work {
	out := make([]Work, 0, len(c.order))
	for _, id := range c.order {
		d := c.s.Documents[id]
		w := Work{ID: id, Name: c.name(id), Title: d.Title(), Abstract: c.s.AbstractText(d), Year: d.Year()}
		for _, k := range d.Records {
			w.Keywords = state.Union(w.Keywords, c.s.Records[k].Keywords)
		}
		out = append(out, w)
	}
	return out
}

// record gives the record of a work that tells most.
func (c *corpus) record(id string) state.Record {
	d := c.s.Documents[id]
	keys := slices.Clone(d.Records)
	slices.Sort(keys)
	var best state.Record
	for _, k := range keys {
		if r := c.s.Records[k]; best.Key == "" || len(r.Abstract) > len(best.Abstract) {
			best = r
		}
	}
	return best
}

// name is how a work is called in tables: the library's id, or the identifier
// that most services know.
func (c *corpus) name(id string) string {
	if c.frozen {
		return id
	}
	d := c.s.Documents[id]
	for _, scheme := range []string{state.OpenAlex, state.DOI, state.PMID, state.ArXiv, state.S2, state.CorpusID} {
		if v := d.IDs[scheme]; len(v) > 0 {
			switch scheme {
			case state.OpenAlex, state.DOI:
				return v[0]
			}
			return scheme + ":" + v[0]
		}
	}
	return id
}
