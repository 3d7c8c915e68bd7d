package screening

import (
	"maps"
	"math"
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
)

// Weights of the features: a word of the title counts as this many words of the
// abstract, a pair of neighbouring words as this share of a word.
const (
	titleCount  = 2
	pairShare   = 0.7
	leastHolder = 2 // records that must have a feature

	// Features that are no words count this much beside the words of a record,
	// which together count 1.
	yearWeight     = 0.15 // of the year; a neighbouring year shares part of it
	noTextWeight   = 0.15 // of having no abstract
	neighbourYears = 2
)

// cell is one feature of a record.
type cell struct {
	feature int32
	weight  float32
}

// matrix holds the records as vectors, features in ascending order: words and
// pairs of neighbouring words, (1 + ln tf) · idf and together of length 1; the
// year; whether there is no abstract; the directions of lsa.go.
type matrix struct {
	rows     [][]cell
	features int
	idf      []float64
	words    []int32 // of words and pairs: the word's number in the index, -1 for a pair
	number   map[int64]int32
}

func pairKey(a, b int32) int64 { return int64(a+1)<<32 | int64(b) }

// counted gives the features of a document with their counts.
func counted(title, body []int32, add func(key int64, n float64)) {
	for _, part := range [...]struct {
		seq []int32
		n   float64
	}{{title, titleCount}, {body, 1}} {
		last := int32(-1)
		for _, t := range part.seq {
			if t >= 0 {
				add(int64(t), part.n)
				if last >= 0 {
					add(pairKey(last, t), part.n)
				}
			}
			last = t
		}
	}
}

// newMatrix makes the vectors of records from their index.
func newMatrix(ix *lexical.Index, records []Record) *matrix {
	m := &matrix{rows: make([][]cell, len(records)), number: map[int64]int32{}}
	holders := map[int64]int32{}
	seen := map[int64]float64{}
	for _, r := range records {
		title, body, _ := ix.Sequence(r.ID)
		clear(seen)
		counted(title, body, func(k int64, n float64) { seen[k] += n })
		for k := range seen {
			holders[k]++
		}
	}
	keys := make([]int64, 0, len(holders))
	for k, n := range holders {
		if n >= leastHolder {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	m.idf, m.words, m.features = make([]float64, len(keys)), make([]int32, len(keys)), len(keys)
	for i, k := range keys {
		m.number[k] = int32(i)
		m.idf[i] = math.Log(float64(1+len(records))/float64(1+holders[k])) + 1
		m.words[i] = -1
		if k < 1<<32 {
			m.words[i] = int32(k)
		} else {
			m.idf[i] *= pairShare
		}
	}
	years := map[int]bool{}
	for _, r := range records {
		if r.Year > 0 {
			for y := r.Year - neighbourYears; y <= r.Year+neighbourYears; y++ {
				years[y] = true
			}
		}
	}
	feature := map[int]int32{}
	for _, y := range slices.Sorted(maps.Keys(years)) {
		feature[y] = int32(m.features)
		m.features++
	}
	noText := int32(m.features)
	m.features++
	for i, r := range records {
		title, body, _ := ix.Sequence(r.ID)
		row := m.vector(title, body)
		if r.Year > 0 {
			// Two years that are d apart share as much of a triangle as lies over both.
			for d := -neighbourYears; d <= neighbourYears; d++ {
				share := 1 - math.Abs(float64(d))/(neighbourYears+1)
				row = append(row, cell{feature[r.Year+d], float32(yearWeight * share)})
			}
		}
		if strings.TrimSpace(r.Abstract) == "" {
			row = append(row, cell{noText, noTextWeight})
		}
		m.rows[i] = row
	}
	m.addDirections()
	return m
}

// vector makes the unit vector of a document or a query.
func (m *matrix) vector(title, body []int32) []cell {
	seen := map[int32]float64{}
	counted(title, body, func(k int64, n float64) {
		if f, ok := m.number[k]; ok {
			seen[f] += n
		}
	})
	row := make([]cell, 0, len(seen))
	for f, n := range seen {
		row = append(row, cell{f, float32((1 + math.Log(n)) * m.idf[f])})
	}
	slices.SortFunc(row, func(x, y cell) int { return int(x.feature - y.feature) })
	norm := 0.0
	for _, c := range row {
		norm += float64(c.weight) * float64(c.weight)
	}
	if norm > 0 {
		s := float32(1 / math.Sqrt(norm))
		for i := range row {
			row[i].weight *= s
		}
	}
	return row
}

// dot gives the product of a row with dense weights.
func dot(row []cell, w []float64) float64 {
	s := 0.0
	for _, c := range row {
		s += float64(c.weight) * w[c.feature]
	}
	return s
}
