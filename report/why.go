package report

import (
	"fmt"
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"

	"optimistresearch/canon"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Why walks backward from something that a report shows to the responses it
// came from: claim → quote with its place → record → rule that linked it →
// occasion on which it came back → query as sent → call → raw response and its
// recording. id is that of a claim, document, query, subquestion, intent,
// section, cluster, contradiction or record, or a DOI, arXiv or PubMed id of a
// document. An id that is none of them is an error that lists the nearest.
//
// kept looks into the recordings; a road that leads to one that is missing or
// altered says so in its first lines. With nil they are named but not looked at.
func Why(s *state.State, id string, kept Kept) (string, error) {
	v, err := newView(s)
	if err != nil {
		return "", err
	}
	w := &road{v: v, kept: kept, seen: map[string]string{}, foreign: map[string]bool{}}
	id = strings.TrimSpace(id)
	if !w.walk(id) {
		return "", w.unknown(id)
	}
	return w.warning() + strings.TrimSpace(w.b.String()) + "\n" + w.intact(), nil
}

// road writes indented lines of plain text.
type road struct {
	v    *view
	b    strings.Builder
	kept Kept
	seen map[string]string // recording → its sha256, "" if it cannot vouch
	bad  int               // of them, and calls whose answer is in none

	foreign map[string]bool // calls whose answer is in none of their recordings
}

func (w *road) line(depth int, format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", depth) + strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// walk writes the road of an id and reports whether there is one.
func (w *road) walk(id string) bool {
	s := w.v.s
	if e, ok := s.Evidence[id]; ok {
		e.ID = id
		w.claim(e)
		return true
	}
	if d, ok := w.document(id); ok {
		w.work(0, d)
		w.claims(d)
		return true
	}
	if q, ok := s.Queries[id]; ok {
		w.query(0, id, q)
		return true
	}
	if r, ok := s.Records[id]; ok {
		w.record(0, id, r)
		return true
	}
	if q, ok := s.Subquestions[id]; ok {
		w.subquestion(id, q)
		return true
	}
	if in, ok := s.Intents[id]; ok {
		w.intent(id, in)
		return true
	}
	if c, ok := s.Contradictions[id]; ok {
		w.line(0, "%s  contradiction (%s) on %s: %s", id, contradictionKind(c.Kind), c.Subquestion, plain(c.Explanation))
		w.evidence([]string{c.A, c.B})
		return true
	}
	if c, ok := w.cluster(id); ok {
		w.line(0, "%s  cluster on %s: %s", id, c.Subquestion, plain(c.Claim))
		w.line(1, "%s", support(c))
		w.evidence(c.Evidence)
		return true
	}
	if o, ok := w.section(id); ok {
		w.line(0, "%s  section “%s”: %s", id, plain(o.Title), plain(o.Purpose))
		w.evidence(o.Evidence)
		return true
	}
	return false
}

// document finds a document by its id or by an identifier of the work.
func (w *road) document(id string) (state.Document, bool) {
	s := w.v.s
	if d, ok := s.Documents[id]; ok {
		d.ID = id
		return d, true
	}
	if d, ok := s.Documents[normalID(id)]; ok {
		d.ID = normalID(id)
		return d, true
	}
	arxiv, _ := state.NormalizeArXiv(id)
	pmid := ""
	if strings.Contains(strings.ToLower(id), "pmid") || strings.Contains(id, "pubmed") {
		pmid = state.NormalizePMID(id)
	}
	for _, x := range [][2]string{{state.DOI, state.NormalizeDOI(id)}, {state.ArXiv, arxiv}, {state.PMID, pmid}} {
		for _, doc := range w.v.docs {
			if d := s.Documents[doc]; x[1] != "" && contains(d.IDs[x[0]], x[1]) {
				d.ID = doc
				return d, true
			}
		}
	}
	return state.Document{}, false
}

func (w *road) cluster(id string) (state.Cluster, bool) {
	if w.v.s.Clusters != nil {
		for _, c := range w.v.s.Clusters.Clusters {
			if c.ID == id {
				return c, true
			}
		}
	}
	return state.Cluster{}, false
}

func (w *road) section(id string) (state.OutlineSection, bool) {
	if w.v.s.Synthesis != nil {
		for _, o := range w.v.s.Synthesis.Outline {
			if o.ID == id {
				return o, true
			}
		}
	}
	return state.OutlineSection{}, false
}

// claim writes the whole road of one evidence item.
func (w *road) claim(e state.Evidence) {
	s := w.v.s
	w.line(0, "%s  claim, for %s", e.ID, e.Subquestion)
	w.line(1, "%s", plain(e.Claim))
	w.line(1, "%s, strength %s%s, by %s", orDash(plain(e.Type)), score(e.Strength), yes(e.Capped != "", " ("+plain(e.Capped)+")"), orDash(plain(e.By)))
	r, ok := s.Reviews[e.ID]
	switch {
	case !ok:
		w.line(1, "not verified yet")
	case r.Stale != "":
		w.line(1, "verdict withdrawn: %s", plain(r.Stale))
	case r.Admitted:
		w.line(1, "admitted by %s: the quote supports the claim, the claim answers its subquestion, no rival reading is as good", orDash(plain(r.By)))
	default:
		w.line(1, "not admitted by %s: %s%s", orDash(plain(r.By)), orDash(plain(r.Reason)), yes(r.Rival != "", "; rival reading: "+plain(r.Rival)))
	}
	w.line(0, "└ quote (%s), %s, bytes %d to %d of %s", orDash(plain(e.Match)), orDash(plain(e.Location)), e.Start, e.End, plain(e.Text))
	w.line(1, "“%s”", plain(e.Quote))
	key := strings.TrimPrefix(e.Text, "abstract:")
	if rec, ok := s.Records[key]; ok {
		w.line(1, "%s", quoteStands(rec.Abstract, e))
	}
	d, ok := s.Documents[e.Document]
	if !ok {
		w.line(0, "└ %s is not in the state", plain(e.Document))
		return
	}
	d.ID = e.Document
	if t := d.ReadFor[e.Subquestion]; t != "" {
		w.line(1, "read for %s by task %s", e.Subquestion, plain(t))
	}
	w.work(0, d)
}

func quoteStands(stored string, e state.Evidence) string {
	if e.Start >= 0 && e.Start <= e.End && e.End <= len(stored) && stored[e.Start:e.End] == e.Quote {
		return "the stored text holds these words at this place"
	}
	return "the stored text does NOT hold these words at this place; restore the run from a copy, or derive it again with `optimistresearch run --replay RUN`"
}

// work writes a document, its records, their links and their sightings.
func (w *road) work(depth int, d state.Document) {
	s := w.v.s
	w.line(depth, "└ %s  %s%s", d.ID, orDash(plain(d.Title())), marks(d))
	w.line(depth+1, "%s", strings.Join([]string{orDash(plain(shortAuthors(d))), yearText(d), orDash(plain(d.Best().Venue)), w.v.stage[d.ID].String()}, " · "))
	for _, q := range state.SortedIDs(d.Relevance) {
		r := d.Relevance[q]
		w.line(depth+1, "relevance to %s: %s by %s%s", q, score(r.Score), orDash(plain(r.By)), yes(r.Note != "", ": "+plain(r.Note)))
	}
	for _, it := range state.SortedIDs(d.Ranked) {
		w.line(depth+1, "ranked in iteration %s: %s", strings.TrimPrefix(it, "it"), plain(d.Ranked[it]))
	}
	for _, who := range state.Keys(d.Exclusion) {
		w.line(depth+1, "excluded by %s: %s %s", plain(who), exclusionText(d.Exclusion[who]), plain(d.Exclusion[who].Text))
	}
	for _, source := range state.Keys(d.Retraction) {
		w.line(depth+1, "retraction status from %s: %s %s", plain(source), plain(d.Retraction[source].Status), plain(d.Retraction[source].Notice))
	}
	for _, key := range d.Records {
		r, ok := s.Records[key]
		if !ok {
			w.line(depth+1, "└ record %s is not in the state", plain(key))
			continue
		}
		w.record(depth+1, key, r)
	}
}

func (w *road) record(depth int, key string, r state.Record) {
	s := w.v.s
	var ids []string
	for _, scheme := range state.Keys(r.IDs) {
		ids = append(ids, scheme+":"+r.IDs[scheme])
	}
	w.line(depth, "└ record %s  %s", plain(key), plain(strings.Join(ids, " ")))
	w.line(depth+1, "%s", orDash(plain(r.Title)))
	if l, ok := s.Links[key]; ok {
		switch {
		case l.With == "" && l.Rule == "first":
			w.line(depth+1, "link to %s: first record of the document, round %d", l.Document, l.Round)
		default:
			w.line(depth+1, "link to %s by rule %s%s, round %d", l.Document, l.Rule, yes(l.With != "", " with "+plain(l.With)), l.Round)
			if reason := canon.Reason(l.Rule, true); reason != "" {
				w.line(depth+2, "%s", reason)
			}
		}
		if l.Compare != "" {
			w.line(depth+2, "compared: %s", plain(l.Compare))
		}
	}
	if len(r.Seen) == 0 {
		w.line(depth+1, "no occasion is on record")
	}
	for _, k := range state.Keys(r.Seen) {
		w.sighting(depth+1, r.Seen[k])
	}
}

// sighting writes one occasion on which a record came back.
func (w *road) sighting(depth int, p state.Provenance) {
	s := w.v.s
	rank := yes(p.Rank > 0, fmt.Sprintf(", rank %d", p.Rank))
	switch p.Via {
	case state.ViaSnowball:
		what, op := "references of", "references"
		if p.Direction == state.Forward {
			what, op = "works citing", "citing works"
		}
		seed := s.Documents[p.Seed]
		w.line(depth, "└ %s: %s %s%s, round %d", plain(p.Source), what, p.Seed, rank, p.Round)
		w.line(depth+1, "seed: %s%s", orDash(plain(seed.Title())), retraction(seed))
		w.calls(depth+1, func(c state.SourceCall) bool {
			return c.Source == p.Source && c.Subject == p.Seed && c.Operation == op
		}, p.Raw)
	case state.ViaImport:
		w.line(depth, "└ imported from %s%s", plain(p.Source), rank)
	default:
		w.line(depth, "└ %s: query %s%s, round %d, intent %s of %s", plain(p.Source), p.Query, rank, p.Round, p.Intent, p.Subquestion)
		if q, ok := s.Queries[p.Query]; ok {
			w.sent(depth+1, q)
		}
		w.calls(depth+1, func(c state.SourceCall) bool {
			return c.Subject == p.Query && c.Operation == "search"
		}, p.Raw)
	}
}

func (w *road) sent(depth int, q state.Query) {
	if q.Written != q.Sent {
		w.line(depth, "written: %s", orDash(plain(q.Written)))
	}
	w.line(depth, "sent:    %s", orDash(plain(q.Sent)))
	if q.Filters != "" {
		w.line(depth, "filters: %s", plain(q.Filters))
	}
	if q.Rung > 0 {
		w.line(depth, "rung %d of the relaxation ladder: %s", q.Rung, rungChange(q))
	}
}

func rungChange(q state.Query) string {
	if q.Rung < len(q.Rungs) {
		return plain(q.Rungs[q.Rung].Change)
	}
	return "–"
}

// calls writes the source calls that fit, with the raw response and the
// recordings of their requests.
func (w *road) calls(depth int, fits func(state.SourceCall) bool, raw string) {
	s := w.v.s
	found := false
	for _, id := range state.SortedIDs(s.Calls) {
		c := s.Calls[id]
		if !fits(c) {
			continue
		}
		found = true
		w.call(depth, id, c)
	}
	switch {
	case raw != "":
		w.line(depth, "└ raw response sha256 %s", plain(raw))
	case !found:
		w.line(depth, "└ no call is on record")
	}
}

func (w *road) call(depth int, id string, c state.SourceCall) {
	w.line(depth, "└ call %s: %s, %s%s", plain(id), outcomeWord(c.Outcome), count(c.Records, "record"), yes(c.Reason != "", "; "+plain(c.Reason)))
	for _, k := range c.Skipped {
		w.line(depth+1, "%d not usable: %s", k.Count, plain(k.Reason))
	}
	w.recordings(depth+1, id, c)
}

func (w *road) query(depth int, id string, q state.Query) {
	in := w.v.s.Intents[q.Intent]
	w.line(depth, "%s  query to %s, iteration %d, by %s", id, plain(q.Source), q.Iteration, orDash(plain(q.By)))
	w.line(depth+1, "for %s: %s", orDash(q.Intent), plain(in.Description))
	if sub, ok := w.v.s.Subquestions[in.Subquestion]; ok {
		w.line(depth+1, "of %s: %s", in.Subquestion, plain(sub.Text))
	}
	w.sent(depth+1, q)
	for i, r := range q.Rungs {
		w.line(depth+2, "rung %d, %s: %s → %s", i, plain(r.Change), plain(r.Sent), totalText(r.Total))
	}
	w.line(depth+1, "outcome: %s%s; total %s, %s, %d not usable", outcomeWord(q.Outcome), yes(q.Reason != "", " ("+plain(q.Reason)+")"), totalText(q.Total), count(q.Hits, "record"), q.Skipped)
	w.calls(depth+1, func(c state.SourceCall) bool { return c.Subject == id && c.Operation == "search" }, "")
	type hit struct {
		rank int
		doc  string
	}
	var hits []hit
	for _, doc := range w.v.docs {
		best := 0
		for _, p := range w.v.s.Provenance(w.v.s.Documents[doc]) {
			if p.Via != state.ViaSnowball && p.Query == id && (best == 0 || p.Rank < best) {
				best = max(p.Rank, 1)
			}
		}
		if best > 0 {
			hits = append(hits, hit{best, doc})
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].rank < hits[j].rank })
	for _, h := range hits {
		d := w.v.s.Documents[h.doc]
		w.line(depth+1, "%3d  %s  %s%s", h.rank, h.doc, text.Truncate(plain(d.Title()), 90), retraction(d))
	}
}

func (w *road) subquestion(id string, q state.Subquestion) {
	w.line(0, "%s  subquestion, %s, priority %d, from the %s, by %s", id, q.Status, q.Priority, q.Origin, orDash(plain(q.By)))
	w.line(1, "%s", plain(q.Text))
	if q.Rationale != "" {
		w.line(1, "why: %s", plain(q.Rationale))
	}
	for _, k := range state.SortedIDs(w.v.s.Applied) {
		if a := w.v.s.Applied[k]; a.Edit.Target == id || strings.HasSuffix(a.Result, "added "+id) {
			w.line(1, "edit %s: %s", k, plain(a.Result))
		}
	}
	for _, in := range state.SortedIDs(w.v.s.Intents) {
		if x := w.v.s.Intents[in]; x.Subquestion == id {
			w.line(1, "%s  %s", in, plain(x.Description))
		}
	}
	var ids []string
	for _, e := range w.v.s.Admitted(id) {
		ids = append(ids, e.ID)
	}
	w.evidence(ids)
}

func (w *road) intent(id string, in state.Intent) {
	found, relevant := w.v.s.Yield(id)
	w.line(0, "%s  intent of %s, %s, from the %s, iteration %d", id, in.Subquestion, in.Status, in.Origin, in.Iteration)
	w.line(1, "%s", plain(in.Description))
	in.ID = id
	w.line(1, "%s found, %d of them relevant%s", count(found, "document"), relevant, w.v.yetUnscreened(in))
	for _, k := range state.SortedIDs(w.v.s.Queries) {
		if q := w.v.s.Queries[k]; q.Intent == id {
			w.line(1, "%s  %s: %s → %s", k, plain(q.Source), plain(q.Written), outcomeWord(q.Outcome))
		}
	}
}

// claims lists what was read in a document.
func (w *road) claims(d state.Document) {
	if items := w.v.byDoc[d.ID]; len(items) > 0 {
		w.line(0, "claims:")
		var ids []string
		for _, e := range items {
			ids = append(ids, e.ID)
		}
		w.evidence(ids)
	}
}

func (w *road) evidence(ids []string) {
	for _, id := range ids {
		e, ok := w.v.s.Evidence[id]
		if !ok {
			w.line(1, "%s is not in the state", plain(id))
			continue
		}
		w.line(1, "%s  %s  [%s] %s", id, yes(w.v.isIn[id], "admitted")+yes(!w.v.isIn[id], "not admitted"), e.Document, text.Truncate(plain(e.Claim), 160))
	}
}

// idKind is what ids of one kind begin with: "ev_", "doc_", "q", "rq", "arxiv:".
func idKind(id string) string {
	for i, r := range id {
		switch {
		case r == '_' || r == ':':
			return id[:i+1]
		case r >= '0' && r <= '9':
			return id[:i]
		}
	}
	return ""
}

// unknown is the error for an id that names nothing: it lists the nearest ids
// and the kinds there are.
func (w *road) unknown(id string) error {
	s := w.v.s
	kinds := []struct {
		name string
		ids  []string
	}{
		{"document", state.SortedIDs(s.Documents)}, {"claim", state.Keys(s.Evidence)}, {"query", state.SortedIDs(s.Queries)},
		{"subquestion", state.SortedIDs(s.Subquestions)}, {"intent", state.SortedIDs(s.Intents)}, {"contradiction", state.Keys(s.Contradictions)},
		{"record", state.Keys(s.Records)},
	}
	type near struct {
		id       string
		distance int
	}
	var all []near
	var have []string
	given := strings.ToLower(text.Truncate(id, 80))
	for _, k := range kinds {
		if len(k.ids) == 0 {
			continue
		}
		have = append(have, fmt.Sprintf("%s (such as %s)", count(len(k.ids), k.name), text.Truncate(plain(k.ids[0]), 60)))
		for _, x := range k.ids {
			all = append(all, near{x, levenshtein.ComputeDistance(given, strings.ToLower(text.Truncate(x, 80)))})
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("looking up %q: the run holds nothing yet; go on with `optimistresearch resume RUN`", text.Truncate(plain(id), 80))
	}
	// Ids of the kind that was asked for come first, however short the others.
	kind := idKind(given)
	alike := func(n near) bool { return kind != "" && idKind(strings.ToLower(n.id)) == kind }
	sort.SliceStable(all, func(i, j int) bool {
		if a, b := alike(all[i]), alike(all[j]); a != b {
			return a
		}
		return all[i].distance < all[j].distance
	})
	if n := sort.Search(len(all), func(i int) bool { return !alike(all[i]) }); n > 0 {
		all = all[:n]
	}
	var names []string
	for _, n := range all[:min(5, len(all))] {
		names = append(names, text.Truncate(plain(n.id), 60))
	}
	return fmt.Errorf("looking up %q: the run holds nothing with this id; the nearest are %s. It holds %s",
		text.Truncate(plain(id), 80), strings.Join(names, ", "), strings.Join(have, ", "))
}
