package report

import (
	"slices"
	"sort"

	"optimistresearch/state"
)

// PRISMA counts the flow of records of a run. It works on any state, also that
// of a run that was interrupted.
func PRISMA(s *state.State) Flow {
	v, err := newView(s)
	if err != nil {
		return Flow{}
	}
	return v.flow
}

// box is where a work ended in the flow.
type box int

const (
	included box = iota
	rejected
	notRetrieved
	excluded
	ineligible
	unscored
	unscreened
)

// stage is a work's box and the reason that put it there.
type stage struct {
	box    box
	reason string
}

func (x stage) order() int { return int(x.box) }

var boxNames = [...]string{"included", "read, not used", "relevant, not read", "excluded", "ineligible", "not scored", "not screened"}

func (x stage) String() string {
	if x.reason == "" {
		return boxNames[x.box]
	}
	return boxNames[x.box] + ": " + x.reason
}

// classify puts a work into exactly one box.
func (v *view) classify(id string, d state.Document) stage {
	if v.admittedOf(id) > 0 {
		return stage{included, ""}
	}
	reason, byRule := "", false
	for _, who := range []string{"person", "model", "rule"} {
		if x, ok := d.Exclusion[who]; ok {
			reason, byRule = exclusionText(x), who == "rule"
			break
		}
	}
	if reason == "" {
		for _, who := range state.Keys(d.Exclusion) {
			reason = exclusionText(d.Exclusion[who])
			break
		}
	}
	selected := d.Status == state.Selected || d.Status == state.Read
	if selected || len(v.byDoc[id]) > 0 {
		return v.classifyRead(id, d, reason)
	}
	switch {
	case reason != "" && byRule && len(d.Relevance) == 0:
		return stage{ineligible, reason}
	case reason != "":
		return stage{excluded, reason}
	case len(d.Relevance) == 0 && len(d.Unscored) > 0:
		return stage{unscored, "no score came back"}
	case len(d.Relevance) == 0:
		return stage{unscreened, v.cameFirst()}
	case !v.s.Relevant(d):
		return stage{excluded, "below the relevance threshold"}
	case isRetracted(d) && !v.set.Reading.IncludeRetracted:
		return stage{excluded, "retracted"}
	}
	if v.s.AbstractText(d) == "" {
		return stage{notRetrieved, "no abstract to read"}
	}
	return stage{notRetrieved, v.left}
}

// classifyRead places a work that was chosen for reading and gave no admitted
// evidence.
func (v *view) classifyRead(id string, d state.Document, reason string) stage {
	reading, wasRead := v.s.Readings[id]
	switch {
	case len(v.byDoc[id]) == 0 && d.Status != state.Read && !wasRead:
		return stage{notRetrieved, "chosen, but " + v.cameFirst()}
	case len(v.byDoc[id]) == 0 && wasRead && reading.Text == "" && v.s.AbstractText(d) == "":
		return stage{notRetrieved, "no text available"}
	case reason != "":
		return stage{rejected, reason}
	case len(v.byDoc[id]) == 0:
		return stage{rejected, "no claim on a subquestion found"}
	}
	return stage{rejected, "no claim admitted by the verifier"}
}

// prisma counts the flow and notes each document's stage.
func (v *view) prisma() Flow {
	s := v.s
	var search, chasing tally
	owner := map[string]string{} // record → document
	for _, key := range state.Keys(s.Links) {
		if _, ok := s.Documents[s.Links[key].Document]; ok {
			owner[key] = s.Links[key].Document
		}
	}
	for _, id := range v.docs {
		for _, key := range s.Documents[id].Records {
			if owner[key] == "" {
				owner[key] = id
			}
		}
	}
	inSearch, inChasing := map[string]bool{}, map[string]bool{} // documents by arm
	type chase struct {
		key      string
		n        int
		searched bool // a search found this very record too
	}
	var chases []chase
	for _, key := range state.Keys(s.Records) {
		r := s.Records[key]
		found, chased := 0, 0
		for _, k := range state.Keys(r.Seen) {
			p := r.Seen[k]
			if p.Via == state.ViaSnowball {
				chased++
				chasing.identified(p.Source, r.Source)
			} else {
				found++
				search.identified(p.Source, r.Source)
			}
		}
		if len(r.Seen) == 0 { // brought in without a query
			found++
			search.identified(r.Source, "")
		}
		search.record(found, owner[key], inSearch, nil)
		if chased > 0 {
			chases = append(chases, chase{key, chased, found > 0})
		}
	}
	// Only now is it known which works a search found.
	for _, c := range chases {
		if c.searched {
			chasing.col.Repeated += c.n - 1
			chasing.col.Searched++
			continue
		}
		chasing.record(c.n, owner[c.key], inChasing, inSearch)
	}
	v.left = v.unread()
	for _, id := range v.docs {
		d := s.Documents[id]
		st := v.classify(id, d)
		v.stage[id] = st
		switch {
		case inSearch[id]:
			search.work(st)
		case inChasing[id]:
			chasing.work(st)
		default: // a work whose records are not in the state
			search.identified("unknown", "")
			search.work(st)
		}
	}
	return Flow{Search: search.column(), Chasing: chasing.column()}
}

// tally counts one column.
type tally struct {
	col                                                   Column
	sources, ineligible, excluded, notRetrieved, rejected map[string]int
}

func add(m *map[string]int, what string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[what]++
}

func (t *tally) identified(source, fallback string) {
	if source == "" {
		source = fallback
	}
	if source == "" {
		source = "unknown"
	}
	add(&t.sources, source)
}

// record counts what became of a record that came back n times in this arm.
// Works in seen, or in other, the works of the other arm, are there already.
func (t *tally) record(n int, document string, seen, other map[string]bool) {
	if n == 0 {
		return
	}
	t.col.Repeated += n - 1
	switch {
	case document == "":
		t.col.Unlinked++
	case seen[document] || other[document]:
		t.col.Duplicates++
	default:
		seen[document] = true
	}
}

func (t *tally) work(st stage) {
	c := &t.col
	switch st.box {
	case ineligible:
		add(&t.ineligible, st.reason)
		return
	case unscored:
		c.Unscored++
		return
	case unscreened:
		c.Unscreened++
		return
	}
	c.Screened++
	if st.box == excluded {
		add(&t.excluded, st.reason)
		return
	}
	c.Sought++
	if st.box == notRetrieved {
		add(&t.notRetrieved, st.reason)
		return
	}
	c.Assessed++
	if st.box == rejected {
		add(&t.rejected, st.reason)
		return
	}
	c.Included++
}

func (t *tally) column() Column {
	c := t.col
	c.Identified, c.Ineligible, c.Excluded = counts(t.sources, false), counts(t.ineligible, true), counts(t.excluded, true)
	c.NotRetrieved, c.Rejected = counts(t.notRetrieved, true), counts(t.rejected, true)
	return c
}

// counts lists a tally, by name or the largest first.
func counts(m map[string]int, bySize bool) []Count {
	var out []Count
	for _, k := range state.Keys(m) {
		out = append(out, Count{k, m[k]})
	}
	if bySize {
		sort.SliceStable(out, func(i, j int) bool { return out[i].N > out[j].N })
	}
	return slices.Clip(out)
}
