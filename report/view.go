package report

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// view is what the pages share: the state and the look-ups that every page
// would otherwise repeat.
type view struct {
	s        *state.State
	set      state.Settings
	q        state.Question
	docs     []string         // every document id, in order
	ranked   []string         // the same, included first, then by relevance
	stage    map[string]stage // by document
	left     string           // why relevant works were left unread, see unread
	days     Days
	admitted []state.Evidence            // in id order
	isIn     map[string]bool             // admitted evidence by id
	byDoc    map[string][]state.Evidence // all evidence of a document, by place in its text
	cluster  map[string]state.Cluster    // by evidence id
	removed  int                         // citations taken out of the report
	marked   int                         // statements without a citation
	cites    map[string]bool             // documents that the report cites
	flow     Flow
}

func newView(s *state.State) (*view, error) {
	if s == nil || s.Question == nil {
		return nil, errors.New("rendering the report: the state holds no question, so the run stopped before its first step was stored; start it again with `optimistresearch run QUESTION`")
	}
	v := &view{s: s, q: *s.Question, set: state.DefaultSettings(), stage: map[string]stage{}, isIn: map[string]bool{},
		byDoc: map[string][]state.Evidence{}, cluster: map[string]state.Cluster{}, cites: map[string]bool{}}
	if s.Settings != nil {
		v.set = *s.Settings
	} else {
		// Views of the state read the thresholds.
		c := *s
		c.Settings = &v.set
		v.s = &c
	}
	v.admitted = v.s.Admitted("")
	for _, e := range v.admitted {
		v.isIn[e.ID] = true
	}
	for _, id := range state.Keys(s.Evidence) {
		e := s.Evidence[id]
		e.ID = id
		v.byDoc[e.Document] = append(v.byDoc[e.Document], e)
	}
	for _, items := range v.byDoc {
		sort.SliceStable(items, func(i, j int) bool {
			a, b := items[i], items[j]
			if a.Subquestion != b.Subquestion {
				return state.LessID(a.Subquestion, b.Subquestion)
			}
			return a.Start < b.Start
		})
	}
	if s.Clusters != nil {
		for _, c := range s.Clusters.Clusters {
			for _, e := range c.Evidence {
				v.cluster[e] = c
			}
		}
	}
	v.docs = state.SortedIDs(s.Documents)
	v.flow = v.prisma()
	v.ranked = slices.Clone(v.docs)
	best := map[string]float64{}
	for _, id := range v.docs {
		best[id], _ = v.relevance(s.Documents[id])
	}
	sort.SliceStable(v.ranked, func(i, j int) bool {
		a, b := v.ranked[i], v.ranked[j]
		if x, y := v.stage[a].order(), v.stage[b].order(); x != y {
			return x < y
		}
		return best[a] > best[b]
	})
	return v, nil
}

// relevance is the highest relevance to any subquestion.
func (v *view) relevance(d state.Document) (float64, bool) {
	return d.MaxRelevance(state.Keys(d.Relevance))
}

// admittedOf counts the admitted evidence of a document.
func (v *view) admittedOf(id string) int {
	n := 0
	for _, e := range v.byDoc[id] {
		if v.isIn[e.ID] {
			n++
		}
	}
	return n
}

// subquestions lists all of them: active ones by priority, then the others.
func (v *view) subquestions() []state.Subquestion {
	var out []state.Subquestion
	for _, id := range state.SortedIDs(v.s.Subquestions) {
		q := v.s.Subquestions[id]
		q.ID = id
		out = append(out, q)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Status.Active() != b.Status.Active() {
			return a.Status.Active()
		}
		return a.Status.Active() && a.Priority < b.Priority
	})
	return out
}

// title is a document's title as Markdown, with its marks: what was retracted
// says so wherever it is named.
func title(d state.Document) string {
	t := md(d.Title())
	if t == "" {
		t = "(no title)"
	}
	return t + marks(d)
}

// marks are the suffixes of a title that a reader must not miss.
func marks(d state.Document) string {
	out := retraction(d)
	if d.Kind() == state.Preprint {
		out += " [preprint]"
	}
	return out
}

var retractionMarks = map[string]string{
	state.RetractRetracted: " [RETRACTED]", state.RetractConcern: " [EXPRESSION OF CONCERN]", state.RetractCorrected: " [CORRECTED]",
}

func retraction(d state.Document) string { return retractionMarks[d.Retracted().Status] }

func isRetracted(d state.Document) bool { return d.Retracted().Status == state.RetractRetracted }

// docFile is the page of a document, relative to the run. An id that would
// not be a safe name has no page.
func docFile(id string) string { return "documents/" + id + ".md" }

func subquestionFile(id string) string { return "subquestions/" + id + ".md" }

// safeID reports whether an id can be the name of a file on any system.
func safeID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// to links from a page in a folder ("../" deep) to a document's page.
func (v *view) to(up, id string) string {
	if _, ok := v.s.Documents[id]; !ok || !safeID(id) {
		return md(id)
	}
	return "[" + id + "](" + up + docFile(id) + ")"
}

// label links to a document's page by author and year: how the report names a
// work that it does not cite.
func (v *view) label(up, id string) string {
	d, ok := v.s.Documents[id]
	if !ok || !safeID(id) {
		return md(id)
	}
	name := shortAuthors(d)
	if name == "" {
		name = text.Truncate(text.OneLine(d.Title()), 60)
	}
	return "[" + orDash(escape(plain(name))) + " " + yearText(d) + "](" + up + docFile(id) + ")" + retraction(d)
}

func (v *view) toSubquestion(up, id string) string {
	if _, ok := v.s.Subquestions[id]; !ok || !safeID(id) {
		return md(id)
	}
	return "[" + id + "](" + up + subquestionFile(id) + ")"
}

// date is the day of a time stamp.
func date(stamp string) string {
	stamp = plain(stamp)
	if len(stamp) >= 10 {
		return stamp[:10]
	}
	return stamp
}

// longTitle is the length up to which a text from outside stands in a heading
// as it is, in characters.
const longTitle = 200

// headText writes an outside text for a heading, cut where it is too long.
func headText(s string) string { return cell(s, longTitle) }

// isLong reports whether headText cuts a text.
func isLong(s string) bool { return text.Truncate(text.OneLine(s), longTitle) != text.OneLine(s) }

// page collects the lines of a Markdown file.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) {
	if len(args) == 0 {
		p.WriteString(format)
	} else {
		fmt.Fprintf(p, format, args...)
	}
	p.WriteByte('\n')
}

// head writes a heading between blank lines.
func (p *page) head(level int, text string) {
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	p.line("%s %s\n", strings.Repeat("#", level), text)
}

// bytes is the file: one line end at its end, no run of blank lines.
func (p *page) bytes() []byte {
	s := p.String()
	for strings.Contains(s, "\n\n\n") {
		s = strings.ReplaceAll(s, "\n\n\n", "\n\n")
	}
	return []byte(strings.TrimSpace(s) + "\n")
}

func yes(b bool, text string) string {
	if b {
		return text
	}
	return ""
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
