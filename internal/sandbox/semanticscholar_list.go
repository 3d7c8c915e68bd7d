package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// s2Batch answers in the order of the ids, with null for unknown ones.
func (f finder) s2Batch(c *call, chosen s2Chosen) reply {
	if c.method != http.MethodPost {
		return s2Error(405, "Method not allowed")
	}
	var sent struct {
		IDs []string `json:"ids"`
	}
	switch err := json.Unmarshal(c.body, &sent); {
	case err != nil:
		return s2Error(400, "The request body is not valid JSON")
	case len(sent.IDs) == 0:
		return s2Error(400, "No valid paper ids given")
	case len(sent.IDs) > mostBatch:
		return s2Error(400, fmt.Sprintf("Too many ids: the limit is %d", mostBatch))
	}
	out := list{}
	for _, id := range sent.IDs {
		if r := f.s2Find(id); r >= 0 {
			out = append(out, f.s2Paper(r, chosen.withoutLists()))
		} else {
			out = append(out, nil)
		}
	}
	return s2Reply(page(c, out))
}

// s2List gives references or citations. The list of some publishers is
// withheld: data is null.
func (f finder) s2List(c *call, r int32, which string, chosen s2Chosen) reply {
	offset, limit, fault := window(c, 100, 1000, deepList)
	if fault != nil {
		return *fault
	}
	w := f.of(r)
	out := object{{"offset", offset}}
	name, linked := "citingPaper", f.lib.CitedBy(int(f.records[r].work))
	if which == "references" {
		name, linked = "citedPaper", f.lib.Cites(int(f.records[r].work))
		all := s2Chosen{fields: map[string]bool{"openAccessPdf": true, "title": true, "authors": true}}
		info := slices.DeleteFunc(f.s2Paper(r, all), func(m member) bool { return m.name == "paperId" })
		out = append(out, member{"citingPaperInfo", info})
		if withheldReferences(w) {
			return s2Reply(append(out, member{"data", nil}))
		}
	} else {
		linked = slices.DeleteFunc(slices.Clone(linked), func(from int32) bool {
			return f.main(from) < 0 || withheldReferences(&f.lib.Works[from])
		})
	}
	total := len(linked)
	from := c.offset(offset)
	linked = linked[min(from, total):min(from+limit, total)]
	if from+limit < total {
		out = append(out, member{"next", offset + limit})
	}
	data := list{}
	for _, other := range page(c, linked) {
		edge := object{}
		for _, extra := range []string{"contextsWithIntent", "contexts", "isInfluential", "intents"} {
			switch {
			case !chosen.edge[extra]:
			case extra == "isInfluential":
				edge = append(edge, member{extra, false})
			default:
				edge = append(edge, member{extra, list{}})
			}
		}
		data = append(data, append(edge, member{name, f.s2Linked(other, chosen)}))
	}
	return s2Reply(append(out, member{"data", data}))
}

// withheldReferences reports whether a publisher withholds the list.
func withheldReferences(w *Work) bool {
	return prefixOf(w.DOI) == "10.1016" && share(w.ID, "list withheld", 70)
}

// s2Linked is the other end of a citation; a work that the service does not
// hold is a title without paperId.
func (f finder) s2Linked(work int32, chosen s2Chosen) object {
	if r := f.main(work); r >= 0 {
		return f.s2Paper(r, chosen)
	}
	return object{{"paperId", nil}, {"title", f.lib.Works[work].Title}}
}
