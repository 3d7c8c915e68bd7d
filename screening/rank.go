package screening

import (
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
)

// How the measures of a record are joined, as weights on log-odds.
const (
	criteriaShare  = 0.5 // likeness to the inclusion criteria
	exclusionShare = 0.2 // the words of the exclusion criteria
	subjectLoss    = 0.7 // a record about a subject that the exclusion criteria name
	learnedShare   = 0.3 // likeness to the records that seem best
	embeddingShare = 1.0 // likeness of the embeddings

	// The records that seem best are learned from once (pseudo-relevance feedback).
	seemBest      = 30
	seemBestShare = 0.1 // and at most this share of all
	seemCost      = 1.5
	seemPasses    = 20
)

// Ranked is a record with its score in [0,1] and one line that says why. The
// scores keep the meaning of [lexical.Relevance]: from 0.5 on relevant.
type Ranked struct {
	ID     string
	Score  float64
	Reason string

	odds float64
}

// Options of [Rank]. The zero value uses all that is known.
type Options struct {
	// Embedded gives the likeness of each record to the question, by place, as
	// an embedding model sees it; nil if there is no such model.
	Embedded []float64

	// Without leaves measures out, to see what each is worth.
	Without Part
}

// Part is a set of parts of the method.
type Part int

// The parts that can be left out: of [Rank], and below of [NewLearner].
const (
	Criteria Part = 1 << iota // inclusion and exclusion criteria
	Design                    // the kind of study
	Feedback                  // what is learned from the records that seem best

	Prior    // the first order
	Topic    // the question as one more included record
	Presumed // records presumed to be excluded
)

// Rank orders the records by the question and the criteria alone, best first.
func Rank(c *Corpus, rv Review, o Options) []Ranked {
	n := len(c.Records)
	if n == 0 {
		return nil
	}
	judged := lexical.Relevance(c.ix, rv.topic(), "")
	scores := make([]float64, n)
	for i, r := range c.Records {
		scores[i] = judged[r.ID].Score
	}
	sum := odds(scores)
	why := make([][]string, n)
	if o.Without&Criteria == 0 {
		c.weighCriteria(rv, sum, why)
	}
	if o.Without&Design == 0 {
		d := newDesigner(rv)
		for i, r := range c.Records {
			gain, reasons := d.weigh(r)
			sum[i] += gain
			why[i] = append(why[i], reasons...)
		}
	}
	if len(o.Embedded) == n {
		addScaled(sum, odds(o.Embedded), embeddingShare)
	}
	if o.Without&Feedback == 0 {
		addScaled(sum, odds(c.learnFromBest(sum)), learnedShare)
	}
	// The scores of the measure that is absolute are dealt out in the joint order.
	slices.SortFunc(scores, func(x, y float64) int {
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	out := make([]Ranked, n)
	for k, i := range c.best(sum) {
		id := c.Records[i].ID
		place := 1 - float64(k)/float64(n)
		out[k] = Ranked{ID: id, Score: 0.99*scores[k] + 0.01*place*scores[0], odds: sum[i],
			Reason: strings.Join(append([]string{judged[id].Note}, why[i]...), "; ")}
	}
	return out
}

// weighCriteria adds what the criteria say: likeness to those that include
// raises, the words of those that exclude lower.
func (c *Corpus) weighCriteria(rv Review, sum []float64, why [][]string) {
	if in := lines(rv.Inclusion, ". "); in != "" {
		judged := lexical.Relevance(c.ix, in, "")
		scores := make([]float64, len(sum))
		for i, r := range c.Records {
			scores[i] = judged[r.ID].Score
			if scores[i] >= 0.5 {
				why[i] = append(why[i], "meets the words of the inclusion criteria")
			}
		}
		addScaled(sum, odds(scores), criteriaShare)
	}
	asked := lexical.Vector(rv.topic() + ". " + rv.Inclusion)
	q := lexical.Query{Terms: map[string]float64{}}
	var subjects []string
	for _, line := range criteria(rv.Exclusion) {
		for t, w := range lexical.QueryFrom(line).Terms {
			if asked[t] == 0 { // what is wanted as well tells nothing
				q.Terms[t] += w
			}
		}
		core, _ := lexical.QuestionPhrases(line)
		for _, p := range core {
			for t := range lexical.Vector(p) {
				if asked[t] == 0 {
					subjects = append(subjects, p)
					break
				}
			}
		}
	}
	if len(q.Terms) > 0 {
		found := c.ix.Score(q)
		scores := make([]float64, len(sum))
		for i, r := range c.Records {
			scores[i] = found[r.ID]
		}
		addScaled(sum, odds(scores), -exclusionShare)
	}
	about := lexical.Scope{Excluded: subjects}.Shade(c.ix, c.all())
	for i, r := range c.Records {
		if j := about[r.ID]; j.Score < 1 {
			sum[i] -= subjectLoss
			why[i] = append(why[i], strings.TrimSuffix(strings.Replace(j.Note, "the scope note leaves", "the criteria leave", 1), "; "))
		}
	}
}

// all judges every record as if it were relevant.
func (c *Corpus) all() map[string]lexical.Judgement {
	out := make(map[string]lexical.Judgement, len(c.Records))
	for _, r := range c.Records {
		out[r.ID] = lexical.Judgement{Score: 1}
	}
	return out
}

// learnFromBest scores all records by what sets those that seem best apart.
func (c *Corpus) learnFromBest(sum []float64) []float64 {
	order := c.best(sum)
	n := len(order)
	k := min(seemBest, int(seemBestShare*float64(n)))
	out := make([]float64, n)
	if k < 3 {
		return out
	}
	var examples []example
	for j := range k {
		i := order[j]
		examples = append(examples, example{i, c.vector.rows[i], 1, seemCost * (1 - float64(j)/float64(k+1))})
	}
	for j := range n / 2 {
		i := order[n-1-j]
		examples = append(examples, example{i, c.vector.rows[i], -1, seemCost * float64(k) / float64(n)})
	}
	v := newMachine(c.vector.features, n)
	v.fit(examples, seemPasses)
	for i, row := range c.vector.rows {
		out[i] = v.score(row)
	}
	return out
}
