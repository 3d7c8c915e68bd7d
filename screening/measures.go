package screening

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"math"
	"slices"
)

// Measures tell how good an order of reading is, given which records belong
// into the review. All are in [0,1], but for WSS, which is negative for an order
// worse than chance.
type Measures struct {
	Records, Included int

	WSS95    float64 // work saved over sampling at 95 % recall: share not read - 0.05 (Cohen et al. 2006)
	WSS100   float64 // share not read when the last included record has been read
	TNR95    float64 // share of the excluded records not read at 95 % recall
	Recall10 float64 // share of the included records among the first tenth
	Recall20 float64
	AP       float64 // average precision
}

// Measure measures an order of reading. included tells which records belong
// into the review; an order without any gives the zero Measures.
func Measure(order []string, included map[string]bool) Measures {
	n := len(order)
	var ranks []int
	for i, id := range order {
		if included[id] {
			ranks = append(ranks, i+1)
		}
	}
	pos := len(ranks)
	if pos == 0 {
		return Measures{}
	}
	need := int(math.Ceil(0.95*float64(pos) - 1e-9))
	read := ranks[need-1]
	m := Measures{Records: n, Included: pos, TNR95: 1}
	m.WSS95 = float64(n-read)/float64(n) - 0.05
	m.WSS100 = float64(n-ranks[pos-1]) / float64(n)
	if n > pos {
		m.TNR95 = float64(n-pos-(read-need)) / float64(n-pos)
	}
	early := func(share float64) float64 {
		limit, found := int(math.Ceil(share*float64(n))), 0
		for _, r := range ranks {
			if r <= limit {
				found++
			}
		}
		return float64(found) / float64(pos)
	}
	m.Recall10, m.Recall20 = early(0.10), early(0.20)
	for i, r := range ranks {
		m.AP += float64(i+1) / float64(r) / float64(pos)
	}
	return m
}

// Mean gives the macro mean of measures; the counts are sums.
func Mean(all []Measures) Measures {
	var m Measures
	for _, x := range all {
		n := float64(len(all))
		m.Records += x.Records
		m.Included += x.Included
		m.WSS95 += x.WSS95 / n
		m.WSS100 += x.WSS100 / n
		m.TNR95 += x.TNR95 / n
		m.Recall10 += x.Recall10 / n
		m.Recall20 += x.Recall20 / n
		m.AP += x.AP / n
	}
	return m
}

// OrderOf sorts records by score, best first. Ties are broken by a hash of the
// id, so that equal scores give no order that a file happens to have.
func OrderOf(score map[string]float64) []string {
	type item struct {
		id, hash string
	}
	items := make([]item, 0, len(score))
	for id := range score {
		h := sha1.Sum([]byte(id))
		items = append(items, item{id, hex.EncodeToString(h[:])})
	}
	slices.SortFunc(items, func(x, y item) int {
		return cmp.Or(cmp.Compare(score[y.id], score[x.id]), cmp.Compare(x.hash, y.hash))
	})
	out := make([]string, len(items))
	for i, x := range items {
		out[i] = x.id
	}
	return out
}
