package canon

// Two bibliographies that list each publication once are matched one to one
// with what the rules of the table left over: the entries of one year, venue and
// list of authors that fit each other better than anything else does. Titles may
// then differ as between a programme and the proceedings ("Experience Paper",
// misprints, a word more). No other source gives this evidence, because in it a
// second record may be the same work or another one.

// Least similarity of two titles by the same authors, and the distance that the
// second best must keep.
const (
	partnerTitle  = 0.6
	partnerMargin = 0.1
)

// partners reports whether two entries of different catalogues may be one
// publication.
func (c *comparison) partners() bool {
	p, q := c.p, c.q
	if p.catalogue == "" || q.catalogue == "" || p.catalogue == q.catalogue {
		return false
	}
	f := c.facts
	if !f.yearKnown || f.years != 0 || f.venue == differ || p.venue.class != q.venue.class || f.doi == differ || f.page == differ || f.volume == differ || f.issue == differ {
		return false
	}
	if c.grade == unknownGrade || c.forms == differ || numbersConflict(c.a.numbers, c.b.numbers) {
		return false
	}
	return c.samePeople() && c.partnership() >= partnerTitle
}

// samePeople: the first authors or all, by family name; a moderator alone stands
// for his panel.
func (c *comparison) samePeople() bool {
	n, m := len(c.p.authors), len(c.q.authors)
	if n == 0 || m == 0 {
		return false
	}
	short, long := c.p.authors, c.q.authors
	if n > m {
		short, long = long, short
	}
	found := 0
	for i := range short {
		for j := range long {
			if sameFamily(&short[i], &long[j]) {
				found++
				break
			}
		}
	}
	return found == len(short) && (n == m || sameFamily(&c.p.authors[0], &c.q.authors[0])) || found > 2 && 4*found >= 3*len(short)
}

// partnership measures how well two entries fit, in [0,1]: mostly the titles,
// and a little the authors.
func (c *comparison) partnership() float32 {
	s := c.sim
	if s == 0 {
		s = similarity(c.a.key, c.b.key)
	}
	if c.grade >= contained {
		s = max(s, 0.8)
	}
	s = max(s, jaccard(c.a.distinct, c.b.distinct))
	if c.authors.all() {
		s += 0.1
	}
	if c.p.titles[0].notice != c.q.titles[0].notice || c.facts.venue != agree {
		s -= 0.05
	}
	return float32(min(s, 1.1) / 1.1)
}

// matchCatalogues gives the partners that are each other's only choice.
func (c *clusterer) matchCatalogues(edges []edge) []edge {
	free := func(e edge) bool { return !c.lists(e.i, c.e.ps[e.j].catalogue) && !c.lists(e.j, c.e.ps[e.i].catalogue) }
	best, second := map[int32]float32{}, map[int32]float32{}
	var open []edge
	for _, e := range edges {
		if !free(e) {
			continue
		}
		open = append(open, e)
		for _, i := range [...]int32{e.i, e.j} {
			switch {
			case e.score > best[i]:
				best[i], second[i] = e.score, best[i]
			case e.score > second[i]:
				second[i] = e.score
			}
		}
	}
	var out []edge
	for _, e := range open {
		if e.score == best[e.i] && e.score == best[e.j] && e.score-second[e.i] >= partnerMargin && e.score-second[e.j] >= partnerMargin {
			out = append(out, e)
		}
	}
	return out
}

// lists reports whether the cluster of a record holds an entry of a catalogue.
func (c *clusterer) lists(i int32, catalogue string) bool {
	for _, m := range c.clusters[c.of[i]].members {
		if c.e.ps[m].catalogue == catalogue {
			return true
		}
	}
	return false
}
