package canon

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"optimistresearch/state"
)

// generate makes n records of about 0.7·n works and the number of the work of
// each. Titles are 5 to 14 words of a vocabulary that grows with the corpus as
// natural ones do, with function words between; authors come from lists that
// hold frequent names. Four in ten records describe a work again, as another
// database would: with another rendering of the names, the journal abbreviated,
// "221-8" for "221-228", a note behind the title, a misprint, a dropped subtitle,
// without the DOI, or dated by its appearance online. Some works are traps: two
// parts of one study, an erratum, a column of a journal.
func generate(n int) ([]state.Record, []int) {
	g := newGenerator(n)
	records, works := make([]state.Record, 0, n), make([]int, 0, n)
	for work := 0; len(records) < n; work++ {
		r := g.work(work)
		copies := 1
		for copies < 5 && g.rng.IntN(10) < 3 {
			copies++
		}
		if g.rng.IntN(50) == 0 {
			work = g.trap(&records, &works, r, work, n)
			continue
		}
		for c := range copies {
			if len(records) == n {
				break
			}
			d := r
			if c > 0 {
				d = g.describe(r)
			}
			d.Key = fmt.Sprintf("%s:%07d", d.Source, len(records))
			records, works = append(records, d), append(works, work)
		}
	}
	return records, works
}

type generator struct {
	rng      *rand.Rand
	words    []string
	zipf     *rand.Zipf
	family   []string
	names    *rand.Zipf
	journals [][2]string
}

var syllables = strings.Fields("ba ce dor fi gan hu lem mi nos pra qui ru ste tal vo wex ki ler sa om")

func newGenerator(n int) *generator {
	g := &generator{rng: rand.New(rand.NewPCG(uint64(n), 7))}
	word := func(least, most int) string {
		var b strings.Builder
		for range least + g.rng.IntN(most-least+1) {
			b.WriteString(syllables[g.rng.IntN(len(syllables))])
		}
		return b.String()
	}
	for range 2000 + n/4 {
		g.words = append(g.words, word(2, 5))
	}
	for range 3000 + n/20 {
		w := word(2, 3)
		g.family = append(g.family, strings.ToUpper(w[:1])+w[1:])
	}
	for range 300 + n/1000 {
		a, b := word(3, 5), word(3, 5)
		g.journals = append(g.journals, [2]string{"Journal of " + a + " and " + b, "J " + a[:4] + " " + b[:4]})
	}
	g.zipf = rand.NewZipf(g.rng, 1.07, 20, uint64(len(g.words)-1))
	g.names = rand.NewZipf(g.rng, 1.1, 50, uint64(len(g.family)-1))
	return g
}

func (g *generator) title() string {
	var out []string
	n := 5 + g.rng.IntN(10)
	for k := range n {
		if k > 0 && g.rng.IntN(4) == 0 {
			out = append(out, []string{"of", "in", "the", "and", "for", "with"}[g.rng.IntN(6)])
		}
		out = append(out, g.words[g.zipf.Uint64()])
		if k > 2 && k < n-3 && g.rng.IntN(12) == 0 {
			out[len(out)-1] += ":"
		}
	}
	return strings.ToUpper(out[0][:1]) + strings.Join(out, " ")[1:]
}

func (g *generator) work(k int) state.Record {
	j := g.rng.IntN(len(g.journals))
	start := 1 + g.rng.IntN(2000)
	r := state.Record{Source: "crossref", Title: g.title(), Year: 1985 + g.rng.IntN(40), Kind: state.Published, Type: "journal-article",
		Venue: g.journals[j][0], IDs: state.IDs{state.DOI: fmt.Sprintf("10.%d/j.%d.%d", 1000+j, 2000+k%20, k)},
		Volume: strconv.Itoa(1 + g.rng.IntN(60)), Issue: strconv.Itoa(1 + g.rng.IntN(12)), Pages: fmt.Sprintf("%d-%d", start, start+g.rng.IntN(20))}
	for range 1 + g.rng.IntN(7) {
		given := g.family[g.rng.IntN(len(g.family))]
		r.Authors = append(r.Authors, state.Author{Name: g.family[g.names.Uint64()] + ", " + given})
	}
	return r
}

// describe renders a work as another database would.
func (g *generator) describe(r state.Record) state.Record {
	d := r
	d.Source = []string{"files", "openalex", "pubmed", "europepmc"}[g.rng.IntN(4)]
	if g.rng.IntN(3) > 0 {
		d.IDs = nil
	}
	switch g.rng.IntN(8) {
	case 0:
		d.Title = strings.ToUpper(d.Title) + "."
	case 1:
		d.Title += []string{" [see comment]", ". [German]", " [Review] [41 refs]"}[g.rng.IntN(3)]
	case 2:
		i := 3 + g.rng.IntN(len(d.Title)-4)
		d.Title = d.Title[:i] + d.Title[i+1:]
	case 3:
		d.Title, _, _ = strings.Cut(d.Title, ":")
	case 4:
		d.Title = strings.Replace(d.Title, " and ", " &amp; ", 1)
	}
	switch g.rng.IntN(4) {
	case 0:
		d.Authors = d.Authors[:1]
	case 1, 2:
		d.Authors = nil
		for _, a := range r.Authors {
			f, given, _ := strings.Cut(a.Name, ", ")
			d.Authors = append(d.Authors, state.Author{Name: f + " " + given[:1]})
		}
	}
	if g.rng.IntN(2) == 0 {
		for _, j := range g.journals {
			if j[0] == d.Venue {
				d.Venue = j[1]
				break
			}
		}
	}
	if a, b, _ := strings.Cut(r.Pages, "-"); g.rng.IntN(3) == 0 && len(a) == len(b) && len(b) > 2 && a[:len(a)-1] == b[:len(a)-1] {
		d.Pages = a + "-" + b[len(b)-1:]
	} else if g.rng.IntN(6) == 0 {
		d.Pages, d.Volume, d.Issue = "", "", ""
	}
	if g.rng.IntN(10) == 0 {
		d.Year--
	}
	return d
}

// trap adds two records that look like one work and are two.
func (g *generator) trap(records *[]state.Record, works *[]int, r state.Record, work, n int) int {
	other := r
	other.IDs = nil
	other.Pages = strconv.Itoa(2100 + g.rng.IntN(500))
	switch g.rng.IntN(3) {
	case 0:
		r.Title, other.Title = r.Title+". Part I", r.Title+". Part II"
	case 1:
		other.Title, other.Issue = "Erratum: "+r.Title, strconv.Itoa(13)
	default:
		r.Title, other.Title = "Editorial", "Editorial"
		other.Issue = strconv.Itoa(14)
	}
	for k, x := range []state.Record{r, other} {
		if len(*records) < n {
			x.Key = fmt.Sprintf("%s:%07d", x.Source, len(*records))
			*records, *works = append(*records, x), append(*works, work+k)
		}
	}
	return work + 1
}
