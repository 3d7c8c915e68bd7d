package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/state"
)

// evidenceRow is one evidence item with its verdict, as the exports hold it.
type evidenceRow struct {
	state.Evidence
	Title      string `json:"title"`
	Year       int    `json:"year,omitempty"`
	Retraction string `json:"retraction,omitempty"`
	Preprint   bool   `json:"preprint,omitempty"`
	Cluster    string `json:"cluster,omitempty"`
	Admitted   bool   `json:"admitted"`
	Verdict    string `json:"verdict,omitempty"`
	VerdictBy  string `json:"verdict_by,omitempty"`
}

func (v *view) evidenceRows() []evidenceRow {
	out := make([]evidenceRow, 0, len(v.s.Evidence))
	for _, id := range state.Keys(v.s.Evidence) {
		e := v.s.Evidence[id]
		e.ID = id
		d := v.s.Documents[e.Document]
		r := v.s.Reviews[id]
		why := r.Reason
		if r.Stale != "" {
			why = "stale: " + r.Stale
		}
		out = append(out, evidenceRow{Evidence: e, Title: plain(d.Title()) + retraction(d), Year: d.Year(), Retraction: d.Retracted().Status,
			Preprint: d.Kind() == state.Preprint, Cluster: v.cluster[id].ID, Admitted: v.isIn[id], Verdict: why, VerdictBy: r.By})
	}
	return out
}

func (v *view) evidenceJSONL() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range v.evidenceRows() {
		if err := e.Encode(r); err != nil {
			return nil, fmt.Errorf("writing the evidence %s: %w", r.ID, err)
		}
	}
	return b.Bytes(), nil
}

func (v *view) evidenceCSV() []byte {
	var b strings.Builder
	b.WriteString(csvRow("id", "document", "title", "year", "subquestion", "claim", "quote", "match", "location", "type", "strength", "numbers",
		"preprint", "retraction", "cluster", "admitted", "verdict", "verdict_by", "by"))
	for _, r := range v.evidenceRows() {
		year := ""
		if r.Year != 0 {
			year = strconv.Itoa(r.Year)
		}
		b.WriteString(csvRow(r.ID, r.Document, r.Title, year, r.Subquestion, r.Claim, r.Quote, r.Match, r.Location, r.Type, score(r.Strength),
			strings.Join(r.Numbers, "; "), strconv.FormatBool(r.Preprint), r.Retraction, r.Cluster, strconv.FormatBool(r.Admitted), r.Verdict, r.VerdictBy, r.By))
	}
	return []byte(b.String())
}

// clustersPage groups the admitted claims by what they say, and lists what was
// not admitted behind them.
func (v *view) clustersPage() []byte {
	p := &page{}
	p.head(1, "Evidence")
	p.line("%s, %s admitted by the verifier. Claims that say the same thing are one cluster; its support is the number of distinct documents and of author groups that share no author. A cluster is weak when one document supports it or its mean strength is below 0.5. For programs: [evidence.jsonl](evidence.jsonl), [evidence.csv](evidence.csv).",
		capital(count(len(v.s.Evidence), "claim")), thousands(len(v.admitted)))
	for _, q := range v.subquestions() {
		shown := map[string]bool{}
		headed := false
		head := func() {
			if !headed {
				p.head(2, fmt.Sprintf("%s · %s", v.toSubquestion("../", q.ID), headText(q.Text)))
				headed = true
			}
		}
		if v.s.Clusters != nil {
			for _, c := range v.s.Clusters.Clusters {
				if c.Subquestion != q.ID {
					continue
				}
				var members []state.Evidence
				for _, id := range c.Evidence {
					if v.isIn[id] {
						members = append(members, v.s.Evidence[id])
						shown[id] = true
					}
				}
				if len(members) == 0 {
					continue
				}
				head()
				p.head(3, headText(c.Claim))
				p.line("%s.\n", capital(support(c)))
				for _, e := range members {
					p.line("%s", v.claim(e, "../", true))
				}
			}
		}
		var rest, refused []state.Evidence
		for _, id := range state.Keys(v.s.Evidence) {
			e := v.s.Evidence[id]
			switch {
			case e.Subquestion != q.ID || shown[id]:
			case v.isIn[id]:
				rest = append(rest, e)
			default:
				refused = append(refused, e)
			}
		}
		for _, part := range []struct {
			name  string
			items []state.Evidence
		}{{"Admitted, not clustered", rest}, {"Not admitted", refused}} {
			if len(part.items) > 0 {
				head()
				p.head(3, part.name)
				for _, e := range part.items {
					p.line("%s", v.claim(e, "../", true))
				}
			}
		}
	}
	return p.bytes()
}

// support says in words what a cluster rests on.
func support(c state.Cluster) string {
	docs := len(c.Documents)
	out := fmt.Sprintf("%s, %s, mean strength %s", count(docs, "document"), count(max(c.AuthorGroups, min(docs, 1)), "author group"), score(c.MeanStrength))
	if c.Weak {
		out += ", weak"
	}
	return out
}

func (v *view) contradictionsPage() []byte {
	p := &page{}
	p.head(1, "Contradictions")
	if len(v.s.Contradictions) == 0 {
		p.line("No two admitted claims were found that cannot both hold as stated. That is no proof of agreement: only claims on the same outcome are compared.")
		return p.bytes()
	}
	p.line("Pairs of claims that cannot both hold as stated. Both sides are shown; the run does not decide between them.")
	for _, id := range state.Keys(v.s.Contradictions) {
		c := v.s.Contradictions[id]
		p.head(2, fmt.Sprintf("%s · %s", md(id), capital(contradictionKind(c.Kind))))
		p.line("On %s. %s (%s)\n", v.toSubquestion("", c.Subquestion), sentence(capital(md(c.Explanation))), orDash(md(c.By)))
		for _, side := range []string{c.A, c.B} {
			e, ok := v.s.Evidence[side]
			if !ok {
				p.line("- %s is not in the state.", code(side))
				continue
			}
			p.line("%s", v.claim(e, "", true))
		}
	}
	return p.bytes()
}

func contradictionKind(kind string) string {
	switch kind {
	case "direction":
		return "opposite directions"
	case "numbers":
		return "incompatible numbers"
	case "stated":
		return "noted by the critic"
	}
	return orDash(words(kind))
}

func (v *view) subquestionPage(q state.Subquestion) []byte {
	p := &page{}
	p.line("---\nid: %s\nstatus: %s\npriority: %d\ntags: [subquestion]\n---", yamlString(q.ID), yamlString(string(q.Status)), q.Priority)
	p.head(1, md(q.ID)+" · "+headText(q.Text))
	if isLong(q.Text) {
		p.line("%s\n", md(q.Text))
	}
	if q.Rationale != "" {
		p.line("%s\n", sentence(md(q.Rationale)))
	}
	p.line("Status %s, priority %d. Back to the [report](../report.md) or the [plan](../plan.md).", words(string(q.Status)), q.Priority)
	items := v.s.Admitted(q.ID)
	a, answered := v.s.Answers[q.ID]
	var cites []string
	p.head(2, "Answer")
	switch {
	case !answered:
		p.line("No answer was written.")
	case a.NotEnough || strings.TrimSpace(a.Text) == "":
		p.line("There is not enough admitted evidence for an answer.")
	default:
		var text string
		text, cites = v.prose(a.Text, a.By, items, false)
		p.line("%s\n", text)
		p.line("Coverage %s of 1; %s from %s.", score(a.Coverage), count(len(items), "admitted claim"), count(len(documentsOf(items)), "document"))
	}
	if len(a.Gaps) > 0 {
		p.head(2, "What the evidence does not establish")
		for _, g := range a.Gaps {
			p.line("- %s", sentence(md(g)))
		}
	}
	if len(items) > 0 {
		p.head(2, "Evidence")
		for _, e := range items {
			p.line("%s", v.claim(e, "../", true))
		}
	}
	v.relevantTable(p, q)
	p.defs("../", cites)
	return p.bytes()
}

// relevantTable lists the documents that are relevant to a subquestion.
func (v *view) relevantTable(p *page, q state.Subquestion) {
	var ids []string
	for _, id := range v.docs {
		if r, ok := v.s.Documents[id].Relevance[q.ID]; ok && r.Score >= v.set.Screening.Relevant {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		x, y := v.s.Documents[a].Relevance[q.ID].Score, v.s.Documents[b].Relevance[q.ID].Score
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if len(ids) == 0 {
		return
	}
	p.head(2, "Relevant documents")
	p.line("| Document | Title | Year | Relevance | Why | In the review |\n| --- | --- | ---: | ---: | --- | --- |")
	for _, id := range ids {
		d := v.s.Documents[id]
		r := d.Relevance[q.ID]
		p.line("| %s | %s | %s | %s | %s | %s |", v.to("../", id), cell(d.Title(), 200)+marks(d), yearText(d), score(r.Score), orDash(cell(r.Note, 200)), md(v.stage[id].String()))
	}
}

func documentsOf(items []state.Evidence) []string {
	var out []string
	for _, e := range items {
		out = append(out, e.Document)
	}
	return state.Union(out, nil)
}
