// Package chase follows citations from a few known works on their own, outside
// a run: both ways, round by round, best candidates first, until two rounds in
// a row bring next to nothing.
//
// It must never expand a work whose identity was not verified, take an absent
// list for an empty one, or count a seed that no source has a list of. What is
// kept is decided by a Judge; the package knows no question. Start with Run.
package chase

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"optimistresearch/snowball"
	"optimistresearch/sources"
	"optimistresearch/state"
	"optimistresearch/steps/expand"
)

// Options of a chase.
type Options struct {
	Sources  []sources.Source // those with a citation graph are asked
	Settings state.Settings   // Snowball and its rule of saturation
	Year     int              // this year
	Seeds    []state.Record   // works whose identity is known
	Judge    Judge

	Backward, Forward bool
	// Through also asks who cites the works that kept ones cite: those cited by
	// two or more, and by one if Single is set. Follow is how many in a round,
	// 0 = all.
	Through, Single bool
	Follow          int

	Rounds   int // at most; 0 = until saturation
	PerRound int // candidates screened in a round
	// LinksAside and WordsAside leave one of the two out of the order, to see
	// what it is worth.
	LinksAside, WordsAside bool
	// Frozen says that ids of the only source are the identity of works: nothing
	// is compared.
	Frozen   bool
	Parallel int
	Observe  func(Round) // may be nil
}

// Judge says what fits.
type Judge interface {
	// Likeness tells how well the words of each known work fit, on any scale.
	// decided holds what was decided, the seeds included.
	Likeness(known []Work, seeds []string, decided map[string]bool) map[string]float64
	// Keep decides on works, in order.
	Keep(ctx context.Context, batch []Placed) ([]Decision, error)
}

// Work is a work as the judge sees it. Name is what it is called in tables: the
// library's id, or the identifier that most services know.
type Work struct {
	ID, Name, Title, Abstract string
	Keywords                  []string
	Year                      int
}

// Placed is a work to be decided on: how it hangs together with what was kept,
// and the share of all known works that are before it, in [0,1).
type Placed struct {
	Work
	Link  snowball.Link
	Place float64
}

// Decision is a judge's.
type Decision struct {
	Keep   bool
	Reason string // one line
}

// Row is one screened work.
type Row struct {
	Round  int           `json:"round"`
	ID     string        `json:"record_id"`
	Kept   bool          `json:"kept"`
	Title  string        `json:"title,omitempty"`
	Year   int           `json:"year,omitempty"`
	Link   snowball.Link `json:"link"`
	Reason string        `json:"reason"`
	Record state.Record  `json:"-"`
}

// Round is what one round gave.
type Round struct {
	Number   int  `json:"round"`
	Expanded int  `json:"expanded"` // kept works whose lists were asked for
	Followed int  `json:"followed"` // works asked who else cites them
	Known    int  `json:"known"`    // works that hang together with the kept ones
	Screened int  `json:"screened"`
	Kept     int  `json:"kept"`
	LowYield bool `json:"low_yield"`
}

// Seed says what became of a seed.
type Seed struct {
	ID         string            `json:"record_id"`
	Title      string            `json:"title,omitempty"`
	References int               `json:"references"`
	Citing     int               `json:"citing"`
	NoList     bool              `json:"no_list"` // no source has a list of it: it counts for nothing
	Outcomes   map[string]string `json:"outcomes,omitempty"`
}

// Outcome of a chase.
type Outcome struct {
	Seeds        []Seed              `json:"seeds"`
	Rounds       []Round             `json:"rounds"`
	Rows         []Row               `json:"rows"`
	Saturated    bool                `json:"saturated"`
	Stop         string              `json:"stop"`               // why it ended, a clause
	Failures     []state.Degradation `json:"failures,omitempty"` // lists that could not be had
	FailureCount int                 `json:"failure_count"`
}

// mostFailures are kept in words; FailureCount counts all.
const mostFailures = 50

// Run chases. An error is that of the context or the judge: what a source could
// not give is in the outcome.
func Run(ctx context.Context, o Options) (Outcome, error) {
	c := newChase(o)
	for number := 1; o.Rounds <= 0 || number <= o.Rounds; number++ {
		more, err := c.round(ctx, number)
		if err != nil || !more {
			return c.out, err
		}
	}
	c.out.Stop = fmt.Sprintf("%s asked for; it is not saturated", rounds(o.Rounds))
	return c.out, nil
}

func rounds(n int) string {
	if n == 1 {
		return "one round was"
	}
	return fmt.Sprintf("%d rounds were", n)
}

type chase struct {
	o        Options
	corpus   *corpus
	expander *expand.Expander
	web      *snowball.Web
	seeds    []string
	kept     []string        // the seeds first
	decided  map[string]bool // screened, and the seeds
	strength map[string]snowball.Link
	expanded map[string]bool
	followed map[string]bool
	low      int
	out      Outcome
}

func newChase(o Options) *chase {
	c := &chase{o: o, corpus: newCorpus(o), expander: expand.New(o.Sources), web: snowball.NewWeb(), decided: map[string]bool{},
		strength: map[string]snowball.Link{}, expanded: map[string]bool{}, followed: map[string]bool{}}
	for _, id := range c.corpus.add(o.Seeds, 0) {
		if id != "" && !c.decided[id] {
			c.seeds, c.decided[id] = append(c.seeds, id), true
			c.out.Seeds = append(c.out.Seeds, Seed{ID: c.corpus.name(id), Title: c.corpus.doc(id).Title(), NoList: true, Outcomes: map[string]string{}})
		}
	}
	c.kept = slices.Clone(c.seeds)
	return c
}

// round makes one round and tells whether there is more to do.
func (c *chase) round(ctx context.Context, number int) (bool, error) {
	r := Round{Number: number}
	var err error
	if r.Expanded, err = c.expand(ctx, number); err != nil {
		return false, err
	}
	if r.Followed, err = c.follow(ctx, number); err != nil {
		return false, err
	}
	batch, known := c.choose()
	r.Known = known
	if len(batch) == 0 {
		c.out.Saturated = true
		c.out.Stop = "no work is left that hangs together with what was kept"
		if known == 0 {
			c.out.Saturated = false
			c.out.Stop = "no source has a list for any of the seeds"
		}
		return false, nil
	}
	decisions, err := c.o.Judge.Keep(ctx, batch)
	if err != nil {
		return false, err
	}
	if len(decisions) != len(batch) {
		return false, fmt.Errorf("round %d: %d decisions on %d works", number, len(decisions), len(batch))
	}
	for i, d := range decisions {
		w := batch[i]
		c.decided[w.ID] = d.Keep
		c.strength[w.ID] = w.Link
		if d.Keep {
			c.kept = append(c.kept, w.ID)
			r.Kept++
		}
		c.out.Rows = append(c.out.Rows, Row{Round: number, ID: c.corpus.name(w.ID), Kept: d.Keep, Title: w.Title, Year: w.Year, Link: w.Link, Reason: d.Reason, Record: c.corpus.record(w.ID)})
	}
	r.Screened = len(batch)
	r.LowYield = snowball.LowYield(c.o.Settings.Snowball, r.Screened, r.Kept)
	if r.LowYield {
		c.low++
	} else {
		c.low = 0
	}
	c.out.Rounds = append(c.out.Rounds, r)
	if c.o.Observe != nil {
		c.o.Observe(r)
	}
	if need := max(c.o.Settings.Snowball.LowYieldRounds, 1); c.low >= need {
		c.out.Saturated = true
		c.out.Stop = fmt.Sprintf("saturated: the last %d rounds were low-yield", need)
		if need == 1 {
			c.out.Stop = "saturated: the last round was low-yield"
		}
		return false, nil
	}
	return true, nil
}

// choose orders what is known and takes the best that nobody decided on.
func (c *chase) choose() (batch []Placed, known int) {
	links := c.web.Links(c.kept, c.o.Through && c.o.Single)
	for _, id := range c.kept {
		if l, ok := c.strength[id]; ok {
			links[id] = l // as it was when it was screened
		}
	}
	isSeed := map[string]bool{}
	for _, s := range c.seeds {
		isSeed[s] = true
	}
	works := c.corpus.works()
	likeness := c.o.Judge.Likeness(works, c.seeds, c.decided)
	var list []snowball.Candidate
	at := map[string]Work{}
	for _, w := range works {
		if l, ok := links[w.ID]; ok && l.Strength > 0 && !isSeed[w.ID] {
			x := snowball.Candidate{ID: w.ID, Link: l, Likeness: likeness[w.ID]}
			if c.o.LinksAside {
				x.Link.Strength = 0
			}
			if c.o.WordsAside {
				x.Likeness = 0
			}
			list = append(list, x)
			at[w.ID] = w
		}
	}
	snowball.Order(list)
	place := map[string]float64{}
	for i, x := range list {
		place[x.ID] = float64(i) / float64(len(list))
	}
	// What was decided says nothing about which of the others is to be next.
	open := slices.DeleteFunc(slices.Clone(list), func(x snowball.Candidate) bool {
		_, done := c.decided[x.ID]
		return done
	})
	snowball.Order(open)
	for _, x := range open[:min(len(open), max(c.o.PerRound, 1))] {
		batch = append(batch, Placed{Work: at[x.ID], Link: links[x.ID], Place: place[x.ID]})
	}
	return batch, len(list)
}

// expand asks for the lists of the kept works that were not expanded.
func (c *chase) expand(ctx context.Context, number int) (int, error) {
	var asks []ask
	n := 0
	for _, id := range c.kept {
		if c.expanded[id] {
			continue
		}
		c.expanded[id] = true
		n++
		if c.o.Backward {
			asks = append(asks, ask{id, state.Backward})
		}
		if c.o.Forward {
			asks = append(asks, ask{id, state.Forward})
			c.followed[id] = true
		}
	}
	return n, c.send(ctx, asks, number)
}

// follow asks who else cites what the kept works cite.
func (c *chase) follow(ctx context.Context, number int) (int, error) {
	if !c.o.Through {
		return 0, nil
	}
	var asks []ask
	for _, id := range c.web.Through(c.kept, c.o.Single) {
		if !c.followed[id] && (c.o.Follow <= 0 || len(asks) < c.o.Follow) {
			c.followed[id] = true
			c.corpus.mention(id)
			asks = append(asks, ask{id, state.Forward})
		}
	}
	return len(asks), c.send(ctx, asks, number)
}

// ask is one list to get.
type ask struct{ id, direction string }

// send gets lists, many at a time, and takes them in in their order.
func (c *chase) send(ctx context.Context, asks []ask, number int) error {
	parts := make([]state.State, len(asks))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(c.o.Parallel, 1))
	for i, a := range asks {
		g.Go(func() (err error) {
			key := a.id + "|" + a.direction
			parts[i], err = c.expander.Run(gctx, c.corpus.s, state.Task{ID: fmt.Sprintf("chase/%d/%s", number, key), Node: "expand", Args: []string{key, strconv.Itoa(number)}})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	var records []state.Record
	var of []ask
	for i, part := range parts {
		for _, k := range state.Keys(part.Records) {
			records, of = append(records, part.Records[k]), append(of, asks[i])
		}
		for _, k := range state.Keys(part.Degradations) {
			if c.out.FailureCount++; len(c.out.Failures) < mostFailures {
				c.out.Failures = append(c.out.Failures, part.Degradations[k])
			}
		}
		c.tally(asks[i], part)
	}
	for i, id := range c.corpus.add(records, number) {
		switch a := of[i]; {
		case id == "":
		case a.direction == state.Backward:
			c.web.Add(a.id, id)
		default:
			c.web.Add(id, a.id)
		}
		if n := records[i].Citations; n != nil && id != "" {
			c.web.Cited(id, *n)
		}
	}
	return nil
}

// tally notes what the lists of a seed gave.
func (c *chase) tally(a ask, part state.State) {
	i := slices.Index(c.seeds, a.id)
	if i < 0 {
		return
	}
	s := &c.out.Seeds[i]
	for _, e := range part.Expanded {
		if a.direction == state.Backward {
			s.References += e.Found
		} else {
			s.Citing += e.Found
		}
		if e.Found > 0 {
			s.NoList = false
		}
		for source, outcome := range e.Outcomes {
			s.Outcomes[source+" "+a.direction] = outcome
		}
	}
}
