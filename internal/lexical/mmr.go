package lexical

import "math"

// Vector gives the stems of a text with their counts; stop words are left out.
func Vector(s string) map[string]float64 {
	v := map[string]float64{}
	for _, t := range stems(s) {
		v[t]++
	}
	return v
}

// Cosine gives the cosine of two vectors without negative weights, in [0,1]; 0
// if one is empty.
func Cosine(x, y map[string]float64) float64 {
	if len(y) < len(x) {
		x, y = y, x
	}
	dot := 0.0
	for _, t := range sortedKeys(x) {
		dot += x[t] * y[t]
	}
	norm := math.Sqrt(squares(x) * squares(y))
	if norm == 0 {
		return 0
	}
	return min(dot/norm, 1)
}

func squares(v map[string]float64) float64 {
	sum := 0.0
	for _, t := range sortedKeys(v) {
		sum += v[t] * v[t]
	}
	return sum
}

// MMR picks n sentences by maximal marginal relevance (Carbonell and Goldstein
// 1998): each time the one with the largest lambda·relevance - (1-lambda)·its
// greatest similarity to those picked. Relevance is the mean of a sentence's
// Score and its cosine to the query. lambda in [0,1]; 1 ranks by relevance alone.
// The order is that of picking; ties go to the earlier sentence.
func MMR(sentences []Sentence, q Query, lambda float64, n int) []Sentence {
	lambda = min(max(lambda, 0), 1)
	vectors := make([]map[string]float64, len(sentences))
	relevance := make([]float64, len(sentences))
	nearest := make([]float64, len(sentences)) // similarity to the nearest one picked
	used := make([]bool, len(sentences))
	for i, s := range sentences {
		vectors[i] = Vector(s.Text)
		relevance[i] = (min(max(s.Score, 0), 1) + Cosine(vectors[i], q.Terms)) / 2
	}
	var out []Sentence
	for len(out) < n && len(out) < len(sentences) {
		best, most := -1, math.Inf(-1)
		for i := range sentences {
			if v := lambda*relevance[i] - (1-lambda)*nearest[i]; !used[i] && v > most {
				best, most = i, v
			}
		}
		used[best] = true
		out = append(out, sentences[best])
		for i := range sentences {
			if !used[i] {
				nearest[i] = max(nearest[i], Cosine(vectors[i], vectors[best]))
			}
		}
	}
	return out
}
