package canon

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"optimistresearch/state"
)

// corpus makes n records of about 0.7·n works: titles of eight words from a
// vocabulary that grows with the corpus as natural ones do, four in ten records
// described again by another source with a changed title, fewer authors or
// without the DOI.
func corpus(n int) *state.State {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	vocabulary := make([]string, 2000+n/4)
	for i := range vocabulary {
		var b strings.Builder
		for range 2 + rng.IntN(3) {
			b.WriteString([]string{"ba", "ce", "dor", "fi", "gan", "hu", "lem", "mi", "nos", "pra", "qui", "ru", "ste", "tal", "vo", "wex"}[rng.IntN(16)])
		}
		vocabulary[i] = b.String()
	}
	zipf := rand.NewZipf(rng, 1.1, 8, uint64(len(vocabulary)-1))
	s := &state.State{Records: make(map[string]state.Record, n)}
	for i := 0; i < n; i++ {
		words := make([]string, 8)
		for k := range words {
			words[k] = vocabulary[zipf.Uint64()]
		}
		r := state.Record{Key: fmt.Sprintf("crossref:%07d", i), Source: "crossref", Title: strings.Join(words, " "), Year: 1990 + rng.IntN(35), Kind: state.Published,
			Venue: "Journal of " + vocabulary[rng.IntN(200)], IDs: state.IDs{state.DOI: fmt.Sprintf("10.1000/%d", i)}, Volume: fmt.Sprint(rng.IntN(60)), Pages: fmt.Sprint(rng.IntN(900))}
		for range 1 + rng.IntN(5) {
			r.Authors = append(r.Authors, state.Author{Name: vocabulary[rng.IntN(2000)] + ", " + string(rune('A'+rng.IntN(26)))})
		}
		s.Records[r.Key] = r
		if rng.IntN(10) < 4 && i+1 < n {
			i++
			d := r
			d.Key, d.Source = fmt.Sprintf("openalex:%07d", i), "openalex"
			switch rng.IntN(3) {
			case 0:
				d.Title = strings.ToUpper(d.Title) + "."
			case 1:
				d.IDs, d.Title = nil, strings.Replace(d.Title, "a", "e", 1)
			default:
				d.IDs, d.Authors = nil, d.Authors[:1]
			}
			s.Records[d.Key] = d
		}
	}
	return s
}

func BenchmarkCanonicalise(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := corpus(n)
			documents := 0
			b.ResetTimer()
			for b.Loop() {
				documents = len(Canonicalise(s, 1).Documents)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/record")
			b.ReportMetric(float64(documents)/float64(n), "documents/record")
		})
	}
}

func BenchmarkCompare(b *testing.B) {
	x := rec(bias, "Weber A;Lee K;Ito B", 2010, "BMJ", at("3", "1", "10-19"))
	y := rec(bias+" and their handling", "Weber A;Lee K", 2010, "British Medical Journal", at("3", "1", "10"))
	for b.Loop() {
		Compare(x, y)
	}
}
